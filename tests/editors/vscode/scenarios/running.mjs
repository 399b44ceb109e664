// Code is run by a key: what it shows comes into the file, its kernel stands in the status bar for
// as long as it lives, and what it reads is typed by a person.

import assert from 'node:assert/strict';

import { becomes, until } from '../workbench.mjs';

const FILE = 'run.msg.md';
const TEXT = `# %% [^c1]

[^c1]: [code]

\`\`\`python
name = input("Your name? ")
print("Hello,", name)
6 * 7
\`\`\`

# %% [^c2]

[^c2]: [code]

\`\`\`python
import time; time.sleep(600)
\`\`\`

# %% [^c3]

[^c3]: [code]

\`\`\`python
import os; print("process", os.getpid())
\`\`\`
`;

const ALL = 'all.msg.md';
const cell = (id, code) => `# %% [^${id}]\n\n[^${id}]: [code]\n\n\`\`\`python\n${code}\n\`\`\`\n`;
const TICKS = 'import time\nfor n in range(9): print("tick", n, flush=True); time.sleep(0.1)';
const CELLS = [cell('t1', TICKS), cell('t2', 'n * 10'), cell('t3', '1 / 0'), cell('t4', '"never"')];
// Settings of a folder, which a stranger may have written.
const OF_FOLDER = { 'msgls.run.kernels': { python: 'evil' } };

