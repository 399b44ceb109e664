/**
 * Lenses: the server describes every cell in a few words, and what can be done to a cell stands
 * above the cell of the cursor alone. What that is, the server knows; where the cursor is, we do.
 */
import * as vscode from 'vscode';
import { type CodeLens, CodeLensRequest, type Middleware } from 'vscode-languageclient/node';
import type { CellMarks } from './decorations';
import type { Server } from './server';

type Provide = NonNullable<Middleware['provideCodeLenses']>;

/** The lenses of all cells, in one version of a document. */
interface Told {
  readonly version: number;
  readonly lenses: vscode.CodeLens[];
}

export class CellLenses {
  private readonly told = new WeakMap<vscode.TextDocument, Told>();
  /** Documents in which only the cursor has moved since they were asked for. */
  private readonly moved = new WeakSet<vscode.TextDocument>();

  constructor(
    private readonly server: Server,
    marks: CellMarks,
  ) {
    marks.onDidEnterCell((document) => {
      const feature = server.running?.getFeature(CodeLensRequest.method);
      this.moved.add(document);
      feature?.getProvider(document)?.onDidChangeCodeLensEmitter.fire();
    });
  }

  async provide(...[document, token, next]: Parameters<Provide>): Promise<vscode.CodeLens[]> {
    const known = this.told.get(document);
    const { version } = document;
    const isKnown = this.moved.delete(document) && known?.version === version;
    const lenses = isKnown ? known.lenses : ((await next(document, token)) ?? []);
    if (!token.isCancellationRequested) {
      this.told.set(document, { version, lenses });
    }
    return [...lenses, ...(await this.current(document))];
  }

  private async current(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const client = this.server.running;
    const editor = vscode.window.activeTextEditor;
    if (client === undefined || editor?.document !== document) {
      return [];
    }
    const position = client.code2ProtocolConverter.asPosition(editor.selection.active);
    const about = { uri: document.uri.toString(), position };
    const found = await this.server.ask<CodeLens[]>('msgls/cellLenses', about);
    return (await client.protocol2CodeConverter.asCodeLenses(found ?? [])) ?? [];
  }
}
