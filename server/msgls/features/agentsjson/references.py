"""Find references in ``agents.json``: who says the name of an agent, here and in message files."""

from __future__ import annotations

from collections.abc import Iterable

from msgls.document.document import Document
from msgls.features.agentsjson.places import agent_name_at, named
from msgls.features.elsewhere import Elsewhere
from msgls.rules.base import ALONE, Surroundings
from msgls.text.spans import Span


def references(
    document: Document, offset: int, declared: bool = True, surroundings: Surroundings = ALONE
) -> list[Span]:
    """Where agents have that name, which is where it is given."""
    name = agent_name_at(document, offset)
    return [] if name is None else mentions(document, name.text, declared)


def elsewhere(
    document: Document, offset: int, declared: bool = True, surroundings: Surroundings = ALONE
) -> Iterable[Elsewhere]:
    """The message files that this file registers agents for."""
    name = agent_name_at(document, offset)
    if name is None:
        return ()
    return (Elsewhere(path, name.text) for path in surroundings.registered_by(document.path))


def mentions(document: Document, name: str, declared: bool = True) -> list[Span]:
    """Where agents have that name; nothing unless ``declared``, for nobody only uses it here."""
    return [span for _, span in named(document, name)] if declared else []
