"""``workspace/executeCommand``: every command takes one object ``{uri, position, version?, …}``.

A command that applies to a selection also takes its ``end``. A lens also names its ``cell``: an
editor shows a lens for a while after the text has changed, and it is still about that cell.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lsprotocol import types as lsp

from msgls.document.snapshot import Snapshot
from msgls.features.command_table import (
    ADVANCE,
    ASK,
    ASK_AND_ADVANCE,
    BY_ID,
    CONTINUE_ANSWER,
    DISCARD_UNSAVED,
    INSERT_BOOT,
    INTERRUPT,
    REPLACE_RUN,
    RESTART_KERNEL,
    RESTORE_UNSAVED,
    RUN_ALL,
    RUN_CELL,
    RUN_FROM_HERE,
    SHOW_VIEW,
    STOP_ASKING,
    Command,
)
from msgls.features.commands import (
    Call,
    CellChange,
    InvalidArgument,
    NewFile,
    OtherFile,
    RefusedError,
    ShownText,
    run,
)
from msgls.lsp.applying import apply, create, show_other, show_text, show_view
from msgls.lsp.invalidation import path_of
from msgls.lsp.params import RequestError, invalid, name_in, position_in, uri_in, version_in
from msgls.lsp.session import OpenDocument, Session
from msgls.text.phrases import Phrase

ASKING = (ASK, CONTINUE_ANSWER, STOP_ASKING, ASK_AND_ADVANCE)
RUNNING = (RUN_CELL, RUN_ALL, RUN_FROM_HERE, REPLACE_RUN, INTERRUPT, RESTART_KERNEL)
"""The edits of these commands come later, and bit by bit."""
UNSAVED = (RESTORE_UNSAVED, DISCARD_UNSAVED)
"""These commands are about text that is not in the document."""

AS_TEXT = "asText"
"""The argument of a client that shows the text of the result by itself."""

IF_SENSIBLE = "ifSensible"
"""The argument of a client that wants no error if the command does not apply."""
CELL = "cell"
"""The label of the cell that a lens is about."""
IN_FOLDER = "folder"
"""The URI of the folder where a document that has no file yet will be saved."""


def execute(session: Session, params: lsp.ExecuteCommandParams) -> Any:
    """Run a command: its result is returned, its edits are sent to the client."""
    command = BY_ID.get(params.command)
    if command is None:
        raise invalid(Phrase("unknown command `{name}`", name=params.command))
    arguments = _arguments(params.arguments)
    opened = session.get(uri_in(arguments))
    arguments = _placed(opened, arguments)
    title = session.say(opened, command.title)
    if command is SHOW_VIEW:
        # The one command that changes what the editor shows and not the text.
        show_view(session, opened, title, name_in(arguments, "agent"))
        return None
    if command in UNSAVED:
        session.keeping.do(opened, command)
        return None
    if command in ASKING or command in RUNNING:
        _start(session, opened, command, arguments)
        if command is not ASK_AND_ADVANCE:
            return None
        command = ADVANCE
    call = call_of(session, opened, command.id, arguments)
    is_automatic = arguments.get(IF_SENSIBLE) is True and command is INSERT_BOOT
    if is_automatic and opened.settings.insert == "never":
        return None
    try:
        as_text = call.flag(AS_TEXT)
        result = run(command.id, call)
    except InvalidArgument as error:
        raise invalid(error.phrase) from error
    except RefusedError as refusal:
        if call.arguments.get(IF_SENSIBLE) is True:
            return None
        raise RequestError(session.say(opened, refusal.phrase)) from refusal
    if isinstance(result, CellChange) and as_text:
        return opened.document.apply(result.edits).text
    if isinstance(result, CellChange):
        apply(session, opened, result, title)
    elif isinstance(result, NewFile):
        create(session, opened, result.name, result.text, result.cursor, title)
    elif isinstance(result, OtherFile):
        show_other(session, opened, result.name)
    elif isinstance(result, ShownText):
        return show_text(session, opened, result, as_text, title)
    else:
        return result
    return None


def _start(
    session: Session, opened: OpenDocument, command: Command, arguments: Mapping[str, Any]
) -> None:
    """Start or stop an answer or a run."""
    if command is STOP_ASKING:
        session.live.stop(opened.uri)
        return
    # Imported late: few sessions ask or run anything.
    from msgls.lsp.asking import ask, ask_if_new
    from msgls.lsp.running import is_code_at
    from msgls.lsp.running import run as run_code

    # Without a position, it is about the end of the document.
    offset = None
    if "position" in arguments:
        offset = opened.document.offset_of(position_in(arguments), session.encoding)
    if command is ASK and arguments.get("code") == "run" and is_code_at(opened, offset):
        command = RUN_CELL
    if command in RUNNING:
        run_code(session, command, opened, offset, arguments)
    elif command is ASK_AND_ADVANCE:
        ask_if_new(session, opened, offset)
    else:
        ask(session, command, opened, offset, arguments)


def cancelled(session: Session, params: Mapping[str, Any]) -> None:
    """``window/workDoneProgress/cancel``: the user stops an answer or a run."""
    session.live.cancelled(params.get("token"))


def call_of(
    session: Session, opened: OpenDocument, name: str, arguments: Mapping[str, Any]
) -> Call:
    """The call of a command, with positions as offsets."""
    offset = 0
    command = BY_ID.get(name)
    if "position" in arguments or not (command is None or command.is_about_file):
        offset = opened.document.offset_of(position_in(arguments), session.encoding)
    end = None
    if "end" in arguments:
        end = opened.document.offset_of(position_in(arguments, "end"), session.encoding)
    snapshot = opened.snapshot
    folder = arguments.get(IN_FOLDER)
    if opened.place is None and isinstance(folder, str):
        place = path_of(folder)
        if place is not None:
            surroundings = session.surroundings(str(place / "new.msg.md"))
            snapshot = Snapshot(opened.document, surroundings, opened.settings, snapshot.now)
    language = session.language(opened)
    return Call(snapshot, offset, arguments, end, language)


def _arguments(given: Any) -> Mapping[str, Any]:
    if not isinstance(given, list | tuple) or len(given) != 1 or not isinstance(given[0], Mapping):
        raise invalid(Phrase("a command takes one object as its argument"))
    return given[0]


def _placed(opened: OpenDocument, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    """The arguments with the current position of the cell, if they name one.

    Without a cell, raises ``RequestError`` if the position may be out of date.
    """
    label, version = arguments.get(CELL), version_in(arguments)
    if isinstance(label, str) and label.isdecimal():
        try:
            line = opened.document.cell(int(label)).start_line
        except (KeyError, IndexError):
            # The cell is gone, so there is a newer version.
            pass
        else:
            return {**arguments, "position": {"line": line, "character": 0}}
    if version is not None and version != opened.version:
        raise RequestError(opened.changed_since(version))
    return arguments
