/**
 * "Import Transcript…": what agents have said on this machine, to choose from, and the message file
 * that is made of it. The command line does the work, so that the server is free to answer keys.
 */
import * as path from 'node:path';
import * as vscode from 'vscode';
import { suggestedName, withEnding } from './naming';
import type { Server } from './server';

/** A transcript, as `msgls import --output-format json` tells of it. */
interface Transcript {
  readonly path: string;
  /** The program that wrote it. */
  readonly by?: string;
  readonly session?: string;
  readonly title?: string;
  readonly project?: string;
  readonly turns?: number;
  readonly tokens?: number;
  readonly changed?: string;
}

const WHEN = { dateStyle: 'short', timeStyle: 'short' } as const;

interface Item extends vscode.QuickPickItem {
  /** Nothing where a person looks for a file. */
  readonly transcript?: Transcript;
}

export function registerImporting(server: Server): vscode.Disposable {
  return vscode.commands.registerCommand('msgls.importTranscript', () => importTranscript(server));
}

async function importTranscript(server: Server): Promise<void> {
  await server.start();
  const item = await choose(server);
  const transcript = item && (item.transcript ?? (await chooseFile()));
  const target = transcript && (await chooseTarget(transcript));
  if (transcript === undefined || target === undefined) {
    return;
  }
  const which = transcript.session ? ['--session', transcript.session] : [];
  const args = ['import', transcript.path, '-o', target.fsPath, ...which];
  if ((await run(server, args, vscode.l10n.t('Importing a transcript'))) !== undefined) {
    await vscode.window.showTextDocument(target);
  }
}

/** The transcripts of this machine, newest first; the list is there while they are still read. */
async function choose(server: Server): Promise<Item | undefined> {
  const picker = vscode.window.createQuickPick<Item>();
  const stop = new AbortController();
  picker.title = vscode.l10n.t('Import Transcript');
  picker.placeholder = vscode.l10n.t(
    'A session of Claude Code, Codex, Gemini CLI, opencode or aider',
  );
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.busy = true;
  const another: Item = { label: `$(folder-opened) ${vscode.l10n.t('Another file…')}` };
  picker.items = [another];
  const chosen = new Promise<Item | undefined>((resolve) => {
    picker.onDidAccept(() => resolve(picker.selectedItems[0]));
    picker.onDidHide(() => resolve(undefined));
  });
  picker.show();
  void listed(server, stop.signal).then((transcripts) => {
    picker.items = [...transcripts.map(itemOf), another];
    picker.busy = false;
  });
  const item = await chosen;
  stop.abort();
  picker.dispose();
  return item;
}

async function listed(server: Server, signal: AbortSignal): Promise<Transcript[]> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  const project = folder === undefined ? [] : ['--project', folder];
  const ran = await server.run(['import', '--output-format', 'json', ...project], { signal });
  try {
    return JSON.parse(ran?.stdout ?? '[]') as Transcript[];
  } catch {
    return [];
  }
}

function itemOf(transcript: Transcript): Item {
  const { by, title, project, turns, tokens, changed } = transcript;
  const about = [
    by,
    project && path.basename(project),
    turns === 1 ? vscode.l10n.t('1 turn') : vscode.l10n.t('{count} turns', { count: turns ?? 0 }),
    tokens ? vscode.l10n.t('{count} tokens', { count: tokens.toLocaleString() }) : undefined,
  ];
  return {
    label: title || vscode.l10n.t('(no title)'),
    description: changed ? new Date(changed).toLocaleString([], WHEN) : '',
    detail: about.filter(Boolean).join(' · '),
    transcript,
  };
}

async function chooseFile(): Promise<Transcript | undefined> {
  const title = vscode.l10n.t('Import Transcript');
  const [file] = (await vscode.window.showOpenDialog({ title })) ?? [];
  return file && { path: file.fsPath };
}

async function chooseTarget({ title, path: source }: Transcript): Promise<vscode.Uri | undefined> {
  const name = suggestedName(`# %% ${title || path.parse(source).name}`, 'msgmd');
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const typed = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Import Transcript'),
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, name) } : {}),
  });
  // What is there and is not of this session, the command line refuses to replace.
  return typed?.with({ path: withEnding(typed.path, 'msgmd') });
}

/** Run the command line while a notification says so; what it gave, or nothing where it failed. */
async function run(server: Server, args: string[], title: string): Promise<string | undefined> {
  const stop = new AbortController();
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  const ran = await vscode.window.withProgress(options, (_progress, token) => {
    token.onCancellationRequested(() => stop.abort());
    return server.run(args, { signal: stop.signal });
  });
  if (ran?.code === 0) {
    return ran.stdout;
  }
  if (!stop.signal.aborted) {
    const why = ran?.stderr.trim() || vscode.l10n.t('the server cannot be asked to import');
    void vscode.window.showErrorMessage(why);
  }
  return undefined;
}
