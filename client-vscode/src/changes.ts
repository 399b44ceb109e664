/** Changes of a document, as VS Code tells of them. */

/** As much of a change as is looked at. */
export interface Change {
  readonly rangeOffset: number;
  readonly rangeLength: number;
  readonly text: string;
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
export function growth(changes: readonly Change[]): number {
  return changes.reduce((sum, { text, rangeLength }) => sum + text.length - rangeLength, 0);
}
