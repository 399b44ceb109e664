// Code is run by a key: what it shows comes into the file, its kernel stands in the status bar, and
// what it reads is typed by a person.

import assert from 'node:assert/strict';

import { until } from '../workbench.mjs';

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
`;

export default async function ({ step, open, picture }) {
  const workbench = await open({ files: { [FILE]: TEXT }, file: FILE });
  const { page } = workbench;
  const kernel = page.locator('.statusbar-item', { hasText: 'Python 3' });
  const shows = (text) =>
    until(`${text} is shown`, async () => (await workbench.shownLines()).join('\n').includes(text));

  await step('a lens above each code cell runs it', async () => {
    await workbench.ready();
    const lens = page.locator('.codelens-decoration a', { hasText: /^Run$/ });
    await until('the lens', async () => (await lens.count()) === 2);
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
    await until('it is done', async () => (await page.getByText('c1 is running').count()) === 0);
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
    await until('it is done', async () => (await page.getByText('c2 is running').count()) === 0);
    await workbench.focusEditor();
    await workbench.save(FILE);
    assert.match(workbench.saved(FILE), /\[\^c2\.2\]: \[python\] time=\S+ status="failure"[^]*stderr> KeyboardInterrupt/);
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
  });
}
