// What `make run` shows: code of an example runs by a key, with the kernel that comes with it.

import { until } from '../../workbench.mjs';

const FILE = 'good.msg.md';
const RUN = /\[\^c1\.2\]: \[python\] .*status="success".*\n\nstdout> 11\.9 km\n/;

export default async function ({ step, open, picture }) {
  const workbench = await open();
  const { page } = workbench;
  const tab = (name) => page.locator('.tab', { hasText: name }).waitFor();
  await step('it shows what there is, and first steps', async () => {
    await Promise.all([tab('README.md'), tab('Message Files (msgls)')]);
    await picture('first');
  });
  await step('a code cell of an example runs by a key', async () => {
    await workbench.openOnly(FILE);
    await workbench.ready();
    await workbench.goTo(FILE, 'print(f"{sum');
    await workbench.press('Control+Enter');
    await until('it is shown', async () => (await workbench.shownLines()).includes('# %%% [^c1.2]'));
    const kernel = { hasText: 'Python 3', hasNotText: 'is running' };
    await page.locator('.statusbar-item', kernel).first().waitFor();
    await until('it is done', async () => (await page.getByText(' is running').count()) === 0);
    await picture('run');
    // In a browser VS Code saves by itself, and a file is empty for a moment while it is written.
    await until('it is saved', () => RUN.test(workbench.saved(FILE)));
  });
}
