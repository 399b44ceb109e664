"""Phrases: texts for users that can be translated when they are shown.

A phrase *is* its English text, so code that does not care about languages uses it as a string.
It also keeps the template and the arguments that it was made of, by which it is translated
(``text/translation.py``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

# A line break inside a paragraph; the rows of a table keep theirs.
_WRAP = re.compile(r"\n(?!\|)")


class Phrase(str):
    """An English text, made of a template and what is put into it, which may be phrases too."""

    __slots__ = ("args", "msgid", "template")

    template: str
    args: dict[str, str | int]
    msgid: str
    """The key in the catalogues: the template, except where ``paragraph_phrase`` unwraps it."""

    def __new__(cls, template: str, /, **args: str | int) -> Phrase:
        """``template`` holds ``{name}`` for each argument; without any it is taken as it is."""
        phrase = super().__new__(cls, template.format_map(args) if args else template)
        phrase.template = phrase.msgid = template
        phrase.args = args
        return phrase


def joined(phrases: Iterable[str], between: str = ", ") -> Phrase:
    """Several phrases, or other texts, in a row; a list has a comma of its own in each language."""
    named = {f"_{number}": phrase for number, phrase in enumerate(phrases)}
    return Phrase(between.join([f"{{{name}}}" for name in named]), **named)


EMPTY = joined(())
"""The empty phrase."""


def paragraph_phrase(text: str) -> Phrase:
    """A paragraph that is wrapped in the source. Catalogues have it in one line."""
    phrase = Phrase(text)
    phrase.msgid = _WRAP.sub(" ", text)
    return phrase


def about(what: object, said: str) -> Phrase:
    """A message about a named thing, mostly a file."""
    return Phrase("{what}: {said}", what=what if isinstance(what, str) else str(what), said=said)


def as_code(value: object) -> str:
    """A value that a file holds, as code in a sentence: a text as it stands, others as JSON."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return f"`{text if text.isprintable() else json.dumps(value, default=str)}`"


def as_phrase(text: str) -> Phrase:
    """A text as a phrase; plain text becomes a phrase without arguments."""
    return text if isinstance(text, Phrase) else Phrase(text)


class PhrasedError(Exception):
    """An error with a phrase that says to users why something cannot be done."""

    def __init__(self, template: str, /, **args: str | int) -> None:
        """A template with its arguments, or a phrase."""
        self.phrase = Phrase(template, **args) if args else as_phrase(template)
        super().__init__(str(self.phrase))
