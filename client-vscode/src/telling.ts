/** What needs no answer is told in the status bar, and goes by itself. */
import * as vscode from 'vscode';

const MESSAGE_MS = 5_000;

export function tell(what: string): undefined {
  vscode.window.setStatusBarMessage(`$(info) msgls: ${what}`, MESSAGE_MS);
  return undefined;
}
