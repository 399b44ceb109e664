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
  type Range,
  ResponseError,
} from 'vscode-languageclient/node';
import { cellLines, cellNumberAt, cellStarts, type Outlined } from './cells';
import type { CellMarks } from './decorations';
import { isOurs } from './languages';
import { type Phrase, phrase } from './phrases';
import { say } from './saying';
import type { Server } from './server';
import { type ShownText, showLosses } from './sharing';
import { tell } from './telling';
import { showView } from './view';

const OPEN_AS = 'msgls.message.openAs';
const CONVERT = 'msgls.convert.to';
const SHOW_VIEW = 'msgls.view.show';
/** What these do, they do to every cell that is selected. */
const OF_SELECTION = /^msgls\.(history\.(exclude|include|summarize)|cell\.menu)$/;
/** What a conversation can be converted to here; a folder of messages is the command line's. */
const TARGETS: readonly (readonly [target: string, label: Phrase, description: string])[] = [
  ['msgmd', phrase('Message file'), '*.msg.md'],
  ['stf', phrase('Simple Text Format (@)'), '*.stf'],
  ['stf-semicolon', phrase('Simple Text Format (;)'), '*.stf'],
  ['messages', phrase('Messages in JSON'), '*.messages.json'],
  ['openai', phrase('OpenAI request'), 'JSON'],
  ['anthropic', phrase('Anthropic request'), 'JSON'],
  ['markdown', phrase('Markdown to read'), '*.md'],
];
const STF_ROLES = ['user', 'assistant', 'system', 'developer', 'tool'];

/** What the commands of the server take. */
interface Place {
  readonly uri: string;
  readonly position: { readonly line: number; readonly character: number };
  readonly version?: number;
}

/** An agent, as `msgls.agent.list` tells of it. */
export interface Agent {
  readonly name: string;
  readonly origin: string;
  readonly models: readonly string[];
  readonly line: number | null;
  readonly answers: number;
  readonly isDefault: boolean;
  readonly hasBootMessage: boolean;
}

type Arguments = Readonly<Record<string, unknown>>;

/** Commands of the server that are told more than a place. */
type Question = (server: Server, place: Arguments) => Promise<Arguments | undefined>;

const QUESTIONS: Readonly<Record<string, Question>> = {
  'msgls.cell.changeType': askType,
  'msgls.agent.setDefault': askAgent,
  'msgls.agent.add': askNewAgent,
  'msgls.agent.insertBoot': askGreeter,
  'msgls.message.bumpVersion': askPart,
  'msgls.history.reset': askWhere,
  [CONVERT]: askTarget,
};

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
    argument = await (QUESTIONS[command] ?? unasked)(server(), argument);
    if (argument === undefined) {
      return undefined;
    }
    if (command === OPEN_AS || command === CONVERT) {
      // A server can make files, but no document that is nowhere yet: that is shown from here.
      const column = command === CONVERT ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
      const shown = await execute(server(), command, { ...argument, asText: true });
      return showText(vscode.Uri.parse(String(argument.uri)), shown as ShownText, column);
    }
    const answer = await execute(server(), command, argument);
    return command === 'msgls.agent.list' && args.length === 0
      ? showAgents((answer as Agent[] | undefined) ?? [])
      : answer;
  };
}

const unasked: Question = async (_server, argument) => argument;

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
  const place = placeIn(editor);
  if (editor.selection.isEmpty || !OF_SELECTION.test(command)) {
    return { ...argument, ...place };
  }
  const { start, end } = editor.selection;
  return { ...argument, ...place, position: plain(start), end: plain(end) };
}

/** A menu gives the address of the document, or what is selected in a list: neither is ours. */
function isPlain(value: unknown): value is Arguments {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}

function placeIn(editor: vscode.TextEditor): Place {
  const { uri, version } = editor.document;
  return { uri: uri.toString(), position: plain(editor.selection.active), version };
}

function plain({ line, character }: vscode.Position): Place['position'] {
  return { line, character };
}

