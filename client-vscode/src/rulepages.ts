/** The pages of the rules: they come from the server, in its language, and need no network. */
import * as vscode from 'vscode';
import type { Server } from './server';

/** The scheme of their addresses: `msgls-rule:/MSG101.md`. */
export const RULE_SCHEME = 'msgls-rule';

export function registerRulePages(server: Server): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(RULE_SCHEME, {
    provideTextDocumentContent: async ({ path }) => {
      const client = await server.start();
      const code = path.slice(1).replace(/\.md$/, '');
      return (await client?.sendRequest<{ text: string }>('msgls/rulePage', { code }))?.text;
    },
  });
}
