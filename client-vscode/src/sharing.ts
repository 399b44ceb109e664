/**
 * What is made of a conversation to be passed on: a page, a request in the clipboard, another
 * format. What a conversion cannot say is a list, and each of its rows leads to its place.
 */
import * as vscode from 'vscode';
import { execute, request } from './commands';
import type { Server } from './server';

/** A text to be shown in an editor of its own, and what it cannot say. */
export interface ShownText {
  readonly languageId: string;
  readonly text: string;
  readonly losses: readonly Loss[];
}

interface Loss {
  readonly what: string;
  /** From 0; nothing where it is about all of the file. */
  readonly line: number | null;
}

export async function exportPage(server: Server, uri: vscode.Uri): Promise<void> {
  const about = { uri: uri.toString(), whole: true };
  const page = await request<{ html: string }>(server, 'msgls/page', about);
  if (page === undefined) {
    return;
  }
  const path = uri.path.replace(/(\.msg)?\.\w+$/, '.html');
  const defaultUri = uri.with({ scheme: 'file', path });
  const filters = { HTML: ['html'] };
  const target = await vscode.window.showSaveDialog({ defaultUri, filters });
  if (target !== undefined) {
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(page.html));
  }
}

export async function copyAs(server: Server, uri: vscode.Uri, target: string): Promise<void> {
  const argument = { uri: uri.toString(), target, asText: true };
  const shown = (await execute(server, 'msgls.convert.to', argument)) as ShownText | undefined;
  if (shown !== undefined) {
    await vscode.env.clipboard.writeText(shown.text);
    vscode.window.setStatusBarMessage(`$(check) ${vscode.l10n.t('The request is copied.')}`, 5_000);
    await showLosses(uri, shown);
  }
}

/** What a text cannot say; choosing a row goes to the place that it is about. */
export async function showLosses(uri: vscode.Uri, { losses }: ShownText): Promise<void> {
  if (losses.length === 0) {
    return;
  }
  const items = losses.map(({ what, line }) => ({
    label: what,
    // Below it: what is said is long, and would push its place out of sight.
    detail: line === null ? '' : vscode.l10n.t('line {line}', { line: line + 1 }),
    line,
  }));
  const title = vscode.l10n.t('Lost or changed in the conversion');
  const chosen = await vscode.window.showQuickPick(items, { title, matchOnDetail: true });
  if (chosen !== undefined && chosen.line !== null) {
    const isSource = ({ document }: vscode.TextEditor) =>
      document.uri.toString() === uri.toString();
    const editor = vscode.window.visibleTextEditors.find(isSource);
    const viewColumn = editor?.viewColumn ?? vscode.ViewColumn.Active;
    const selection = new vscode.Range(chosen.line, 0, chosen.line, 0);
    await vscode.window.showTextDocument(uri, { viewColumn, selection });
  }
}
