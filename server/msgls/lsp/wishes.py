"""What a client can show: capabilities by path, and texts in the form that it wants."""

from __future__ import annotations

from typing import Any

from msgls.features import markup
from msgls.lsp.session import Session


def wish(session: Session, *path: str) -> Any:
    """A capability of the client, or nothing where it does not say."""
    found = session.capabilities
    for name in path:
        found = getattr(found, name, None)
    return found


def content(parts: tuple[markup.Part, ...], formats: list[Any] | None) -> dict[str, str]:
    """A text in the first form that a client asks for; without a wish, plainly."""
    wanted = [getattr(format, "value", format) for format in formats or ()]
    kind = next((name for name in wanted if name in ("markdown", "plaintext")), "plaintext")
    write = markup.markdown if kind == "markdown" else markup.plain
    return {"kind": kind, "value": write(parts)}
