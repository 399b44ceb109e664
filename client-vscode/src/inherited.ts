/** Which settings of one language are to be written for another. Knows nothing of VS Code. */
import { isDeepStrictEqual as isSame } from 'node:util';

/** Settings by name. */
export type Values = Readonly<Record<string, unknown>>;

/**
 * What to write, or to take away (`undefined`), and what has been written by us then.
 *
 * What the user says for the language itself stays, also where that is to have none of it. What
 * we have a default for stays, too: suggestions must not take keys. Only wrapping is taste.
 */
export function inherited(
  source: Values,
  own: Values,
  wrote: Values,
  ours: ReadonlySet<string>,
): { changes: Values; wrote: Values } {
  const changes: Record<string, unknown> = {};
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(source)) {
    if (ours.has(name) && name !== 'editor.wordWrap') {
      continue;
    }
    const isNew = !(name in own) && !(name in wrote);
    const isCopy = name in own && name in wrote && isSame(own[name], wrote[name]);
    if (isNew || (isCopy && !isSame(own[name], value))) {
      changes[name] = value;
    }
    if (isNew || name in wrote) {
      // A copy that somebody changed or took away is remembered as it was: it is theirs now.
      kept[name] = isNew || isCopy ? value : wrote[name];
    }
  }
  for (const name of Object.keys(wrote)) {
    if (!(name in source) && name in own && isSame(own[name], wrote[name])) {
      changes[name] = undefined;
    }
  }
  return { changes, wrote: kept };
}
