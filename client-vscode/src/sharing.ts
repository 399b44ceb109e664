/**
 * What is made of a conversation to be passed on: a page, a request in the clipboard, another
 * format. What a conversion cannot say is a list, and each of its rows leads to its place.
 */
import * as vscode from 'vscode';
import { execute } from './commands';
import { isOurs } from './languages';
import type { Previews } from './preview';
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

export function registerSharing(server: Server, previews: Previews): vscode.Disposable {
  const { registerCommand } = vscode.commands;
  const source = () => {
    const active = vscode.window.activeTextEditor?.document;
    return previews.active ?? (active && isOurs(active) ? active.uri : undefined);
  };
  const copy = (target: string) => () => copyAs(server, source(), target);
  return vscode.Disposable.from(
    registerCommand('msgls.exportHtml', () => exportPage(server, source())),
    registerCommand('msgls.copyAs.openai', copy('openai')),
    registerCommand('msgls.copyAs.anthropic', copy('anthropic')),
  );
}

async function exportPage(server: Server, uri: vscode.Uri | undefined): Promise<void> {
  const client = server.running;
  if (uri === undefined || client === undefined) {
    return;
  }
  const params = { uri: uri.toString(), whole: true };
  const { html } = await client.sendRequest<{ html: string }>('msgls/page', params);
  const defaultUri = uri.with({
    scheme: 'file',
    path: uri.path.replace(/(\.msg)?\.\w+$/, '.html'),
  });
  const filters = { HTML: ['html'] };
  const target = await vscode.window.showSaveDialog({ defaultUri, filters });
  if (target !== undefined) {
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(html));
  }
}

async function copyAs(server: Server, uri: vscode.Uri | undefined, target: string): Promise<void> {
  if (uri === undefined) {
    return;
  }
  const argument = { uri: uri.toString(), target, asText: true };
  const shown = (await execute(server, 'msgls.convert.to', argument)) as ShownText | undefined;
  if (shown !== undefined) {
    await vscode.env.clipboard.writeText(shown.text);
    vscode.window.setStatusBarMessage(`$(check) ${vscode.l10n.t('The request is copied.')}`, 5_000);
    await showLosses(uri, shown);
  }
}

/** What a text cannot say; whoever chooses a row gets to the place that it is about. */
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
  const title = vscode.l10n.t('What is lost on the way, or said otherwise');
  const chosen = await vscode.window.showQuickPick(items, { title, matchOnDetail: true });
  if (chosen !== undefined && chosen.line !== null) {
    const at = new vscode.Position(chosen.line, 0);
    const editor = vscode.window.visibleTextEditors.find(
      ({ document }) => document.uri.toString() === uri.toString(),
    );
    const viewColumn = editor?.viewColumn ?? vscode.ViewColumn.Active;
    await vscode.window.showTextDocument(uri, { viewColumn, selection: new vscode.Range(at, at) });
  }
}
