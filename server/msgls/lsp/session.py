"""The session: the open documents, and the only code that changes them.

Owns every document that a client has open, what surrounds it, and what was negotiated
at the start. Handlers read frozen documents from here; ``sync`` is the only one that
calls ``open``, ``change``, ``save`` and ``close``. What changes around documents, and not
in them, comes in through ``invalidation``.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from lsprotocol import types as lsp
from pygls import uris
from pygls.capabilities import get_capability

from msgls.document.snapshot import ALONE, Settings, Snapshot, Surroundings
from msgls.formats.base import Format
from msgls.formats.registry import FORMATS, HEAD_LENGTH, format_of_language, may_hold
from msgls.host.configured import Configured
from msgls.host.files import FileProblem, Stamp, read_ours
from msgls.host.opening import followed, open_snapshot, reading, snapshot_now
from msgls.host.unsaved import any_journals
from msgls.host.workspace import Outlook, Workspace
from msgls.lsp.addresses import rule_address
from msgls.lsp.convert import offset_at
from msgls.lsp.invalidation import Invalidation, path_of, paths_of
from msgls.lsp.params import RequestError
from msgls.lsp.publisher import Publisher
from msgls.rules.base import Problem, Rule, Severity
from msgls.rules.checker import Checker
from msgls.rules.documentation import page_url
from msgls.rules.registry import rule as rule_with
from msgls.rules.registry import rules_of
from msgls.rules.settings import fitting, is_large, rules_for, severity_of
from msgls.text.lines import Encoding, Position
from msgls.text.phrases import Phrase
from msgls.text.spans import Edit, Span, apply_edits, difference
from msgls.text.translation import language_of, say
from msgls.text.work import Work, done, gathered

if TYPE_CHECKING:
    # Imported when one is used for the first time: few sessions do.
    from msgls.document.document import Document
    from msgls.features.command_table import Command
    from msgls.lsp.keeping import Keeping
    from msgls.lsp.live import LiveJobs
    from msgls.lsp.running import Kernels
    from msgls.lsp.views import Views

log = logging.getLogger(__name__)

# Language ids that others use too: they do not say that a document is one of ours.
_COMMON_LANGUAGES = frozenset({"json", "jsonl", "markdown", "plaintext"})

# So many parts of a document are freed in far less than a millisecond.
_PARTS = 100
# And so many names, nodes or definitions.
_UNUSED = 2_000

_WARNING = 2
_INFORMATION = 3

# One of each kind of cell that an ordinary file has.
_SMALL_FILE = """\
---
agents:
  helper:
    models: [any]
---

# %% A question[^a]

[^a]: [code]

```python
1
```

# %%% Its run[^a.1]

[^a.1]: [python] status="success"

stdout> 1

# %%% An answer[^b]

[^b]: [helper] time="2025-01-01T00:00:00Z"

# %%% A call[^b.9f3c]

[^b.9f3c]: [tool] name="read"

<read><path>a</path></read>

# %%% Its result[^b.9f3c.1]

