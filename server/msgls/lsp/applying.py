"""Workspace edits: how they are encoded, and how the client is asked to apply them."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from msgls.document.document import Document
from msgls.features.snippets import literal
from msgls.formats.plain import PLAIN
from msgls.lsp.addresses import view_address
from msgls.lsp.convert import position_at, text_edits
from msgls.lsp.params import RequestError
from msgls.lsp.session import OpenDocument, Session
from msgls.text.phrases import Phrase, about, joined
from msgls.text.spans import Edit

if TYPE_CHECKING:
    from msgls.features.commands import CellChange, LossPlace, ShownText

log = logging.getLogger(__name__)

_MOST_NAMES = 100
_MOST_LOSSES = 10


def workspace_edit(session: Session, opened: OpenDocument, edits: Sequence[Edit]) -> dict[str, Any]:
    """Edits of one document, tied to the version they were made for where the client allows it."""
    return workspace_edits(session, [document_edit(session, opened, edits)])


def document_edit(session: Session, opened: OpenDocument, edits: Sequence[Edit]) -> dict[str, Any]:
    """Edits of the current version of a document, for ``workspace_edits``."""
    return {
        "textDocument": {"uri": opened.uri, "version": opened.version},
        "edits": text_edits(opened.document, list(edits), session.encoding),
    }


def workspace_edits(session: Session, changes: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Edits of several documents, each tied to its version where the client allows it."""
    if session.takes_versions:
        return {"documentChanges": changes}
    return {"changes": {change["textDocument"]["uri"]: change["edits"] for change in changes}}


def apply(session: Session, opened: OpenDocument, change: CellChange, label: str) -> None:
    """Ask the client to apply edits, and to place the cursor after them."""
    edits, cursor, end = change.edits, change.cursor, change.selected_to
    selection = None
    edit = workspace_edit(session, opened, edits)
    if cursor is not None and _place_in_edit(session, edit, change):
        cursor = None
    if cursor is not None and session.capability("window.show_document.support"):
        # Computed now: the user may go on typing before the client answers.
        after = opened.document.apply(edits) if edits else opened.document
        selection = {
            "start": position_at(after, cursor, session.encoding),
            "end": position_at(after, cursor if end is None else end, session.encoding),
        }
    if not edits:
        if selection is None:
            raise RequestError(Phrase("this editor does not let a server place the cursor"))
        _show(session, opened.uri, selection)
        return

    def done() -> None:
        if selection is not None:
            _show(session, opened.uri, selection)

    send_edit(session, edit, label, done)


def send_edit(session: Session, edit: dict[str, Any], label: str, done: Callable[[], None]) -> None:
    """Ask the client to apply an edit; ``done`` is called once it has."""
    if not session.capability("workspace.apply_edit"):
        raise RequestError(Phrase("this editor does not let a server apply edits"))

    def applied(answer: Any) -> None:
        if isinstance(answer, dict) and answer.get("applied") is True:
            done()
        else:
            log.warning("%s was not applied: %s", label, answer)

    session.ask("workspace/applyEdit", {"label": label, "edit": edit}, applied)


def _place_in_edit(session: Session, edit: dict[str, Any], change: CellChange) -> bool:
    """Place the cursor by making one of the edits a snippet, if the client supports that.

    The cursor then moves together with the edit, so that a key pressed right after it is typed
    in the right place. False if the cursor belongs outside of the inserted text.
    """
    changes = edit.get("documentChanges")
    if not changes or not session.capability("workspace.workspace_edit.snippet_edit_support"):
        return False
    cursor, moved = change.cursor or 0, 0
    end = cursor if change.selected_to is None else change.selected_to
    written = zip(change.edits, changes[0]["edits"], strict=True)
    for (span, text), on_wire in sorted(written, key=lambda pair: pair[0].span):
        start = span.start + moved
        if text and start <= cursor and end <= start + len(text):
            on_wire["snippet"] = {"kind": "snippet", "value": _with_stops(text, start, change)}
            del on_wire["newText"]
            return True
        moved += len(text) - span.length
    return False


def _with_stops(text: str, start: int, change: CellChange) -> str:
    """A text in the snippet notation, with the stops of a change; the text starts at ``start``."""
    cursor = change.cursor or 0
    end = cursor if change.selected_to is None else change.selected_to
    length = end - cursor
    last = end if change.next_stop is None else change.next_stop
    stops = [(last, 0, "$0")]
    if length:
        chosen = literal(text[cursor - start : end - start])
        stops += [(cursor, length, f"${{1:{chosen}}}")]
        stops += [(place, length, "$1") for place in change.repeated_at]
    pieces, done = [], 0
    for place, width, stop in sorted(stops):
        pieces += [literal(text[done : place - start]), stop]
        done = place - start + width
    return "".join([*pieces, literal(text[done:])])


