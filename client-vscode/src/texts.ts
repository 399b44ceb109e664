/**
 * Texts for people that can still be said in another language: a template, and what is put into
 * it. The log takes them in English; people read them in the language of VS Code.
 */
import * as vscode from 'vscode';

/** A text that is made of a template, which holds `{name}` for each argument. */
export interface Phrase {
  readonly template: string;
  readonly args: Readonly<Record<string, Text | number>>;
}

/** A phrase, or what is quoted and stays as it is. */
export type Text = Phrase | string;

const MESSAGE_MS = 5_000;

/** A phrase. Its template is written out where it is made: a test looks for its twin. */
export function phrase(template: string, args: Phrase['args'] = {}): Phrase {
  return { template, args };
}

/** A text in the language that VS Code is shown in, as far as we speak it. */
export function say(text: Text): string {
  return said(text, vscode.l10n.t);
}

/** A text in English: for the log, and for support. */
export function english(text: Text): string {
  return said(text, (template, args) =>
    template.replace(/\{(\w+)\}/g, (whole, name: string) => String(args[name] ?? whole)),
  );
}

/** What needs no answer is shown in the status bar, and goes by itself. */
export function tell(what: string): undefined {
  vscode.window.setStatusBarMessage(`$(info) msgls: ${what}`, MESSAGE_MS);
}

type Fill = (template: string, args: Record<string, string>) => string;

function said(text: Text, fill: Fill): string {
  if (typeof text === 'string') {
    return text;
  }
  const args = Object.entries(text.args).map(([name, value]) => [
    name,
    typeof value === 'number' ? `${value}` : said(value, fill),
  ]);
  return fill(text.template, Object.fromEntries(args));
}
