/**
 * Cells as an editor marks them: a line where each starts, and its kind. Made of the outline that
 * the server sends. Knows nothing of VS Code.
 */

/** What a cell is. */
export type CellKind = 'message' | 'code' | 'answer' | 'call' | 'result' | 'run';

/** A cell, from its first line to the one before the next cell. */
export interface CellStart {
  readonly line: number;
  readonly kind: CellKind;
}

/** As much of a symbol as is looked at. */
export interface Outlined {
  readonly kind: number;
  readonly range: { readonly start: { readonly line: number } };
  readonly children?: readonly Outlined[];
}

/** The symbol kinds of the outline, numbered as VS Code does: one less than in the protocol. */
const KINDS: ReadonlyMap<number, CellKind> = new Map([
  [7, 'message'],
  [1, 'code'],
  [4, 'answer'],
  [11, 'call'],
  [23, 'result'],
  [12, 'run'],
]);

/** Where cells start, in order. */
export function cellStarts(symbols: readonly Outlined[]): CellStart[] {
  const found: CellStart[] = [];
  const pending = [...symbols].reverse();
  for (let symbol = pending.pop(); symbol !== undefined; symbol = pending.pop()) {
    const kind = KINDS.get(symbol.kind);
    if (kind !== undefined) {
      found.push({ line: symbol.range.start.line, kind });
    }
    for (const child of [...(symbol.children ?? [])].reverse()) {
      pending.push(child);
    }
  }
  return found;
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

/** The cells below an edit move with it, until the server has said where they are. */
export function shifted(
  starts: readonly CellStart[],
  firstLine: number,
  lastLine: number,
  newLines: number,
): readonly CellStart[] {
  const moved = newLines - (lastLine - firstLine);
  if (moved === 0) {
    return starts;
  }
  return starts
    .filter((start) => start.line <= firstLine || start.line >= lastLine)
    .map((start) => (start.line > firstLine ? { ...start, line: start.line + moved } : start));
}
