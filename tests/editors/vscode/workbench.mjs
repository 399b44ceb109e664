// A real VS Code in a headless browser, and what a person does in it: by keys, clicks and the
// command palette, never through an API. It waits for what is to be seen, and for nothing else.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { chromium } from 'playwright-core';

import { installed } from '../../../tools/vscode/install.mjs';
import {
  installExtension,
  makePlace,
  QUIET,
  start,
  writeSettings,
} from '../../../tools/vscode/server.mjs';

// For one thing to show, which takes a second or two on an idle machine. Looks are counted, too: a
// busy machine slows down both what is waited for and looking at it. A look that itself waits is
// not repeated for ever.
const PATIENCE_MS = 120_000;
const MOST_PATIENCE_MS = 300_000;
const MOST_LOOKS = 800;
const LOOK_AGAIN_MS = 50;
const PALETTE_MS = 5_000;
// High enough for the longest list: rows that are not to be seen do not exist.
const VIEWPORT = { width: 1280, height: 1200 };
// Where many keys are typed and little is looked at: what is drawn is a third of what a key costs.
// In less, VS Code shows no questions.
const SMALL_VIEWPORT = { width: 480, height: 400 };
// The spinner in the status bar would have every frame drawn while the server is at work.
const STILL = '*, *::before, *::after { animation: none !important; transition: none !important; }';

const SETTINGS = {
  ...QUIET,
  'chat.disableAIFeatures': true,
  'editor.cursorBlinking': 'solid',
  'editor.fontFamily': 'DejaVu Sans Mono',
  'editor.minimap.enabled': false,
  'editor.smoothScrolling': false,
  'files.autoSave': 'off',
  'files.hotExit': 'off',
  // Else a server that somebody else has just started on this machine is announced here.
  'remote.autoForwardPorts': false,
  'security.workspace.trust.enabled': false,
  // In newer ones, settings would open above everything, without a tab.
  'workbench.editor.useModal': 'off',
  'workbench.reduceMotion': 'on',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
};

/** What VS Code reads of the machine's settings alone. The walkthrough would cover every file. */
const OF_MACHINE = { 'workbench.welcomePage.walkthroughs.openOnInstall': false };

/** What runs, and where it is: VS Code reads it of the settings of the machine that the files are on. */
const OF_PROGRAMS = /^msgls\.(interpreter|server\..+|run\..+)$/;

