/**
 * "Print debug information": what somebody who helps asks for first, in one document. It is in
 * English, whatever VS Code is shown in: who helps may not read the language of who asks.
 */
import * as vscode from 'vscode';
import { originName } from './finding';
import { english } from './phrases';
import type { Server } from './server';

/** What is known of this machine and of the server; no text of any document. */
function debugInformation(context: vscode.ExtensionContext, server: Server): string {
  const { status, failures, environment } = server;
  const client = server.running;
  const settings = vscode.workspace.getConfiguration('msgls');
  const facts: [string, unknown][] = [
    ['extension', context.extension.packageJSON.version],
    ['VS Code', `${vscode.version} (${vscode.env.appHost})`],
    ['system', `${process.platform} ${process.arch}, Node ${process.version}`],
    ['remote', vscode.env.remoteName ?? 'no'],
    ['folders', vscode.workspace.workspaceFolders?.length ?? 0],
    ['trusted', vscode.workspace.isTrusted],
    ['server', `${status.state} ${status.version ?? ''}`.trim()],
    ['', english(status.detail ?? '')],
    ['position encoding', client?.initializeResult?.capabilities.positionEncoding ?? 'unknown'],
    ['bundled wheel', environment.bundledVersion ?? 'none'],
    ['own environment', environment.interpreter ?? 'not made'],
    ['msgls.server.command', JSON.stringify(settings.get('server.command'))],
    ['msgls.interpreter', JSON.stringify(settings.get('interpreter'))],
    ...failures.map((tried): [string, unknown] => [
      `tried ${english(originName(tried.candidate.origin))}`,
      english(tried.reason),
    ]),
  ];
  const settled = JSON.stringify(settings, null, 2);
  const lines = facts.map(([name, value]) => `${name ? `${name}: ` : '  '}${value}`);
  return `${lines.join('\n')}\n\nsettings: ${settled}\n`;
}

/** Registers the command. */
export function registerDebug(context: vscode.ExtensionContext, server: Server): vscode.Disposable {
  return vscode.commands.registerCommand('msgls.debugInformation', async () => {
    const content = debugInformation(context, server);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content }));
  });
}
