/**
 * Which server to start. Owns the order in which servers are looked for, and the words that say
 * why one cannot be started. Knows nothing of VS Code: whoever calls says what is configured,
 * what there is, and how a program is run.
 */
import * as path from 'node:path';
import { type Phrase, phrase, type Text } from './phrases';

/** Where a server comes from, in the order in which they are tried. */
export type Origin =
  | 'command'
  | 'interpreter'
  | 'python-extension'
  | 'path'
  | 'bundled'
  | 'private';

/** A server that may be there. */
export interface Candidate {
  readonly origin: Origin;
  readonly command: string;
  /** What stands before the subcommand: `-m msgls` for an interpreter. */
  readonly args: readonly string[];
}

/** What is configured, and what there is. */
export interface Wishes {
  /** `msgls.server.command`: a program, or a program with arguments. */
  readonly serverCommand?: string | readonly string[] | undefined;
  /** `msgls.interpreter`. */
  readonly interpreter?: string | undefined;
  /** The interpreter that the Python extension has chosen. */
  readonly pythonExtension?: string | undefined;
  /** `msgls` on the PATH. */
  readonly onPath?: string | undefined;
  /** The server that comes with the extension as a program, and needs no Python. */
  readonly bundledProgram?: string | undefined;
  /** The interpreter of the environment that we have made ourselves. */
  readonly privateInterpreter?: string | undefined;
  /** Whether somebody answered a setting that does not work by "Install". */
  readonly prefersPrivate?: boolean | undefined;
}

/** What a program said before it ended. */
export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Why it could not be started or was ended: `ENOENT`, `EACCES`, `timeout`, … */
  readonly failure?: string | undefined;
}

/** Runs a program to its end. Never rejects. */
export type Run = (command: string, args: readonly string[]) => Promise<Ran>;

/** A server that answers. */
export interface Found {
  readonly candidate: Candidate;
  /** Nothing where the configured command line cannot be asked. */
  readonly version: string | undefined;
}

/** Something that was tried in vain, and why. */
export interface Tried {
  readonly candidate: Candidate;
  readonly reason: Phrase;
}

const SETTINGS: Partial<Record<Origin, string>> = {
  command: 'msgls.server.command',
  interpreter: 'msgls.interpreter',
};

const NAMES: Record<Origin, Phrase> = {
  command: phrase('the setting msgls.server.command'),
  interpreter: phrase('the setting msgls.interpreter'),
  'python-extension': phrase('the Python extension'),
  path: phrase('the PATH'),
  bundled: phrase('this extension'),
  private: phrase('the environment of this extension'),
};

/** Where a candidate comes from, in words. */
export function originName(origin: Origin): Phrase {
  return NAMES[origin];
}

/** Whether somebody asked for exactly this one: then no other one is put in its place. */
export function isExplicit(origin: Origin): boolean {
  return origin in SETTINGS;
}

/** The servers to try, the first one first. */
export function candidates(wishes: Wishes): Candidate[] {
  const found: Candidate[] = [];
  const own: Candidate | undefined = wishes.bundledProgram
    ? { origin: 'bundled', command: wishes.bundledProgram, args: [] }
    : interpreter('private', wishes.privateInterpreter);
  if (own && wishes.prefersPrivate) {
    return [own];
  }
  const [command, ...args] = commandLine(wishes.serverCommand);
  if (command) {
    found.push({ origin: 'command', command, args });
  }
  found.push(...present(interpreter('interpreter', wishes.interpreter)));
  found.push(...present(interpreter('python-extension', wishes.pythonExtension)));
  if (wishes.onPath) {
    found.push({ origin: 'path', command: wishes.onPath, args: [] });
  }
  found.push(...present(own));
  return found;
}

function interpreter(origin: Origin, command: string | undefined): Candidate | undefined {
  return command?.trim() ? { origin, command: command.trim(), args: ['-m', 'msgls'] } : undefined;
}

function present<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}

