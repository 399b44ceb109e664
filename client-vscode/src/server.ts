/**
 * The server's life: found, started, watched, started again, stopped. Owns the language client
 * and the one message that is shown when nothing starts.
 */
import * as os from 'node:os';
import * as vscode from 'vscode';
import {
  CloseAction,
  type CloseHandlerResult,
  type ConfigurationParams,
  ErrorAction,
  type ErrorHandler,
  type ErrorHandlerResult,
  LanguageClient,
  type LanguageClientOptions,
  type Middleware,
  RevealOutputChannelOn,
  State,
} from 'vscode-languageclient/node';
import { Backoff } from './backoff';
import { isThere, PrivateEnvironment } from './environment';
import {
  type Candidate,
  candidates,
  expand,
  type Found,
  find,
  isWhole,
  notFoundMessage,
  onPath,
  originName,
  type Places,
  type Ran,
  serveArguments,
  type Tried,
  type Wishes,
} from './finding';
import { LANGUAGES } from './languages';
import { english, phrase, type Text } from './phrases';
import { runProgram } from './running';
import { say } from './saying';
import { settled } from './settings';

const PROBE_MS = 60_000;
const LONGEST_RUN_MS = 3_600_000;
const STOP_MS = 3_000;
const REPLACED = 'settingsReplacedByPrivateEnvironment';

const PYTHON = vscode.Uri.parse('https://www.python.org/downloads/');
const SCHEMES = ['file', 'untitled'];

/** The documents of our own languages. */
export const OUR_DOCUMENTS = LANGUAGES.flatMap((language) =>
  SCHEMES.map((scheme) => ({ scheme, language })),
);

/** All that the server is told of: `agents.json` stays JSON, and keeps VS Code's own service. */
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

/** As much of a section of the manifest's settings as is looked at. */
interface SettingsSection {
  readonly id: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** What the status item and the debug information tell. */
export interface Status {
  readonly state: 'idle' | 'starting' | 'running' | 'waiting' | 'failed';
  readonly version?: string | undefined;
  /** Where the server comes from; or the reason of a failure. */
  readonly detail?: Text | undefined;
}

/** What is known of a server that does not run. */
interface Known {
  readonly hasRun?: boolean;
  /** What an installation lacks. */
  readonly missing?: Text | undefined;
}

/** What the library would pop up goes to the log: there is one message, and it is ours. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }

  override warn(message: string, data?: unknown): void {
    super.warn(message, data, false);
  }
}

export class Server implements vscode.Disposable {
  readonly environment: PrivateEnvironment;
  private readonly changed = new vscode.EventEmitter<Status>();
  readonly onDidChange = this.changed.event;
  private client: LanguageClient | undefined;
  private current: Status = { state: 'idle' };
  private busy: Promise<void> = Promise.resolve();
  private readonly backoff = new Backoff();
  private tried: Tried[] = [];
  /** What was started last. */
  private used: Candidate | undefined;

  constructor(
    private readonly context: vscode.ExtensionContext,
    readonly log: vscode.LogOutputChannel,
    readonly trace: vscode.LogOutputChannel,
    private readonly middleware: Middleware,
  ) {
    this.environment = new PrivateEnvironment(context, log);
  }

  get status(): Status {
    return this.current;
  }

  /** What was tried in vain when the server was last looked for. */
  get failures(): readonly Tried[] {
    return this.tried;
  }

  /** The client, while its server answers. */
  get running(): LanguageClient | undefined {
    return this.client?.state === State.Running ? this.client : undefined;
  }

  /** Run another subcommand of the program that serves; nothing where there is none. */
  async run(args: readonly string[], options: { signal?: AbortSignal }): Promise<Ran | undefined> {
    const { used } = this;
    if (used === undefined || isWhole(used)) {
      return undefined;
    }
    const where = { cwd: this.context.extensionPath, env: pythonEnvironment() };
    const how = { ...where, timeoutMs: LONGEST_RUN_MS, ...options };
    return runProgram(used.command, [...used.args, ...args], how);
  }

  /** Start the server unless it runs; resolves when it does, or cannot. */
  async start(): Promise<LanguageClient | undefined> {
    if (this.current.state === 'idle') {
      this.set({ state: 'starting' });
      await this.inTurn(() => this.startNow());
    } else {
      await this.busy;
    }
    return this.running;
  }

  /** Stop the server if it runs, look for one anew, and start it. */
  async restart(): Promise<void> {
    this.backoff.reset();
    await this.inTurn(async () => {
      await this.stopNow();
      this.set({ state: 'starting' });
      await this.startNow();
    });
  }

  dispose(): Promise<void> {
    this.changed.dispose();
    return this.inTurn(() => this.stopNow());
  }

