/**
 * Commands: those of the server get the place of the cursor where the palette, a key or a menu
 * calls them with nothing, and those that need a choice ask for it. What needs the clipboard, a
 * selection or a document without a file is done here, with what the server answers.
 */
import * as vscode from 'vscode';
import {
  type CodeAction,
  CodeActionRequest,
  type Command,
  ExecuteCommandRequest,
  type Middleware,
  ResponseError,
} from 'vscode-languageclient/node';
import type { CellMarks } from './decorations';
import { editorOf, ourEditor } from './editors';
import type { Server } from './server';
import { tell } from './texts';

const OPEN_AS = 'msgls.message.openAs';
/** A server can make files, but no document that is nowhere yet: what these make is shown here. */
const SHOWN_HERE = [OPEN_AS, 'msgls.convert.to', 'msgls.cell.fork', 'msgls.ask.compare'];
const LIST = 'msgls.agent.list';
/** What these do, they do to every cell that is selected. */
const OF_SELECTION = /^msgls\.(history\.(exclude|include|summarize)|cell\.menu)$/;

type Arguments = Readonly<Record<string, unknown>>;

/** What `msgls/choices` asks for next. */
interface Question {
  readonly name: string;
  readonly title: string;
  readonly prompt: string | null;
  readonly isOptional: boolean;
  readonly choices: readonly (vscode.QuickPickItem & { value: unknown; isTyped: boolean })[];
}

/** A text to be shown in an editor of its own, and what it cannot say. */
interface ShownText {
  readonly languageId: string;
  readonly text: string;
  /** With the line of each from 0; nothing where it is about all of the file. */
  readonly losses: readonly { readonly what: string; readonly line: number | null }[];
}

/** Fills in where the cursor is, asks for what is missing, and says why something is refused. */
export function commandMiddleware(server: Server): NonNullable<Middleware['executeCommand']> {
  return async (command, args) => {
    const place = withPlace(command, args[0]);
    if (place === undefined) {
      return tell(vscode.l10n.t('put the cursor into a message file first'));
    }
    // A program that has the agents listed is asked nothing; a person chooses one to go to.
    const isWhole = command === LIST && args.length > 0;
    const argument = isWhole ? place : await filledIn(server, command, place);
    const run = SHOWN_HERE.includes(command) ? showResult : execute;
    return argument && run(server, command, argument);
  };
}

/** The argument of a command: what a lens or an action gives is whole, a key gives a part. */
function withPlace(command: string, given: unknown): Arguments | undefined {
  // What runs takes the user's own choice. VS Code leaves out what a folder says: see its scope.
  const kernels = vscode.workspace.getConfiguration('msgls').get('run.kernels');
  // A menu gives the address of the document, or what is selected in a list: neither is ours.
  const isPlain = Object.getPrototypeOf(given ?? 0) === Object.prototype;
  const argument: Arguments = { ...(isPlain ? (given as Arguments) : {}), kernels };
  if (typeof argument.uri === 'string') {
    return argument;
  }
  const editor = ourEditor();
  if (editor === undefined) {
    return undefined;
  }
  const { uri, version } = editor.document;
  const { active, start, end, isEmpty } = editor.selection;
  const isOfSelection = !isEmpty && OF_SELECTION.test(command);
  const where = isOfSelection ? { position: start, end } : { position: active };
  return { ...argument, uri: `${uri}`, version, ...where };
}

export function execute<T>(
  server: Server,
  command: string,
  argument: Arguments,
): Promise<T | undefined> {
  return request(server, ExecuteCommandRequest.method, { command, arguments: [argument] });
}

