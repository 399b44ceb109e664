/**
 * What the model sees: a read-only document beside the file, whose text the server writes and
 * refreshes. The cursor in the file marks its message there, and the cursor there moves the one in
 * the file. A cell that the model does not see says why in the status bar.
 */
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Position, Range } from 'vscode-languageclient/node';
import { filledIn } from './commands';
import { isOurs } from './languages';
import type { Server } from './server';
import { Later } from './timing';

const SCHEME = 'msgls-view';
const CURSOR_MS = 40;

/** What `msgls/viewOf` and `msgls/sourceOf` answer. */
interface Answer {
  readonly position: Position | null;
  readonly range: Range | null;
  readonly reason?: string | null;
}

/** The same, as VS Code has it. */
interface Place {
  readonly position: vscode.Position | undefined;
  readonly range: vscode.Range | undefined;
  readonly reason: string | null | undefined;
}

/** The address of a view: the server reads the document from its query and the agent after it. */
function viewAddress(document: vscode.Uri, fragment = ''): vscode.Uri {
  const name = path.posix.basename(document.path).replace(/(\.msg)?\.md$/i, '');
  const title = `${vscode.l10n.t('What the model sees')} · ${name}`;
  const query = document.toString();
  return vscode.Uri.from({ scheme: SCHEME, path: `/${title}.md`, query, fragment });
}

/** The document that the active editor is about, be it the document or its view. */
export function activeSource(): string | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document && (isOurs(document) ? document.uri.toString() : sourceOf(document.uri));
}

/** The agent whose view of a document is to be seen; nothing where it is the default one's. */
export function agentOf(source: string): string | undefined {
  return viewOf(source)?.document.uri.fragment || undefined;
}

function sourceOf({ scheme, query }: vscode.Uri): string | undefined {
  return scheme === SCHEME ? query : undefined;
}

function viewOf(source: string): vscode.TextEditor | undefined {
  return vscode.window.visibleTextEditors.find(({ document }) => sourceOf(document.uri) === source);
}

/** Shows what the model sees of a document, beside it. */
export async function showView(source: vscode.Uri, agent?: string): Promise<void> {
  const viewColumn = viewOf(source.toString())?.viewColumn ?? vscode.ViewColumn.Beside;
  const shown = viewAddress(source, agent);
  const options = { viewColumn, preserveFocus: true, preview: false };
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(shown), options);
  // That of another agent is replaced.
  const isOther = ({ input }: vscode.Tab) =>
    input instanceof vscode.TabInputText &&
    sourceOf(input.uri) === shown.query &&
    input.uri.fragment !== shown.fragment;
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  await vscode.window.tabGroups.close(tabs.filter(isOther), true);
}

export class ModelView implements vscode.Disposable {
  private readonly marked = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('msgls.activeCellBackground'),
  });
  private readonly why = vscode.window.createStatusBarItem(
    'msgls.why',
    vscode.StatusBarAlignment.Left,
    -1,
  );
  private readonly marking = new Later(() => this.mark(), CURSOR_MS);
  private readonly subscriptions: vscode.Disposable;
  private asked = 0;

  constructor(private readonly server: Server) {
    this.why.name = vscode.l10n.t('msgls: why the model does not see a cell');
    this.subscriptions = vscode.Disposable.from(
      this.marked,
      this.why,
      this.marking,
      vscode.commands.registerCommand('msgls.view.chooseAgent', () => this.chooseAgent()),
      vscode.window.onDidChangeTextEditorSelection((event) => this.moved(event)),
      vscode.window.onDidChangeVisibleTextEditors(() => this.marking.soon()),
      vscode.window.onDidChangeActiveTextEditor(() => this.marking.soon()),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        // What is shown has caught up with what was typed.
        if (document.uri.scheme === SCHEME) {
          this.marking.soon();
        }
      }),
    );
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  private async chooseAgent(): Promise<void> {
    const uri = activeSource();
    const asked = uri && (await filledIn(this.server, 'msgls.view.chooseAgent', { uri }));
    if (asked) {
      await showView(vscode.Uri.parse(uri), (asked.agent as string | null) ?? undefined);
    }
  }

  // -- places, both ways --------------------------------------------------------------------

  private moved({ textEditor, kind }: vscode.TextEditorSelectionChangeEvent): void {
    const source = sourceOf(textEditor.document.uri);
    if (source === undefined) {
      this.marking.soon();
    } else if (kind !== undefined && textEditor === vscode.window.activeTextEditor) {
      // The user went there, with a key or the mouse: what a new text moves has no kind.
      void this.goToSource(source, textEditor);
    }
  }

  /** Marks the message of the cursor in the view of the active document. */
  private async mark(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (editor !== undefined && sourceOf(editor.document.uri) !== undefined) {
      return;
    }
    const source = editor && isOurs(editor.document) ? editor.document.uri.toString() : '';
    const view = viewOf(source);
    if (editor === undefined || view === undefined) {
      this.why.hide();
      return;
    }
    const at = await this.markIn(view, source, editor.selection.active);
    if (at) {
      reveal(view, at);
    }
  }

  /** Marks the message that a place of the file belongs to; where the place is in the view. */
  private async markIn(
    view: vscode.TextEditor,
    source: string,
    place: vscode.Position,
  ): Promise<vscode.Position | undefined> {
    const found = await this.ask('msgls/viewOf', source, place);
    if (found !== undefined) {
      this.say(found);
      view.setDecorations(this.marked, found.range ? [found.range] : []);
    }
    return found?.position;
  }

  /** Why a cell is not seen, or not as it stands. */
  private say({ reason, range }: Place): void {
    if (!reason) {
      this.why.hide();
      return;
    }
    this.why.text =
      range === undefined
        ? `$(eye-closed) ${vscode.l10n.t('The model does not see this: {reason}', { reason })}`
        : `$(eye) ${vscode.l10n.t('The model sees less of this cell: {reason}', { reason })}`;
    this.why.show();
  }

  /** Moves the cursor in the file to what the cursor in its view is on. */
  private async goToSource(source: string, view: vscode.TextEditor): Promise<void> {
    const found = await this.ask('msgls/sourceOf', source, view.selection.active);
    const at = found?.position;
    if (at === undefined) {
      return;
    }
    const isSource = ({ document }: vscode.TextEditor) => document.uri.toString() === source;
    const options = { viewColumn: vscode.ViewColumn.One, preserveFocus: true };
    const editor =
      vscode.window.visibleTextEditors.find(isSource) ??
      (await vscode.window.showTextDocument(vscode.Uri.parse(source), options));
    editor.selection = new vscode.Selection(at, at);
    reveal(editor, at);
    await this.markIn(view, source, at);
  }

  /** Asks for a place; nothing where another was asked for since. */
  private async ask(method: string, uri: string, at: vscode.Position): Promise<Place | undefined> {
    const client = this.server.running;
    this.asked += 1;
    const number = this.asked;
    const position = client?.code2ProtocolConverter.asPosition(at);
    const answer = await this.server.ask<Answer>(method, { uri, agent: agentOf(uri), position });
    if (client === undefined || answer === undefined || number !== this.asked) {
      return undefined;
    }
    const { asPosition, asRange } = client.protocol2CodeConverter;
    return {
      position: asPosition(answer.position) ?? undefined,
      range: asRange(answer.range) ?? undefined,
      reason: answer.reason,
    };
  }
}

function reveal(editor: vscode.TextEditor, at: vscode.Position): void {
  const type = vscode.TextEditorRevealType.InCenterIfOutsideViewport;
  editor.revealRange(new vscode.Range(at, at), type);
}
