// Bundles every test into one file of its own, and lets Node run them, with
// `vscode.ts` in the place of VS Code.
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { build } from 'esbuild';

const names = readdirSync('test').filter((name) => name.endsWith('.test.ts'));
rmSync('out', { recursive: true, force: true });
await build({
  entryPoints: names.map((name) => `test/${name}`),
  outdir: 'out',
  bundle: true,
  alias: { vscode: './test/vscode.ts' },
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  sourcemap: 'inline',
  logLevel: 'warning',
});
const files = names.map((name) => `out/${name.replace(/\.ts$/, '.js')}`);
process.exit(spawnSync(process.execPath, ['--test', ...files], { stdio: 'inherit' }).status ?? 1);