function commandLine(setting: Wishes['serverCommand']): string[] {
  const parts = typeof setting === 'string' ? [setting] : (setting ?? []);
  return parts.filter((part) => typeof part === 'string' && part.trim() !== '');
}

/** Whether a configured command line says all by itself. */
export function isWhole(candidate: Candidate): boolean {
  return candidate.args.includes('serve');
}

/** The arguments that make a candidate serve. */
export function serveArguments(candidate: Candidate, logLevel?: string): string[] {
  if (isWhole(candidate)) {
    return [...candidate.args];
  }
  const level = logLevel ? ['--log-level', logLevel] : [];
  return [...candidate.args, 'serve', '--stdio', ...level];
}

/**
 * The first candidate that answers. One that a setting names is the last that is tried: to start
 * another one in its place would hide the mistake.
 */
export async function find(
  among: readonly Candidate[],
  run: Run,
): Promise<{ found?: Found; tried: Tried[] }> {
  const tried: Tried[] = [];
  for (const candidate of among) {
    const answer = await probe(candidate, run);
    if ('version' in answer) {
      return { found: { candidate, version: answer.version }, tried };
    }
    tried.push({ candidate, reason: answer.reason });
    if (isExplicit(candidate.origin)) {
      break;
    }
  }
  return { tried };
}

async function probe(
  candidate: Candidate,
  run: Run,
): Promise<{ version: string | undefined } | { reason: Phrase }> {
  if (isWhole(candidate)) {
    return { version: undefined };
  }
  const ran = await run(candidate.command, [...candidate.args, 'version']);
  const version = /^msgls (\d\S*)\s*$/m.exec(ran.stdout)?.[1];
  return ran.code === 0 && version ? { version } : { reason: reasonOf(candidate, ran) };
}

function reasonOf(candidate: Candidate, ran: Ran): Phrase {
  const name = candidate.command;
  if (ran.failure === 'ENOENT') {
    return phrase('there is no `{name}`', { name });
  }
  if (ran.failure === 'EACCES') {
    return phrase('`{name}` may not be run', { name });
  }
  if (ran.failure === 'timeout') {
    return phrase('`{name}` does not answer', { name });
  }
  if (/No module named '?msgls'?/.test(ran.stderr)) {
    return phrase('`{name}` has no msgls', { name });
  }
  const line = lastLine(ran.stderr) || lastLine(ran.stdout) || ran.failure;
  const last = line || phrase('it says nothing');
  return phrase('`{name}` is not msgls, or does not work: {last}', { name, last });
}

function lastLine(text: string): string {
  return text.trim().split(/\r?\n/).pop()?.trim().slice(0, 200) ?? '';
}

/** What to tell of a search in vain, in one sentence or two. */
export function notFoundMessage(
  tried: readonly Tried[],
  bundledVersion: string | undefined,
  missing?: Text,
): Phrase {
  const last = tried[tried.length - 1];
  const setting = last && SETTINGS[last.candidate.origin];
  if (last && setting) {
    return phrase('The msgls server does not start: {reason}, and {setting} names it.', {
      reason: last.reason,
      setting,
    });
  }
  if (bundledVersion === undefined) {
    return phrase(
      'No msgls server was found: neither in the chosen Python environment nor on the PATH.',
    );
  }
  if (missing !== undefined) {
    return phrase(
      'No msgls server was found, and the one that comes with this extension cannot be installed yet: {missing}',
      { missing },
    );
  }
  return phrase(
    'No msgls server was found: neither in the chosen Python environment nor on the PATH. Version {version} comes with this extension; its dependencies are fetched from the package index when you install it.',
    { version: bundledVersion },
  );
}

/** What a machine lacks for an installation. */
export type Lacking = 'python' | 'venv';

