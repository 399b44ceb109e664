/**
 * What the model sees: a read-only document beside the file, which follows the typing. The cursor
 * in the file marks its message there, and the cursor there moves the one in the file. A cell
 * that the model does not see says why in the status bar.
 */
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { agentItem, agentsOf } from './commands';
import { isOurs } from './languages';
import type { Server } from './server';
import { sourceOfView, VIEW_SCHEME, viewAddress } from './viewuri';

const TYPING_MS = 150;
/** All of a view is sent anew: the longer it is, the longer a pause must be. */
const CHARACTERS_A_MS = 10_000;
const CURSOR_MS = 40;

/** What `msgls/view` answers, as far as it is used. */
interface Shown {
  readonly version: number | null;
  readonly text: string;
}

type Position = { readonly line: number; readonly character: number };
type Range = { readonly start: Position; readonly end: Position };

/** What `msgls/viewOf` and `msgls/sourceOf` answer. */
interface Place {
  readonly position: Position | null;
  readonly range: Range | null;
  readonly reason?: string | null;
}

export class ModelView implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly chosen = new vscode.EventEmitter<string>();
  /** Another agent was chosen for the document of that address. */
  readonly onDidChooseAgent = this.chosen.event;
  private readonly agents = new Map<string, string>();
  /** The versions that the views show, by the addresses of their documents. */
  private readonly versions = new Map<string, number | null>();
  private readonly lengths = new Map<string, number>();
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly marked: vscode.TextEditorDecorationType;
  private readonly why: vscode.StatusBarItem;
  private readonly subscriptions: vscode.Disposable[];
  private listening: vscode.Disposable | undefined;
  private asked = 0;

  constructor(private readonly server: Server) {
    this.marked = vscode.window.createTextEditorDecorationType({
      isWholeLine: true,
      backgroundColor: new vscode.ThemeColor('msgls.activeCellBackground'),
    });
    this.why = vscode.window.createStatusBarItem('msgls.why', vscode.StatusBarAlignment.Left, -1);
    this.why.name = vscode.l10n.t('msgls: why the model does not see a cell');
    const { registerCommand } = vscode.commands;
    this.subscriptions = [
      this.changed,
      this.chosen,
      this.marked,
      this.why,
      vscode.workspace.registerTextDocumentContentProvider(VIEW_SCHEME, this),
      registerCommand('msgls.showView', (uri?: unknown) => this.show(uri)),
      registerCommand('msgls.view.chooseAgent', () => this.chooseAgent()),
      server.onDidChange(({ state }) => state === 'running' && this.listen()),
      vscode.window.onDidChangeTextEditorSelection((event) => this.moved(event)),
      vscode.window.onDidChangeActiveTextEditor(() => this.markSoon()),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        // What is shown has caught up with what was typed.
        if (document.uri.scheme === VIEW_SCHEME) {
          this.markSoon();
        }
      }),
      // A document that is opened again is a new one to the server.
      vscode.workspace.onDidOpenTextDocument(({ uri }) => this.refreshSoon(uri.toString())),
      vscode.workspace.onDidCloseTextDocument((document) => this.closed(document)),
    ];
  }

  dispose(): void {
    for (const timer of this.timers.values()) {
      clearTimeout(timer);
    }
    this.listening?.dispose();
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  /** The agent that was chosen for a document; nothing where the default one sees it. */
  agentOf(source: string): string | undefined {
    return this.agents.get(source);
  }

  // -- the document -------------------------------------------------------------------------

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const source = sourceOfView(uri);
    const client = await this.server.start();
    if (source === undefined || client === undefined) {
      return inItalics(vscode.l10n.t('The server does not run.'));
    }
    try {
      const shown = await client.sendRequest<Shown>('msgls/view', this.about(source));
      this.versions.set(source, shown.version);
      this.lengths.set(source, shown.text.length);
      // Where the text is the same as before, nothing else says that it is of another version.
      this.markSoon();
      return shown.text || inItalics(vscode.l10n.t('The model sees nothing of this file.'));
    } catch (error) {
      // The file may have been closed meanwhile; its view stays, and says so.
      return inItalics(error instanceof Error ? error.message : String(error));
    }
  }

  private async show(given: unknown): Promise<void> {
    const active = vscode.window.activeTextEditor?.document;
    const named =
      given instanceof vscode.Uri ? await vscode.workspace.openTextDocument(given) : active;
    if (named === undefined || !isOurs(named)) {
      return;
    }
    const source = named.uri.toString();
    const title = vscode.l10n.t('What the model sees');
    const uri = vscode.Uri.from(viewAddress(source, named.uri.path, title));
    const document = await vscode.workspace.openTextDocument(uri);
    const viewColumn = viewEditor(source)?.viewColumn ?? vscode.ViewColumn.Beside;
    await vscode.window.showTextDocument(document, {
      viewColumn,
      preserveFocus: true,
      preview: false,
    });
    this.markSoon();
  }

  private about(source: string): { uri: string; agent?: string } {
    const agent = this.agents.get(source);
    return agent === undefined ? { uri: source } : { uri: source, agent };
  }

  /** A new server has come: it knows nothing of our views. */
  private listen(): void {
    this.listening?.dispose();
    this.listening = this.server.running?.onNotification(
      'msgls/viewChanged',
      ({ uri }: { uri: string }) => this.refreshSoon(vscode.Uri.parse(uri).toString()),
    );
    for (const document of vscode.workspace.textDocuments) {
      if (document.uri.scheme === VIEW_SCHEME) {
        this.changed.fire(document.uri);
      }
    }
  }

  private refreshSoon(source: string): void {
    if (viewDocument(source) === undefined) {
      return;
    }
    const pause = TYPING_MS + (this.lengths.get(source) ?? 0) / CHARACTERS_A_MS;
    clearTimeout(this.timers.get(source));
    this.timers.set(
      source,
      setTimeout(() => this.refresh(source), pause),
    );
  }

  private refresh(source: string): void {
    const document = viewDocument(source);
    if (document !== undefined) {
      this.changed.fire(document.uri);
    }
  }

  private closed(document: vscode.TextDocument): void {
    const source = sourceOfView(document.uri);
    if (source !== undefined) {
      this.versions.delete(source);
      this.lengths.delete(source);
      void this.server.running?.sendNotification('msgls/closeView', this.about(source));
      this.mark();
    }
  }

  private async chooseAgent(): Promise<void> {
    const source = this.activeSource();
    const client = this.server.running;
    if (source === undefined || client === undefined) {
      return;
    }
    const byDefault = { label: vscode.l10n.t('The default agent'), agent: undefined };
    const items = [byDefault, ...(await agentsOf(this.server, source)).map(agentItem)];
    const title = vscode.l10n.t('The agent whose view is shown');
    const picked = await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
    if (picked === undefined) {
      return;
    }
    await client.sendNotification('msgls/closeView', this.about(source));
    if (picked.agent === undefined) {
      this.agents.delete(source);
    } else {
      this.agents.set(source, picked.agent.name);
    }
    this.chosen.fire(source);
    this.refresh(source);
  }

  /** The document that the active editor is about, be it the document or its view. */
  private activeSource(): string | undefined {
    const document = vscode.window.activeTextEditor?.document;
    if (document === undefined) {
      return undefined;
    }
    return isOurs(document) ? document.uri.toString() : sourceOfView(document.uri);
  }

  // -- places, both ways --------------------------------------------------------------------

  private moved({ textEditor, kind }: vscode.TextEditorSelectionChangeEvent): void {
    if (textEditor !== vscode.window.activeTextEditor) {
      return;
    }
    const source = sourceOfView(textEditor.document.uri);
    if (source === undefined) {
      this.markSoon();
    } else if (kind !== undefined) {
      // Somebody went there, with a key or the mouse: what a new text moves has no kind.
      void this.goToSource(source, textEditor);
    }
  }

  private markSoon(): void {
    clearTimeout(this.timers.get(''));
    this.timers.set(
      '',
      setTimeout(() => this.mark(), CURSOR_MS),
    );
  }

  /** Marks the message of the cursor in the view of the active document. */
  private mark(): void {
    const editor = vscode.window.activeTextEditor;
    if (editor !== undefined && sourceOfView(editor.document.uri) !== undefined) {
      return;
    }
    const view = editor && isOurs(editor.document) && viewEditor(editor.document.uri.toString());
    if (editor === undefined || !view) {
      this.why.hide();
      return;
    }
    void this.markIn(view, editor.document, editor.selection.active, true);
  }

  private async markIn(
    view: vscode.TextEditor,
    document: vscode.TextDocument,
    place: vscode.Position,
    reveal: boolean,
  ): Promise<void> {
    const source = document.uri.toString();
    const { version } = document;
    const found = await this.ask('msgls/viewOf', source, place, version);
    if (found === undefined) {
      return;
    }
    this.say(found);
    // What is not shown yet will be in a moment, and then this is done again.
    if (this.versions.get(source) !== version) {
      return;
    }
    if (found.range === null || found.position === null) {
      view.setDecorations(this.marked, []);
      return;
    }
    const range = asRange(found.range);
    view.setDecorations(this.marked, [range]);
    if (reveal) {
      const at = asPosition(found.position);
      view.revealRange(
        new vscode.Range(at, at),
        vscode.TextEditorRevealType.InCenterIfOutsideViewport,
      );
    }
  }

  /** Why a cell is not seen, or not as it stands. */
  private say(found: Place): void {
    if (!found.reason) {
      this.why.hide();
      return;
    }
    const { reason } = found;
    this.why.text =
      found.range === null
        ? `$(eye-closed) ${vscode.l10n.t('The model does not see this: {reason}', { reason })}`
        : `$(eye) ${vscode.l10n.t('The model sees less of this cell: {reason}', { reason })}`;
    this.why.show();
  }

  /** Moves the cursor in the file to what the cursor in its view is on. */
  private async goToSource(source: string, view: vscode.TextEditor): Promise<void> {
    const version = this.versions.get(source) ?? undefined;
    const found = await this.ask('msgls/sourceOf', source, view.selection.active, version);
    if (!found?.position) {
      return;
    }
    const at = asPosition(found.position);
    const uri = vscode.Uri.parse(source);
    const editor =
      vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === source) ??
      (await vscode.window.showTextDocument(uri, {
        viewColumn: vscode.ViewColumn.One,
        preserveFocus: true,
      }));
    editor.selection = new vscode.Selection(at, at);
    editor.revealRange(
      new vscode.Range(at, at),
      vscode.TextEditorRevealType.InCenterIfOutsideViewport,
    );
    await this.markIn(view, editor.document, at, false);
  }

  /** Asks for a place; nothing where it has been overtaken, or the text has changed since. */
  private async ask(
    method: string,
    source: string,
    place: vscode.Position,
    version: number | undefined,
  ): Promise<Place | undefined> {
    const client: LanguageClient | undefined = this.server.running;
    if (client === undefined) {
      return undefined;
    }
    this.asked += 1;
    const number = this.asked;
    const position = client.code2ProtocolConverter.asPosition(place);
    try {
      const params = { ...this.about(source), position, version };
      const answer = await client.sendRequest<Place>(method, params);
      return number === this.asked ? answer : undefined;
    } catch {
      return undefined;
    }
  }
}

/** What stands in a view where there is nothing to be seen. */
function inItalics(text: string): string {
  return `*${text}*\n`;
}

function viewDocument(source: string): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(({ uri }) => sourceOfView(uri) === source);
}

function viewEditor(source: string): vscode.TextEditor | undefined {
  return vscode.window.visibleTextEditors.find(
    ({ document }) => sourceOfView(document.uri) === source,
  );
}

function asPosition({ line, character }: Position): vscode.Position {
  return new vscode.Position(line, character);
}

function asRange({ start, end }: Range): vscode.Range {
  return new vscode.Range(asPosition(start), asPosition(end));
}
