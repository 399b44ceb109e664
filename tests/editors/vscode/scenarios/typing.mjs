// Typing is sacred: what is typed, key by key, is what is saved. The server runs, or it is just being
// started, or stopped, or slow; another program appends to the file; or all of it is undone.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { typeKeys } from '../typing.mjs';
import { until } from '../workbench.mjs';

const SLOW_PROGRAM = new URL('../slow.py', import.meta.url).pathname;
const APPENDED = 'written by a program\n';
const MOST_UNDONE = 5_000;
// VS Code closes, indents and completes JSON by itself: without that, what is left would be our doing.
const PLAIN_JSON = {
  'editor.autoClosingBrackets': 'never',
  'editor.autoClosingQuotes': 'never',
  'editor.autoIndent': 'none',
  'editor.wordBasedSuggestions': 'off',
};

export default async function (stage) {
  for (const typing of stage.story.typing) await typeAll(stage, typing);
}

async function typeAll({ story, step, open, picture }, typing) {
  const { pages, everyMs, circumstance } = typing;
  const files = Object.fromEntries(pages.map(({ file, start }) => [file, start]));
  const [first] = pages;
  const settings = {
    'msgls.interpreter': interpreter(story, circumstance),
    // As on a desktop: in a browser, VS Code keeps what is around the cursor ready for a screen
    // reader, at each key.
    'editor.accessibilitySupport': 'off',
    '[json]': PLAIN_JSON,
  };
  const workbench = await open({ files, file: first.file, settings });
  await workbench.drawLittle();

  for (const { name, file, start, text } of pages) {
    await step(`${name}: every ${everyMs} ms, ${circumstance}`, async () => {
      if (file !== first.file) await workbench.openFile(file);
      await workbench.focusEditor();
      await workbench.isOurs();
      // Of files that stay JSON the status says nothing.
      const tells = !file.endsWith('.json') || file.endsWith('.messages.json');
      if (tells && !['starting', 'stopped'].includes(circumstance)) await workbench.serverRuns();
      await workbench.press('Control+End');
      await typeIn(workbench, file, text);
      await picture(`${name.replaceAll(' ', '-')}-${circumstance}-${everyMs}`);
      const breaks = start.includes('\r\n') ? '\r\n' : '\n';
      let wanted = start + text.replaceAll('\n', breaks);
      if (circumstance === 'undone') {
        await undoAll(workbench, file);
        await workbench.type('x');
        wanted = `${start}x`;
      }
      await workbench.save(file, { overwrite: circumstance === 'appended' });
      const saved = workbench.saved(file).replace(APPENDED, '');
      assert.equal(saved, wanted);
    });
  }

  async function typeIn(workbench, file, text) {
    if (circumstance !== 'appended') return await typeKeys(workbench.page, text, everyMs);
    // Once while the editor has nothing that is not saved, and once while it has.
    const half = Math.floor(text.length / 2);
    await typeKeys(workbench.page, text.slice(0, half), everyMs);
    await workbench.save(file);
    fs.appendFileSync(workbench.path(file), APPENDED);
    await typeKeys(workbench.page, text.slice(half), everyMs);
    fs.appendFileSync(workbench.path(file), APPENDED);
  }
}

/** A file is not dirty where all that was typed is undone. */
async function undoAll(workbench, file) {
  const tab = `.tab[data-resource-name="${path.basename(file)}"]`;
  let undone = 0;
  await until('everything is undone', async () => {
    for (let times = 0; times < 20; times += 1) await workbench.press('Control+Z');
    undone += 20;
    assert.ok(undone < MOST_UNDONE, 'undoing does not end');
    return (await workbench.page.locator(`${tab}.dirty`).count()) === 0;
  });
}

/** A Python that is as the circumstance wants it. */
function interpreter(story, circumstance) {
  const script = {
    starting: `case "$*" in *serve*) sleep 20;; esac\nexec '${story.python}' "$@"`,
    stopped: 'exit 1',
    slow: `case "$*" in *serve*) exec '${story.python}' '${SLOW_PROGRAM}' '${story.python}' "$@";; esac
exec '${story.python}' "$@"`,
  }[circumstance];
  if (!script) return story.python;
  const file = path.join(story.directory, `python-${circumstance}`);
  fs.writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return file;
}
