/**
 * Saving a new file, so that it stays ours. VS Code suggests `# %% Plan the trip[^m1].msg.md`,
 * selects all before the last dot, and a user who types `trip` gets `trip.md`, plain Markdown. So
 * the key for saving opens a dialog of ours, and what is saved past it gets its ending afterwards.
 */
import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { isOurs, ourEditor } from './editors';
import { mayBeOurs } from './languages';
import { tell } from './texts';

const TITLE = /^#{1,5}[ \t]+%%%?(?!%)[ \t]*(.*?)[ \t]*(?:\[\^[^\]]*\])?[ \t]*$/m;
// What Windows does not allow in a name, or what would make a path of it.
const NOT_IN_NAMES = /[\\/:*?"<>|\p{Cc}\s]+/gu;
const DOTS_AROUND = /^[. ]+|[. ]+$/g;
const LONGEST = 60;

/** The endings that make a file ours, by language. */
type Endings = (language: string) => readonly string[];

/** A name for the file of a conversation, without an ending: the title of its first cell. */
export function suggestedName(text: string): string {
  const title = TITLE.exec(text)?.[1] ?? '';
  const name = [...title.replace(NOT_IN_NAMES, ' ')].slice(0, LONGEST).join('');
  return name.replace(DOTS_AROUND, '') || 'conversation';
}

/**
 * A typed name with an ending that makes the file ours: `trip`, `trip.md` and `trip.msg` are
 * `trip.msg.md`. The first of the endings is the one that is added.
 */
export function withEnding(name: string, endings: readonly string[]): string {
  const [first] = endings;
  if (first === undefined || endings.some((ending) => name.toLowerCase().endsWith(ending))) {
    return name;
  }
  const parts = first.split('.').slice(1).join('|');
  return name.replace(new RegExp(`(?<=.)\\.(${parts})$`, 'i'), '') + first;
}

/** Asks for a name, writes the file, and shows it in place of the document without one. */
export async function saveNewFile(endings: Endings): Promise<void> {
  const editor = ourEditor();
  if (!editor?.document.isUntitled) {
    return;
  }
  const { document, selections, viewColumn = vscode.ViewColumn.Active } = editor;
  const target = await askForName(document, endings(document.languageId));
  if (target !== undefined) {
    // What was typed while the dialog was open counts, too.
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(document.getText()));
    await vscode.window.showTextDocument(document, viewColumn);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    const saved = await vscode.window.showTextDocument(target, { viewColumn, preview: false });
    saved.selections = selections;
  }
}

async function askForName(
  document: vscode.TextDocument,
  endings: readonly string[],
): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(os.homedir());
  const suggested = withEnding(suggestedName(document.getText()), endings);
  const typed = await vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.joinPath(folder, suggested),
    title: vscode.l10n.t('Save Message File ({ending})', { ending: `*${endings[0] ?? ''}` }),
  });
  const target = typed && renamed(typed, withEnding(nameOf(typed), endings));
  // The dialog has asked for the name that was typed, not for the one with its ending.
  if (target === undefined || target.path === typed?.path || !(await isThere(target))) {
    return target;
  }
  const question = vscode.l10n.t('{name} already exists. Replace it?', { name: nameOf(target) });
  const replace = vscode.l10n.t('Replace');
  const chosen = await vscode.window.showWarningMessage(question, { modal: true }, replace);
  return chosen === replace ? target : undefined;
}

/**
 * Renames what VS Code's own dialog saved without our ending: by the menu, by *Save All*, or
 * when the editor was closed. VS Code saves the file first, and empties and closes the document
 * without a name then.
 */
export function keepEndings(endings: Endings): vscode.Disposable {
  /** What was saved of documents that are still there without a name, by their address. */
  const saved = new Map<string, vscode.Uri>();
  return vscode.Disposable.from(
    vscode.workspace.onDidSaveTextDocument((document) => {
      const text = document.getText();
      const isSource = (other: vscode.TextDocument) =>
        other.isUntitled && isOurs(other) && words(other.getText()) === words(text);
      if (isOurs(document) || mayBeOurs(nameOf(document.uri), text) || words(text) === '') {
        return;
      }
      const source = vscode.workspace.textDocuments.find(isSource);
      if (source !== undefined) {
        saved.set(`${source.uri}`, document.uri);
      }
    }),
    vscode.workspace.onDidCloseTextDocument(async ({ uri, languageId }) => {
      const file = saved.get(`${uri}`);
      if (file === undefined) {
        return;
      }
      saved.delete(`${uri}`);
      const target = await freeName(file, withEnding(nameOf(file), endings(languageId)));
      const name = nameOf(target);
      const edit = new vscode.WorkspaceEdit();
      edit.renameFile(file, target);
      if (target.path !== file.path && (await vscode.workspace.applyEdit(edit))) {
        tell(vscode.l10n.t('saved as {name}, so that it stays a message file', { name }));
      }
    }),
  );
}

/** A text as it is compared: saving may trim blanks and add a line end. */
function words(text: string): string {
  return text.replace(/\s+/g, '');
}

/** A name beside a file that no other file has: this one, or with `-2`, `-3`, … before its ending. */
export async function freeName(uri: vscode.Uri, name: string, second = 2): Promise<vscode.Uri> {
  const [stem = '', ...endings] = name.split(/(?=\.)/);
  let target = renamed(uri, name);
  for (let number = second; target.path !== uri.path && (await isThere(target)); number += 1) {
    target = renamed(uri, `${stem}-${number}${endings.join('')}`);
  }
  return target;
}

function isThere(uri: vscode.Uri): Thenable<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}

function nameOf(uri: vscode.Uri): string {
  return path.posix.basename(uri.path);
}

function renamed(uri: vscode.Uri, name: string): vscode.Uri {
  return vscode.Uri.joinPath(uri, '..', name);
}
