"""The answers of agents that nobody registered: what MSG202 reports, and an edit may change."""

from collections.abc import Iterator

from msgls.document.document import Document
from msgls.formats.base import CellRole, Meaning
from msgls.formats.msgmd.meaning import can_answer, is_registered, meaning_of
from msgls.rules.msgmd.ids import is_unknown_run

_MOST_OF_TYPE = 40
"""How many cells of one type are looked at to find the answers of an agent."""


def is_unregistered(document: Document, meaning: Meaning) -> bool:
    """Whether a cell is the answer of an agent that is not registered there."""
    name, cell_id = meaning.type, meaning.cell.id or ""
    if name is None or meaning.role is not CellRole.ANSWER:
        return False
    if can_answer(document, name, meaning.placed.label):
        return False
    return not is_unknown_run(cell_id) or is_registered(document, name)


def unregistered_answers(document: Document, name: str) -> Iterator[Meaning]:
    """The answers of the unregistered agent ``name``, in order, up to a limit."""
    for entry in document.entries("typed", name)[:_MOST_OF_TYPE]:
        for cell_id in entry.payloads[:_MOST_OF_TYPE]:
            # The frontmatter names its default agent, and no cell.
            headers = document.entries("header", cell_id) if isinstance(cell_id, str) else ()
            for header in headers:
                # Asked first, because it costs least: most agents are registered.
                if can_answer(document, name, header.label):
                    continue
                meaning = meaning_of(document, document.cell(header.label))
                if meaning.type == name and is_unregistered(document, meaning):
                    yield meaning
