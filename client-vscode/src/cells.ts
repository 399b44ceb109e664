/**
 * Cells as an editor marks them: a line where each starts, and its kind, as the server tells them.
 * Knows nothing of VS Code.
 */

/** What a cell is. */
export type CellKind = 'message' | 'code' | 'answer' | 'call' | 'result' | 'run';

/** A cell, from its first line to the one before the next cell. */
export interface CellStart {
  readonly line: number;
  readonly kind: CellKind;
}

/** The number of the cell that holds a line, or -1. */
export function cellNumberAt(starts: readonly CellStart[], line: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle]?.line ?? 0) <= line) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low - 1;
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
