// Installs a real VS Code, the server build with its workbench for the browser, from the npm
// registry: `node install.mjs FOLDER [oldest|newest]`. `make run` shows the extension in it, and
// tests/editors/vscode tests it there: in the oldest that the extension supports, and by
// `make newest` in the newest that the registry has.
//
// The package `code-server` carries that build below `lib/vscode`. It is run as it is, without
// the program around it, and so nothing has to be compiled. All is pinned: packages by their
// hashes in integrity.json (`npm view NAME@VERSION dist.integrity`), what code-server needs by the
// lock file in it.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const RELEASES = {
  oldest: { name: 'code-server@4.100.3', node: 20 }, // VS Code 1.100.3
  newest: { name: 'code-server@4.139.1', node: 24 }, // VS Code 1.139
};

// Compiled modules that are missed: in plain JavaScript they do as well.
const REPLACED = {
  'spdlog.cjs': ['@vscode/spdlog'],
  'watchdog.cjs': ['native-watchdog', '@vscode/native-watchdog'],
};

const here = path.dirname(fileURLToPath(import.meta.url));
const INTEGRITY = JSON.parse(fs.readFileSync(path.join(here, 'integrity.json'), 'utf8'));

/** The VS Code in a folder, and the Node that runs it; undefined where there is none like that. */
export function installed(folder) {
  const release = readIfThere(path.join(folder, '.installed'))?.split(' ')[0];
  if (!isInstalled(folder, release)) return undefined;
  const main = path.join(folder, 'lib/vscode/out/server-main.js');
  return { main, node: isNewEnough(RELEASES[release]) ? process.execPath : nodeIn(folder) };
}

function isInstalled(folder, release) {
  return readIfThere(path.join(folder, '.installed')) === `${release} ${fingerprint()}`;
}

/** Changes when anything that is installed does. */
function fingerprint() {
  const hash = createHash('sha256');
  for (const name of ['install.mjs', 'integrity.json', ...Object.keys(REPLACED)])
    hash.update(fs.readFileSync(path.join(here, name)));
  return hash.digest('hex');
}

function isNewEnough({ node }) {
  return Number(process.versions.node.split('.')[0]) >= node;
}

/** A Node of its own, where the one that runs this is too old. */
function nodeIn(folder) {
  return path.join(folder, 'node', process.platform === 'win32' ? 'bin/node.exe' : 'bin/node');
}

function readIfThere(file) {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined;
}

function install(folder, name) {
  const release = RELEASES[name];
  console.log(`installing VS Code (${release.name}) into ${path.relative('', folder)}`);
  fs.rmSync(folder, { recursive: true, force: true });
  unpack(release.name, folder);
  if (!isNewEnough(release)) {
    const system = process.platform === 'win32' ? 'win' : process.platform;
    unpack(`node-${system}-${process.arch}@${release.node}.`, path.join(folder, 'node'));
  }
  const root = path.join(folder, 'lib/vscode');
  // Its lock file leaves out one peer, which is in no code that runs here.
  npm(root, 'ci', '--ignore-scripts', '--omit=dev', '--legacy-peer-deps');
  mend(root);
  // Last: what was interrupted is done again.
  fs.writeFileSync(path.join(folder, '.installed'), `${name} ${fingerprint()}`);
}

/** Unpacks the package whose name and version begin so. */
function unpack(start, folder) {
  const name = Object.keys(INTEGRITY).find((known) => known.startsWith(start));
  if (name === undefined) throw new Error(`no hash of ${start} is known for this system`);
  fs.mkdirSync(folder, { recursive: true });
  const [packed] = JSON.parse(npm(folder, 'pack', '--json', name));
  const archive = path.join(folder, packed.filename);
  const found = `sha512-${createHash('sha512').update(fs.readFileSync(archive)).digest('base64')}`;
  if (found !== INTEGRITY[name]) throw new Error(`${name} is not what it was: ${found}`);
  execFileSync('tar', ['-xzf', archive, '-C', folder, '--strip-components=1'], {
    stdio: 'inherit',
  });
  fs.rmSync(archive);
}

function npm(cwd, ...args) {
  // Through a shell only where npm is a batch file, which cannot be started otherwise.
  const options = {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  };
  return execFileSync('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], options);
}

/** What the package's own install script would do, and compile, is done here by hand. */
function mend(root) {
  const modules = path.join(root, 'node_modules');
  // Some parts look for their modules below the name that they have in the desktop's archive.
  fs.symlinkSync(
    process.platform === 'win32' ? modules : 'node_modules',
    `${modules}.asar`,
    'junction',
  );
  for (const [name, known] of Object.entries(REPLACED)) {
    for (const folder of known.map((module) => path.join(modules, module))) {
      if (fs.existsSync(folder))
        fs.copyFileSync(path.join(here, name), path.join(folder, 'index.js'));
    }
  }
  bringRipgrep(path.join(modules, '@vscode/ripgrep'));
}

/**
 * Search and the list of files need ripgrep, which newer releases bring along. It comes from the
 * registry: that of the system may be installed while this runs, or never.
 */
function bringRipgrep(folder) {
  const own = `${folder}-${process.platform}-${process.arch}`;
  if (!fs.existsSync(folder) || fs.existsSync(path.join(folder, 'bin')) || fs.existsSync(own)) return;
  unpack(`@vscode/${path.basename(own)}@`, own);
  fs.renameSync(path.join(own, 'bin'), path.join(folder, 'bin'));
}

export function findProgram(name) {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  return folders.map((folder) => path.join(folder, name)).find((file) => fs.existsSync(file));
}

function main() {
  const [name, release = 'oldest'] = process.argv.slice(2);
  if (!name || !RELEASES[release]) throw new Error('usage: node install.mjs FOLDER [oldest|newest]');
  const folder = path.resolve(name);
  if (!isInstalled(folder, release)) install(folder, release);
}

if (process.argv[1] && fs.realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    main();
  } catch (error) {
    console.error(`error: ${error.message}`);
    process.exitCode = 1;
  }
}
