// A person at the keyboard: real keys, one by one, at the pace that is asked for; Chinese through
// the events of an input method.

const COMPOSED = /^[\u3000-\u9fff\uff00-\uffef]+/;
const MOST_COMPOSED = 3;

/** Types a text, a key every so many milliseconds. `before` is called ahead of each key. */
export async function typeKeys(page, text, everyMs, before = () => {}) {
  const session = await page.context().newCDPSession(page);
  let rest = text;
  let due = Date.now();
  const pace = async () => {
    due = Math.max(due + everyMs, Date.now());
    await new Promise((resolve) => setTimeout(resolve, due - Date.now()));
  };
  while (rest) {
    await before(text.length - rest.length);
    const composed = COMPOSED.exec(rest)?.[0].slice(0, MOST_COMPOSED);
    const piece = composed ?? String.fromCodePoint(rest.codePointAt(0));
    if (composed) await compose(session, composed, pace);
    else await pressKey(page, piece);
    await pace();
    rest = rest.slice(piece.length);
  }
  await session.detach();
}

async function pressKey(page, character) {
  const key = { '\n': 'Enter', '\t': 'Tab' }[character] ?? character;
  if (key.length > 1 || (key >= ' ' && key <= '~')) await page.keyboard.press(key);
  else await page.keyboard.insertText(key);
}

/** What an input method sends: letters that are underlined, and then what they stand for. */
async function compose(session, text, pace) {
  const letters = 'nihao'.slice(0, 1 + text.length);
  for (let length = 1; length <= letters.length; length += 1) {
    await session.send('Input.imeSetComposition', {
      text: letters.slice(0, length),
      selectionStart: length,
      selectionEnd: length,
    });
    await pace();
  }
  await session.send('Input.insertText', { text });
}

/** A text without what an editor may add by itself: indentation inside fences. */
export function withoutIndentation(text) {
  let fence = '';
  return text
    .split('\n')
    .map((line) => {
      const mark = /^\\?(`{3}|~{3})/.exec(line.trimStart())?.[1] ?? '';
      if (fence && mark === fence) fence = '';
      else if (!fence) fence = mark;
      else return line.trimStart();
      return mark ? line.trimStart() : line;
    })
    .join('\n');
}
