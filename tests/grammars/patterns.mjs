// Compiles every pattern of the grammars given as arguments, used or not, and prints those that
// oniguruma refuses. VS Code would leave them out and say nothing.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { OnigScanner, loadWASM } = require("vscode-oniguruma");
await loadWASM(readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer);

function* patterns(node) {
  for (const [key, value] of Object.entries(node)) {
    if (typeof value === "object") yield* patterns(value);
    else if (key === "match" || key === "begin") yield value;
    // A number in these stands for what `begin` has captured, and is replaced before they compile.
    else if (key === "end" || key === "while") yield value.replace(/\\[0-9]/g, "x");
  }
}

let count = 0;
for (const path of process.argv.slice(2)) {
  for (const pattern of patterns(JSON.parse(readFileSync(path, "utf8")))) {
    count += 1;
    try {
      new OnigScanner([pattern]).dispose();
    } catch (error) {
      console.error(`${path}: ${pattern}: ${error.message}`);
      process.exitCode = 1;
    }
  }
}
console.log(`${count} patterns`);