export async function execute(
  server: Server,
  command: string,
  argument: Arguments,
): Promise<unknown> {
  const client = server.running;
  if (client === undefined) {
    return tell(vscode.l10n.t('the server does not run'));
  }
  try {
    return await client.sendRequest(ExecuteCommandRequest.type, {
      command,
      arguments: [argument],
    });
  } catch (error) {
    if (error instanceof ResponseError) {
      // A refusal has its reason, and is no failure of anything: it needs no pop-up.
      return tell(error.message);
    }
    throw error;
  }
}

// -- questions --------------------------------------------------------------------------------

async function askType(_server: Server, argument: Arguments): Promise<Arguments | undefined> {
  if (argument.type !== undefined) {
    return argument;
  }
  const title = vscode.l10n.t('Change the type of this cell to');
  if (vscode.window.activeTextEditor?.document.languageId === 'stf') {
    const role = await vscode.window.showQuickPick(STF_ROLES, { title });
    return role === undefined ? undefined : { ...argument, type: role };
  }
  const types = [
    { label: 'markdown', description: vscode.l10n.t('a message') },
    { label: 'code', description: vscode.l10n.t('code to run') },
    { label: 'raw', description: vscode.l10n.t('a message, as it stands') },
  ];
  const other = {
    label: vscode.l10n.t('another type…'),
    description: vscode.l10n.t('a language, an agent, tool'),
  };
  const chosen = await vscode.window.showQuickPick([...types, other], { title });
  const type = chosen === other ? await vscode.window.showInputBox({ title }) : chosen?.label;
  return type?.trim() ? { ...argument, type: type.trim() } : undefined;
}

/** Where the context is reset: at the end, unless the cursor is in a cell before it. */
async function askWhere(_server: Server, argument: Arguments): Promise<Arguments | undefined> {
  const { uri, position, here } = argument as Arguments & Partial<Place>;
  if (here !== undefined || uri === undefined || position === undefined) {
    return argument;
  }
  const symbols = await vscode.commands.executeCommand<Outlined[] | undefined>(
    'vscode.executeDocumentSymbolProvider',
    vscode.Uri.parse(uri),
  );
  const starts = cellStarts(symbols ?? []);
  const number = cellNumberAt(starts, position.line);
  if (number < 0 || number === starts.length - 1) {
    return argument;
  }
  const below = { label: vscode.l10n.t('Below this cell'), here: true };
  const items = [below, { label: vscode.l10n.t('At the end of the conversation'), here: false }];
  const title = vscode.l10n.t('Where the context is reset');
  const chosen = await vscode.window.showQuickPick(items, { title });
  return chosen && { ...argument, here: chosen.here };
}

async function askPart(_server: Server, argument: Arguments): Promise<Arguments | undefined> {
  if (argument.part !== undefined) {
    return argument;
  }
  const title = vscode.l10n.t('The part of the version to bump');
  const part = await vscode.window.showQuickPick(['patch', 'minor', 'major'], { title });
  return part === undefined ? undefined : { ...argument, part };
}

async function askTarget(_server: Server, argument: Arguments): Promise<Arguments | undefined> {
  if (argument.target !== undefined) {
    return argument;
  }
  const title = vscode.l10n.t('Convert to');
  const items = TARGETS.map(([target, label, description]) => ({
    target,
    label: say(label),
    description,
  }));
  const chosen = await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
  return chosen && { ...argument, target: chosen.target };
}

async function askAgent(server: Server, argument: Arguments): Promise<Arguments | undefined> {
  if (argument.name !== undefined) {
    return argument;
  }
  const agents = await execute(server, 'msgls.agent.list', argument);
  const items = ((agents as Agent[] | undefined) ?? []).map(agentItem);
  if (items.length === 0) {
    return tell(vscode.l10n.t('no agent is registered here'));
  }
  const title = vscode.l10n.t('The agent that answers by default');
  const chosen = await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
  return chosen && { ...argument, name: chosen.agent.name };
}

