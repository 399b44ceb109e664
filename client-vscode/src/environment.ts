/**
 * The environment of our own: the wheel that comes with the extension, installed once, after
 * the user asked for it. Owns its folder in the extension's storage, and nothing outside of it.
 */
import { existsSync as isThere, readdirSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import * as vscode from 'vscode';
import { installFailure, interpreterIn, missingPython, onPath, withoutWheel } from './finding';
import { type Ran, runProgram } from './running';
import { english, phrase, say, type Text } from './texts';

const PROBE_MS = 60_000;
const INSTALL_MS = 600_000;
const PYTHONS = ['python3', 'python', 'py', 'python3.14', 'python3.13', 'python3.12', 'python3.11'];
/** Says whether every library is ready-made for it, or may have to be built; ends with 0 if it can. */
const PROBE = `import sys
v = sys.version_info
print("old" if v < (3, 11) else "fits" if v < (3, 15) else "new", flush=True)
import ensurepip, venv`;
const PIP = ['-m', 'pip', '--disable-pip-version-check', '--no-input', 'install'];

/** Runs one step of an installation, and says so. */
type Step = (message: string, command: string, args: string[]) => Promise<Ran>;

export class PrivateEnvironment {
  readonly folder: string;
  private readonly bundled: string;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.bundled = path.join(context.extensionPath, 'bundled');
    this.folder = path.join(context.globalStorageUri.fsPath, 'server');
  }

  /** Its interpreter, once it has been made. */
  get interpreter(): string | undefined {
    const file = interpreterIn(this.folder);
    return isThere(file) ? file : undefined;
  }

  /** The wheel that comes with the extension, compressed. */
  get wheel(): string | undefined {
    const names = isThere(this.bundled) ? readdirSync(this.bundled) : [];
    const name = names.find((file) => file.endsWith('.whl.br'));
    return name && path.join(this.bundled, name);
  }

  /** The version of that wheel. */
  get bundledVersion(): string | undefined {
    return this.wheel && path.basename(this.wheel).split('-')[1];
  }

  /** The server as a program that needs no Python: only in the extension of some systems. */
  get program(): string | undefined {
    const name = process.platform === 'win32' ? 'msgls.exe' : 'msgls';
    const file = path.join(this.bundled, 'server', name);
    return isThere(file) ? file : undefined;
  }

  /** What is missing for an installation; nothing where it can be tried. */
  async missing(): Promise<Text | undefined> {
    const { python, hasAny } = await this.basePython();
    return python === undefined ? missingPython(hasAny) : undefined;
  }

  /** Make it, or bring it up to date. True if it is there in the end. */
  async install(): Promise<boolean> {
    const title = vscode.l10n.t('msgls: installing the server');
    const location = vscode.ProgressLocation.Notification;
    const abort = new AbortController();
    const failure = await vscode.window.withProgress(
      { location, title, cancellable: true },
      (progress, token) => {
        token.onCancellationRequested(() => abort.abort());
        return this.installWith((message, command, args) => {
          progress.report({ message });
          this.log.info(`${command} ${args.join(' ')}`);
          return runProgram(command, args, {
            cwd: this.context.extensionPath,
            timeout: INSTALL_MS,
            onOutput: (text) => this.log.info(text.trimEnd()),
            signal: abort.signal,
          });
        });
      },
    );
    if (failure !== undefined && !abort.signal.aborted) {
      // Not awaited: it may stay on the screen for hours.
      void this.complain(failure);
    }
    return failure === undefined;
  }

  /** Why it could not be done; nothing where it was. */
  private async installWith(step: Step): Promise<Text | undefined> {
    const { python, hasAny } = await this.basePython();
    const { wheel, folder } = this;
    if (python === undefined) {
      return missingPython(hasAny);
    }
    if (wheel === undefined) {
      return phrase('this extension was packaged without it.');
    }
    const isNew = this.interpreter === undefined;
    const own = interpreterIn(folder);
    const requirements = path.join(this.bundled, 'requirements.txt');
    const locked = [...PIP, '--require-hashes', '--requirement', requirements];
    // As pip reads it, beside the environment.
    const unpacked = path.join(path.dirname(folder), path.basename(wheel, '.br'));
    const steps: Parameters<Step>[] = [
      [vscode.l10n.t('making an environment'), python, ['-m', 'venv', folder]],
      [vscode.l10n.t('fetching its dependencies'), own, [...locked, '--only-binary', ':all:']],
      [
        vscode.l10n.t('installing it'),
        own,
        [...PIP, '--no-index', '--no-deps', '--upgrade', unpacked],
      ],
    ];
    await mkdir(path.dirname(folder), { recursive: true });
    await writeFile(unpacked, await promisify(brotliDecompress)(await readFile(wheel)));
    let failure: Text | undefined;
    for (const [message, command, args] of steps.slice(isNew ? 0 : 1)) {
      let ran = await step(message, command, args);
      const name = ran.code === 0 ? undefined : withoutWheel(outputOf(ran));
      if (name !== undefined) {
        ran = await step(vscode.l10n.t('building {name}', { name }), own, locked);
      }
      if (ran.code !== 0) {
        failure = installFailure(outputOf(ran), name);
        break;
      }
    }
    await rm(unpacked, { force: true });
    if (failure !== undefined && isNew) {
      // Half an environment would be taken for a whole one.
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    }
    return failure;
  }

  /** A Python on the PATH that is new enough and makes environments; or whether one is new enough. */
  private async basePython(): Promise<{ python?: string | undefined; hasAny: boolean }> {
    const options = { cwd: this.context.extensionPath, timeout: PROBE_MS };
    let hasAny = false;
    let newer: string | undefined;
    for (const python of PYTHONS.flatMap((name) => onPath(name) ?? [])) {
      const { code, stdout } = await runProgram(python, ['-c', PROBE], options);
      const age = stdout.trim();
      if (age === 'fits' && code === 0) {
        return { python, hasAny };
      }
      hasAny ||= age === 'fits' || age === 'new';
      newer ??= age === 'new' && code === 0 ? python : undefined;
    }
    return { python: newer, hasAny };
  }

  private async complain(failure: Text): Promise<void> {
    this.log.error(`the server was not installed: ${english(failure)}`);
    const reason = say(failure);
    const text = vscode.l10n.t('msgls could not install its server: {reason}', { reason });
    if (await vscode.window.showErrorMessage(text, vscode.l10n.t('Show Log'))) {
      this.log.show(true);
    }
  }
}

function outputOf({ stdout, stderr, failure }: Ran): string {
  return `${stdout}\n${stderr}\n${failure ?? ''}`;
}
