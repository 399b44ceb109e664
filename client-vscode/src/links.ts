/** Links as Markdown writes them, for what is pasted and dropped. Knows nothing of VS Code. */
import * as path from 'node:path';

const URL = /^(?:https?|ftps?|mailto|file|vscode):\S+$/i;
const IMAGES = /\.(?:avif|bmp|gif|ico|jpe?g|png|svg|webp)$/i;
const FENCE = /^ {0,3}(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})(.*)$/;
const CELL = /^#{1,5}[ \t]+%%%?(?!%)/;

/** The address that a text is, if it is one and nothing else. */
export function addressIn(text: string): string | undefined {
  const trimmed = text.trim();
  return URL.test(trimmed) ? trimmed : undefined;
}

/** Whether an address makes sense as the target of this text: not over code, a link or a URL. */
export function canBeLinked(selected: string, before: string): boolean {
  const ticks = before.match(/`/g)?.length ?? 0;
  return (
    selected.trim() !== '' &&
    !/[\r\n]/.test(selected) &&
    addressIn(selected) === undefined &&
    !/[[\]]/.test(selected) &&
    !/\]\([^)]*$/.test(before) &&
    ticks % 2 === 0
  );
}

/** Whether a line lies in a fence, by the lines of its cell before it. */
export function isInFence(lines: readonly string[]): boolean {
  let fence = '';
  for (const line of lines) {
    const [, run = '', info = ''] = FENCE.exec(line) ?? [];
    if (fence === '' && CELL.test(line)) {
      continue;
    }
    if (run !== '' && fence === '') {
      fence = run;
    } else if (run.startsWith(fence) && fence !== '' && info.trim() === '') {
      fence = '';
    }
  }
  return fence !== '';
}

/** A link with its text; brackets in either would end it. */
export function linkTo(target: string, text: string): string {
  const needsAngles = /[()<>\s]/.test(target);
  const escaped = target.replace(/[<>]/g, (sign) => encodeURIComponent(sign));
  return `[${text}](${needsAngles ? `<${escaped}>` : target})`;
}

/** A link or an image that leads from a document to a file beside it. */
export function fileLink(document: string, file: string): string {
  const relative = path.posix.relative(path.posix.dirname(document), file);
  const target = encodePath(relative);
  return IMAGES.test(file) ? `!${linkTo(target, '')}` : linkTo(target, path.posix.basename(file));
}

/** A path as a link has it: readable, with nothing in it that ends the link. */
export function encodePath(relative: string): string {
  return relative.replace(/[%\s()<>\\?#]/g, encodeMark);
}

function encodeMark(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/** The ending of a picture's file by its MIME type. */
export function pictureEnding(mime: string): string | undefined {
  const match = /^image\/(png|jpeg|gif|webp|bmp|avif|svg\+xml)$/.exec(mime)?.[1];
  return match && `.${match === 'svg+xml' ? 'svg' : match === 'jpeg' ? 'jpg' : match}`;
}
