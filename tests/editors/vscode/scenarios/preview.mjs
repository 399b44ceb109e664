// The preview is the page that `msgls render` writes: speakers, folded calls, what the model does
// not see; it follows the typing, keeps its place, and scrolls in step with the editor.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

import { becomes, previewOf, until } from '../workbench.mjs';

const FILE = 'long.msg.md';
const STILL_MS = 300;
const EDITOR = '.editor-group-container.active .monaco-editor';
const TURNS = Array.from({ length: 30 }, (_, number) => number + 1);
const TEXT = `---
agents:
  guide: {models: [gpt-4o]}
---

${TURNS.map(
  (n) => `# %% Question ${n}[^q${n}]

[^q${n}]: [markdown]

What is ${n}?

# %%% Answer ${n}[^a${n}]

[^a${n}]: [guide]${n === 2 ? ' history=none' : ''}

It is **${n}**.

${'More of it.\n\n'.repeat(3)}`,
).join('')}# %%% Call[^a30.0c0ffee0]

[^a30.0c0ffee0]: [tool] name="look"

<look/>

# %% <img src=x onerror="document.title='alive'">[^evil]

[^evil]: [markdown]

<script>document.title = 'alive'</script>
`;

export default async function ({ step, open, picture }) {
  const workbench = await open({ files: { [FILE]: TEXT }, file: FILE });
  const { page } = workbench;
  let preview;
  /** The message at the top of the page's window, and where it stands. */
  const firstSeen = () =>
    preview.evaluate(() => {
      const seen = [...document.querySelectorAll('article')].find(
        (article) => article.getBoundingClientRect().bottom > 0,
      );
      const { top } = seen.getBoundingClientRect();
      return { title: seen.querySelector('.title')?.textContent, top: Math.round(top) };
    });
  const rows = () => page.locator('.quick-input-list .monaco-list-row');
  /** The title of the message at the top of the editor. */
  const firstEdited = async () => {
    const numbers = await page.$$eval(`${EDITOR} .line-numbers`, (shown) => {
      const { top } = shown[0].closest('.monaco-editor').getBoundingClientRect();
      const isSeen = (number) => number.getBoundingClientRect().top >= top;
      return shown.filter(isSeen).map((number) => Number(number.textContent));
    });
    const above = workbench.saved(FILE).split('\n').slice(0, Math.min(...numbers));
    return /^# %%%? (.*)\[/.exec(above.findLast((line) => line.startsWith('# %%')))[1];
  };
  const shown = async () => [await firstSeen(), (await workbench.shownLines())[0]];
  /** What is shown, once it does not move any more. */
  const still = async () => {
    let before;
    await until('both stand still', async () => {
      const last = before;
      before = await shown();
      await page.waitForTimeout(STILL_MS);
      return isDeepStrictEqual(before, last);
    });
    return before;
  };

  await step('it opens beside the file, with speakers and what is hidden', async () => {
    await workbench.ready();
    await workbench.press('Control+K', 'V');
    preview = await previewOf(page);
    const texts = await preview.locator('article').allInnerTexts();
    assert.equal(texts.length, 61);
    assert.match(texts[1], /^guide Answer 1/);
    assert.match(texts[3], /not sent to the model: history=none/);
    assert.equal(await preview.locator('nav a').count(), 61);
    assert.equal(await preview.locator('details:not([open])').count(), 1);
    await picture('shown');
  });
  await step('nothing of a transcript runs', async () => {
    assert.equal(await preview.locator('main img, main script').count(), 0);
    assert.notEqual(await preview.title(), 'alive');
    const policy = await preview
      .locator('meta[http-equiv="Content-Security-Policy"]')
      .getAttribute('content');
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /unsafe/);
  });
  await step('it has the colours of the theme', async () => {
    const [ours, editors] = [
      await preview.evaluate(() => getComputedStyle(document.body).backgroundColor),
      await page
        .locator('.monaco-editor-background')
        .first()
        .evaluate((element) => getComputedStyle(element).backgroundColor),
    ];
    assert.equal(ours, editors);
  });
  await step('it scrolls with the editor', async () => {
    for (const number of [20, 28, 5]) {
      await workbench.goTo(FILE, `What is ${number}?`);
      await becomes(async () => (await firstSeen()).title === (await firstEdited()), true);
    }
  });
  await step('what is typed shows, and what is read stays in its place', async () => {
    await workbench.goTo(FILE, 'What is 20?');
    await becomes(async () => (await firstSeen()).title === (await firstEdited()), true);
    const before = await still();
    await workbench.type('Indeed: ');
    await preview.getByText('Indeed: What is 20?').waitFor();
    // One might follow the other.
    await page.waitForTimeout(STILL_MS);
    await becomes(shown, before);
    await workbench.save(FILE);
  });
  await step('it stays in its place in a window of another width, too', async () => {
    const before = await still();
    const size = page.viewportSize();
    await page.setViewportSize({ ...size, width: size.width - 300 });
    await becomes(still, before);
    await page.setViewportSize(size);
    await becomes(still, before);
  });
  await step('the editor scrolls with it', async () => {
    await preview.evaluate(() => window.scrollTo(0, 0));
    await becomes(
      async () => (await workbench.shownLines()).some((line) => line.startsWith('# %% Question 1[')),
      true,
    );
  });
  await step('a request is one step away, and what it lacks is a list with places', async () => {
    await workbench.run('msgls: Copy as OpenAI Request');
    await rows().filter({ hasText: 'line ' }).first().waitFor();
    await picture('losses');
    const lost = rows().filter({ hasText: 'line ' }).first();
    const [, line] = /\bline (\d+)/.exec(await lost.innerText());
    await lost.click();
    await workbench.cursorAt(Number(line), 1);
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(JSON.parse(copied).messages.length > 50, true);
  });
  await step('and so is one for Anthropic', async () => {
    await workbench.focusEditor();
    await workbench.run('msgls: Copy as Anthropic Request');
    await rows().first().waitFor();
    await workbench.press('Escape');
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.deepEqual([JSON.parse(copied).messages[0].role, 'system' in JSON.parse(copied)], [
      'user',
      false,
    ]);
  });
  await step('it is exported as a page of its own', async () => {
    await workbench.focusEditor();
    await workbench.run('msgls: Export as HTML…');
    await becomes(
      async () => (await workbench.asked()).endsWith('/long.html'),
      true,
    );
    await workbench.press('Enter');
    await until('the page', () => fs.existsSync(workbench.path('long.html')));
    await becomes(() => workbench.saved('long.html').slice(0, 15).toLowerCase(), '<!doctype html>');
    assert.match(workbench.saved('long.html'), /Indeed: What is 20\?/);
  });
}
