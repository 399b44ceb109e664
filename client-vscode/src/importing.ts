/**
 * "Import Transcript…": what agents have said on this machine, to choose from, and the message file
 * that is made of it. The command line does the work, so that the server is free to answer keys.
 */
import * as path from 'node:path';
import * as vscode from 'vscode';
import { suggestedName, withEnding } from './saving';
import type { Server } from './server';

/** A transcript, as `msgls import --output-format json` lists it. */
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

/** A row of the list, without a transcript where a person looks for a file. */
type Item = vscode.QuickPickItem & { readonly transcript?: Transcript };

const WHEN = { dateStyle: 'short', timeStyle: 'short' } as const;

export async function importTranscript(server: Server, endings: readonly string[]): Promise<void> {
  await server.start();
  const title = vscode.l10n.t('Import Transcript');
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const item = await choose(server, title, folder?.fsPath);
  const isFile = item !== undefined && item.transcript === undefined;
  const [file] = (isFile && (await vscode.window.showOpenDialog({ title }))) || [];
  const transcript = file ? { path: file.fsPath } : item?.transcript;
  if (transcript === undefined) {
    return;
  }
  const name = suggestedName(`# %% ${transcript.title || path.parse(transcript.path).name}`);
  const suggested = folder && vscode.Uri.joinPath(folder, withEnding(name, endings));
  const where = suggested ? { defaultUri: suggested } : {};
  const typed = await vscode.window.showSaveDialog({ title, ...where });
  // What is there and is not of this session, the command line refuses to replace.
  const target = typed?.with({ path: withEnding(typed.path, endings) });
  const which = transcript.session ? ['--session', transcript.session] : [];
  const args = ['import', transcript.path, '-o', target?.fsPath ?? '', ...which];
  if (target !== undefined && (await isImported(server, args))) {
    await vscode.window.showTextDocument(target);
  }
}

/** The transcripts of this machine, newest first; the list is there while they are still read. */
async function choose(server: Server, title: string, project?: string): Promise<Item | undefined> {
  const picker = vscode.window.createQuickPick<Item>();
  const stop = new AbortController();
  const another: Item = { label: `$(folder-opened) ${vscode.l10n.t('Another file…')}` };
  Object.assign(picker, { title, matchOnDescription: true, matchOnDetail: true, busy: true });
  picker.placeholder = vscode.l10n.t(
    'A session of Claude Code, Codex, Gemini CLI, opencode or aider',
  );
  picker.items = [another];
  picker.show();
  const args = ['import', '--output-format', 'json', ...(project ? ['--project', project] : [])];
  void server.run(args, stop.signal).then((ran) => {
    picker.items = [...transcriptsIn(ran?.stdout ?? '').map(itemOf), another];
    picker.busy = false;
  });
  const item = await new Promise<Item | undefined>((resolve) => {
    picker.onDidAccept(() => resolve(picker.selectedItems[0]));
    picker.onDidHide(() => resolve(undefined));
  });
  stop.abort();
  picker.dispose();
  return item;
}

function transcriptsIn(json: string): Transcript[] {
  try {
    return JSON.parse(json);
  } catch {
    // The list was left before all of it was there, or there is no server.
    return [];
  }
}

function itemOf(transcript: Transcript): Item {
  const { by, title, project, turns = 0, tokens, changed } = transcript;
  const about = [
    by,
    project && path.basename(project),
    turns === 1 ? vscode.l10n.t('1 turn') : vscode.l10n.t('{count} turns', { count: turns }),
    tokens ? vscode.l10n.t('{count} tokens', { count: tokens.toLocaleString() }) : undefined,
  ];
  return {
    label: title || vscode.l10n.t('(no title)'),
    description: changed ? new Date(changed).toLocaleString([], WHEN) : '',
    detail: about.filter(Boolean).join(' · '),
    transcript,
  };
}

/** Whether the command line did it, while a notification said so. */
async function isImported(server: Server, args: string[]): Promise<boolean> {
  const stop = new AbortController();
  const title = vscode.l10n.t('Importing a transcript');
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  const ran = await vscode.window.withProgress(options, (_progress, token) => {
    token.onCancellationRequested(() => stop.abort());
    return server.run(args, stop.signal);
  });
  if (ran?.code !== 0 && !stop.signal.aborted) {
    const why = ran?.stderr.trim() || vscode.l10n.t('the server cannot be asked to import');
    void vscode.window.showErrorMessage(why);
  }
  return ran?.code === 0;
}
