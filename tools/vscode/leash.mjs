// Runs a program that must not outlive the one that started it: `node leash.mjs PROGRAM ARGUMENTS`,
// in a process group of its own. The starter holds the other end of standard input: when that
// closes, however the starter ended, the whole group is killed.

import { pathToFileURL } from 'node:url';

process.stdin.resume().once('close', () => process.kill(-process.pid, 'SIGKILL'));
process.argv.splice(1, 1);
await import(pathToFileURL(process.argv[1]));
