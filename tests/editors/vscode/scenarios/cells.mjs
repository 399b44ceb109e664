// The page is calm: one quiet lens for each cell, what can be done above the cell of the cursor
// alone, a few actions behind Ctrl+. and the others in a menu; keys that go from cell to cell.

import assert from 'node:assert/strict';

import { becomes } from '../workbench.mjs';

const FILE = 'calm.msg.md';
const TEXT = `---
agents:
  guide: {models: [gpt-4o]}
---

# %% Question[^q1]

[^q1]: [markdown]

## A heading of the content

Where do we go?

# %%% Answer[^a1]

[^a1]: [guide] history=none

There.
`;
const EDITOR = '.editor-group-container.active .monaco-editor';

export default async function ({ step, open, picture }) {
  const workbench = await open({ files: { [FILE]: TEXT }, file: FILE });
  const { page } = workbench;
  const lenses = async () => {
    const found = await page.$$eval(`${EDITOR} .codelens-decoration`, (shown) =>
      shown.map((lens) => [lens.getBoundingClientRect().top, lens.textContent]),
    );
    return found.sort(([a], [b]) => a - b).map(([, text]) => text.replaceAll('\u00a0', ' '));
  };

  await step('every cell has one quiet lens, and the last message one that asks', async () => {
    await workbench.ready();
    await becomes(lenses, ['≈ 11 tokens | Ask guide again', '≈ 2 tokens · excluded']);
  });
  await step('the cell of the cursor has its actions beside it, and no other', async () => {
    await workbench.goTo(FILE, 'There.');
    await becomes(lenses, [
      '≈ 11 tokens | Ask guide again',
      '≈ 2 tokens · excluded | Add call | Insert below | Include | Cell…',
    ]);
    await picture('answer');
    await workbench.goTo(FILE, 'Where');
    await becomes(lenses, [
      '≈ 11 tokens | Ask guide again | Insert below | Exclude | Cell…',
      '≈ 2 tokens · excluded',
    ]);
  });
  await step('a title does not look like a heading of the content', async () => {
    const colour = (text) =>
      page
        .locator(`${EDITOR} .view-line span[class^="mtk"]`, { hasText: text })
        .last()
        .evaluate((span) => getComputedStyle(span).color);
    assert.notEqual(await colour('Question'), await colour('A heading of the content'));
  });
  await step('a thin line stands between two cells', async () => {
    const borders = await page.$$eval(`${EDITOR} .view-overlays .cdr`, (drawn) =>
      drawn.map((mark) => getComputedStyle(mark).borderBottomWidth).filter((it) => it !== '0px'),
    );
    assert.deepEqual(borders, ['1px']);
  });
  await step('a bar stands beside the cell of the cursor, and not on its text', async () => {
    const lines = await page.$$eval(`${EDITOR} .glyph-margin-widgets .cgmr`, (marks) =>
      marks.map((mark) => getComputedStyle(mark).backgroundImage.includes('active-')),
    );
    // The other lines of the cell; its header and that of the other cell have their icons.
    assert.deepEqual([lines.filter(Boolean).length, lines.filter((is) => !is).length], [7, 2]);
  });
  await step('Ctrl+. shows five actions, and a menu with the others', async () => {
    await workbench.openActions('Ask guide again');
    const rows = page.locator('.action-widget .monaco-list-row.action');
    await becomes(() => rows.allInnerTexts(), [
      'Ask guide again',
      'Insert message cell below',
      'Insert output cell below',
      'Exclude cell from history',
      'Split cell',
      'Cell…',
    ]);
    await picture('actions');
    await workbench.press(...Array(5).fill('ArrowDown'), 'Enter');
    await workbench.choose('Duplicate cell');
    await becomes(() => workbench.shownLines().then((lines) => lines.filter((l) => /^# %%/.test(l))), [
      '# %% Question[^q1]',
      '# %% Question[^q2]',
      '# %%% Answer[^a1]',
    ]);
    await workbench.press('Control+Z');
  });
  await step('Shift+Enter goes to the next cell, and adds one at the end', async () => {
    await workbench.goTo(FILE, 'Where');
    await workbench.press('Shift+Enter');
    await workbench.cursorAt(14, 7);
    await workbench.press('Shift+Enter');
    await workbench.cursorAt(24, 1);
    await workbench.type('Then');
    await workbench.save(FILE);
    assert.equal(workbench.saved(FILE), `${TEXT}\n# %% [^q2]\n\n[^q2]: [markdown]\n\nThen\n`);
  });
}
