/**
 * Commands: those of the server get the place of the cursor where the palette, a key or a menu
 * calls them with nothing, and those that need a choice ask for it.
 */
import * as vscode from 'vscode';
import {
  type CodeAction,
  CodeActionRequest,
  ExecuteCommandRequest,
  type Middleware,
  type Position,
  ResponseError,
} from 'vscode-languageclient/node';
import { cellLines, cellNumberAt } from './cells';
import type { CellMarks } from './decorations';
import { isOurs } from './languages';
import type { Server } from './server';
import { type ShownText, showLosses } from './sharing';
import { tell } from './texts';
import { showView } from './view';

const OPEN_AS = 'msgls.message.openAs';
const CONVERT = 'msgls.convert.to';
const FORK = 'msgls.cell.fork';
const COMPARE = 'msgls.ask.compare';
const SHOW_VIEW = 'msgls.view.show';
const LIST = 'msgls.agent.list';
/** What these do takes a kernel, by the user's own choice. */
const RUNS = /^msgls\.(run\.|ask\.answer$)/;
/** What these do, they do to every cell that is selected. */
const OF_SELECTION = /^msgls\.(history\.(exclude|include|summarize)|cell\.menu)$/;

type Arguments = Readonly<Record<string, unknown>>;

/** How a conversation begins. */
interface NewFile {
  readonly languageId: string;
  readonly snippet: string;
}

/** What `msgls/choices` asks for next. */
interface Question {
  readonly name: string;
  readonly title: string;
  readonly prompt: string | null;
  readonly isOptional: boolean;
  readonly choices: readonly (vscode.QuickPickItem & { value: unknown; isTyped: boolean })[];
}

/** Fills in where the cursor is, asks for what is missing, and says why something is refused. */
export function commandMiddleware(server: () => Server): NonNullable<Middleware['executeCommand']> {
  return async (command, args) => {
    const place = withPlace(command, args[0]);
    if (place === undefined) {
      return tell(vscode.l10n.t('put the cursor into a message file first'));
    }
    const source = vscode.Uri.parse(String(place.uri));
    if (command === SHOW_VIEW) {
      // A server can show a document, but not beside another.
      return showView(source);
    }
    // A program that has the agents listed is asked nothing; a person chooses one to go to.
    const isWhole = command === LIST && args.length > 0;
    const argument = isWhole ? place : await filledIn(server(), command, place);
    if (argument === undefined) {
      return undefined;
    }
    if ([OPEN_AS, CONVERT, FORK, COMPARE].includes(command)) {
      // A server can make files, but no document that is nowhere yet: that is shown from here.
      const column = command === OPEN_AS ? vscode.ViewColumn.Active : vscode.ViewColumn.Beside;
      const shown = await execute(server(), command, { ...argument, asText: true });
      return showText(source, shown as ShownText | undefined, column);
    }
    return execute(server(), command, argument);
  };
}

/** The argument of a command: what a lens or an action gives is whole, a key gives a part. */
function withPlace(command: string, given: unknown): Arguments | undefined {
  // VS Code itself leaves out what a folder says: see the setting's scope.
  const kernels = vscode.workspace.getConfiguration('msgls').get('run.kernels');
  const chosen = RUNS.test(command) ? { kernels } : {};
  // A menu gives the address of the document, or what is selected in a list: neither is ours.
  const isPlain = Object.getPrototypeOf(given ?? 0) === Object.prototype;
  const argument: Arguments = { ...(isPlain ? (given as Arguments) : {}), ...chosen };
  const editor = vscode.window.activeTextEditor;
  if (typeof argument.uri === 'string') {
    return argument;
  }
  if (editor === undefined || !isOurs(editor.document)) {
    return undefined;
  }
  const { uri, version } = editor.document;
  const { active, start, end, isEmpty } = editor.selection;
  const isOfSelection = !isEmpty && OF_SELECTION.test(command);
  return {
    ...argument,
    uri: uri.toString(),
    version,
    position: plain(isOfSelection ? start : active),
    ...(isOfSelection ? { end: plain(end) } : {}),
  };
}

function plain({ line, character }: vscode.Position): Position {
  return { line, character };
}

export async function execute(
  server: Server,
  command: string,
  argument: Arguments,
): Promise<unknown> {
  return request(server, ExecuteCommandRequest.method, { command, arguments: [argument] });
}

/** Asks the server; a refusal has its reason, and is not an error: it needs no pop-up. */
export async function request<T>(
  server: Server,
  method: string,
  params: object,
): Promise<T | undefined> {
  const client = server.running;
  if (client === undefined) {
    return tell(vscode.l10n.t('the server is not running'));
  }
  try {
    return await client.sendRequest<T>(method, params);
  } catch (error) {
    if (error instanceof ResponseError) {
      return tell(error.message);
    }
    throw error;
  }
}

