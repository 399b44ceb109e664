/**
 * What the model sees: a read-only document beside the file, whose text the server writes and
 * refreshes. The cursor in the file marks its message there, and the cursor there moves the one in
 * the file. A cell that the model does not see says why in the status bar.
 */
import * as vscode from 'vscode';
import type { Position as LspPosition, Range as LspRange } from 'vscode-languageclient/node';
import { filledIn } from './commands';
import { isOurs } from './languages';
import type { Server } from './server';

const SCHEME = 'msgls-view';
const CURSOR_MS = 40;

/** What `msgls/viewOf` and `msgls/sourceOf` answer. */
interface Place {
  readonly position: LspPosition | null;
  readonly range: LspRange | null;
  readonly reason?: string | null;
}

/** The address of a view: the server reads the document from its query and the agent after it. */
function viewAddress(document: vscode.Uri, agent = ''): vscode.Uri {
  const name = document.path.slice(document.path.lastIndexOf('/') + 1);
  const title = `${vscode.l10n.t('What the model sees')} · ${name.replace(/(\.msg)?\.md$/i, '')}`;
  const path = `/${title}.md`;
  return vscode.Uri.from({ scheme: SCHEME, path, query: document.toString(), fragment: agent });
}

/** The document that the active editor is about, be it the document or its view. */
export function activeSource(): string | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document && (isOurs(document) ? document.uri.toString() : sourceOf(document));
}

/** The agent whose view of a document is to be seen; nothing where it is the default one's. */
export function agentOf(source: string): string | undefined {
  return viewOf(source)?.document.uri.fragment || undefined;
}

function sourceOf({ uri }: vscode.TextDocument): string | undefined {
  return uri.scheme === SCHEME ? uri.query : undefined;
}

function viewOf(source: string): vscode.TextEditor | undefined {
  return vscode.window.visibleTextEditors.find(({ document }) => sourceOf(document) === source);
}

/** Shows what the model sees of a document, beside it. */
export async function showView(source: vscode.Uri, agent?: string): Promise<void> {
  const before = viewOf(source.toString());
  const document = await vscode.workspace.openTextDocument(viewAddress(source, agent));
  const viewColumn = before?.viewColumn ?? vscode.ViewColumn.Beside;
  await vscode.window.showTextDocument(document, {
    viewColumn,
    preserveFocus: true,
    preview: false,
  });
  const replaced = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof vscode.TabInputText && isOther(input.uri, document));
  await vscode.window.tabGroups.close(replaced, true);
}

/** Whether an address is that of another agent's view of the same document. */
function isOther(uri: vscode.Uri, { uri: shown }: vscode.TextDocument): boolean {
  return uri.scheme === SCHEME && uri.query === shown.query && uri.fragment !== shown.fragment;
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
  private readonly subscriptions: vscode.Disposable;
  private timer: NodeJS.Timeout | undefined;
  private asked = 0;

  constructor(private readonly server: Server) {
    this.why.name = vscode.l10n.t('msgls: why the model does not see a cell');
    this.subscriptions = vscode.Disposable.from(
      this.marked,
      this.why,
      vscode.commands.registerCommand('msgls.view.chooseAgent', () => this.chooseAgent()),
      vscode.window.onDidChangeTextEditorSelection((event) => this.moved(event)),
      vscode.window.onDidChangeVisibleTextEditors(() => this.markSoon()),
      vscode.window.onDidChangeActiveTextEditor(() => this.markSoon()),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        // What is shown has caught up with what was typed.
        if (document.uri.scheme === SCHEME) {
          this.markSoon();
        }
      }),
    );
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.subscriptions.dispose();
  }

  private async chooseAgent(): Promise<void> {
    const source = activeSource();
    if (source === undefined) {
      return;
    }
    const asked = await filledIn(this.server, 'msgls.view.chooseAgent', { uri: source });
    if (asked !== undefined) {
      await showView(vscode.Uri.parse(source), (asked.agent as string | null) ?? undefined);
    }
  }

  // -- places, both ways --------------------------------------------------------------------

  private moved({ textEditor, kind }: vscode.TextEditorSelectionChangeEvent): void {
    const source = sourceOf(textEditor.document);
    if (source === undefined) {
      this.markSoon();
    } else if (kind !== undefined && textEditor === vscode.window.activeTextEditor) {
      // Somebody went there, with a key or the mouse: what a new text moves has no kind.
      void this.goToSource(source, textEditor);
    }
  }

  private markSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.mark(), CURSOR_MS);
  }

  /** Marks the message of the cursor in the view of the active document. */
  private async mark(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (editor !== undefined && sourceOf(editor.document) !== undefined) {
      return;
    }
    const view = editor && isOurs(editor.document) && viewOf(editor.document.uri.toString());
    if (editor === undefined || !view) {
      this.why.hide();
      return;
    }
    const at = await this.markIn(view, editor.document.uri.toString(), editor.selection.active);
    if (at !== undefined) {
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
    if (found === undefined) {
      return undefined;
    }
    this.say(found);
    view.setDecorations(this.marked, found.range === null ? [] : [asRange(found.range)]);
    return found.position === null ? undefined : asPosition(found.position);
  }

  /** Why a cell is not seen, or not as it stands. */
  private say({ reason, range }: Place): void {
    if (!reason) {
      this.why.hide();
      return;
    }
    this.why.text =
      range === null
        ? `$(eye-closed) ${vscode.l10n.t('The model does not see this: {reason}', { reason })}`
        : `$(eye) ${vscode.l10n.t('The model sees less of this cell: {reason}', { reason })}`;
    this.why.show();
  }

  /** Moves the cursor in the file to what the cursor in its view is on. */
  private async goToSource(source: string, view: vscode.TextEditor): Promise<void> {
    const found = await this.ask('msgls/sourceOf', source, view.selection.active);
    if (!found?.position) {
      return;
    }
    const at = asPosition(found.position);
    const shown = vscode.window.visibleTextEditors;
    const editor =
      shown.find(({ document }) => document.uri.toString() === source) ??
      (await vscode.window.showTextDocument(vscode.Uri.parse(source), {
        viewColumn: vscode.ViewColumn.One,
        preserveFocus: true,
      }));
    editor.selection = new vscode.Selection(at, at);
    reveal(editor, at);
    await this.markIn(view, source, at);
  }

  /** Asks for a place; nothing where another was asked for since. */
  private async ask(method: string, uri: string, at: vscode.Position): Promise<Place | undefined> {
    this.asked += 1;
    const number = this.asked;
    const position = { line: at.line, character: at.character };
    const answer = await this.server.running
      ?.sendRequest<Place>(method, { uri, agent: agentOf(uri), position })
      .catch(() => undefined);
    return number === this.asked ? answer : undefined;
  }
}

function reveal(editor: vscode.TextEditor, at: vscode.Position): void {
  const type = vscode.TextEditorRevealType.InCenterIfOutsideViewport;
  editor.revealRange(new vscode.Range(at, at), type);
}

function asPosition({ line, character }: LspPosition): vscode.Position {
  return new vscode.Position(line, character);
}

function asRange({ start, end }: LspRange): vscode.Range {
  return new vscode.Range(asPosition(start), asPosition(end));
}
