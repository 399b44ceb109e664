// Where no server starts, one message says why, and how to go on.

import assert from 'node:assert/strict';

import { becomes } from '../workbench.mjs';

const FILE = 'talk.msg.md';
const TALK = '# %% Question[^ask]\n\n[^ask]: [markdown] history=never\n\nWill it rain?\n';
const NOWHERE = '/no/such/python';

export default async function ({ story, step, open, picture }) {
  const workbench = await open({
    settings: { 'msgls.interpreter': NOWHERE },
    files: { [FILE]: TALK, '.venv/bin/python': `#!/bin/sh\nexec '${story.python}' "$@"\n` },
    file: FILE,
  });

  await step('a message names the interpreter and its setting, with the ways out', async () => {
    const message = await workbench.notification('The msgls server does not start');
    const text = await message.innerText();
    assert.match(text, /\/no\/such\/python/);
    assert.match(text, /msgls\.interpreter/);
    const buttons = await message
      .locator('.notification-list-item-buttons-container .monaco-button')
      .allInnerTexts();
    assert.deepEqual(buttons, ['Install', 'Choose Interpreter', 'Show Log']);
    assert.equal(await workbench.page.locator('.notification-list-item').count(), 1);
    await becomes(() => workbench.status(), 'msgls: not running');
    await picture('message');
  });

  await step('the log says what was tried', async () => {
    const message = await workbench.notification('The msgls server does not start');
    await message.locator('.monaco-button', { hasText: 'Show Log' }).click();
    await workbench.page.locator('.output-view .view-line', { hasText: NOWHERE }).first().waitFor();
    await picture('log');
  });

  await step('an interpreter that is chosen starts it', async () => {
    await workbench.run('msgls: Choose Interpreter');
    await workbench.choose(workbench.path('.venv/bin/python'));
    await workbench.ready();
    await becomes(() => workbench.problems().then((rows) => rows.length), 1);
  });
}
