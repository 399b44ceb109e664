"""Places in other files: named, for a feature opens none."""

from __future__ import annotations

from typing import NamedTuple


class Elsewhere(NamedTuple):
    """A name that another file says. Where it stands there, that file's document tells."""

    path: str
    """As the surroundings of the document have it."""
    name: str
