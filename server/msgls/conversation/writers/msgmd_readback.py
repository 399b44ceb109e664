"""Reading back what was rendered as a message file.

Owns which of the two kinds of message file a path stands for; the comparison is
that of every format.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgls.conversation import comparison as readback
from msgls.conversation.comparison import Piece, Wanted, compare, derived_runs_of, with_unnamed
from msgls.conversation.conversation import Loss
from msgls.conversation.readers.msgmd import lower
from msgls.formats.base import Format
from msgls.formats.msgmd import MSGMD, SECTIONED_MSGMD

__all__ = [
    "SECTION_FILE",
    "WHOLE_FILE",
    "Piece",
    "Reading",
    "Wanted",
    "derived_runs_of",
    "find_losses",
    "with_unnamed",
]

WHOLE_FILE = "rendered.msg.md"
SECTION_FILE = "rendered.md"


class Reading(readback.Reading):
    """A message file as a ``View``, read once and never edited."""

    def __init__(self, path: str, text: str, format: Format | None = None) -> None:
        whole = path.lower().endswith(".msg.md")
        super().__init__(path, text, format or (MSGMD if whole else SECTIONED_MSGMD))


def find_losses(
    wanted: Wanted, pieces: Sequence[Piece], path: str, format: Format | None = None
) -> list[Loss]:
    """How the text of ``pieces`` differs from what is wanted; each message once at most."""
    text = "".join([piece.text for piece in pieces])
    return compare(wanted, pieces, lower(Reading(path, text, format)))