/** Waits until something is neither false nor nothing, and gives it back. */
export async function until(what, look) {
  const start = Date.now();
  for (let looks = 0; ; looks += 1) {
    const seen = await look();
    if (seen) return seen;
    const waited = Date.now() - start;
    if (waited > (looks < MOST_LOOKS ? MOST_PATIENCE_MS : PATIENCE_MS)) break;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
  throw new Error(`waited in vain: ${what}`);
}

/** Waits until something is just so, and shows the difference where it never is. */
export async function becomes(look, wanted) {
  let seen;
  const isSo = async () => {
    seen = await look();
    try {
      assert.deepEqual(seen, wanted);
      return true;
    } catch {
      return false;
    }
  };
  await until('', isSo).catch(() => assert.deepEqual(seen, wanted));
}

/** Whether what asks at the top has gone, or asks for something else: this runs in the page. */
function isNoLongerAsked(text) {
  const inputs = [...document.querySelectorAll('.quick-input-widget input[type="text"]')];
  return !inputs.some((input) => input.offsetParent && input.value === text);
}

/** The frame of the preview, once it shows messages. */
export function previewOf(page) {
  return frameWith(page, 'main article');
}

/** The frame in a window that holds something. */
export function frameWith(page, selector) {
  return until('the page', async () => {
    for (const frame of page.frames()) {
      const found = await frame
        .locator(selector)
        .count()
        .catch(() => 0);
      if (found) return frame;
    }
    return undefined;
  });
}

export class Workbench {
  #vscode;
  #program;
  #running;
  #browser;
  #place;
  #settings;
  #ofMachine;

  /**
   * Installs the extension into a new VS Code with nothing else in it, and opens a folder. A story
   * without `vsix` is that of a VS Code as it comes, and one with `address` that of one that runs,
   * with a folder in it.
   */
  static async open(story, options = {}) {
    const workbench = new Workbench();
    workbench.#program = story.browser;
    try {
      await workbench.#open(story, options);
    } catch (error) {
      await workbench.close();
      throw error;
    }
    return workbench;
  }

  async #open(story, options) {
    if (story.address) {
      this.folder = story.folder;
      await this.#show(story.address, options);
      return;
    }
    const { settings, ofMachine = OF_MACHINE, files } = options;
    // One that follows another which failed has a place of its own, too.
    const root = fs.mkdtempSync(path.join(story.directory, 'vscode-'));
    this.#place = makePlace(root);
    this.#settings = { ...SETTINGS, 'msgls.interpreter': story.python };
    this.folder = path.join(root, 'examples');
    this.#lay(files);
    this.#ofMachine = ofMachine;
    for (const [whose, held] of this.#apart(settings)) writeSettings(this.#place, held, whose);
    this.#vscode = installed(story.vscode);
    if (story.vsix) await installExtension(this.#vscode, this.#place, story.vsix);
    await this.#start(options);
  }

  async #start({ environment, language, file }) {
    this.#running = await start(this.#vscode, this.#place, environment);
    await this.#show(this.#running.address(this.folder, file && this.path(file)), { language, file });
  }

  async #show(address, { language, file }) {
    this.#browser = await chromium.launch({
      executablePath: this.#program,
      // Room for what a key leaves behind in VS Code: it is collected less often.
      args: ['--disable-gpu', '--js-flags=--min-semi-space-size=64 --max-semi-space-size=128'],
      // Whoever plays the scenario closes it, after the picture that shows where it got stuck.
      handleSIGTERM: false,
    });
    const context = await this.#browser.newContext({ viewport: VIEWPORT });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    // What a language pack says when it is loaded. VS Code's own words stay English without one;
    // what extensions are asked for, and the server is told, is that language.
    if (language) await context.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = '${language}'`);
    this.page = await context.newPage();
    this.page.setDefaultTimeout(PATIENCE_MS);
    await this.page.goto(address);
    await this.page.waitForSelector('.monaco-workbench .part.statusbar');
    if (file) await this.tab(file);
  }

  /** Kills VS Code, its window and all that they started, and starts it again with what is on the disk. */
  async dieAndStart(file) {
    await this.#running.kill();
    await this.#browser.close();
    await this.#start({ file });
  }

  /**
   * Uses what is open for something else: all editors are closed, and the folder has other files.
   * What can be chosen only when VS Code starts stays as it is.
   */
  async use({ files, file, settings, ...others }) {
    assert.deepEqual(others, {}, 'this needs a VS Code of its own');
    await this.page.setViewportSize(VIEWPORT);
    await this.press('Escape');
    await this.closeEditors();
    if (await this.page.locator('.part.panel').isVisible()) await this.press('Control+J');
    if (!(await this.#showsSideBar())) await this.press('Control+B');
    await this.run('Notifications: Clear All Notifications');
    this.#lay(files);
    for (const [whose, held] of this.#apart(settings)) await this.#set(whose, held);
    if (file) await this.openFile(file);
  }

  /** Draws as little as it can, in a small window where nothing moves: keys are what counts. */
  async drawLittle() {
    if (await this.#showsSideBar()) await this.press('Control+B');
    await this.page.setViewportSize(SMALL_VIEWPORT);
    await this.page.addStyleTag({ content: STILL });
  }

  #showsSideBar() {
    return this.page.locator('.part.sidebar').isVisible();
  }

  /** The settings of the user and those of the machine, with some of them changed. */
  #apart(changed) {
    const all = Object.entries({ ...this.#settings, ...changed });
    const held = (isWanted) => Object.fromEntries(all.filter(([name]) => isWanted(name)));
    return [
      ['User', held((name) => !OF_PROGRAMS.test(name))],
      ['Machine', { ...this.#ofMachine, ...held((name) => OF_PROGRAMS.test(name)) }],
    ];
  }

  /** Makes these the settings, as a person does: what is written by others is not noticed. */
  async #set(whose, settings) {
    const set = () => JSON.parse(fs.readFileSync(this.#settingsOf(whose), 'utf8'));
    if (isDeepStrictEqual(set(), settings)) return;
    await this.run(`Preferences: Open ${whose === 'User' ? 'User' : 'Remote'} Settings (JSON)`);
    await this.tab('settings.json');
    await this.focusEditor();
    // Pasted: brackets that are typed would be closed.
    await this.copy(JSON.stringify(settings));
    await this.press('Control+A', 'Control+V');
    await this.page.waitForSelector('.tab[data-resource-name="settings.json"].dirty');
    await this.save('settings.json');
    assert.deepEqual(set(), settings);
    await this.closeEditors();
  }

  /** Nothing is saved. */
  async closeEditors() {
    await this.run('View: Close All Editors');
    const drop = this.page.locator('.monaco-dialog-box .monaco-button', { hasText: "Don't Save" });
    await until('all editors are closed', async () => {
      if (await drop.count()) await drop.first().click();
      return (await this.page.locator('.tab').count()) === 0;
    });
  }

  /** These files are in the folder, and no others. */
  #lay(files = {}) {
    fs.mkdirSync(this.folder, { recursive: true });
    for (const name of fs.readdirSync(this.folder)) fs.rmSync(this.path(name), { recursive: true });
    for (const [name, content] of Object.entries(files)) {
      fs.mkdirSync(path.dirname(this.path(name)), { recursive: true });
      // Some of them are programs.
      const mode = String(content).startsWith('#!') ? 0o755 : 0o644;
      fs.writeFileSync(this.path(name), content, { mode });
    }
  }

  /** Ends all that was started. */
  async close() {
    await this.#browser?.close();
    await this.#running?.stop();
  }

  /** What VS Code and its extensions wrote into their logs. */
  logs() {
    if (!this.#place) return '';
    const root = path.join(this.#place.data, 'data/logs');
    if (!fs.existsSync(root)) return '';
    const names = fs
      .readdirSync(root, { recursive: true })
      .filter((name) => /(remoteexthost|msgls[^/]*)\.log$|output_logging.*\//i.test(name));
    const logs = names
      .map((name) => path.join(root, name))
      .filter((file) => fs.statSync(file).isFile());
    return logs
      .map((file) => `== ${path.basename(file)}\n${fs.readFileSync(file, 'utf8')}`)
      .join('\n');
  }

  /** Where VS Code and its extensions keep what is theirs. */
  get data() {
    return this.#place.data;
  }

  /** The home of the person who uses it. */
  get home() {
    return this.#place.home;
  }

  get settingsFile() {
    return this.#settingsOf('User');
  }

  #settingsOf(whose) {
    return path.join(this.data, 'data', whose, 'settings.json');
  }

  path(name) {
    return path.join(this.folder, name);
  }

  /** What is on the disk. */
  saved(name) {
    return fs.readFileSync(this.path(name), 'utf8');
  }

  async press(...keys) {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Puts text in at once, as an input method does: nothing is closed, indented or completed. */
  async insert(text) {
    await this.page.keyboard.insertText(text);
  }

  /** Types key by key, as a person does. */
  async type(text) {
    await this.page.keyboard.type(text);
  }

  async copy(text) {
    await this.page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  }

  async screenshot(file) {
    await this.page.screenshot({ path: file });
  }

  tab(name) {
    return this.page.waitForSelector(`.tab[data-resource-name="${path.basename(name)}"]`);
  }

  /** Opens a file, and closes all others: the problems are those of this file. */
  async openOnly(name) {
    await this.closeEditors();
    await this.openFile(name);
  }

  async openFile(name) {
    const label = path.basename(name);
    const active = this.page.locator(`.tab.active[data-resource-name="${label}"]`);
    await until(`${name} is open`, async () => {
      await this.#chooseAfter('Control+P', name, label, this.#row(label));
      // A row that is drawn anew may be that of another file when the click arrives.
      return await active.first().waitFor({ timeout: PALETTE_MS }).then(() => true, () => false);
    });
    await this.focusEditor();
  }

  /** A command by its whole title, through the palette. */
  async run(title) {
    await this.#chooseAfter('F1', `>${title}`, title, this.#whole(title));
  }

  /**
   * Opens what asks at the top by a key, and chooses a row there. It lists what there is when it
   * opens, and goes when a window that is still being filled takes the focus: it is opened again.
   */
  async #chooseAfter(key, text, label, row) {
    const timeout = PALETTE_MS;
    const opens = async () => {
      await this.press(key);
      await this.#asks().fill(text, { timeout });
      await row.click({ timeout });
      // A click is lost where the row is drawn anew just then.
      await this.page.waitForFunction(isNoLongerAsked, text, { timeout });
      return true;
    };
    await until(`${label} can be chosen`, () => opens().catch(() => this.press('Escape')));
  }

  /** Types into what asks at the top, and chooses the row that is named so. */
  async choose(text, label = text) {
    await this.#asks().fill(text);
    await this.#row(label).click();
  }

  #row(label) {
    return this.page
      .locator(`.quick-input-list .monaco-list-row[aria-label^="${label}"]`)
      .first();
  }

  /** The row of a whole title. What may follow is its key, or where it is: `(127.0.0.1:80)`. */
  #whole(label) {
    const follows = [', ', ' ('].map((start) => `[aria-label^="${label}${start}"]`);
    const rows = [`[aria-label="${label}"]`, ...follows];
    return this.page.locator(`.quick-input-list .monaco-list-row:is(${rows})`).first();
  }

  /**
   * Opens the list of what can be done here, in which a row is chosen. VS Code forgets that it was
   * asked for where problems come just then: it is asked again.
   */
  async openActions(label) {
    const row = this.page.locator('.action-widget .monaco-list-row.focused', { hasText: label });
    const opens = async () => {
      await this.press('Control+.');
      await row.waitFor({ timeout: PALETTE_MS });
      return true;
    };
    await until(`${label} is offered`, () => opens().catch(() => this.press('Escape')));
  }

  /** What stands in what asks at the top. */
  async asked() {
    return await this.#asks().inputValue();
  }

  #asks() {
    return this.page.locator('.quick-input-widget:visible input[type="text"]');
  }

  /** What the server's language status says of the file in the editor. */
  async status() {
    const label = await this.page.locator('#status\\.languageStatus').getAttribute('aria-label');
    // Beside it are its details, and what others have to say, in an order of VS Code's.
    const parts = label.split(/^Editor Language Status: |, next: |, /);
    return parts.find((part) => part.startsWith('msgls')) ?? '';
  }

  /** Waits until the server runs. */
  async serverRuns() {
    await until('the server runs', async () => (await this.status()).includes(': running'));
  }

  /** Waits until the server runs and has answered for the file in the editor. */
  async ready() {
    await this.serverRuns();
    // Those that have been scrolled out of sight may come first.
    const lenses = '.editor-group-container.active .codelens-decoration > :visible';
    await this.page.waitForSelector(lenses);
  }

  async focusEditor() {
    await this.press('Control+1');
    await this.page.waitForSelector('.editor-group-container.active .monaco-editor.focused');
  }

  /** Waits until a file is in a language of ours: until then, VS Code closes brackets in its own way. */
  async isOurs() {
    await until('the language', async () => {
      const mode = await this.page.locator('#status\\.editor\\.mode').innerText();
      return !['', 'Plain Text', 'Markdown'].includes(mode);
    });
  }

  /** Puts the cursor before a text, or at an offset in it, which stands where it was saved. */
  async goTo(name, text, offset = 0) {
    const at = this.saved(name).indexOf(text);
    assert.notEqual(at, -1, `${name} has no ${text}`);
    const lines = this.saved(name)
      .slice(0, at + offset)
      .split('\n');
    const before = lines.at(-1);
    // A key that comes while the focus moves is lost: it is pressed again, as a person would.
    const opens = async () => {
      await this.focusEditor();
      await this.press('Control+G');
      await this.#asks().fill(`:${lines.length}:${before.length + 1}`, { timeout: PALETTE_MS });
      return true;
    };
    await until('the line to go to is asked for', () => opens().catch(() => false));
    await this.press('Enter');
    await this.cursorAt(lines.length, [...before].length + 1);
    await this.page.waitForSelector('.editor-group-container.active .monaco-editor.focused');
  }

  /** Waits for a place as the status bar tells it, which counts characters. */
  async cursorAt(line, column) {
    const wanted = `Ln ${line}, Col ${column}`;
    await becomes(
      async () => await this.page.locator('#status\\.editor\\.selection').innerText(),
      wanted,
    );
  }

  /** Saves a file; where another program has written it meanwhile, over that if wanted. */
  async save(name, { overwrite = false } = {}) {
    await this.press('Control+S');
    const clean = this.page.locator(`.tab[data-resource-name="${path.basename(name)}"]:not(.dirty)`);
    const asked = this.page.locator('.notification-list-item').getByText('Overwrite', { exact: true });
    await until(`${name} is saved`, async () => {
      if (overwrite && (await asked.count())) await asked.first().click();
      return (await clean.count()) > 0;
    });
  }

  /** Waits until what keys have done is drawn. */
  async isDrawn() {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (let frames = 0; frames < 2; frames += 1) await this.page.evaluate(frame);
  }

  /** The lines that can be seen in the editor. */
  async shownLines() {
    const lines = await this.page.$$eval(
      '.editor-group-container.active .view-lines > .view-line',
      (elements) => elements.map((element) => [parseFloat(element.style.top), element.textContent]),
    );
    // Blanks are shown by a space that does not break.
    return lines.sort(([a], [b]) => a - b).map(([, text]) => text.replaceAll('\u00a0', ' '));
  }

  /** The outline takes the side bar, and the files are folded away. */
  async showOutline() {
    for (const [label, wanted] of [
      ['Explorer Section', 'false'],
      ['Outline Section', 'true'],
    ]) {
      const header = this.page.locator(`.pane-header[aria-label^="${label}"]`);
      if ((await header.getAttribute('aria-expanded')) !== wanted) await header.click();
    }
  }

  /** The rows of the outline, each with a blank or two a level before its name. */
  async outline() {
    const rows = await this.page.$$eval('.outline-tree .monaco-list-row', (found) =>
      found.map((row) => [
        Number(row.getAttribute('aria-level')),
        row.querySelector('.label-name').textContent,
      ]),
    );
    return rows.map(([level, name]) => `${'  '.repeat(level - 1)}${name}`);
  }

  async showProblems() {
    if (await this.page.locator('.markers-panel').isVisible()) return;
    await this.press('Control+Shift+M');
    await this.page.waitForSelector('.markers-panel');
  }

  /** What stands in the Problems panel, sorted; it is opened where it is not. */
  async problems() {
    await this.showProblems();
    const rows = await this.page.$$eval(
      '.markers-panel .monaco-list-row:has(.marker-icon)',
      (found) =>
        found.map((row) => {
          const text = (name) => row.querySelector(`.marker-${name}`)?.textContent ?? '';
          const severity = row.getAttribute('aria-label').split(':')[0];
          return `${severity} ${text('source')}(${text('code')}) ${text('line')} ${text('message')}`;
        }),
    );
    return rows.sort();
  }

  /** A notification with a text in it, once it shows. */
  async notification(text) {
    const found = this.page.locator('.notification-list-item', { hasText: text }).first();
    await found.waitFor();
    return found;
  }
}
