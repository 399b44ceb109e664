"""Validation of params that arrive as plain JSON, with errors that say what is wrong.

And what a handler may return or raise besides plain values: encoded results, and errors.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from json import JSONEncoder
from typing import Any, NamedTuple

from cattrs import Converter
from lsprotocol import converters
from lsprotocol import types as lsp

from msgls.text.lines import Position
from msgls.text.phrases import Phrase


class Encoded(NamedTuple):
    """A result that is JSON already."""

    json: bytes


@cache
def converter() -> Converter:
    """The converter for all servers of a process: it compiles code for a type on its first use."""
    return converters.get_converter()


def _plain(value: object) -> Any:
    return converter().unstructure(value)


to_json = JSONEncoder(separators=(",", ":"), allow_nan=False, default=_plain).encode
"""A value as JSON; lsprotocol's objects and plain data may be mixed."""


class RequestError(Exception):
    """A request is refused, with a reason for the user: a phrase, or a text already translated."""

    def __init__(self, message: str, code: int = lsp.LSPErrorCodes.RequestFailed) -> None:
        super().__init__(message)
        self.message = message
        self.code = int(code)


def invalid(reason: str) -> RequestError:
    """The error for invalid params."""
    return RequestError(reason, lsp.ErrorCodes.InvalidParams)


def uri_in(params: Mapping[str, Any]) -> str:
    """The URI of the document that a request is about."""
    uri = params.get("uri")
    if not isinstance(uri, str):
        raise invalid(Phrase("`uri` must be the URI of a document"))
    return uri


def text_in(params: Mapping[str, Any], key: str) -> str:
    """A text, which may be empty."""
    text = params.get(key)
    if not isinstance(text, str):
        raise invalid(Phrase("`{name}` must be a string", name=key))
    return text


def name_in(params: Mapping[str, Any], key: str) -> str | None:
    """A name, if one is given."""
    name = params.get(key)
    if name is not None and not (isinstance(name, str) and name):
        raise invalid(Phrase("`{key}` must be a name", key=key))
    return name


def version_in(params: Mapping[str, Any]) -> int | None:
    """The version of the document that a request is about, if it names one."""
    version = params.get("version")
    if version is not None and type(version) is not int:
        raise invalid(Phrase("`version` must be a number"))
    return version


def position_in(params: Mapping[str, Any], key: str = "position") -> Position:
    """A position, in the units of the client."""
    place = params.get(key)
    if isinstance(place, Mapping):
        line, character = place.get("line"), place.get("character")
        if type(line) is int and type(character) is int and line >= 0 and character >= 0:
            return Position(line, character)
    raise invalid(Phrase("`{key}` must have a `line` and a `character`, from 0", key=key))
