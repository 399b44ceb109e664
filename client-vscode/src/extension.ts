/** Puts the parts together when VS Code opens the first file that may be ours. */
import * as vscode from 'vscode';
import {
  commandMiddleware,
  copyAs,
  exportPage,
  foldHidden,
  newFile,
  pasteAsContent,
  selectCell,
  showMenu,
} from './commands';
import { provideCompletionItem, watchBegunNames } from './completing';
import { showDebugInformation } from './debug';
import { CellMarks } from './decorations';
import { DefinitionWriter } from './defining';
import { ourEditor } from './editors';
import { importTranscript } from './importing';
import { inheritMarkdownSettings } from './inheriting';
import { chooseInterpreter } from './interpreter';
import { LanguageSetter } from './languages';
import { cellLenses } from './lenses';
import { LiveWriter } from './live';
import { registerPasting } from './pasting';
import { Previews } from './preview';
import { keepEndings, saveNewFile } from './saving';
import { Server } from './server';
import { showKernels, showStatus, showTokens } from './status';
import { chooseAgent, ModelView, showDocument } from './view';
import { openExample, showOnce } from './walkthrough';

/** Settings that say which server runs, and how. */
const STARTING = ['msgls.server', 'msgls.interpreter'];

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('msgls', { log: true });
  const trace = vscode.window.createOutputChannel('msgls trace', { log: true });
  server = new Server(context, log, trace);
  const started = server;
  const marks = new CellMarks(started);
  const live = new LiveWriter(started);
  const previews = new Previews(started);
  started.middleware = {
    handleWorkDoneProgress: live.progress,
    window: { showDocument },
    workspace: { handleApplyEdit: live.apply },
    executeCommand: commandMiddleware(started),
    provideCompletionItem,
    provideCodeLenses: cellLenses(started, marks),
  };
  const languages: { id: string; extensions?: string[] }[] =
    context.extension.packageJSON.contributes.languages;
  const endings = (id: string) => languages.find((it) => it.id === id)?.extensions ?? [];
  // What is shown as a page, or else in an editor.
  const withSource = (action: (uri: string) => unknown) => () => {
    const uri = previews.active ?? ourEditor()?.document.uri.toString();
    return uri && action(uri);
  };
  const { executeCommand, registerCommand } = vscode.commands;
  const commands: Record<string, (given?: unknown) => unknown> = {
    'msgls.cell.menu': (given) => showMenu(started, given),
    'msgls.cell.select': () => selectCell(marks),
    'msgls.chooseInterpreter': chooseInterpreter,
    'msgls.copyAs.anthropic': withSource((uri) => copyAs(started, uri, 'anthropic')),
    'msgls.copyAs.openai': withSource((uri) => copyAs(started, uri, 'openai')),
    'msgls.debugInformation': () => showDebugInformation(started),
    'msgls.exportHtml': withSource((uri) => exportPage(started, uri)),
    'msgls.history.foldHidden': () => foldHidden(started),
    'msgls.importTranscript': () => importTranscript(started, endings('msgmd')),
    // Markdown's own commands work in any editor; only the palette keeps them for Markdown.
    'msgls.insertImage': () => executeCommand('markdown.editor.insertImageFromWorkspace'),
    'msgls.insertLink': () => executeCommand('markdown.editor.insertLinkFromWorkspace'),
    'msgls.install': () => started.install(),
    'msgls.newFile': () => newFile(started),
    'msgls.openExample': (next) => openExample(started, next),
    'msgls.pasteAsContent': () => pasteAsContent(started),
    'msgls.preview': (uri) => previews.show(uri, vscode.ViewColumn.Active),
    'msgls.previewToSide': (uri) => previews.show(uri, vscode.ViewColumn.Beside),
    'msgls.restart': () => started.restart(),
    'msgls.saveNewFile': () => saveNewFile(endings),
    'msgls.showLog': () => log.show(true),
    'msgls.showTrace': () => trace.show(true),
    'msgls.view.chooseAgent': () => chooseAgent(started),
  };
  context.subscriptions.push(
    log,
    trace,
    registerPasting(started),
    inheritMarkdownSettings(context),
    keepEndings(endings),
    watchBegunNames(),
    ...Object.entries(commands).map(([name, run]) => registerCommand(name, run)),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (STARTING.some((name) => event.affectsConfiguration(name))) {
        void started.startAgain();
      }
    }),
    // What a folder says of the server counts from now on.
    vscode.workspace.onDidGrantWorkspaceTrust(() => started.startAgain()),
  );
  showStatus(started);
  showTokens(started);
  showKernels(started);
  new ModelView(started);
  new DefinitionWriter(started);
  new LanguageSetter(started);
  void showOnce(context);
}

export async function deactivate(): Promise<void> {
  await server?.dispose();
}
