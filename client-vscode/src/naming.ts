/**
 * The names of new files: what is suggested, and what a typed name becomes, so that the file is
 * still ours when it is opened again.
 */

const TITLE = /^#{1,5}[ \t]+%%%?(?!%)[ \t]*(.*?)[ \t]*(?:\[\^[^\]]*\])?[ \t]*$/m;
// What Windows does not allow in a name, or what would make a path of it.
const NOT_IN_NAMES = /[\\/:*?"<>|\p{Cc}\s]+/gu;
const DOTS_AROUND = /^[. ]+|[. ]+$/g;
const LONGEST = 60;

/** A name for the file of a conversation, without an ending: the title of its first cell. */
export function suggestedName(text: string): string {
  const title = TITLE.exec(text)?.[1] ?? '';
  const name = [...title.replace(NOT_IN_NAMES, ' ')].slice(0, LONGEST).join('');
  return name.replace(DOTS_AROUND, '') || 'conversation';
}

/**
 * A typed name with an ending that makes the file ours: `trip`, `trip.md` and `trip.msg` are
 * `trip.msg.md`. The first of the endings is the one that is added.
 */
export function withEnding(name: string, endings: readonly string[]): string {
  const [first] = endings;
  if (first === undefined || endings.some((ending) => name.toLowerCase().endsWith(ending))) {
    return name;
  }
  const parts = first.split('.').slice(1).join('|');
  return name.replace(new RegExp(`(?<=.)\\.(${parts})$`, 'i'), '') + first;
}
