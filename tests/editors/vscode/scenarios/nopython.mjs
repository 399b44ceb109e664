// A machine without Python: it is told before anybody clicks what is missing, and how to get it.

import assert from 'node:assert/strict';

export default async function ({ step, open, picture }) {
  const workbench = await open({
    settings: { 'msgls.interpreter': '' },
    files: { 'talk.msg.md': '# %% Question[^ask]\n\n[^ask]: [markdown]\n\nWill it rain?\n' },
    file: 'talk.msg.md',
    environment: { PATH: '/nowhere' },
  });

  await step('what is missing is told, with the command that gets it', async () => {
    const message = await workbench.notification('No msgls server was found');
    const text = await message.innerText();
    assert.match(text, /there is no Python 3\.\d+ or newer on the PATH/);
    assert.match(text, /sudo apt install python3 python3-venv/);
    const buttons = await message
      .locator('.notification-list-item-buttons-container .monaco-button')
      .allInnerTexts();
    assert.deepEqual(buttons, ['Get Python', 'Choose Interpreter', 'Show Log']);
    await picture('message');
  });

  await step('the command for it says the same', async () => {
    await workbench.run('msgls: Install the Server That Comes with the Extension');
    const message = await workbench.notification('msgls could not install its server');
    assert.match(await message.innerText(), /sudo apt install python3 python3-venv/);
  });
}
