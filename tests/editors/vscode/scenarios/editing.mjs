// Editing at random: keys of all kinds, pressed in a message file and in plain text, give the same
// text. What a key does is VS Code's business alone.

import assert from 'node:assert/strict';

import { typeKeys } from '../typing.mjs';

const PLAIN = 'plain.txt';
const SAVED_EVERY = 10;
// What VS Code itself does differently for plain text. Names that are edited together have a
// scenario of their own.
const ALIKE = {
  'editor.autoClosingBrackets': 'never',
  'editor.autoClosingQuotes': 'never',
  'editor.autoIndent': 'none',
  'editor.autoSurround': 'never',
  'editor.linkedEditing': false,
  'editor.quickSuggestions': false,
  'editor.wordBasedSuggestions': 'off',
  'editor.wordWrap': 'off',
  'files.trimTrailingWhitespace': false,
};
const SETTINGS = {
  '[msgmd]': ALIKE,
  '[stf]': ALIKE,
  '[chatbuilder]': ALIKE,
  // It would ask whether to remove U+2028. In our languages that is an ordinary character.
  '[plaintext]': { ...ALIKE, 'editor.unusualLineTerminators': 'off' },
};

export default async function ({ story, step, open }) {
  for (const { file, start, actions, everyMs } of story.editing) {
    const workbench = await open({ files: { [file]: start, [PLAIN]: start }, file, settings: SETTINGS });
    await workbench.drawLittle();
    await workbench.serverRuns();

    /** What is saved on the way: the first difference tells which keys made it. */
    const edit = async (name) => {
      const texts = [];
      await workbench.openOnly(name);
      if (name === file) await workbench.isOurs();
      // Where the cursor was last time is remembered.
      await workbench.press('Control+Home');
      for (const [index, { text, key }] of actions.entries()) {
        if (key) await workbench.press(key);
        else await typeKeys(workbench.page, text, everyMs);
        if ((index + 1) % SAVED_EVERY) continue;
        await workbench.save(name);
        texts.push(workbench.saved(name));
      }
      return texts;
    };

    await step(`${file}: ${actions.length} actions`, async () => {
      const wanted = await edit(PLAIN);
      const texts = await edit(file);
      const at = texts.findIndex((text, index) => text !== wanted[index]);
      const last = actions.slice(at * SAVED_EVERY, (at + 1) * SAVED_EVERY);
      assert.equal(texts[at], wanted[at], JSON.stringify(last));
    });
  }
}
