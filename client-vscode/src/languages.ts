/**
 * What a file is where its name does not say it: a Markdown file is looked at, the server is
 * asked, and the document gets our language.
 */
import * as path from 'node:path';
import * as vscode from 'vscode';
import { isOurs, LANGUAGES } from './editors';
import type { Server } from './server';
import { Later } from './timing';

const HEAD_LENGTH = 65_536;
const PAUSE_MS = 400;

/** Whether the server is worth asking: plain Markdown must not start a process. */
export function mayBeOurs(name: string, head: string): boolean {
  if (/^\d+\.md$/i.test(name)) {
    return /^\uFEFF?;|^;? ?(role:|Block-UUID)/im.test(head);
  }
  return /^\uFEFF?---[ \t]*\r?\n/.test(head) && head.includes('message_section');
}

/** Gives Markdown documents our language when the server says that they are ours. */
export class LanguageSetter {
  /** Documents whose language the user has chosen: they keep it while this window is open. */
  private readonly chosen = new Set<string>();
  /** The document that was just closed in one of our languages. */
  private closed: string | undefined;

  constructor(private readonly server: Server) {
    const asking = new Later((document: vscode.TextDocument) => this.ask(document), PAUSE_MS);
    server.context.subscriptions.push(
      asking,
      vscode.workspace.onDidOpenTextDocument((document) => this.opened(document)),
      vscode.workspace.onDidChangeTextDocument(
        ({ document }) => this.isAskedFor(document) && asking.soon(document),
      ),
      vscode.workspace.onDidCloseTextDocument((document) => {
        this.closed = isOurs(document) ? `${document.uri}` : undefined;
        setTimeout(() => {
          this.closed = undefined;
        });
      }),
    );
    for (const document of vscode.workspace.textDocuments) {
      this.look(document);
    }
  }

  /** A change of language closes a document, and opens it again at once. */
  private opened(document: vscode.TextDocument): void {
    if (this.closed === `${document.uri}` && document.languageId === 'markdown') {
      // We never choose Markdown: a person does.
      this.chosen.add(this.closed);
    }
    this.closed = undefined;
    this.look(document);
  }

  private look(document: vscode.TextDocument): void {
    if (isOurs(document) || isAgentsFile(document)) {
      void this.server.start();
    } else if (this.isAskedFor(document)) {
      void this.ask(document);
    }
  }

  private isAskedFor({ languageId, uri }: vscode.TextDocument): boolean {
    return languageId === 'markdown' && uri.scheme === 'file' && !this.chosen.has(`${uri}`);
  }

  private async ask(document: vscode.TextDocument): Promise<void> {
    const { uri } = document;
    const start = new vscode.Position(0, 0);
    const head = document.getText(new vscode.Range(start, document.positionAt(HEAD_LENGTH)));
    if (document.isClosed || !mayBeOurs(path.posix.basename(uri.path), head)) {
      return;
    }
    await this.server.start();
    const about = { uri: `${uri}`, head };
    const answer = await this.server.ask<{ languageId: string }>('msgls/languageOf', about);
    const isStillOpen = !document.isClosed && document.languageId === 'markdown';
    if (isStillOpen && answer && LANGUAGES.includes(answer.languageId)) {
      await vscode.languages.setTextDocumentLanguage(document, answer.languageId);
    }
  }
}

function isAgentsFile({ languageId, uri }: vscode.TextDocument): boolean {
  const isAgents = path.posix.basename(uri.path) === 'agents.json';
  return isAgents && /^jsonc?$/.test(languageId) && uri.scheme === 'file';
}