  /** Install the server that comes with the extension, and start it. */
  async install(): Promise<void> {
    if (this.environment.program !== undefined || (await this.environment.install())) {
      // Whoever installs because of a setting that does not work means: instead of it.
      await this.context.workspaceState.update(REPLACED, this.settingsKey());
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
    this.current = status;
    void vscode.commands.executeCommand('setContext', 'msgls.running', status.state === 'running');
    this.changed.fire(status);
  }

  // -- finding ------------------------------------------------------------------------------

  private async lookFor(): Promise<Found | undefined> {
    const wishes = await this.wishes();
    const run = (command: string, args: readonly string[]) =>
      runProgram(command, args, { cwd: this.context.extensionPath, timeoutMs: PROBE_MS });
    const { found, tried } = await find(candidates(wishes), run);
    this.tried = tried;
    for (const { candidate, reason } of tried) {
      this.log.warn(`not from ${english(originName(candidate.origin))}: ${english(reason)}`);
    }
    return found;
  }

  private async wishes(): Promise<Wishes> {
    const { command, interpreter } = this.settings();
    const places = this.places();
    const line = typeof command === 'string' ? [command] : command;
    return {
      serverCommand: line.map((part) => expand(part, places)),
      interpreter: expand(interpreter, places),
      // Which interpreter it has chosen may come from the folder: not before that is trusted.
      pythonExtension: vscode.workspace.isTrusted ? await pythonExtensionInterpreter() : undefined,
      onPath: onPath(['msgls'], process.env, process.platform, isThere),
      bundledProgram: this.environment.program,
      privateInterpreter: this.environment.interpreter,
      prefersPrivate:
        this.hasSetting() && this.context.workspaceState.get(REPLACED) === this.settingsKey(),
    };
  }

  private settings(): { command: string | string[]; interpreter: string } {
    // VS Code itself leaves out what an untrusted folder says: see `restrictedConfigurations`.
    const settings = vscode.workspace.getConfiguration('msgls');
    return {
      command: settings.get<string | string[]>('server.command') ?? [],
      interpreter: settings.get<string>('interpreter') ?? '',
    };
  }

  private settingsKey(): string {
    return JSON.stringify(this.settings());
  }

  private hasSetting(): boolean {
    const { command, interpreter } = this.settings();
    return command.length > 0 || interpreter !== '';
  }

  private places(): Places {
    const folders = vscode.workspace.workspaceFolders ?? [];
    return {
      home: os.homedir(),
      folders: new Map(folders.map((folder) => [folder.name, folder.uri.fsPath])),
      env: process.env,
    };
  }

  // -- starting -----------------------------------------------------------------------------

  private async startNow(): Promise<void> {
    const found = await this.upgraded(await this.lookFor());
    if (found === undefined) {
      const { bundledVersion } = this.environment;
      const missing = await this.environment.missing();
      this.giveUp(notFoundMessage(this.tried, bundledVersion, missing), { missing });
      return;
    }
    const { candidate } = found;
    this.used = candidate;
    const level = vscode.workspace.getConfiguration('msgls').get<string>('server.logLevel');
    const args = serveArguments(candidate, level);
    // The path is for the log: in the status it would push the button out of sight.
    const detail = phrase('from {origin}', { origin: originName(candidate.origin) });
    this.log.info(`starting ${candidate.command} ${args.join(' ')}`);
    const client = this.makeClient(candidate.command, args);
    this.client = client;
    client.onDidChangeState(({ newState }) => {
      if (newState === State.Running) {
        const version = client.initializeResult?.serverInfo?.version ?? found.version;
        this.log.info(`msgls ${version} runs: ${candidate.command} (${english(detail)})`);
        this.set({ state: 'running', version, detail });
      } else if (newState === State.Starting) {
        this.set({ state: 'starting', detail });
      }
    });
    try {
      await client.start();
    } catch (error) {
      if (this.current.state !== 'failed') {
        this.log.error(messageOf(error));
        const message = phrase(
          'The msgls server does not start: `{name}` ended, or failed, before it was ready. The log says more.',
          { name: candidate.command },
        );
        this.giveUp(message);
      }
    }
  }

  /** The environment of our own follows the extension's version. */
  private async upgraded(found: Found | undefined): Promise<Found | undefined> {
    const wanted = this.environment.bundledVersion;
    const isOurs = found?.candidate.origin === 'private';
    if (!isOurs || wanted === undefined || found.version === wanted) {
      return found;
    }
    this.log.info(`the server is ${found.version}, the extension brings ${wanted}`);
    await this.environment.install();
    return found;
  }

  private makeClient(command: string, args: string[]): LanguageClient {
    const options = { cwd: this.context.extensionPath, env: pythonEnvironment() };
    const client = new QuietClient(
      'msgls',
      'msgls',
      { command, args, options },
      this.clientOptions(),
    );
    // JSON has an outline and a formatter in VS Code: ours are for our own files.
    for (const feature of [
      client.getFeature('textDocument/documentSymbol'),
      client.getFeature('textDocument/formatting'),
      client.getFeature('textDocument/rangeFormatting'),
    ]) {
      const initialize = feature.initialize.bind(feature);
      feature.initialize = (capabilities) => initialize(capabilities, OUR_DOCUMENTS);
    }
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
      errorHandler: this.errorHandler(),
      initializationFailedHandler: () => false,
      // VS Code's own JSON service tells of broken JSON, and completes it: nothing shows twice.
      initializationOptions: {
        jsonService: true,
        disabledRules: ['BOOT001'],
        cellMenu: 'msgls.cell.menu',
        // Nothing is asked in a workspace that its user does not trust; trusting it starts anew.
        trusted: vscode.workspace.isTrusted,
        readsInput: true,
        showsKernels: true,
      },
      markdown: { isTrusted: false, supportHtml: false },
    };
  }

