"""Go to definition: from a name to what it stands for, here or in another file.

From a use to the declaration of the name; from there to what defines or answers it. Targets in
other files are returned as paths: a caller that can open such a file calls ``introduced`` with it.
"""

from __future__ import annotations

from typing import NamedTuple

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features.language import language_of
from msgls.features.names import Elsewhere, PlacedName, declaring, name_at, places, shared_places
from msgls.syntax.names import Use
from msgls.text.spans import Span


class Target(NamedTuple):
    """The target of a jump."""

    span: Span
    """The span to select there."""
    around: Span
    """The line or the cell that it is in."""


class Jump(NamedTuple):
    """A jump: what is jumped from, and where it leads."""

    origin: Span
    targets: tuple[Target, ...]
    elsewhere: tuple[Elsewhere, ...] = ()
    """Other files that declare the name."""


def definition(snapshot: Snapshot, offset: int) -> Jump | None:
    """Where the name at ``offset`` leads."""
    document = snapshot.document
    language = language_of(document)
    found = name_at(document, offset)
    elsewhere: tuple[Elsewhere, ...] = ()
    if found is not None:
        origin, spans = found.segment, _counterparts(document, found)
        targets = [Target(span, line_at(document, span)) for span in spans]
        elsewhere = tuple(language.elsewhere(snapshot, found, (Use.DECLARES,)))
    else:
        jump = language.jump(document, offset)
        if jump is None:
            return None
        origin, targets = jump
    unique = tuple(dict.fromkeys(targets))
    return Jump(origin, unique, elsewhere) if unique or elsewhere else None


def introduced(snapshot: Snapshot, name: str) -> list[Target]:
    """Where a document declares a name that other files use."""
    document = snapshot.document
    spans = declaring(shared_places(document, name))
    return [Target(span, line_at(document, span)) for span in spans]


def _counterparts(document: Document, found: PlacedName) -> list[Span]:
    """Where a name leads: from a use to its declaration, from there to its definition."""
    own = language_of(document).counterparts(document, found)
    if own is not None:
        return own
    said = places(document, found)
    defining = [place.span for place in said if place.name.use in (Use.DEFINES, Use.ANSWERS)]
    if found.name.use is Use.DECLARES:
        return defining
    return declaring(said) or (defining if found.name.use is Use.USES else [])


def line_at(document: Document, span: Span) -> Span:
    """The line of a span, or the span where it is longer."""
    line = document.store.line_span(document.position_of(span.start).line)
    return Span(line.start, max(line.end, span.end))
