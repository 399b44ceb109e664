/** The status bar's count: what the model sees of the active document, against its budget. */
import * as vscode from 'vscode';
import type { Server } from './server';
import { activeSource, agentOf } from './view';

const PAUSE_MS = 500;

/** What `msgls/tokens` answers. */
interface Tokens {
  readonly agent: string | null;
  readonly tokens: number;
  readonly budget: number | null;
  readonly isEstimate: boolean;
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

function show(item: vscode.StatusBarItem, { agent, tokens, budget, isEstimate }: Tokens): void {
  const isOver = budget !== null && tokens > budget;
  const most = budget === null ? '' : ` / ${written(budget)}`;
  const count = `${isEstimate ? '≈ ' : ''}${written(tokens)}${most}`;
  item.text = vscode.l10n.t('{count} tokens', { count });
  item.backgroundColor = isOver
    ? new vscode.ThemeColor('statusBarItem.warningBackground')
    : undefined;
  const who = agent ?? vscode.l10n.t('the model');
  const what = isEstimate
    ? vscode.l10n.t('What {who} sees of this file, in tokens; an estimate.', { who })
    : vscode.l10n.t('What {who} sees of this file, in tokens.', { who });
  item.tooltip = `${what}\n${limit(who, budget, isOver)}`;
  item.show();
}

function written(count: number): string {
  return count.toLocaleString('en-US');
}

/** What the count is to be compared with. */
function limit(who: string, budget: number | null, isOver: boolean): string {
  if (budget === null) {
    return vscode.l10n.t('Nobody says how many it can take: `context_window`.');
  }
  return isOver
    ? vscode.l10n.t('That is more than {who} can take.', { who })
    : vscode.l10n.t('Of what {who} can take, less its answer.', { who });
}