  /** What an earlier server wrote, and is still shown, is asked for anew. */
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
  private readonly configuration = (params: ConfigurationParams): unknown[] => {
    const sections: SettingsSection[] =
      this.context.extension.packageJSON.contributes.configuration;
    const names = sections
      .filter(({ id }) => SERVER_SECTIONS.includes(id))
      .flatMap(({ properties }) => Object.keys(properties));
    return params.items.map(({ scopeUri, section }) => {
      const scope = scopeUri === undefined ? null : vscode.Uri.parse(scopeUri);
      const configuration = vscode.workspace.getConfiguration(undefined, scope);
      return settled(names, section ?? 'msgls', configuration);
    });
  };

  // -- ending -------------------------------------------------------------------------------

  private async stopNow(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client === undefined) {
      return;
    }
    try {
      await client.dispose(STOP_MS);
    } catch (error) {
      // It was dead or deaf: there is nothing left to stop.
      this.log.debug(`stopping: ${messageOf(error)}`);
    }
  }

  private errorHandler(): ErrorHandler {
    return {
      error: (error, _message, count): ErrorHandlerResult => {
        this.log.warn(`the connection to the server: ${error.message}`);
        return { action: (count ?? 0) <= 3 ? ErrorAction.Continue : ErrorAction.Shutdown };
      },
      closed: () => this.closed(),
    };
  }

  private async closed(): Promise<CloseHandlerResult> {
    const client = this.client;
    if (client === undefined || this.current.state === 'failed') {
      return { action: CloseAction.DoNotRestart, handled: true };
    }
    const delayMs = this.backoff.crashed(Date.now());
    if (delayMs === undefined) {
      const message = phrase('The msgls server stops again and again, and is left alone now.');
      this.giveUp(message, { hasRun: true });
      return { action: CloseAction.DoNotRestart, handled: true };
    }
    const what = phrase('the server has stopped; it is started again in {seconds} s', {
      seconds: delayMs / 1000,
    });
    this.log.warn(english(what));
    this.set({ state: 'waiting', detail: what });
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    const isStillWanted = this.client === client;
    return {
      action: isStillWanted ? CloseAction.Restart : CloseAction.DoNotRestart,
      handled: true,
    };
  }

  private giveUp(message: Text, known: Known = {}): void {
    this.set({ state: 'failed', detail: message });
    // Not awaited: it may stay on the screen for hours.
    void this.complain(message, known);
  }

  /** The one message that tells of a server that does not run, with the ways out of it. */
  private async complain(message: Text, known: Known): Promise<void> {
    this.log.error(english(message));
    const first = this.firstWayOut(known);
    const actions: Record<string, () => unknown> = {
      ...first,
      [vscode.l10n.t('Choose Interpreter')]: () =>
        vscode.commands.executeCommand('msgls.chooseInterpreter'),
      [vscode.l10n.t('Show Log')]: () => this.log.show(true),
    };
    const chosen = await vscode.window.showErrorMessage(say(message), ...Object.keys(actions));
    if (chosen !== undefined) {
      await actions[chosen]?.();
    }
  }

  /** What helps most: nothing is offered that cannot work on this machine. */
  private firstWayOut({ hasRun, missing }: Known): Record<string, () => unknown> {
    if (hasRun) {
      return { [vscode.l10n.t('Restart')]: () => this.restart() };
    }
    if (missing !== undefined && this.environment.program === undefined) {
      return { [vscode.l10n.t('Get Python')]: () => vscode.env.openExternal(PYTHON) };
    }
    const hasOwn = this.environment.wheel ?? this.environment.program;
    return hasOwn === undefined ? {} : { [vscode.l10n.t('Install')]: () => this.install() };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** UTF-8 for paths and the log, whatever the machine's locale is. */
function pythonEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, PYTHONUTF8: '1' };
}

/** What the Python extension would run here, if it is installed. */
async function pythonExtensionInterpreter(): Promise<string | undefined> {
  const extension = vscode.extensions.getExtension('ms-python.python');
  if (extension === undefined) {
    return undefined;
  }
  try {
    const api = extension.isActive ? extension.exports : await extension.activate();
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const chosen = api?.environments?.getActiveEnvironmentPath?.(folder);
    const resolved = chosen && (await api.environments.resolveEnvironment?.(chosen));
    return resolved?.executable?.uri?.fsPath ?? undefined;
  } catch {
    // It is another extension's: what fails there must not keep ours from going on.
    return undefined;
  }
}
