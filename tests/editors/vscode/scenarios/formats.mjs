// Every format: a file is known for what it is, and its problems are those of the command line.

import { becomes } from '../workbench.mjs';

const LANGUAGES = [
  [/\.msg\.md$|^notes/, 'Message File'],
  [/\.stf$/, 'Simple Text Format'],
  [/^chatbuilder\//, 'ChatBuilder Message'],
  [/agents\.json$/, 'JSON'],
  [/\.(messages|deltas|session)\.jsonl?$/, 'Messages (JSON)'],
];

export default async function ({ story, step, open, picture }) {
  const workbench = await open({ files: story.examples });
  const { page } = workbench;

  // What is found in every example, tests of the command line and the server compare.
  for (const [pattern, language] of LANGUAGES) {
    const [file, problems] = Object.entries(story.found).find(([name]) => pattern.test(name));
    await step(`${file} is ${language}, and has its problems`, async () => {
      await workbench.openOnly(file);
      await becomes(() => page.locator('#status\\.editor\\.mode').innerText(), language);
      await becomes(() => workbench.problems(), problems);
      await picture(file.replaceAll(/\W/g, '-'));
    });
  }

  await step('a Markdown file that holds no conversation stays what it is', async () => {
    await workbench.openFile('README.md');
    await becomes(() => page.locator('#status\\.editor\\.mode').innerText(), 'Markdown');
  });
}
