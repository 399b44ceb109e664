/** Cells as an editor marks them, as the server gives them. */

/** What a cell is. */
export const KINDS = ['message', 'code', 'answer', 'call', 'result', 'run'] as const;
export type CellKind = (typeof KINDS)[number];

/** What `msgls/cells` answers: where every cell starts, in one version of a document. */
export interface Told {
  readonly version: number;
  readonly cells: readonly { readonly line: number; readonly kind: CellKind }[];
}

/** A cell, from its first line to the one before the next cell. */
export interface Cell {
  readonly kind: CellKind;
  readonly first: number;
  readonly last: number;
}

/** The cells of a document with so many lines. */
export function cellsOf({ cells }: Told, lineCount: number): Cell[] {
  return cells.map(({ line, kind }, number) => {
    const next = cells[number + 1]?.line ?? lineCount;
    return { kind, first: line, last: Math.max(line, next - 1) };
  });
}

/** The cell that holds a line. */
export function cellAt(cells: readonly Cell[], line: number): Cell | undefined {
  return cells.findLast(({ first }) => first <= line);
}
