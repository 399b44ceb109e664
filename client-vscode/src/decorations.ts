/**
 * Marks in the editor: an icon in the gutter and a background for the header of every cell, a thin
 * line between cells, and a bar in the gutter beside the cell of the cursor. Owns what is known of
 * where cells start, which the server is asked for a moment after the last key. Until then VS Code
 * moves the marks with the text.
 */
import * as vscode from 'vscode';
import { type CellKind, type CellStart, cellLines, cellNumberAt, KINDS } from './cells';
import { isOurs } from './languages';
import type { Server } from './server';
import { Later } from './timing';

// What comes before a header, such as the output of a run, does not look like one until we mark it.
const KEEPS_TO_ITS_LINE = vscode.DecorationRangeBehavior.ClosedOpen;
const PAUSE_MS = 300;
/** The marks follow also while the user types without a pause. */
const LONGEST_MS = 1_000;
/** Cells outside of what is seen are marked so far ahead, so that scrolling finds them marked. */
const MARGIN_LINES = 200;
/** In the others, the line that starts a cell is no header: it may well be all of the cell. */
const WITH_HEADERS = ['msgmd', 'stf'];

/** What `msgls/cells` answers. */
interface Known {
  readonly version: number;
  readonly cells: readonly CellStart[];
}

type Decoration = vscode.TextEditorDecorationType;

export class CellMarks implements vscode.Disposable {
  private readonly known = new WeakMap<vscode.TextDocument, Known>();
  private readonly asking = new WeakMap<vscode.TextDocument, Later>();
  private readonly shown = new WeakMap<vscode.TextEditor, string>();
  private readonly kinds: ReadonlyMap<CellKind, Decoration>;
  private readonly header = lineDecoration('cellHeaderBackground', {
    fontWeight: '600',
    rangeBehavior: KEEPS_TO_ITS_LINE,
  });
  private readonly line = lineDecoration(undefined, {
    borderColor: colour('cellLine'),
    borderStyle: 'solid',
    borderWidth: '0 0 1px 0',
  });
  private readonly active = lineDecoration('activeCellBackground');
  private readonly bar: Decoration;
  private readonly decorations: readonly Decoration[];
  private readonly entered = new vscode.EventEmitter<vscode.TextDocument>();
  /** The cursor is in another cell than before, or the cells are others. */
  readonly onDidEnterCell = this.entered.event;
  private readonly subscriptions: vscode.Disposable;