/** Asks for what a command needs and was not given; nothing where the user cancels. */
export async function filledIn(
  server: Server,
  command: string,
  given: Arguments,
): Promise<Arguments | undefined> {
  for (let argument = given; ; ) {
    const asked = await request<Question | null>(server, 'msgls/choices', { command, argument });
    if (asked === undefined || asked === null) {
      return asked === null ? argument : undefined;
    }
    const value = await answerTo(asked);
    if (value === undefined) {
      return undefined;
    }
    argument = { ...argument, [asked.name]: value };
  }
}

async function answerTo({ title, prompt, isOptional, choices }: Question): Promise<unknown> {
  if (choices.length > 0) {
    const chosen = await vscode.window.showQuickPick(choices, { title, matchOnDescription: true });
    if (!chosen?.isTyped) {
      return chosen?.value;
    }
  }
  const typed = await vscode.window.showInputBox({ title, prompt: prompt ?? '' });
  return typed?.trim() || (typed !== undefined && isOptional ? null : undefined);
}

async function showText(
  source: vscode.Uri,
  shown: ShownText | undefined,
  column: vscode.ViewColumn,
): Promise<void> {
  if (shown !== undefined) {
    const { languageId: language, text: content } = shown;
    const document = await vscode.workspace.openTextDocument({ language, content });
    await vscode.window.showTextDocument(document, column);
    await showLosses(source, shown);
  }
}

// -- commands that need the editor itself: a selection, the clipboard --------------------------

/** All that can be done with a cell, or with those that are selected. */
export async function showMenu(server: Server, given: unknown): Promise<void> {
  const place = withPlace('msgls.cell.menu', given);
  if (place === undefined) {
    return;
  }
  const { uri, position, end = position } = place;
  const actions = await request<CodeAction[]>(server, CodeActionRequest.method, {
    textDocument: { uri },
    range: { start: position, end },
    context: { diagnostics: [], only: ['refactor', 'navigate'] },
  });
  const items = (actions ?? [])
    .filter(({ disabled }) => disabled === undefined)
    .map(({ title, command }) => ({ label: title, command }));
  const chosen = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Cell') });
  if (chosen?.command !== undefined) {
    const { command, arguments: args = [] } = chosen.command;
    await vscode.commands.executeCommand(command, ...args);
  }
}

export async function selectCell(marks: CellMarks): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || !isOurs(editor.document)) {
    return;
  }
  const { document, selection } = editor;
  const starts = await marks.starts(document);
  const lines = cellLines(starts, cellNumberAt(starts, selection.active.line), document.lineCount);
  if (lines === undefined) {
    tell(vscode.l10n.t('there is no cell here'));
    return;
  }
  const end = document.lineAt(lines.last).rangeIncludingLineBreak.end;
  editor.selection = new vscode.Selection(new vscode.Position(lines.first, 0), end);
}

/** Folds the cells that the model does not see, and leaves the others as they are. */
export async function foldHidden(server: Server): Promise<void> {
  const uri = vscode.window.activeTextEditor?.document.uri.toString();
  const hidden = await request<{ lines: number[] }>(server, 'msgls/hidden', { uri });
  if (hidden?.lines.length === 0) {
    tell(vscode.l10n.t('the model sees every cell'));
  } else if (hidden !== undefined) {
    const how = { selectionLines: hidden.lines, levels: 1, direction: 'down' };
    await vscode.commands.executeCommand('editor.fold', how);
  }
}

/** What is in the clipboard, with its marker lines escaped; inside a fence, as it is. */
export async function pasteAsContent(server: Server): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const text = await vscode.env.clipboard.readText();
  if (editor === undefined || text === '') {
    return;
  }
  const { document, selections } = editor;
  const { version } = document;
  const uri = document.uri.toString();
  const pieces = await Promise.all(
    selections.map(({ start }) => {
      const about = { uri, position: plain(start), text };
      return request<{ text: string }>(server, 'msgls/asContent', about);
    }),
  );
  if (document.version !== version) {
    tell(vscode.l10n.t('the document has changed; paste again'));
    return;
  }
  await editor.edit((edit) => {
    selections.forEach((selection, number) => {
      const piece = pieces[number];
      if (piece !== undefined) {
        edit.replace(selection, piece.text);
      }
    });
  });
}

export async function newFile(server: Server): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.toString();
  await server.start();
  const begun = await request<NewFile>(server, 'msgls/newFile', { folder });
  const { languageId: language, snippet } = begun ?? { languageId: 'msgmd', snippet: '# %% ' };
  const document = await vscode.workspace.openTextDocument({ language });
  const editor = await vscode.window.showTextDocument(document);
  await editor.insertSnippet(new vscode.SnippetString(snippet));
}
