"""``workspace/symbol``: the outlines of all files, searched by name, and folders of messages."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from lsprotocol import types as lsp

from msgls.features.counting import counted
from msgls.features.outline import SymbolKind, outline
from msgls.features.symbols import Conversation, conversation, matches
from msgls.host.files import stamp_of
from msgls.lsp.applying import beside
from msgls.lsp.handlers.outline import SYMBOLS, flat
from msgls.lsp.progress import Progress
from msgls.lsp.session import OpenDocument, Session
from msgls.text.phrases import Phrase
from msgls.text.translation import language_of, say

# More than anybody reads; a client asks again when more is typed.
_MOST = 1_000
_MOST_CACHED = 100_000
# Every file of a format has the same fields: they are not useful in a search for names.
_UNNAMED = int(SYMBOLS[SymbolKind.FIELD])
# The texts of a symbol: phrases among them are still to be translated.
_NAMES = ("name", "containerName")


class _FileSymbols(NamedTuple):
    """The symbols of a file, and the conversation that it is a part of."""

    symbols: list[dict[str, Any]]
    part_of: Conversation | None = None


_NO_SYMBOLS = _FileSymbols([])


class _Search:
    """One search: what was found, and which folders have been looked at."""

    def __init__(self, session: Session, query: str) -> None:
        self.session = session
        self.query = query
        self.found: list[dict[str, Any]] = []
        self._folders: set[Path] = set()
        self._cached = sum(len(file.symbols) for _, file in session.closed_symbols.values())
        # The language of the workspace: one list holds names from everywhere in it.
        self._language = language_of(session.configured.settings(None).locale, session.locale)

    def look(self, file: _FileSymbols, uri: str, place: Path | None) -> None:
        """Add the symbols of a file that match, and its folder once, with its first file."""
        self.found += self._matching(file.symbols)
        if file.part_of is not None and place is not None and place.parent not in self._folders:
            self._folders.add(place.parent)
            self.found += self._matching([self._folder(file.part_of, uri, place)])

    def closed_file(self, path: Path) -> _FileSymbols:
        """The symbols of a file that is not open, cached until it changes."""
        session, stamp = self.session, stamp_of(path)
        if stamp is None:
            return _NO_SYMBOLS
        known_stamp, cached = session.closed_symbols.get(path, (None, _NO_SYMBOLS))
        if stamp == known_stamp:
            return cached
        opened = session.read(path)
        found = _NO_SYMBOLS if opened is None else _symbols_of(session, opened)
        count = self._cached + len(found.symbols) - len(cached.symbols)
        if count <= _MOST_CACHED:
            self._cached = count
            session.closed_symbols[path] = stamp, found
        return found

    def _matching(self, symbols: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        for symbol in symbols:
            if matches(self.query, say(symbol["name"], self._language)):
                yield self._translated(symbol)

    def _translated(self, symbol: dict[str, Any]) -> dict[str, Any]:
        phrases = [key for key in _NAMES if isinstance(symbol.get(key), Phrase)]
        return {**symbol, **{key: say(symbol[key], self._language) for key in phrases}}

    def _folder(self, whole: Conversation, uri: str, place: Path) -> dict[str, Any]:
        names = {place.name, *self.session.workspace.neighbours(place)}
        numbers = {name: whole.number_of(name) for name in names}
        files = sorted((number, name) for name, number in numbers.items() if number is not None)
        start = {"line": 0, "character": 0}
        return {
            "name": Phrase(
                "{name} ({messages})", name=whole.name, messages=counted(len(files), "message")
            ),
            "kind": int(lsp.SymbolKind.Package),
            "location": {
                "uri": beside(uri, files[0][1]),
                "range": {"start": start, "end": start},
            },
        }


def workspace_symbol(
    session: Session, params: lsp.WorkspaceSymbolParams
) -> Generator[Progress, None, list[dict[str, Any]]]:
    """Cells, headings, agents and folders whose names hold the letters of the query, in order."""
    search = _Search(session, params.query)
    for opened in list(session.documents.values()):
        search.look(_symbols_of(session, opened), opened.uri, opened.place)
    open_places = {opened.place for opened in session.documents.values()}
    for done, path in enumerate(session.workspace.files()):
        yield Progress(Phrase("Searching message files"), done)
        if len(search.found) >= _MOST:
            break
        if path not in open_places:
            search.look(search.closed_file(path), path.as_uri(), path)
    return search.found[:_MOST]


def _symbols_of(session: Session, opened: OpenDocument) -> _FileSymbols:
    symbols = [
        symbol
        for node in outline(opened.snapshot)
        # Not translated yet: the language may change while they are cached.
        for symbol in flat(node, opened.uri, "", session.encoding, lambda name: name)
        if symbol["kind"] != _UNNAMED
    ]
    return _FileSymbols(symbols, conversation(opened.snapshot))
