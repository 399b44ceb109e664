// The first time: the walkthrough opens by itself in any folder, every step of it works with no
// file open, and what it opens draws no problem.

import assert from 'node:assert/strict';

import { becomes, until } from '../workbench.mjs';

export default async function ({ story, step, open, picture }) {
  const workbench = await open({
    files: { 'notes.txt': 'Nothing that is ours.\n' },
    ofMachine: {},
  });
  const { page } = workbench;
  const steps = page.locator('.gettingStartedContainer .getting-started-step');
  const titles = () => steps.locator('.step-title').allInnerTexts();
  // Newer ones call the tab by what it is.
  const tab = page.locator('.tab', { hasText: /Message Files|Welcome/ });
  const ours = page.locator('.gettingStartedContainer .getting-started-category', {
    hasText: 'Message Files',
  });
  const canBeClicked = async (found) => (await found.isVisible()) && (await found.isEnabled());
  const choose = async (title) => {
    const wanted = steps.filter({ hasText: title });
    // Newer ones show all walkthroughs when their tab is clicked.
    if ((await tab.getAttribute('aria-selected')) !== 'true') await tab.click();
    await until(`${title} can be chosen`, async () => {
      if (await canBeClicked(wanted)) return true;
      if (await canBeClicked(ours)) await ours.click();
      return false;
    });
    await wanted.locator('.step-title').click();
  };
  const button = (text) => steps.locator('.monaco-button', { hasText: text }).first();

  await step('the walkthrough opens by itself', async () => {
    await becomes(titles, [
      'Write a message',
      'Work with cells',
      'See what is wrong',
      'Know what the model sees',
      'Choose the server',
    ]);
    await picture('walkthrough');
  });

  await step('a new file opens, with its title selected', async () => {
    await choose('Write a message');
    await button('New Message File').click();
    await workbench.ready();
    await becomes(async () => (await workbench.shownLines())[0], '# %% title[^m1]');
    await page.locator('.editor-group-container.active .selected-text').first().waitFor();
  });

  await step('an example opens', async () => {
    await choose('Work with cells');
    await button('Open an Example').click();
    await workbench.ready();
    await becomes(
      async () => (await workbench.shownLines())[0],
      '# %% Plan a day by the sea[^m1]',
    );
  });

  await step('problems are shown, and there are none', async () => {
    await choose('See what is wrong');
    await button('Show Problems').click();
    await page.waitForSelector('.markers-panel');
    assert.deepEqual(await workbench.problems(), []);
    await picture('problems');
  });

  await step('what the model sees is shown beside an example', async () => {
    await choose('Know what the model sees');
    await button('What the Model Sees').click();
    await page.locator('.tab', { hasText: 'What the model sees' }).waitFor();
    await page.locator('.view-line', { hasText: /^##.user.·.m3/ }).waitFor();
    await picture('view');
  });

  await step('what is known of the server is told', async () => {
    await choose('Choose the server');
    await button('Print Debug Information').click();
    await becomes(
      async () => (await workbench.shownLines()).includes(`extension: ${story.version}`),
      true,
    );
  });

  await step('an answer that is inserted draws no problem', async () => {
    await workbench.closeEditors();
    await workbench.run('msgls: New Message File');
    await workbench.ready();
    await workbench.type('Hello');
    await workbench.press('Tab');
    await workbench.type('Is anybody there?');
    await workbench.run('msgls: Insert Output Cell Below');
    await becomes(
      async () => (await workbench.shownLines()).indexOf('[^a1]: [assistant]') > 4,
      true,
    );
    await workbench.type('Yes.');
    // Another problem shows that the panel is up to date.
    await workbench.press('Enter');
    await workbench.insert('\n# %% [^m9]\n\n[^m9]: [markdwon]\n\nText.\n');
    await becomes(async () => (await workbench.problems()).map((row) => row.slice(0, 19)), [
      'Error msgls(MSG201)',
    ]);
    await picture('inserted');
  });

  await step('it does not open a second time', async () => {
    await workbench.closeEditors();
    await page.reload();
    await page.waitForSelector('.monaco-workbench .part.statusbar');
    // The extension is there once its command is.
    await workbench.run('msgls: Open an Example Conversation');
    await workbench.ready();
    assert.equal(await page.locator('.tab', { hasText: 'Message Files' }).count(), 0);
  });
}
