/** Which documents are ours, and which editors show them. */
import * as vscode from 'vscode';

/** The languages that we serve. */
export const LANGUAGES: readonly string[] = ['msgmd', 'stf', 'chatbuilder', 'msgjson'];

/** Whether a document is in one of our languages. */
export function isOurs({ languageId }: vscode.TextDocument): boolean {
  return LANGUAGES.includes(languageId);
}

/** The active editor, if it shows a document of ours. */
export function ourEditor(): vscode.TextEditor | undefined {
  const editor = vscode.window.activeTextEditor;
  return editor && isOurs(editor.document) ? editor : undefined;
}

/** An editor that shows the document with an address. */
export function editorOf(uri: vscode.Uri | string): vscode.TextEditor | undefined {
  return vscode.window.visibleTextEditors.find(({ document }) => `${document.uri}` === `${uri}`);
}
