// The extension with a server of its own: it runs on a machine without Python, and asks nothing.

import { becomes } from '../../workbench.mjs';

export default async function ({ story, step, open }) {
  const workbench = await open({
    settings: { 'msgls.interpreter': '' },
    files: { 'talk.msg.md': '# %% Question[^ask]\n\n[^ask]: [markdwon]\n\nWill it rain?\n' },
    file: 'talk.msg.md',
    environment: { PATH: '/nowhere' },
  });

  await step('the server runs, and finds what is wrong', async () => {
    await workbench.ready();
    await becomes(() => workbench.status(), `msgls ${story.version}: running`);
    await becomes(
      async () => (await workbench.problems()).map((row) => row.slice(0, 19)),
      ['Error msgls(MSG201)'],
    );
  });
}
