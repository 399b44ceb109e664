// Bundles the extension into one file, and copies in what it shares with the rest of the house.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
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
compressWheels('bundled');
if (existsSync('bundled')) cpSync('../requirements/run.txt', 'bundled/requirements.txt');

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

/** A VSIX compresses with a window of 32 kB; over a whole wheel, Brotli saves a quarter of that. */
function compressWheels(folder) {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  for (const name of names.filter((file) => file.endsWith('.whl'))) {
    const wheel = readFileSync(`${folder}/${name}`);
    const params = {
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      // Measured: small blocks save one percent of what Python compresses to.
      [constants.BROTLI_PARAM_LGBLOCK]: constants.BROTLI_MIN_INPUT_BLOCK_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: wheel.length,
    };
    writeFileSync(`${folder}/${name}.br`, brotliCompressSync(wheel, { params }));
    rmSync(`${folder}/${name}`);
  }
}
