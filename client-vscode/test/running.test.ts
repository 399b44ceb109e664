import assert from 'node:assert/strict';
import { it } from 'node:test';
import { runProgram } from '../src/running';

const HERE = { cwd: process.cwd(), timeout: 60_000 };
const NODE = process.execPath;

it('tells what a program said, and how it ended', async () => {
  const script = 'console.log("é"); console.error("b"); process.exitCode = 3';
  const ran = await runProgram(NODE, ['-e', script], HERE);
  assert.deepEqual(ran, { code: 3, stdout: 'é\n', stderr: 'b\n', failure: undefined });
});

it('tells of a program that is not there', async () => {
  const ran = await runProgram('/nowhere/python', [], HERE);
  assert.equal(ran.code, null);
  assert.equal(ran.failure, 'ENOENT');
});

it('ends one that does not end by itself', async () => {
  const forever = ['-e', 'setInterval(() => {}, 1000)'];
  assert.equal((await runProgram(NODE, forever, { ...HERE, timeout: 1 })).failure, 'timeout');
  const signal = AbortSignal.abort();
  assert.equal((await runProgram(NODE, forever, { ...HERE, signal })).failure, 'cancelled');
});
