// *Install* on a machine with Python and without msgls: the server that comes with the extension
// runs afterwards.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { becomes } from '../workbench.mjs';

const FILE = 'talk.msg.md';
const TALK = '# %% Question[^ask]\n\n[^ask]: [markdown] history=never\n\nWill it rain?\n';

export default async function ({ story, step, open, picture }) {
  // Nothing is fetched: what the server needs is where this Python has it, all but the server.
  const libraries = path.join(story.directory, 'libraries');
  fs.mkdirSync(libraries);
  for (const name of fs.readdirSync(story.libraries).filter((name) => !/msgls/.test(name)))
    fs.symlinkSync(path.join(story.libraries, name), path.join(libraries, name));
  const workbench = await open({
    settings: { 'msgls.interpreter': '/no/such/python' },
    files: { [FILE]: TALK },
    file: FILE,
    environment: {
      PATH: `${path.dirname(story.python)}${path.delimiter}${process.env.PATH}`,
      PIP_NO_DEPS: '1',
      PIP_NO_INDEX: '1',
      PYTHONPATH: libraries,
    },
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
}
