// How it looks in the themes that come with VS Code. Judged by eye, but for what can be counted:
// the pictures in the README are made here.

import assert from 'node:assert/strict';

import { coloursOf } from '../colours.mjs';
import { becomes, previewOf } from '../workbench.mjs';

const GOOD = 'good.msg.md';
const BROKEN = 'broken.msg.md';
const FILES = '.pane-header[aria-label^="Explorer Section"]';
export const THEMES = [
  { name: 'light', theme: 'Light Modern', kind: 'vs' },
  { name: 'dark', theme: 'Dark Modern', kind: 'vs-dark' },
  { name: 'contrast', theme: 'Dark High Contrast', kind: 'hc-black' },
  { name: 'contrast-light', theme: 'Light High Contrast', kind: 'hc-light' },
];
// WCAG asks for 4.5; the dark theme's own colour for the brackets of XML has less.
const LEAST_CONTRAST = 4.1;
const FEWEST_COLOURS = 6;

export default async function ({ story, step, open, picture }) {
  const workbench = await open({ files: story.examples, file: GOOD });
  const { page } = workbench;
  await page.setViewportSize({ width: 1120, height: 700 });

  await step('a conversation with its outline', async () => {
    await workbench.ready();
    await page.locator(FILES).click();
    await page.locator('.pane-header[aria-label="Outline Section"]').click();
    await page.locator('.outline-tree .monaco-list-row').first().waitFor();
  });
  for (const theme of THEMES) {
    await step(`${theme.name}: a conversation`, async () => {
      await use(workbench, theme);
      await workbench.goTo(GOOD, 'I will look');
      await picture(`good-${theme.name}`);
      const colours = await coloursOf(page);
      assert.ok(colours.length >= FEWEST_COLOURS, JSON.stringify(colours));
      assert.deepEqual(
        colours.filter(({ contrast }) => contrast < LEAST_CONTRAST),
        [],
      );
    });
  }
  await step('a broken conversation', async () => {
    await page.locator(FILES).click();
    await workbench.openFile(BROKEN);
    await workbench.ready();
    await becomes(() => workbench.problems().then((rows) => rows.length > 0), true);
  });
  for (const theme of THEMES) {
    await step(`${theme.name}: its problems`, async () => {
      await use(workbench, theme);
      await workbench.goTo(BROKEN, 'Hangzhou.');
      await picture(`broken-${theme.name}`);
    });
  }
  await step('its page beside it', async () => {
    await workbench.openFile(GOOD);
    await workbench.press('Control+J', 'Control+B');
    await workbench.press('Control+K', 'V');
    await previewOf(page);
  });
  for (const theme of THEMES) {
    await step(`${theme.name}: its page`, async () => {
      await use(workbench, theme);
      await workbench.goTo(GOOD, 'I will look');
      await picture(`preview-${theme.name}`);
    });
  }
}

export async function use(workbench, { theme, kind }) {
  await workbench.run('Preferences: Color Theme');
  await workbench.choose(theme);
  await workbench.page.waitForSelector(`.monaco-workbench.${kind}`);
  await workbench.page.mouse.move(0, 0);
}
