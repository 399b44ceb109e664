// How it looks in simplified Chinese: a conversation with its page beside it.

import { previewOf } from '../../workbench.mjs';
import { THEMES, use } from '../themes.mjs';

const FILE = '周末.msg.md';
const TEXT = `---
agents:
  向导: {models: [qwen-max], context_window: 32000}
---

# %% 去哪里？[^q1]

[^q1]: [markdown]

我们有两天时间，喜欢**步行**。你会怎么安排？

# %%% 先看天气[^a1]

[^a1]: [向导] time="2025-10-20T09:30:00+08:00"

我先查一下天气。

## %%% 查询[^a1.9f3d27c1]

[^a1.9f3d27c1]: [tool] name="get_weather"

<get_weather><city>杭州</city></get_weather>

## %%% 天气[^a1.9f3d27c1.1]

[^a1.9f3d27c1.1]: [tool] status="success" duration=0.4s

{"周六": "晴，20 度", "周日": "多云"}

# %%% 旧的计划[^a2]

[^a2]: [向导] history=none

先坐船，再爬山。

# %% 多远？[^c1]

[^c1]: [code]

\`\`\`python
print(6.4 + 5.5, "km")
\`\`\`

# %%% [^c1.1]

[^c1.1]: [python] status="success"

stdout> 11.9 km
`;

export default async function ({ step, open, picture }) {
  const workbench = await open({ files: { [FILE]: TEXT }, file: FILE, language: 'zh-cn' });
  const { page } = workbench;
  await page.setViewportSize({ width: 1120, height: 700 });

  await step('a conversation with its page', async () => {
    await page.waitForSelector('.editor-group-container.active .codelens-decoration > *');
    await workbench.press('Control+B');
    await workbench.press('Control+K', 'V');
    await previewOf(page);
  });
  for (const theme of THEMES.slice(0, 2)) {
    await step(`${theme.name}: a conversation in Chinese`, async () => {
      await use(workbench, theme);
      await workbench.goTo(FILE, '我先查');
      await page.locator('.codelens-decoration', { hasText: '在下方插入' }).waitFor();
      await picture(theme.name);
    });
  }
}
