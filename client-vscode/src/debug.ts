/**
 * "Print debug information": what support asks for first, in one document. It is in
 * English, whatever VS Code is shown in: who helps may not read the language of who asks.
 */
import * as vscode from 'vscode';
import { originName } from './finding';
import type { Server } from './server';
import { english } from './texts';

/** What is known of this machine and of the server; no text of any document. */
export async function showDebugInformation(server: Server): Promise<void> {
  const { context, status, failures, environment, running } = server;
  const settings = vscode.workspace.getConfiguration('msgls');
  const facts: Record<string, unknown> = {
    extension: context.extension.packageJSON.version,
    'VS Code': `${vscode.version} (${vscode.env.appHost})`,
    system: `${process.platform} ${process.arch}, Node ${process.version}`,
    remote: vscode.env.remoteName ?? 'no',
    folders: vscode.workspace.workspaceFolders?.length ?? 0,
    trusted: vscode.workspace.isTrusted,
    server: `${status.state} ${status.version ?? ''} ${english(status.detail ?? '')}`.trim(),
    'position encoding': running?.initializeResult?.capabilities.positionEncoding ?? 'unknown',
    'bundled wheel': environment.bundledVersion ?? 'none',
    'own environment': environment.interpreter ?? 'not made',
  };
  for (const { origin, reason } of failures) {
    facts[`tried ${english(originName(origin))}`] = english(reason);
  }
  facts.settings = JSON.stringify(settings, null, 2);
  const lines = Object.entries(facts).map(([name, value]) => `${name}: ${value}\n`);
  const document = await vscode.workspace.openTextDocument({ content: lines.join('') });
  await vscode.window.showTextDocument(document);
}
