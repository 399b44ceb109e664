"""Templates of whole cells for completion in a message file, and the ids of new cells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from msgls.document.document import Document
from msgls.features.msgmd.naming import agent_names
from msgls.features.snippets import choice, literal
from msgls.formats.base import CellRole, Meaning
from msgls.formats.msgmd.meaning import (
    DEFAULT_AGENT,
    can_answer,
    frontmatter_of,
    meaning_of,
    new_nonce,
    next_free_id,
)
from msgls.formats.msgmd.register import register_agent, register_default
from msgls.rules.msgmd.ids import next_child
from msgls.syntax.cells import Cell, CellKind
from msgls.syntax.ids import numbered
from msgls.text.phrases import Phrase
from msgls.text.spans import Edit

FURTHEST = 60
"""How many cells back to look for a parent."""

_FIRST_WORD = re.compile(r"[^ \t]*")
_PREFIXES = {CellKind.MESSAGE: "m", CellKind.OUTPUT: "a"}


class CellTemplate(NamedTuple):
    """A cell that can be inserted as a whole."""

    label: Phrase
    kind: CellKind
    detail: Phrase
    text: str
    """A snippet, with LF as line break."""
    also: tuple[Edit, ...] = ()
    """Edits that the cell needs elsewhere; absolute."""


# ---------------------------------------------------------------------------
# The cells before


class Before(NamedTuple):
    """The cells before an offset to which a new cell may belong, the nearest first."""

    cells: tuple[Meaning, ...]

    def last(self, role: CellRole) -> Meaning | None:
        """The nearest cell of that role which has an id."""
        return next((m for m in self.cells if m.role is role and m.cell.id), None)

    def some(self, role: CellRole, most: int) -> list[Meaning]:
        """The nearest cells of that role which have an id, at most ``most``."""
        return [m for m in self.cells if m.role is role and m.cell.id][:most]


def cells_before(document: Document, number: int) -> Before:
    """The cells with a number below ``number``, the nearest first."""
    numbers = range(number - 1, max(number - 1 - FURTHEST, -1), -1)
    placed = [document.cell_number(n) for n in numbers]
    return Before(tuple([meaning_of(document, p) for p in placed]))


def free_id(document: Document, before: Before, kind: CellKind) -> str:
    """The next free id, with the prefix of the nearest cell of that kind."""
    for meaning in before.cells:
        if meaning.cell.kind is kind:
            numbered = _numbered(meaning.cell)
            if numbered is not None:
                return _free_from(document, *numbered)
    return next_free_id(document, _PREFIXES.get(kind, "m"))


def _numbered(cell: Cell) -> tuple[str, int] | None:
    """The prefix and the number of an id without dots that ends in a number."""
    stem, digits = numbered(cell.id or "")
    return (stem, int(digits)) if digits and "." not in stem else None


def _free_from(document: Document, prefix: str, number: int) -> str:
    """The next free id; if the next number is taken, after the last cell with that prefix."""
    if document.entries("header", f"{prefix}{number + 1}"):
        for last in range(document.cell_count - 1, max(document.cell_count - FURTHEST, 0), -1):
            found = _numbered(document.cell_number(last).cell)
            if found is not None and found[0] == prefix:
                number = max(number, found[1])
                break
    return next_free_id(document, prefix, number + 1)


def call_id(document: Document, answer_id: str) -> str:
    """The id of a new call, with a new nonce."""
    return f"{answer_id}.{new_nonce(document)}"


def language_of(cell: Cell) -> str:
    """The language of a code cell; empty if it names none."""
    block = cell.code_block
    match = None if block is None else _FIRST_WORD.match(block.info.of(cell.text))
    return "" if match is None else match.group()


def agents_first_default(document: Document) -> list[str]:
    """Every agent that is registered, the default one first."""
    frontmatter = frontmatter_of(document)
    default = None if frontmatter is None else frontmatter.default_agent_name
    names = agent_names(document)
    return list(dict.fromkeys([default, *names])) if default in names and default else names


def able_agents(document: Document, before: Before) -> list[str]:
    """The registered agents that can answer after those cells, the default one first."""
    label = _label_after(before)
    return [name for name in agents_first_default(document) if can_answer(document, name, label)]


def registering(document: Document, name: str, before: Before) -> tuple[Edit, ...]:
    """The edit that registers the default agent, if no agent can answer there.

    That is so if all agents are temporary, and defined further down.
    """
    if name != DEFAULT_AGENT or can_answer(document, name, _label_after(before)):
        return ()
    edit = register_agent(document, name)
    return () if edit is None else (edit,)


def _label_after(before: Before) -> int:
    return before.cells[0].placed.label + 1 if before.cells else 0


# ---------------------------------------------------------------------------
# Templates


def templates(document: Document, before: Before, depth: int, now: str) -> Iterator[CellTemplate]:
    """The cells that can be inserted here: children only if there is a parent."""
    message, output = "#" * depth + " %%", "#" * depth + " %%%"
    m, a = (literal(free_id(document, before, kind)) for kind in _PREFIXES)
    yield CellTemplate(
        Phrase("message cell"),
        CellKind.MESSAGE,
        Phrase("what you say"),
        f"{message} $1[^{m}]\n\n[^{m}]: [markdown]\n\n$0",
    )
    yield _answer(document, before, output, a, now)
    code = before.last(CellRole.CODE)
    language = (language_of(code.cell) if code is not None else "") or "python"
    yield CellTemplate(
        Phrase("code cell"),
        CellKind.MESSAGE,
        Phrase("code to run"),
        f"{message} $1[^{m}]\n\n[^{m}]: [code]\n\n```${{2:{literal(language)}}}\n$0\n```\n",
    )
    yield from _children(document, before, output, code)
    yield CellTemplate(
        Phrase("temporary agent"),
        CellKind.MESSAGE,
        Phrase("an agent for this conversation"),
        f'{message} $1[^{m}]\n\n[^{m}]: [markdown] definition="agent" name="${{2:name}}"\n\n'
        "---\nmodels: [${3:model}]\n---\n\n$0",
        tuple(register_default(document)),
    )


def _answer(document: Document, before: Before, output: str, new_id: str, now: str) -> CellTemplate:
    names = able_agents(document, before)
    agent = choice(2, names) if names else f"${{2:{DEFAULT_AGENT}}}"
    time = f' time="{now}"' if now else ""
    text = f"{output} $1[^{new_id}]\n\n[^{new_id}]: [{agent}]{time}\n\n$0"
    label, detail = Phrase("answer cell"), Phrase("what an agent says")
    also = () if names else registering(document, DEFAULT_AGENT, before)
    return CellTemplate(label, CellKind.OUTPUT, detail, text, also)


def _children(
    document: Document, before: Before, output: str, code: Meaning | None
) -> Iterator[CellTemplate]:
    answer, call = before.last(CellRole.ANSWER), before.last(CellRole.CALL)
    status = 'status="${2|success,failure|}"'
    if call is not None and call.cell.id:
        new_id = literal(next_child(document, call.cell.id))
        yield CellTemplate(
            Phrase("tool result cell"),
            CellKind.OUTPUT,
            Phrase("a result of {id}", id=call.cell.id),
            f"{output} $1[^{new_id}]\n\n[^{new_id}]: [tool] {status}\n\n$0",
        )
    if answer is not None and answer.cell.id:
        new_id = literal(call_id(document, answer.cell.id))
        yield CellTemplate(
            Phrase("tool call cell"),
            CellKind.OUTPUT,
            Phrase("a call by {id}", id=answer.cell.id),
            f'{output} $1[^{new_id}]\n\n[^{new_id}]: [tool] name="${{2:tool}}"\n\n'
            "<${2:tool}>\n$0\n</${2:tool}>\n",
        )
    if code is not None and code.cell.id:
        new_id = literal(next_child(document, code.cell.id))
        language = literal(language_of(code.cell) or "python")
        yield CellTemplate(
            Phrase("execution output cell"),
            CellKind.OUTPUT,
            Phrase("a run of {id}", id=code.cell.id),
            f"{output} $1[^{new_id}]\n\n[^{new_id}]: [{language}] {status}\n\nstdout> $0",
        )
