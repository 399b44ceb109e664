"""Whether the model sees a message: the meaning of ``history``, ``virtual`` and ``reset``.

Owns the vocabulary, its form on the wire (``meta.history``, ``meta.summary``,
``meta.isVirtual``, ``meta.isBootMessage``, ``meta.isReset``) and what it means for a single
message. What it means for a conversation is in ``context``. Knows no format.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Any, NamedTuple

from msgls.formats.values import HISTORY_SLIPS, INCLUDED_VALUES, SUMMARY_VALUE

INCLUDED, EXCLUDED = "include", "exclude"
"""The meanings of the values of ``history``."""

HISTORY, SUMMARY = "history", "summary"
IS_VIRTUAL, IS_BOOT, IS_RESET = "isVirtual", "isBootMessage", "isReset"
VISIBILITY_META = frozenset({HISTORY, SUMMARY, IS_VIRTUAL, IS_BOOT, IS_RESET})
"""The keys of a message's ``meta`` about visibility."""


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
    """Where what the model sees begins: the visibility of every cell depends on it."""

    reset_label: int = -1
    """The label of the last cell that resets the context: it and all before it are hidden."""
    section_label: int = -1
    """The label of the cell with the heading of the section: it and all before it are outside."""


NO_HORIZON = Horizon()
"""No cell resets the context, and there is no section."""


class Visibility(NamedTuple):
    """The visibility of a message."""

    history: str = INCLUDED
    """``include``, ``exclude`` or ``summary``."""
    summary: str = ""
    """The replacement if ``history`` is ``summary``; empty for the first paragraph."""
    is_virtual: bool = False
    is_boot: bool = False
    is_reset: bool = False
    """Whether the model sees only what follows this message."""

    @property
    def sight(self) -> Sight:
        """Whether the model sees the message, apart from resets."""
        if self.is_virtual:
            return Sight.VIRTUAL
        if self.history == EXCLUDED:
            return Sight.EXCLUDED
        return Sight.SUMMARY if self.history == SUMMARY_VALUE else Sight.SEEN


def visibility_in(meta: Mapping[str, Any]) -> Visibility:
    """The visibility in the ``meta`` of a message.

    In doubt a message is hidden: a value that is not clearly "include" excludes it.
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
    """A message on the wire with the visibility of its session entry, unless it has its own."""
    entry_meta, meta = (entry or {}).get("meta"), wire.get("meta")
    if not isinstance(entry_meta, dict) or not (meta is None or isinstance(meta, dict)):
        return wire
    marks = {key: value for key, value in entry_meta.items() if key in VISIBILITY_META}
    return {**wire, "meta": {**marks, **(meta or {})}} if marks else wire


def history_of(value: object) -> str:
    """The meaning of a value of ``history``: ``include``, ``exclude`` or ``summary``.

    An unknown word excludes: its author meant something other than the default.
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
    """Whether a switch that hides is on: any value that does not clearly mean "off" is on."""
    if isinstance(value, str):
        return value.strip().lower() not in ("", "0", "false")
    return bool(value)
