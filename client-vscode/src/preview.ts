/**
 * The preview: the page that `msgls render` writes, beside the file, in the colours of the theme.
 * It follows the typing, and scrolls in step with the editor, both ways. What stands in it is
 * written by the server; the one script is `media/preview.js`.
 */
import { randomBytes } from 'node:crypto';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { editorOf, isOurs } from './editors';
import type { Server } from './server';
import { Later } from './timing';

const PREVIEW = 'msgls.preview';
const TYPING_MS = 150;
/** All of a page is sent again: the longer it is, the longer a pause must be. */
const CHARACTERS_A_MS = 10_000;

/** What `msgls/page` answers. */
interface Page {
  readonly style: string;
  readonly header: string;
  readonly contents: string;
  readonly articles: readonly { readonly line: number; readonly html: string }[];
}

/** The pages that are shown, by the addresses of their documents. */
export class Previews {
  private readonly shown = new Map<string, Preview>();
  private readonly refreshing = new Later((preview: Preview) => preview.refresh(), TYPING_MS);

  constructor(private readonly server: Server) {
    const of = ({ uri }: vscode.TextDocument) => this.shown.get(`${uri}`);
    server.context.subscriptions.push(
      this.refreshing,
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        const preview = of(document);
        if (preview !== undefined) {
          this.refreshing.soon(preview, TYPING_MS + preview.length / CHARACTERS_A_MS);
        }
      }),
      vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) =>
        of(textEditor.document)?.follow(textEditor),
      ),
      server.onDidChange(({ state }) => {
        for (const preview of state === 'running' ? this.shown.values() : []) {
          void preview.refresh();
        }
      }),
    );
  }

  /** The document whose page is in the foreground. */
  get active(): string | undefined {
    return [...this.shown.values()].find(({ panel }) => panel.active)?.uri;
  }

  async show(given: unknown, column: vscode.ViewColumn): Promise<void> {
    const document =
      given instanceof vscode.Uri
        ? await vscode.workspace.openTextDocument(given)
        : vscode.window.activeTextEditor?.document;
    if (document === undefined || !isOurs(document)) {
      return;
    }
    const key = `${document.uri}`;
    const known = this.shown.get(key);
    if (known !== undefined) {
      known.panel.reveal(undefined, true);
      return;
    }
    const preview = new Preview(this.server, key, path.posix.basename(document.uri.path), column);
    this.shown.set(key, preview);
    preview.panel.onDidDispose(() => this.shown.delete(key));
  }
}

class Preview {
  readonly panel: vscode.WebviewPanel;
  /** How many characters of HTML its messages have. */
  length = 0;
  /** The line at the top of both, as far as either has reported it. */
  private top = -1;

  constructor(
    private readonly server: Server,
    readonly uri: string,
    name: string,
    viewColumn: vscode.ViewColumn,
  ) {
    const file = (name: string) => vscode.Uri.joinPath(server.context.extensionUri, name);
    this.panel = vscode.window.createWebviewPanel(
      PREVIEW,
      vscode.l10n.t('Preview: {name}', { name }),
      { viewColumn, preserveFocus: viewColumn === vscode.ViewColumn.Beside },
      { enableScripts: true, enableFindWidget: true, localResourceRoots: [file('media')] },
    );
    this.panel.iconPath = {
      light: file('icons/msgmd-light.svg'),
      dark: file('icons/msgmd-dark.svg'),
    };
    this.panel.webview.onDidReceiveMessage((message) => this.told(message));
    void this.open(this.panel.webview.asWebviewUri(file('media/preview.js')));
  }

  async refresh(): Promise<void> {
    const page = await this.ask();
    if (page !== undefined) {
      const { header, contents, articles } = page;
      this.length = articles.reduce((sum, { html }) => sum + html.length, 0);
      await this.panel.webview.postMessage({ header, contents, articles });
    }
  }

  /**
   * The page follows the editor, where that shows other lines at its top: not because the page was
   * scrolled first, nor because something further down takes more room.
   */
  follow(editor: vscode.TextEditor): void {
    const line = editor.visibleRanges[0]?.start.line ?? 0;
    if (line !== this.top) {
      this.top = line;
      void this.panel.webview.postMessage({ line });
    }
  }

  /** The frame of the page. Whatever stands in it later: no other script runs, nothing is loaded. */
  private async open(script: vscode.Uri): Promise<void> {
    const nonce = randomBytes(16).toString('base64');
    const policy = `default-src 'none'; img-src data:; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;
    const style = (await this.ask())?.style ?? '';
    this.panel.webview.html = `<!DOCTYPE html>
<html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<style nonce="${nonce}">${style}</style></head>
<body><header></header><main></main><script nonce="${nonce}" src="${script}"></script></body></html>`;
  }

  /** Nothing where the file was closed meanwhile: its page stays as it is. */
  private async ask(): Promise<Page | undefined> {
    await this.server.start();
    return this.server.ask<Page>('msgls/page', { uri: this.uri });
  }

  private async told({ ready, line }: { ready?: boolean; line?: number }): Promise<void> {
    const editor = editorOf(this.uri);
    if (ready) {
      await this.refresh();
      this.top = -1;
      if (editor !== undefined) {
        this.follow(editor);
      }
    } else if (line !== undefined && editor !== undefined) {
      this.top = Math.floor(line);
      const at = new vscode.Range(this.top, 0, this.top, 0);
      editor.revealRange(at, vscode.TextEditorRevealType.AtTop);
    }
  }
}
