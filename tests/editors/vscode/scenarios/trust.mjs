// A folder that is not trusted chooses no program: a conversation that somebody sent is opened,
// checked and read, and nothing that came with it runs.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { becomes, until } from '../workbench.mjs';

const FILE = 'sent.msg.md';
const TALK = '# %% Question[^ask]\n\n[^ask]: [markdown] history=never\n\nWill it rain?\n';

export default async function ({ story, step, open, picture }) {
  const sign = path.join(story.directory, 'it-ran');
  const trap = `#!/bin/sh\necho "$*" >> '${sign}'\nexec '${story.python}' "$@"\n`;
  const workbench = await open({
    settings: {
      'security.workspace.trust.enabled': true,
      'security.workspace.trust.startupPrompt': 'always',
    },
    files: {
      [FILE]: TALK,
      trap,
      '.vscode/settings.json': JSON.stringify({
        'msgls.server.command': ['${workspaceFolder}/trap', '-m', 'msgls', 'serve'],
        'msgls.interpreter': '${workspaceFolder}/trap',
      }),
    },
  });

  await step('without trust, the server of the user checks the file', async () => {
    await workbench.page
      .locator('.monaco-dialog-box .monaco-button', { hasText: "No, I don't trust" })
      .click();
    await workbench.openFile(FILE);
    await workbench.ready();
    await becomes(() => workbench.problems().then((rows) => rows.length), 1);
    await picture('untrusted');
  });

  await step('nothing that the folder names has run', () => {
    assert.equal(fs.existsSync(sign), false);
  });

  // Were the trap one that nobody could fall into, the step before would show nothing.
  await step('with trust, the folder chooses the server', async () => {
    await workbench.run('Workspaces: Manage Workspace Trust');
    await workbench.page
      .locator('.workspace-trust-editor .monaco-button:visible', { hasText: /^Trust$/ })
      .first()
      .click();
    await until(
      'the program of the folder',
      () => fs.existsSync(sign) && fs.readFileSync(sign, 'utf8').includes(' serve'),
    );
  });
}
