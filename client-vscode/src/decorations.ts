/**
 * Marks in the editor: an icon in the gutter and a background for the header of every cell, a thin
 * line between cells, and a bar in the gutter beside the cell of the cursor. Owns what is known of
 * where cells start, which the server is asked for a moment after the last key. Until then VS Code
 * moves the marks with the text.
 */
import * as vscode from 'vscode';
import { type Cell, type CellKind, cellAt, cellsOf, KINDS, type Told } from './cells';
import { isOurs } from './editors';
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

type Decoration = vscode.TextEditorDecorationType;

export class CellMarks {
  /** The cells of documents, in one version of each. */
  private readonly known = new WeakMap<vscode.TextDocument, { version: number; cells: Cell[] }>();
  private readonly shown = new WeakMap<vscode.TextEditor, string>();
  private readonly asking = new Later(
    (document: vscode.TextDocument) => this.ask(document),
    PAUSE_MS,
    LONGEST_MS,
  );
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

  constructor(private readonly server: Server) {
    const { context } = server;
    const redraw = () => this.redraw();
    const icon = (kind: CellKind) =>
      gutterDecoration(context, kind, 'contain', {
        overviewRulerColor: colour(`cell.${kind}`),
        overviewRulerLane: vscode.OverviewRulerLane.Left,
        rangeBehavior: KEEPS_TO_ITS_LINE,
      });
    this.kinds = new Map(KINDS.map((kind) => [kind, icon(kind)]));
    this.bar = gutterDecoration(context, 'active', '100% 100%');
    this.decorations = [...this.kinds.values(), this.header, this.active, this.bar, this.line];
    context.subscriptions.push(
      ...this.decorations,
      this.entered,
      this.asking,
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.askSoon(document)),
      // A change of its language opens a file that is shown already.
      vscode.workspace.onDidOpenTextDocument(redraw),
      server.onDidChange(({ state }) => state === 'running' && redraw()),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.draw(textEditor)),
      vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => this.draw(textEditor)),
      vscode.window.onDidChangeVisibleTextEditors(redraw),
      vscode.window.onDidChangeActiveTextEditor(redraw),
      vscode.workspace.onDidChangeConfiguration(
        (event) => event.affectsConfiguration('msgls.cells') && redraw(),
      ),
    );
  }

  /** The cell of a line, asked for again if the document has changed since. */
  async cellAt(document: vscode.TextDocument, line: number): Promise<Cell | undefined> {
    if (this.known.get(document)?.version !== document.version) {
      await this.ask(document);
    }
    return cellAt(this.known.get(document)?.cells ?? [], line);
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
      this.asking.soon(document);
    }
  }

  private async ask(document: vscode.TextDocument): Promise<void> {
    const told = await this.server.ask<Told>('msgls/cells', { uri: `${document.uri}` });
    if (told?.version === document.version) {
      const cells = cellsOf(told, document.lineCount);
      this.known.set(document, { version: told.version, cells });
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
    const isActive = editor === vscode.window.activeTextEditor;
    const current = isActive ? cellAt(known.cells, selection.active.line) : undefined;
    const marks = this.marks(editor, known.cells, current);
    const state = JSON.stringify([current, isActive, ...marks.values()]);
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
    cells: readonly Cell[],
    current: Cell | undefined,
  ): Map<Decoration, vscode.Range[]> {
    const { languageId } = editor.document;
    const settings = vscode.workspace.getConfiguration('msgls.cells', editor.document);
    const [from, to] = seen(editor, MARGIN_LINES);
    const near = cells.filter(({ first, last }) => first <= to && from <= last);
    const drawn = settings.get<boolean>('gutterIcons', true) ? near : [];
    const headers = WITH_HEADERS.includes(languageId) ? drawn : [];
    // A file that is one message needs no mark of where the cursor is.
    const isMarked = settings.get('markActive', true) && languageId !== 'chatbuilder';
    const whole = isMarked && current && new vscode.Range(current.first, 0, current.last, 9e6);
    // Beside the header is its icon.
    const below = whole && !whole.isSingleLine && whole.with(whole.start.translate(1));
    const start = ({ first }: Cell) => new vscode.Range(first, 0, first, 0);
    return new Map([
      ...[...this.kinds].map(([kind, decoration]) => {
        const ofKind = drawn.filter((cell) => cell.kind === kind);
        return [decoration, ofKind.map(start)] as const;
      }),
      [this.header, headers.map(({ first }) => lineRange(first))],
      [this.line, near.slice(0, -1).map((cell) => lineRange(endOf(editor, cell)))],
      [this.active, whole ? [whole] : []],
      [this.bar, below ? [editor.document.validateRange(below)] : []],
    ]);
  }
}

/** The line below which a cell ends: its last one, or its first where it is folded. */
function endOf(editor: vscode.TextEditor, { first, last }: Cell): number {
  const [from, to] = seen(editor);
  const isSeen = editor.visibleRanges.some(
    ({ start, end }) => start.line <= last && last <= end.line,
  );
  return isSeen || last < from || last > to ? last : first;
}

function lineRange(line: number): vscode.Range {
  return new vscode.Range(line, 0, line, 9e6);
}

function seen({ visibleRanges }: vscode.TextEditor, margin = 0): [number, number] {
  const first = visibleRanges[0]?.start.line ?? 0;
  return [first - margin, (visibleRanges.at(-1)?.end.line ?? first) + margin];
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
  const icon = (theme: string) => {
    const file = `icons/gutter/${name}-${theme}.svg`;
    return { gutterIconPath: vscode.Uri.joinPath(context.extensionUri, file) };
  };
  const themes = { dark: icon('dark'), light: icon('light') };
  return vscode.window.createTextEditorDecorationType({ ...more, gutterIconSize, ...themes });
}
