/**
 * What Markdown in VS Code does with what is pasted and dropped, for our languages: an address
 * over a selection makes a link, a picture becomes a file beside the document, a file a link. The
 * server says how a link is written, and where none makes sense.
 */
import * as vscode from 'vscode';
import { freeName } from './saving';
import type { Server } from './server';

const LANGUAGES = ['msgmd', 'stf', 'chatbuilder'];
const URI_LIST = 'text/uri-list';
const PICTURE_TYPES = 'image/*';
const PICTURE_TYPE = /^image\/(png|jpeg|gif|webp|bmp|avif|svg)(\+xml)?$/;
/** Only for what may be an address is the server asked: any other text is pasted at once. */
const ADDRESS = /^\s*[a-z]+:\S+\s*$/i;

const { DocumentDropOrPasteEditKind: Kind } = vscode;
const LINK = Kind.Text.append('msgls', 'link');
const PICTURE = Kind.Text.append('msgls', 'picture');

/** Registers what pastes and drops. */
export function registerPasting(server: Server): vscode.Disposable {
  const kinds = [LINK, PICTURE];
  return vscode.Disposable.from(
    vscode.languages.registerDocumentPasteEditProvider(
      LANGUAGES,
      {
        provideDocumentPasteEdits: async (document, ranges, transfer) => {
          const [range] = ranges;
          const isOne = range !== undefined && ranges.length === 1;
          const made = isOne ? await linked(server, document, range, transfer) : undefined;
          return made && [Object.assign(new vscode.DocumentPasteEdit('', '', LINK), made)];
        },
      },
      { pasteMimeTypes: ['text/plain', URI_LIST, PICTURE_TYPES], providedPasteEditKinds: kinds },
    ),
    vscode.languages.registerDocumentDropEditProvider(
      LANGUAGES,
      {
        provideDocumentDropEdits: async (document, position, transfer) => {
          const range = new vscode.Range(position, position);
          const made = await linked(server, document, range, transfer);
          return made && Object.assign(new vscode.DocumentDropEdit(''), made);
        },
      },
      { dropMimeTypes: [URI_LIST, PICTURE_TYPES], providedDropEditKinds: kinds },
    ),
  );
}

/** What both kinds of edits say: what goes into the document, and what is done beside. */
async function linked(
  server: Server,
  { uri, isUntitled }: vscode.TextDocument,
  { isEmpty, start, end }: vscode.Range,
  transfer: vscode.DataTransfer,
): Promise<Partial<vscode.DocumentPasteEdit & vscode.DocumentDropEdit> | undefined> {
  const picture = isUntitled ? undefined : await pictureIn(uri, transfer);
  const list = picture?.target.toString() ?? (await transfer.get(URI_LIST)?.asString()) ?? '';
  const files = list.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
  // Only words that are selected become a link; a drop selects none.
  const pasted = isEmpty ? undefined : await transfer.get('text/plain')?.asString();
  const address = files.length === 0 && ADDRESS.test(pasted ?? '') ? pasted : undefined;
  if (files.length === 0 && address === undefined) {
    return undefined;
  }
  const about = { uri: `${uri}`, range: { start, end }, address, files };
  const link = await server.ask<{ text: string | null }>('msgls/link', about);
  if (!link?.text) {
    return undefined;
  }
  const made = { insertText: link.text, title: vscode.l10n.t('Insert a link'), kind: LINK };
  if (picture === undefined) {
    return made;
  }
  const { target, contents } = picture;
  const additionalEdit = new vscode.WorkspaceEdit();
  additionalEdit.createFile(target, { contents, ignoreIfExists: true });
  return { ...made, title: vscode.l10n.t('Insert the picture'), kind: PICTURE, additionalEdit };
}

/** A picture in the clipboard, and the file beside the document that it becomes. */
async function pictureIn(
  uri: vscode.Uri,
  transfer: vscode.DataTransfer,
): Promise<{ target: vscode.Uri; contents: vscode.DataTransferFile } | undefined> {
  for (const [mime, item] of transfer) {
    const ending = PICTURE_TYPE.exec(mime)?.[1]?.replace('jpeg', 'jpg');
    const contents = ending && item.asFile();
    if (contents) {
      return { target: await freeName(uri, `image.${ending}`, 1), contents };
    }
  }
  return undefined;
}
