/**
 * Changes of a document, as VS Code tells of them; and what is written into one bit by bit, with
 * what stood there before. Knows nothing of VS Code.
 */

/** As much of a change as is looked at. */
export interface Change {
  readonly rangeOffset: number;
  readonly rangeLength: number;
  readonly text: string;
}

/** A change of our own, with what it replaces. */
export interface OwnChange extends Change {
  readonly old: string;
}

/** A part of the document that is ours, and what it stands in place of. */
export interface Piece {
  start: number;
  end: number;
  readonly old: string;
}

/** Whether Enter was pressed, and nothing else done. */
export function isEnter(changes: readonly Change[]): boolean {
  const [change] = changes;
  return changes.length === 1 && change?.rangeLength === 0 && /^\r?\n$/.test(change.text);
}

/** Where a place is after changes before or at it; nothing where one goes beyond it. */
export function moved(offset: number, changes: readonly Change[]): number | undefined {
  const isAcross = ({ rangeOffset, rangeLength }: Change) =>
    rangeOffset < offset && offset < rangeOffset + rangeLength;
  const before = changes.filter((it) => it.rangeOffset + it.rangeLength <= offset);
  return changes.some(isAcross) ? undefined : offset + growth(before);
}

/** How much longer a document is after changes. */
function growth(changes: readonly Change[]): number {
  return changes.reduce((sum, { text, rangeLength }) => sum + text.length - rangeLength, 0);
}

/**
 * Changes of a document come together and from its end, each with its place before all of them:
 * taken one by one in that order, the places are right.
 */
function fromEnd<T extends Change>(changes: readonly T[]): T[] {
  return [...changes].sort((a, b) => b.rangeOffset - a.rangeOffset);
}

/** All that was written under one name. */
export class Written {
  readonly pieces: Piece[] = [];
  /** Where the last change ended. */
  end = 0;
  /** Whether nothing else has changed the document since. */
  isTop = false;
  /** How often something has: what is written at a stretch is one step of undo. */
  private runs = 0;
  private lastGrowth = 0;

  /** We have changed the document. */
  write(changes: readonly OwnChange[]): void {
    if (!this.isTop) {
      this.runs += 1;
      this.lastGrowth = 0;
    }
    this.isTop = true;
    this.lastGrowth += growth(changes);
    const sorted = fromEnd(changes);
    const [last] = sorted;
    this.end = last ? last.rangeOffset + growth(changes) + last.rangeLength : this.end;
    for (const change of sorted) {
      const own = this.pieces.find((piece) => isIn(piece, change));
      this.move(change, own);
      if (own === undefined) {
        const { rangeOffset: start, text, old } = change;
        this.pieces.push({ start, end: start + text.length, old });
      }
    }
  }

  /** Something else has changed it: what that wrote is not ours. */
  follow(changes: readonly Change[]): void {
    this.isTop = false;
    for (const change of fromEnd(changes)) {
      this.move(change);
    }
  }

  private move({ rangeOffset: start, rangeLength, text }: Change, own?: Piece): void {
    const [end, by] = [start + rangeLength, text.length - rangeLength];
    for (const piece of this.pieces) {
      if (piece === own) {
        piece.end += by;
      } else if (end <= piece.start) {
        piece.start += by;
        piece.end += by;
      } else if (start < piece.start) {
        piece.start = start + text.length;
        piece.end = Math.max(piece.start, piece.end + by);
      } else if (start < piece.end) {
        piece.end = end <= piece.end ? piece.end + by : start;
      }
    }
  }

  /** Whether an undo has taken back the last of several runs: then the others remain. */
  isUndoneInPart(changes: readonly Change[]): boolean {
    const isOurs = (change: Change) => this.pieces.some((piece) => isIn(piece, change));
    return this.runs > 1 && growth(changes) === -this.lastGrowth && changes.every(isOurs);
  }
}

function isIn({ start, end }: Piece, { rangeOffset, rangeLength }: Change): boolean {
  return start <= rangeOffset && rangeOffset + rangeLength <= end;
}
