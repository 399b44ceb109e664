/**
 * What Markdown in VS Code does with what is pasted and dropped, for our languages: an address
 * over a selection makes a link, a picture becomes a file beside the document, a file a link.
 */
import * as vscode from 'vscode';
import { addressIn, canBeLinked, fileLink, isInFence, linkTo, pictureEnding } from './links';

const LANGUAGES = ['msgmd', 'stf', 'chatbuilder'];
const URI_LIST = 'text/uri-list';
const PICTURES = 'image/*';
const FENCE_LINES = 2_000;

const { DocumentDropOrPasteEditKind: Kind } = vscode;
const LINK = Kind.Text.append('msgls', 'link');
const PICTURE = Kind.Text.append('msgls', 'picture');

/** Registers what pastes and drops, and the commands that insert a link or a picture. */
export function registerPasting(): vscode.Disposable {
  const { registerCommand, executeCommand } = vscode.commands;
  const providing = new Linker();
  return vscode.Disposable.from(
    vscode.languages.registerDocumentPasteEditProvider(LANGUAGES, providing, {
      pasteMimeTypes: ['text/plain', URI_LIST, PICTURES],
      providedPasteEditKinds: [LINK, PICTURE],
    }),
    vscode.languages.registerDocumentDropEditProvider(LANGUAGES, providing, {
      dropMimeTypes: [URI_LIST, PICTURES],
      providedDropEditKinds: [LINK, PICTURE],
    }),
    // Markdown's own commands work in any editor; only the palette keeps them for Markdown.
    registerCommand('msgls.insertLink', () =>
      executeCommand('markdown.editor.insertLinkFromWorkspace'),
    ),
    registerCommand('msgls.insertImage', () =>
      executeCommand('markdown.editor.insertImageFromWorkspace'),
    ),
  );
}

/** What goes into the document, and what is done beside. */
interface Made {
  readonly text: string;
  readonly title: string;
  readonly kind: vscode.DocumentDropOrPasteEditKind;
  readonly files?: vscode.WorkspaceEdit;
}

class Linker implements vscode.DocumentPasteEditProvider, vscode.DocumentDropEditProvider {
  async provideDocumentPasteEdits(
    document: vscode.TextDocument,
    ranges: readonly vscode.Range[],
    transfer: vscode.DataTransfer,
  ): Promise<vscode.DocumentPasteEdit[] | undefined> {
    const [range] = ranges;
    if (range === undefined || ranges.length > 1 || isCode(document, range.start)) {
      return undefined;
    }
    const made =
      (await pictureOf(document, transfer)) ??
      (await filesOf(document, transfer)) ??
      (await addressOver(document, range, transfer));
    if (made === undefined) {
      return undefined;
    }
    const edit = new vscode.DocumentPasteEdit(made.text, made.title, made.kind);
    if (made.files) {
      edit.additionalEdit = made.files;
    }
    return [edit];
  }

  async provideDocumentDropEdits(
    document: vscode.TextDocument,
    position: vscode.Position,
    transfer: vscode.DataTransfer,
  ): Promise<vscode.DocumentDropEdit | undefined> {
    if (isCode(document, position)) {
      return undefined;
    }
    const made = (await pictureOf(document, transfer)) ?? (await filesOf(document, transfer));
    if (made === undefined) {
      return undefined;
    }
    const edit = new vscode.DocumentDropEdit(made.text, made.title, made.kind);
    if (made.files) {
      edit.additionalEdit = made.files;
    }
    return edit;
  }
}

/** An address that is pasted over words makes a link of them. */
async function addressOver(
  document: vscode.TextDocument,
  range: vscode.Range,
  transfer: vscode.DataTransfer,
): Promise<Made | undefined> {
  const address = addressIn((await transfer.get('text/plain')?.asString()) ?? '');
  const selected = document.getText(range);
  const before = document.lineAt(range.start.line).text.slice(0, range.start.character);
  if (address === undefined || !canBeLinked(selected, before)) {
    return undefined;
  }
  return { text: linkTo(address, selected), title: vscode.l10n.t('Insert a link'), kind: LINK };
}

/** Files that are dropped or pasted are linked, seen from the document. */
async function filesOf(
  document: vscode.TextDocument,
  transfer: vscode.DataTransfer,
): Promise<Made | undefined> {
  const list = (await transfer.get(URI_LIST)?.asString()) ?? '';
  const files = list
    .split(/\r?\n/)
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => vscode.Uri.parse(line));
  const areNear = files.every(({ scheme }) => scheme === document.uri.scheme);
  if (files.length === 0 || !areNear || document.isUntitled) {
    return undefined;
  }
  const text = files.map((file) => fileLink(document.uri.path, file.path)).join(' ');
  return { text, title: vscode.l10n.t('Insert a link'), kind: LINK };
}

/** A picture in the clipboard becomes a file beside the document. */
async function pictureOf(
  document: vscode.TextDocument,
  transfer: vscode.DataTransfer,
): Promise<Made | undefined> {
  for (const [mime, item] of document.isUntitled ? [] : transfer) {
    const ending = pictureEnding(mime);
    const picture = ending && item.asFile();
    if (ending && picture) {
      const target = await freeName(document.uri, ending);
      const files = new vscode.WorkspaceEdit();
      files.createFile(target, { contents: picture, ignoreIfExists: true });
      const text = fileLink(document.uri.path, target.path);
      return { text, title: vscode.l10n.t('Insert the picture'), kind: PICTURE, files };
    }
  }
  return undefined;
}

async function freeName(document: vscode.Uri, ending: string): Promise<vscode.Uri> {
  for (let number = 0; ; number += 1) {
    const name = `image${number === 0 ? '' : `-${number}`}${ending}`;
    const uri = vscode.Uri.joinPath(document, '..', name);
    const isThere = await vscode.workspace.fs.stat(uri).then(
      () => true,
      () => false,
    );
    if (!isThere) {
      return uri;
    }
  }
}

function isCode(document: vscode.TextDocument, { line }: vscode.Position): boolean {
  const first = Math.max(0, line - FENCE_LINES);
  const above = new vscode.Range(first, 0, line, 0);
  return isInFence(document.getText(above).split(/\r\n|\r|\n/));
}
