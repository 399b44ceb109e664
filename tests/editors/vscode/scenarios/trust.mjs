// A folder that is not trusted chooses no program: a conversation that somebody sent is opened,
// checked and read, and nothing that came with it runs.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { becomes, until } from '../workbench.mjs';

const FILE = 'sent.msg.md';
const TALK = '# %% Question[^ask]\n\n[^ask]: [markdown] history=never\n\nWill it rain?\n';
const CODE = "\n# %% [^code]\n\n[^code]: [code]\n\n```python\nopen('PATH', 'x').close()\n```\n";
// `replay` answers anybody, where it is asked at all.
const ASKED_FILE = 'asked.msg.md';
const ASKED = `---\nagents:\n  Echo: {models: [replay]}\n---\n\n${TALK.replace(' history=never', '')}`;

export default async function ({ story, step, open, picture }) {
  const sign = path.join(story.directory, 'it-ran');
  const ran = path.join(story.directory, 'code-ran');
  const trap = `#!/bin/sh\necho "$*" >> '${sign}'\nexec '${story.python}' "$@"\n`;
  const workbench = await open({
    settings: {
      'security.workspace.trust.enabled': true,
      'security.workspace.trust.startupPrompt': 'always',
    },
    files: {
      [FILE]: TALK + CODE.replace('PATH', ran),
      [ASKED_FILE]: ASKED,
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

  await step('neither a key nor a lens runs code, and it is said why', async () => {
    const why = workbench.page.locator('.statusbar-item', { hasText: 'you do not trust' });
    await workbench.goTo(FILE, 'open(');
    await workbench.press('Control+Enter');
    await why.waitFor();
    await picture('no-run');
    await why.waitFor({ state: 'detached' });
    await workbench.page.locator('.codelens-decoration a', { hasText: /^Run$/ }).click();
    await why.waitFor();
  });

  await step('nothing is asked', async () => {
    await workbench.openFile(ASKED_FILE);
    await workbench.ready();
    await workbench.goTo(ASKED_FILE, 'Will');
    const why = workbench.page.locator('.statusbar-item', { hasText: 'you do not trust' });
    await why.waitFor({ state: 'detached' });
    await workbench.press('Control+Enter');
    await why.waitFor();
    assert.ok((await workbench.shownLines()).includes('Will it rain?'));
    assert.ok(!(await workbench.shownLines()).includes('You said:'));
  });

  await step('nothing that the folder names has run', () => {
    assert.equal(fs.existsSync(sign), false);
    assert.equal(fs.existsSync(ran), false);
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

  await step('with trust, a key runs code', async () => {
    await workbench.openFile(FILE);
    await workbench.ready();
    await workbench.goTo(FILE, 'open(');
    // The server starts again for the trust, and for the settings that count now.
    await until('the code ran', async () => {
      await workbench.press('Control+Enter');
      return fs.existsSync(ran);
    });
  });
}
