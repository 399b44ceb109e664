// A VS Code that is shown in simplified Chinese: the extension and its server speak it, too.

import assert from 'node:assert/strict';

import { becomes, frameWith, until } from '../workbench.mjs';

const FILE = 'talk.msg.md';
const TALK = `# %% 会下雨吗？[^ask]

[^ask]: [markdown] history=exclude

# %%% 不会[^reply]

[^reply]: [oracle]
`;

export default async function ({ story, step, open, picture }) {
  const workbench = await open({ files: { [FILE]: TALK }, file: FILE, language: 'zh-cn' });
  const { page } = workbench;

  await step('the status tells of the server, and calls the language by its name', async () => {
    await becomes(() => workbench.status(), `msgls ${story.version}：正在运行`);
    const language = page.locator('#status\\.editor\\.mode');
    await becomes(() => language.innerText(), '消息文件');
  });

  await step('the server speaks the language of the client', async () => {
    const row = () => workbench.problems().then((rows) => rows.join('\n'));
    await until('a problem in Chinese', async () => (await row()).includes('代理'));
    await picture('problems');
  });

  await step('the page of a rule is Chinese, and comes with the server', async () => {
    await page.locator('.markers-panel .marker-code', { hasText: 'MSG202' }).click();
    await workbench.tab('MSG202.md');
    const shown = await frameWith(page, 'h1:has-text("MSG202")');
    await shown.getByRole('heading', { name: '作用' }).waitFor();
    await shown.getByText('警告 · 可修复').waitFor();
    await picture('rule');
    await workbench.openOnly(FILE);
  });

  await step('commands have Chinese titles, and ask in Chinese', async () => {
    await workbench.focusEditor();
    await workbench.run('msgls: 转换为…');
    const rows = page.locator('.quick-input-list .monaco-list-row');
    await rows.filter({ hasText: '供阅读的 Markdown' }).waitFor();
    await picture('convert');
    await workbench.press('Escape');
  });

  await step('what the model sees is called so, and why it does not see a cell', async () => {
    await workbench.goTo(FILE, '会下雨');
    await workbench.run('msgls: 模型看到什么');
    await page.waitForSelector('.tab[data-resource-name="模型看到什么 · talk.md"]');
    await page.locator('.statusbar-item', { hasText: '模型看不到这里：' }).waitFor();
    await page.locator('.statusbar-item', { hasText: '个词元' }).waitFor();
    await picture('view');
  });

  await step('settings are explained in Chinese', async () => {
    await workbench.press('Control+,');
    await page.waitForSelector('.settings-editor .settings-header .monaco-editor');
    await page.keyboard.insertText('@id:msgls.locale,msgls.cells.markActive');
    const described = page.locator('.settings-editor .setting-item-description');
    await described.filter({ hasText: '简体中文' }).waitFor();
    await described.filter({ hasText: '标记光标所在的单元' }).waitFor();
    await picture('settings');
  });

  await step('the walkthrough is Chinese, with its pages', async () => {
    await workbench.run('Welcome: Open Walkthrough...');
    await workbench.choose('消息文件');
    const steps = page.locator('.gettingStartedContainer .step-title');
    await steps.filter({ hasText: '了解模型看到什么' }).click();
    const frame = page.locator('.gettingStartedContainer iframe.webview').contentFrame();
    const text = frame.frameLocator('#active-frame').locator('body');
    // Newer ones leave the page out where the window is narrow.
    await text.filter({ hasText: '标题栏上的眼睛图标' }).waitFor({ state: 'attached' });
    assert.match(await text.textContent(), /history=exclude/);
    await picture('walkthrough');
  });
}
