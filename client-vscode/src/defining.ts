/**
 * The definition of a new cell, the one thing that is written without being typed. A moment after
 * Enter behind a header that has an id and no definition, it stands below the cursor, which stays
 * where Enter has put it. Whoever goes on typing there means to write it: then it goes again, and
 * the file is what was typed.
 */
import * as vscode from 'vscode';
import type { Server } from './server';
import { isEnter, moved } from './typing';

/** Longer than between two keys: nothing is written while somebody types. */
const PAUSE_MS = 1_000;
/** What is typed is told before or after where the cursor is then: so much later it is sure. */
const LEAVING_MS = 500;
/** How often taking it back is tried: typing on may get in between each time. */
const MOST_TRIES = 100;

/** What was written, and where it starts now. */
interface Written {
  readonly document: vscode.TextDocument;
  readonly text: string;
  offset: number;
}

export class DefinitionWriter implements vscode.Disposable {
  private readonly subscriptions: vscode.Disposable[];
  private timer: NodeJS.Timeout | undefined;
  private leaving: NodeJS.Timeout | undefined;
  /** What is about to be written: its own change is told before it is said to have succeeded. */
  private writing: Written | undefined;
  private written: Written | undefined;

  constructor(private readonly server: Server) {
    this.subscriptions = [
      vscode.workspace.onDidChangeTextDocument((event) => this.changed(event)),
      vscode.window.onDidChangeTextEditorSelection((event) => this.selected(event)),
      vscode.window.onDidChangeActiveTextEditor(() => this.leave()),
    ];
  }

  dispose(): void {
    this.leave();
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  private leave(): void {
    clearTimeout(this.timer);
    clearTimeout(this.leaving);
    this.written = undefined;
  }

  private changed({ document, contentChanges, reason }: vscode.TextDocumentChangeEvent): void {
    const editor = vscode.window.activeTextEditor;
    if (editor?.document !== document || contentChanges.length === 0) {
      return;
    }
    clearTimeout(this.timer);
    const { written, writing } = this;
    const [change] = contentChanges;
    if (writing !== undefined && change?.text === writing.text) {
      this.writing = undefined;
      this.written = writing;
      return;
    }
    if (written !== undefined) {
      const offset = moved(written.offset, contentChanges);
      const isHere = contentChanges.some(({ rangeOffset }) => rangeOffset === written.offset);
      if (reason !== undefined || offset === undefined) {
        this.written = undefined;
      } else if (isHere && offset !== written.offset) {
        // Typed on the line of the cursor: it is taken back once.
        this.written = undefined;
        void this.takeBack({ ...written, offset });
      } else {
        written.offset = offset;
      }
      return;
    }
    if (reason !== undefined || change === undefined || document.languageId !== 'msgmd') {
      return;
    }
    // Whether that was behind a header which lacks one, the server knows.
    if (isEnter(contentChanges)) {
      const place = new vscode.Position(change.range.start.line + 1, 0);
      this.timer = setTimeout(() => this.write(editor, place, document.version), PAUSE_MS);
    }
  }

  /** Whoever leaves the place without typing has accepted what was written. */
  private selected({ textEditor, selections }: vscode.TextEditorSelectionChangeEvent): void {
    const { written } = this;
    if (written !== undefined && textEditor.document === written.document) {
      const place = written.document.positionAt(written.offset);
      clearTimeout(this.leaving);
      if (!selections.every(({ start, end }) => start.isEqual(place) && end.isEqual(place))) {
        this.leaving = setTimeout(() => this.leave(), LEAVING_MS);
      }
    }
  }

  private async write(
    editor: vscode.TextEditor,
    place: vscode.Position,
    version: number,
  ): Promise<void> {
    const { document } = editor;
    const client = this.server.running;
    const isHere = () =>
      document.version === version &&
      editor === vscode.window.activeTextEditor &&
      editor.selections.length === 1 &&
      editor.selection.isEmpty &&
      editor.selection.active.isEqual(place);
    if (client === undefined || !isHere()) {
      return;
    }
    const answer = await client
      .sendRequest<{ text: string | null } | null>('msgls/missingDefinition', {
        textDocument: client.code2ProtocolConverter.asTextDocumentIdentifier(document),
        position: client.code2ProtocolConverter.asPosition(place),
      })
      .catch(() => null);
    if (!answer?.text || !isHere()) {
      return;
    }
    // A snippet, because it says in the same step where the cursor stays.
    const snippet = new vscode.SnippetString().appendTabstop(0).appendText(answer.text);
    this.writing = { document, text: answer.text, offset: document.offsetAt(place) };
    const options = { undoStopBefore: true, undoStopAfter: true, keepWhitespace: true };
    await editor.insertSnippet(snippet, place, options);
    this.writing = undefined;
  }

  private async takeBack(written: Written): Promise<void> {
    const { document, text } = written;
    const following = vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document === document) {
        written.offset = moved(written.offset, event.contentChanges) ?? -1;
      }
    });
    try {
      for (let tries = 0; tries < MOST_TRIES; tries += 1) {
        const editor = vscode.window.visibleTextEditors.find((it) => it.document === document);
        const start = document.positionAt(written.offset);
        const range = new vscode.Range(start, document.positionAt(written.offset + text.length));
        if (editor === undefined || written.offset < 0 || document.getText(range) !== text) {
          return;
        }
        const options = { undoStopBefore: false, undoStopAfter: false };
        // Refused where somebody has typed meanwhile.
        if (await editor.edit((edit) => edit.delete(range), options)) {
          return;
        }
      }
    } finally {
      following.dispose();
    }
  }
}
