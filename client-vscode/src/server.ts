/**
 * The server's life: found, started, watched, started again, stopped. Owns the language client
 * and the one message that is shown when nothing starts.
 */
import * as os from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import * as vscode from 'vscode';
import {
  CloseAction,
  type CloseHandlerResult,
  type ConfigurationParams,
  type ErrorHandler,
  LanguageClient,
  type LanguageClientOptions,
  type Middleware,
  RevealOutputChannelOn,
  State,
} from 'vscode-languageclient/node';
import { LANGUAGES } from './editors';
import { PrivateEnvironment } from './environment';
import {
  candidates,
  expand,
  type Found,
  find,
  isWhole,
  notFoundMessage,
  onPath,
  originName,
  serveArguments,
  type Tried,
} from './finding';
import { type Ran, runProgram } from './running';
import { settled } from './settings';
import { english, phrase, say, type Text } from './texts';

const PROBE_MS = 60_000;
const LONGEST_RUN_MS = 3_600_000;
const STOP_MS = 3_000;
/** What ends a server may take a moment to be over, such as an upgrade. */
const RESTART_MS = 1_000;
const REPLACED = 'settingsReplacedByPrivateEnvironment';

const PYTHON = vscode.Uri.parse('https://www.python.org/downloads/');
const SCHEMES = ['file', 'untitled'];

/** The documents of our own languages. */
export const OUR_DOCUMENTS = LANGUAGES.flatMap((language) =>
  SCHEMES.map((scheme) => ({ scheme, language })),
);

/** All that the server is sent: `agents.json` stays JSON, and keeps VS Code's own service. */
const SERVED_DOCUMENTS = [
  ...OUR_DOCUMENTS,
  ...['json', 'jsonc'].map((language) => ({
    scheme: 'file',
    language,
    pattern: '**/agents.json',
  })),
];

/** The sections of the manifest's settings that the server knows. */
const SERVER_SECTIONS = ['msgls.checks', 'msgls.files', 'msgls.features'];

/** What the status item and the debug information show. */
export interface Status {
  readonly state: 'idle' | 'starting' | 'running' | 'waiting' | 'failed';
  readonly version?: string | undefined;
  /** Where the server comes from; or the reason of a failure. */
  readonly detail?: Text | undefined;
}

/** What is offered beside a message, by its title. */
type WaysOut = Record<string, () => unknown>;

