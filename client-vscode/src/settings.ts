/**
 * What the server gets when it asks for its settings: what the user has set, and no defaults.
 * To the server the editor's word goes before that of a configuration file in the folder; a
 * default that VS Code fills in is not the user's word.
 */

/** As much of a configuration as is looked at. */
export interface Configuration {
  get(name: string): unknown;
  inspect(name: string): Readonly<Record<string, unknown>> | undefined;
}

type Nested = Record<string, unknown>;

/** The settings below `section` that are set, nested as their names are. */
export function settled(
  names: readonly string[],
  section: string,
  configuration: Configuration,
): Nested {
  const found: Nested = {};
  const isSet = (name: string) =>
    Object.entries(configuration.inspect(name) ?? {}).some(
      ([layer, value]) => /^(?!default).*Value$/.test(layer) && value !== undefined,
    );
  for (const name of names.filter((it) => it.startsWith(`${section}.`) && isSet(it))) {
    const path = name.slice(section.length + 1).split('.');
    const last = path.pop() ?? '';
    const inner = path.reduce((outer, part) => {
      outer[part] ??= {};
      return outer[part] as Nested;
    }, found);
    inner[last] = configuration.get(name);
  }
  return found;
}
