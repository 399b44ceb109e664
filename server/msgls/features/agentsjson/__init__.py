"""The features of ``agents.json``, in editors with and without a service for JSON.

The file is JSON, and an editor may have a service for that, as VS Code does. What such a service
does is not done again: nothing is folded, formatted or highlighted here, and invalid JSON is
reported by a rule of its own, which a client can switch off. Where both have results, the client
chooses: VS Code shows its own outline, and a key or value that a similar object of the file has
(``Item.is_plain``) is left to its JSON service, which it announces at its start.

What only we know is here: which agents, boot messages and tasks there are, what the keys mean,
where ``path`` leads, and which message files mention an agent's name.
"""

# ruff: noqa: I001 - one statement, one line for each module

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from msgls.features.agentsjson import (
        completion as completion,
        hover as hover,
    )


def __getattr__(name: str) -> Any:
    """Import a module of this package: the one place where its features are loaded late."""
    return import_module(f"{__name__}.{name}")
