"""``workspace/symbol``: the outlines of all files, searched by name, and folders of messages."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from lsprotocol import types as lsp

from msgls.features.counting import counted
from msgls.features.outline import SymbolKind, outline
from msgls.features.symbols import Conversation, conversation, matches
from msgls.host.files import Stamp, stamp_of
from msgls.lsp.applying import beside
from msgls.lsp.handlers.outline import SYMBOLS, flat
from msgls.lsp.progress import Progress
from msgls.lsp.session import OpenDocument, Session
from msgls.text.phrases import Phrase
from msgls.text.translation import language_of, say

# More than anybody reads; a client asks again when more is typed.
_MOST = 1_000
_MOST_REMEMBERED = 100_000
# Every file of a format has the same ones: they are not useful in a search for names.
_UNNAMED = int(SYMBOLS[SymbolKind.FIELD])
# What of a symbol a person reads.
_NAMES = ("name", "containerName")


class _Named(NamedTuple):
    """What a file has that a person may look for."""

    symbols: list[dict[str, Any]]
    part_of: Conversation | None = None


class _Remembered:
    """The symbols of files that are not open, as long as they do not change."""

    def __init__(self) -> None:
        self._files: dict[Path, tuple[Stamp, _Named]] = {}
        self._count = 0

    def of(self, session: Session, path: Path) -> _Named:
        stamp = stamp_of(path)
        known = self._files.get(path)
        if known is not None and known[0] == stamp:
            return known[1]
        opened = None if stamp is None else session.read(path)
        found = _Named([]) if opened is None else _named(session, opened)
        size = len(found.symbols)
        if stamp is not None and self._count + size <= _MOST_REMEMBERED:
            self._count += size - (0 if known is None else len(known[1].symbols))
            self._files[path] = stamp, found
        return found


_REMEMBERED: WeakKeyDictionary[Session, _Remembered] = WeakKeyDictionary()


class _Search:
    """One search: what was found, and which folders were seen."""

    def __init__(self, session: Session, query: str) -> None:
        self.session = session
        self.query = query
        self.found: list[dict[str, Any]] = []
        self._folders: set[Path] = set()
        # That of the workspace: one list holds names from everywhere in it.
        self._language = language_of(session.configured.settings(None).locale, session.locale)

    def look(self, named: _Named, uri: str, place: Path | None) -> None:
        """Take what the query may mean; a folder once, by the first of its files that is seen."""
        self.found += self._matching(named.symbols)
        if named.part_of is not None and place is not None and place.parent not in self._folders:
            self._folders.add(place.parent)
            self.found += self._matching([self._folder(named.part_of, uri, place)])

    def _matching(self, symbols: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        for symbol in symbols:
            if matches(self.query, say(symbol["name"], self._language)):
                yield self._spoken(symbol)

    def _spoken(self, symbol: dict[str, Any]) -> dict[str, Any]:
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
    remembered = _REMEMBERED.setdefault(session, _Remembered())
    for opened in list(session.documents.values()):
        search.look(_named(session, opened), opened.uri, opened.place)
    open_places = {opened.place for opened in session.documents.values()}
    for done, path in enumerate(session.workspace.files()):
        yield Progress(Phrase("Searching message files"), done)
        if len(search.found) >= _MOST:
            break
        if path not in open_places:
            search.look(remembered.of(session, path), path.as_uri(), path)
    return search.found[:_MOST]


def _unsaid(name: str) -> str:
    """A name as it is remembered: still to be said in a language."""
    return name


def _named(session: Session, opened: OpenDocument) -> _Named:
    symbols = [
        symbol
        for node in outline(opened.snapshot)
        for symbol in flat(node, opened.uri, "", session.encoding, _unsaid)
        if symbol["kind"] != _UNNAMED
    ]
    return _Named(symbols, conversation(opened.snapshot))
