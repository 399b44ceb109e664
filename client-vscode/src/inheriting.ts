/**
 * The user's settings for Markdown hold for our Markdown, too. VS Code has no way to say that a
 * language takes over another's settings, so what the user has set for `[markdown]` is written
 * for our languages beside it, where the user sees it, changes it or takes it away.
 */
import * as vscode from 'vscode';
import { inherited, type Values } from './inherited';

const LANGUAGES = ['msgmd', 'stf'];
const SWITCH = 'msgls.markdownSettings';
const WROTE = 'inheritedSettings';

/** Carries them over now, and whenever they change. */
export function inheritMarkdownSettings(context: vscode.ExtensionContext): vscode.Disposable {
  let busy = Promise.resolve();
  const carry = () => {
    busy = busy.then(() => carryOver(context));
  };
  carry();
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration('[markdown]') || event.affectsConfiguration(SWITCH)) {
      carry();
    }
  });
}

async function carryOver({ globalState, extension }: vscode.ExtensionContext): Promise<void> {
  const settings = vscode.workspace.getConfiguration();
  const isWanted = settings.get<boolean>(SWITCH) !== false;
  const defaults = extension.packageJSON.contributes.configurationDefaults;
  for (const language of LANGUAGES) {
    const key = `${WROTE}.${language}`;
    const ours = new Set(Object.keys(defaults[`[${language}]`] ?? {}));
    const { changes, wrote } = inherited(
      isWanted ? saidFor(settings, 'markdown') : {},
      saidFor(settings, language),
      globalState.get<Values>(key) ?? {},
      ours,
    );
    const own = vscode.workspace.getConfiguration(undefined, { languageId: language });
    for (const [name, value] of Object.entries(changes)) {
      await own.update(name, value, vscode.ConfigurationTarget.Global, true);
    }
    await globalState.update(key, wrote);
  }
}

/** What the user has set for a language, by the names of settings. */
function saidFor(settings: vscode.WorkspaceConfiguration, language: string): Values {
  return settings.inspect<Values>(`[${language}]`)?.globalValue ?? {};
}
