/**
 * What the server is told when it asks for its settings: what somebody has set, and no defaults.
 * To the server the editor's word goes before that of a configuration file in the folder; a
 * default that VS Code fills in is nobody's word. Knows nothing of VS Code.
 */

/** As much of a setting's inspection as is looked at. */
export type Inspected = Readonly<Record<string, unknown>> | undefined;

/** As much of a configuration as is looked at. */
export interface Configuration {
  get(name: string): unknown;
  inspect(name: string): Inspected;
}

/** Whether somebody has set it, for all, for the workspace, for a folder or for a language. */
export function isSet(inspected: Inspected): boolean {
  return Object.entries(inspected ?? {}).some(
    ([name, value]) => /Value$/.test(name) && !/^default/.test(name) && value !== undefined,
  );
}

/** The settings below `section` that are set, nested as their names are. */
export function settled(
  names: readonly string[],
  section: string,
  configuration: Configuration,
): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const name of names) {
    if (name.startsWith(`${section}.`) && isSet(configuration.inspect(name))) {
      put(found, name.slice(section.length + 1).split('.'), configuration.get(name));
    }
  }
  return found;
}

function put(into: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [first, ...rest] = path;
  if (first === undefined) {
    return;
  }
  if (rest.length === 0) {
    into[first] = value;
    return;
  }
  into[first] ??= {};
  put(into[first] as Record<string, unknown>, rest, value);
}
