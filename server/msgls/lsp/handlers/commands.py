"""``workspace/executeCommand``: every command takes one object ``{uri, position, version?, …}``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lsprotocol import types as lsp

from msgls.features.commands import (
    TITLES,
    Call,
    CellChange,
    InvalidArgument,
    NewFile,
    OtherFile,
    RefusedError,
    ShownText,
    run,
)
from msgls.lsp.applying import apply, create, show_other, show_text
from msgls.lsp.protocol import RequestError
from msgls.lsp.session import OpenDocument, Session
from msgls.text.lines import Position

AS_TEXT = "asText"
"""Whoever calls a command so shows the text that it answers with by itself."""

# These are about a file, wherever the cursor is.
_ABOUT_FILES = ("msgls.agent.", "msgls.message.", "msgls.history.reset")


def execute(session: Session, params: lsp.ExecuteCommandParams) -> Any:
    """Run a command: what it tells is the answer, what it changes is applied by the client."""
    if params.command not in TITLES:
        raise _invalid(f"there is no command `{params.command}`")
    arguments = _arguments(params.arguments)
    opened = session.get(_uri(arguments))
    _check_version(opened, arguments.get("version"))
    offset = 0
    if not params.command.startswith(_ABOUT_FILES) or "position" in arguments:
        place = _position(arguments.get("position"))
        offset = opened.document.offset_of(place, session.encoding)
    call = Call(opened.document, offset, arguments, opened.checker.surroundings)
    try:
        as_text = call.flag(AS_TEXT)
        result = run(params.command, call)
    except InvalidArgument as error:
        raise _invalid(str(error)) from error
    except RefusedError as refusal:
        raise RequestError(session.say(opened, refusal.phrase)) from refusal
    title = session.say(opened, TITLES[params.command])
    if isinstance(result, CellChange):
        apply(session, opened, result.edits, result.cursor, title)
    elif isinstance(result, NewFile):
        create(session, opened, result.name, result.text, result.cursor, title)
    elif isinstance(result, OtherFile):
        show_other(session, opened, result.name)
    elif isinstance(result, ShownText):
        return show_text(session, opened, result, as_text, title)
    else:
        return result
    return None


def _invalid(reason: str) -> RequestError:
    return RequestError(reason, lsp.ErrorCodes.InvalidParams)


def _arguments(given: Any) -> Mapping[str, Any]:
    if not isinstance(given, list | tuple) or len(given) != 1 or not isinstance(given[0], Mapping):
        raise _invalid("a command takes one object as its argument")
    return given[0]


def _uri(arguments: Mapping[str, Any]) -> str:
    uri = arguments.get("uri")
    if not isinstance(uri, str):
        raise _invalid("`uri` must be that of a document")
    return uri


def _check_version(opened: OpenDocument, version: Any) -> None:
    if version is not None and type(version) is not int:
        raise _invalid("`version` must be a number")
    if version is not None and version != opened.version:
        reason = f"version {version} was meant, but version {opened.version} is here"
        raise RequestError(f"the document has changed: {reason}")


def _position(place: Any) -> Position:
    if isinstance(place, Mapping):
        line, character = place.get("line"), place.get("character")
        if type(line) is int and type(character) is int and line >= 0 and character >= 0:
            return Position(line, character)
    raise _invalid("`position` must have a `line` and a `character`, from 0")
