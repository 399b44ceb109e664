// The colours in an editor, and how well they are told from what is behind them.

/** The pieces of text in the editor, each with its colour. */
export async function wordsOf(page) {
  const { words } = await look(page);
  return words.map(([colour, text]) => [text.replaceAll('\u00a0', ' ').trim(), colour]);
}

/** The colours of the words in the editor, with a word of each and how it stands out. */
export async function coloursOf(page) {
  const { background, words } = await look(page);
  return [...new Map(words)].map(([colour, word]) => ({
    colour,
    word,
    contrast: contrast(colour, background),
  }));
}

function look(page) {
  return page.evaluate(() => {
    const editor = document.querySelector('.editor-group-container.active .monaco-editor');
    const spans = [...editor.querySelectorAll('.view-line span[class^="mtk"]')];
    // A header has the class of its mark, too. Hints have others; their colour is VS Code's own,
    // and is to be faint.
    const shown = spans.filter(
      (span) => span.textContent.trim() && /^((mtk|ced-)[\w-]* ?)+$/.test(span.className),
    );
    return {
      background: getComputedStyle(editor.querySelector('.monaco-editor-background'))
        .backgroundColor,
      words: shown.map((span) => [getComputedStyle(span).color, span.textContent]),
    };
  });
}

/** How well one colour is told from another, from 1 to 21, as WCAG 2 measures it. */
function contrast(...colours) {
  const [dark, light] = colours.map(luminance).sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour) {
  const channels = colour
    .match(/[\d.]+/g)
    .slice(0, 3)
    .map((value) => value / 255);
  const [red, green, blue] = channels.map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
