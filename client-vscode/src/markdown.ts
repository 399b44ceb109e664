/**
 * A plugin for markdown-it: cells and typed definitions, which Markdown would show as headings
 * full of signs, or not at all: `[^m1]: [markdown]` is a link's definition to it, and vanishes.
 * It does nothing in a text that has no cell. Knows nothing of VS Code.
 */
import type MarkdownIt from 'markdown-it';
import type { StateBlock, StateCore, StateInline, Token } from 'markdown-it';

const MARKER = /^#{1,5}[ \t]+%%%?(?=[ \t\r\n]|\[\^|$)/m;
const MARK = /^%%%?(?=[ \t]|\[\^|$)[ \t]*/;
const DEFINITION = /^\[\^([^\s[\]^]+)\]:[ \t]*(.*)$/;
const TYPED = /^\[([^\]]*)\](?=[ \t]|$)[ \t]*(.*)$/;
const REFERENCE = /\[\^([^\s[\]^]+)\]/y;

/** Teaches a renderer what cells are. */
export function messageCells(md: MarkdownIt): MarkdownIt {
  md.core.ruler.before('block', 'msgls_record', (state) => {
    state.env.msgls = MARKER.test(state.src);
  });
  const alt = ['paragraph', 'reference', 'blockquote'];
  md.block.ruler.before('reference', 'msgls_definition', definition, { alt });
  md.inline.ruler.before('link', 'msgls_reference', reference);
  md.core.ruler.after('inline', 'msgls_header', headers);
  md.renderer.rules.msgls_definition = (tokens, index) =>
    definitionHtml(md, tokens[index]?.meta as Definition);
  md.renderer.rules.msgls_reference = (tokens, index) => {
    const id = md.utils.escapeHtml(tokens[index]?.content ?? '');
    return `<sup class="msgls-reference"><a href="#${anchor(id)}">${id}</a></sup>`;
  };
  return md;
}

interface Definition {
  readonly id: string;
  readonly type: string | undefined;
  readonly rest: string;
}

function definition(state: StateBlock, line: number, _end: number, silent: boolean): boolean {
  if (!state.env.msgls || (state.sCount[line] ?? 0) - state.blkIndent >= 4) {
    return false;
  }
  const start = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
  const match = DEFINITION.exec(state.src.slice(start, state.eMarks[line]));
  if (match === null) {
    return false;
  }
  if (silent) {
    return true;
  }
  const [, id = '', text = ''] = match;
  const typed = TYPED.exec(text);
  const token = state.push('msgls_definition', 'p', 0);
  token.map = [line, line + 1];
  token.meta = { id, type: typed?.[1], rest: typed ? (typed[2] ?? '') : text } satisfies Definition;
  state.line = line + 1;
  return true;
}

function definitionHtml(md: MarkdownIt, { id, type, rest }: Definition): string {
  const name = md.utils.escapeHtml(id);
  const label = type === undefined ? '' : `<strong>${md.utils.escapeHtml(type)}</strong> `;
  const text =
    type === undefined ? md.renderInline(rest) : `<code>${md.utils.escapeHtml(rest)}</code>`;
  const shown = rest ? text : '';
  const kind = type === undefined ? 'msgls-footnote' : 'msgls-definition';
  return `<p class="${kind}" id="${anchor(name)}"><sup>${name}</sup> ${label}${shown}</p>\n`;
}

function reference(state: StateInline, silent: boolean): boolean {
  if (!state.env.msgls) {
    return false;
  }
  REFERENCE.lastIndex = state.pos;
  const match = REFERENCE.exec(state.src);
  if (match === null) {
    return false;
  }
  if (!silent) {
    state.push('msgls_reference', '', 0).content = match[1] ?? '';
  }
  state.pos += match[0].length;
  return true;
}

/** Headings that are markers lose their signs, and get a class by which they are coloured. */
function headers(state: StateCore): void {
  if (!state.env.msgls) {
    return;
  }
  state.tokens.forEach((token, index) => {
    const inline = state.tokens[index + 1];
    const mark = token.type === 'heading_open' ? MARK.exec(inline?.content ?? '')?.[0] : undefined;
    if (inline === undefined || mark === undefined || token.markup.startsWith('=')) {
      return;
    }
    const isOutput = mark.startsWith('%%%');
    token.attrJoin('class', `msgls-cell ${isOutput ? 'msgls-output' : 'msgls-message'}`);
    trimStart(inline.children ?? [], mark.length);
  });
}

function trimStart(children: Token[], length: number): void {
  const first = children[0];
  if (first?.type === 'text') {
    first.content = first.content.slice(Math.min(length, first.content.length));
  }
}

function anchor(id: string): string {
  return `msgls-${id}`;
}
