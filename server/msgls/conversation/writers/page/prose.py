"""Converts Markdown to safe HTML.

Owns which constructs are supported: HTML in the text is shown as text; links, images and code
go through ``elements``. Headings are moved below those of the page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from msgls.conversation.writers.page.differences import edits_in
from msgls.conversation.writers.page.elements import (
    Safe,
    Say,
    code_block,
    element,
    escaped,
    image_at,
    link_tags,
)

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.renderer import RendererHTML
    from markdown_it.rules_core import StateCore
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

Env = dict[str, Any]

_ANCHORS = "anchors"
_LINKS = "links"
_DEEPEST_HEADING = 6
_DEEP = "deep"
# Longer or more deeply nested text is shown as plain text: a paragraph takes quadratic time at
# worst, and markdown-it drops what is nested more deeply than its limit.
_LONGEST_TEXT = 1_000_000
_LONGEST_PARAGRAPH = 20_000
_DEEPEST = 40

# The delimiters of formulas. `\[` needs a blank after it: else it is an escaped bracket.
_FORMULAS = (("$$", "$$"), ("\\(", "\\)"), ("\\[ ", "\\]"), ("\\[\n", "\\]"))
_IN_DOLLARS = re.compile(r"\$(?!\s)[^$\n]+(?<![\s\\])\$(?![0-9])")
_LONGEST_FORMULA = 2_000


def prose(
    text: str, anchors: Mapping[str, str], say: Say, *, breaks: bool = False, below: int = 2
) -> Safe:
    """The text as HTML.

    ``anchors`` are the anchors that a footnote ``[^id]`` links to; ``say`` translates the page's
    own words; ``breaks`` keeps line breaks; ``below`` is the level of the heading above the text.
    """
    if len(text) > _LONGEST_TEXT:
        return element("pre", text, class_="wrapped")
    env: Env = {_ANCHORS: anchors, "below": below, "say": say}
    html = _markdown(breaks).render(text.replace("\0", "\ufffd"), env)
    return element("pre", text, class_="wrapped") if _DEEP in env else Safe(html)


@lru_cache(maxsize=2)
def _markdown(breaks: bool) -> MarkdownIt:
    from markdown_it import MarkdownIt

    options: dict[str, Any] = {"html": False, "linkify": False, "xhtmlOut": False, "breaks": breaks}
    options["maxNesting"] = _DEEPEST
    markdown = MarkdownIt("commonmark", options).enable(["table", "strikethrough"])
    # Only `elements` decides which addresses are allowed.
    markdown.validateLink = lambda url: True  # type: ignore[method-assign]  # its hook
    markdown.core.ruler.before("inline", "bounds", _bounds)
    markdown.inline.ruler.before("escape", "formula", _formula)
    markdown.inline.ruler.before("link", "footnote", _footnote)
    markdown.add_render_rule("image", _image)
    for name, write in _RULES.items():
        markdown.add_render_rule(name, _as_rule(write))
    return markdown


# -- reading --------------------------------------------------------------------------------


def _bounds(state: StateCore) -> None:
    """Do not parse paragraphs that are too long, and detect nesting that is too deep."""
    for token in state.tokens:
        if token.level >= _DEEPEST - 1:
            state.env[_DEEP] = True
        if token.type == "inline" and len(token.content) > _LONGEST_PARAGRAPH:
            token.type = "text"


def _footnote(state: StateInline, silent: bool) -> bool:
    """``[^id]``, if a cell of the page has that id."""
    if not state.src.startswith("[^", state.pos):
        return False
    end = state.src.find("]", state.pos, state.posMax)
    cell_id = state.src[state.pos + 2 : end] if end >= 0 else ""
    if cell_id not in state.env.get(_ANCHORS, ()) or state.linkLevel:
        return False
    if not silent:
        token = state.push("footnote", "", 0)
        token.content = cell_id
    state.pos = end + 1
    return True


def _formula(state: StateInline, silent: bool) -> bool:
    """A formula in TeX, verbatim: its backslashes and underscores are not Markdown."""
    start = state.pos
    end = min(state.posMax, start + _LONGEST_FORMULA)
    for opening, closing in _FORMULAS:
        if state.src.startswith(opening, start):
            found = state.src.find(closing, start + len(opening), end)
            after = found + len(closing) if found >= 0 else 0
            break
    else:
        match = _IN_DOLLARS.match(state.src, start, end)
        after = match.end() if match else 0
    if not after:
        return False
    if not silent:
        state.push("code_inline", "", 0).content = state.src[start:after]
    state.pos = after
    return True


# -- writing --------------------------------------------------------------------------------


def _image(self: RendererHTML, tokens: Sequence[Token], at: int, options: Any, env: Env) -> str:
    alt = self.renderInlineAsText(tokens[at].children or [], options, env)
    return image_at(str(tokens[at].attrs.get("src", "")), alt, env["say"])


def _footnote_link(token: Token, env: Env) -> str:
    return element("a", f"[{token.content}]", href=f"#{env[_ANCHORS][token.content]}")


def _code_block(token: Token, env: Env) -> str:
    words = token.info.split()
    return edits_in(token.content) or code_block(token.content, words[0] if words else "")


def _link_open(token: Token, env: Env) -> str:
    opening, closing = link_tags(str(token.attrs.get("href", "")))
    env.setdefault(_LINKS, []).append(closing)
    return opening


def _heading(token: Token, env: Env) -> str:
    return f"h{min(int(token.tag[1:]) + int(env['below']), _DEEPEST_HEADING)}"


def _cell_open(token: Token, env: Env) -> str:
    """A table cell: its alignment as a class, because the policy forbids inline styles."""
    side = str(token.attrs.get("style", "")).rpartition(":")[2]
    class_ = side if side in ("left", "right", "center") else None
    return element(token.tag, class_=class_).removesuffix(f"</{token.tag}>")


_TABLE = '<div class="wide" tabindex="0" role="group" aria-label="Table"><table>'
_RULES: Mapping[str, Callable[[Token, Env], str]] = {
    "text": lambda token, env: escaped(token.content),
    "footnote": _footnote_link,
    "code_inline": lambda token, env: element("code", token.content),
    "code_block": _code_block,
    "fence": _code_block,
    "link_open": _link_open,
    "link_close": lambda token, env: str(env[_LINKS].pop()),
    "heading_open": lambda token, env: f"<{_heading(token, env)}>",
    "heading_close": lambda token, env: f"</{_heading(token, env)}>",
    "table_open": lambda token, env: _TABLE,
    "table_close": lambda token, env: "</table></div>",
    "th_open": _cell_open,
    "td_open": _cell_open,
}


def _as_rule(write: Callable[[Token, Env], str]) -> Callable[..., str]:
    """A function of a token with the arguments that markdown-it gives to a rule."""
    return lambda self, tokens, at, options, env: write(tokens[at], env)
