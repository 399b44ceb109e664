/**
 * Marks in the editor: an icon and a line in the gutter for every cell, by its kind, and a quiet
 * background for the cell of the cursor. Owns what is known of where cells start.
 *
 * VS Code asks the server for the outline anyway: what comes back is looked at in passing, and
 * only where nobody has asked for it do we ask.
 */
import * as vscode from 'vscode';
import type { Middleware } from 'vscode-languageclient/node';
import {
  type CellKind,
  type CellStart,
  cellLines,
  cellNumberAt,
  cellStarts,
  type Outlined,
  shifted,
} from './cells';
import { isOurs } from './languages';

const KINDS: readonly CellKind[] = ['message', 'code', 'answer', 'call', 'result', 'run'];
const PAUSE_MS = 300;
/** Cells outside of what is seen are marked so far ahead, so that scrolling finds them marked. */
const MARGIN_LINES = 200;

interface Known {
  starts: readonly CellStart[];
  version: number;
}

export class CellMarks implements vscode.Disposable {
  private readonly known = new WeakMap<vscode.TextDocument, Known>();
  private readonly timers = new WeakMap<vscode.TextDocument, NodeJS.Timeout>();
  private readonly shown = new WeakMap<vscode.TextEditor, string>();
  private readonly kinds: ReadonlyMap<CellKind, vscode.TextEditorDecorationType>;
  private readonly active: vscode.TextEditorDecorationType;
  private readonly subscriptions: vscode.Disposable[];

  constructor(context: vscode.ExtensionContext) {
    this.kinds = new Map(KINDS.map((kind) => [kind, kindDecoration(context, kind)]));
    this.active = vscode.window.createTextEditorDecorationType({
      isWholeLine: true,
      backgroundColor: new vscode.ThemeColor('msgls.activeCellBackground'),
      borderColor: new vscode.ThemeColor('msgls.activeCellBorder'),
      borderStyle: 'solid',
      borderWidth: '0 0 0 2px',
    });
    this.subscriptions = [
      ...this.kinds.values(),
      this.active,
      vscode.workspace.onDidChangeTextDocument((event) => this.edited(event)),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.draw(textEditor)),
      vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => this.draw(textEditor)),
      vscode.window.onDidChangeVisibleTextEditors((editors) => editors.forEach(this.drawNew)),
      vscode.window.onDidChangeActiveTextEditor(() => this.redraw()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('msgls.cells')) {
          this.redraw();
        }
      }),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  /** Looks at every outline that passes by. */
  get middleware(): NonNullable<Middleware['provideDocumentSymbols']> {
    return async (document, token, next) => {
      const { version } = document;
      const symbols = await next(document, token);
      if (symbols && !token.isCancellationRequested) {
        this.learn(document, symbols as readonly Outlined[], version);
      }
      return symbols;
    };
  }

  /** Where cells start, asked anew if the document has changed since. */
  async starts(document: vscode.TextDocument): Promise<readonly CellStart[]> {
    if (this.known.get(document)?.version !== document.version) {
      await this.ask(document);
    }
    return this.known.get(document)?.starts ?? [];
  }

  /** The server has come: ask it for what is seen. */
  redraw(): void {
    vscode.window.visibleTextEditors.forEach(this.drawNew);
  }

  private readonly drawNew = (editor: vscode.TextEditor): void => {
    if (!isOurs(editor.document)) {
      return;
    }
    this.shown.delete(editor);
    if (this.known.has(editor.document)) {
      this.draw(editor);
    } else {
      this.askSoon(editor.document);
    }
  };

  private edited({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const known = this.known.get(document);
    if (known === undefined) {
      return;
    }
    for (const { range, text } of contentChanges) {
      const added = text.split(/\r\n|\r|\n/).length - 1;
      known.starts = shifted(known.starts, range.start.line, range.end.line, added);
    }
    this.askSoon(document);
  }

  private askSoon(document: vscode.TextDocument): void {
    clearTimeout(this.timers.get(document));
    const timer = setTimeout(() => {
      // By now VS Code may have asked for its own outline.
      if (!document.isClosed && this.known.get(document)?.version !== document.version) {
        void this.ask(document);
      }
    }, PAUSE_MS);
    this.timers.set(document, timer);
  }

  private async ask(document: vscode.TextDocument): Promise<void> {
    await vscode.commands.executeCommand('vscode.executeDocumentSymbolProvider', document.uri);
  }

  private learn(
    document: vscode.TextDocument,
    symbols: readonly Outlined[],
    version: number,
  ): void {
    this.known.set(document, { starts: cellStarts(symbols), version });
    for (const editor of vscode.window.visibleTextEditors) {
      if (editor.document === document) {
        this.shown.delete(editor);
        this.draw(editor);
      }
    }
  }

  // -- drawing ------------------------------------------------------------------------------

  private draw(editor: vscode.TextEditor): void {
    const starts = this.known.get(editor.document)?.starts;
    if (starts === undefined) {
      return;
    }
    const settings = vscode.workspace.getConfiguration('msgls.cells', editor.document);
    const number = settings.get<boolean>('markActive', true)
      ? cellNumberAt(starts, editor.selection.active.line)
      : -1;
    const [from, to] = seen(editor);
    const first = Math.max(0, cellNumberAt(starts, from));
    const last = settings.get<boolean>('gutterIcons', true) ? cellNumberAt(starts, to) : -1;
    const isActive = editor === vscode.window.activeTextEditor;
    const state = `${number} ${first} ${last} ${isActive}`;
    if (this.shown.get(editor) === state) {
      return;
    }
    this.shown.set(editor, state);
    const drawn = starts.slice(first, last + 1);
    for (const [kind, decoration] of this.kinds) {
      const lines = drawn
        .filter((start) => start.kind === kind)
        .map((start) => lineRange(start.line));
      editor.setDecorations(decoration, lines);
    }
    const cell = isActive ? cellLines(starts, number, editor.document.lineCount) : undefined;
    editor.setDecorations(this.active, cell ? [new vscode.Range(cell.first, 0, cell.last, 0)] : []);
  }
}

function lineRange(line: number): vscode.Range {
  return new vscode.Range(line, 0, line, 0);
}

function seen(editor: vscode.TextEditor): [number, number] {
  const first = editor.visibleRanges[0]?.start.line ?? 0;
  const last = editor.visibleRanges[editor.visibleRanges.length - 1]?.end.line ?? first;
  return [first - MARGIN_LINES, last + MARGIN_LINES];
}

function kindDecoration(
  context: vscode.ExtensionContext,
  kind: CellKind,
): vscode.TextEditorDecorationType {
  const icon = (theme: string) =>
    vscode.Uri.joinPath(context.extensionUri, 'icons', 'gutter', `${kind}-${theme}.svg`);
  return vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    overviewRulerColor: new vscode.ThemeColor(`msgls.cell.${kind}`),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
    gutterIconSize: 'contain',
    dark: { gutterIconPath: icon('dark') },
    light: { gutterIconPath: icon('light') },
  });
}
