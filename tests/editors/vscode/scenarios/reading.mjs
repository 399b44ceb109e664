// Finding one's way in a conversation: outline, folding, hover.

import assert from 'node:assert/strict';

import { becomes } from '../workbench.mjs';

const FILE = 'good.msg.md';

export default async function ({ story, step, open, picture }) {
  const { [FILE]: good } = story.examples;
  const workbench = await open({ files: { [FILE]: good }, file: FILE });
  const { page } = workbench;

  await step('the outline shows the cells, nested', async () => {
    await workbench.showOutline();
    await becomes(() => workbench.outline(), story.outlines[FILE]);
    await picture('outline');
  });

  await step('a click in the outline jumps to the cell', async () => {
    const line = good.split('\n').findIndex((text) => text.includes('[^a2]')) + 1;
    await page.locator('.outline-tree .monaco-list-row', { hasText: 'Two days on foot' }).click();
    await becomes(
      async () =>
        (await page.locator('#status\\.editor\\.selection').innerText()).startsWith(`Ln ${line},`),
      true,
    );
  });

  await step('a cell folds to its header, and unfolds again', async () => {
    await workbench.goTo(FILE, '# %%% Two days on foot');
    // A lens takes a line. Those of this cell come last, with all others.
    await page.locator('.codelens-decoration', { hasText: 'Exclude' }).first().waitFor();
    const before = await workbench.shownLines();
    assert.ok(before.includes('| day | morning | afternoon |'));
    await workbench.press('Control+Shift+BracketLeft');
    await becomes(
      async () => (await workbench.shownLines()).includes('| day | morning | afternoon |'),
      false,
    );
    const lines = await workbench.shownLines();
    const header = lines.findIndex((text) => text.startsWith('# %%% Two days on foot'));
    assert.match(lines.slice(header + 1).find(Boolean), /^# %% 请翻译/);
    await workbench.press('Control+Shift+BracketRight');
    await becomes(() => workbench.shownLines(), before);
  });

  await step('a hover on a nonce tells of the call', async () => {
    await workbench.goTo(FILE, '9f3d27c1.1', 2);
    await workbench.press('Control+K', 'Control+I');
    const hover = page.locator('.monaco-hover:visible');
    await becomes(async () => (await hover.innerText()).includes('get_weather'), true);
    await picture('hover');
  });
}
