/**
 * Lenses: the server describes every cell in a few words, and what can be done to a cell stands
 * above the cell of the cursor alone. What that is, the server knows; where the cursor is, we do.
 */
import * as vscode from 'vscode';
import { type CodeLens, CodeLensRequest, type Middleware } from 'vscode-languageclient/node';
import type { CellMarks } from './decorations';
import type { Server } from './server';

type Provide = NonNullable<Middleware['provideCodeLenses']>;

/** Provides the lenses of all cells, and those of the current one. */
export function cellLenses(server: Server, marks: CellMarks): Provide {
  /** The lenses of all cells, in one version of a document. */
  const told = new WeakMap<vscode.TextDocument, { version: number; lenses: vscode.CodeLens[] }>();
  /** Documents in which only the cursor has moved since they were asked for. */
  const moved = new WeakSet<vscode.TextDocument>();
  marks.onDidEnterCell((document) => {
    const feature = server.running?.getFeature(CodeLensRequest.method);
    moved.add(document);
    feature?.getProvider(document)?.onDidChangeCodeLensEmitter.fire();
  });
  return async (document, token, next) => {
    const known = told.get(document);
    const { version } = document;
    const isKnown = moved.delete(document) && known?.version === version;
    const lenses = isKnown ? known.lenses : ((await next(document, token)) ?? []);
    if (!token.isCancellationRequested) {
      told.set(document, { version, lenses });
    }
    return [...lenses, ...(await currentLenses(server, document))];
  };
}

async function currentLenses(
  server: Server,
  document: vscode.TextDocument,
): Promise<vscode.CodeLens[]> {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document !== document) {
    return [];
  }
  const about = { uri: `${document.uri}`, position: editor.selection.active };
  const found = await server.ask<CodeLens[]>('msgls/cellLenses', about);
  return (await server.running?.protocol2CodeConverter.asCodeLenses(found ?? [])) ?? [];
}