/** What is missing for an installation, and how to get it on this system. */
export function missingPython(lacking: Lacking, platform: NodeJS.Platform): Phrase {
  if (lacking === 'venv') {
    return phrase(
      'this Python cannot make virtual environments. On Debian and Ubuntu: `sudo apt install python3-venv`.',
    );
  }
  if (platform === 'win32') {
    return phrase(
      'there is no Python 3.11 or newer on the PATH. In a terminal: `winget install Python.Python.3.14`, or get it from python.org. Restart VS Code then.',
    );
  }
  if (platform === 'darwin') {
    return phrase(
      'there is no Python 3.11 or newer on the PATH. In a terminal: `brew install python`, or get it from python.org. Restart VS Code then.',
    );
  }
  return phrase(
    'there is no Python 3.11 or newer on the PATH. In a terminal: `sudo apt install python3 python3-venv` (Debian, Ubuntu), `sudo dnf install python3` (Fedora), `sudo pacman -S python` (Arch).',
  );
}

/** A program on the PATH, by its whole path. Folders that are not absolute are left out. */
export function onPath(
  names: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
  isFile: (file: string) => boolean,
): string | undefined {
  const style = platform === 'win32' ? path.win32 : path.posix;
  const key = Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  const folders = (env[key] ?? '')
    .split(style.delimiter)
    .filter((folder) => style.isAbsolute(folder));
  // No .cmd and no .bat: those run in a shell, whose quoting is not that of arguments.
  const endings = platform === 'win32' ? ['.exe'] : [''];
  for (const name of names) {
    for (const folder of folders) {
      for (const ending of endings) {
        const file = style.join(folder, name + ending);
        if (isFile(file)) {
          return file;
        }
      }
    }
  }
  return undefined;
}

/** Where the interpreter of a virtual environment is. */
export function interpreterIn(environment: string, platform: NodeJS.Platform): string {
  return platform === 'win32'
    ? path.win32.join(environment, 'Scripts', 'python.exe')
    : path.posix.join(environment, 'bin', 'python');
}

/** What the variables in a path of the settings stand for. */
export interface Places {
  readonly home: string;
  /** Folders of the workspace by name, the first one first. */
  readonly folders: ReadonlyMap<string, string>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A path of the settings, with its variables filled in; unknown ones are left as they are. */
export function expand(text: string, places: Places): string {
  const [first] = places.folders.values();
  return text
    .replace(/^~(?=[\\/]|$)/, () => places.home)
    .replace(/\$\{([^}]*)\}/g, (whole, name: string) => {
      const [kind, argument] = splitOnce(name, ':');
      if (kind === 'workspaceFolder') {
        return (argument === undefined ? first : places.folders.get(argument)) ?? whole;
      }
      if (kind === 'userHome') {
        return places.home;
      }
      return kind === 'env' && argument !== undefined ? (places.env[argument] ?? '') : whole;
    });
}

function splitOnce(text: string, mark: string): [string, string | undefined] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + mark.length)];
}

/** Why an installation failed, in words for the person who asked for it. */
export function installFailure(output: string): Text {
  if (/ensurepip is not available|No module named '?(venv|ensurepip)/.test(output)) {
    return missingPython('venv', 'linux');
  }
  if (/requires a different Python|Requires-Python|requires Python/i.test(output)) {
    return phrase('this Python is too old: msgls needs 3.11 or newer.');
  }
  const unreachable =
    /NewConnectionError|Temporary failure in name resolution|Name or service not known|getaddrinfo failed|Could not fetch URL|Network is unreachable|ConnectTimeout|Max retries exceeded|ProxyError|Cannot connect to proxy|No matching distribution found|nodename nor servname/;
  if (unreachable.test(output)) {
    return phrase(
      'the package index cannot be reached. msgls itself comes with this extension, but its dependencies are fetched from the index: try again when you are online, or choose an interpreter that has msgls.',
    );
  }
  const error = output.split(/\r?\n/).filter((line) => /^\s*(error|fatal)\b/i.test(line));
  return lastLine(error.join('\n')) || lastLine(output) || phrase('it gives no reason.');
}
