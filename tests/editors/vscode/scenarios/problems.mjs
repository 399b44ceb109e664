// What is wrong with a file stands in the Problems panel, and a light bulb mends it.

import assert from 'node:assert/strict';
import fs from 'node:fs';

import { becomes, frameWith } from '../workbench.mjs';

const WORKSPACE = { 'msgls.diagnostics.scope': 'workspace' };
const OPEN = 'page.msg.md';
const CLOSED = 'notes/other.msg.md';

const FILE = 'broken.msg.md';

export default async function ({ story, step, open, picture }) {
  const { [FILE]: broken } = story.examples;
  const workbench = await open({ files: { [FILE]: broken }, file: FILE });
  const codes = async () =>
    (await workbench.problems()).map((row) => /msgls\((\w+)\)/.exec(row)?.[1]);
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
    const { page } = workbench;
    const asked = [];
    const note = (request) => asked.push(new URL(request.url()).host);
    page.on('request', note);
    const [{ code }] = story.problems;
    await page.locator('.markers-panel .marker-code', { hasText: code }).first().click();
    await workbench.tab(`${code}.md`);
    const shown = await frameWith(page, `h1:has-text("${code}")`);
    await shown.getByRole('heading', { name: 'Why it matters' }).waitFor();
    await picture('rule');
    // What a frame names as its own resources, VS Code gives it without asking anybody.
    const { host } = new URL(page.url());
    const others = asked.filter((name) => name && name !== host && !/vscode-resource\./.test(name));
    assert.deepEqual(others, []);
    page.off('request', note);
  });

  await step('problems of a file that is deleted go when it is closed', async () => {
    fs.rmSync(workbench.path(FILE));
    await workbench.run('View: Close All Editors');
    await becomes(() => workbench.problems(), []);
  });

  const asked = '# %% Question[^ask]\n\n[^ask]: [markdown]\n\nWill it rain?\n';
  const wrong = asked.replace('[markdown]', '[markdown] history=never');

  await step('problems of files that are not open are shown where that is wanted', async () => {
    await open({ files: { [OPEN]: asked, [CLOSED]: wrong }, file: OPEN, settings: WORKSPACE });
    await workbench.ready();
    await becomes(() => codes(), ['MSG203']);
    await picture('workspace');
    // Another program mends it, and breaks it again.
    fs.writeFileSync(workbench.path(CLOSED), asked);
    await becomes(() => codes(), []);
    fs.writeFileSync(workbench.path(CLOSED), wrong);
    await becomes(() => codes(), ['MSG203']);
  });

  await step('and a click opens the file at its place', async () => {
    await workbench.page.locator('.markers-panel .marker-message-line').first().dblclick();
    await workbench.tab(CLOSED);
    const selection = workbench.page.locator('#status\\.editor\\.selection');
    await becomes(() => selection.innerText(), 'Ln 3, Col 33 (5 selected)');
    await workbench.run('View: Close All Editors');
    // It is closed again, and its problem stays.
    await becomes(() => codes(), ['MSG203']);
  });

  await step('else they are not', async () => {
    await open({ files: { [OPEN]: asked, [CLOSED]: wrong }, file: OPEN });
    await workbench.ready();
    await becomes(() => codes(), []);
  });
}
