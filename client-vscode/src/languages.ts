/**
 * What a file is where its name does not say it: a Markdown file is looked at, the server is
 * asked, and the document gets our language.
 */
import * as path from 'node:path';
import * as vscode from 'vscode';
import { mayBeOurs } from './recognising';
import type { Server } from './server';

/** The languages that we serve. */
export const LANGUAGES = ['msgmd', 'stf', 'chatbuilder', 'msgjson'] as const;

const HEAD_LENGTH = 65_536;
const PAUSE_MS = 400;

/** Whether a document is in one of our languages. */
export function isOurs(document: vscode.TextDocument): boolean {
  return (LANGUAGES as readonly string[]).includes(document.languageId);
}

/** Gives Markdown documents our language when the server says that they are ours. */
export class LanguageSetter implements vscode.Disposable {
  private readonly subscriptions: vscode.Disposable[];
  private readonly timers = new Map<string, NodeJS.Timeout>();
  /** Documents whose language somebody has chosen: they keep it while this window is open. */
  private readonly chosen = new Set<string>();
  /** The document that was just closed in one of our languages. */
  private closed: string | undefined;

  constructor(private readonly server: Server) {
    this.subscriptions = [
      vscode.workspace.onDidOpenTextDocument((document) => this.opened(document)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.lookSoon(document)),
      vscode.workspace.onDidCloseTextDocument((document) => this.forgotten(document)),
    ];
    for (const document of vscode.workspace.textDocuments) {
      this.look(document);
    }
  }

  dispose(): void {
    for (const timer of this.timers.values()) {
      clearTimeout(timer);
    }
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  /** A change of language closes a document, and opens it again at once. */
  private opened(document: vscode.TextDocument): void {
    const address = document.uri.toString();
    if (this.closed === address && document.languageId === 'markdown') {
      // We never choose Markdown: a person does.
      this.chosen.add(address);
    }
    this.closed = undefined;
    this.look(document);
  }

  private forgotten(document: vscode.TextDocument): void {
    this.forget(document);
    this.closed = isOurs(document) ? document.uri.toString() : undefined;
    setTimeout(() => {
      this.closed = undefined;
    }, 0);
  }

  private look(document: vscode.TextDocument): void {
    if (isOurs(document)) {
      void this.server.start();
    } else if (isAgentsFile(document)) {
      void this.server.start();
    } else if (this.isAskedFor(document)) {
      void this.ask(document);
    }
  }

  private isAskedFor({ languageId, uri }: vscode.TextDocument): boolean {
    return languageId === 'markdown' && uri.scheme === 'file' && !this.chosen.has(uri.toString());
  }

  private lookSoon(document: vscode.TextDocument): void {
    if (!this.isAskedFor(document)) {
      return;
    }
    this.forget(document);
    const timer = setTimeout(() => this.ask(document), PAUSE_MS);
    this.timers.set(document.uri.toString(), timer);
  }

  private forget(document: vscode.TextDocument): void {
    clearTimeout(this.timers.get(document.uri.toString()));
    this.timers.delete(document.uri.toString());
  }

  private async ask(document: vscode.TextDocument): Promise<void> {
    const end = document.positionAt(HEAD_LENGTH);
    const head = document.getText(new vscode.Range(new vscode.Position(0, 0), end));
    if (document.isClosed || !mayBeOurs(path.posix.basename(document.uri.path), head)) {
      return;
    }
    const client = await this.server.start();
    if (client === undefined) {
      return;
    }
    const uri = client.code2ProtocolConverter.asUri(document.uri);
    try {
      const answer = await client.sendRequest<{ languageId: string | null }>('msgls/languageOf', {
        uri,
        head,
      });
      const isStillOpen = !document.isClosed && document.languageId === 'markdown';
      if (isStillOpen && (LANGUAGES as readonly (string | null)[]).includes(answer.languageId)) {
        await vscode.languages.setTextDocumentLanguage(document, answer.languageId as string);
      }
    } catch (error) {
      this.server.log.warn(`what ${document.uri.fsPath} is cannot be said: ${error}`);
    }
  }
}

function isAgentsFile(document: vscode.TextDocument): boolean {
  return (
    /^jsonc?$/.test(document.languageId) &&
    document.uri.scheme === 'file' &&
    path.posix.basename(document.uri.path) === 'agents.json'
  );
}
