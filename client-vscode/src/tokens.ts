/** The status bar's count: what the model sees of the active document, against its budget. */
import * as vscode from 'vscode';
import type { Server } from './server';
import { activeSource, agentOf } from './view';

const PAUSE_MS = 500;

/** What `msgls/tokens` answers. */
interface Tokens {
  readonly isOver: boolean;
  readonly text: string;
  readonly tooltip: string;
}

/** Counts by the server, a moment after the last key. */
export function showTokens(server: Server): vscode.Disposable {
  const item = vscode.window.createStatusBarItem(
    'msgls.tokens',
    vscode.StatusBarAlignment.Right,
    110,
  );
  item.name = vscode.l10n.t('msgls: tokens');
  item.command = 'msgls.view.show';
  let timer: NodeJS.Timeout | undefined;

  const count = async (): Promise<void> => {
    const source = activeSource();
    const client = server.running;
    if (source === undefined || client === undefined) {
      item.hide();
      return;
    }
    const about = { uri: source, agent: agentOf(source) };
    try {
      const counted = await client.sendRequest<Tokens>('msgls/tokens', about);
      if (activeSource() === source) {
        show(item, counted);
      }
    } catch {
      // A document that the server does not know, or does not know yet.
      item.hide();
    }
  };
  const countSoon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(count, PAUSE_MS);
  };

  countSoon();
  return vscode.Disposable.from(
    item,
    { dispose: () => clearTimeout(timer) },
    server.onDidChange(countSoon),
    vscode.window.onDidChangeVisibleTextEditors(countSoon),
    vscode.window.onDidChangeActiveTextEditor(countSoon),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.toString() === activeSource()) {
        countSoon();
      }
    }),
  );
}

function show(item: vscode.StatusBarItem, { isOver, text, tooltip }: Tokens): void {
  item.text = text;
  item.tooltip = tooltip;
  item.backgroundColor = isOver
    ? new vscode.ThemeColor('statusBarItem.warningBackground')
    : undefined;
  item.show();
}
