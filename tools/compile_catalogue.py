"""Compiles the translations: every ``.po`` below ``server/msgls/locale`` to a ``.mo`` beside it.

The build of a wheel, an editable install included, runs this as a hook; so do the tests.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LOCALES = Path("server/msgls/locale")
_NO_DATE = datetime(2025, 1, 1, tzinfo=UTC)


def compile_catalogues(root: Path) -> None:
    """Compile the catalogues that have changed since they were last compiled."""
    for source in sorted((root / LOCALES).rglob("*.po")):
        target = source.with_suffix(".mo")
        if target.exists() and target.stat().st_mtime_ns > source.stat().st_mtime_ns:
            continue
        with source.open("rb") as file:
            catalogue = read_po(file)
        # The same sources give the same wheel.
        catalogue.creation_date = _NO_DATE
        # Other processes may be reading the old one.
        fresh = target.with_suffix(f".{os.getpid()}")
        with fresh.open("wb") as file:
            write_mo(file, catalogue)
        fresh.replace(target)


class CatalogueHook(BuildHookInterface[Any]):
    """Compiles before the files of a wheel are collected."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile what is not up to date."""
        compile_catalogues(Path(self.root))
