// A new conversation, from the first key to its file: whatever name a person types, by whichever
// way it is saved, it is a message file afterwards.

import assert from 'node:assert/strict';
import fs from 'node:fs';

import { becomes } from '../workbench.mjs';

const TRIP = '# %% Plan the trip[^m1]\n\n[^m1]: [markdown]\n\nTo the sea.\n';

export default async function ({ step, open, picture }) {
  const workbench = await open({
    files: { 'there.msg.md': TRIP },
    settings: { 'files.simpleDialog.enable': true },
  });
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
}
