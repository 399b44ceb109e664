"""The settings that hold for a document, as plain values.

``rules/settings.py`` owns the table of options: how each is read, and what it means for rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

ALL = "ALL"
"""The selector of every rule."""


class Settings(NamedTuple):
    """What is configured. The fields are those of ``OPTIONS``, and where they come from."""

    select: tuple[str, ...] = (ALL,)
    ignore: tuple[str, ...] = ()
    severity: Mapping[str, str] = {}
    per_file_ignores: Mapping[str, tuple[str, ...]] = {}
    section: str = "Discussion"
    dialect: str = "auto"
    tokens: str = "auto"
    agents_file: str = ""
    insert: str = "auto"
    """Whether a new conversation starts with a boot message."""
    locale: str = "auto"
    scope: str = "openFiles"
    limit: int = 1_000
    features: Mapping[str, bool] = {}
    """The switches that somebody has touched, by name."""
    folder: str = ""
    """The folder that the patterns of ``per_file_ignores`` are relative to."""

    def has(self, feature: str) -> bool:
        """Whether a feature is switched on; what has no switch always is."""
        return self.features.get(feature, True)
