// Says which scopes the grammars give to a text.
//
//   node scopes.mjs FILE...   prints every piece of the files with its scopes, for people
//   node scopes.mjs           answers each line of the standard input, [{"scope", "text"}, ...], by
//                             a line [[[[start, end, scopes], ...], ...], ...], for tests
//
// The engine is that of VS Code; the grammars are those that package.json lists.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const { INITIAL, Registry, parseRawGrammar } = require("vscode-textmate");
const { OnigScanner, OnigString, loadWASM } = require("vscode-oniguruma");

const HERE = dirname(fileURLToPath(import.meta.url));
const { grammars, languages } = JSON.parse(readFileSync(join(HERE, "package.json"), "utf8")).contributes;
const PATHS = new Map(grammars.map(({ scopeName, path }) => [scopeName, join(HERE, path)]));

async function makeRegistry() {
  await loadWASM(readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer);
  return new Registry({
    onigLib: Promise.resolve({
      // A pattern that cannot be compiled is an error here; VS Code leaves it out in silence.
      createOnigScanner: (patterns) => new OnigScanner(patterns),
      createOnigString: (text) => new OnigString(text),
    }),
    loadGrammar: async (scope) => {
      const path = PATHS.get(scope);
      return path ? parseRawGrammar(readFileSync(path, "utf8"), path) : null;
    },
  });
}

function tokenize(grammar, text) {
  let state = INITIAL;
  return text.split(/\r\n|\r|\n/).map((line) => {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    state = ruleStack;
    return tokens.map(({ startIndex, endIndex, scopes }) => [startIndex, Math.min(endIndex, line.length), scopes.slice(1)]);
  });
}

function scopeOf(path) {
  const language = languages.find(({ extensions }) => extensions.includes(extname(path)));
  return grammars.find((grammar) => grammar.language === language?.id)?.scopeName ?? "text.html.markdown.msgmd";
}

const registry = await makeRegistry();
const files = process.argv.slice(2);
if (files.length) {
  for (const path of files) {
    const text = readFileSync(path, "utf8");
    const lines = text.split(/\r\n|\r|\n/);
    tokenize(await registry.loadGrammar(scopeOf(path)), text).forEach((tokens, number) => {
      console.log(`${number + 1}: ${lines[number]}`);
      for (const [start, end, scopes] of tokens) {
        const piece = lines[number].slice(start, end);
        if (piece.trim() && scopes.length) console.log(`      ${piece.padEnd(24)} ${scopes.join(" ")}`);
      }
    });
  }
} else {
  for await (const question of createInterface({ input: process.stdin })) {
    const answer = [];
    for (const { scope, text } of JSON.parse(question)) {
      answer.push(tokenize(await registry.loadGrammar(scope), text));
    }
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
}
