/** The language status item: which server runs, and how it is. */
import * as vscode from 'vscode';
import { type Phrase, phrase } from './phrases';
import { say } from './saying';
import { OUR_DOCUMENTS, type Server, type Status } from './server';

const WORDS: Record<Status['state'], Phrase> = {
  idle: phrase('not started'),
  starting: phrase('starting'),
  running: phrase('running'),
  waiting: phrase('restarting'),
  failed: phrase('not running'),
};

/** Shows the state of the server in the status bar of our documents. */
export function showStatus(server: Server): vscode.Disposable {
  const item = vscode.languages.createLanguageStatusItem('msgls', OUR_DOCUMENTS);
  item.name = 'msgls';
  item.command = { title: vscode.l10n.t('Restart'), command: 'msgls.restart' };
  const show = (status: Status) => {
    const name = status.version ? `msgls ${status.version}` : 'msgls';
    item.text = vscode.l10n.t('{name}: {state}', { name, state: say(WORDS[status.state]) });
    item.detail = say(status.detail ?? '');
    item.busy = status.state === 'starting' || status.state === 'waiting';
    item.severity =
      status.state === 'failed'
        ? vscode.LanguageStatusSeverity.Error
        : vscode.LanguageStatusSeverity.Information;
  };
  show(server.status);
  return vscode.Disposable.from(item, server.onDidChange(show));
}
