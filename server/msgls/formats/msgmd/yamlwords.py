"""What is wrong with YAML, in our words.

Owns the way from an error of PyYAML, whose two parsers say the same thing in different words,
to a sentence that a person can act on, and to the place where it helps most: a quote that is
never closed is shown where it opens.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from msgls.text.phrases import Phrase

if TYPE_CHECKING:
    import yaml

_LINE_BREAKS = "\r\n"
_QUOTES = "'\""
_CLOSING = "]}"
_PAIRS = {"[": "]", "{": "}"}
_NOT_YAML = Phrase("this is not allowed here")


class Explained(NamedTuple):
    """An error in our words, and the offset that it is shown at."""

    offset: int
    text: Phrase


class _Error(NamedTuple):
    """What a parser says, less the differences between the parsers."""

    source: str
    problem: str
    context: str
    at: int
    """Where the parser stopped."""
    opened: int
    """Where that began which it was reading."""

    @property
    def character(self) -> str:
        return self.source[self.at : self.at + 1]

    @property
    def line_before(self) -> str:
        """What stands before it on its line."""
        before = self.source[: self.at]
        return before[max(before.rfind("\n"), before.rfind("\r")) + 1 :]

    @property
    def is_at_end(self) -> bool:
        return not self.source[self.at :].strip()

    def has(self, *words: str) -> bool:
        return any(word in self.problem for word in words)


def explain(source: str, error: yaml.YAMLError) -> Explained:
    """An error of either parser on ``source``."""
    mark = getattr(error, "problem_mark", None)
    opened = getattr(error, "context_mark", None)
    at = mark.index if mark else 0
    found = _Error(
        source,
        getattr(error, "problem", None) or str(error),
        getattr(error, "context", None) or "",
        at,
        opened.index if opened else at,
    )
    for look in (_tabs, _quotes, _brackets, _keys, _starts, _others):
        explained = look(found)
        if explained is not None:
            return explained
    return Explained(at, _NOT_YAML)


def _tabs(error: _Error) -> Explained | None:
    if error.character == "\t" and error.has("token", "tab"):
        text = Phrase("a tab is not allowed here: indent YAML with spaces")
        return Explained(error.at, text)
    return None


def _quotes(error: _Error) -> Explained | None:
    if "quoted scalar" not in error.context:
        return None
    if error.has("end of stream", "document indicator"):
        return Explained(error.opened, Phrase("this quote is never closed"))
    if error.has("unknown escape"):
        at = error.at - (error.character != "\\")
        escape = error.source[at : at + 2]
        text = Phrase("`{escape}` is not an escape: single quotes take it as it is", escape=escape)
        return Explained(at, text)
    if error.has("hexdecimal", "hexadecimal"):
        text = Phrase("hexadecimal digits are missing in this escape")
        return Explained(error.at, text)
    return None


def _brackets(error: _Error) -> Explained | None:
    bracket = error.source[error.opened : error.opened + 1]
    if error.context.startswith("while parsing a flow") and bracket in _PAIRS:
        is_later_line = any(b in error.source[error.opened : error.at] for b in _LINE_BREAKS)
        if error.is_at_end or (error.character == ":" and is_later_line):
            return Explained(error.opened, Phrase("`{bracket}` is never closed", bracket=bracket))
        closing = _PAIRS[bracket]
        text = Phrase("a comma or `{closing}` is missing before this", closing=closing)
        return Explained(error.at, text)
    if error.has("node content"):
        if error.is_at_end:
            return Explained(error.at, Phrase("a bracket is never closed"))
        return Explained(error.at, _needs_quotes(error.character))
    return None


def _keys(error: _Error) -> Explained | None:
    if error.context == "while scanning a simple key":
        # The parser notices on a later line that this one lacks its colon.
        return Explained(error.opened, Phrase("`:` is missing behind this key"))
    if error.has("mapping values are not allowed"):
        if ": " in error.line_before:
            return Explained(error.at, Phrase("a value that contains `: ` needs quotes"))
        text = Phrase("a key is not allowed here: check its indentation and the line above")
        return Explained(error.at, text)
    if error.context in ("while parsing a block mapping", "while parsing a block collection"):
        before = error.line_before.rstrip(" \t")[-1:]
        if before and before in _QUOTES:
            text = Phrase("this follows the closing quote: write a quote inside twice")
        elif before and before in _CLOSING:
            text = Phrase("this follows the closing bracket")
        elif error.context.endswith("collection"):
            text = Phrase("`- ` is missing here, or the indentation is wrong")
        else:
            text = Phrase("a key is expected here: check the indentation")
        return Explained(error.at, text)
    if error.has("sequence entries are not allowed"):
        return Explained(error.at, Phrase("a list must start on its own line"))
    return None


def _starts(error: _Error) -> Explained | None:
    """Characters that mean something at the start of a value, and were not meant to."""
    if error.has("cannot start any token"):
        return Explained(error.at, _needs_quotes(error.character))
    if error.context.endswith((" alias", " anchor", " tag", " directive", " %TAG directive")):
        opening = error.source[error.opened : error.opened + 1]
        return Explained(error.opened, _needs_quotes(opening))
    if "block scalar" in error.context:
        text = Phrase("only `+`, `-`, a digit or a comment may follow `|` or `>`")
        return Explained(error.at, text)
    if error.source[error.at : error.at + 1] == "%" or error.source.startswith("%"):
        return Explained(error.at, _needs_quotes("%"))
    return None


def _others(error: _Error) -> Explained | None:
    if error.has("constructor for the tag"):
        tag = error.problem.partition("'")[2].rstrip("'").replace("tag:yaml.org,2002:", "!!")
        return Explained(error.at, Phrase("the tag `{tag}` is not known", tag=tag))
    if error.has("unhashable key"):
        return Explained(error.at, Phrase("a list or a mapping cannot be a key"))
    if error.has("for merging"):
        return Explained(error.at, Phrase("`<<` takes a mapping, or a list of mappings"))
    if error.has("document start"):
        return Explained(error.at, Phrase("this follows the end of the document"))
    if error.has("node, but found", "a sequence, but found", "a mapping of length", "ordered map"):
        return Explained(error.at, Phrase("the tag does not fit its value"))
    return None


def _needs_quotes(character: str) -> Phrase:
    return Phrase("`{character}` cannot begin a value: put it in quotes", character=character)
