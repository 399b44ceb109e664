// Changing a conversation: completion, rename, a new cell by its key, formatting.

import assert from 'node:assert/strict';

import { becomes } from '../workbench.mjs';

const FILE = 'talk.msg.md';

// The foxes take two units in UTF-16, which VS Code counts in: a wrong column would show.
const TALK = `---
agents:
  oracle:
    models: [oracle-1]
---

# %% 🦊 Question[^ask]

[^ask]: [markdown]

Will it rain?

# %%% 🦊🦊 Answer[^reply]

[^reply]: [oracle]

Let me look. The question was [^ask].

## %%% 🦊 Call[^reply.0c0ffee0]

[^reply.0c0ffee0]: [tool] name="weather"

<weather/>

## %%% 🦊 Result[^reply.0c0ffee0.1]

[^reply.0c0ffee0.1]: [tool] status="success"

It will rain. My reply is [^reply], not reply.
`;

export default async function ({ step, open, picture }) {
  const workbench = await open({ files: { [FILE]: TALK }, file: FILE });
  const { page } = workbench;
  const saves = async (wanted) => {
    await workbench.save(FILE);
    await becomes(() => workbench.saved(FILE), wanted);
  };

  await step('ids are completed in a text', async () => {
    await workbench.ready();
    await workbench.goTo(FILE, ', not reply');
    await workbench.type(' to [^');
    const row = page.locator('.suggest-widget.visible .monaco-list-row');
    await row.filter({ hasText: 'ask' }).first().waitFor();
    await picture('completion');
    await workbench.type('as');
    await becomes(
      async () => (await row.count()) > 0 && (await row.first().innerText()).startsWith('ask'),
      true,
    );
    await workbench.press('ArrowDown', 'Enter');
    await saves(TALK.replace(', not reply', ' to [^ask], not reply'));
  });

  await step(
    'F2 renames an id in its header, its definition, its children and the text',
    async () => {
      const before = workbench.saved(FILE);
      await workbench.goTo(FILE, 'reply]', 1);
      await workbench.press('F2');
      const input = page.locator('.rename-box input');
      await input.waitFor();
      assert.equal(await input.inputValue(), 'reply');
      await input.fill('größer');
      await picture('rename');
      await workbench.press('Enter');
      await page.waitForSelector(`.tab[data-resource-name="${FILE}"].dirty`);
      await saves(before.replaceAll('[^reply', '[^größer'));
    },
  );

  await step('a key puts a new cell below', async () => {
    const before = workbench.saved(FILE);
    await workbench.goTo(FILE, 'Will it rain');
    await workbench.press('Control+Semicolon', 'B');
    const cell = '# %% [^m1]\n\n[^m1]: [markdown]\n\n';
    const after = before.replace('# %%% 🦊🦊', `${cell}And then?\n\n# %%% 🦊🦊`);
    // The cursor stands where the text goes.
    await workbench.cursorAt(after.slice(0, after.indexOf('And then')).split('\n').length, 1);
    await workbench.type('And then?');
    await saves(after);
  });

  await step('formatting tidies headers and definitions, and leaves the text', async () => {
    const before = workbench.saved(FILE);
    await workbench.goTo(FILE, '# %%% 🦊🦊 Answer', '# %%%'.length);
    await workbench.insert('   ');
    await page.waitForSelector(`.tab[data-resource-name="${FILE}"].dirty`);
    await workbench.run('Format Document');
    await becomes(
      async () => (await workbench.shownLines()).some((line) => line.startsWith('# %%% 🦊🦊')),
      true,
    );
    await saves(before);
  });

  await step('an id is typed in two places at once, unless other ids are made of it', async () => {
    const before = workbench.saved(FILE);
    const linked = page.locator('.editor-group-container.active .linked-editing-decoration');
    await workbench.goTo(FILE, '[^ask]', '[^ask'.length);
    await linked.first().waitFor();
    await workbench.type('ed');
    await becomes(async () => (await workbench.shownLines()).includes('[^asked]: [markdown]'), true);
    await workbench.press('Backspace', 'Backspace');
    await workbench.goTo(FILE, '[^größer]', '[^größer'.length);
    await becomes(() => linked.count(), 0);
    await workbench.press('Control+Z', 'Control+Z');
    await saves(before);
  });

  await step('a new tool call stands behind the others, and its name is typed once', async () => {
    const before = workbench.saved(FILE);
    await workbench.goTo(FILE, 'Let me look');
    await workbench.run('msgls: Insert Tool Call Cell');
    await page.waitForSelector(`.tab[data-resource-name="${FILE}"].dirty`);
    await workbench.type('umbrella');
    await workbench.press('Tab');
    await workbench.type('<colour>red</colour>');
    await workbench.save(FILE);
    const call = /\n## %%% \[\^(größer\.\w+)\]\n\n\[\^\1\]: \[tool\] name="umbrella"\n\n<umbrella>\n<colour>red<\/colour>\n<\/umbrella>\n$/;
    assert.match(workbench.saved(FILE), call);
    assert.equal(workbench.saved(FILE).replace(call, ''), before);
  });

  await step('the context is reset where somebody says', async () => {
    const before = workbench.saved(FILE);
    await workbench.goTo(FILE, 'Will it rain');
    await workbench.run('msgls: Reset Context');
    await workbench.choose('Below', 'Below this cell');
    await page.waitForSelector(`.tab[data-resource-name="${FILE}"].dirty`);
    await workbench.save(FILE);
    const [start, end] = before.split(/(?=# %% \[\^m1\])/);
    assert.ok(workbench.saved(FILE).startsWith(start));
    assert.ok(workbench.saved(FILE).endsWith(end));
    const reset = workbench.saved(FILE).slice(start.length, -end.length);
    assert.match(reset, /^# %%% \[\^(\w+)\]\n\n\[\^\1\]: \[oracle\] boot=1 virtual=1 reset=1\n\n/);
  });
}
