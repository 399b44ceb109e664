/** As much of VS Code as texts need: it is shown in another language, and says so. */
export const l10n = {
  t: (template: string, args: Record<string, string>) =>
    `<${template.replace(/\{(\w+)\}/g, (_, name: string) => args[name] ?? '')}>`,
};
