/**
 * Marks in the editor: an icon in the gutter and a bar behind the header of every cell, a thin
 * line between cells, and a bar in the gutter beside the cell of the cursor. Owns what is known of
 * where cells start.
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
  private readonly bar: vscode.TextEditorDecorationType;
  private readonly line: vscode.TextEditorDecorationType;
  private readonly header: vscode.TextEditorDecorationType;
  private readonly entered = new vscode.EventEmitter<vscode.TextDocument>();
  /** The cursor is in another cell than before, or the cells are others. */
  readonly onDidEnterCell = this.entered.event;
  private readonly subscriptions: vscode.Disposable[];

  constructor(context: vscode.ExtensionContext) {
    this.kinds = new Map(KINDS.map((kind) => [kind, kindDecoration(context, kind)]));
    this.active = vscode.window.createTextEditorDecorationType({
      isWholeLine: true,
      backgroundColor: new vscode.ThemeColor('msgls.activeCellBackground'),
    });
    this.bar = gutterDecoration(context, 'active', '100% 100%');
    this.line = vscode.window.createTextEditorDecorationType({
      isWholeLine: true,
      borderColor: new vscode.ThemeColor('msgls.cellLine'),
      borderStyle: 'solid',
      borderWidth: '0 0 1px 0',
    });
    this.header = vscode.window.createTextEditorDecorationType({
      isWholeLine: true,
      backgroundColor: new vscode.ThemeColor('msgls.cellHeaderBackground'),
      fontWeight: '600',
    });
    this.subscriptions = [
      ...this.kinds.values(),
      this.header,
      this.active,
      this.bar,
      this.line,
      this.entered,
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
    const last = cellNumberAt(starts, to);
    const hasIcons = settings.get<boolean>('gutterIcons', true);
    const isActive = editor === vscode.window.activeTextEditor;
    const ends = starts
      .slice(first, last)
      .map((_, index) => this.end(editor, starts, first + index));
    const state = JSON.stringify([number, first, last, hasIcons, isActive, ends]);
    if (this.shown.get(editor) === state) {
      return;
    }
    this.shown.set(editor, state);
    const drawn = starts.slice(first, hasIcons ? last + 1 : first);
    for (const [kind, decoration] of this.kinds) {
      const lines = drawn
        .filter((start) => start.kind === kind)
        .map((start) => new vscode.Range(start.line, 0, start.line, 0));
      editor.setDecorations(decoration, lines);
    }
    editor.setDecorations(
      this.header,
      drawn.map((start) => lineRange(start.line)),
    );
    editor.setDecorations(this.line, ends.map(lineRange));
    const cell = isActive ? cellLines(starts, number, editor.document.lineCount) : undefined;
    const whole = cell && new vscode.Range(cell.first, 0, cell.last, 0);
    editor.setDecorations(this.active, whole ? [whole] : []);
    // Beside the header is its icon.
    const isLong = cell !== undefined && cell.last > cell.first;
    editor.setDecorations(
      this.bar,
      isLong
        ? [editor.document.validateRange(new vscode.Range(cell.first + 1, 0, cell.last, 9e6))]
        : [],
    );
    if (isActive) {
      this.entered.fire(editor.document);
    }
  }

  /** The line below which a cell ends: its last one, or its first where it is folded. */
  private end(editor: vscode.TextEditor, starts: readonly CellStart[], number: number): number {
    const { first = 0, last = 0 } = cellLines(starts, number, editor.document.lineCount) ?? {};
    const [from, to] = seen(editor, 0);
    const isSeen = editor.visibleRanges.some(
      (range) => range.start.line <= last && last <= range.end.line,
    );
    return isSeen || last < from || last > to ? last : first;
  }
}

function lineRange(line: number): vscode.Range {
  return new vscode.Range(line, 0, line, 9e6);
}

function seen(editor: vscode.TextEditor, margin = MARGIN_LINES): [number, number] {
  const first = editor.visibleRanges[0]?.start.line ?? 0;
  const last = editor.visibleRanges[editor.visibleRanges.length - 1]?.end.line ?? first;
  return [first - margin, last + margin];
}

function kindDecoration(
  context: vscode.ExtensionContext,
  kind: CellKind,
): vscode.TextEditorDecorationType {
  return gutterDecoration(context, kind, 'contain', {
    overviewRulerColor: new vscode.ThemeColor(`msgls.cell.${kind}`),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
  });
}

function gutterDecoration(
  context: vscode.ExtensionContext,
  name: string,
  gutterIconSize: string,
  more: vscode.DecorationRenderOptions = {},
): vscode.TextEditorDecorationType {
  const gutterIconPath = (theme: string) =>
    vscode.Uri.joinPath(context.extensionUri, 'icons', 'gutter', `${name}-${theme}.svg`);
  return vscode.window.createTextEditorDecorationType({
    ...more,
    gutterIconSize,
    dark: { gutterIconPath: gutterIconPath('dark') },
    light: { gutterIconPath: gutterIconPath('light') },
  });
}
