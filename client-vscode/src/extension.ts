/** Puts the parts together when VS Code opens the first file that may be ours. */
import * as vscode from 'vscode';
import { commandMiddleware, registerCommands } from './commands';
import { watchBegunNames } from './completing';
import { registerDebug } from './debug';
import { CellMarks } from './decorations';
import { DefinitionWriter } from './defining';
import { registerImporting } from './importing';
import { inheritMarkdownSettings } from './inheriting';
import { registerInterpreterChoice } from './interpreter';
import { showKernels } from './kernels';
import { LanguageSetter } from './languages';
import { CellLenses } from './lenses';
import { LiveWriter } from './live';
import { registerPasting } from './pasting';
import { Previews } from './preview';
import { registerSaving } from './saving';
import { Server } from './server';
import { registerSharing } from './sharing';
import { showStatus } from './status';
import { showTokens } from './tokens';
import { ModelView } from './view';
import { registerWalkthrough } from './walkthrough';

/** Settings that say which server runs, and how. */
const STARTING = ['msgls.server', 'msgls.interpreter'];

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('msgls', { log: true });
  const trace = vscode.window.createOutputChannel('msgls trace', { log: true });
  const live = new LiveWriter(context, () => started);
  const started: Server = new Server(context, log, trace, {
    handleWorkDoneProgress: live.progress,
    workspace: { handleApplyEdit: live.apply },
    executeCommand: commandMiddleware(() => started),
    provideCodeLenses: (document, token, next) => lenses.provide(document, token, next),
  });
  server = started;
  const marks = new CellMarks(context, started);
  const lenses = new CellLenses(started, marks);
  const previews = new Previews(context, started);
  context.subscriptions.push(
    log,
    trace,
    live,
    marks,
    lenses,
    new ModelView(started),
    showStatus(started),
    showTokens(started),
    showKernels(started),
    registerCommands(started, marks),
    registerDebug(context, started),
    registerInterpreterChoice(),
    previews,
    registerSharing(started, previews),
    registerImporting(started),
    registerPasting(),
    inheritMarkdownSettings(context),
    registerSaving(),
    registerWalkthrough(context, started),
    new LanguageSetter(started),
    new DefinitionWriter(started),
    watchBegunNames(),
    vscode.workspace.onDidChangeConfiguration((event) => {
      const isMeant = STARTING.some((name) => event.affectsConfiguration(name));
      if (isMeant && started.status.state !== 'idle') {
        void started.restart();
      }
    }),
    // What a folder says of the server counts from now on.
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      if (started.status.state !== 'idle') {
        void started.restart();
      }
    }),
  );
}

export async function deactivate(): Promise<void> {
  await server?.dispose();
}
