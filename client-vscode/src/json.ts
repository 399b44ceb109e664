/**
 * `agents.json` stays JSON, and VS Code has a service for that: what that shows, we do not show
 * again. Its outline is VS Code's, and so are keys and values that stand in a like object.
 */
import type * as vscode from 'vscode';
import type { Middleware } from 'vscode-languageclient/node';

type Symbols = NonNullable<Middleware['provideDocumentSymbols']>;
type Completion = NonNullable<Middleware['provideCompletionItem']>;

/** Whether a document is in one of our languages, and nobody else's. */
type IsOurs = (document: vscode.TextDocument) => boolean;

/** What the server says of an item is in a field that the library adds. */
type Item = vscode.CompletionItem & { data?: { isPlain?: boolean } };

/** The outline of our own languages only. */
export function ownOutline(isOurs: IsOurs): Symbols {
  return (document, token, next) => (isOurs(document) ? next(document, token) : []);
}

/** Everything but what VS Code's JSON service offers by itself. */
export function ownCompletion(isOurs: IsOurs): Completion {
  return async (document, position, context, token, next) => {
    const found = await next(document, position, context, token);
    if (!found || isOurs(document)) {
      return found;
    }
    return Array.isArray(found)
      ? found.filter(isNew)
      : { ...found, items: found.items.filter(isNew) };
  };
}

function isNew(item: Item): boolean {
  return item.data?.isPlain !== true;
}
