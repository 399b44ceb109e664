// What VS Code does for Markdown, it does for message files: links by pasting, pictures, paths,
// the user's own settings, and the language mode that somebody chooses.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { becomes, until } from '../workbench.mjs';

const FILE = 'talk.msg.md';
const TALK =
  '# %% Question[^ask]\n\n[^ask]: [markdown]\n\nRead the manual first.\n\n```\nthe code\n```\n\nEnd.\n';
const STF = '@user\nRead the manual first.\n';
const SECTIONED = '---\nmessage_section: Talk\n---\n\n# Talk\n\n# %% Hi[^m1]\n\n[^m1]: [markdown]\n\nHi.\n';
const STILL_MS = 300;
// As the protocol of the browser numbers them.
const COPY = 1;
const SHIFT = 8;
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export default async function ({ step, open, picture }) {
  const workbench = await open({
    files: {
      [FILE]: TALK,
      'talk.stf': STF,
      'log.md': SECTIONED,
      'notes/my plan.md': '# The plan\n\n## Later\n',
      'sketch.png': Buffer.from(PIXEL, 'base64'),
    },
    settings: { '[markdown]': { 'editor.rulers': [40], 'editor.quickSuggestions': { other: 'on' } } },
    file: FILE,
  });
  const { page } = workbench;
  const mode = async () => await page.locator('#status\\.editor\\.mode').innerText();
  const saves = async (name, wanted) => {
    await workbench.save(name);
    await becomes(() => workbench.saved(name), wanted);
  };
  /** Puts the cursor before a word and selects it, by keys. */
  const select = async (name, word) => {
    await workbench.goTo(name, word);
    for (const _ of word) await workbench.press('Shift+ArrowRight');
  };
  const shows = (written) =>
    becomes(async () => (await workbench.shownLines()).some((line) => line.includes(written)), true);
  /** Where a line begins on the screen. */
  const startOf = async (start) => {
    const line = page.locator('.view-line', { hasText: start });
    const { x, y } = await until('a line', () => line.boundingBox());
    return { x: x + 2, y: y + 8 };
  };
  /** Drags a file from the side bar to the start of a line. */
  const dropFromExplorer = async (name, start) => {
    const row = page.locator('.explorer-folders-view .monaco-list-row', { hasText: name });
    let place;
    // A file that is new moves the others down.
    await until('the rows stand still', async () => {
      const last = place;
      place = JSON.stringify(await row.boundingBox());
      await page.waitForTimeout(STILL_MS);
      return place === last;
    });
    await row.hover();
    await page.mouse.down();
    const { x, y } = await startOf(start);
    await page.mouse.move(x + 40, y + 60, { steps: 5 });
    // Without Shift the file would be opened.
    await page.keyboard.down('Shift');
    await page.mouse.move(x, y, { steps: 5 });
    await page.mouse.up();
    await page.keyboard.up('Shift');
  };
  /** Drags a file from another program: the browser is told what the system tells it. */
  const dropFromElsewhere = async (file, start) => {
    const session = await page.context().newCDPSession(page);
    const data = { items: [], files: [file], dragOperationsMask: COPY };
    const place = await startOf(start);
    await page.keyboard.down('Shift');
    for (const type of ['dragEnter', 'dragOver', 'dragOver', 'drop'])
      await session.send('Input.dispatchDragEvent', { type, ...place, data, modifiers: SHIFT });
    await page.keyboard.up('Shift');
    await session.detach();
  };
  /** A command asks for a file of the folder; its path is typed. */
  const chooseFile = async (title, name) => {
    await workbench.run(title);
    // Until it has listed the folder, it replaces what is typed.
    await page.locator('.quick-input-list .monaco-list-row', { hasText: name }).waitFor();
    await page.keyboard.press('Control+A');
    await workbench.insert(workbench.path(name));
    await workbench.press('Enter');
    await page.waitForSelector(`.tab[data-resource-name="${FILE}"].dirty`);
  };
  let text = TALK;

  await step('an address that is pasted over words makes a link of them', async () => {
    await workbench.ready();
    await workbench.copy('https://example.org/manual');
    await select(FILE, 'the manual');
    await workbench.press('Control+V');
    text = text.replace('the manual', '[the manual](https://example.org/manual)');
    await becomes(async () => (await workbench.shownLines())[4], text.split('\n')[4]);
    await picture('pasted');
    await saves(FILE, text);
  });

  await step('in code it is pasted as it is', async () => {
    await select(FILE, 'the code');
    await workbench.press('Control+V');
    text = text.replace('the code', 'https://example.org/manual');
    await page.waitForSelector(`.tab[data-resource-name="${FILE}"].dirty`);
    await saves(FILE, text);
  });

  await step('a picture becomes a file beside the document', async () => {
    await page.evaluate(async (data) => {
      const bytes = Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0));
      const blob = new Blob([bytes], { type: 'image/png' });
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': blob })]);
    }, PIXEL);
    await workbench.goTo(FILE, 'End.');
    await workbench.press('Control+V');
    text = text.replace('End.', '![](image.png)End.');
    await becomes(() => fs.existsSync(workbench.path('image.png')), true);
    await page.waitForSelector(`.tab[data-resource-name="${FILE}"].dirty`);
    await saves(FILE, text);
    // The browser writes it anew.
    const written = fs.readFileSync(workbench.path('image.png'));
    assert.equal(written.subarray(1, 4).toString(), 'PNG');
  });

  await step('a file that is dropped with Shift is linked', async () => {
    await dropFromExplorer('talk.stf', 'End.');
    await shows('[talk.stf](talk.stf)');
    await picture('dropped');
    text = text.replace('![](image.png)', '[talk.stf](talk.stf)![](image.png)');
    await saves(FILE, text);
  });

  await step('a picture of the folder that is dropped with Shift is shown', async () => {
    await dropFromExplorer('sketch.png', '[the manual]');
    await shows('![](sketch.png)');
    text = text.replace('Read [', '![](sketch.png)Read [');
    await saves(FILE, text);
  });

  await step('a picture that is dropped from elsewhere becomes a file beside the document', async () => {
    const dropped = path.join(workbench.home, 'from elsewhere.png');
    fs.writeFileSync(dropped, Buffer.from(PIXEL, 'base64'));
    await dropFromElsewhere(dropped, 'End.');
    await shows('![](image-1.png)');
    await picture('dropped-from-elsewhere');
    text = text.replace('[talk.stf](talk.stf)', '![](image-1.png)[talk.stf](talk.stf)');
    await saves(FILE, text);
    // It is written after the link.
    const copy = workbench.path('image-1.png');
    await until('the copy', () => fs.existsSync(copy) && fs.readFileSync(copy).equals(fs.readFileSync(dropped)));
  });

  await step('paths and headings are offered in a link, and chosen by the arrow keys', async () => {
    await workbench.goTo(FILE, '[talk.stf]');
    await workbench.type('[plan](no');
    const rows = page.locator('.suggest-widget.visible .monaco-list-row');
    const choose = async (label) => {
      await rows.filter({ hasText: label }).first().waitFor();
      while (!(await rows.filter({ hasText: label }).first().getAttribute('class')).includes('focused'))
        await workbench.press('ArrowDown');
      await workbench.press('Enter');
    };
    await choose('notes/');
    await workbench.press('Control+Space');
    await picture('paths');
    await choose('my plan.md');
    await workbench.type('#');
    await choose('later');
    await workbench.type(') ');
    text = text.replace('[talk.stf]', '[plan](notes/my%20plan.md#later) [talk.stf]');
    await saves(FILE, text);
  });

  await step('a file is chosen, and linked', async () => {
    await workbench.goTo(FILE, 'End.');
    await chooseFile('msgls: Insert Link to File…', 'talk.stf');
    // The cursor stands where its name goes.
    await workbench.type('talk');
    text = text.replace('End.', '[talk](talk.stf)End.');
    await saves(FILE, text);
  });

  await step('a picture is chosen, and shown', async () => {
    await workbench.goTo(FILE, 'End.');
    await chooseFile('msgls: Insert Image…', 'sketch.png');
    // The cursor stands where the words go that take its place.
    await workbench.type('a sketch');
    text = text.replace('End.', '![a sketch](sketch.png)End.');
    await saves(FILE, text);
  });

  await step('who types a link to its end gets what was typed', async () => {
    await workbench.goTo(FILE, '[plan]');
    const typed = 'a (b) c/d #e [f](notes/g.md#h) i/j\nk';
    await page.keyboard.type(typed, { delay: 110 });
    text = text.replace('[plan]', `${typed}[plan]`);
    await saves(FILE, text);
    await becomes(
      async () => (await workbench.problems()).filter((row) => row.includes('MSG605')),
      ['Warning msgls(MSG605) [Ln 11, Col 34] there is no file `notes/g.md`'],
    );
  });

  await step('an address makes a link in the Simple Text Format, too', async () => {
    await workbench.openFile('talk.stf');
    await workbench.copy('https://example.org/manual');
    await select('talk.stf', 'the manual');
    await workbench.press('Control+V');
    await page.waitForSelector('.tab[data-resource-name="talk.stf"].dirty');
    await saves('talk.stf', STF.replace('the manual', '[the manual](https://example.org/manual)'));
  });

  await step("the user's settings for Markdown hold, but for lists that take keys", async () => {
    const own = () => JSON.parse(fs.readFileSync(workbench.settingsFile, 'utf8'));
    await becomes(() => own()['[msgmd]'], { 'editor.rulers': [40] });
    await becomes(() => own()['[stf]'], { 'editor.rulers': [40] });
    await workbench.openFile(FILE);
    await page.waitForSelector('.editor-group-container.active .view-ruler');
    await picture('settings');
  });

  await step('a language mode that somebody chooses is kept', async () => {
    const icons = page.locator('.editor-group-container.active .glyph-margin-widgets .cgmr');
    await workbench.openFile('log.md');
    await becomes(mode, 'Message File');
    await becomes(() => icons.count(), 1);
    await page.locator('#status\\.editor\\.mode').click();
    await workbench.choose('(markdown)', 'Markdown');
    await becomes(mode, 'Markdown');
    await becomes(() => icons.count(), 0);
    await workbench.focusEditor();
    await workbench.type('x');
    await workbench.press('Backspace');
    await workbench.save('log.md');
    // The server has been asked for other files meanwhile, and would have for this one.
    await workbench.openFile('talk.stf');
    await workbench.ready();
    await workbench.openFile('log.md');
    await becomes(mode, 'Markdown');
  });
}
