"""The features of Simple Text Format files."""

# ruff: noqa: I001 - one statement, one line for each module

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from msgls.features.stf import (
        cells as cells,
        commands as commands,
        completion as completion,
        formatting as formatting,
        hints as hints,
        hover as hover,
    )


def __getattr__(name: str) -> Any:
    """Import a module of this package: the one place where its features are loaded late."""
    return import_module(f"{__name__}.{name}")
