/**
 * What the server writes into a document bit by bit, such as an answer: the status bar shows how far
 * it is and stops it, the cell that is being written is marked, and undo takes back all of it in
 * one step. Neither the cursor nor the scroll position is touched.
 */
import * as vscode from 'vscode';
import type { ApplyWorkspaceEditParams, Middleware, TextEdit } from 'vscode-languageclient/node';
import { gutterDecoration } from './decorations';
import type { Server } from './server';
import { rangeOf } from './view';
import { type Change, type OwnChange, Written } from './written';

const TOKEN = /^msgls-live-/;
const STOP = 'msgls.live.stop';
const NEVER = new vscode.CancellationTokenSource().token;

/** What the server adds to such an edit. */
interface LiveParams extends ApplyWorkspaceEditParams {
  readonly live?: {
    /** That of the progress which shows how far it is. */
    readonly token: string;
    /** Where the cell begins that is being written. */
    readonly line: number;
  };
}

type ApplyEdit = NonNullable<NonNullable<Middleware['workspace']>['handleApplyEdit']>;

export class LiveWriter {
  private readonly items = new Map<string, vscode.StatusBarItem>();
  private readonly written = new WeakMap<vscode.TextDocument, { token: string } & Written>();
  /** What is being written, until the event of its change comes. */
  private changes: readonly OwnChange[] = [];
  private readonly mark: vscode.TextEditorDecorationType;

  constructor(server: Server) {
    this.mark = gutterDecoration(server.context, 'active', '100% 100%', {
      isWholeLine: true,
      backgroundColor: new vscode.ThemeColor('msgls.liveCellBackground'),
      overviewRulerColor: new vscode.ThemeColor('msgls.liveCellRuler'),
      overviewRulerLane: vscode.OverviewRulerLane.Left,
    });
    server.context.subscriptions.push(
      this.mark,
      { dispose: () => vscode.Disposable.from(...this.items.values()).dispose() },
      vscode.workspace.onDidChangeTextDocument((event) => this.changed(event)),
      vscode.commands.registerCommand(STOP, (token: string) =>
        server.running?.sendNotification('window/workDoneProgress/cancel', { token }),
      ),
    );
  }

  /** `$/progress`: in the status bar, where a click stops it. */
  readonly progress: NonNullable<Middleware['handleWorkDoneProgress']> = (token, params, next) => {
    if (typeof token !== 'string' || !TOKEN.test(token)) {
      return next(token, params);
    }
    const item = this.items.get(token) ?? vscode.window.createStatusBarItem(token);
    if (params.kind === 'end') {
      item.dispose();
      this.items.delete(token);
      for (const editor of vscode.window.visibleTextEditors) {
        if (this.written.get(editor.document)?.token === token) {
          editor.setDecorations(this.mark, []);
        }
      }
      return;
    }
    if (params.kind === 'begin') {
      const title = vscode.l10n.t('Stop');
      this.items.set(token, item);
      item.name = params.title;
      item.tooltip = title;
      item.command = { title, command: STOP, arguments: [token] };
      item.show();
    }
    item.text = `$(sync~spin) ${item.name}${params.message ? `: ${params.message}` : ''}`;
  };

  /** `workspace/applyEdit` */
  readonly apply: ApplyEdit = async (params: LiveParams, next) => {
    const [change] = params.edit.documentChanges ?? [];
    if (params.live === undefined || change === undefined || !('textDocument' in change)) {
      return next(params, NEVER);
    }
    const { uri, version } = change.textDocument;
    const document = vscode.workspace.textDocuments.find((it) => `${it.uri}` === uri);
    if (document === undefined || document.version !== version) {
      return { applied: false };
    }
    const { token, line } = params.live;
    let written = this.written.get(document);
    if (written?.token !== token) {
      written = Object.assign(new Written(), { token });
      this.written.set(document, written);
    }
    const edits = change.edits as TextEdit[];
    this.changes = edits.map(({ range, newText: text }) => {
      const old = document.getText(rangeOf(range));
      const rangeOffset = document.offsetAt(rangeOf(range).start);
      return { rangeOffset, rangeLength: old.length, text, old };
    });
    const editors = vscode.window.visibleTextEditors.filter((it) => it.document === document);
    const [editor] = editors;
    if (editor === undefined) {
      // Only an editor can make one step of undo of several edits.
      written.isTop = false;
      return next(params, NEVER);
    }
    const options = { undoStopBefore: !written.isTop, undoStopAfter: false };
    const applied = await editor.edit((builder) => {
      for (const { range, newText } of edits) {
        builder.replace(rangeOf(range), newText);
      }
    }, options);
    const end = document.positionAt(written.end);
    const last = Math.max(line, end.character === 0 ? end.line - 1 : end.line);
    const cells = this.items.has(token) ? [new vscode.Range(line, 0, last, 0)] : [];
    for (const each of applied ? editors : []) {
      each.setDecorations(this.mark, cells);
    }
    return { applied };
  };

  private changed({ document, contentChanges, reason }: vscode.TextDocumentChangeEvent): void {
    const written = this.written.get(document);
    if (written === undefined || contentChanges.length === 0) {
      return;
    }
    if (isSame(this.changes, contentChanges)) {
      written.write(this.changes);
      this.changes = [];
      return;
    }
    const isUndo = reason === vscode.TextDocumentChangeReason.Undo;
    if (isUndo && written.isUndoneInPart(contentChanges)) {
      this.written.delete(document);
      void takeBack(document, written);
    }
    written.follow(contentChanges);
  }
}

/** Whether these are the same changes, in whatever order. */
function isSame(ours: readonly Change[], told: readonly Change[]): boolean {
  const texts = (changes: readonly Change[]) =>
    changes.map((it) => JSON.stringify([it.rangeOffset, it.rangeLength, it.text])).sort();
  return ours.length === told.length && texts(ours).join() === texts(told).join();
}

/**
 * An undo took the last part of what was written, because the user typed in between: all of it
 * goes, in a step of its own, and what was typed stays.
 */
async function takeBack(document: vscode.TextDocument, { pieces }: Written): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const all = pieces.map((piece) => ({ ...piece }));
  const { version } = document;
  if (editor?.document !== document) {
    return;
  }
  // First as it was: so that nothing is lost to those who want it back.
  await vscode.commands.executeCommand('redo');
  if (document.version === version + 1) {
    await editor.edit((builder) => {
      for (const { start, end, old } of all) {
        const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
        builder.replace(range, old);
      }
    });
  }
}
