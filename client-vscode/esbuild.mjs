// Bundles the extension into one file, and copies in what it shares with the rest of the house.
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { build, context } from 'esbuild';

const grammars = '../syntaxes';
rmSync('syntaxes', { recursive: true, force: true });
mkdirSync('syntaxes');
if (existsSync(grammars)) {
  for (const name of readdirSync(grammars).filter((file) => file.endsWith('.tmLanguage.json'))) {
    cpSync(`${grammars}/${name}`, `syntaxes/${name}`);
  }
}
cpSync('../LICENSE', 'LICENSE');
cpSync('../CHANGELOG.md', 'CHANGELOG.md');

const options = {
  entryPoints: ['src/extension.ts'],
  outfile: 'dist/extension.js',
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  external: ['vscode'],
  minify: !process.argv.includes('--debug'),
  sourcemap: process.argv.includes('--debug'),
  logLevel: 'warning',
};
if (process.argv.includes('--watch')) {
  await (await context(options)).watch();
} else {
  await build(options);
}
