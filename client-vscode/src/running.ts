/** Runs a program to its end, and returns what it said. */
import { execFile } from 'node:child_process';

const MOST_OUTPUT = 100_000_000;

/** What a program said before it ended. */
export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Why it could not be started or was ended: `ENOENT`, `EACCES`, `timeout`, `cancelled`, … */
  readonly failure?: string | undefined;
}

export interface RunOptions {
  /** Where it runs. Never a folder of the user: `python -m` looks for modules there first. */
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly timeout: number;
  readonly onOutput?: (text: string) => void;
  readonly signal?: AbortSignal;
}

/** Never rejects: what went wrong is in the result. */
export function runProgram(
  command: string,
  args: readonly string[],
  { onOutput = () => {}, ...options }: RunOptions,
): Promise<Ran> {
  return new Promise((resolve) => {
    const how = { ...options, maxBuffer: MOST_OUTPUT, windowsHide: true };
    const child = execFile(command, args, how, (error, stdout, stderr) => {
      const why = error === null ? 0 : error.code;
      const isEnded = typeof why === 'number';
      const reason = options.signal?.aborted ? 'cancelled' : (why ?? 'timeout');
      const failure = isEnded ? undefined : `${reason}`;
      resolve({ code: isEnded ? why : null, stdout, stderr, failure });
    });
    child.stdin?.end();
    child.stdout?.on('data', onOutput);
    child.stderr?.on('data', onOutput);
  });
}
