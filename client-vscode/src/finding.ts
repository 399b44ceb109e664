/**
 * Which server to start. Owns the order in which servers are looked for, and the words that say
 * why one cannot be started. The caller says what is configured, what there is, and how a program
 * is run.
 */
import { existsSync } from 'node:fs';
import * as path from 'node:path';
import type { Ran } from './running';
import { type Phrase, phrase, type Text } from './texts';

const NAMES = {
  command: phrase('the setting msgls.server.command'),
  interpreter: phrase('the setting msgls.interpreter'),
  'python-extension': phrase('the Python extension'),
  path: phrase('the PATH'),
  bundled: phrase('this extension'),
  private: phrase('the environment of this extension'),
};

/** Where a server comes from, in the order in which they are tried. */
export type Origin = keyof typeof NAMES;

const PROGRAMS: readonly Origin[] = ['command', 'path', 'bundled'];
const OWN: readonly Origin[] = ['bundled', 'private'];

/** The settings that name a server: then no other one is put in its place. */
const SETTINGS: Partial<Record<Origin, string>> = {
  command: 'msgls.server.command',
  interpreter: 'msgls.interpreter',
};

/** Why a program cannot be asked. */
const FAILURES: Readonly<Record<string, Phrase>> = {
  ENOENT: phrase('there is no `{name}`'),
  EACCES: phrase('`{name}` cannot be executed'),
  timeout: phrase('`{name}` does not answer'),
};
const HAS_NONE = phrase('`{name}` has no msgls');

/** A server that may be there. */
export interface Candidate {
  readonly origin: Origin;
  readonly command: string;
  /** What stands before the subcommand: `-m msgls` for an interpreter. */
  readonly args: readonly string[];
}

/** A server that answers; its version is not known where the command line cannot be asked. */
export type Found = Candidate & { readonly version: string | undefined };

/** What was tried in vain, and why. */
export type Tried = Candidate & { readonly reason: Phrase };

/** Runs a program to its end. Never rejects. */
export type Run = (command: string, args: readonly string[]) => Promise<Ran>;

/** Where a candidate comes from, in words. */
export function originName(origin: Origin): Phrase {
  return NAMES[origin];
}

/**
 * The servers to try, the first one first; our own alone where somebody prefers it. A program may
 * have arguments; msgls is a module of an interpreter.
 */
export function candidates(
  places: Partial<Record<Origin, string | readonly string[] | undefined>>,
  prefersOwn = false,
): Candidate[] {
  const all = (Object.keys(NAMES) as Origin[]).flatMap((origin) => {
    const [command, ...given] = [places[origin] ?? []].flat().filter((it) => it.trim());
    const args = PROGRAMS.includes(origin) ? given : ['-m', 'msgls'];
    return command === undefined ? [] : [{ origin, command: command.trim(), args }];
  });
  const own = all.filter(({ origin }) => OWN.includes(origin));
  return prefersOwn && own.length > 0 ? own : all;
}

/** Whether a configured command line says all by itself. */
export function isWhole({ args }: Candidate): boolean {
  return args.includes('serve');
}

/** The arguments that make a candidate serve. */
export function serveArguments(candidate: Candidate, logLevel?: string): string[] {
  const level = logLevel ? ['--log-level', logLevel] : [];
  return [...candidate.args, ...(isWhole(candidate) ? [] : ['serve', '--stdio', ...level])];
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
    if (isWhole(candidate)) {
      return { found: { ...candidate, version: undefined }, tried };
    }
    const ran = await run(candidate.command, [...candidate.args, 'version']);
    const version = /^msgls (\d\S*)\s*$/m.exec(ran.stdout)?.[1];
    if (ran.code === 0 && version) {
      return { found: { ...candidate, version }, tried };
    }
    tried.push({ ...candidate, reason: reasonOf(candidate.command, ran) });
    if (candidate.origin in SETTINGS) {
      break;
    }
  }
  return { tried };
}

function reasonOf(name: string, { failure = '', stdout, stderr }: Ran): Phrase {
  const hasNone = /No module named '?msgls'?/.test(stderr);
  const reason = FAILURES[failure] ?? (hasNone ? HAS_NONE : undefined);
  if (reason !== undefined) {
    return { ...reason, args: { name } };
  }
  const last = lastLine(stderr) || lastLine(stdout) || failure || phrase('it says nothing');
  return phrase('`{name}` is not msgls, or does not work: {last}', { name, last });
}

function lastLine(text: string): string {
  return text.trim().split(/\r?\n/).pop()?.trim().slice(0, 200) ?? '';
}

/** What to say about a search in vain, in one sentence or two. */
export function notFoundMessage(
  tried: readonly Tried[],
  version: string | undefined,
  missing?: Text,
): Phrase {
  const last = tried.at(-1);
  const setting = last && SETTINGS[last.origin];
  if (setting) {
    const args = { reason: last.reason, setting };
    return phrase('The msgls server does not start: {reason}, and {setting} names it.', args);
  }
  if (version === undefined) {
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
    { version },
  );
}

