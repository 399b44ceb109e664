/** The language status item: which server runs, and how it is. */
import * as vscode from 'vscode';
import { OUR_DOCUMENTS, type Server } from './server';
import { phrase, say } from './texts';

const WORDS = {
  idle: phrase('not started'),
  starting: phrase('starting'),
  running: phrase('running'),
  waiting: phrase('restarting'),
  failed: phrase('not running'),
};

/** Shows the state of the server in the status bar of our documents. */
export function showStatus(server: Server): vscode.Disposable {
  const item = vscode.languages.createLanguageStatusItem('msgls', OUR_DOCUMENTS);
  const { Error: IsWrong, Information } = vscode.LanguageStatusSeverity;
  item.name = 'msgls';
  item.command = { title: vscode.l10n.t('Restart'), command: 'msgls.restart' };
  const show = () => {
    const { state, version, detail } = server.status;
    const name = version ? `msgls ${version}` : 'msgls';
    item.text = vscode.l10n.t('{name}: {state}', { name, state: say(WORDS[state]) });
    item.detail = say(detail ?? '');
    item.busy = state === 'starting' || state === 'waiting';
    item.severity = state === 'failed' ? IsWrong : Information;
  };
  show();
  return vscode.Disposable.from(item, server.onDidChange(show));
}
