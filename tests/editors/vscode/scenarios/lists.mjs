// Lists that open by themselves take no key from who goes on typing; and the one thing that is
// written without being typed, the definition of a new cell, stays out of the way.

import assert from 'node:assert/strict';

import { typeKeys } from '../typing.mjs';
import { becomes, until } from '../workbench.mjs';

const FILE = 'talk.msg.md';
const TALK = '# %% Question[^ask]\n\n[^ask]: [markdown]\n\nWill it rain?\n\n';

// What opens a list, and what is typed on in spite of it.
const TYPED = [
  ['see [^', '\nin'],
  ['# %%', '\n'],
  ['# %%%', ' a\n'],
  ['[^ask]: ', '\n'],
  ['[^ask]: [', 'x]\n'],
  ['[^ask]: [markdown] ', 'r\n'],
  ['[^ask]: [markdown] role=', 'u\n'],
];

export default async function ({ step, open, picture }) {
  const workbench = await open({ files: { [FILE]: TALK }, file: FILE });
  const { page } = workbench;
  const list = page.locator('.suggest-widget.visible .monaco-list-row');
  const focused = page.locator('.suggest-widget.visible .monaco-list-row.focused');
  let wanted = TALK;
  const saves = async (text) => {
    await workbench.save(FILE);
    await becomes(() => workbench.saved(FILE), text);
    wanted = text;
  };

  await step('the cursor is at the end', async () => {
    await workbench.ready();
    await workbench.focusEditor();
    await workbench.press('Control+End');
  });

  for (const [before, after] of TYPED) {
    await step(`a list that opens behind \`${before}\` takes no key`, async () => {
      await workbench.type(before);
      await list.first().waitFor();
      await picture(before.replaceAll(/\W+/g, '-'));
      assert.equal(await focused.count(), 0);
      for (const key of after) await workbench.press(key === '\n' ? 'Enter' : key);
      await saves(wanted + before + after);
      if (!after.endsWith('\n')) await workbench.press('Enter');
      wanted = after.endsWith('\n') ? wanted : `${wanted}\n`;
    });
  }

  await step('the arrow keys go into a list, and Enter takes what is chosen', async () => {
    await workbench.type('see [^');
    await list.first().waitFor();
    await workbench.press('ArrowDown');
    await focused.first().waitFor();
    await workbench.press('Enter');
    await saves(`${wanted}see [^ask]`);
    await workbench.press('Enter');
  });

  await step('Tab takes the id that is begun', async () => {
    const before = `${wanted}\n`;
    // The extension has to see that an id is begun, as it does while a person looks at the list.
    // How long that takes depends on the machine: too early, the key is a key like all others.
    let lookingMs = 250;
    const line = async () => (await workbench.shownLines()).findLast((text) => text.startsWith('see [^as'));
    await until('the id is taken', async () => {
      await workbench.type('see [^');
      await list.first().waitFor();
      lookingMs *= 2;
      await typeKeys(page, 'as', lookingMs);
      await workbench.press('Tab');
      const taken = await until('the key', async () => (await line()) !== 'see [^as' && line());
      if (taken.trimEnd() === 'see [^ask]') return true;
      await workbench.press('Shift+Home', 'Delete');
      return false;
    });
    await saves(`${before}see [^ask]`);
    await workbench.press('Enter');
  });

  await step('Control+Space opens a list with a row that is chosen', async () => {
    const before = `${wanted}\n`;
    await workbench.press('Control+Space');
    await focused.first().waitFor();
    await picture('asked');
    await workbench.press('Escape');
    await saves(before);
  });

  await step('a moment after Enter, a new cell is defined below the cursor', async () => {
    const before = wanted;
    const header = '# %% New[^new]';
    await workbench.type(header);
    await workbench.press('Enter');
    const line = (before + header).split('\n').length + 1;
    await becomes(async () => (await workbench.shownLines()).includes('[^new]: [markdown]'), true);
    await picture('defined');
    await workbench.cursorAt(line, 1);
    await saves(`${before}${header}\n\n[^new]: [markdown]\n`);
    // One step to undo, and it does not come again.
    await workbench.press('Control+Z');
    await saves(`${before}${header}\n`);
    await workbench.cursorAt(line, 1);
  });

  await step('whoever goes on typing has typed it', async () => {
    await workbench.press('Backspace', 'Enter');
    const before = wanted;
    await becomes(async () => (await workbench.shownLines()).includes('[^new]: [markdown]'), true);
    const typed = 'x\n[^new]: [raw]\n';
    for (const key of typed) await workbench.press(key === '\n' ? 'Enter' : key);
    await becomes(async () => (await workbench.shownLines()).includes('[^new]: [markdown]'), false);
    await saves(before + typed);
  });

  await step('whoever goes down has accepted it', async () => {
    const before = wanted;
    const header = '# %%% Other[^other]';
    await workbench.type(header);
    await workbench.press('Enter');
    const defined = async () =>
      (await workbench.shownLines()).find((shown) => shown.startsWith('[^other]: ['));
    await becomes(async () => Boolean(await defined()), true);
    const definition = await defined();
    await workbench.press('ArrowDown', 'ArrowDown', 'Enter');
    await workbench.type('Hello');
    await saves(`${before}${header}\n\n${definition}\n\nHello`);
  });
}
