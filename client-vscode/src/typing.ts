/** What is typed, read line by line and change by change. Knows nothing of VS Code. */

/** As much of a change as is looked at. */
export interface Change {
  readonly rangeOffset: number;
  readonly rangeLength: number;
  readonly text: string;
}

/** An id, a type or a value that is begun and not closed: nobody types a tab there. */
const BEGUN = /\[\^[^\s[\]^]+$|^\[\^[^\s[\]^]+\]:[ \t]+(\[[^[\]]+|\[[^[\]]+\].*="[^"]+)$/;
const LINE_BREAK = /^\r?\n$/;

/** Whether Enter was pressed, and nothing else done. */
export function isEnter(changes: readonly Change[]): boolean {
  const [change] = changes;
  return changes.length === 1 && change?.rangeLength === 0 && LINE_BREAK.test(change.text);
}

/** Whether the cursor stands in a name that is begun, so that Tab can only mean a suggestion. */
export function isBegunName(before: string): boolean {
  return BEGUN.test(before);
}

/** Where a place is after changes before or at it; nothing where one goes beyond it. */
export function moved(offset: number, changes: readonly Change[]): number | undefined {
  let by = 0;
  for (const { rangeOffset, rangeLength, text } of changes) {
    if (rangeOffset + rangeLength <= offset) {
      by += text.length - rangeLength;
    } else if (rangeOffset < offset) {
      return undefined;
    }
  }
  return offset + by;
}
