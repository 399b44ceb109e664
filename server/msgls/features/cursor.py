"""The cursor, for completion: the line around it, and the edits that complete it.

A line that is being typed seldom parses, so completion reads it up to the cursor as text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgls.document.document import Document
from msgls.features.completion import Completions, Item, ItemKind
from msgls.features.languages import USUAL_LANGUAGES, known_languages
from msgls.rules.registry import rules_of
from msgls.text.spans import Edit, Span


class Cursor:
    """An offset, clamped to the document, and the line around it."""

    def __init__(self, document: Document, offset: int) -> None:
        offset = min(max(offset, 0), len(document.store))
        line, column = document.position_of(offset)
        text = document.store.line_text(line)
        self.document = document
        # Between the two characters of a line break: the end of the line is meant.
        self.offset = min(offset, document.store.line_span(line).end)
        self.line = line
        self.before, self.after = text[:column], text[column:]
        self.placed = document.cell_at_offset(self.offset)

    @property
    def line_start(self) -> int:
        """Where the line starts, absolute."""
        return self.offset - len(self.before)

    @property
    def line_in_cell(self) -> int:
        """Where the line starts in its cell."""
        return self.line_start - (0 if self.placed is None else self.placed.start_offset)

    def edit(self, typed: str, rest: str, text: str) -> Edit:
        """Replace what was typed before the cursor, and the ``rest`` after it, by ``text``."""
        return Edit(Span(self.offset - len(typed), self.offset + len(rest)), text)

    def rest(self, pattern: str) -> str:
        """The text after the cursor that belongs to what is typed."""
        match = re.match(pattern, self.after)
        return "" if match is None else match.group()

    def rules(self, typed: str) -> Iterator[Item]:
        """The rules that can be suppressed in this file."""
        rest = self.rest(r"[A-Za-z0-9]*")
        for rule in rules_of(self.document.format.name):
            edit = self.edit(typed, rest, rule.code)
            said = f"{rule.code} {rule.name}"
            yield Item(rule.code, ItemKind.RULE, edit, rule.name, None, said, ("rule", rule.code))

    def languages(self, typed: str) -> Completions:
        """The languages that a fence can name: the usual ones, or all that begin as typed."""
        names = known_languages() if typed else USUAL_LANGUAGES
        rest = self.rest(r"[^ \t`]*")
        items = [
            Item(name, ItemKind.LANGUAGE, self.edit(typed, rest, name))
            for name in names
            if name.startswith(typed.casefold())
        ]
        return Completions(tuple(items), incomplete=not typed)
