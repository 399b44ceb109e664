/**
 * The names of new files: what is suggested, and what a typed name becomes, so that the file is
 * still ours when it is opened again. Knows nothing of VS Code.
 */

/** The endings that make a file ours, by language; the first is the one that is added. */
export const ENDINGS: Readonly<Record<string, readonly string[]>> = {
  msgmd: ['.msg.md'],
  stf: ['.stf'],
  msgjson: ['.messages.json', '.messages.jsonl', '.deltas.jsonl', '.session.jsonl'],
};

const TITLE = /^#{1,5}[ \t]+%%%?(?!%)[ \t]*(.*?)[ \t]*(?:\[\^[^\]]*\])?[ \t]*$/m;
// What Windows does not allow in a name, or what would make a path of it.
const NOT_IN_NAMES = /[\\/:*?"<>|\p{Cc}\s]+/gu;
const DOTS_AROUND = /^[. ]+|[. ]+$/g;
const LONGEST = 60;

/** A file's name for a conversation: the title of its first cell. */
export function suggestedName(text: string, language: string): string {
  const title = TITLE.exec(text)?.[1] ?? '';
  const name = [...title.replace(NOT_IN_NAMES, ' ')].slice(0, LONGEST).join('');
  return withEnding(name.replace(DOTS_AROUND, '') || 'conversation', language);
}

/** A typed name with its language's ending: `trip`, `trip.md` and `trip.msg` are `trip.msg.md`. */
export function withEnding(name: string, language: string): string {
  const endings = ENDINGS[language] ?? [];
  const lower = name.toLowerCase();
  if (endings.length === 0 || endings.some((ending) => lower.endsWith(ending))) {
    return name;
  }
  const [first = ''] = endings;
  const dots = [...first.matchAll(/\./g)].map(({ index }) => index);
  const parts = [...dots.map((dot) => first.slice(dot)), ...dots.map((dot) => first.slice(0, dot))];
  const part = parts.find((piece) => piece && lower.endsWith(piece) && lower !== piece) ?? '';
  return name.slice(0, name.length - part.length) + first;
}
