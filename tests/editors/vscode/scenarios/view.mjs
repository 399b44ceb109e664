// What the model sees, beside the file: it follows the typing and the cursor, both ways; a hidden
// cell says why. And conversion, which opens a document beside.

import assert from 'node:assert/strict';

import { becomes, until } from '../workbench.mjs';

const FILE = 'talk.msg.md';
const VIEW = 'What the model sees · talk.md';

// The foxes take two units in UTF-16, which VS Code counts in: a wrong column would show.
const TALK = `---
default_agent: oracle
agents:
  oracle:
    models: [oracle-1]
    system_prompt: Speak in riddles.
    context_window: 60
    max_output_tokens: 20
  clerk:
    system_prompt: Speak plainly.
---

# %% 🦊 Question[^ask]

[^ask]: [markdown]

🦊🦊 Will it rain?

# %% A note to myself[^note]

[^note]: [markdown] history=exclude

Do not forget the umbrella.

# %%% Answer[^reply]

[^reply]: [oracle]

The clouds know 🦊.
`;

export default async function ({ step, open, picture }) {
  const workbench = await open({ files: { [FILE]: TALK }, file: FILE });
  const { page } = workbench;
  const view = page.locator('.editor-group-container').filter({
    has: page.locator(`.tab.active[data-resource-name="${VIEW}"]`),
  });
  const shown = async () => {
    const lines = await view
      .locator('.view-lines > .view-line')
      .evaluateAll((found) => found.map((e) => [parseFloat(e.style.top), e.textContent]));
    return lines
      .sort(([a], [b]) => a - b)
      .map(([, text]) => text.replaceAll('\u00a0', ' '))
      .filter(Boolean);
  };
  const status = (id) => page.locator(`#msgls\\.msgls\\.${id}, [id$="msgls.${id}"]`).first();

  await step('the tokens stand in the status bar, with their budget', async () => {
    await workbench.ready();
    await becomes(
      async () => /^≈ \d+ \/ 40 tokens$/.test(await status('tokens').innerText()),
      true,
    );
  });

  await step('the view opens beside, and the file keeps the focus', async () => {
    await workbench.goTo(FILE, 'Will it rain');
    await workbench.run('msgls: What the Model Sees');
    await workbench.tab(VIEW);
    await becomes(shown, [
      '## system · prompt of oracle',
      'Speak in riddles.',
      '## user · ask',
      '🦊🦊 Will it rain?',
      '## assistant · reply · oracle',
      'The clouds know 🦊.',
    ]);
    await page.waitForSelector('.editor-group-container.active .tab.active[data-resource-name="talk.msg.md"]');
  });

  await step('the view follows the typing', async () => {
    await workbench.goTo(FILE, ' rain?');
    await workbench.type(' really');
    await becomes(async () => (await shown())[3], '🦊🦊 Will it really rain?');
    await picture('beside');
  });

  await step('typing past the budget warns', async () => {
    await workbench.save(FILE);
    await workbench.goTo(FILE, 'The clouds');
    await workbench.insert('It may, and it may not, and who could say so. '.repeat(6));
    await until('the status bar warns', async () =>
      (await status('tokens').getAttribute('class')).includes('warning-kind'),
    );
    await picture('over');
    await workbench.run('File: Revert File');
    await until('all is well', async () =>
      !(await status('tokens').getAttribute('class')).includes('warning-kind'),
    );
  });

  await step('a hidden cell says why', async () => {
    await workbench.goTo(FILE, 'umbrella');
    await becomes(
      async () => (await status('why').innerText()).trim(),
      'The model does not see this: history=exclude',
    );
    await picture('hidden');
    await workbench.goTo(FILE, 'clouds');
    await status('why').waitFor({ state: 'hidden' });
  });

  await step('a click in the view moves the cursor in the file', async () => {
    await view.locator('.view-line', { hasText: 'really rain' }).click({ position: { x: 2, y: 5 } });
    await page.waitForSelector(`.editor-group-container.active .tab.active[data-resource-name="${VIEW}"]`);
    const line = workbench.saved(FILE).split('🦊🦊')[0].split('\n').length;
    // Where the cursor is can be read off the status bar, once the file has the focus.
    await becomes(async () => {
      await workbench.press('Control+1');
      return await page.locator('#status\\.editor\\.selection').innerText();
    }, `Ln ${line}, Col 1`);
    await picture('clicked');
  });

  await step('another agent sees it', async () => {
    await workbench.focusEditor();
    await workbench.run('msgls: What the Model Sees: Choose Agent…');
    await workbench.choose('clerk');
    await becomes(async () => (await shown()).slice(0, 2), [
      '## system · prompt of clerk',
      'Speak plainly.',
    ]);
    await becomes(
      async () => /^≈ \d+ tokens$/.test(await status('tokens').innerText()),
      true,
    );
  });

  await step('what the model does not see is folded', async () => {
    await workbench.focusEditor();
    await workbench.run('msgls: Fold What the Model Does Not See');
    await becomes(
      async () => (await workbench.shownLines()).some((line) => line.includes('umbrella')),
      false,
    );
    assert.ok((await workbench.shownLines()).some((line) => line.includes('Will it')));
    await picture('folded');
  });

  await step('all that follows is excluded', async () => {
    await workbench.goTo(FILE, '# %%% Answer');
    await workbench.run('msgls: Exclude from Here');
    await becomes(async () => (await shown()).at(-1), '🦊🦊 Will it really rain?');
    await workbench.press('Control+Z');
    await becomes(async () => (await shown()).at(-1), 'The clouds know 🦊.');
  });

  await step('it is converted into a document beside', async () => {
    await workbench.focusEditor();
    await workbench.run('msgls: Convert to…');
    await workbench.choose('Simple Text Format (@)');
    await page.waitForSelector('.tab.active[data-resource-name^="Untitled-"]');
    await until('it is there', async () =>
      (await workbench.shownLines()).some((line) => line.includes('@user')),
    );
    await picture('converted');
  });
}
