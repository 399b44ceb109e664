/**
 * When a list opens by itself, and when Tab takes its first row: in an id, a type or a value that is
 * begun and not closed. Everywhere else it is a key like all others, as Enter always is, unless the
 * list was entered with the arrow keys or asked for. The manifest's keybinding asks for this context.
 */
import * as vscode from 'vscode';
import type { CompletionMiddleware } from 'vscode-languageclient';
import { ourEditor } from './editors';

const CONTEXT = 'msgls.inBegunName';
const BEGUN = /\[\^[^\s[\]^]+$|^\[\^[^\s[\]^]+\]:[ \t]+(\[[^[\]]+|\[[^[\]]+\].*="[^"]+)$/;

/** Whether the cursor stands in a name that is begun, so that Tab can only mean a suggestion. */
export function isBegunName(before: string): boolean {
  return BEGUN.test(before);
}

/** Whether a character that was typed may open a list; nothing was typed where a person asked. */
export function mayOpen(language: string, typed: string | undefined): boolean {
  return typed === undefined || typed === '"' || !/json$/.test(language);
}

/**
 * Asks the server for suggestions, but where it has none. While VS Code waits for them, it asks all
 * extensions as soon as another one begins to complete, and in JSON Enter takes what they offer.
 */
export const provideCompletionItem: NonNullable<CompletionMiddleware['provideCompletionItem']> = (
  document,
  position,
  context,
  token,
  next,
) =>
  mayOpen(document.languageId, context.triggerCharacter)
    ? next(document, position, context, token)
    : undefined;

export function watchBegunNames(): vscode.Disposable {
  let last = false;
  const look = () => {
    const { document, selection } = ourEditor() ?? {};
    const { line, character } = selection?.active ?? { line: 0, character: 0 };
    const now = isBegunName(document?.lineAt(line).text.slice(0, character) ?? '');
    if (now !== last) {
      last = now;
      void vscode.commands.executeCommand('setContext', CONTEXT, now);
    }
  };
  return vscode.Disposable.from(
    vscode.window.onDidChangeTextEditorSelection(look),
    vscode.window.onDidChangeActiveTextEditor(look),
  );
}
