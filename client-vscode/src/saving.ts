/**
 * Saving a new file, so that it stays ours. VS Code suggests `# %% Plan the trip[^m1].msg.md`,
 * selects all before the last dot, and whoever types `trip` gets `trip.md`, plain Markdown. So
 * the key for saving opens a dialog of ours, and what is saved past it gets its ending afterwards.
 */
import * as os from 'node:os';
import * as vscode from 'vscode';
import { isOurs } from './languages';
import { suggestedName, withEnding } from './naming';
import { mayBeOurs } from './recognising';
import { tell } from './telling';

/** Registers the command for the key, and watches what is saved past it. */
export function registerSaving(): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.commands.registerCommand('msgls.saveNewFile', saveNewFile),
    new EndingKeeper(),
  );
}

/** Asks for a name, writes the file, and shows it in place of the document without one. */
async function saveNewFile(): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || !editor.document.isUntitled || !isOurs(editor.document)) {
    return;
  }
  const { document, selections, viewColumn = vscode.ViewColumn.Active } = editor;
  const target = await askForName(document);
  if (target === undefined) {
    return;
  }
  // What was typed while the dialog was open counts, too.
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(document.getText()));
  await vscode.window.showTextDocument(document, viewColumn);
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  const saved = await vscode.window.showTextDocument(target, { viewColumn, preview: false });
  saved.selections = selections;
}

async function askForName(document: vscode.TextDocument): Promise<vscode.Uri | undefined> {
  const { languageId } = document;
  const typed = await vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.joinPath(folder(), suggestedName(document.getText(), languageId)),
    title: vscode.l10n.t('Save Message File ({ending})', {
      ending: `*${withEnding('', languageId)}`,
    }),
  });
  if (typed === undefined) {
    return undefined;
  }
  const target = renamed(typed, withEnding(nameOf(typed), languageId));
  // The dialog has asked for the name that was typed, not for the one with its ending.
  const isUnasked = target.path !== typed.path && (await isThere(target));
  return isUnasked && !(await mayReplace(target)) ? undefined : target;
}

async function mayReplace(target: vscode.Uri): Promise<boolean> {
  const question = vscode.l10n.t('{name} is already there. Replace it?', { name: nameOf(target) });
  const replace = vscode.l10n.t('Replace');
  const chosen = await vscode.window.showWarningMessage(question, { modal: true }, replace);
  return chosen === replace;
}

/** The first folder that is open, else the user's own. */
function folder(): vscode.Uri {
  const [first] = vscode.workspace.workspaceFolders ?? [];
  return first?.uri ?? vscode.Uri.file(os.homedir());
}

/**
 * Renames what VS Code's own dialog saved without our ending: by the menu, by *Save All*, or
 * when the editor was closed.
 */
class EndingKeeper implements vscode.Disposable {
  private readonly subscriptions: vscode.Disposable;
  /** What was saved of documents that are still there without a name, by their address. */
  private readonly saved = new Map<string, vscode.Uri>();

  constructor() {
    this.subscriptions = vscode.Disposable.from(
      vscode.workspace.onDidSaveTextDocument((document) => this.remember(document)),
      vscode.workspace.onDidCloseTextDocument((document) => this.closed(document)),
    );
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  /** VS Code saves the file first, and empties and closes the document without a name then. */
  private remember(document: vscode.TextDocument): void {
    const text = document.getText();
    if (isOurs(document) || mayBeOurs(nameOf(document.uri), text)) {
      return;
    }
    const source = vscode.workspace.textDocuments.find(
      (other) => other.isUntitled && isOurs(other) && words(other.getText()) === words(text),
    );
    if (source !== undefined && words(text) !== '') {
      this.saved.set(source.uri.toString(), document.uri);
    }
  }

  private async closed({ uri, languageId }: vscode.TextDocument): Promise<void> {
    const saved = this.saved.get(uri.toString());
    if (saved === undefined) {
      return;
    }
    this.saved.delete(uri.toString());
    const target = await free(saved, withEnding(nameOf(saved), languageId));
    const name = nameOf(target);
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(saved, target);
    if (target.path !== saved.path && (await vscode.workspace.applyEdit(edit))) {
      tell(vscode.l10n.t('saved as {name}, so that it stays a message file', { name }));
    }
  }
}

/** A text as it is compared: saving may trim blanks and add a line end. */
function words(text: string): string {
  return text.replace(/\s+/g, '');
}

/** A file's new name beside it: this one, or the next that nobody has. */
async function free(uri: vscode.Uri, name: string): Promise<vscode.Uri> {
  const [stem = '', ...endings] = name.split(/(?=\.)/);
  for (let number = 1; ; number += 1) {
    const target = renamed(uri, number === 1 ? name : `${stem}-${number}${endings.join('')}`);
    if (target.path === uri.path || !(await isThere(target))) {
      return target;
    }
  }
}

async function isThere(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}

function nameOf(uri: vscode.Uri): string {
  return uri.path.slice(uri.path.lastIndexOf('/') + 1);
}

function renamed(uri: vscode.Uri, name: string): vscode.Uri {
  return vscode.Uri.joinPath(uri, '..', name);
}
