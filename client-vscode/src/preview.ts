/**
 * The preview: VS Code's own one for Markdown, with cells and their definitions made visible.
 * It renders any document; only its command and keys are kept for the language `markdown`.
 */
import * as vscode from 'vscode';
import { isOurs } from './languages';

export { messageCells } from './markdown';

/** Registers our commands for it. */
export function registerPreview(): vscode.Disposable {
  const { registerCommand } = vscode.commands;
  return vscode.Disposable.from(
    registerCommand('msgls.preview', (uri?: unknown) => show('markdown.showPreview', uri)),
    registerCommand('msgls.previewToSide', (uri?: unknown) =>
      show('markdown.showPreviewToSide', uri),
    ),
  );
}

async function show(command: string, given: unknown): Promise<void> {
  const active = vscode.window.activeTextEditor;
  const uri =
    given instanceof vscode.Uri
      ? given
      : active && isOurs(active.document)
        ? active.document.uri
        : undefined;
  if (uri !== undefined) {
    await vscode.commands.executeCommand(command, uri);
  }
}
