/**
 * Kernels that run the code of documents: the status bar shows that of the active one, and a click
 * interrupts or restarts it. What a program reads is typed by a person.
 */
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { Server } from './server';

const MENU = 'msgls.kernel.menu';
const PLACE = 111;

/** What `msgls/kernels` says: the kernels of a document, as people call them. */
interface Kernels {
  readonly uri: string;
  readonly titles: readonly string[];
}

/** What `msgls/input` asks for. */
interface Input {
  readonly prompt: string;
  readonly password: boolean;
}

export function showKernels(server: Server): vscode.Disposable {
  const { Right } = vscode.StatusBarAlignment;
  const item = vscode.window.createStatusBarItem('msgls.kernel', Right, PLACE);
  item.name = vscode.l10n.t('msgls: kernel');
  item.tooltip = vscode.l10n.t(
    'This kernel runs the code of this file. A click interrupts or restarts it.',
  );
  item.command = MENU;
  const kernels = new Map<string, string>();
  let listening: LanguageClient | undefined;
  const active = () =>
    kernels.get(vscode.window.activeTextEditor?.document.uri.toString() ?? '') ?? '';
  const show = (): void => {
    item.text = `$(server-process) ${active()}`;
    active() === '' ? item.hide() : item.show();
  };
  const listen = (): void => {
    const client = server.running;
    if (client === listening) {
      return;
    }
    listening = client;
    // They ended with the server that had them.
    kernels.clear();
    show();
    client?.onNotification('msgls/kernels', ({ uri, titles }: Kernels) => {
      kernels.set(client.protocol2CodeConverter.asUri(uri).toString(), titles.join(', '));
      show();
    });
    client?.onRequest('msgls/input', read);
  };
  listen();
  return vscode.Disposable.from(
    item,
    server.onDidChange(listen),
    vscode.window.onDidChangeActiveTextEditor(show),
    vscode.commands.registerCommand(MENU, () => choose(active())),
  );
}

/** What a person types for a program that reads; nothing is the end of its input. */
async function read({ prompt, password }: Input): Promise<string | null> {
  const title = vscode.l10n.t('The code that runs reads a line');
  const typed = await vscode.window.showInputBox({ title, prompt, password, ignoreFocusOut: true });
  return typed ?? null;
}

async function choose(title: string): Promise<void> {
  const rows = [
    { label: vscode.l10n.t('Interrupt kernel'), command: 'msgls.run.interrupt' },
    { label: vscode.l10n.t('Restart kernel'), command: 'msgls.run.restart' },
  ];
  const chosen = await vscode.window.showQuickPick(rows, { title });
  if (chosen) {
    await vscode.commands.executeCommand(chosen.command);
  }
}
