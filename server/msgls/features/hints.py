"""Inlay hints: labels that an editor shows within the text without being part of it."""

from __future__ import annotations

from typing import NamedTuple

from msgls.document.snapshot import Snapshot
from msgls.features.language import language_of
from msgls.text.phrases import Phrase
from msgls.text.spans import Span
from msgls.text.work import Pausing, Work


class Hint(NamedTuple):
    """A label to be shown right after an offset."""

    offset: int
    label: Phrase
    tooltip: Phrase
    is_in_lens: bool = False
    """Whether a lens shows the same, in clients that have lenses."""


@Pausing
def hints(snapshot: Snapshot, span: Span) -> Work[list[Hint]]:
    """The hints inside of a span, in order."""
    return language_of(snapshot.document).hints(snapshot, span)
