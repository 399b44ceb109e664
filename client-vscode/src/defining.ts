/**
 * The definition of a new cell, the one thing that is written without being typed. A moment after
 * Enter after a header that has an id and no definition, it stands below the cursor, which stays
 * where Enter has put it. A user who goes on typing there means to write it: then it goes again, and
 * the file is what was typed.
 */
import * as vscode from 'vscode';
import type { Server } from './server';
import { Later } from './timing';
import { isEnter, moved } from './written';

/** Longer than between two keys: nothing is written while the user types. */
const PAUSE_MS = 1_000;
/** The event of a change comes before or after that of the cursor: so much later both are there. */
const LEAVING_MS = 500;

/** What was written, and where it starts now. */
interface Written {
  readonly document: vscode.TextDocument;
  readonly text: string;
  offset: number;
  /** Whether the user has typed in its place, so that it goes. */
  isRefused: boolean;
}

export class DefinitionWriter {
  /** What is about to be written: the event of its change comes before the call returns. */
  private writing: Written | undefined;
  private written: Written | undefined;
  private readonly leaving = new Later(() => this.leave(), LEAVING_MS);
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly server: Server) {
    server.context.subscriptions.push(
      { dispose: () => this.leave() },
      vscode.workspace.onDidChangeTextDocument((event) => this.changed(event)),
      vscode.window.onDidChangeTextEditorSelection((event) => this.selected(event)),
      vscode.window.onDidChangeActiveTextEditor(() => this.leave()),
    );
  }

  private leave(): void {
    clearTimeout(this.timer);
    this.leaving.dispose();
    if (!this.written?.isRefused) {
      this.written = undefined;
    }
  }

  private changed({ document, contentChanges, reason }: vscode.TextDocumentChangeEvent): void {
    const editor = vscode.window.activeTextEditor;
    const [change] = contentChanges;
    if (editor?.document !== document || change === undefined) {
      return;
    }
    clearTimeout(this.timer);
    const { written, writing } = this;
    if (writing !== undefined && change.text === writing.text) {
      this.writing = undefined;
      this.written = writing;
    } else if (written?.document === document) {
      const offset = moved(written.offset, contentChanges);
      const isHere = contentChanges.some(({ rangeOffset }) => rangeOffset === written.offset);
      if (reason !== undefined || offset === undefined) {
        this.written = undefined;
        return;
      }
      // Typed on the line of the cursor: it is taken back.
      written.isRefused ||= isHere && offset !== written.offset;
      written.offset = offset;
      if (written.isRefused) {
        void this.takeBack(editor, written);
      }
    } else if (reason === undefined && document.languageId === 'msgmd' && isEnter(contentChanges)) {
      // Whether that was after a header which lacks one, the server knows.
      const place = new vscode.Position(change.range.start.line + 1, 0);
      this.timer = setTimeout(() => this.write(editor, place, document.version), PAUSE_MS);
    }
  }

  /** Leaving the place without typing accepts what was written. */
  private selected({ textEditor, selections }: vscode.TextEditorSelectionChangeEvent): void {
    const { written } = this;
    if (written !== undefined && textEditor.document === written.document) {
      const place = written.document.positionAt(written.offset);
      this.leaving.dispose();
      if (!selections.every(({ start, end }) => start.isEqual(place) && end.isEqual(place))) {
        this.leaving.soon();
      }
    }
  }

  private async write(
    editor: vscode.TextEditor,
    place: vscode.Position,
    version: number,
  ): Promise<void> {
    const { document } = editor;
    const isHere = () =>
      document.version === version &&
      editor === vscode.window.activeTextEditor &&
      editor.selections.length === 1 &&
      editor.selection.isEmpty &&
      editor.selection.active.isEqual(place);
    if (!isHere()) {
      return;
    }
    const about = { textDocument: { uri: `${document.uri}` }, position: place };
    const answer = await this.server.ask<{ text: string | null }>('msgls/missingDefinition', about);
    const text = answer?.text;
    if (!text || !isHere()) {
      return;
    }
    // A snippet, because it says in the same step where the cursor stays.
    const snippet = new vscode.SnippetString().appendTabstop(0).appendText(text);
    this.writing = { document, text, offset: document.offsetAt(place), isRefused: false };
    const options = { undoStopBefore: true, undoStopAfter: true, keepWhitespace: true };
    await editor.insertSnippet(snippet, place, options);
    this.writing = undefined;
  }

  /** Where the user types meanwhile, the edit is refused, and that change brings us here again. */
  private async takeBack(editor: vscode.TextEditor, written: Written): Promise<void> {
    const { document, text, offset } = written;
    const [start, end] = [document.positionAt(offset), document.positionAt(offset + text.length)];
    const range = new vscode.Range(start, end);
    const options = { undoStopBefore: false, undoStopAfter: false };
    const isGone = document.getText(range) !== text;
    if (isGone || (await editor.edit((edit) => edit.delete(range), options))) {
      this.written = undefined;
    }
  }
}