/** A program on the PATH, by its whole path. Folders that are not absolute are left out. */
export function onPath(
  name: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
  platform = process.platform,
  isFile: (file: string) => boolean = existsSync,
): string | undefined {
  const style = platform === 'win32' ? path.win32 : path.posix;
  const key = Object.keys(env).find((variable) => variable.toUpperCase() === 'PATH') ?? 'PATH';
  // No .cmd and no .bat: those run in a shell, whose quoting is not that of arguments.
  const ending = platform === 'win32' ? '.exe' : '';
  return (env[key] ?? '')
    .split(style.delimiter)
    .filter((folder) => style.isAbsolute(folder))
    .map((folder) => style.join(folder, name + ending))
    .find(isFile);
}

/** Where the interpreter of a virtual environment is. */
export function interpreterIn(environment: string, platform = process.platform): string {
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
export function expand(text: string, { home, folders, env }: Places): string {
  const variable = /^~(?=[\\/]|$)|\$\{([^}:]*)(?::([^}]*))?\}/g;
  return text.replace(variable, (whole, kind = 'userHome', name?: string) => {
    if (kind === 'workspaceFolder') {
      return (name === undefined ? [...folders.values()][0] : folders.get(name)) ?? whole;
    }
    if (kind === 'userHome') {
      return home;
    }
    return kind === 'env' && name !== undefined ? (env[name] ?? '') : whole;
  });
}

/** What a machine may lack for an installation, and how to get it there. */
const LACKING = {
  venv: phrase(
    'this Python cannot make virtual environments. On Debian and Ubuntu: `sudo apt install python3-venv`.',
  ),
  win32: phrase(
    'there is no Python 3.11 or newer on the PATH. In a terminal: `winget install Python.Python.3.14`, or get it from python.org. Restart VS Code then.',
  ),
  darwin: phrase(
    'there is no Python 3.11 or newer on the PATH. In a terminal: `brew install python`, or get it from python.org. Restart VS Code then.',
  ),
  linux: phrase(
    'there is no Python 3.11 or newer on the PATH. In a terminal: `sudo apt install python3 python3-venv` (Debian, Ubuntu), `sudo dnf install python3` (Fedora), `sudo pacman -S python` (Arch).',
  ),
};

/** What is missing for an installation: a Python that can make environments, or any at all. */
export function missingPython(hasPython: boolean, platform = process.platform): Phrase {
  const system = platform === 'win32' || platform === 'darwin' ? platform : 'linux';
  return LACKING[hasPython ? 'venv' : system];
}

const UNREACHABLE =
  /NewConnectionError|Temporary failure in name resolution|Name or service not known|getaddrinfo failed|Could not fetch URL|Network is unreachable|ConnectTimeout|Max retries exceeded|ProxyError|Cannot connect to proxy|nodename nor servname/;

/** What is said where an installation fails, and what that means: the first that fits counts. */
const INSTALL_FAILURES: readonly [RegExp, Phrase][] = [
  [
    /DO NOT MATCH THE HASHES[\s\S]*?^\s*([\w.-]+)==/m,
    phrase(
      'the package index has another `{name}` than the one that this extension was made with. It was not installed.',
    ),
  ],
  [/ensurepip is not available|No module named '?(?:venv|ensurepip)/, LACKING.venv],
  [
    /requires a different Python|Requires-Python|requires Python/i,
    phrase('this Python is too old: msgls needs 3.11 or newer.'),
  ],
  [
    UNREACHABLE,
    phrase(
      'the package index cannot be reached. msgls itself comes with this extension, but its dependencies are fetched from the index: try again when you are online, or choose an interpreter that has msgls.',
    ),
  ],
];

/** The first library of which the index has nothing ready-made for this machine and its Python. */
export function withoutWheel(output: string): string | undefined {
  return UNREACHABLE.test(output)
    ? undefined
    : /No matching distribution found for ([\w.-]+)/.exec(output)?.[1];
}

/**
 * Why an installation failed, in words for the person who asked for it.
 * `built` names the library that had to be built here, where one had to be.
 */
export function installFailure(output: string, built?: string): Text {
  if (built !== undefined) {
    return phrase(
      'the package index has no ready-made `{name}` for this system and its Python, and it could not be built here. Ready-made are those for Python 3.11 to 3.14 on common 64-bit systems: install such a Python, or a C compiler and Rust, and try again; or choose an interpreter that has msgls.',
      { name: built },
    );
  }
  for (const [pattern, meaning] of INSTALL_FAILURES) {
    const found = pattern.exec(output);
    if (found !== null) {
      return { ...meaning, args: { name: found[1] ?? '' } };
    }
  }
  const error = output.split(/\r?\n/).filter((line) => /^\s*(error|fatal)\b/i.test(line));
  return lastLine(error.join('\n')) || lastLine(output) || phrase('it gives no reason.');
}
