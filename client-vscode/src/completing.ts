/**
 * When Tab takes the first row of a list that opened by itself: in an id, a type or a value that is
 * begun and not closed. Everywhere else it is a key like all others, as Enter always is, unless the
 * list was entered with the arrow keys or asked for. The manifest's keybinding asks for this context.
 */
import * as vscode from 'vscode';
import { isOurs } from './languages';
import { isBegunName } from './typing';

const CONTEXT = 'msgls.inBegunName';

export function watchBegunNames(): vscode.Disposable {
  let last = false;
  const look = () => {
    const editor = vscode.window.activeTextEditor;
    let now = false;
    if (editor !== undefined && isOurs(editor.document)) {
      const { line, character } = editor.selection.active;
      now = isBegunName(editor.document.lineAt(line).text.slice(0, character));
    }
    if (now !== last) {
      last = now;
      void vscode.commands.executeCommand('setContext', CONTEXT, now);
    }
  };
  return vscode.Disposable.from(
    vscode.window.onDidChangeTextEditorSelection(look),
    vscode.window.onDidChangeActiveTextEditor(look),
  );
}
