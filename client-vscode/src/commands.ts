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
  type Range,
  ResponseError,
} from 'vscode-languageclient/node';
import { cellLines, cellNumberAt } from './cells';
import type { CellMarks } from './decorations';
import { isOurs } from './languages';
import type { Server } from './server';
import { type ShownText, showLosses } from './sharing';
import { tell } from './telling';
import { showView } from './view';

const OPEN_AS = 'msgls.message.openAs';
const CONVERT = 'msgls.convert.to';
const FORK = 'msgls.cell.fork';
const SHOW_VIEW = 'msgls.view.show';
const LIST = 'msgls.agent.list';
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
    let argument = withPlace(command, args[0]);
    if (argument === undefined) {
      return tell(vscode.l10n.t('put the cursor into a message file first'));
    }
    if (command === SHOW_VIEW) {
      // A server can show a document, but not beside another.
      return showView(vscode.Uri.parse(String(argument.uri)));
    }
    // A lens that names the agents has them listed, and asks nothing.
    const isList = command === LIST && args.length === 0;
    argument = command === LIST && !isList ? argument : await filledIn(server(), command, argument);
    if (argument === undefined) {
      return undefined;
    }
    if (command === OPEN_AS || command === CONVERT || command === FORK) {
      // A server can make files, but no document that is nowhere yet: that is shown from here.
      const column = command === OPEN_AS ? vscode.ViewColumn.Active : vscode.ViewColumn.Beside;
      const shown = await execute(server(), command, { ...argument, asText: true });
      return showText(vscode.Uri.parse(String(argument.uri)), shown as ShownText, column);
    }
    return isList ? goToLine(argument.line) : execute(server(), command, argument);
  };
}

/** The argument of a command: what a lens or an action gives is whole, a key gives a part. */
function withPlace(command: string, given: unknown): Arguments | undefined {
  const argument: Arguments = isPlain(given) ? given : {};
  if (typeof argument.uri === 'string') {
    return argument;
  }
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || !isOurs(editor.document)) {
    return undefined;
  }
  const { uri, version } = editor.document;
  const { active, start, end, isEmpty } = editor.selection;
  const place = { ...argument, uri: uri.toString(), version };
  return isEmpty || !OF_SELECTION.test(command)
    ? { ...place, position: plain(active) }
    : { ...place, position: plain(start), end: plain(end) };
}

/** A menu gives the address of the document, or what is selected in a list: neither is ours. */
function isPlain(value: unknown): value is Arguments {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
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

/** Asks the server; a refusal has its reason, and is no failure of anything: it needs no pop-up. */
async function request<T>(server: Server, method: string, params: object): Promise<T | undefined> {
  const client = server.running;
  if (client === undefined) {
    return tell(vscode.l10n.t('the server does not run'));
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

/** Asks for what a command needs and was not given; nothing where somebody thinks better of it. */
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

function goToLine(line: unknown): void {
  const editor = vscode.window.activeTextEditor;
  if (editor !== undefined && typeof line === 'number') {
    editor.selection = new vscode.Selection(line, 0, line, 0);
    const type = vscode.TextEditorRevealType.InCenterIfOutsideViewport;
    editor.revealRange(editor.selection, type);
  }
}

// -- commands of the client -------------------------------------------------------------------

/** Commands that need the editor itself: a selection, the clipboard. */
export function registerCommands(server: Server, marks: CellMarks): vscode.Disposable {
  const { registerCommand } = vscode.commands;
  return vscode.Disposable.from(
    registerCommand('msgls.cell.select', () => selectCell(marks)),
    registerCommand('msgls.cell.menu', (given?: unknown) => showMenu(server, given)),
    registerCommand('msgls.history.foldHidden', () => foldHidden(server)),
    registerCommand('msgls.pasteAsContent', () => pasteAsContent(server)),
    registerCommand('msgls.restart', () => server.restart()),
    registerCommand('msgls.install', () => server.install()),
    registerCommand('msgls.showLog', () => server.log.show(true)),
    registerCommand('msgls.showTrace', () => server.trace.show(true)),
    registerCommand('msgls.newFile', () => newFile(server)),
  );
}

/** All that can be done with a cell, or with those that are selected. */
async function showMenu(server: Server, given: unknown): Promise<void> {
  const place = withPlace('msgls.cell.menu', given);
  const client = server.running;
  if (place === undefined || client === undefined) {
    return;
  }
  const { uri, position, end = position } = place;
  const actions = await client.sendRequest(CodeActionRequest.type, {
    textDocument: { uri: String(uri) },
    range: { start: position, end } as Range,
    context: { diagnostics: [], only: ['refactor', 'navigate'] },
  });
  const items = ((actions ?? []) as CodeAction[])
    .filter(({ disabled }) => disabled === undefined)
    .map((action) => ({ label: action.title, command: action.command }));
  const chosen = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Cell') });
  if (chosen?.command !== undefined) {
    const { command, arguments: args = [] } = chosen.command;
    await vscode.commands.executeCommand(command, ...args);
  }
}

async function selectCell(marks: CellMarks): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || !isOurs(editor.document)) {
    return;
  }
  const starts = await marks.starts(editor.document);
  const { document, selection } = editor;
  const lines = cellLines(starts, cellNumberAt(starts, selection.active.line), document.lineCount);
  if (lines === undefined) {
    tell('there is no cell here');
    return;
  }
  const end = document.lineAt(lines.last).rangeIncludingLineBreak.end;
  editor.selection = new vscode.Selection(new vscode.Position(lines.first, 0), end);
}

/** Folds the cells that the model does not see, and leaves the others as they are. */
async function foldHidden(server: Server): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const client = server.running;
  if (editor === undefined || client === undefined || !isOurs(editor.document)) {
    return;
  }
  const uri = client.code2ProtocolConverter.asUri(editor.document.uri);
  const { lines } = await client.sendRequest<{ lines: number[] }>('msgls/hidden', { uri });
  if (lines.length === 0) {
    tell(vscode.l10n.t('the model sees every cell'));
    return;
  }
  await vscode.commands.executeCommand('editor.fold', {
    selectionLines: lines,
    levels: 1,
    direction: 'down',
  });
}

/** What is in the clipboard, with its marker lines escaped; inside a fence, as it is. */
async function pasteAsContent(server: Server): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const client = server.running;
  const text = await vscode.env.clipboard.readText();
  if (editor === undefined || client === undefined || text === '') {
    return;
  }
  const uri = client.code2ProtocolConverter.asUri(editor.document.uri);
  const { version } = editor.document;
  const pieces = await Promise.all(
    editor.selections.map((selection) =>
      client.sendRequest<{ text: string }>('msgls/asContent', {
        uri,
        position: client.code2ProtocolConverter.asPosition(selection.start),
        text,
      }),
    ),
  );
  if (editor.document.version !== version) {
    tell(vscode.l10n.t('the document has changed; paste again'));
    return;
  }
  await editor.edit((edit) => {
    editor.selections.forEach((selection, number) => {
      edit.replace(selection, pieces[number]?.text ?? text);
    });
  });
}

async function newFile(server: Server): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.toString();
  await server.start();
  const begun = await request<NewFile>(server, 'msgls/newFile', { folder });
  const { languageId: language, snippet } = begun ?? { languageId: 'msgmd', snippet: '# %% ' };
  const document = await vscode.workspace.openTextDocument({ language });
  const editor = await vscode.window.showTextDocument(document);
  await editor.insertSnippet(new vscode.SnippetString(snippet));
}
