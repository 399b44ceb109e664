/** The language status item: which server runs, and how it is. */
import * as vscode from 'vscode';
import { OUR_DOCUMENTS, type Server, type Status } from './server';

const WORDS: Record<Status['state'], string> = {
  idle: 'not started',
  starting: 'starting',
  running: 'running',
  waiting: 'restarting',
  failed: 'not running',
};

/** Shows the state of the server in the status bar of our documents. */
export function showStatus(server: Server): vscode.Disposable {
  const item = vscode.languages.createLanguageStatusItem('msgls', OUR_DOCUMENTS);
  item.name = 'msgls';
  item.command = { title: 'Restart', command: 'msgls.restart' };
  const show = (status: Status) => {
    const version = status.version ? ` ${status.version}` : '';
    item.text = `msgls${version}: ${WORDS[status.state]}`;
    item.detail = status.detail ?? '';
    item.busy = status.state === 'starting' || status.state === 'waiting';
    item.severity =
      status.state === 'failed'
        ? vscode.LanguageStatusSeverity.Error
        : vscode.LanguageStatusSeverity.Information;
  };
  show(server.status);
  return vscode.Disposable.from(item, server.onDidChange(show));
}
