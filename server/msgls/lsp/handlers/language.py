"""``msgls/languageOf``, a request of our own: the language of a file whose name does not tell.

An editor asks before it opens the document here: it gives the file the language that is
returned, and only then sends it to this server.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pygls import uris

from msgls.formats.plain import PLAIN
from msgls.formats.registry import HEAD_LENGTH, detect
from msgls.lsp.params import text_in, uri_in
from msgls.lsp.session import Session


def language_of(session: Session, params: Mapping[str, Any]) -> dict[str, str | None]:
    """``{uri, head}``: the id of the language that a file with those first characters is in."""
    uri, head = uri_in(params), text_in(params, "head")
    found = detect(uris.to_fs_path(uri) or uri, head[:HEAD_LENGTH])
    return {"languageId": None if found is PLAIN else found.language_id}
