/** Cells as an editor marks them: a line where each starts, and its kind, as the server gives them. */

/** What a cell is. */
export const KINDS = ['message', 'code', 'answer', 'call', 'result', 'run'] as const;
export type CellKind = (typeof KINDS)[number];

/** A cell, from its first line to the one before the next cell. */
export interface CellStart {
  readonly line: number;
  readonly kind: CellKind;
}

/** The number of the cell that holds a line, or -1. */
export function cellNumberAt(starts: readonly CellStart[], line: number): number {
  return starts.findLastIndex((start) => start.line <= line);
}

/** The first and the last line of a cell. */
export function cellLines(
  starts: readonly CellStart[],
  number: number,
  lineCount: number,
): { first: number; last: number } | undefined {
  const start = starts[number];
  if (start === undefined || start.line >= lineCount) {
    return undefined;
  }
  const next = starts[number + 1]?.line ?? lineCount;
  return { first: start.line, last: Math.max(start.line, Math.min(next, lineCount) - 1) };
}
