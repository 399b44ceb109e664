/**
 * Texts for people that can still be said in another language: a template, and what is put into
 * it. Whoever makes one knows of no language; the log takes it in English, and `say` says it in
 * that of VS Code. Knows nothing of VS Code.
 */

/** A text that is made of a template, which holds `{name}` for each argument. */
export interface Phrase {
  readonly template: string;
  readonly args: Readonly<Record<string, Text | number>>;
}

/** A phrase, or what is quoted and stays as it is. */
export type Text = Phrase | string;

/** Puts arguments into a template, or into its twin in another language. */
export type Translate = (template: string, args: Record<string, string | number>) => string;

/** A phrase. Its template is written out where it is made: a test looks for its twin. */
export function phrase(template: string, args: Phrase['args'] = {}): Phrase {
  return { template, args };
}

/** A text as somebody says it; arguments that are phrases are said, too. */
export function said(text: Text, translate: Translate): string {
  if (typeof text === 'string') {
    return text;
  }
  const args = Object.entries(text.args).map(([name, value]) => [
    name,
    typeof value === 'number' ? value : said(value, translate),
  ]);
  return translate(text.template, Object.fromEntries(args));
}

/** A text in English: for the log, and for whoever helps. */
export function english(text: Text): string {
  return said(text, (template, args) =>
    template.replace(/\{(\w+)\}/g, (whole, name: string) => String(args[name] ?? whole)),
  );
}