/** Asks the server; a refusal has its reason, and is not an error: it needs no pop-up. */
async function request<T>(server: Server, method: string, params: object): Promise<T | undefined> {
  if (server.running === undefined) {
    return tell(vscode.l10n.t('the server is not running'));
  }
  try {
    return await server.running.sendRequest<T>(method, params);
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
    const value = asked ? await answerTo(asked) : undefined;
    if (!asked || value === undefined) {
      return asked === null ? argument : undefined;
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

/** Shows what a command makes in an editor of its own, and what that cannot say. */
async function showResult(server: Server, command: string, argument: Arguments): Promise<void> {
  const shown = await execute<ShownText>(server, command, { ...argument, asText: true });
  if (shown !== undefined) {
    const { languageId: language, text: content, losses } = shown;
    const { Active, Beside } = vscode.ViewColumn;
    const document = await vscode.workspace.openTextDocument({ language, content });
    await vscode.window.showTextDocument(document, command === OPEN_AS ? Active : Beside);
    await showLosses(`${argument.uri}`, losses);
  }
}

/** What a text cannot say; choosing a row goes to the place that it is about. */
async function showLosses(source: string, losses: ShownText['losses']): Promise<void> {
  if (losses.length === 0) {
    return;
  }
  const items = losses.map(({ what, line }) => ({
    label: what,
    // Below it: what is said is long, and would push its place out of sight.
    detail: line === null ? '' : vscode.l10n.t('line {line}', { line: line + 1 }),
    line,
  }));
  const title = vscode.l10n.t('Lost or changed in the conversion');
  const { line = null } =
    (await vscode.window.showQuickPick(items, { title, matchOnDetail: true })) ?? {};
  if (line !== null) {
    const viewColumn = editorOf(source)?.viewColumn ?? vscode.ViewColumn.Active;
    const selection = new vscode.Range(line, 0, line, 0);
    await vscode.window.showTextDocument(vscode.Uri.parse(source), { viewColumn, selection });
  }
}

export async function copyAs(server: Server, uri: string, target: string): Promise<void> {
  const argument = { uri, target, asText: true };
  const shown = await execute<ShownText>(server, 'msgls.convert.to', argument);
  if (shown !== undefined) {
    await vscode.env.clipboard.writeText(shown.text);
    vscode.window.setStatusBarMessage(`$(check) ${vscode.l10n.t('The request is copied.')}`, 5_000);
    await showLosses(uri, shown.losses);
  }
}

export async function exportPage(server: Server, uri: string): Promise<void> {
  const page = await request<{ html: string }>(server, 'msgls/page', { uri, whole: true });
  if (page === undefined) {
    return;
  }
  const source = vscode.Uri.parse(uri);
  const path = source.path.replace(/(\.msg)?\.\w+$/, '.html');
  const defaultUri = source.with({ scheme: 'file', path });
  const target = await vscode.window.showSaveDialog({ defaultUri, filters: { HTML: ['html'] } });
  if (target !== undefined) {
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(page.html));
  }
}

/** All that can be done with a cell, or with those that are selected. */
export async function showMenu(server: Server, given: unknown): Promise<void> {
  const { uri, position, end = position } = withPlace('msgls.cell.menu', given) ?? {};
  if (uri === undefined) {
    return;
  }
  const actions = await request<CodeAction[]>(server, CodeActionRequest.method, {
    textDocument: { uri },
    range: { start: position, end },
    context: { diagnostics: [], only: ['refactor', 'navigate'] },
  });
  const possible = actions?.filter(({ disabled }) => disabled === undefined) ?? [];
  const rows = possible.flatMap(({ title, command }) => (command ? [{ ...command, title }] : []));
  await runChosen(vscode.l10n.t('Cell'), rows);
}

/** Runs the command that the user chooses. */
export async function runChosen(title: string, rows: readonly Command[]): Promise<void> {
  const items = rows.map((row) => ({ ...row, label: row.title }));
  const chosen = await vscode.window.showQuickPick(items, { title });
  if (chosen !== undefined) {
    await vscode.commands.executeCommand(chosen.command, ...(chosen.arguments ?? []));
  }
}

export async function selectCell(marks: CellMarks): Promise<void> {
  const editor = ourEditor();
  if (editor === undefined) {
    return;
  }
  const cell = await marks.cellAt(editor.document, editor.selection.active.line);
  if (cell === undefined) {
    tell(vscode.l10n.t('there is no cell here'));
    return;
  }
  const { end } = editor.document.lineAt(cell.last).rangeIncludingLineBreak;
  editor.selection = new vscode.Selection(new vscode.Position(cell.first, 0), end);
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
  const { uri, version } = document;
  const pieces = await Promise.all(
    selections.map(async (selection) => {
      const about = { uri: `${uri}`, position: selection.start, text };
      return { selection, ...(await request<{ text: string }>(server, 'msgls/asContent', about)) };
    }),
  );
  if (document.version !== version) {
    tell(vscode.l10n.t('the document has changed; paste again'));
    return;
  }
  await editor.edit((edit) => {
    for (const { selection, text } of pieces) {
      text === undefined || edit.replace(selection, text);
    }
  });
}

export async function newFile(server: Server): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.toString();
  await server.start();
  const begun = await request<Record<string, string>>(server, 'msgls/newFile', { folder });
  const { languageId: language = 'msgmd', snippet = '# %% ' } = begun ?? {};
  const document = await vscode.workspace.openTextDocument({ language });
  const editor = await vscode.window.showTextDocument(document);
  await editor.insertSnippet(new vscode.SnippetString(snippet));
}
