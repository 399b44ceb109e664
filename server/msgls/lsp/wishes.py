"""What a client can show: capabilities by path, and texts in the form that it wants.

Texts are said in the language of the document that they are about.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from msgls.features import markup
from msgls.lsp.session import OpenDocument, Session
from msgls.text.translation import say


def wish(session: Session, *path: str) -> Any:
    """A capability of the client, or nothing where it does not say."""
    found = session.capabilities
    for name in path:
        found = getattr(found, name, None)
    return found


def speaker(session: Session, opened: OpenDocument) -> Callable[[str], str]:
    """What says many phrases in the language in which a document is spoken of."""
    return partial(say, language=session.language(opened))


def content(
    session: Session, opened: OpenDocument, parts: tuple[markup.Part, ...], *path: str
) -> dict[str, str]:
    """A text in the first form that a client asks for at ``path``; without a wish, plainly."""
    formats = wish(session, *path)
    wanted = [getattr(format, "value", format) for format in formats or ()]
    kind = next((name for name in wanted if name in ("markdown", "plaintext")), "plaintext")
    write = markup.markdown if kind == "markdown" else markup.plain
    return {"kind": kind, "value": write(parts, session.language(opened))}