/** The name of a new agent, its model and where it is kept. */
async function askNewAgent(_server: Server, argument: Arguments): Promise<Arguments | undefined> {
  if (argument.name !== undefined) {
    return argument;
  }
  const title = vscode.l10n.t('Add an agent');
  const prompt = vscode.l10n.t('The name that it answers by');
  const name = (await vscode.window.showInputBox({ title, prompt }))?.trim();
  if (!name) {
    return undefined;
  }
  const asked = vscode.l10n.t('Its model; empty: its name is its model');
  const model = await vscode.window.showInputBox({ title, prompt: asked });
  if (model === undefined) {
    return undefined;
  }
  const kinds = [
    { label: vscode.l10n.t('In the frontmatter'), temporary: false },
    { label: vscode.l10n.t('In a cell below this one, for this conversation'), temporary: true },
  ];
  const chosen = await vscode.window.showQuickPick(kinds, { title });
  const more = model.trim() === '' ? {} : { model: model.trim() };
  return chosen && { ...argument, ...more, name, temporary: chosen.temporary };
}

/** Who greets: the default agent, unless several can. Who cannot is the server's to say. */
async function askGreeter(server: Server, argument: Arguments): Promise<Arguments | undefined> {
  if (argument.agent !== undefined) {
    return argument;
  }
  const agents = await execute(server, 'msgls.agent.list', argument);
  const greeters = ((agents as Agent[] | undefined) ?? []).filter((agent) => agent.hasBootMessage);
  if (greeters.length < 2) {
    return argument;
  }
  const items = greeters.map(agentItem);
  const title = vscode.l10n.t('The agent whose boot message is inserted');
  const chosen = await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
  return chosen && { ...argument, agent: chosen.agent.name };
}

/** The agents that a document involves. */
export async function agentsOf(server: Server, uri: string): Promise<readonly Agent[]> {
  const agents = await execute(server, 'msgls.agent.list', { uri });
  return (agents as Agent[] | undefined) ?? [];
}

export function agentItem(agent: Agent): vscode.QuickPickItem & { agent: Agent } {
  const { answers: count } = agent;
  const answers =
    count === 1 ? vscode.l10n.t('1 answer') : vscode.l10n.t('{count} answers', { count });
  const facts = [agent.isDefault ? vscode.l10n.t('default') : '', agent.origin, answers];
  return {
    label: agent.name,
    description: agent.models.join(', '),
    detail: facts.filter(Boolean).join(' · '),
    agent,
  };
}

async function showAgents(agents: readonly Agent[]): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const title =
    agents.length === 0
      ? vscode.l10n.t('No agents are involved here')
      : vscode.l10n.t('Agents of this conversation');
  const chosen = await vscode.window.showQuickPick(agents.map(agentItem), { title });
  if (editor && typeof chosen?.agent.line === 'number') {
    goTo(editor, new vscode.Position(chosen.agent.line, 0));
  }
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

function goTo(editor: vscode.TextEditor, position: vscode.Position): void {
  const range = new vscode.Range(position, position);
  editor.selection = new vscode.Selection(position, position);
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
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
  const document = await vscode.workspace.openTextDocument({ language: 'msgmd', content: '' });
  const editor = await vscode.window.showTextDocument(document);
  const beginning = await beginningOf(server, document);
  if (beginning !== '') {
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), `${beginning}\n`));
    const end = document.lineAt(document.lineCount - 1).range.end;
    editor.selection = new vscode.Selection(end, end);
  }
  const cell = new vscode.SnippetString('# %% ')
    .appendPlaceholder(vscode.l10n.t('title'))
    .appendText('[^m1]\n\n[^m1]: [markdown]\n\n')
    .appendPlaceholder(vscode.l10n.t('your message'), 0)
    .appendText('\n');
  await editor.insertSnippet(cell);
}

/** What a new conversation starts with: the boot message of the default agent, if there is one. */
async function beginningOf(server: Server, document: vscode.TextDocument): Promise<string> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.toString();
  if (server.running === undefined || folder === undefined) {
    return '';
  }
  const uri = document.uri.toString();
  const argument = { uri, folder, asText: true, ifSensible: true };
  const text = await execute(server, 'msgls.agent.insertBoot', argument);
  return typeof text === 'string' ? text : '';
}
