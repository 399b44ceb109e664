"""Whether the model sees a message: the one meaning of ``history``, ``virtual`` and ``reset``.

Owns the words for it, how a message says it on the wire (``meta.history``, ``meta.summary``,
``meta.isVirtual``, ``meta.isBootMessage``, ``meta.isReset``) and what follows for the message
by itself. What follows for a conversation is in ``context``. Knows no format.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any, NamedTuple

from msgls.formats.values import HISTORY_SLIPS, INCLUDED_VALUES, SUMMARY_VALUE

INCLUDED, EXCLUDED = "include", "exclude"
"""The meanings of the values of ``history``."""

HISTORY, SUMMARY = "history", "summary"
IS_VIRTUAL, IS_BOOT, IS_RESET = "isVirtual", "isBootMessage", "isReset"
VISIBILITY_META = frozenset({HISTORY, SUMMARY, IS_VIRTUAL, IS_BOOT, IS_RESET})
"""The keys of a message's meta that say what the model sees of it."""


class Sight(Enum):
    """Whether the model sees a cell or a message, and if not, why."""

    SEEN = "seen"
    SUMMARY = "summary"
    EXCLUDED = "excluded"
    VIRTUAL = "virtual"
    BEFORE_RESET = "before-reset"
    OUTSIDE = "outside"
    OWNER_HIDDEN = "owner-hidden"
    """It is part of an answer, or of a call, that is excluded or virtual."""
    NO_CELL = "no-cell"

    @property
    def is_sent(self) -> bool:
        """Whether any part of it is sent."""
        return self in (Sight.SEEN, Sight.SUMMARY)


class Horizon(NamedTuple):
    """What the visibility of every cell depends on, besides the cell itself."""

    reset_order: int = -1
    """The label of the last cell that resets the context: it is the last that is not seen."""
    section_order: int = -1
    """The label of the cell with the heading of the section: what is before it is not recorded."""


NO_HORIZON = Horizon()
"""Every cell counts."""


class Visibility(NamedTuple):
    """The visibility of a message."""

    history: str = INCLUDED
    """``include``, ``exclude`` or ``summary``."""
    summary: str = ""
    """The text that stands in where ``history`` is ``summary``; empty for the first paragraph."""
    is_virtual: bool = False
    is_boot: bool = False
    is_reset: bool = False
    """Whether what the model sees starts after this message."""

    @property
    def sight(self) -> Sight:
        """Whether the model sees the message, as far as that is its own affair."""
        if self.is_virtual:
            return Sight.VIRTUAL
        if self.history == EXCLUDED:
            return Sight.EXCLUDED
        return Sight.SUMMARY if self.history == SUMMARY_VALUE else Sight.SEEN


def visibility_in(meta: Mapping[str, Any]) -> Visibility:
    """What the meta of a message says of who sees it.

    It is read generously where that hides more: whatever is not plainly a yes excludes.
    """
    if VISIBILITY_META.isdisjoint(meta):
        return _SEEN
    summary = meta.get(SUMMARY)
    return Visibility(
        history_of(meta.get(HISTORY)),
        summary if isinstance(summary, str) else "",
        is_true(meta.get(IS_VIRTUAL)),
        is_true(meta.get(IS_BOOT)),
        is_true(meta.get(IS_RESET)),
    )


_SEEN = Visibility()


def marked_by(wire: dict[str, Any], entry: Mapping[str, Any] | None) -> dict[str, Any]:
    """A message on the wire, hidden as the session entry that holds it is, if it does not say."""
    beside, meta = (entry or {}).get("meta"), wire.get("meta")
    if not isinstance(beside, dict) or not (meta is None or isinstance(meta, dict)):
        return wire
    marks = {key: value for key, value in beside.items() if key in VISIBILITY_META}
    return {**wire, "meta": {**marks, **(meta or {})}} if marks else wire


def history_of(value: object) -> str:
    """What a value of ``history`` means: ``include``, ``exclude`` or ``summary``.

    A word that means nothing excludes: its author meant something other than the default.
    """
    if value is None or isinstance(value, dict | list):
        return INCLUDED
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    word = str(value).strip().lower()
    if not word or HISTORY_SLIPS.get(word, word) in INCLUDED_VALUES:
        return INCLUDED
    return SUMMARY_VALUE if word == SUMMARY_VALUE else EXCLUDED


def is_true(value: object) -> bool:
    """Whether a switch that hides is on: whatever is not plainly off hides."""
    if isinstance(value, str):
        return value.strip().lower() not in ("", "0", "false")
    return bool(value)
