// The pictures of the documentation, which people judge by eye.

import { becomes, previewOf } from '../../workbench.mjs';
import { THEMES, use } from '../themes.mjs';

const GOOD = 'good.msg.md';
const BROKEN = 'broken.msg.md';
const SHOWN = THEMES.slice(0, 2);

export default async function ({ story, step, open, picture }) {
  const workbench = await open({ files: story.examples, file: GOOD });
  const { page } = workbench;
  await page.setViewportSize({ width: 1120, height: 700 });
  const inEveryTheme = async (name, file, place, drawAgain = () => {}) => {
    for (const theme of SHOWN) {
      await step(`${name} in ${theme.theme}`, async () => {
        await use(workbench, theme);
        await drawAgain();
        await workbench.goTo(file, place);
        await page.locator('.codelens-decoration', { hasText: 'Insert below' }).waitFor();
        await picture(`${name}-${theme.name}`);
      });
    }
  };

  await step('a conversation with its outline', async () => {
    await workbench.ready();
    await workbench.showOutline();
    await page.locator('.outline-tree .monaco-list-row').first().waitFor();
  });
  await inEveryTheme('good', GOOD, 'I will look');

  await step('a broken conversation', async () => {
    await workbench.openFile(BROKEN);
    await workbench.ready();
    await becomes(() => workbench.problems().then((rows) => rows.length > 0), true);
  });
  // An outline that is shown keeps the colours of its problems in another theme.
  await inEveryTheme('broken', BROKEN, 'Hangzhou.', () => workbench.openOnly(BROKEN));

  await step('its page beside it', async () => {
    await workbench.openFile(GOOD);
    await workbench.press('Control+J', 'Control+B');
    await workbench.press('Control+K', 'V');
    await previewOf(page);
  });
  await inEveryTheme('preview', GOOD, 'I will look');

  await step('what the model sees beside it', async () => {
    await workbench.run('View: Close Other Editors in Group');
    await workbench.run('View: Close Editors in Other Groups');
    await workbench.run('msgls: What the Model Sees');
    await page.locator('.view-line', { hasText: /^##.assistant/ }).first().waitFor();
  });
  await inEveryTheme('view', GOOD, 'I will look');
}
