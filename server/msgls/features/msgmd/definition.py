"""Go to definition in a message file: between headers, definitions, parents and agents.

Owns the choice of where a jump leads. A header and its definition lead to each other; a
segment of a dotted id leads to the cell that it names; a type leads to the agent, the call
or the code that it stands for; an agent in the frontmatter leads to what it answered, and
one that is registered in ``agents.json`` to its entry there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from msgls.document.document import Document
from msgls.features.definition import Jump, Target
from msgls.features.elsewhere import Elsewhere
from msgls.features.msgmd.naming import agents_with_model, answers, registrations
from msgls.features.msgmd.occurrences import Name, NameKind, id_spans, name_at
from msgls.features.msgmd.places import Place, PlaceKind, owner_of, place_at
from msgls.formats.base import Placed
from msgls.formats.msgmd.meaning import definition_of, meaning_of
from msgls.rules.base import ALONE, Surroundings
from msgls.text.spans import Span


def definition(document: Document, offset: int, surroundings: Surroundings = ALONE) -> Jump | None:
    """Where the name at ``offset`` leads."""
    other_agents = surroundings.other_agents
    name = name_at(document, offset, other_agents)
    if name is not None:
        spans = list(dict.fromkeys(_spans(document, name, other_agents)))
        origin = name.span
        elsewhere = tuple(_elsewhere(document, name, surroundings))
    else:
        place = place_at(document, offset)
        if place is None or place.kind is not PlaceKind.TYPE:
            return None
        spans = list(_parent(document, owner_of(document, place), other_agents))
        origin, elsewhere = place.span, ()
    targets = tuple(Target(span, _line_around(document, span)) for span in spans)
    return Jump(origin, targets, elsewhere) if targets or elsewhere else None


def _elsewhere(document: Document, name: Name, surroundings: Surroundings) -> Iterator[Elsewhere]:
    """The entry in ``agents.json``, unless the agent is registered right here."""
    if name.kind is not NameKind.AGENT or name.text not in surroundings.other_agents:
        return
    registered = [registration.span for registration in registrations(document, name.text)]
    if surroundings.agents_file and name.place.span not in registered:
        yield Elsewhere(surroundings.agents_file, name.text)


def _spans(document: Document, name: Name, others: Collection[str]) -> Iterator[Span]:
    if name.kind is NameKind.CELL:
        yield from _of_id(document, name)
    elif name.kind is NameKind.AGENT:
        yield from _of_agent(document, name, others)


def _of_id(document: Document, name: Name) -> Iterator[Span]:
    place = name.place
    is_own = name.text == place.text
    if is_own and place.kind is PlaceKind.HEADER_ID:
        yield from _definitions(document, place)
        return
    headers = list(id_spans(document, "header", name.text))
    if headers:
        yield from headers
    elif place.kind is PlaceKind.REFERENCE:
        for relation in ("footnote", "definition"):
            yield from id_spans(document, relation, name.text)


def _definitions(document: Document, place: Place) -> Iterator[Span]:
    found = definition_of(document, place.placed)
    if found is not None:
        yield found[0].id.span.shift(found[1].start_offset)
        return
    for relation in ("malformed", "footnote"):
        yield from id_spans(document, relation, place.text)


def _of_agent(document: Document, name: Name, others: Collection[str]) -> Iterator[Span]:
    registered = [registration.span for registration in registrations(document, name.text)]
    if name.place.span in registered or name.place.kind is PlaceKind.MODEL:
        yield from (held.type_span for held in answers(document, name.text, others))
    elif registered:
        yield from registered
    else:
        for agent in agents_with_model(document, name.text):
            yield from (registration.span for registration in registrations(document, agent))


def _parent(document: Document, owner: Placed | None, others: Collection[str]) -> Iterator[Span]:
    """Of a tool or a run: the cell that asked for it."""
    if owner is None:
        return
    parent_id = meaning_of(document, owner).parent_id
    if parent_id is not None:
        yield from id_spans(document, "header", parent_id)


def _line_around(document: Document, span: Span) -> Span:
    line = document.position_of(span.start).line
    around = document.store.line_span(line)
    return Span(around.start, max(around.end, span.end))
