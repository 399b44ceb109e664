"""The features of ChatBuilder messages: one module for each, with the name of the feature."""

# ruff: noqa: I001 - one statement, one line for each module

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from msgls.features.chatbuilder import (
        commands as commands,
        completion as completion,
        folder as folder,
        formatting as formatting,
        hover as hover,
    )


def __getattr__(name: str) -> Any:
    """Import a module of this package: the one place where its features are loaded late."""
    return import_module(f"{__name__}.{name}")
