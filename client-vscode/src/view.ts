/**
 * What the model sees: a read-only document beside the file, whose text the server writes and
 * refreshes. The cursor in the file marks its message there, and the cursor there moves the one in
 * the file. A cell that the model does not see says why in the status bar.
 */
import * as vscode from 'vscode';
import type { Position, Range, ShowDocumentRequest } from 'vscode-languageclient/node';
import { execute, filledIn } from './commands';
import { lineDecoration } from './decorations';
import { editorOf, isOurs } from './editors';
import type { Server } from './server';
import { Later } from './timing';

const SCHEME = 'msgls-view';
const CURSOR_MS = 40;

/** What `msgls/viewOf` and `msgls/sourceOf` answer. */
interface Place {
  readonly position: Position | null;
  readonly range: Range | null;
  readonly reason?: string | null;
}

/** The document that the active editor is about, be it the document or its view. */
export function activeSource(): string | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document && (isOurs(document) ? `${document.uri}` : sourceOf(document.uri));
}

/** The agent whose view of a document is to be seen; nothing where it is the default one's. */
export function agentOf(source: string): string | undefined {
  return viewOf(source)?.document.uri.fragment || undefined;
}

/** The document that is seen in a view; the server makes the addresses of views. */
function sourceOf({ scheme, query }: vscode.Uri): string | undefined {
  return scheme === SCHEME ? query : undefined;
}

function viewOf(source: string): vscode.TextEditor | undefined {
  return vscode.window.visibleTextEditors.find(({ document }) => sourceOf(document.uri) === source);
}

/** `window/showDocument`: a view stands beside its file, and in place of that of another agent. */
export const showDocument: ShowDocumentRequest.MiddlewareSignature = async (
  params,
  token,
  next,
) => {
  const shown = vscode.Uri.parse(params.uri);
  const source = sourceOf(shown);
  if (source === undefined) {
    return next(params, token);
  }
  const viewColumn = viewOf(source)?.viewColumn ?? vscode.ViewColumn.Beside;
  const options = { viewColumn, preserveFocus: true, preview: false };
  await vscode.window.showTextDocument(shown, options);
  const isOther = ({ input }: vscode.Tab) =>
    input instanceof vscode.TabInputText &&
    sourceOf(input.uri) === source &&
    input.uri.fragment !== shown.fragment;
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  await vscode.window.tabGroups.close(tabs.filter(isOther), true);
  return { success: true };
};

export async function chooseAgent(server: Server): Promise<void> {
  const uri = activeSource();
  const asked = uri && (await filledIn(server, 'msgls.view.chooseAgent', { uri }));
  if (asked) {
    await execute(server, 'msgls.view.show', asked);
  }
}

export class ModelView {
  private readonly marked = lineDecoration('activeCellBackground');
  private readonly why: vscode.StatusBarItem;
  private asked = 0;

  constructor(private readonly server: Server) {
    const { Left } = vscode.StatusBarAlignment;
    this.why = vscode.window.createStatusBarItem('msgls.why', Left, -1);
    this.why.name = vscode.l10n.t('msgls: why the model does not see a cell');
    const marking = new Later(() => this.mark(), CURSOR_MS);
    const markSoon = () => marking.soon();
    server.context.subscriptions.push(
      this.marked,
      this.why,
      marking,
      vscode.window.onDidChangeVisibleTextEditors(markSoon),
      vscode.window.onDidChangeActiveTextEditor(markSoon),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor, kind }) => {
        const source = sourceOf(textEditor.document.uri);
        if (source === undefined) {
          markSoon();
        } else if (kind !== undefined && textEditor === vscode.window.activeTextEditor) {
          // The user went there, with a key or the mouse: what a new text moves has no kind.
          void this.goToSource(source, textEditor);
        }
      }),
      // What is shown has caught up with what was typed.
      vscode.workspace.onDidChangeTextDocument(
        ({ document }) => sourceOf(document.uri) !== undefined && markSoon(),
      ),
    );
  }

  /** Marks the message of the cursor in the view of the active document. */
  private async mark(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (editor !== undefined && sourceOf(editor.document.uri) !== undefined) {
      return;
    }
    const source = activeSource() ?? '';
    const view = viewOf(source);
    if (editor === undefined || view === undefined) {
      this.why.hide();
    } else {
      reveal(view, await this.markIn(view, source, editor.selection.active));
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
      view.setDecorations(this.marked, found.range ? [rangeOf(found.range)] : []);
    }
    return positionOf(found);
  }

  /** Why a cell is not seen, or not as it stands. */
  private say({ reason, range }: Place): void {
    if (!reason) {
      this.why.hide();
      return;
    }
    this.why.text = range
      ? `$(eye) ${vscode.l10n.t('The model sees less of this cell: {reason}', { reason })}`
      : `$(eye-closed) ${vscode.l10n.t('The model does not see this: {reason}', { reason })}`;
    this.why.show();
  }

  /** Moves the cursor in the file to what the cursor in its view is on. */
  private async goToSource(source: string, view: vscode.TextEditor): Promise<void> {
    const at = positionOf(await this.ask('msgls/sourceOf', source, view.selection.active));
    if (at === undefined) {
      return;
    }
    const uri = vscode.Uri.parse(source);
    const options = { viewColumn: vscode.ViewColumn.One, preserveFocus: true };
    const editor = editorOf(source) ?? (await vscode.window.showTextDocument(uri, options));
    editor.selection = new vscode.Selection(at, at);
    reveal(editor, at);
    await this.markIn(view, source, at);
  }

  /** Asks for a place; nothing where another was asked for since. */
  private async ask(
    method: string,
    uri: string,
    position: vscode.Position,
  ): Promise<Place | undefined> {
    this.asked += 1;
    const number = this.asked;
    const found = await this.server.ask<Place>(method, { uri, agent: agentOf(uri), position });
    return number === this.asked ? found : undefined;
  }
}

/** A range as VS Code has it. */
export function rangeOf({ start, end }: Range): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

function positionOf(found: Place | undefined): vscode.Position | undefined {
  const at = found?.position;
  return at ? new vscode.Position(at.line, at.character) : undefined;
}

function reveal(editor: vscode.TextEditor, at: vscode.Position | undefined): void {
  if (at !== undefined) {
    const type = vscode.TextEditorRevealType.InCenterIfOutsideViewport;
    editor.revealRange(new vscode.Range(at, at), type);
  }
}
