// A conversation can be read in the themes that come with VS Code: parts of it have colours of their
// own, and each is told from what is behind it.

import assert from 'node:assert/strict';

import { coloursOf } from '../colours.mjs';

const FILE = 'good.msg.md';
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
  const workbench = await open({ files: { [FILE]: story.examples[FILE] }, file: FILE });
  await workbench.ready();

  for (const theme of THEMES) {
    await step(`the colours of ${theme.theme}`, async () => {
      await use(workbench, theme);
      await workbench.goTo(FILE, 'I will look');
      await picture(theme.name);
      const colours = await coloursOf(workbench.page);
      assert.ok(colours.length >= FEWEST_COLOURS, JSON.stringify(colours));
      assert.deepEqual(
        colours.filter(({ contrast }) => contrast < LEAST_CONTRAST),
        [],
      );
    });
  }
}

export async function use(workbench, { theme, kind }) {
  await workbench.run('Preferences: Color Theme');
  await workbench.choose(theme);
  await workbench.page.waitForSelector(`.monaco-workbench.${kind}`);
  await workbench.page.mouse.move(0, 0);
}
