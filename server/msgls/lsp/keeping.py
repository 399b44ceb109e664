"""Recovery of unsaved text: an answer that has arrived survives a crash of the editor.

Owns the journals (``msgls.host.unsaved``) of the documents into which something was written bit by
bit. A journal begins with the first edit that is sent to the client, and ends when the document is
saved or closed, or the client exits normally. A journal that is found when a document is opened was
left by an editor or a server that crashed: the user is asked what to do with it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from msgls.document.document import Document
from msgls.features.command_table import DISCARD_UNSAVED, RESTORE_UNSAVED, Command
from msgls.host.files import stamp_of
from msgls.host.unsaved import Journal, Unsaved, unsaved_of
from msgls.lsp.applying import create, makes_files, send_edit, workspace_edit
from msgls.lsp.params import RequestError
from msgls.text.phrases import Phrase
from msgls.text.spans import Edit, difference

if TYPE_CHECKING:
    from msgls.lsp.session import OpenDocument, Session

log = logging.getLogger(__name__)

_WARNING = 2


class _Found(NamedTuple):
    """Unsaved text of a document, found in a journal."""

    unsaved: Unsaved
    opened: Document
    """The document as it was opened."""
    is_file_same: bool
    """Whether the file has not changed since the journal was written."""


class Keeping:
    """The journals of open documents, and the unsaved text that was found for them."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._journals: dict[str, Journal] = {}
        self._found: dict[str, _Found] = {}
        self._restored: dict[str, Unsaved] = {}
        """What was restored in the editor but is not saved yet."""

    # -- writing --------------------------------------------------------------------------------

    def hand_out(self, opened: OpenDocument, edits: Sequence[Edit]) -> None:
        """Record edits that are about to be sent to the client."""
        if opened.place is None:
            return
        try:
            if opened.uri not in self._journals:
                self._journals[opened.uri] = Journal(opened.place, opened.document.text)
            self._journals[opened.uri].hand_out(edits)
        except (OSError, RuntimeError) as error:
            self._give_up(opened.uri, error)

    def follow(self, opened: OpenDocument, edit: Edit) -> None:
        """A document was edited."""
        journal = self._journals.get(opened.uri)
        if journal is not None:
            try:
                journal.follow(edit, lambda: opened.document.text)
            except (OSError, RuntimeError) as error:
                self._give_up(opened.uri, error)

    def saved(self, opened: OpenDocument, *, is_writing: bool) -> None:
        """A document was saved. ``is_writing``: a job goes on writing into it."""
        restored = self._restored.pop(opened.uri, None)
        if restored is not None:
            self._remove(restored)
        journal = self._journals.get(opened.uri)
        if journal is not None and is_writing:
            try:
                journal.begin(opened.document.text)
            except (OSError, RuntimeError) as error:
                self._give_up(opened.uri, error)
        elif journal is not None:
            self.close(opened.uri)

    def close(self, uri: str) -> None:
        """A document was closed: what the user did not save is discarded."""
        self._found.pop(uri, None)
        self._restored.pop(uri, None)
        journal = self._journals.pop(uri, None)
        if journal is not None:
            self._remove(journal)

    def close_all(self) -> None:
        """The client exits normally: it has asked the user what to do with unsaved text."""
        for uri in list(self._journals):
            self.close(uri)

    def _give_up(self, uri: str, error: Exception) -> None:
        log.warning("the unsaved text of %s cannot be kept: %s", uri, error)
        self.close(uri)

    def _remove(self, kept: Journal | Unsaved) -> None:
        try:
            kept.remove()
        except OSError as error:
            log.warning("a journal cannot be removed: %s", error.strerror)

    # -- finding --------------------------------------------------------------------------------

    def look(self, opened: OpenDocument) -> None:
        """Look for unsaved text of a document, and ask the user what to do with it."""
        place, session = opened.place, self._session
        unsaved = None if place is None else unsaved_of(place)
        if place is None or unsaved is None:
            return
        if not unsaved.is_missing_in(opened.document.text):
            # The editor has restored it by itself.
            self._remove(unsaved)
            return
        # Compared now: if the user saves the document unchanged meanwhile, the stamp differs.
        is_file_same = stamp_of(place) == unsaved.stamp
        self._found[opened.uri] = _Found(unsaved, opened.document, is_file_same)
        when = unsaved.time.strftime("%Y-%m-%d %H:%M")
        said = Phrase(
            "unsaved text for {name} was found, last written {time}",
            name=place.name,
            time=when,
        )
        if session.capability("window.show_message") is None:
            go_on = Phrase("{said}; there is a code action: {title}")
            session.tell(Phrase(go_on, said=said, title=RESTORE_UNSAVED.title), opened)
            return
        titles = {session.say(opened, row.title): row for row in (RESTORE_UNSAVED, DISCARD_UNSAVED)}
        message = {
            "type": _WARNING,
            "message": f"msgls: {session.say(opened, said)}",
            "actions": [{"title": title} for title in titles],
        }

        def answered(answer: Any) -> None:
            title = answer.get("title") if isinstance(answer, dict) else None
            if title in titles and session.documents.get(opened.uri) is opened:
                self.do(opened, titles[title])

        session.ask("window/showMessageRequest", message, answered)

    def choices(self, opened: OpenDocument) -> Iterator[Command]:
        """The commands for the unsaved text of a document, if there is any."""
        if opened.uri in self._found:
            yield from (RESTORE_UNSAVED, DISCARD_UNSAVED)

    def do(self, opened: OpenDocument, command: Command) -> None:
        """Restore or discard the unsaved text of a document."""
        if opened.uri not in self._found:
            raise RequestError(Phrase("there is no unsaved text for this file"))
        found = self._found[opened.uri]
        if command is DISCARD_UNSAVED:
            del self._found[opened.uri]
            self._remove(found.unsaved)
        elif self._can_replace(opened, found):
            self._restore(opened, found.unsaved)
        else:
            self._show_beside(opened, found.unsaved)

    def _can_replace(self, opened: OpenDocument, found: _Found) -> bool:
        """Whether file and document are unchanged since, so that restoring loses nothing."""
        is_same = found.is_file_same and opened.document.text == found.opened.text
        # A client that cannot create a file beside it can still undo.
        return is_same or not makes_files(self._session)

    def _restore(self, opened: OpenDocument, unsaved: Unsaved) -> None:
        def done() -> None:
            self._found.pop(opened.uri, None)
            self._restored[opened.uri] = unsaved

        session = self._session
        edit = workspace_edit(session, opened, [difference(opened.document.text, unsaved.text)])
        send_edit(session, edit, session.say(opened, RESTORE_UNSAVED.title), done)

    def _show_beside(self, opened: OpenDocument, unsaved: Unsaved) -> None:
        name = Path(opened.path).name
        stem, dot, ending = name.partition(".")
        when = unsaved.time.strftime("%Y%m%d-%H%M%S")
        label = self._session.say(opened, RESTORE_UNSAVED.title)
        create(self._session, opened, f"{stem}-{when}{dot}{ending}", unsaved.text, 0, label)
