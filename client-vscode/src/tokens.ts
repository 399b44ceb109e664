/** The status bar's count: what the model sees of the active document, against its budget. */
import * as vscode from 'vscode';
import { isOurs } from './languages';
import { say } from './saying';
import type { Server } from './server';
import type { ModelView } from './view';
import { sourceOfView, tokensLabel } from './viewuri';

const PAUSE_MS = 500;

/** What `msgls/tokens` answers. */
interface Tokens {
  readonly agent: string | null;
  readonly tokens: number;
  readonly budget: number | null;
  readonly isEstimate: boolean;
}

/** Counts by the server, a moment after the last key. */
export function showTokens(server: Server, views: ModelView): vscode.Disposable {
  const item = vscode.window.createStatusBarItem(
    'msgls.tokens',
    vscode.StatusBarAlignment.Right,
    110,
  );
  item.name = vscode.l10n.t('msgls: tokens');
  item.command = 'msgls.showView';
  let timer: NodeJS.Timeout | undefined;

  const count = async (): Promise<void> => {
    const source = activeSource();
    const client = server.running;
    if (source === undefined || client === undefined) {
      item.hide();
      return;
    }
    const agent = views.agentOf(source);
    try {
      const counted = await client.sendRequest<Tokens>('msgls/tokens', { uri: source, agent });
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
    views.onDidChooseAgent(countSoon),
    vscode.window.onDidChangeActiveTextEditor(countSoon),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.toString() === activeSource()) {
        countSoon();
      }
    }),
  );
}

function activeSource(): string | undefined {
  const document = vscode.window.activeTextEditor?.document;
  if (document === undefined) {
    return undefined;
  }
  return isOurs(document) ? document.uri.toString() : sourceOfView(document.uri);
}

function show(item: vscode.StatusBarItem, { agent, tokens, budget, isEstimate }: Tokens): void {
  const isOver = budget !== null && tokens > budget;
  item.text = say(tokensLabel(tokens, budget, isEstimate));
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

/** What the count is to be compared with. */
function limit(who: string, budget: number | null, isOver: boolean): string {
  if (budget === null) {
    return vscode.l10n.t('Nobody says how many it can take: `context_window`.');
  }
  return isOver
    ? vscode.l10n.t('That is more than {who} can take.', { who })
    : vscode.l10n.t('Of what {who} can take, less its answer.', { who });
}
