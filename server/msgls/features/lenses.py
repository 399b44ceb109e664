"""Code lenses: lines above the text that show something, or run a command.

Finding their places must be fast, because an editor requests those of a whole document at once;
their texts are resolved only for the few that are on the screen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from msgls.document.snapshot import Snapshot
from msgls.features.actions import cell_actions
from msgls.features.language import language_of
from msgls.formats.base import Placed
from msgls.text.phrases import Phrase
from msgls.text.work import Pausing, Work


class Lens(NamedTuple):
    """A lens whose text is not resolved yet."""

    label: int
    """The label of its cell."""
    line: int
    what: str


class LensText(NamedTuple):
    """The text of a lens, and the command that it runs; empty if it runs none."""

    title: Phrase
    command: str = ""
    arguments: Mapping[str, Any] = {}
    """The arguments of the command besides the place."""


def current_lenses(snapshot: Snapshot, offset: int) -> Iterator[LensText]:
    """The lenses above the cell of the cursor, besides the one that every cell has."""
    for action in cell_actions(snapshot, offset):
        if action.row.lens is not None and action.obstacle is None:
            yield LensText(action.row.lens, action.command, action.arguments)


@Pausing
def lenses(snapshot: Snapshot) -> Work[list[Lens]]:
    """Where lenses are, in order."""
    return language_of(snapshot.document).lenses(snapshot)


def lens_text(snapshot: Snapshot, placed: Placed, what: str) -> LensText:
    """The text of a lens above a cell."""
    return language_of(snapshot.document).lens_text(snapshot, placed, what)
