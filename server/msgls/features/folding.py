"""Folding: which lines can be put away, and what is shown in their place."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from msgls.document.document import Document
from msgls.features.dispatch import provided


class FoldKind(Enum):
    """What is folded."""

    REGION = "region"
    COMMENT = "comment"
    IMPORTS = "imports"


class Fold(NamedTuple):
    """Lines that can be folded into the first one."""

    start_line: int
    end_line: int
    kind: FoldKind | None = None
    text: str | None = None
    """What is shown in place of the folded lines."""


def folding(document: Document) -> list[Fold]:
    """Everything that can be folded, outer things first."""
    found = provided(document, folding)
    return [] if found is None else found(document)
