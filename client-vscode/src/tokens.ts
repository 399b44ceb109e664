/** The status bar's count: what the model sees of the active document, against its budget. */
import * as vscode from 'vscode';
import type { Server } from './server';
import { Later } from './timing';
import { activeSource, agentOf } from './view';

const PAUSE_MS = 500;
const PLACE = 110;

/** What `msgls/tokens` answers. */
interface Tokens {
  readonly isOver: boolean;
  readonly text: string;
  readonly tooltip: string;
}

/** Counts by the server, a moment after the last key. */
export function showTokens(server: Server): vscode.Disposable {
  const { Right } = vscode.StatusBarAlignment;
  const item = vscode.window.createStatusBarItem('msgls.tokens', Right, PLACE);
  const warning = new vscode.ThemeColor('statusBarItem.warningBackground');
  item.name = vscode.l10n.t('msgls: tokens');
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
  }, PAUSE_MS);
  const countSoon = () => counting.soon();
  countSoon();
  return vscode.Disposable.from(
    item,
    counting,
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