[^b.9f3c.1]: [tool] status="success"
"""


class Ask(Protocol):
    """Sends a request to the client."""

    def __call__(
        self, method: str, params: Any, on_result: Callable[[Any], None] | None = None
    ) -> None:
        """Send a request, and hand its result over when it comes."""


class AtPosition(Protocol):
    """The params of a request about a position in a document."""

    text_document: lsp.TextDocumentIdentifier
    position: lsp.Position


class OpenDocument:
    """A document that a client has open: its current version, and what is known of it."""

    def __init__(
        self,
        uri: str,
        path: str,
        place: Path | None,
        by_language: Format | None,
        document: Document,
        settings: Settings,
        rules: list[Rule],
        outlook: Outlook | None,
        checker: Checker,
    ) -> None:
        self.uri = uri
        self.path = path
        self.place = place
        """Where the file is, or would be; ``None`` for a document that is not a file."""
        self.by_language = by_language
        """The format of its language id, if its name does not decide."""
        self.document = document
        self.settings = settings
        self.rules = rules
        """The rules that run on this document."""
        self.outlook = outlook
        self.checker = checker
        self.version = document.version
        self._severities: dict[tuple[str, Severity | None], Severity | None] = {}
        self.moves = 0
        """How many edits touched a line break: while it is unchanged, no line has moved."""
        self.touched: set[int] = set()
        """Labels of the edited cells; the publisher clears it."""
        self._complained: set[str] = set()

    @property
    def snapshot(self) -> Snapshot:
        """The current version, with its surroundings, settings and the time."""
        return self.snapshot_in(self.checker.snapshot.surroundings)

    def snapshot_in(self, surroundings: Surroundings) -> Snapshot:
        """The current version, with other surroundings."""
        return snapshot_now(self.document, surroundings, self.settings)

    def severity_of(self, problem: Problem) -> Severity | None:
        """The severity of a problem here; ``None`` means that it is not shown."""
        key = problem.code, problem.severity
        if key not in self._severities:
            rule = rule_with(problem.code)
            self._severities[key] = severity_of(self.settings, rule, problem.severity)
        return self._severities[key]

    def changed_since(self, version: int) -> Phrase:
        """The error for a request about a version that is not the current one any more."""
        return Phrase(
            "the document has changed: the request is for version {version}, but the current "
            "version is {current}",
            version=str(version),
            current=str(self.version),
        )

    def configure(self, settings: Settings, rules: list[Rule]) -> None:
        """Apply other settings and rules."""
        self.settings = settings
        self.rules = rules
        self._severities = {}

    def complain(self, about: str, what: str) -> None:
        """Log a fault of the client; each kind of it once, and not at every key."""
        if about not in self._complained:
            self._complained.add(about)
            log.warning("%s: %s", self.uri, what)


class Session:
    """Everything that lives as long as the client."""

    def __init__(self, notify: Callable[[str, bytes], None], ask: Ask | None = None) -> None:
        self.ask: Ask = ask or (lambda method, params, on_result=None: None)
        """Sends a request to the client; its result goes to the function given."""
        self.encoding: Encoding = "utf-16"
        self.documents: dict[str, OpenDocument] = {}
        self.pushes = True
        """Whether diagnostics are sent to the client; one that pulls does not need that."""
        self._notify = notify
        self.wake: Callable[[], None] = lambda: None
        """Wakes up the loop, from another thread."""
        self._live: LiveJobs | None = None
        self._keeping: Keeping | None = None
        self._kernels: Kernels | None = None
        self.publisher = Publisher(self, notify)
        self.capabilities = lsp.ClientCapabilities()
        self.folders: list[str] = []
        """The URIs of the workspace's folders."""
        self.initialization_options: Any = None
        self.locale = ""
        """The language of the client, as it calls it."""
        self.is_watched = False
        """Whether the client notifies us when files change."""
        self._workspace: Workspace | None = None
        self._configured: Configured | None = None
        self.invalidation = Invalidation(self)
        self._views: Views | None = None
        self.tokens: dict[str, tuple[str, list[int]]] = {}
        """The last semantic tokens that were sent for a document, with their result id."""
        self.closed_symbols: dict[Path, tuple[Stamp, Any]] = {}
        """The symbols of files that are not open, each with the stamp of its file."""
        self._result_ids = count(1)
        self._rule_errors: set[str] = set()
        self._unknown: set[str] = set()
        self._unused: list[object] = []
        """What was read of cells that are gone."""
        self._needs_recheck = False
        """Whether surroundings changed, and the documents concerned were not checked again yet."""

    # -- asking ---------------------------------------------------------------------------

    def get(self, uri: str) -> OpenDocument:
        """An open document; a request for another one is refused."""
        document = self.documents.get(uri)
        if document is None:
            raise RequestError(Phrase("{uri} is not open", uri=uri))
        return document

    def place(self, params: AtPosition) -> tuple[OpenDocument, int]:
        """The document that a request is about, and the offset of its position."""
        opened = self.get(params.text_document.uri)
        return opened, offset_at(opened.document, params.position, self.encoding)

    @property
    def cell_menu(self) -> str | None:
        """The command of the client that shows its menu for a cell, if it has one.

        Named by ``initializationOptions.cellMenu``.
        """
        name = self.option("cellMenu")
        return name if isinstance(name, str) and name else None

    @property
    def has_json_service(self) -> bool:
        """Whether the client completes plain JSON: ``initializationOptions.jsonService``."""
        return self.option("jsonService") is True

    def capability(self, path: str) -> Any:
        """What the client's capabilities have at a path; ``None`` if they do not say."""
        return get_capability(self.capabilities, path)

    def option(self, name: str) -> Any:
        """An initialization option of the client; ``None`` if it is not set."""
        options = self.initialization_options
        return options.get(name) if isinstance(options, Mapping) else None

    def page_url(self, code: str) -> str:
        """The address of a rule's page, from msgls itself if the client can request that."""
        return rule_address(code) if self.shows_content else page_url(code)

    def next_result_id(self) -> str:
        """A new result id."""
        return str(next(self._result_ids))

    @property
    def live(self) -> LiveJobs:
        """The jobs that write into documents, such as answers."""
        if self._live is None:
            from msgls.lsp.live import LiveJobs

            self._live = LiveJobs(self, self._notify)
        return self._live

    @property
    def keeping(self) -> Keeping:
        """The recovery of unsaved text."""
        if self._keeping is None:
            from msgls.lsp.keeping import Keeping

            self._keeping = Keeping(self)
        return self._keeping

    def recovery_commands(self, opened: OpenDocument) -> Iterable[Command]:
        """The commands for unsaved text of a document that a crash has left, if there is any."""
        return () if self._keeping is None else self._keeping.choices(opened)

    @property
    def kernels(self) -> Kernels:
        """The kernels of the documents."""
        if self._kernels is None:
            from msgls.lsp.running import Kernels

            self._kernels = Kernels(self, self._notify)
        return self._kernels

    def advance_live(self) -> None:
        """Advance the jobs that write into documents, and handle the events of kernels."""
        if self._live is not None:
            self._live.advance()
        if self._kernels is not None:
            self._kernels.look()

    @property
    def live_due(self) -> float:
        """When a job continues even if no message arrives; infinity if there are no jobs."""
        return float("inf") if self._live is None else self._live.due

    def exited_normally(self) -> None:
        """The client exited and did not crash: what the user did not save is discarded."""
        if self._keeping is not None:
            self._keeping.close_all()

    def stop_live(self) -> None:
        """The server ends, and all jobs and kernels with it."""
        if self._live is not None:
            self._live.close_all()
        if self._kernels is not None:
            self._kernels.close_all()

    @property
    def views(self) -> Views:
        """The views that show what the model sees of documents."""
        if self._views is None:
            from msgls.lsp.views import Views

            self._views = Views(self._refresh_content)
        return self._views

    @property
    def shows_content(self) -> bool:
        """Whether the client supports ``workspace/textDocumentContent``."""
        return self.capability("workspace.text_document_content") is not None

    @property
    def takes_versions(self) -> bool:
        """Whether edits can be tied to versions of documents (``documentChanges``).

        Neovim does not announce that, but it announces resource operations, which need it.
        """
        wanted = ("document_changes", "resource_operations")
        can = [self.capability(f"workspace.workspace_edit.{it}") for it in wanted]
        return any(can)

    def _refresh_content(self, address: str) -> None:
        if self.shows_content:
            self.ask("workspace/textDocumentContent/refresh", {"uri": address})

    def refresh_views(self, *, with_long: bool) -> bool:
        """Ask the client to refresh what it shows of changed documents; true if it shows any."""
        return self._views is not None and self._views.refresh(with_long=with_long)

    @property
    def workspace(self) -> Workspace:
        """The files around the documents."""
        if self._workspace is None:
            self._workspace = Workspace(paths_of(self.folders))
            self._workspace.open_paths = self._open_paths
        self._workspace.is_watched = self.is_watched
        return self._workspace

    def _open_paths(self) -> list[Path]:
        return [opened.place for opened in self.documents.values() if opened.place is not None]

    @property
    def configured(self) -> Configured:
        """The configuration of files and folders."""
        if self._configured is None:
            self._configured = Configured(self.workspace, self.tell)
            self._configured.start(self.initialization_options)
        return self._configured

    def tell(
        self, phrase: str, opened: OpenDocument | None = None, is_warning: bool = True
    ) -> None:
        """Show the user a problem with a document or the configuration."""
        if opened is not None:
            message = self.say(opened, phrase)
        else:
            message = self._say(
                phrase, "auto" if self._configured is None else self._configured.locale
            )
        params = {"type": _WARNING if is_warning else _INFORMATION, "message": f"msgls: {message}"}
        self._notify("window/showMessage", json.dumps(params).encode())

    def say_to_all(self, phrase: str) -> str:
        """A phrase that is about no document, in the language of the client or of its workspace.

        Any other string is translated already, or comes from elsewhere.
        """
        if not isinstance(phrase, Phrase):
            return phrase
        # The configuration is not loaded only to translate an error.
        is_configured = self._configured is not None
        return self._say(phrase, self.configured.settings(None).locale if is_configured else "auto")

    def _say(self, phrase: str, setting: str) -> str:
        return say(phrase, language_of(setting, self.locale))

    def language(self, opened: OpenDocument) -> str:
        """The language of messages about a document."""
        return language_of(opened.settings.locale, self.locale)

    def say(self, opened: OpenDocument, phrase: str) -> str:
        """A phrase in the language for a document."""
        return say(phrase, self.language(opened))

    def speaker(self, opened: OpenDocument) -> Callable[[str], str]:
        """A function that translates phrases into the language for a document."""
        return partial(say, language=self.language(opened))

    def surroundings(self, path: str) -> Surroundings:
        """The surroundings of the file at ``path``."""
        return Outlook(self.workspace, Path(path)).surroundings()

    def rules_at(self, place: Path | None, settings: Settings, format: Format) -> list[Rule]:
        """The rules that run on a file."""
        path = "" if place is None else str(place)
        return rules_for(settings, path, rules_of(format.name))

    def offers(self, feature: str, params: Any) -> bool:
        """Whether a feature is switched on for the document that a request is about."""
        uri = uri_of(params)
        if uri is None:
            return self.configured.settings(None).has(feature)
        opened = self.documents.get(uri)
        return opened is None or opened.settings.has(feature)

    def reading_at(self, params: Any) -> tuple[OpenDocument, Work[None]] | None:
        """Reads the long cell that a request is about, if it is about one and it is not read.

        What is asked of a place asks its cell for all names and nodes.
        """
        opened = self.documents.get(uri_of(params) or "")
        if opened is None or not opened.document.has_long_cells:
            return None
        place = params.get("position") or next(iter(params.get("positions") or ()), None)
        if place is None:
            return None
        position = _position(place)
        placed = opened.document.cell_at_offset(opened.document.offset_of(position, self.encoding))
        if placed is None or placed.cell.is_read("names", "nodes"):
            return None
        return opened, placed.cell.reading("names", "nodes")

    def touch_views(self, opened: OpenDocument) -> None:
        """The surroundings of a document changed, and with them what the model sees of it."""
        if self._views is not None:
            self._views.touch(opened)

    def publish_some(self) -> bool:
        """Publish what is due; true if something was."""
        if self.catch_up():
            return True
        return self.publisher.publish_next()

    def catch_up(self) -> bool:
        """Check all documents again whose surroundings changed; true if there may be any.

        Put off until a request needs it or no message waits: when an editor opens all files of a
        folder, each of which is a neighbour of the others, this is done once and not for each.
        """
        if not self._needs_recheck:
            return False
        self._needs_recheck = False
        self.invalidation.recheck(with_files=True)
        return True

    def warm_up(self) -> None:
        """Read and check a small file, so that everything is loaded before the first real one."""
        any_journals()
        settings = Settings()
        snapshot = open_snapshot("small.msg.md", _SMALL_FILE, settings, ALONE)
        rules = rules_for(settings, "", rules_of(snapshot.document.format.name))
        found = Checker(snapshot, rules).problems()
        ready = type(self.configured).__name__
        log.debug("%s is ready; %d problems in a small file", ready, len(found))

    # -- changing: only for handlers/sync.py -------------------------------------------------

    def open(self, uri: str, language_id: str, version: int, text: str) -> Work[None]:
        """A client opens a document."""
        self.workspace.look_again()
        opened = yield from self._load(uri, language_id, version, text)
        if uri in self.documents:
            self.documents[uri].checker.stop()
        self.documents[uri] = opened
        if self._views is not None:
            self._views.opened(uri)
        self._schedule(uri)
        self._tell_if_large(self.documents[uri])
        # Usually there is no journal at all, and nothing has to be imported.
        if any_journals():
            self.keeping.look(self.documents[uri])

    def _tell_if_large(self, opened: OpenDocument) -> None:
        if is_large(opened.settings, len(opened.document.store)):
            what = Phrase(
                "{name} has more than {most} million characters: only its syntax and outline are "
                "shown (setting `large-file`)",
                name=Path(opened.path).name,
                most=str(opened.settings.large_file),
            )
            self.tell(what, opened, is_warning=False)

    def find(self, place: Path) -> OpenDocument | None:
        """A file of the workspace: as the client has it open, or else as it is on the disk."""
        for opened in self.documents.values():
            if opened.place == place:
                return opened
        return self.read(place)

    def find_mentioning(self, place: Path, name: str) -> OpenDocument | None:
        """A file of the workspace, if a name may occur in it: most files need not be parsed."""
        if any(opened.place == place for opened in self.documents.values()):
            return self.find(place)
        text = _text_at(place)
        # If anything is escaped, the name may be.
        if text is None or not (name.casefold() in text.casefold() or "\\" in text):
            return None
        return self._read(place, text)

    def read(self, place: Path) -> OpenDocument | None:
        """A file of the workspace that is not open; ``None`` if its format is unknown."""
        text = _text_at(place)
        return None if text is None else self._read(place, text)

    def _read(self, place: Path, text: str) -> OpenDocument:
        return done(self._load(uris.from_fs_path(str(place)) or "", "", None, text))

    def _load(
        self, uri: str, language_id: str, version: int | None, text: str
    ) -> Work[OpenDocument]:
        """Parse a document, and find its format, settings, rules and surroundings."""
        place = path_of(uri)
        path = uri if place is None else str(place)
        settings = fitting(self.configured.settings(place), len(text))
        by_language = _format_by_language(uri, path, language_id)
        document = yield from reading(path, text, settings, by_language, version)
        # Not before: its surroundings may change while it is parsed.
        outlook = None if place is None else Outlook(self.workspace, place)
        surroundings = ALONE if outlook is None else outlook.surroundings()
        snapshot = snapshot_now(document, surroundings, settings)
        document = snapshot.document
        rules = self.rules_at(place, settings, document.format)
        checker = Checker(snapshot, rules, self.rule_failed, in_slices=True)
        return OpenDocument(
            uri, path, place, by_language, document, settings, rules, outlook, checker
        )

    def change(self, uri: str, version: int | None, changes: Iterable[Mapping[str, Any]]) -> None:
        """A client changes a document: apply every change, each on top of the one before it."""
        opened = self.documents.get(uri)
        if opened is None:
            if uri not in self._unknown:
                self._unknown.add(uri)
                log.warning("%s was changed, but is not open here", uri)
            return
        version = version if isinstance(version, int) else None
        # Not for an equal version: Neovim sends some edits as two changes of one version.
        if version is not None and opened.version is not None and version < opened.version:
            opened.complain("version", f"version {version} comes after version {opened.version}")
        for change in changes:
            try:
                span, text = self._decode_change(opened, change)
            except (AttributeError, KeyError, OverflowError, TypeError, ValueError) as error:
                # Our text may be wrong from here on: it is compared when the document is saved.
                # Only the kind is logged: the error may quote the text, and so a secret in it.
                kind = type(error).__name__
                opened.complain("change", f"a change cannot be read: {kind}")
                continue
            self._edit(opened, span, text, version)
        opened.version = version
        self._schedule(uri)

    def _decode_change(
        self, opened: OpenDocument, change: Mapping[str, Any]
    ) -> tuple[Span | None, str]:
        """The span that a change replaces, ``None`` for all, and the new text."""
        document, text, place = opened.document, change["text"], change.get("range")
        if not isinstance(text, str):
            raise TypeError("the text is not a string")
        if place is None:
            return None, text
        start, end = _position(place["start"]), _position(place["end"])
        if min(start) < 0 or end < start or end.line >= document.store.line_count:
            what = f"the range from {tuple(start)} to {tuple(end)} is not in the document"
            opened.complain("range", what)
        first = document.offset_of(start, self.encoding)
        last = first if end == start else document.offset_of(end, self.encoding)
        return Span(first, last), text

    def _edit(
        self, opened: OpenDocument, span: Span | None, text: str, version: int | None
    ) -> None:
        """Change the text; it must be what the client has, whatever fails on the way."""
        document = opened.document
        if span is None or _has_break(text) or _has_break(document.store.slice(_forward(span))):
            opened.moves += 1
        try:
            if span is None:
                opened.document = document.with_text(text, version)
            else:
                opened.document = document.edit(span, text, version)
            self._follow_format(opened, document, span)
            if opened.document.format.name == document.format.name:
                opened.checker.update(opened.document)
            else:
                self._restart_check(opened)
        except Exception:
            log.exception("%s: an edit failed; the document is read again", opened.uri)
            if span is not None:
                text = apply_edits(document.text, [Edit(_forward(span), text)])
            opened.document = document.with_text(text, version)
            self._restart_check(opened)
        if self._live is not None or self._keeping is not None:
            edit = difference(document.text, text) if span is None else Edit(_forward(span), text)
            self._follow_writing(opened, document, edit)
        if self._views is not None:
            self._views.follow(opened, document)
        change = opened.document.change
        opened.touched.update(change.pieces, change.added)
        if document.has_long_cells and not change.whole:
            self._shed(document, change.removed)
        if opened.document.store.line_count != document.store.line_count:
            # Deleting the text between CR and LF makes one line break of two.
            opened.moves += 1

    def _shed(self, before: Document, labels: Iterable[int]) -> None:
        """Keep what was read of long cells that are gone, to be freed when nothing waits."""
        for label in labels:
            cell = before.cell(label).cell
            if len(cell.parts) > 1:
                self._unused += cell.shed()

    def free_some(self) -> bool:
        """Free some of what is not used any more; true if there is more."""
        del self._unused[-_UNUSED:]
        return bool(self._unused)

    def _follow_writing(self, opened: OpenDocument, before: Document, edit: Edit) -> None:
        if self._live is not None:
            self._live.follow(opened, before, edit)
        if self._keeping is not None:
            self._keeping.follow(opened, edit)

    def _restart_check(self, opened: OpenDocument) -> None:
        """Check all of a document again, by the rules of its current format."""
        settings, document = opened.settings, opened.document
        opened.configure(settings, self.rules_at(opened.place, settings, document.format))
        opened.checker.stop()
        opened.checker = Checker(opened.snapshot, opened.rules, self.rule_failed, in_slices=True)
        self.publisher.reset(opened.uri)

    def _follow_format(self, opened: OpenDocument, before: Document, span: Span | None) -> None:
        """Detect the format again after an edit at the start, unless its language id decides."""
        now = opened.document
        if opened.by_language is not None or (span is not None and min(span) > HEAD_LENGTH):
            return
        if now.format_given or now.format is not before.format:
            opened.document = followed(now, opened.settings)

    def save(self, uri: str, text: str | None) -> None:
        """A client saved a document: if its text differs from ours, ours is wrong."""
        opened = self.documents.get(uri)
        if opened is not None and text is not None and not _is_saved(opened.document.text, text):
            log.error("%s: the saved text differs from ours; using the saved text", uri)
            self._edit(opened, None, text, opened.version)
            self._schedule(uri)
        if opened is not None and self._keeping is not None:
            is_writing = self._live is not None and self._live.is_writing(uri)
            self._keeping.saved(opened, is_writing=is_writing)
        self.workspace.look_again()
        self.invalidation.recheck(with_files=not self.is_watched)

    def close(self, uri: str) -> Work[None]:
        """A client closes a document."""
        opened = self.documents.pop(uri, None)
        self.tokens.pop(uri, None)
        if self._live is not None:
            self._live.close(uri)
        if self._kernels is not None:
            self._kernels.close(uri)
        if self._keeping is not None:
            self._keeping.close(uri)
        self.publisher.forget(uri)
        if self._views is not None:
            self._views.forget(uri)
        if opened is None:
            return
        opened.checker.stop()
        if opened.place is not None and self.workspace.closed(opened.place):
            self._needs_recheck = True
        # Freeing all of a large document at once takes long.
        document = opened.document
        parts: list[object] = []
        for placed in document.cells() if document.has_long_cells else ():
            if len(placed.cell.parts) > 1:
                parts += placed.cell.shed()
                yield
        parts += yield from gathered(document.store.tree)
        parts += document.index.base.items()
        del opened, document
        while parts:
            del parts[-_PARTS:]
            yield

    def _schedule(self, uri: str) -> None:
        self.publisher.schedule(uri)
        opened = self.documents[uri]
        if self._views is not None:
            self._views.touch(opened)
        place, store = opened.place, opened.document.store
        if place is not None and self.workspace.opened(place, store.slice):
            self._needs_recheck = True

    def rule_failed(self, rule: Rule, error: Exception) -> None:
        """A rule raised an exception: logged once, because it may do so at every key."""
        if rule.code not in self._rule_errors:
            self._rule_errors.add(rule.code)
            log.error("rule %s failed and is left out", rule.code, exc_info=error)


