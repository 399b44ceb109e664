/**
 * What the status bar shows: which server runs and how it is, how many tokens the model sees of the
 * active document, and which kernel runs its code. What a program reads is typed by a person.
 */
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { runChosen } from './commands';
import { OUR_DOCUMENTS, type Server } from './server';
import { phrase, say } from './texts';
import { Later } from './timing';
import { activeSource, agentOf } from './view';

const COUNT_MS = 500;
const MENU = 'msgls.kernel.menu';

const STATES = {
  idle: phrase('not started'),
  starting: phrase('starting'),
  running: phrase('running'),
  waiting: phrase('restarting'),
  failed: phrase('not running'),
};

/** What `msgls/tokens` answers. */
interface Tokens {
  readonly isOver: boolean;
  readonly text: string;
  readonly tooltip: string;
}

/** What `msgls/kernels` says: the kernels of a document, as people call them. */
interface Kernels {
  readonly uri: string;
  readonly titles: readonly string[];
}

/** Shows the state of the server, beside our documents. */
export function showStatus(server: Server): void {
  const item = vscode.languages.createLanguageStatusItem('msgls', OUR_DOCUMENTS);
  const { Error: IsWrong, Information } = vscode.LanguageStatusSeverity;
  item.name = 'msgls';
  item.command = { title: vscode.l10n.t('Restart'), command: 'msgls.restart' };
  const show = () => {
    const { state, version, detail } = server.status;
    const name = version ? `msgls ${version}` : 'msgls';
    item.text = vscode.l10n.t('{name}: {state}', { name, state: say(STATES[state]) });
    item.detail = say(detail ?? '');
    item.busy = state === 'starting' || state === 'waiting';
    item.severity = state === 'failed' ? IsWrong : Information;
  };
  show();
  server.context.subscriptions.push(item, server.onDidChange(show));
}

function itemAt(place: number, id: string, name: string): vscode.StatusBarItem {
  const item = vscode.window.createStatusBarItem(id, vscode.StatusBarAlignment.Right, place);
  return Object.assign(item, { name });
}

/** Counts what the model sees against its budget, a moment after the last key. */
export function showTokens(server: Server): void {
  const item = itemAt(110, 'msgls.tokens', vscode.l10n.t('msgls: tokens'));
  const warning = new vscode.ThemeColor('statusBarItem.warningBackground');
  item.command = 'msgls.view.show';
  const counting = new Later(async () => {
    const uri = activeSource();
    // Nothing for a document that the server does not know, or does not know yet.
    const counted = uri && (await server.ask<Tokens>('msgls/tokens', { uri, agent: agentOf(uri) }));
    if (!counted) {
      item.hide();
    } else if (activeSource() === uri) {
      item.text = counted.text;
      item.tooltip = counted.tooltip;
      item.backgroundColor = counted.isOver ? warning : undefined;
      item.show();
    }
  }, COUNT_MS);
  const countSoon = () => counting.soon();
  countSoon();
  server.context.subscriptions.push(
    item,
    counting,
    server.onDidChange(countSoon),
    vscode.window.onDidChangeVisibleTextEditors(countSoon),
    vscode.window.onDidChangeActiveTextEditor(countSoon),
    vscode.workspace.onDidChangeTextDocument(
      ({ document }) => `${document.uri}` === activeSource() && countSoon(),
    ),
  );
}

/** Shows the kernels of the active document, which a click interrupts or restarts. */
export function showKernels(server: Server): void {
  const item = itemAt(111, 'msgls.kernel', vscode.l10n.t('msgls: kernel'));
  item.tooltip = vscode.l10n.t(
    'This kernel runs the code of this file. A click interrupts or restarts it.',
  );
  item.command = MENU;
  const kernels = new Map<string, string>();
  let listening: LanguageClient | undefined;
  const show = () => {
    const title = kernels.get(`${vscode.window.activeTextEditor?.document.uri}`) ?? '';
    item.text = `$(server-process) ${title}`;
    title === '' ? item.hide() : item.show();
    return title;
  };
  const listen = () => {
    const client = server.running;
    if (client !== listening) {
      listening = client;
      // They ended with the server that had them.
      kernels.clear();
      show();
      client?.onNotification('msgls/kernels', ({ uri, titles }: Kernels) => {
        kernels.set(`${vscode.Uri.parse(uri)}`, titles.join(', '));
        show();
      });
      client?.onRequest('msgls/input', read);
    }
  };
  listen();
  server.context.subscriptions.push(
    item,
    server.onDidChange(listen),
    vscode.window.onDidChangeActiveTextEditor(show),
    vscode.commands.registerCommand(MENU, () =>
      runChosen(show(), [
        { title: vscode.l10n.t('Interrupt kernel'), command: 'msgls.run.interrupt' },
        { title: vscode.l10n.t('Restart kernel'), command: 'msgls.run.restart' },
      ]),
    ),
  );
}

/** What a person types for a program that reads; nothing is the end of its input. */
async function read(asked: { prompt: string; password: boolean }): Promise<string | null> {
  const title = vscode.l10n.t('The code that runs reads a line');
  const typed = await vscode.window.showInputBox({ ...asked, title, ignoreFocusOut: true });
  return typed ?? null;
}
