// Where no server starts, one message says why, and how to go on. *Install* on a machine with Python
// and without msgls: the server that comes with the extension runs afterwards.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { becomes, until } from '../workbench.mjs';

const FILE = 'talk.msg.md';
const NOWHERE = '/no/such/python';
const TALK = '# %% Question[^ask]\n\n[^ask]: [markdown] history=never\n\nWill it rain?\n';

export default async function ({ story, step, open, picture }) {
  // Nothing is fetched: what the server needs is where this Python has it, all but the server.
  const libraries = path.join(story.directory, 'libraries');
  fs.mkdirSync(libraries);
  for (const name of fs.readdirSync(story.libraries).filter((name) => !/msgls/.test(name)))
    fs.symlinkSync(path.join(story.libraries, name), path.join(libraries, name));
  const workbench = await open({
    settings: { 'msgls.interpreter': NOWHERE },
    files: { [FILE]: TALK, '.venv/bin/python': `#!/bin/sh\nexec '${story.python}' "$@"\n` },
    file: FILE,
    environment: {
      PATH: `${path.dirname(story.python)}${path.delimiter}${process.env.PATH}`,
      PIP_NO_DEPS: '1',
      PIP_NO_INDEX: '1',
      PYTHONPATH: libraries,
    },
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

  await step('a click installs the server, and it runs', async () => {
    const message = await workbench.notification('The msgls server does not start');
    await message.locator('.monaco-button', { hasText: 'Install' }).click();
    await workbench.ready();
    await becomes(() => workbench.problems().then((rows) => rows.length), 1);
    await picture('installed');
  });

  await step('it is that of the extension, and nothing is left lying about', async () => {
    const storage = path.join(workbench.data, 'data/User/globalStorage/msgls.msgls');
    assert.deepEqual(fs.readdirSync(storage), ['server']);
    assert.match(workbench.logs(), /globalStorage\/msgls\.msgls\/server\/bin\/python/);
  });

  await step('the log says what was tried', async () => {
    await workbench.run('msgls: Show Log');
    await workbench.page.locator('.output-view .view-line', { hasText: 'starting' }).waitFor();
    assert.match(workbench.logs(), /there is no `\/no\/such\/python`/);
    await picture('log');
  });

  await step('an interpreter that is chosen starts it', async () => {
    await workbench.focusEditor();
    await workbench.run('msgls: Choose Interpreter…');
    await workbench.choose(workbench.path('.venv/bin/python'));
    await until('it runs', () => workbench.logs().includes(`runs: ${workbench.path('.venv')}`));
    await workbench.ready();
  });
}
