"""``workspace/symbol``: the outlines of all files, searched by name."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from lsprotocol import types as lsp

from msgls.features.outline import outline
from msgls.features.symbols import matches
from msgls.host.files import Stamp, stamp_of
from msgls.lsp.handlers.outline import flat
from msgls.lsp.progress import Progress
from msgls.lsp.session import OpenDocument, Session

# More than anybody reads; a client asks again when more is typed.
_MOST = 1_000
_MOST_REMEMBERED = 100_000


class _Remembered:
    """The symbols of files that are not open, as long as they do not change."""

    def __init__(self) -> None:
        self._files: dict[Path, tuple[Stamp, list[dict[str, Any]]]] = {}
        self._count = 0

    def of(self, session: Session, path: Path) -> list[dict[str, Any]]:
        stamp = stamp_of(path)
        known = self._files.get(path)
        if known is not None and known[0] == stamp:
            return known[1]
        opened = None if stamp is None else session.read(path)
        found = [] if opened is None else _symbols(session, opened)
        if stamp is not None and self._count + len(found) <= _MOST_REMEMBERED:
            self._count += len(found) - (0 if known is None else len(known[1]))
            self._files[path] = stamp, found
        return found


_REMEMBERED: WeakKeyDictionary[Session, _Remembered] = WeakKeyDictionary()


def workspace_symbol(
    session: Session, params: lsp.WorkspaceSymbolParams
) -> Generator[Progress, None, list[dict[str, Any]]]:
    """Cells, headings and agents whose names hold the letters of the query, in order."""
    found: list[dict[str, Any]] = []
    remembered = _REMEMBERED.setdefault(session, _Remembered())
    for opened in list(session.documents.values()):
        found += _named(params.query, _symbols(session, opened))
    open_places = {opened.place for opened in session.documents.values()}
    for done, path in enumerate(session.workspace.files()):
        yield Progress("Searching message files", done)
        if len(found) >= _MOST:
            break
        if path not in open_places:
            found += _named(params.query, remembered.of(session, path))
    return found[:_MOST]


def _symbols(session: Session, opened: OpenDocument) -> list[dict[str, Any]]:
    nodes = outline(opened.document)
    return [symbol for node in nodes for symbol in flat(node, opened.uri, "", session.encoding)]


def _named(query: str, symbols: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [symbol for symbol in symbols if matches(query, symbol["name"])]
