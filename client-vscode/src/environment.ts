/**
 * The environment of our own: the wheel that comes with the extension, installed once, after
 * somebody asked for it. Owns its folder in the extension's storage, and nothing outside of it.
 */
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import * as vscode from 'vscode';
import {
  installFailure,
  interpreterIn,
  type Lacking,
  missingPython,
  onPath,
  type Ran,
} from './finding';
import { english, phrase, type Text } from './phrases';
import { runProgram } from './running';
import { say } from './saying';

const PROBE_MS = 60_000;
const INSTALL_MS = 600_000;
/** Stands for a reason where somebody cancelled it: they know. */
const CANCELLED = '';
const NEW_ENOUGH = 'import sys; sys.exit(sys.version_info < (3, 11))';
const CAN_MAKE = 'import ensurepip, venv';

/** Whether a path is that of a file, or of anything else that there is. */
export function isThere(file: string): boolean {
  return existsSync(file);
}

export class PrivateEnvironment {
  readonly folder: string;
  private readonly extensionFolder: string;

  constructor(
    context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.extensionFolder = context.extensionPath;
    this.folder = path.join(context.globalStorageUri.fsPath, 'server');
  }

  /** Its interpreter, once it has been made. */
  get interpreter(): string | undefined {
    const file = interpreterIn(this.folder, process.platform);
    return isThere(file) ? file : undefined;
  }

  /** The wheel that comes with the extension, compressed. */
  get wheel(): string | undefined {
    const folder = path.join(this.extensionFolder, 'bundled');
    const names = isThere(folder) ? readdirSync(folder) : [];
    const name = names.find((file) => file.endsWith('.whl.br'));
    return name && path.join(folder, name);
  }

  /** The server as a program that needs no Python: only in the extension of some systems. */
  get program(): string | undefined {
    const name = process.platform === 'win32' ? 'msgls.exe' : 'msgls';
    const file = path.join(this.extensionFolder, 'bundled', 'server', name);
    return isThere(file) ? file : undefined;
  }

  /** What is missing for an installation; nothing where it can be tried. */
  async missing(): Promise<Text | undefined> {
    const found = await this.basePython();
    return found.lacking && missingPython(found.lacking, process.platform);
  }

  /** The version of that wheel. */
  get bundledVersion(): string | undefined {
    return this.wheel && path.basename(this.wheel).split('-')[1];
  }

  /** Make it, or bring it up to date. True if it is there in the end. */
  async install(): Promise<boolean> {
    const title = vscode.l10n.t('msgls: installing the server');
    const location = vscode.ProgressLocation.Notification;
    const failure = await vscode.window.withProgress(
      { location, title, cancellable: true },
      (progress, token) => this.installWith(progress, token),
    );
    if (failure !== undefined && failure !== CANCELLED) {
      // Not awaited: it may stay on the screen for hours.
      void this.complain(failure);
    }
    return failure === undefined;
  }

  /** Why it could not be done; nothing where it was. */
  private async installWith(
    progress: vscode.Progress<{ message: string }>,
    token: vscode.CancellationToken,
  ): Promise<Text | undefined> {
    const abort = new AbortController();
    token.onCancellationRequested(() => abort.abort());
    const step = (message: string, command: string, args: string[]) => {
      progress.report({ message });
      this.log.info(`${command} ${args.join(' ')}`);
      const onOutput = (text: string) => this.log.info(text.trimEnd());
      const options = { cwd: this.extensionFolder, timeoutMs: INSTALL_MS, onOutput };
      return runProgram(command, args, { ...options, signal: abort.signal });
    };
    const { python, lacking } = await this.basePython();
    const wheel = this.wheel;
    if (python === undefined || lacking !== undefined) {
      return missingPython(lacking ?? 'python', process.platform);
    }
    if (wheel === undefined) {
      return phrase('this extension was packaged without it.');
    }
    const isNew = this.interpreter === undefined;
    await mkdir(path.dirname(this.folder), { recursive: true });
    let ran: Ran = { code: 0, stdout: '', stderr: '' };
    if (isNew) {
      const what = vscode.l10n.t('making an environment');
      ran = await step(what, python, ['-m', 'venv', this.folder]);
    }
    if (ran.code === 0) {
      const pip = ['-m', 'pip', '--disable-pip-version-check', '--no-input', 'install'];
      const own = interpreterIn(this.folder, process.platform);
      const what = vscode.l10n.t('fetching its dependencies');
      const unpacked = await this.unpack(wheel);
      ran = await step(what, own, [...pip, '--upgrade', unpacked]);
      await rm(unpacked, { force: true });
    }
    if (ran.code === 0) {
      return undefined;
    }
    if (isNew) {
      // Half an environment would be taken for a whole one.
      await rm(this.folder, { recursive: true, force: true, maxRetries: 3 });
    }
    const output = `${ran.stdout}\n${ran.stderr}\n${ran.failure ?? ''}`;
    return ran.failure === 'cancelled' ? CANCELLED : installFailure(output);
  }

  /** Writes the wheel as pip reads it, beside the environment. */
  private async unpack(wheel: string): Promise<string> {
    const file = path.join(path.dirname(this.folder), path.basename(wheel, '.br'));
    await writeFile(file, await promisify(brotliDecompress)(await readFile(wheel)));
    return file;
  }

  /** A Python on the PATH that is new enough, and can make an environment; else what is missing. */
  private async basePython(): Promise<{ python?: string; lacking?: Lacking }> {
    let lacking: Lacking = 'python';
    for (const name of ['python3', 'python', 'py']) {
      const file = onPath([name], process.env, process.platform, isThere);
      const options = { cwd: this.extensionFolder, timeoutMs: PROBE_MS };
      if (file && (await runProgram(file, ['-c', NEW_ENOUGH], options)).code === 0) {
        lacking = 'venv';
        if ((await runProgram(file, ['-c', CAN_MAKE], options)).code === 0) {
          return { python: file };
        }
      }
    }
    return { lacking };
  }

  private async complain(reason: Text): Promise<void> {
    this.log.error(`the server was not installed: ${english(reason)}`);
    const text = vscode.l10n.t('msgls could not install its server: {reason}', {
      reason: say(reason),
    });
    const showLog = vscode.l10n.t('Show Log');
    if ((await vscode.window.showErrorMessage(text, showLog)) === showLog) {
      this.log.show(true);
    }
  }
}
