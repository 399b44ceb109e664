// The server's life: the status item tells of it, and when it is killed it comes back, with all
// that was not saved.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { becomes, until } from '../workbench.mjs';

const FILE = 'talk.msg.md';
const TALK = '# %% Question[^ask]\n\n[^ask]: [markdown]\n\nWill it rain?\n';

export default async function ({ story, step, open, picture }) {
  const starts = path.join(story.directory, 'starts');
  const workbench = await open({
    settings: { 'msgls.interpreter': telltale(story, starts) },
    files: { [FILE]: TALK },
    file: FILE,
  });
  const servers = () =>
    linesOf(starts)
      .filter((line) => line.includes(' serve '))
      .map((line) => Number.parseInt(line, 10));

  await step('the status item tells version and state', async () => {
    await workbench.ready();
    await becomes(() => workbench.status(), `msgls ${story.version}: running`);
    await workbench.page.locator('#status\\.languageStatus').hover();
    await workbench.page
      .locator('.hover-language-status', { hasText: `msgls ${story.version}: running` })
      .waitFor();
    await picture('status');
  });

  await step('a killed server is started again, and knows what was not saved', async () => {
    await workbench.goTo(FILE, '[markdown]', '[markdown]'.length);
    await workbench.insert(' history=never');
    await becomes(() => workbench.problems().then((rows) => rows.length), 1);
    const [first, ...more] = servers();
    assert.deepEqual(more, []);
    process.kill(first, 'SIGKILL');
    await until('a second server', () => servers().length === 2);
    await becomes(() => workbench.status(), `msgls ${story.version}: running`);
    // It answers for the text in the editor, which it never saw on the disk.
    await workbench.focusEditor();
    await workbench.insert(' role=nobody');
    await becomes(() => workbench.problems().then((rows) => rows.length), 2);
    await picture('restarted');
  });

  await step('nothing of the document is lost', async () => {
    assert.equal(workbench.saved(FILE), TALK);
    await workbench.focusEditor();
    await workbench.save(FILE);
    assert.equal(
      workbench.saved(FILE),
      TALK.replace('[markdown]', '[markdown] history=never role=nobody'),
    );
  });

  await step('a command starts it anew', async () => {
    await workbench.run('msgls: Restart Server');
    await until('a third server', () => servers().length === 3);
    await becomes(() => workbench.status(), `msgls ${story.version}: running`);
    await until('the second has ended', () => !isAlive(servers()[1]));
    assert.ok(isAlive(servers()[2]));
  });
}

/** An interpreter that notes its process id and its arguments before it becomes the real one. */
function telltale(story, starts) {
  const file = path.join(story.directory, 'python');
  const script = `#!/bin/sh\necho "$$ $*" >> '${starts}'\nexec '${story.python}' "$@"\n`;
  fs.writeFileSync(file, script, { mode: 0o755 });
  return file;
}

function linesOf(file) {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
