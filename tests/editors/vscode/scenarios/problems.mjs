// What is wrong with a file stands in the Problems panel, and a light bulb mends it.

import assert from 'node:assert/strict';
import fs from 'node:fs';

import { becomes } from '../workbench.mjs';

const FILE = 'broken.msg.md';

export default async function ({ story, step, open, picture }) {
  const { [FILE]: broken } = story.examples;
  const workbench = await open({ files: { [FILE]: broken }, file: FILE });
  const rows = (problems) => problems.map(({ row }) => row).sort();

  await step('Problems shows what the server says, and nothing else', async () => {
    await becomes(() => workbench.problems(), rows(story.problems));
    await picture('all');
  });

  await step('a light bulb offers the fix, and the problem goes with it', async () => {
    const mended = story.problems.find(({ code }) => code === 'MSG205');
    await workbench.goTo(FILE, ' = ');
    await workbench.page
      .locator('.monaco-editor :is(.lightBulbWidget, [class*="codicon-gutter-lightbulb"]):visible')
      .first()
      .click();
    await workbench.page
      .locator('.action-widget .monaco-list-row.focused', { hasText: mended.fix })
      .waitFor();
    await picture('light-bulb');
    await workbench.press('Enter');
    await becomes(
      () => workbench.problems(),
      rows(story.problems.filter((problem) => problem !== mended)),
    );
    await workbench.save(FILE);
    assert.equal(workbench.saved(FILE), broken.replace(' = ', '='));
  });

  await step('*Fix All* says how many problems it left, and why', async () => {
    const left = story.problems.filter(({ code }) => !['MSG101', 'MSG205'].includes(code));
    await workbench.run('Fix All');
    const message = await workbench.notification(`${left.length} problems are left: `);
    const text = await message.innerText();
    assert.match(text, /\d+ fixes may change the meaning \(.*MSG302.*\), 1 has no automatic fix \(MSG306\)/);
    await picture('left');
    await becomes(() => workbench.problems().then((shown) => shown.length), left.length);
    await workbench.run('Notifications: Clear All Notifications');
    await workbench.save(FILE);
  });

  await step('a rule leads to its page, which comes with the server', async () => {
    const [first] = story.problems;
    await workbench.page.locator('.markers-panel .marker-code', { hasText: first.code }).first().click();
    await workbench.page.locator('.tab', { hasText: first.code }).waitFor();
    await picture('rule');
  });

  await step('problems of a file that is deleted go when it is closed', async () => {
    fs.rmSync(workbench.path(FILE));
    await workbench.run('View: Close All Editors');
    await becomes(() => workbench.problems(), []);
  });
}