/** What the library would pop up goes to the log: there is one message, and it is ours. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

export class Server {
  readonly environment: PrivateEnvironment;
  private readonly changed = new vscode.EventEmitter<Status>();
  readonly onDidChange = this.changed.event;
  status: Status = { state: 'idle' };
  /** What the other parts do with what it says. */
  middleware: Middleware = {};
  /** What was tried in vain when the server was last looked for. */
  failures: readonly Tried[] = [];
  private client: LanguageClient | undefined;
  private busy: Promise<void> = Promise.resolve();
  /** What was started last. */
  private used: Found | undefined;
  /** Where programs run, with UTF-8 for paths and the log, whatever the machine's locale is. */
  private readonly surroundings: { cwd: string; env: NodeJS.ProcessEnv };

  constructor(
    readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
    private readonly trace: vscode.LogOutputChannel,
  ) {
    this.environment = new PrivateEnvironment(context, log);
    this.surroundings = { cwd: context.extensionPath, env: { ...process.env, PYTHONUTF8: '1' } };
  }

  /** The client, while its server answers. */
  get running(): LanguageClient | undefined {
    return this.client?.state === State.Running ? this.client : undefined;
  }

  /** What the server answers; nothing where there is none, or it refuses. */
  async ask<T>(method: string, params: object): Promise<T | undefined> {
    return this.running?.sendRequest<T>(method, params).catch(() => undefined);
  }

  /** Run another subcommand of the program that serves; nothing where there is none. */
  async run(args: readonly string[], signal: AbortSignal): Promise<Ran | undefined> {
    const { used } = this;
    const options = { ...this.surroundings, timeout: LONGEST_RUN_MS, signal };
    return used === undefined || isWhole(used)
      ? undefined
      : runProgram(used.command, [...used.args, ...args], options);
  }

  /** Start the server unless it runs; resolves when it does, or cannot. */
  async start(): Promise<LanguageClient | undefined> {
    if (this.status.state === 'idle') {
      // At once: whoever asks next finds it starting.
      this.set({ state: 'starting' });
      await this.inTurn(() => this.startNow());
    } else {
      await this.busy;
    }
    return this.running;
  }

  /** Stop the server if it runs, look for one again, and start it. */
  async restart(): Promise<void> {
    await this.inTurn(async () => {
      await this.stopNow();
      this.set({ state: 'starting' });
      await this.startNow();
    });
  }

  /** What says how it is to be started has changed: a server that nobody needed yet can wait. */
  async startAgain(): Promise<void> {
    if (this.status.state !== 'idle') {
      await this.restart();
    }
  }

  dispose(): Promise<void> {
    this.changed.dispose();
    return this.inTurn(() => this.stopNow());
  }

  /** Install the server that comes with the extension, and start it. */
  async install(): Promise<void> {
    if (this.environment.program !== undefined || (await this.environment.install())) {
      // Installing because of a setting that does not work means: instead of it.
      await this.context.workspaceState.update(REPLACED, JSON.stringify(this.settings()));
      await this.restart();
    }
  }

  private inTurn(step: () => Promise<void>): Promise<void> {
    this.busy = this.busy.then(step).catch((error: unknown) => {
      this.log.error(String(error));
      this.set({ state: 'failed', detail: String(error) });
    });
    return this.busy;
  }

  private set(status: Status): void {
    this.status = status;
    void vscode.commands.executeCommand('setContext', 'msgls.running', status.state === 'running');
    this.changed.fire(status);
  }

  // -- finding ------------------------------------------------------------------------------

  private async lookFor(): Promise<Found | undefined> {
    const settings = this.settings();
    const { command, interpreter } = settings;
    const folders = vscode.workspace.workspaceFolders ?? [];
    const places = {
      home: os.homedir(),
      folders: new Map(folders.map((folder) => [folder.name, folder.uri.fsPath])),
      env: process.env,
    };
    const { program, interpreter: own } = this.environment;
    const isReplaced = this.context.workspaceState.get(REPLACED) === JSON.stringify(settings);
    const all = candidates(
      {
        command: command.map((part) => expand(part, places)),
        interpreter: expand(interpreter, places),
        'python-extension': await pythonExtensionInterpreter(),
        path: onPath('msgls'),
        ...(program === undefined ? { private: own } : { bundled: program }),
      },
      (command.length > 0 || interpreter !== '') && isReplaced,
    );
    const options = { cwd: this.context.extensionPath, timeout: PROBE_MS };
    const { found, tried } = await find(all, (...line) => runProgram(...line, options));
    this.failures = tried;
    for (const { origin, reason } of tried) {
      this.log.warn(`not from ${english(originName(origin))}: ${english(reason)}`);
    }
    return found;
  }

  private settings(): { command: string[]; interpreter: string } {
    // VS Code itself leaves out what an untrusted folder says: see `restrictedConfigurations`.
    const settings = vscode.workspace.getConfiguration('msgls');
    return {
      command: [settings.get<string | string[]>('server.command') ?? []].flat(),
      interpreter: settings.get<string>('interpreter') ?? '',
    };
  }

  // -- starting -----------------------------------------------------------------------------

  private async startNow(): Promise<void> {
    const found = await this.lookFor();
    if (found === undefined) {
      const missing = await this.environment.missing();
      const message = notFoundMessage(this.failures, this.environment.bundledVersion, missing);
      this.giveUp(message, this.waysToInstall(missing));
      return;
    }
    await this.upgrade(found);
    this.used = found;
    const { command, origin } = found;
    const level = vscode.workspace.getConfiguration('msgls').get<string>('server.logLevel');
    const args = serveArguments(found, level);
    // The path is for the log: in the status it would push the button out of sight.
    const detail = phrase('from {origin}', { origin: originName(origin) });
    this.log.info(`starting ${command} ${args.join(' ')}`);
    const client = this.makeClient(command, args);
    this.client = client;
    client.onDidChangeState(({ newState }) => {
      if (newState === State.Running) {
        const version = client.initializeResult?.serverInfo?.version ?? found.version;
        this.log.info(`msgls ${version} runs: ${command} (${english(detail)})`);
        this.set({ state: 'running', version, detail });
      } else if (newState === State.Starting) {
        this.set({ state: 'starting', detail });
      }
    });
    await client.start().catch((error: unknown) => {
      if (this.status.state !== 'failed') {
        this.log.error(String(error));
        const message = phrase(
          'The msgls server does not start: `{name}` ended, or failed, before it was ready. The log says more.',
          { name: command },
        );
        this.giveUp(message, this.waysToInstall());
      }
    });
  }

  /** The environment of our own follows the extension's version. */
  private async upgrade({ origin, version }: Found): Promise<void> {
    const wanted = this.environment.bundledVersion;
    if (origin === 'private' && wanted !== undefined && version !== wanted) {
      this.log.info(`the server is ${version}, the extension brings ${wanted}`);
      await this.environment.install();
    }
  }

  private makeClient(command: string, args: string[]): LanguageClient {
    const program = { command, args, options: this.surroundings };
    const client = new QuietClient('msgls', 'msgls', program, this.clientOptions());
    // JSON has an outline and a formatter in VS Code: ours are for our own files.
    for (const feature of [
      client.getFeature('textDocument/documentSymbol'),
      client.getFeature('textDocument/formatting'),
      client.getFeature('textDocument/rangeFormatting'),
    ]) {
      const initialize = feature.initialize.bind(feature);
      feature.initialize = (capabilities) => initialize(capabilities, OUR_DOCUMENTS);
    }
    const standard = client.createDefaultErrorHandler();
    client.clientOptions.errorHandler = {
      error: (...told) => standard.error(...told),
      closed: () => this.closed(client, standard),
    };
    return client;
  }

  private clientOptions(): LanguageClientOptions {
    return {
      documentSelector: SERVED_DOCUMENTS,
      outputChannel: this.log,
      traceOutputChannel: this.trace,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      middleware: {
        ...this.middleware,
        workspace: { ...this.middleware.workspace, configuration: this.configuration },
        handleRegisterCapability: async (params, next) => {
          await next(params, new vscode.CancellationTokenSource().token);
          this.refreshContent();
        },
      },
      initializationFailedHandler: () => false,
      // VS Code's own JSON service reports broken JSON, and completes it: nothing shows twice.
      initializationOptions: {
        jsonService: true,
        disabledRules: ['BOOT001'],
        cellMenu: 'msgls.cell.menu',
        // Nothing is asked in a workspace that its user does not trust; trusting it starts again.
        trusted: vscode.workspace.isTrusted,
        readsInput: true,
        takesLive: true,
        showsKernels: true,
      },
      markdown: { isTrusted: false, supportHtml: false },
    };
  }

  /** What an earlier server wrote, and is still shown, is asked for again. */
  private refreshContent(): void {
    const feature = this.client?.getFeature('workspace/textDocumentContent');
    for (const { scheme, onDidChangeEmitter } of feature?.getProviders() ?? []) {
      for (const { uri } of vscode.workspace.textDocuments) {
        if (uri.scheme === scheme) {
          onDidChangeEmitter.fire(uri);
        }
      }
    }
  }

  /** The server asks for its settings. */
  private readonly configuration = ({ items }: ConfigurationParams): unknown[] => {
    const sections: { id: string; properties: object }[] =
      this.context.extension.packageJSON.contributes.configuration;
    const names = sections
      .filter(({ id }) => SERVER_SECTIONS.includes(id))
      .flatMap(({ properties }) => Object.keys(properties));
    return items.map(({ scopeUri, section = 'msgls' }) => {
      const scope = scopeUri === undefined ? null : vscode.Uri.parse(scopeUri);
      return settled(names, section, vscode.workspace.getConfiguration(undefined, scope));
    });
  };

  // -- ending -------------------------------------------------------------------------------

  private async stopNow(): Promise<void> {
    const { client } = this;
    this.client = undefined;
    // Where it was dead or deaf, there is nothing left to stop.
    await client?.dispose(STOP_MS).catch((error) => this.log.debug(`stopping: ${error}`));
  }

  /** It is started again, unless it ended too often lately. */
  private async closed(client: LanguageClient, handler: ErrorHandler): Promise<CloseHandlerResult> {
    const isWanted = () => this.client === client && this.status.state !== 'failed';
    const { action } = await handler.closed();
    if (isWanted() && action === CloseAction.Restart) {
      const args = { seconds: RESTART_MS / 1_000 };
      const detail = phrase('the server has stopped; it is started again in {seconds} s', args);
      this.log.warn(english(detail));
      this.set({ state: 'waiting', detail });
      await pause(RESTART_MS);
    } else if (isWanted()) {
      const message = phrase('The msgls server keeps stopping, and is not started again.');
      this.giveUp(message, { [vscode.l10n.t('Restart')]: () => this.restart() });
    }
    return { action: isWanted() ? action : CloseAction.DoNotRestart, handled: true };
  }

  /** The one message about a server that does not run, with the ways out of it. */
  private giveUp(message: Text, first: WaysOut): void {
    this.set({ state: 'failed', detail: message });
    this.log.error(english(message));
    const ways: WaysOut = {
      ...first,
      [vscode.l10n.t('Choose Interpreter')]: () =>
        vscode.commands.executeCommand('msgls.chooseInterpreter'),
      [vscode.l10n.t('Show Log')]: () => this.log.show(true),
    };
    // Not awaited: it may stay on the screen for hours.
    void vscode.window
      .showErrorMessage(say(message), ...Object.keys(ways))
      .then((chosen) => chosen && ways[chosen]?.());
  }

  /** What helps most: nothing is offered that cannot work on this machine. */
  private waysToInstall(missing?: Text): WaysOut {
    const { program, wheel } = this.environment;
    if (missing !== undefined && program === undefined) {
      return { [vscode.l10n.t('Get Python')]: () => vscode.env.openExternal(PYTHON) };
    }
    return (wheel ?? program) ? { [vscode.l10n.t('Install')]: () => this.install() } : {};
  }
}

/** What the Python extension would run here, if it is installed. */
async function pythonExtensionInterpreter(): Promise<string | undefined> {
  if (!vscode.workspace.isTrusted) {
    // Which one it has chosen may come from the folder.
    return undefined;
  }
  try {
    const api = await vscode.extensions.getExtension('ms-python.python')?.activate();
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const chosen = api?.environments?.getActiveEnvironmentPath?.(folder);
    const resolved = chosen && (await api.environments.resolveEnvironment?.(chosen));
    return resolved?.executable?.uri?.fsPath ?? undefined;
  } catch {
    // It is another extension's: what fails there must not keep ours from going on.
    return undefined;
  }
}
