/** Runs a program to its end, and tells what it said. */
import { spawn } from 'node:child_process';
import type { Ran } from './finding';

const MOST_OUTPUT = 200_000;

export interface RunOptions {
  /** Where it runs. Never a folder of the user: `python -m` looks for modules there first. */
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  readonly onOutput?: (text: string) => void;
  readonly signal?: AbortSignal;
}

/** Never rejects: what went wrong is in the result. */
export function runProgram(
  command: string,
  args: readonly string[],
  options: RunOptions,
): Promise<Ran> {
  return new Promise((resolve) => {
    let stdout = '';
    let stderr = '';
    let failure: string | undefined;
    const done = (code: number | null) => {
      clearTimeout(timer);
      resolve({ code, stdout, stderr, failure });
    };
    const child = spawn(command, [...args], {
      cwd: options.cwd,
      ...(options.env ? { env: options.env } : {}),
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const end = (why: string) => {
      failure ??= why;
      child.kill();
    };
    const timer = setTimeout(() => end('timeout'), options.timeoutMs);
    options.signal?.addEventListener('abort', () => end('cancelled'));
    if (options.signal?.aborted) {
      end('cancelled');
    }
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout = (stdout + text).slice(-MOST_OUTPUT);
      options.onOutput?.(text);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-MOST_OUTPUT);
      options.onOutput?.(text);
    });
    child.on('error', (error: NodeJS.ErrnoException) => {
      failure ??= error.code ?? error.message;
      done(null);
    });
    child.on('close', done);
  });
}
