/** Which Markdown files are worth a question to the server. Knows nothing of VS Code. */

/** Whether the server is worth asking: nobody's plain Markdown may start a process. */
export function mayBeOurs(name: string, head: string): boolean {
  if (/^\d+\.md$/i.test(name)) {
    return /^\uFEFF?;|^;? ?(role:|Block-UUID)/im.test(head);
  }
  return /^\uFEFF?---[ \t]*\r?\n/.test(head) && head.includes('message_section');
}