def _text_at(place: Path) -> str | None:
    """The text of a file; ``None`` if its format is unknown, or it cannot be read."""
    try:
        return read_ours(place)
    except FileProblem as problem:
        log.info("%s: %s", place, problem)
        return None


def _is_saved(ours: str, text: str) -> bool:
    """Whether what a client saved is what we have.

    ALE sends what it saved with a backslash and an ``n`` for every line break: that is the same
    text, and must not replace ours.
    """
    return ours == text or ("\n" not in text and ours.replace("\n", "\\n") == text)


def _has_break(text: str) -> bool:
    return "\n" in text or "\r" in text


def _forward(span: Span) -> Span:
    """A span with its ends in order, should it run backward."""
    return Span(min(span), max(span))


def _position(data: Mapping[str, Any]) -> Position:
    return Position(int(data["line"]), int(data["character"]))


def uri_of(params: Any) -> str | None:
    """The URI of the document that a request is about."""
    for name in ("textDocument", "item", "data"):
        holder = params.get(name) if isinstance(params, Mapping) else None
        uri = holder.get("uri") if isinstance(holder, Mapping) else None
        if isinstance(uri, str):
            return uri
    return None


def _format_by_language(uri: str, path: str, language_id: str) -> Format | None:
    """The format of a document's language id, if its name does not decide.

    If several formats share its file name extension, the start of the text decides.
    """
    if language_id in _COMMON_LANGUAGES or any(format.is_certain(path) for format in FORMATS):
        return None
    if uri.startswith("file:") and may_hold(path):
        return None
    return format_of_language(language_id)
