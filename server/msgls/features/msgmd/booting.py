"""Boot messages in a message file: at the start of a conversation, and after a reset.

Owns the cells of the commands *Insert boot message* and *Reset context*. A boot message is shown
to the user and never sent (``boot=1 virtual=1``); with ``reset=1``, it also hides everything before
it from the model. The texts come from the nearest ``agents.json``, through the surroundings.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgls.conversation.cell_visibility import last_reset, plain_content
from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features.commands import CellChange, RefusedError, start_of
from msgls.features.markup import escape
from msgls.features.msgmd.appending import appended, cell_text, check_name
from msgls.features.msgmd.cells import block
from msgls.features.msgmd.naming import agent_names
from msgls.features.msgmd.snippets import agents_first_default, cells_before, free_id
from msgls.formats.agents import Greeting
from msgls.formats.base import CellRole, Placed
from msgls.formats.msgmd.meaning import DEFAULT_AGENT, frontmatter_of, meaning_of, message_ids
from msgls.formats.msgmd.section import section_label
from msgls.syntax.cells import CellKind
from msgls.text.phrases import Phrase, joined
from msgls.text.spans import Edit, Span
from msgls.text.translation import ENGLISH, say

RESET_TEXT = Phrase("The context has been reset. How can I help you?")
"""The text after a reset for an agent without a boot message."""

_BOOT = "boot=1 virtual=1"
_RESET = f"{_BOOT} reset=1"


def has_begun(document: Document) -> bool:
    """Whether a cell with content follows the last reset, or the start of the conversation."""
    return any(plain_content(meaning_of(document, cell)) for cell in _cells_so_far(document))


def _cells_so_far(document: Document) -> Iterator[Placed]:
    """The cells after the last reset, or after the start of the conversation."""
    start = max(last_reset(document), section_label(document))
    first = 0 if start < 0 else document.number_of(start) + 1
    for number in range(first, document.cell_count):
        placed = document.cell_number(number)
        if placed.cell.kind is not CellKind.PREAMBLE:
            yield placed


def default_agent(snapshot: Snapshot) -> str | None:
    """The agent whose boot message is used by default: the file's default agent, else the first."""
    frontmatter = frontmatter_of(snapshot.document)
    default = None if frontmatter is None else frontmatter.default_agent_name
    first = snapshot.surroundings.greetings[0].agent if snapshot.surroundings.greetings else None
    return default or first


def insert_boot(snapshot: Snapshot, agent: str | None = None) -> CellChange:
    """Insert the boot message of ``agent``, or else the default one, at the start."""
    document = snapshot.document
    if has_begun(document):
        raise RefusedError(
            "the conversation has started: a boot message must come first, or reset it"
        )
    if not snapshot.surroundings.agents_file:
        raise RefusedError("there is no `agents.json` in the folders above this file")
    if not snapshot.surroundings.greetings:
        raise RefusedError("no agent in `agents.json` has a boot message")
    name = agent or default_agent(snapshot)
    found = _greeting(snapshot, name)
    if found is None:
        those = joined([f"`{greeting.agent}`" for greeting in snapshot.surroundings.greetings])
        raise RefusedError(
            "`{name}` has no boot message in `agents.json`: pick one of {those}",
            name=name or "",
            those=those,
        )
    first = next(_cells_so_far(document), None)
    if first is not None:
        return _put_before(snapshot, found, first)
    return _append(snapshot, found, _BOOT)


def _put_before(snapshot: Snapshot, greeting: Greeting, first: Placed) -> CellChange:
    """Insert a boot message before a cell that is still empty."""
    document = snapshot.document
    cell_id = free_id(document, cells_before(document, 0), CellKind.OUTPUT)
    check_name(greeting.agent)
    newline = document.newline
    ids = {*message_ids(document), cell_id}
    text = cell_text(_content(greeting), cell_id, greeting.agent, ids, newline, _BOOT) + newline
    at = start_of(first)
    return CellChange((Edit(Span(at, at), text),), len(document.store) + len(text))


def reset_context(
    snapshot: Snapshot, agent: str | None = None, here: int | None = None, language: str = ENGLISH
) -> CellChange:
    """Insert a boot message of ``agent``, or else the default one, that hides everything before it.

    At the end of the conversation, or below the cell at the offset ``here``. An agent without a
    boot message gets a default text, in the language of the user.
    """
    document = snapshot.document
    if agent is not None and agent not in agent_names(document):
        raise RefusedError("there is no agent `{agent}`", agent=agent)
    name = agent or default_agent(snapshot) or _likely_agent(snapshot)
    found = _greeting(snapshot, name) or Greeting(name, say(RESET_TEXT, language))
    placed = None if here is None else document.cell_at_offset(here)
    after = None if placed is None else block(document, placed)[-1]
    return _append(snapshot, found, _RESET, after)


def _greeting(snapshot: Snapshot, name: str | None) -> Greeting | None:
    return next((found for found in snapshot.surroundings.greetings if found.agent == name), None)


def _likely_agent(snapshot: Snapshot) -> str:
    """The first registered agent, else the one that answered last."""
    document = snapshot.document
    names = agents_first_default(document)
    answer = cells_before(document, document.cell_count).last(CellRole.ANSWER)
    return names[0] if names else (answer.type if answer is not None else None) or DEFAULT_AGENT


def _append(
    snapshot: Snapshot, greeting: Greeting, attributes: str, after: Placed | None = None
) -> CellChange:
    document = snapshot.document
    number = document.cell_count if after is None else document.number_of(after.label) + 1
    before = cells_before(document, number)
    cell_id = free_id(document, before, CellKind.OUTPUT)
    edit = appended(document, _content(greeting), cell_id, greeting.agent, attributes, after)
    return CellChange((edit,), edit.span.start + len(edit.text))


def _content(greeting: Greeting) -> str:
    """The text of a boot message, and its tasks as a list."""
    tasks = "\n".join([f"- {escape(task.strip())}" for task in greeting.tasks])
    return "\n\n".join([part for part in (greeting.text, tasks) if part])
