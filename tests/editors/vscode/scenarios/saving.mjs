// A conversation and its file. A new one, from the first key: whatever name a person types, by
// whichever way it is saved, it is a message file afterwards. And one that an agent has had, or is
// still having: it is imported, and grows while the file is edited; neither side loses anything.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { becomes, until } from '../workbench.mjs';

const SESSION = 'aaaaaaaa-0000-4000-8000-000000000001';

/** A line of a session: what the person said, or what was answered. */
function record(number, type, text) {
  const message = { id: `a${number}`, role: type, content: [{ type: 'text', text }] };
  const uuid = `0000000${number}-0000-4000-8000-000000000000`;
  return `${JSON.stringify({ type, uuid, sessionId: SESSION, cwd: '/srv/shop', message })}\n`;
}

const TRIP = '# %% Plan the trip[^m1]\n\n[^m1]: [markdown]\n\nTo the sea.\n';

export default async function ({ story, step, open, picture }) {
  const workbench = await open({
    files: { 'there.msg.md': TRIP },
    settings: { 'files.simpleDialog.enable': true },
  });
  const projects = path.join(workbench.home, '.claude/projects/-srv-shop');
  const transcript = path.join(projects, `${SESSION}.jsonl`);
  fs.mkdirSync(projects, { recursive: true });
  fs.writeFileSync(
    transcript,
    `${JSON.stringify({ type: 'ai-title', aiTitle: 'Fix the cart', sessionId: SESSION })}\n` +
      record(1, 'user', 'The total is wrong.') +
      record(2, 'assistant', 'It is right now.'),
  );
  const { page } = workbench;
  const names = () => fs.readdirSync(workbench.folder).sort();
  const dialog = page.locator('.quick-input-widget:visible input[type="text"]');
  const newFile = async (title, text) => {
    await workbench.run('msgls: New Message File');
    // The title is selected once the snippet is in.
    await becomes(
      async () => (await workbench.shownLines()).slice(0, 5),
      ['# %% title[^m1]', '', '[^m1]: [markdown]', '', 'your message'],
    );
    await workbench.type(title);
    await workbench.press('Tab');
    await workbench.type(text);
  };
  /** What is typed takes the place of what is selected: all before the last dot. */
  const answer = async (suggested, typed) => {
    await becomes(async () => (await dialog.inputValue()).split('/').at(-1), suggested);
    await workbench.type(typed);
    await workbench.press('Enter');
  };
  const isMessageFile = async (name) => {
    await workbench.tab(name);
    await becomes(
      async () => await page.locator('#status\\.editor\\.mode').innerText(),
      'Message File',
    );
  };

  await step('a name that is typed after Ctrl+S names a message file', async () => {
    await newFile('Plan the trip', 'To the sea.');
    await workbench.press('Control+S');
    await dialog.waitFor();
    await picture('dialog');
    await answer('Plan the trip.msg.md', 'trip');
    await isMessageFile('trip.msg.md');
    await picture('saved');
    assert.equal(workbench.saved('trip.msg.md'), TRIP);
    assert.deepEqual(names(), ['there.msg.md', 'trip.msg.md']);
  });

  await step('the cursor stays, nothing is undone, and typing goes on', async () => {
    await workbench.cursorAt(5, 'To the sea.'.length + 1);
    await workbench.press('Control+Z');
    await workbench.type(' Soon.');
    await workbench.save('trip.msg.md');
    assert.equal(workbench.saved('trip.msg.md'), TRIP.replace('sea.', 'sea. Soon.'));
    assert.equal(await page.locator('.tab').count(), 1);
  });

  await step('a file that already exists is replaced only when somebody says so', async () => {
    await newFile('Another', 'Text.');
    await workbench.press('Control+S');
    await answer('Another.msg.md', 'there');
    const question = page.locator('.monaco-dialog-box', { hasText: 'there.msg.md' });
    await question.waitFor();
    await question.locator('.monaco-button', { hasText: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    assert.equal(workbench.saved('there.msg.md'), TRIP);
  });

  await step('the dialog of VS Code itself names a message file, too', async () => {
    await workbench.run('File: Save As...');
    await answer('# %% Another[^m1].msg.md', 'walk');
    await isMessageFile('walk.msg.md');
    await becomes(() => names(), ['there.msg.md', 'trip.msg.md', 'walk.msg.md']);
    assert.match(workbench.saved('walk.msg.md'), /\n\nText\.\n$/);
  });

  await step('and so does closing without having saved', async () => {
    await newFile('Last', 'Words.');
    await workbench.run('View: Close Editor');
    await page.locator('.monaco-dialog-box .monaco-button', { hasText: /^Save$/ }).click();
    await answer('# %% Last[^m1].msg.md', 'there');
    // The name is taken: the next free one is.
    await becomes(() => names(), ['there-2.msg.md', 'there.msg.md', 'trip.msg.md', 'walk.msg.md']);
    assert.equal(workbench.saved('there.msg.md'), TRIP);
    assert.match(workbench.saved('there-2.msg.md'), /\n\nWords\.\n$/);
  });

  const rows = page.locator('.quick-input-widget:visible .monaco-list-row');
  const CART = 'Fix the cart.msg.md';

  await step('the sessions of agents are listed, and the one that is chosen is imported', async () => {
    await workbench.run('msgls: Import Transcript…');
    const row = rows.filter({ hasText: 'Fix the cart' });
    await row.waitFor();
    assert.match(await row.innerText(), /Claude Code · shop · 1 turn/);
    await rows.filter({ hasText: 'Another file…' }).waitFor();
    await picture('sessions');
    await row.click();
    await becomes(async () => (await dialog.inputValue()).split('/').at(-1), CART);
    await workbench.press('Enter');
    await isMessageFile(CART);
    assert.match(workbench.saved(CART), /The total is wrong\.[^]*It is right now\./);
    await picture('imported');
  });

  await step('a file that is not of that session is left alone', async () => {
    await workbench.run('msgls: Import Transcript…');
    await rows.filter({ hasText: 'Fix the cart' }).click();
    await answer(CART, 'there');
    await page.locator('.notification-list-item', { hasText: '--force' }).waitFor();
    assert.equal(workbench.saved('there.msg.md'), TRIP);
  });

  await step('a session that goes on is followed while somebody edits its file', async () => {
    const target = path.join(workbench.folder, CART);
    const follow = ['-m', 'msgls', 'import', transcript, '-o', target, '--follow'];
    const follower = spawn(story.python, follow, { stdio: ['ignore', 'ignore', 'pipe'] });
    const saved = () => workbench.saved(CART);
    const shows = async (text) => (await workbench.shownLines()).join('\n').includes(text);
    try {
      await new Promise((resolve) => follower.stderr.once('data', resolve));
      await workbench.openFile(CART);
      fs.appendFileSync(transcript, record(3, 'user', 'And the tax?'));
      await workbench.press('Control+End');
      await until('the editor shows what came', () => shows('And the tax?'));
      await workbench.press('Control+End');
      await workbench.type('\nAs in the law.');
      // It comes while the editor has something that is not saved, and the editor overwrites it.
      fs.appendFileSync(transcript, record(4, 'assistant', 'Seven percent.'));
      await until('the file has it', () => saved().includes('Seven percent.'));
      assert.ok(!saved().includes('As in the law.'));
      await workbench.save(CART, { overwrite: true });
      const whole = /And the tax\?\n+As in the law\.\n[^]*\n\nSeven percent\.\n$/;
      await until('the file has both', () => whole.test(saved()));
      await workbench.press('Control+End');
      await until('and the editor', () => shows('Seven percent.'));
      fs.appendFileSync(transcript, record(5, 'user', 'Thanks.'));
      await until('and it goes on', () => saved().endsWith('\n\nThanks.\n'));
      assert.equal(saved().match(/Seven percent/g).length, 1);
      await picture('followed');
    } finally {
      follower.kill('SIGINT');
    }
  });
}
