/** "Choose interpreter": which Python runs the server. */
import * as path from 'node:path';
import * as vscode from 'vscode';
import { isThere } from './environment';
import { interpreterIn, onPath } from './finding';

/** Registers the command. */
export function registerInterpreterChoice(): vscode.Disposable {
  return vscode.commands.registerCommand('msgls.chooseInterpreter', chooseInterpreter);
}

async function chooseInterpreter(): Promise<void> {
  const settings = vscode.workspace.getConfiguration('msgls');
  const current = settings.get<string>('interpreter') ?? '';
  const browsing = { label: vscode.l10n.t('Browse…'), alwaysShow: true };
  const none = {
    label: vscode.l10n.t('Let the extension look for one'),
    description: vscode.l10n.t('now: {current}', { current }),
    alwaysShow: true,
  };
  const items: vscode.QuickPickItem[] = [
    ...interpreters().map((file) => ({ label: file })),
    browsing,
    ...(current ? [none] : []),
  ];
  const title = vscode.l10n.t('The Python that runs the msgls server');
  const chosen = await vscode.window.showQuickPick(items, { title });
  if (chosen === undefined) {
    return;
  }
  const file = chosen === browsing ? await browse(title) : chosen.label;
  if (file !== undefined) {
    // Where it was said before, else for every folder: a path is one machine's, not a project's.
    const inFolder = settings.inspect('interpreter')?.workspaceValue !== undefined;
    const { Workspace, Global } = vscode.ConfigurationTarget;
    const value = chosen === none ? undefined : file;
    await settings.update('interpreter', value, inFolder ? Workspace : Global);
  }
}

/** Environments in the folders of a trusted workspace, and what is on the PATH. */
function interpreters(): string[] {
  const { platform } = process;
  const folders = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
  const inFolders = folders.flatMap((folder) =>
    ['.venv', 'venv', 'env'].map((name) =>
      interpreterIn(path.join(folder.uri.fsPath, name), platform),
    ),
  );
  const named = ['python3', 'python'].map((name) => onPath([name], process.env, platform, isThere));
  const all = [...inFolders.filter(isThere), ...named.filter((file) => file !== undefined)];
  return [...new Set(all)];
}

async function browse(title: string): Promise<string | undefined> {
  const files = await vscode.window.showOpenDialog({ title, openLabel: vscode.l10n.t('Choose') });
  return files?.[0]?.fsPath;
}
