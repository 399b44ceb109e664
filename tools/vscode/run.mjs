// Opens a real VS Code with the extension in it, in the browser: what `make run` runs.
//
//   node run.mjs --vsix FILE --python FILE --place FOLDER (--vscode FOLDER | --desktop)
//                [--folder FOLDER] [--no-browser] [--check]
//
// Without --folder, it is a new copy of examples/: whatever is tried on it, the examples stay.
// With --check, it stops as soon as VS Code has answered. With --desktop it is the VS Code that
// is installed on the machine, and stays open.

import { execFile, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';

import { findProgram, installed } from './install.mjs';
import { installExtension, makePlace, QUIET, start, writeSettings } from './server.mjs';

const EXAMPLES = fileURLToPath(new URL('../../examples', import.meta.url));
const DESKTOP = 'code';

const options = {
  vscode: { type: 'string' },
  vsix: { type: 'string' },
  python: { type: 'string' },
  place: { type: 'string' },
  folder: { type: 'string' },
  desktop: { type: 'boolean', default: false },
  'no-browser': { type: 'boolean', default: false },
  check: { type: 'boolean', default: false },
};

async function main() {
  const wanted = parseArgs({ options }).values;
  for (const name of ['vsix', 'python', 'place']) {
    if (!wanted[name]) throw new Error(`--${name} is missing`);
  }
  const place = makePlace(path.resolve(wanted.place));
  const folder = wanted.folder ? ownFolder(wanted.folder) : copyOfExamples(place);
  const interpreter = { 'msgls.interpreter': path.resolve(wanted.python) };
  writeSettings(place, { ...settings(wanted, place, folder), ...interpreter });
  // In the browser, where a program is counts only if the machine's settings say it.
  writeSettings(place, interpreter, 'Machine');
  await (wanted.desktop ? openOnDesktop : openInBrowser)(place, folder, wanted);
}

async function openInBrowser(place, folder, wanted) {
  const stopped = new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
      process.once(signal, () => resolve(signal));
  });
  const vscode = wanted.vscode && installed(path.resolve(wanted.vscode));
  if (!vscode) throw new Error('--vscode names no folder with a VS Code in it: make vscode');
  await installExtension(vscode, place, path.resolve(wanted.vsix));
  const running = await start(vscode, place);
  try {
    await show(running, folder, wanted, stopped);
  } finally {
    await running.stop();
  }
}

/** The VS Code of the desktop, with folders of its own: the person's own is left as it is. */
async function openOnDesktop(place, folder, wanted) {
  if (!findProgram(DESKTOP))
    throw new Error(`there is no \`${DESKTOP}\` on the PATH; \`make run\` needs none`);
  const own = [
    '--user-data-dir',
    path.join(place.data, 'data'),
    '--extensions-dir',
    place.extensions,
  ];
  const code = promisify(execFile);
  await code(DESKTOP, [...own, '--install-extension', path.resolve(wanted.vsix), '--force']);
  await code(DESKTOP, [...own, '--new-window', folder]);
  console.log(`VS Code is open on ${told(folder, wanted)}.`);
}

async function show(running, folder, wanted, stopped) {
  const address = running.address(folder);
  console.log(`
VS Code with msgls is open on ${told(folder, wanted)}.
Its address, for you alone:

  ${address}

Ctrl+C stops it.`);
  if (wanted.check) return;
  if (!wanted['no-browser']) openBrowser(address);
  const signal = await Promise.race([stopped, running.ended.then(() => undefined)]);
  if (!signal) throw new Error(`VS Code ended by itself:\n${running.log}`);
  console.log('\nstopped');
}

function told(folder, wanted) {
  const shown = path.relative('', folder) || folder;
  return wanted.folder ? shown : `${shown}, a new copy of examples/`;
}

function ownFolder(name) {
  const folder = path.resolve(name);
  if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`there is no folder ${name}`);
  return folder;
}

function copyOfExamples(place) {
  const folder = path.join(place.root, 'examples');
  fs.rmSync(folder, { recursive: true, force: true });
  fs.cpSync(EXAMPLES, folder, { recursive: true });
  return folder;
}

/** Kept from the last time, but for what has to be so. */
function settings(wanted, place, folder) {
  const file = path.join(place.data, 'data/User/settings.json');
  const kept = fs.existsSync(file) ? readLoosely(file) : { 'editor.minimap.enabled': false };
  return {
    ...QUIET,
    ...kept,
    // The README of a folder is what is seen first. Without one, VS Code would show its own first
    // steps in place of ours.
    'workbench.startupEditor': hasReadme(folder) ? 'readme' : 'none',
    'markdown.preview.openMarkdownLinks': 'inEditor',
    // The examples are ours. Whether another folder is trusted, its owner is asked.
    'security.workspace.trust.enabled': Boolean(wanted.folder),
  };
}

function hasReadme(folder) {
  return fs.readdirSync(folder).some((name) => /^readme/i.test(name));
}

function readLoosely(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    // VS Code allows comments in it, and half a file while somebody edits it.
    return {};
  }
}

/** Where there is a desktop. It is no matter if that fails: the address has been told. */
function openBrowser(address) {
  const { platform, env } = process;
  const hasDesktop =
    platform === 'darwin' || platform === 'win32' || env.DISPLAY || env.WAYLAND_DISPLAY;
  const opener = { darwin: 'open', win32: 'explorer' }[platform] ?? findProgram('xdg-open');
  if (!hasDesktop || !opener) return;
  const child = spawn(opener, [address], { stdio: 'ignore', detached: true });
  child.once('error', () => {});
  child.unref();
}

main().catch((error) => {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
});
