// Plays scenarios in one VS Code, one after the other: `node play.mjs STORY`. The story is a JSON
// file that names them, says with what, and where the report goes. A report is a list of steps, each
// with what went wrong. Whoever starts it keeps its standard input open until it is to end.

import fs from 'node:fs';
import path from 'node:path';

import { Workbench } from './workbench.mjs';

const [storyFile] = process.argv.slice(2);
const story = JSON.parse(fs.readFileSync(storyFile, 'utf8'));

const report = { steps: [], logs: '' };
const write = () => fs.writeFileSync(story.report, JSON.stringify(report));
let workbench;

class StepFailed extends Error {}

/** Plays a scenario. What goes wrong in it is in the report, and concerns no other. */
async function play(name) {
  /** Does one step. What follows in the scenario builds on it, and is not done where it fails. */
  const step = async (title, action) => {
    const record = { title: `${name}: ${title}`, error: 'it was not done in time' };
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
  };
  const take = async (title) => {
    fs.mkdirSync(story.pictures, { recursive: true });
    const file = `${path.basename(name)}-${title}.png`;
    await workbench.screenshot(path.join(story.pictures, file));
  };
  const picture = async (title) => {
    if (story.takesPictures) await take(title);
  };
  failed = () => take('failed').catch(() => {});
  const { default: scenario } = await import(`./scenarios/${name}.mjs`);
  try {
    await scenario({ story, step, open, picture });
  } catch (error) {
    await failed();
    if (!(error instanceof StepFailed))
      report.steps.push({ title: `${name}: between its steps`, error: error.stack });
    // Nobody knows what it left behind.
    await close();
  }
}

async function open(options = {}) {
  if (workbench) await workbench.use(options);
  else workbench = await Workbench.open(story, options);
  return workbench;
}

async function close() {
  await workbench?.close();
  report.logs += workbench?.logs() ?? '';
  write();
  workbench = undefined;
}

/** Whoever loses patience gets a report all the same, and nothing is left running. */
async function giveUp() {
  await failed();
  await workbench?.close();
  process.exit(1);
}
let failed = async () => {};
process.once('SIGTERM', giveUp);
// The test holds the other end: it is closed when the test ends, however it does.
process.stdin.resume().once('close', giveUp);

for (const name of story.scenarios) await play(name);
await close();
process.exit();