  constructor(
    context: vscode.ExtensionContext,
    private readonly server: Server,
  ) {
    const icon = (kind: CellKind) =>
      gutterDecoration(context, kind, 'contain', {
        overviewRulerColor: colour(`cell.${kind}`),
        overviewRulerLane: vscode.OverviewRulerLane.Left,
        rangeBehavior: KEEPS_TO_ITS_LINE,
      });
    this.kinds = new Map(KINDS.map((kind) => [kind, icon(kind)]));
    this.bar = gutterDecoration(context, 'active', '100% 100%');
    this.decorations = [...this.kinds.values(), this.header, this.active, this.bar, this.line];
    this.subscriptions = vscode.Disposable.from(
      ...this.decorations,
      this.entered,
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.askSoon(document)),
      // A change of its language opens a file that is shown already.
      vscode.workspace.onDidOpenTextDocument(() => this.redraw()),
      server.onDidChange(({ state }) => state === 'running' && this.redraw()),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.draw(textEditor)),
      vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => this.draw(textEditor)),
      vscode.window.onDidChangeVisibleTextEditors(() => this.redraw()),
      vscode.window.onDidChangeActiveTextEditor(() => this.redraw()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('msgls.cells')) {
          this.redraw();
        }
      }),
    );
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  /** Where cells start, asked again if the document has changed since. */
  async starts(document: vscode.TextDocument): Promise<readonly CellStart[]> {
    if (this.known.get(document)?.version !== document.version) {
      await this.ask(document);
    }
    return this.known.get(document)?.cells ?? [];
  }

  private redraw(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const wasDrawn = this.shown.delete(editor);
      if (isOurs(editor.document)) {
        this.draw(editor);
        this.askSoon(editor.document);
      } else if (wasDrawn) {
        for (const decoration of this.decorations) {
          editor.setDecorations(decoration, []);
        }
      }
    }
  }

  private askSoon(document: vscode.TextDocument): void {
    if (isOurs(document)) {
      const asking = new Later(() => this.ask(document), PAUSE_MS, LONGEST_MS);
      this.asking.set(document, this.asking.get(document) ?? asking);
      this.asking.get(document)?.soon();
    }
  }

  private async ask(document: vscode.TextDocument): Promise<void> {
    const known = await this.server.ask<Known>('msgls/cells', { uri: document.uri.toString() });
    if (known?.version === document.version) {
      this.known.set(document, known);
      for (const editor of vscode.window.visibleTextEditors) {
        if (editor.document === document) {
          this.shown.delete(editor);
          this.draw(editor);
        }
      }
    }
  }

  // -- drawing ------------------------------------------------------------------------------

  private draw(editor: vscode.TextEditor): void {
    const { document, selection } = editor;
    const known = this.known.get(document);
    if (known?.version !== document.version || !isOurs(document)) {
      return;
    }
    const number = cellNumberAt(known.cells, selection.active.line);
    const isActive = editor === vscode.window.activeTextEditor;
    const marks = this.marks(editor, known.cells, isActive ? number : -1);
    const state = JSON.stringify([number, isActive, ...marks.values()]);
    if (this.shown.get(editor) === state) {
      return;
    }
    this.shown.set(editor, state);
    for (const [decoration, ranges] of marks) {
      editor.setDecorations(decoration, ranges);
    }
    if (isActive) {
      this.entered.fire(document);
    }
  }

  /** What is marked in an editor, of the cells that are seen or nearly. */
  private marks(
    editor: vscode.TextEditor,
    cells: readonly CellStart[],
    current: number,
  ): Map<Decoration, vscode.Range[]> {
    const { document } = editor;
    const settings = vscode.workspace.getConfiguration('msgls.cells', document);
    const [from, to] = seen(editor, MARGIN_LINES);
    const first = Math.max(0, cellNumberAt(cells, from));
    const near = cells.slice(first, cellNumberAt(cells, to) + 1);
    const drawn = settings.get<boolean>('gutterIcons', true) ? near : [];
    const marks = new Map<Decoration, vscode.Range[]>();
    for (const [kind, decoration] of this.kinds) {
      const starts = drawn.filter((start) => start.kind === kind);
      marks.set(
        decoration,
        starts.map(({ line }) => new vscode.Range(line, 0, line, 0)),
      );
    }
    const headers = WITH_HEADERS.includes(document.languageId) ? drawn : [];
    const ends = near.slice(0, -1).map((_, index) => endOf(editor, cells, first + index));
    // A file that is one message needs no mark of where the cursor is.
    const isMarked = settings.get('markActive', true) && document.languageId !== 'chatbuilder';
    const cell = isMarked ? cellLines(cells, current, document.lineCount) : undefined;
    const whole = cell && new vscode.Range(cell.first, 0, cell.last, 9e6);
    // Beside the header is its icon.
    const below = whole?.isSingleLine ? undefined : whole?.with(whole.start.translate(1));
    return marks
      .set(
        this.header,
        headers.map(({ line }) => lineRange(line)),
      )
      .set(this.line, ends.map(lineRange))
      .set(this.active, whole ? [whole] : [])
      .set(this.bar, below ? [document.validateRange(below)] : []);
  }
}

/** The line below which a cell ends: its last one, or its first where it is folded. */
function endOf(editor: vscode.TextEditor, cells: readonly CellStart[], number: number): number {
  const { first = 0, last = 0 } = cellLines(cells, number, editor.document.lineCount) ?? {};
  const [from, to] = seen(editor);
  const isSeen = editor.visibleRanges.some(
    ({ start, end }) => start.line <= last && last <= end.line,
  );
  return isSeen || last < from || last > to ? last : first;
}

function lineRange(line: number): vscode.Range {
  return new vscode.Range(line, 0, line, 9e6);
}

function seen(editor: vscode.TextEditor, margin = 0): [number, number] {
  const first = editor.visibleRanges[0]?.start.line ?? 0;
  const last = editor.visibleRanges.at(-1)?.end.line ?? first;
  return [first - margin, last + margin];
}

function colour(name: string): vscode.ThemeColor {
  return new vscode.ThemeColor(`msgls.${name}`);
}

/** A background for whole lines, and whatever else marks them. */
export function lineDecoration(
  background?: string,
  more: vscode.DecorationRenderOptions = {},
): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    ...more,
    ...(background ? { backgroundColor: colour(background) } : {}),
    isWholeLine: true,
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
