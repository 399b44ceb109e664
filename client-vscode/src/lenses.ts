/**
 * Lenses: the server tells of every cell in a few words, and what can be done to a cell stands
 * above the cell of the cursor alone. What that is, the server knows; where the cursor is, we do.
 */
import * as vscode from 'vscode';
import { type CodeLens, CodeLensRequest, type Middleware } from 'vscode-languageclient/node';
import type { CellMarks } from './decorations';
import type { Server } from './server';

/** The lenses of all cells, in one version of a document. */
interface Told {
  readonly version: number;
  readonly lenses: vscode.CodeLens[];
}

export class CellLenses implements vscode.Disposable {
  private readonly told = new WeakMap<vscode.TextDocument, Told>();
  /** Documents in which only the cursor has moved since they were asked for. */
  private readonly moved = new WeakSet<vscode.TextDocument>();
  private readonly subscription: vscode.Disposable;

  constructor(
    private readonly server: Server,
    marks: CellMarks,
  ) {
    this.subscription = marks.onDidEnterCell((document) => this.refresh(document));
  }

  dispose(): void {
    this.subscription.dispose();
  }

  async provide(
    ...[document, token, next]: Parameters<NonNullable<Middleware['provideCodeLenses']>>
  ): Promise<vscode.CodeLens[]> {
    const known = this.told.get(document);
    const { version } = document;
    const isKnown = this.moved.delete(document) && known?.version === version;
    const lenses = isKnown ? known.lenses : ((await next(document, token)) ?? []);
    if (!token.isCancellationRequested) {
      this.told.set(document, { version, lenses });
    }
    return [...lenses, ...(await this.current(document))];
  }

  private refresh(document: vscode.TextDocument): void {
    const feature = this.server.running?.getFeature(CodeLensRequest.method);
    this.moved.add(document);
    feature?.getProvider(document)?.onDidChangeCodeLensEmitter.fire();
  }

  private async current(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const client = this.server.running;
    const editor = vscode.window.activeTextEditor;
    if (client === undefined || editor?.document !== document) {
      return [];
    }
    const found = await client.sendRequest<CodeLens[]>('msgls/cellLenses', {
      uri: client.code2ProtocolConverter.asUri(document.uri),
      position: client.code2ProtocolConverter.asPosition(editor.selection.active),
    });
    return (await client.protocol2CodeConverter.asCodeLenses(found)) ?? [];
  }
}
