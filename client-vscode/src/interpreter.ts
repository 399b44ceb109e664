/** "Choose interpreter": which Python runs the server. */
import { existsSync as isThere } from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { interpreterIn, onPath } from './finding';

export async function chooseInterpreter(): Promise<void> {
  const settings = vscode.workspace.getConfiguration('msgls');
  const current = settings.get<string>('interpreter');
  const browsing = { label: vscode.l10n.t('Browse…'), alwaysShow: true };
  const none = {
    label: vscode.l10n.t('Let the extension look for one'),
    description: vscode.l10n.t('now: {current}', { current: current ?? '' }),
    alwaysShow: true,
  };
  const found = interpreters().map((label) => ({ label }));
  const items = [...found, browsing, ...(current ? [none] : [])];
  const title = vscode.l10n.t('The Python that runs the msgls server');
  const chosen = await vscode.window.showQuickPick(items, { title });
  let file = chosen?.label;
  if (chosen === browsing) {
    const openLabel = vscode.l10n.t('Choose');
    file = (await vscode.window.showOpenDialog({ title, openLabel }))?.[0]?.fsPath;
  }
  if (file !== undefined) {
    // Where it was said before, else for every folder: a path is one machine's, not a project's.
    const isGlobal = settings.inspect('interpreter')?.workspaceValue === undefined;
    await settings.update('interpreter', chosen === none ? undefined : file, isGlobal);
  }
}

/** Environments in the folders of a trusted workspace, and what is on the PATH. */
function interpreters(): string[] {
  const folders = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
  const inFolders = folders
    .flatMap(({ uri }) => ['.venv', 'venv', 'env'].map((name) => path.join(uri.fsPath, name)))
    .map((environment) => interpreterIn(environment))
    .filter(isThere);
  const onPaths = ['python3', 'python'].flatMap((name) => onPath(name) ?? []);
  return [...new Set([...inFolders, ...onPaths])];
}
