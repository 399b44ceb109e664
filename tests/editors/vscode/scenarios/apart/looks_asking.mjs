// The picture of an answer that comes, which people judge by eye.

import fs from 'node:fs';
import path from 'node:path';

import { until } from '../../workbench.mjs';
import { THEMES, use } from '../themes.mjs';

const FILE = 'tides.msg.md';
const TEXT = `---
agents:
  Ada:
    models: [replay]
---

# %% [^m1]

[^m1]: [markdown]

Why are there two tides a day, and not one?
`;
const ANSWER = `Because the sea bulges on **both** sides of the Earth:

1. On the side of the Moon, the water is pulled more strongly than the Earth is.
2. On the far side, the Earth is pulled more strongly than the water, which stays behind.

The Earth turns below these two bulges once a day, so every coast meets both of them. The Moon moves
on meanwhile, which is why the next high tide comes some 50 minutes later than a day after the last one.
`;

const delta = (seq, kind, payload) =>
  JSON.stringify({ runId: 'r', seq, kind, payload, timestamp: '2025-01-01T00:00:00Z' });

export default async function ({ step, open, picture }) {
  const workbench = await open({ files: { [FILE]: TEXT }, file: FILE });
  const { page } = workbench;
  const config = path.join(workbench.home, '.config/msgls');
  const recording = path.join(config, 'answer.deltas.jsonl');
  fs.mkdirSync(config, { recursive: true });
  const words = ANSWER.match(/\s*\S+/g);
  const lines = [
    delta(0, 'start', { modelId: 'replay', requestId: 'q' }),
    ...words.map((word, index) => delta(index + 1, 'text', { textDelta: word })),
    delta(words.length + 1, 'done', { finishReason: 'stop' }),
  ];
  fs.writeFileSync(recording, `${lines.join('\n')}\n`);
  const command = JSON.stringify(['replay', '--speed', '10', recording]);
  fs.writeFileSync(path.join(config, 'providers.toml'), `[providers.replay]\ncommand = ${command}\n`);
  await page.setViewportSize({ width: 1120, height: 640 });

  for (const theme of THEMES.slice(0, 2)) {
    await step(`an answer comes in ${theme.theme}`, async () => {
      // A window that is still being filled closes the list of themes.
      await workbench.ready();
      await use(workbench, theme);
      await workbench.goTo(FILE, 'Why are');
      await workbench.press('Control+Enter');
      const shown = async () => (await workbench.shownLines()).join('\n').includes('The Earth turns');
      await until('most of it is there', shown);
      await picture(theme.name);
      await page.locator('.statusbar-item', { hasText: 'Ada is answering' }).waitFor({ state: 'detached' });
      await workbench.focusEditor();
      await workbench.press('Control+Z');
    });
  }
}
