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

const KEYS = { '\n': 'Enter', '\t': 'Tab' };

async function pressKey(page, character) {
  if (/^[\n\t -~]$/.test(character)) await page.keyboard.press(KEYS[character] ?? character);
  else await page.keyboard.insertText(character);
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
