/**
 * Marks in the editor: an icon in the gutter and a bar behind the header of every cell, a thin
 * line between cells, and a bar in the gutter beside the cell of the cursor. Owns what is known of
 * where cells start, which the server is asked for a moment after the last key. Until then VS Code
 * moves the marks with the text.
 */
import * as vscode from 'vscode';
import { type CellKind, type CellStart, cellLines, cellNumberAt } from './cells';
import { isOurs } from './languages';
import type { Server } from './server';

const KINDS: readonly CellKind[] = ['message', 'code', 'answer', 'call', 'result', 'run'];
const PAUSE_MS = 300;
/** Whoever writes without a pause sees the marks follow, too. */
const LONGEST_MS = 1_000;
/** Cells outside of what is seen are marked so far ahead, so that scrolling finds them marked. */
const MARGIN_LINES = 200;

/** What `msgls/cells` answers. */
interface Known {
  readonly version: number;
  readonly cells: readonly CellStart[];
}

export class CellMarks implements vscode.Disposable {
  private readonly known = new WeakMap<vscode.TextDocument, Known>();
  private readonly timers = new WeakMap<vscode.TextDocument, NodeJS.Timeout>();
  /** When the first change was that has not been asked about. */
  private readonly since = new WeakMap<vscode.TextDocument, number>();
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

  constructor(
    context: vscode.ExtensionContext,
    private readonly server: Server,
  ) {
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
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.askSoon(document)),
      server.onDidChange(({ state }) => state === 'running' && this.redraw()),
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

  /** Where cells start, asked anew if the document has changed since. */
  async starts(document: vscode.TextDocument): Promise<readonly CellStart[]> {
    if (this.known.get(document)?.version !== document.version) {
      await this.ask(document);
    }
    return this.known.get(document)?.cells ?? [];
  }

  private redraw(): void {
    vscode.window.visibleTextEditors.forEach(this.drawNew);
  }

  private readonly drawNew = (editor: vscode.TextEditor): void => {
    if (!isOurs(editor.document)) {
      return;
    }
    this.shown.delete(editor);
    this.draw(editor);
    this.askSoon(editor.document);
  };

  private askSoon(document: vscode.TextDocument): void {
    if (isOurs(document)) {
      const since = this.since.get(document) ?? Date.now();
      this.since.set(document, since);
      clearTimeout(this.timers.get(document));
      const pause = Math.min(PAUSE_MS, since + LONGEST_MS - Date.now());
      this.timers.set(
        document,
        setTimeout(() => this.ask(document), pause),
      );
    }
  }

  private async ask(document: vscode.TextDocument): Promise<void> {
    this.since.delete(document);
    const about = { uri: document.uri.toString() };
    const known = await this.server.running
      ?.sendRequest<Known>('msgls/cells', about)
      .catch(() => undefined);
    if (known === undefined || known.version !== document.version) {
      return;
    }
    this.known.set(document, known);
    for (const editor of vscode.window.visibleTextEditors) {
      if (editor.document === document) {
        this.shown.delete(editor);
        this.draw(editor);
      }
    }
  }

  // -- drawing ------------------------------------------------------------------------------

  private draw(editor: vscode.TextEditor): void {
    const known = this.known.get(editor.document);
    if (known?.version !== editor.document.version) {
      return;
    }
    const starts = known.cells;
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

/** An icon beside lines, as large as it says, and whatever else marks them. */
export function gutterDecoration(
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
