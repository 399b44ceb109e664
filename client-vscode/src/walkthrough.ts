/** The first steps: the walkthrough opens once by itself, and its steps need no file. */
import * as vscode from 'vscode';
import type { Server } from './server';

const WALKTHROUGH = 'msgls.start';
const SHOWN = 'walkthroughShown';
const EXAMPLE = 'media/walkthrough/example';

/** Shows the first steps where they were never shown. */
export async function showOnce(context: vscode.ExtensionContext): Promise<void> {
  const { globalState, extension } = context;
  const settings = vscode.workspace.getConfiguration('workbench.welcomePage.walkthroughs');
  if (globalState.get(SHOWN) || settings.get('openOnInstall') === false) {
    return;
  }
  await globalState.update(SHOWN, true);
  const id = `${extension.id}#${WALKTHROUGH}`;
  // Beside an editor that is open: there it leaves the keys to the editor.
  const isBeside = vscode.window.activeTextEditor !== undefined;
  await vscode.commands.executeCommand('workbench.action.openWalkthrough', id, isBeside);
}

/** A conversation to try things on, without a name; and a command on it, once the server runs. */
export async function openExample(server: Server, next: unknown): Promise<void> {
  const language = /^zh/i.test(vscode.env.language) ? '.nls.zh-cn' : '';
  const { extensionUri } = server.context;
  const file = vscode.Uri.joinPath(extensionUri, `${EXAMPLE}${language}.txt`);
  const content = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  const isOpen = (it: vscode.TextDocument) => it.isUntitled && it.getText() === content;
  const document =
    vscode.workspace.textDocuments.find(isOpen) ??
    (await vscode.workspace.openTextDocument({ language: 'msgmd', content }));
  await vscode.window.showTextDocument(document);
  if (typeof next === 'string' && (await server.start()) !== undefined) {
    await vscode.commands.executeCommand(next);
  }
}