def create(
    session: Session, opened: OpenDocument, name: str, text: str, cursor: int, label: str
) -> None:
    """Ask the client to create a file beside a document, and to show it."""
    if not makes_files(session):
        raise RequestError(Phrase("this editor does not let a server make files"))
    uri = beside(opened.uri, name)
    place = position_at(Document.open(name, text, PLAIN), cursor, session.encoding)
    start = {"line": 0, "character": 0}
    changes = [
        # Never overwrite: what we know of the folder may be out of date.
        {"kind": "create", "uri": uri, "options": {"overwrite": False, "ignoreIfExists": False}},
        {
            "textDocument": {"uri": uri, "version": None},
            "edits": [{"range": {"start": start, "end": start}, "newText": text}],
        },
    ]

    def done() -> None:
        if session.capability("window.show_document.support"):
            _show(session, uri, {"start": place, "end": place})

    send_edit(session, {"documentChanges": changes}, label, done)


def show_other(session: Session, opened: OpenDocument, name: str) -> None:
    """Ask the client to show a file that lies beside a document."""
    if not session.capability("window.show_document.support"):
        raise RequestError(Phrase("this editor does not let a server show a document"))
    _show(session, beside(opened.uri, name))


def show_view(session: Session, opened: OpenDocument, title: str, agent: str | None) -> None:
    """Ask the client to show what an agent sees of a document, as a document of its own."""
    can_show = session.capability("window.show_document.support")
    if not (can_show and session.shows_content):
        raise RequestError(Phrase("this editor does not show documents that a server writes"))
    # Without the ending: the address of a view has one of its own.
    name = re.sub(r"(?i)(\.msg)?\.md$", "", unquote(opened.uri.rpartition("/")[2]))
    _show(session, view_address(opened.uri, f"{title} · {name}", agent), takes_focus=False)


def beside(uri: str, name: str) -> str:
    """The address of a file in the folder of another one."""
    return uri.rpartition("/")[0] + "/" + quote(name)


def show_text(
    session: Session, opened: OpenDocument, shown: ShownText, as_text: bool, label: str
) -> dict[str, Any]:
    """A text for the client to show; created as a file unless the client shows it itself.

    The protocol has no request that opens a document which is not saved yet.
    """
    if not as_text and makes_files(session):
        name = _free_name(opened, shown.name)
        create(session, opened, name, shown.text, 0, label)
    if not as_text and shown.losses:
        session.tell(about(shown.name, _listed(shown.losses)), opened)
    losses = [{"what": session.say(opened, what), "line": line} for what, line in shown.losses]
    return {"languageId": shown.language_id, "text": shown.text, "losses": losses}


def _listed(losses: Sequence[LossPlace]) -> Phrase:
    """The first losses, each with its line, for a client that can only show a message."""
    rows = [
        what if line is None else Phrase("line {line}: {what}", line=line + 1, what=what)
        for what, line in losses[:_MOST_LOSSES]
    ]
    more = len(losses) - len(rows)
    rest = [Phrase("and {count:,} more", count=more)] if more else []
    return joined([Phrase("lost or changed in the conversion:"), *rows, *rest], "\n- ")


def _free_name(opened: OpenDocument, name: str) -> str:
    """A name that no file in the folder has, as far as that is known."""
    exists = opened.checker.snapshot.surroundings.exists
    stem, dot, ending = name.partition(".")
    tried = (name, *[f"{stem}-{number}{dot}{ending}" for number in range(2, _MOST_NAMES)])
    return next((free for free in tried if not exists(free)), name)


def makes_files(session: Session) -> bool:
    """Whether the client lets a server make files."""
    operations = session.capability("workspace.workspace_edit.resource_operations") or ()
    return bool(session.capability("workspace.apply_edit")) and "create" in map(_value, operations)


def _value(wanted: Any) -> Any:
    return getattr(wanted, "value", wanted)


def _show(
    session: Session,
    uri: str,
    selection: dict[str, Any] | None = None,
    *,
    takes_focus: bool = True,
) -> None:
    params: dict[str, Any] = {"uri": uri, "takeFocus": takes_focus}
    if selection is not None:
        params["selection"] = selection
    session.ask("window/showDocument", params)
