// Installs a real VS Code, the server build with its workbench for the browser, from the npm
// registry: `node install.mjs FOLDER`. `make run` shows the extension in it, and
// tests/editors/vscode tests it there.
//
// The package `code-server` carries that build below `lib/vscode`. It is run as it is, without
// the program around it, and so nothing has to be compiled. All is pinned: the package by its
// hash, what it needs by the lock file in it.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE = 'code-server@4.100.3'; // VS Code 1.100.3
const INTEGRITY =
  'sha512-q/Fh2DOxCRNhC/WiG/6sAhSKnj7ZACTVBaeeZ+rWjol//0FCbl/qg1ln5ecZ99jYcfqMxZZAyWcN+YBIo0DgpA==';
const NODE_NEEDED = 20;

// Compiled modules that are missed: in plain JavaScript they do as well.
const REPLACED = { 'spdlog.cjs': '@vscode/spdlog', 'watchdog.cjs': 'native-watchdog' };

const here = path.dirname(fileURLToPath(import.meta.url));

/** The VS Code in a folder, to be run by Node; undefined where there is none, or an older one. */
export function installed(folder) {
  const root = path.join(folder, 'lib/vscode');
  const isThere = readIfThere(path.join(folder, '.installed')) === fingerprint();
  return isThere ? path.join(root, 'out/server-main.js') : undefined;
}

/** Changes when anything that is installed does. */
function fingerprint() {
  const hash = createHash('sha256');
  for (const name of ['install.mjs', ...Object.keys(REPLACED)])
    hash.update(fs.readFileSync(path.join(here, name)));
  return hash.digest('hex');
}

function readIfThere(file) {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined;
}

function install(folder) {
  const [major] = process.versions.node.split('.');
  if (Number(major) < NODE_NEEDED)
    throw new Error(`VS Code needs Node ${NODE_NEEDED} or newer, and this is ${process.version}`);
  console.log(`installing VS Code (${PACKAGE}, 45 MB) into ${path.relative('', folder)}`);
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  unpack(folder);
  const root = path.join(folder, 'lib/vscode');
  // Its lock file leaves out one peer, which is in no code that runs here.
  npm(root, 'ci', '--ignore-scripts', '--omit=dev', '--legacy-peer-deps');
  mend(root);
  // Last: what was interrupted is done again.
  fs.writeFileSync(path.join(folder, '.installed'), fingerprint());
}

function unpack(folder) {
  const [packed] = JSON.parse(npm(folder, 'pack', '--json', PACKAGE));
  const archive = path.join(folder, packed.filename);
  const found = `sha512-${createHash('sha512').update(fs.readFileSync(archive)).digest('base64')}`;
  if (found !== INTEGRITY) throw new Error(`${PACKAGE} is not what it was: ${found}`);
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
  for (const [name, module] of Object.entries(REPLACED)) {
    fs.copyFileSync(path.join(here, name), path.join(modules, module, 'index.js'));
  }
  // Search and the list of files need ripgrep. Nothing else does.
  const ripgrep = path.join(modules, '@vscode/ripgrep/bin/rg');
  const found = findProgram('rg');
  if (found && !fs.existsSync(ripgrep)) {
    fs.mkdirSync(path.dirname(ripgrep), { recursive: true });
    fs.symlinkSync(found, ripgrep);
  }
}

export function findProgram(name) {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  return folders.map((folder) => path.join(folder, name)).find((file) => fs.existsSync(file));
}

function main() {
  const [folder] = process.argv.slice(2).map((name) => path.resolve(name));
  if (!folder) throw new Error('usage: node install.mjs FOLDER');
  if (!installed(folder)) install(folder);
}

if (process.argv[1] && fs.realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    main();
  } catch (error) {
    console.error(`error: ${error.message}`);
    process.exitCode = 1;
  }
}