export default async function ({ step, open, picture }) {
  const files = {
    [FILE]: TEXT,
    [ALL]: `Notes: \n\n${CELLS.join('\n')}`,
    '.vscode/settings.json': JSON.stringify(OF_FOLDER),
  };
  const workbench = await open({ files, file: FILE });
  const { page } = workbench;
  // The progress names it, too, while code runs.
  const kernel = page.locator('.statusbar-item', { hasText: 'Python 3', hasNotText: 'is running' });
  const shows = (text) =>
    until(`${text} is shown`, async () => (await workbench.shownLines()).join('\n').includes(text));

  const rest = () => until('it is done', async () => (await page.getByText(' is running').count()) === 0);
  await step('a lens above each code cell runs it', async () => {
    await workbench.ready();
    const lens = page.locator('.codelens-decoration a', { hasText: /^Run$/ });
    await until('the lens', async () => (await lens.count()) === 3);
  });
  await step('Ctrl+Enter runs the code, and what it reads is asked for', async () => {
    await workbench.goTo(FILE, 'name = ');
    await workbench.press('Control+Enter');
    const asked = page.locator('.quick-input-widget:visible', { hasText: 'Your name?' });
    await asked.waitFor();
    await workbench.type('Ada');
    await workbench.press('Enter');
    await shows('stdout> 42');
  });
  await step('the kernel is in the status bar', async () => {
    await kernel.first().waitFor();
    await rest();
    const icons = () =>
      page.$$eval('.glyph-margin-widgets .cgmr', (marks) =>
        marks.map((mark) => /(code|run)-light/.exec(getComputedStyle(mark).backgroundImage)?.[1]),
      );
    const lenses = page.locator('.codelens-decoration');
    const wanted = ['code', 'code', 'code', 'run', 'run'];
    await becomes(async () => (await icons()).filter(Boolean).sort(), wanted);
    await becomes(() => lenses.count(), wanted.length);
    const size = page.viewportSize();
    await page.setViewportSize({ width: 1100, height: 600 });
    await picture('done');
    // Lines that are not to be seen do not exist.
    await page.setViewportSize(size);
  });
  await step('what it showed is in the saved file', async () => {
    await workbench.focusEditor();
    await workbench.save(FILE);
    const text = workbench.saved(FILE);
    assert.match(text, /# %%% \[\^c1\.1\]\n\n\[\^c1\.1\]: \[python\] time=\S+ status="success" duration=\S+/);
    assert.match(text, /stdout> Hello, Ada\n\n# %%% \[\^c1\.1\.2\]/);
    assert.match(text, /output="result"\n\nstdout> 42\n\n# %% \[\^c2\]/);
  });
  await step('a click on the kernel interrupts what it runs', async () => {
    await workbench.goTo(FILE, 'time.sleep');
    await workbench.press('Control+Enter');
    await page.getByText('c2 is running').first().waitFor();
    await shows('[^c2.2]');
    await kernel.first().click();
    await workbench.choose('Interrupt kernel');
    await rest();
    await workbench.focusEditor();
    await workbench.save(FILE);
    assert.match(workbench.saved(FILE), /\[\^c2\.2\]: \[python\] time=\S+ status="failure"[^]*stderr> KeyboardInterrupt/);
  });
  await step('a click on the kernel restarts it while code runs, which ends the run', async () => {
    await workbench.goTo(FILE, 'time.sleep');
    await workbench.press('Control+Enter');
    await page.getByText('c2 is running').first().waitFor();
    await shows('[^c2.3]');
    await picture('restarting');
    await kernel.first().click();
    await workbench.choose('Restart kernel');
    await rest();
    await workbench.focusEditor();
    await workbench.save(FILE);
    assert.match(
      workbench.saved(FILE),
      /\[\^c2\.3\]: \[python\] time=\S+ status="failure" duration=\S+\n\nstderr> msgls: stopped: the kernel was restarted\n/,
    );
    await kernel.first().waitFor();
    await picture('restarted');
  });
  await step('a click on the kernel restarts it, so that it counts anew', async () => {
    await kernel.first().click();
    await workbench.choose('Restart kernel');
    await workbench.goTo(FILE, 'name = ');
    await workbench.press('Control+Enter');
    await page.locator('.quick-input-widget:visible', { hasText: 'Your name?' }).waitFor();
    await workbench.press('Escape');
    await shows('stderr> EOFError');
    await shows('execution_count=1');
    await rest();
  });
  await step('a kernel that dies leaves the status bar, and the next run starts another', async () => {
    const done = [];
    for (const times of [1, 2]) {
      await workbench.focusEditor();
      await workbench.save(FILE);
      await workbench.goTo(FILE, 'os.getpid');
      await workbench.press('Control+Enter');
      const pids = await until(`process ${times} is shown`, async () => {
        const text = (await workbench.shownLines()).join('\n');
        const found = [...text.matchAll(/^stdout> process (\d+)$/gm)].map((match) => Number(match[1]));
        return found.length === times && found;
      });
      await kernel.first().waitFor();
      await rest();
      const pid = pids.find((one) => !done.includes(one));
      assert.ok(pid, 'it is another kernel');
      done.push(pid);
      process.kill(pid, 'SIGKILL');
      await until('no kernel is shown', async () => (await kernel.count()) === 0);
    }
  });
  /** What the code cells of the other file show: the lines of their outputs, by the ids. */
  const isDirty = page.locator(`.tab.dirty[data-resource-name="${ALL}"]`);
  const outputs = async () => {
    await workbench.focusEditor();
    // An edit of the server may land right after the key: then the key is pressed again.
    await until('it is saved', async () => {
      await workbench.press('Control+S');
      await workbench.isDrawn();
      return (await isDirty.count()) === 0;
    });
    const [, ...cells] = workbench.saved(ALL).split(/^# %%%? \[\^([\w.]+)\]$/m);
    const shown = [];
    for (let at = 0; at < cells.length; at += 2)
      if (cells[at].includes('.'))
        shown.push([cells[at], [...cells[at + 1].matchAll(/^std(?:out|err)> (.*)$/gm)].at(-1)?.[1]]);
    return shown;
  };
  const divided = 'ZeroDivisionError: division by zero';
  await step('all cells run up to one that fails, and what is typed meanwhile stays', async () => {
    await workbench.openOnly(ALL);
    await workbench.ready();
    await workbench.run('msgls: Run All Cells');
    await shows('stdout> tick 1');
    await workbench.goTo(ALL, 'Notes: ', 'Notes: '.length);
    await workbench.type('typed while it runs');
    await rest();
    assert.deepEqual(await outputs(), [['t1.1', 'tick 8'], ['t2.2', '80'], ['t3.3', divided]]);
    assert.match(workbench.saved(ALL), /^Notes: typed while it runs\n/);
    await picture('all');
  });
  await step('the rest of the cells run from here, and a run takes the place of the last', async () => {
    await workbench.goTo(ALL, 'n * 10');
    await workbench.run('msgls: Run from Here');
    await shows('[^t2.4]');
    await rest();
    const ids = async () => (await outputs()).map(([id]) => id);
    assert.deepEqual(await ids(), ['t1.1', 't2.2', 't2.4', 't3.3', 't3.5']);
    await workbench.run('msgls: Run Cell, and Replace Its Last Run');
    await shows('[^t2.6]');
    await rest();
    assert.deepEqual(await ids(), ['t1.1', 't2.2', 't2.6', 't3.3', 't3.5']);
  });
  await step('outputs are cleared, and one undo brings them back', async () => {
    await workbench.run('msgls: Clear Outputs');
    const cleared = `Notes: typed while it runs\n\n${CELLS.join('\n')}`;
    await becomes(async () => (await outputs(), workbench.saved(ALL)), cleared);
    await workbench.press('Control+Z');
    await becomes(async () => (await outputs()).length, 5);
    await workbench.press('Control+Shift+Z');
    await becomes(outputs, []);
  });
  await step("the user's own setting chooses the kernel, and none of the folder did", async () => {
    const settings = { 'msgls.run.kernels': { py: 'of-mine' } };
    await workbench.use({ files, file: ALL, settings });
    await workbench.ready();
    await workbench.goTo(ALL, 'n * 10');
    await workbench.press('Control+Enter');
    await workbench.notification('there is no kernel `of-mine`; there are: python3 (python)');
    await picture('setting');
    assert.deepEqual(await outputs(), []);
  });
}
