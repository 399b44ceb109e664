// Plays one scenario: `node play.mjs SCENARIO STORY`. The story is a JSON file that says with
// what, and where the report goes. A report is a list of steps, each with what went wrong.
// Whoever starts it keeps its standard input open until it is to end.

import fs from 'node:fs';
import path from 'node:path';

import { Workbench } from './workbench.mjs';

const [name, storyFile] = process.argv.slice(2);
const story = JSON.parse(fs.readFileSync(storyFile, 'utf8'));
const { default: scenario } = await import(`./scenarios/${name}.mjs`);

const report = { steps: [], error: 'it was not played to its end', logs: '' };
const write = () => fs.writeFileSync(story.report, JSON.stringify(report));
let workbench;

/** Does one step. What follows builds on it, and is not done where it fails. */
async function step(title, action) {
  const record = { title, error: 'it was not done in time' };
  report.steps.push(record);
  write();
  try {
    await action();
    record.error = null;
  } catch (error) {
    record.error = error.stack;
    throw new StepFailed();
  } finally {
    write();
  }
}

class StepFailed extends Error {}

async function open(options) {
  workbench = await Workbench.open(story, options);
  return workbench;
}

async function picture(title) {
  fs.mkdirSync(story.pictures, { recursive: true });
  await workbench.screenshot(path.join(story.pictures, `${name}-${title}.png`));
}

/** Whoever loses patience gets a report all the same, and nothing is left running. */
async function giveUp() {
  await picture('failed').catch(() => {});
  await workbench?.close();
  process.exit(1);
}
process.once('SIGTERM', giveUp);
// The test holds the other end: it is closed when the test ends, however it does.
process.stdin.resume().once('close', giveUp);

try {
  await scenario({ story, step, open, picture });
  report.error = null;
} catch (error) {
  report.error = error instanceof StepFailed ? null : error.stack;
  await picture('failed').catch(() => {});
} finally {
  await workbench?.close();
  report.logs = workbench?.logs() ?? '';
  write();
}
process.exit();
