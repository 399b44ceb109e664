"""The handlers of messages, one module for each feature; imported on first use.

The list is for type checkers alone: by it they compare a handler with its ``Route``.
"""

# ruff: noqa: I001 - one statement, one line for each module

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from msgls.lsp.handlers import (
        actions as actions,
        choices as choices,
        commands as commands,
        completion as completion,
        configuration as configuration,
        content as content,
        defining as defining,
        definition as definition,
        diagnostics as diagnostics,
        folding as folding,
        formatting as formatting,
        hierarchy as hierarchy,
        highlight as highlight,
        hints as hints,
        hover as hover,
        language as language,
        lenses as lenses,
        linked as linked,
        links as links,
        moving as moving,
        outline as outline,
        page as page,
        pasting as pasting,
        references as references,
        rename as rename,
        selection as selection,
        symbols as symbols,
        sync as sync,
        tokens as tokens,
        view as view,
        watching as watching,
    )

else:
    # Where type checkers saw it, they would take a module that is missing above for anything.
    def __getattr__(name: str) -> Any:
        """Import a module of this package: the one place where handlers are loaded late."""
        return importlib.import_module(f"{__name__}.{name}")
