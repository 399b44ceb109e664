"""Inlay hints: what is shown between the text without standing in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgls.document.snapshot import Snapshot
from msgls.features.language import language_of
from msgls.text.phrases import Phrase
from msgls.text.spans import Span


class Hint(NamedTuple):
    """Something to be shown right after an offset."""

    offset: int
    label: Phrase
    tooltip: Phrase
    is_in_lens: bool = False
    """Whether a lens says the same, to clients that have lenses."""


def hints(snapshot: Snapshot, span: Span) -> Iterator[Hint]:
    """The hints inside of a span, in order."""
    return language_of(snapshot.document).hints(snapshot, span)
