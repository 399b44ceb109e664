// The formats beside the message file have what it has: colours, problems, fixes, an outline.

import assert from 'node:assert/strict';

import { wordsOf } from '../colours.mjs';
import { becomes } from '../workbench.mjs';

// What the grammar alone has to tell apart: the server's tokens are switched off here.
const PLAIN = { settings: { 'editor.semanticHighlighting.enabled': false } };
const CITIZENS = [
  {
    name: 'the Simple Text Format',
    good: 'stf/good.stf',
    broken: 'stf/broken.stf',
    coloured: ['assistant', 'get_weather', 'You help people plan trips. Be brief.'],
    at: '@end\n;user',
    code: 'STF009',
    mended: (text) => text.replace('@end\n;user', ';user'),
  },
  {
    name: 'ChatBuilder messages',
    good: 'chatbuilder/messages/trip/2.md',
    broken: 'chatbuilder/messages/broken/1.md',
    coloured: ['Block-UUID', 'role', 'print', 'Two blank lines in the text are just text.'],
    at: 'Block-UUID',
    code: 'CBM003',
    mended: (text) => text.replace('Block-UUID', '; Block-UUID'),
  },
];

export default async function ({ story, step, open, picture }) {
  const workbench = await open({ ...PLAIN, files: story.examples });
  const { page } = workbench;
  await workbench.showOutline();

  for (const { name, good, broken, coloured, at, code, mended } of CITIZENS) {
    await step(`${name}: an outline`, async () => {
      await workbench.openFile(good);
      await becomes(() => workbench.outline(), story.outlines[good]);
    });

    await step(`${name}: colours`, async () => {
      const isColoured = async () => {
        const shown = await wordsOf(page);
        const colours = coloured.map((word) => shown.find(([text]) => text === word)?.[1]);
        return colours.every(Boolean) && new Set(colours).size === colours.length;
      };
      await becomes(isColoured, true);
      await picture(good.replaceAll(/\W/g, '-'));
    });

    await step(`${name}: problems, and a light bulb that mends one`, async () => {
      await workbench.openOnly(broken);
      const all = story.all.filter(({ file }) => file === broken);
      const rows = (problems) => problems.map(({ row }) => row).sort();
      await becomes(() => workbench.problems(), rows(all));
      const fixed = all.find((problem) => problem.code === code);
      await workbench.goTo(broken, at);
      await workbench.openActions(fixed.fix);
      await picture(`${code}-fix`);
      await workbench.press('Enter');
      const codes = async () => (await workbench.problems()).filter((row) => row.includes(code));
      await becomes(codes, []);
      await workbench.save(broken.split('/').at(-1));
      assert.equal(workbench.saved(broken), mended(story.examples[broken]));
    });
  }
}
