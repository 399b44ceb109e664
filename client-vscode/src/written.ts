/** What is written into a document bit by bit, and what stood there before. Knows nothing of VS Code. */
import { type Change, growth } from './changes';

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
    const [last] = fromEnd(changes);
    this.end =
      last === undefined ? this.end : last.rangeOffset + growth(changes) + last.rangeLength;
    for (const { rangeOffset: start, rangeLength, text, old } of fromEnd(changes)) {
      const by = text.length - rangeLength;
      const own = this.pieces.find((it) => it.start <= start && start + rangeLength <= it.end);
      for (const piece of this.pieces) {
        if (piece !== own && piece.start >= start + rangeLength) {
          piece.start += by;
          piece.end += by;
        }
      }
      if (own === undefined) {
        this.pieces.push({ start, end: start + text.length, old });
      } else {
        own.end += by;
      }
    }
  }

  /** Something else has changed it: what that wrote is not ours. */
  follow(changes: readonly Change[]): void {
    this.isTop = false;
    for (const { rangeOffset: start, rangeLength, text } of fromEnd(changes)) {
      const [end, by] = [start + rangeLength, text.length - rangeLength];
      for (const piece of this.pieces) {
        if (end <= piece.start) {
          piece.start += by;
          piece.end += by;
        } else if (start < piece.start) {
          piece.start = start + text.length;
          piece.end = Math.max(piece.start, piece.end + by);
        } else if (end <= piece.end && start < piece.end) {
          piece.end += by;
        } else if (start < piece.end) {
          piece.end = start;
        }
      }
    }
  }

  /** Whether an undo has taken back the last of several runs: then the others remain. */
  isUndoneInPart(changes: readonly Change[]): boolean {
    const isOurs = ({ rangeOffset, rangeLength }: Change) =>
      this.pieces.some((it) => it.start <= rangeOffset && rangeOffset + rangeLength <= it.end);
    return this.runs > 1 && growth(changes) === -this.lastGrowth && changes.every(isOurs);
  }
}
