// Runs the VS Code that install.mjs installs: a server on this machine only, with a workbench
// for the browser. What it is to show, and to whom, the callers know.

import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const LEASH = fileURLToPath(new URL('leash.mjs', import.meta.url));
const PATIENCE_MS = 120_000;
const GRACE_MS = 5_000;

/** Nothing is asked, fetched, tried out or told: what is opened is what is seen. */
export const QUIET = {
  'chat.commandCenter.enabled': false,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'workbench.enableExperiments': false,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

/**
 * The folders of one VS Code, all below one. Nothing outside is read or written, so that two of
 * them share nothing, and neither shares anything with the person's own.
 */
export function makePlace(root) {
  const place = {
    root,
    home: path.join(root, 'home'),
    data: path.join(root, 'data'),
    extensions: path.join(root, 'extensions'),
    token: path.join(root, 'token'),
  };
  for (const folder of [place.home, place.extensions]) fs.mkdirSync(folder, { recursive: true });
  return place;
}

/** The settings of the user or of the machine, which are read when a window is opened. */
export function writeSettings(place, settings, whose = 'User') {
  const folder = path.join(place.data, 'data', whose);
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'settings.json'), JSON.stringify(settings, undefined, 1));
}

export async function installExtension(vscode, place, vsix) {
  const args = [...commonArguments(vscode, place), '--install-extension', vsix, '--force'];
  await promisify(execFile)(vscode.node, args, { env: environment(place) });
}

function commonArguments(vscode, place) {
  return [
    vscode.main,
    '--accept-server-license-terms',
    ...['--server-data-dir', place.data],
    ...['--extensions-dir', place.extensions],
  ];
}

function environment(place) {
  const own = Object.entries(process.env).filter(([name]) => !/^(VSCODE|ELECTRON|XDG)_/.test(name));
  // The environment would be replaced by that of a login shell, unless a terminal started it.
  return { ...Object.fromEntries(own), HOME: place.home, VSCODE_CLI: '1' };
}

/** A started VS Code, once it answers, with some variables of its own. Whoever has it stops it. */
export async function start(vscode, place, variables = {}) {
  const token = randomBytes(16).toString('hex');
  // In a file: the arguments of a program can be read by everybody on the machine.
  fs.writeFileSync(place.token, token, { mode: 0o600 });
  const args = [
    LEASH,
    ...commonArguments(vscode, place),
    ...['--host', '127.0.0.1', '--port', '0'],
    ...['--connection-token-file', place.token],
    ...['--telemetry-level', 'off'],
  ];
  const child = spawn(vscode.node, args, {
    env: { ...environment(place), ...variables },
    // Its input is a leash: see leash.mjs.
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own: Ctrl+C in the terminal is for whoever started it, who then stops it.
    detached: true,
  });
  const running = new Running(child, token);
  try {
    await running.answers();
  } catch (error) {
    await running.stop();
    throw error;
  }
  return running;
}

class Running {
  #child;
  #token;
  #ended;
  port = 0;
  log = '';

  constructor(child, token) {
    this.#child = child;
    this.#token = token;
    this.#ended = new Promise((resolve) => {
      child.once('error', resolve);
      child.once('exit', resolve);
    });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (this.log += text));
  }

  get ended() {
    return this.#ended;
  }

  /** Where a folder is opened, and a file in it. The token lets its owner in, and nobody else. */
  address(folder, file) {
    const host = `127.0.0.1:${this.port}`;
    const slashes = (name) => encodeURIComponent(name).replaceAll('%2F', '/');
    const payload = file
      ? `&payload=${encodeURIComponent(JSON.stringify([['openFile', `vscode-remote://${host}${encodeURI(file)}`]]))}`
      : '';
    return `http://${host}/?tkn=${this.#token}&folder=${slashes(folder)}${payload}`;
  }

  async answers() {
    const over = AbortSignal.timeout(PATIENCE_MS);
    await this.#says(
      /Extension host agent listening on (\d+)/,
      over,
      (port) => (this.port = Number(port)),
    );
    const headers = { cookie: `vscode-tkn=${this.#token}` };
    const answer = await fetch(`http://127.0.0.1:${this.port}/`, { headers, signal: over });
    if (!answer.ok) throw new Error(`VS Code answers ${answer.status}`);
  }

  #says(pattern, over, take) {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(this.log);
        if (found) resolve(take(found[1]));
      };
      const fail = (why) => reject(new Error(`VS Code did not start: ${why}\n${this.log}`));
      this.#child.stdout.on('data', look);
      this.#ended.then(() => fail('it ended'));
      over.addEventListener('abort', () => fail('it took too long'));
    });
  }

  /** Ends it, and all that it started. */
  async stop() {
    this.#signal('SIGTERM');
    const timer = setTimeout(() => this.#signal('SIGKILL'), GRACE_MS);
    await this.#ended;
    clearTimeout(timer);
    // Its own children end by themselves when they notice; nothing is to be left behind.
    this.#signal('SIGKILL');
  }

  /** Ends it, and all that it started, as a crash does: nobody can do anything any more. */
  async kill() {
    this.#signal('SIGKILL');
    await this.#ended;
  }

  #signal(signal) {
    try {
      process.kill(-this.#child.pid, signal);
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
  }
}
