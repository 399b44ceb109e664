/** Says phrases in the language of VS Code. */
import * as vscode from 'vscode';
import { said, type Text } from './phrases';

/** A text in the language that VS Code is shown in, as far as we speak it. */
export function say(text: Text): string {
  return said(text, (template, args) => vscode.l10n.t(template, args));
}
