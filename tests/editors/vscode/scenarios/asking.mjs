// A model answers into the file: asked by a key, seen while it comes, stopped by a click, taken back
// by one undo, and never in the way of who types. The model is `replay`, which repeats what it is told.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { becomes, until } from '../workbench.mjs';

const FILE = 'ask.msg.md';
const WORDS = Array.from({ length: 40 }, (_, number) => `word${number}`).join(' ');
const TEXT = `---
agents:
  Echo: {models: [replay]}
---

# %% [^m1]

[^m1]: [markdown]

${WORDS}
`;
const LONG_FILE = 'long.msg.md';
const NOTES = Array.from({ length: 150 }, (_, number) => `Note ${number}.\n`).join('\n');
const LONG = `${TEXT.replace('# %%', `${NOTES}\n# %%`)}\n`;
const EDITOR = '.editor-group-container.active .monaco-editor';

export default async function ({ step, open, picture }) {
  const workbench = await open({ files: { [FILE]: TEXT, [LONG_FILE]: LONG }, file: FILE });
  const config = path.join(workbench.home, '.config/msgls');
  const speak = (speed) => {
    fs.mkdirSync(config, { recursive: true });
    const command = `["replay", "--speed", "${speed}"]`;
    fs.writeFileSync(path.join(config, 'providers.toml'), `[providers.replay]\ncommand = ${command}\n`);
  };
  const item = () => workbench.page.locator('.statusbar-item', { hasText: 'Echo is answering' });
  const shows = (text) =>
    until(`${text} is shown`, async () => (await workbench.shownLines()).join('\n').includes(text));
  const isDone = () => until('the answer is whole', async () => (await item().count()) === 0);
  const saved = async () => {
    await workbench.save(FILE);
    return workbench.saved(FILE);
  };
  const marked = () =>
    workbench.page.$$eval(`${EDITOR} .view-overlays .cdr`, (drawn) => {
      const wanted = document.createElement('i');
      wanted.style.color = 'var(--vscode-msgls-liveCellBackground)';
      document.querySelector('.monaco-workbench').append(wanted);
      const { color } = getComputedStyle(wanted);
      wanted.remove();
      return drawn.map((mark) => getComputedStyle(mark).backgroundColor).filter((it) => it === color);
    });

  await step('Ctrl+Enter asks; the answer comes while the cursor stays', async () => {
    speak(8);
    await workbench.ready();
    await workbench.goTo(FILE, 'word0');
    await workbench.press('Control+Enter');
    await shows('You said:');
    await workbench.cursorAt(10, 1);
  });
  await step('the status bar tells who answers, for how long, and how much', async () => {
    await until('it is told', async () => /: \d+ s, \d+ tokens/.test(await item().innerText()));
    await picture('status');
  });
  await step('the cell that is being written is marked', async () => {
    await until('a mark', async () => (await marked()).length > 3);
  });
  await step('a click on the status bar stops it, and what came stays', async () => {
    await item().click();
    await isDone();
    await becomes(marked, []);
    const text = await saved();
    assert.match(text, /incomplete=1 reason="stopped"\n\nYou said:/);
    assert.ok(!text.split('You said:')[1].includes('word39'));
  });
  await step('one undo takes all of it back', async () => {
    await workbench.focusEditor();
    await workbench.press('Control+Z');
    assert.equal(await saved(), TEXT);
  });
  await step('a lens above the last message asks', async () => {
    speak(0);
    const lens = workbench.page.locator(`${EDITOR} .codelens-decoration a`, { hasText: 'Ask Echo' });
    await until('the lens', async () => (await lens.count()) === 1);
    await picture('lens');
    await lens.click();
    await shows('You said:');
    await isDone();
    await until('no lens', async () => (await lens.count()) === 0);
    await workbench.focusEditor();
    await workbench.press('Control+Z');
    assert.equal(await saved(), TEXT);
  });
  await step('Shift+Enter asks, and inserts the next message to type into', async () => {
    // So slowly that the last word is typed before the last one comes, on a busy machine, too.
    speak(5);
    await workbench.goTo(FILE, 'word0');
    await workbench.press('Shift+Enter');
    await shows('# %% [^m2]');
    for (const word of ['What ', 'is ', 'typed ', 'meanwhile ', 'stays.']) {
      await workbench.type(word);
      await workbench.page.waitForTimeout(300);
    }
    await isDone();
    await becomes(marked, []);
    const text = await saved();
    assert.match(text, /# %%% \[\^m3\]\n\n\[\^m3\]: \[Echo\] [^\n]*\n\nYou said:\n\nword0 /);
    assert.ok(text.includes(`${WORDS}\n\n# %% [^m2]\n\n[^m2]: [markdown]\n\nWhat is typed meanwhile stays.\n`));
    await picture('typed');
  });
  await step('one undo takes the answer back, and not what was typed', async () => {
    await workbench.press('Control+Z');
    await becomes(async () => (await workbench.shownLines()).includes('You said:'), false);
    const next = '# %% [^m2]\n\n[^m2]: [markdown]\n\nWhat is typed meanwhile stays.\n';
    assert.equal(await saved(), `${TEXT}\n${next}`);
    assert.deepEqual(await marked(), []);
  });
  await step('another undo brings the answer again', async () => {
    await workbench.press('Control+Z');
    await shows('You said:');
  });
  await step('asking again keeps the first answer, and Compare Answers shows both beside each other', async () => {
    speak(0);
    await workbench.goTo(FILE, 'word0');
    await workbench.press('Control+Enter');
    await until('a second answer', async () => {
      const lines = await workbench.shownLines();
      return lines.filter((line) => line === 'You said:').length === 2;
    });
    await isDone();
    const text = await saved();
    assert.match(text, /\[Echo\] history=exclude [^\n]*\n\nYou said:/);
    const [first, second] = [...text.matchAll(/^# %%% \[\^(m\d)\]/gm)].map(([, id]) => id);
    await workbench.goTo(FILE, `# %%% [^${second}]`);
    await workbench.run('msgls: Compare Answers');
    await until('a difference', async () => (await workbench.shownLines())[0] === `--- ${first}`);
    const shown = await workbench.shownLines();
    assert.deepEqual(shown.slice(0, 2), [`--- ${first}`, `+++ ${second}`]);
    assert.ok(shown.includes(' You said:'), shown.join('\n'));
    await picture('compared');
    await workbench.openOnly(FILE);
  });
  await step('Fork from here opens a new file with all up to the cell, ids kept', async () => {
    await workbench.goTo(FILE, 'word0');
    await workbench.run('msgls: Fork from Here');
    await until('the fork is shown', async () => !(await workbench.shownLines()).join('\n').includes('You said:'));
    const shown = (await workbench.shownLines()).join('\n');
    assert.ok(shown.includes('# %% [^m1]') && shown.includes('word0'), shown);
    assert.ok(!shown.includes('[^m2]'), shown);
  });
  await step('who reads further up stays there while an answer comes', async () => {
    speak(20);
    await workbench.openOnly(LONG_FILE);
    await workbench.goTo(LONG_FILE, 'word0');
    await workbench.ready();
    await workbench.press('Control+Enter');
    await shows('You said:');
    for (let times = 0; times < 20; times += 1) await workbench.press('Control+ArrowUp');
    await becomes(async () => (await workbench.shownLines()).includes('You said:'), false);
    await workbench.isDrawn();
    const [first] = await workbench.shownLines();
    await isDone();
    await becomes(async () => (await workbench.shownLines())[0], first);
  });
  await step('a VS Code that is killed loses nothing of what it showed', async () => {
    speak(10);
    await workbench.openOnly(FILE);
    await workbench.ready();
    const before = workbench.saved(FILE);
    await workbench.goTo(FILE, 'word0');
    await workbench.press('Control+Enter');
    const written = async () => {
      const lines = await workbench.shownLines();
      const last = lines.findLastIndex((line) => line.startsWith('# %%%'));
      const isThird = lines.filter((line) => line.startsWith('# %%%')).length === 3;
      return isThird ? (lines.slice(last).join(' ').match(/word\d+/g) ?? []) : [];
    };
    await until('some words', async () => (await written()).length > 5);
    await workbench.type('Typed. ');
    await until('more of them', async () => (await written()).length > 15);
    const shown = await written();
    await workbench.dieAndStart(FILE);
    assert.equal(workbench.saved(FILE), before);
    const asked = await workbench.notification('was found, last written');
    await picture('kept');
    await asked.getByText('Restore unsaved text').click();
    await until('they are there again', async () => (await written()).length >= shown.length);
    const text = await saved();
    assert.ok(text.includes(`\nTyped. ${WORDS}\n`), text);
    assert.ok(text.includes(` incomplete=1\n\nYou said:\n\n${shown.join(' ')}`), text);
  });
}
