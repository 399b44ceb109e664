/**
 * The user's settings for Markdown hold for our Markdown, too. VS Code has no way to say that a
 * language takes over another's settings, so what the user has set for `[markdown]` is written
 * for our languages beside it, where the user sees it, changes it or takes it away.
 */
import { isDeepStrictEqual as isSame } from 'node:util';
import * as vscode from 'vscode';

const LANGUAGES = ['msgmd', 'stf'];
const SWITCH = 'msgls.markdownSettings';
const WROTE = 'inheritedSettings';

/** Settings by name. */
export type Values = Readonly<Record<string, unknown>>;

/** Carries them over now, and whenever they change. */
export function inheritMarkdownSettings(context: vscode.ExtensionContext): vscode.Disposable {
  let busy = carryOver(context);
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration('[markdown]') || event.affectsConfiguration(SWITCH)) {
      busy = busy.then(() => carryOver(context));
    }
  });
}

async function carryOver({ globalState, extension }: vscode.ExtensionContext): Promise<void> {
  const settings = vscode.workspace.getConfiguration();
  const isWanted = settings.get<boolean>(SWITCH) !== false;
  const defaults = extension.packageJSON.contributes.configurationDefaults;
  const set = (language: string) => settings.inspect<Values>(`[${language}]`)?.globalValue ?? {};
  for (const language of LANGUAGES) {
    const key = `${WROTE}.${language}`;
    const { changes, wrote } = inherited(
      isWanted ? set('markdown') : {},
      set(language),
      globalState.get<Values>(key) ?? {},
      new Set(Object.keys(defaults[`[${language}]`] ?? {})),
    );
    const own = vscode.workspace.getConfiguration(undefined, { languageId: language });
    for (const [name, value] of Object.entries(changes)) {
      await own.update(name, value, vscode.ConfigurationTarget.Global, true);
    }
    await globalState.update(key, wrote);
  }
}

/**
 * What to write, or to take away (`undefined`), and what has been written by us then.
 *
 * What the user says for the language itself stays, also where that is to have none of it. What
 * we have a default for stays, too: suggestions must not take keys. Only wrapping is taste.
 */
export function inherited(
  source: Values,
  own: Values,
  wrote: Values,
  ours: ReadonlySet<string>,
): { changes: Values; wrote: Values } {
  const changes: Record<string, unknown> = {};
  const kept: Record<string, unknown> = {};
  for (const name of new Set([...Object.keys(source), ...Object.keys(wrote)])) {
    if (ours.has(name) && name !== 'editor.wordWrap') {
      continue;
    }
    // A copy that the user changed or removed is remembered as it was: it is the user's now.
    const isCopy = name in wrote === name in own && isSame(own[name], wrote[name]);
    if (isCopy && !isSame(own[name], source[name])) {
      changes[name] = source[name];
    }
    if (name in source && (isCopy || name in wrote)) {
      kept[name] = isCopy ? source[name] : wrote[name];
    }
  }
  return { changes, wrote: kept };
}
