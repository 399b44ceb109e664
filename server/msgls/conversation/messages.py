"""Messages, message parts and message deltas, as they are on the wire.

Owns the shape of ``Message``, ``MessagePart``, ``MessageDelta`` and
``SessionEntry``, and the conversion to and from their wire form: JSON data
with camelCase names. Types are strict: nothing is coerced, neither in Python data
nor in JSON. Unknown keys are kept and written again.

Must not know about text, files or formats, must not assemble deltas, and must
not validate more than shapes: which parts a role allows (``PARTS_ALLOWED``), the
order of deltas and the pairing of tool calls are checked by rules.

Attributes cannot be assigned. The objects below ``arguments``, ``meta``,
``content``, ``provider_raw`` and unknown keys are plain dicts and lists, which
Python cannot freeze: they are typed as ``Mapping`` and must not be modified;
``to_wire`` returns copies.

Text may hold lone surrogates: a stream may cut an emoji in two. Such text passes
``from_wire`` and ``to_wire`` and ``json`` with ``ensure_ascii``; pydantic's own
JSON reader and writer refuse it, so they are not used.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from math import isfinite
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, TypeAlias, get_args

from pydantic import (
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    TypeAdapter,
    ValidationError,
    model_validator,
)
from pydantic_core import ErrorDetails, PydanticCustomError

from msgls.conversation.visibility import Visibility, visibility_in
from msgls.formats.wiremodel import JsonObject, WireModel
from msgls.text.phrases import Phrase, as_phrase, joined

if TYPE_CHECKING:
    from typing import Self

Role = Literal["system", "user", "assistant", "tool"]
PartKind = Literal["text", "thinking", "tool_call", "tool_result", "image", "file_ref"]
DeltaKind = Literal[
    "start",
    "text",
    "thinking",
    "tool_call_start",
    "tool_call_args",
    "tool_call_end",
    "usage",
    "done",
    "error",
]

PARTS_ALLOWED: Mapping[Role, frozenset[PartKind]] = MappingProxyType(
    {
        "system": frozenset({"text", "thinking"}),
        "user": frozenset({"text", "image", "file_ref"}),
        "assistant": frozenset({"text", "thinking", "tool_call"}),
        "tool": frozenset({"tool_result"}),
    }
)
"""The kinds of part that a role allows. The models here do not enforce it."""


# --- Telling JSON types apart ---------------------------------------------------

_LIST, _OBJECT, _TEXT, _NUMBER = "(list)", "(object)", "(text)", "(number)"


def _json_type(value: object) -> str | None:
    """The tag of a JSON value, so that a union reports the problems of one branch only."""
    if isinstance(value, str):
        return _TEXT
    if isinstance(value, Mapping):
        return _OBJECT
    if isinstance(value, (list, tuple)):
        return _LIST
    if isinstance(value, bool):
        return None
    # JSON has no infinity. Only floats are tested: an int may be too large for `isfinite`.
    if isinstance(value, int) or (isinstance(value, float) and isfinite(value)):
        return _NUMBER
    return None


def _list_to_tuple(value: object) -> object:
    """Lists become tuples. Other iterables, such as sets, are refused, because order matters."""
    if isinstance(value, list):
        return tuple(value)
    if isinstance(value, tuple):
        return value
    raise PydanticCustomError("list_type", "Input should be a list")


# --- Parts ----------------------------------------------------------------------


class TextPayload(WireModel):
    """What was said."""

    text: str = Field(description="What was said.")


class ThinkingPayload(WireModel):
    """What was thought before it was said."""

    text: str = Field(description="What was thought.")


class ToolCall(WireModel):
    """The name of a tool and its arguments, or their text if it could not be parsed."""

    model_config = ConfigDict(
        json_schema_extra={
            "anyOf": [
                {"required": ["arguments"], "properties": {"arguments": {"type": "object"}}},
                {"required": ["rawArgsText"], "properties": {"rawArgsText": {"type": "string"}}},
            ]
        }
    )

    tool_call_id: str = Field(
        description="The name of the call: results refer to it, and no other of its run has it."
    )
    tool_name: str = Field(description="The tool that is called.")
    arguments: JsonObject | None = Field(
        default=None, description="What the tool is given, read as JSON."
    )
    raw_args_text: str | None = Field(
        default=None, description="The text of the arguments, where it could not be read as JSON."
    )

    @model_validator(mode="after")
    def _has_arguments(self) -> Self:
        if self.arguments is None and self.raw_args_text is None:
            raise PydanticCustomError(
                "arguments_missing", "arguments may be missing only where rawArgsText is there"
            )
        return self


class ToolResult(WireModel):
    """The outcome of one tool call."""

    tool_call_id: str = Field(description="The call that this answers.")
    is_error: bool = Field(description="Whether the tool failed.")
    content: ToolResultContent = Field(
        description="What the tool returned: a string, an object, or parts."
    )


class ImagePayload(WireModel):
    """An image: its bytes in base64, or where it is, or both."""

    model_config = ConfigDict(
        json_schema_extra={
            "anyOf": [
                {"required": ["data"], "properties": {"data": {"type": "string"}}},
                {"required": ["url"], "properties": {"url": {"type": "string"}}},
            ]
        }
    )

    mime_type: str = Field(description="What kind of image it is, such as `image/png`.")
    data: str | None = Field(default=None, description="The bytes of the image, in base64.")
    url: str | None = Field(default=None, description="Where the image is.")

    @model_validator(mode="after")
    def _has_source(self) -> Self:
        if self.data is None and self.url is None:
            raise PydanticCustomError("image_missing", "an image needs data or url")
        return self


class FileRefPayload(WireModel):
    """A file that is named and not included."""

    path: str = Field(description="Where the file is.")
    mime_type: str | None = Field(default=None, description="What kind of file it is.")
    size: int | None = Field(default=None, description="How long the file is, in bytes.")


class PartBase(WireModel):
    """The fields of all parts; in annotations use the union, ``MessagePart``."""

    kind: PartKind = Field(description="What the part is; it decides the shape of the payload.")
    payload: WireModel = Field(description="What the part says, in the shape of its kind.")


class TextPart(PartBase):
    """A part that is text."""

    kind: Literal["text"]
    payload: TextPayload

    @classmethod
    def of(cls, text: str) -> Self:
        """The part that says ``text``."""
        return cls(kind="text", payload=TextPayload(text=text))


class ThinkingPart(PartBase):
    """A part that is reasoning."""

    kind: Literal["thinking"]
    payload: ThinkingPayload

    @classmethod
    def of(cls, text: str) -> Self:
        """The part that thinks ``text``."""
        return cls(kind="thinking", payload=ThinkingPayload(text=text))


class ToolCallPart(PartBase):
    """A part that calls a tool."""

    kind: Literal["tool_call"]
    payload: ToolCall

    @classmethod
    def of(
        cls,
        tool_call_id: str,
        tool_name: str,
        arguments: JsonObject | None = None,
        raw_args_text: str | None = None,
    ) -> Self:
        """The call of ``tool_name``; it needs ``arguments`` or ``raw_args_text``."""
        call = ToolCall(
            tool_call_id=tool_call_id,
            tool_name=tool_name,
            arguments=arguments,
            raw_args_text=raw_args_text,
        )
        return cls(kind="tool_call", payload=call)


class ToolResultPart(PartBase):
    """A part that answers a tool call."""

    kind: Literal["tool_result"]
    payload: ToolResult

    @classmethod
    def of(
        cls,
        tool_call_id: str,
        content: ToolResultContent | Sequence[MessagePart],
        is_error: bool = False,
    ) -> Self:
        """The result of the call ``tool_call_id``: parts, an object or a string."""
        result = ToolResult(
            tool_call_id=tool_call_id,
            is_error=is_error,
            content=content if isinstance(content, (str, Mapping)) else tuple(content),
        )
        return cls(kind="tool_result", payload=result)


class ImagePart(PartBase):
    """A part that is an image."""

    kind: Literal["image"]
    payload: ImagePayload

    @classmethod
    def of(cls, mime_type: str, data: str | None = None, url: str | None = None) -> Self:
        """The image in ``data`` (base64) or at ``url``; one of them is needed."""
        return cls(kind="image", payload=ImagePayload(mime_type=mime_type, data=data, url=url))


class FileRefPart(PartBase):
    """A part that names a file."""

    kind: Literal["file_ref"]
    payload: FileRefPayload

    @classmethod
    def of(cls, path: str, mime_type: str | None = None, size: int | None = None) -> Self:
        """The reference to the file at ``path``."""
        return cls(
            kind="file_ref", payload=FileRefPayload(path=path, mime_type=mime_type, size=size)
        )


MessagePart: TypeAlias = Annotated[
    TextPart | ThinkingPart | ToolCallPart | ToolResultPart | ImagePart | FileRefPart,
    Field(discriminator="kind"),
]
MessageParts: TypeAlias = Annotated[tuple[MessagePart, ...], BeforeValidator(_list_to_tuple)]
ToolResultContent: TypeAlias = Annotated[
    Annotated[MessageParts, Tag(_LIST)]
    | Annotated[JsonObject, Tag(_OBJECT)]
    | Annotated[str, Tag(_TEXT)],
    Discriminator(
        _json_type,
        custom_error_type="content_type",
        custom_error_message="Input should be a list of message parts, an object or a string",
    ),
]


# --- Messages -------------------------------------------------------------------


class Message(WireModel):
    """One message of a conversation; the order of its parts is significant."""

    run_id: str = Field(description="The run that the message belongs to.")
    role: Role = Field(description="Who speaks.")
    parts: MessageParts = Field(description="What the message says, in order.")
    timestamp: str = Field(description="When it was said, in ISO 8601.")
    meta: JsonObject | None = Field(default=None, description="Other data about the message.")

    @property
    def visibility(self) -> Visibility:
        """Whether the model sees it; on the wire it is in ``meta``."""
        return visibility_in(self.meta or {})


class SessionEntry(WireModel):
    """One line of a session's log. ``payload`` is whatever its ``type`` says."""

    id: str = Field(description="The name of this entry.")
    parent_id: str | None = Field(default=None, description="The entry that this one follows.")
    type: str = Field(
        description="What the payload is: `message`, `message_delta_batch`, or anything else."
    )
    timestamp: str = Field(description="When it was written, in ISO 8601.")
    run_id: str | None = Field(default=None, description="The run that the entry belongs to.")
    payload: Any = Field(description="What is recorded, in the shape of its type.")
    meta: JsonObject | None = Field(default=None, description="Other data about the entry.")


# --- Deltas ---------------------------------------------------------------------

Cost: TypeAlias = Annotated[
    # Both kinds of number, so that 0 is not written again as 0.0.
    Annotated[int | float, Tag(_NUMBER)] | Annotated[JsonObject, Tag(_OBJECT)],
    Discriminator(
        _json_type,
        custom_error_type="cost_type",
        custom_error_message="Input should be a number or an object",
    ),
]
"""A total, or an object that itemises it."""


class StartPayload(WireModel):
    """The model that answers, and the request that it answers."""

    model_id: str = Field(description="The model that answers.")
    request_id: str = Field(description="The request that is answered.")


class TextDeltaPayload(WireModel):
    """More text, of an answer or of a thought."""

    text_delta: str = Field(description="What follows the text so far.")


class ToolCallStartPayload(WireModel):
    """The tool that is about to be called."""

    tool_call_id: str = Field(description="The name of the call; no other of its run has it.")
    tool_name: str = Field(description="The tool that is called.")


class ToolCallArgsPayload(WireModel):
    """More of the JSON text of a call's arguments."""

    tool_call_id: str = Field(description="The call whose arguments continue.")
    args_text_delta: str = Field(description="What follows the JSON text of the arguments so far.")


class ToolCallEndPayload(WireModel):
    """The call whose arguments are complete."""

    tool_call_id: str = Field(description="The call whose arguments are complete.")


class UsagePayload(WireModel):
    """Tokens so far, and what they cost."""

    input_tokens: int = Field(description="Tokens that the model was given.")
    output_tokens: int = Field(description="Tokens that the model has written so far.")
    total_tokens: int = Field(description="Both together.")
    cost: Cost | None = Field(
        default=None, description="What it costs: a total, or an object that itemises it."
    )


class DonePayload(WireModel):
    """Why the stream is over."""

    finish_reason: str = Field(
        description="Why the model stopped, such as `stop`, `length` or `tool_calls`."
    )


class ErrorPayload(WireModel):
    """Why the stream broke off."""

    error_code: str = Field(description="What went wrong, as a code.")
    message: str | None = Field(default=None, description="What went wrong, in words.")
    retryable: bool | None = Field(default=None, description="Whether a retry may succeed.")


class DeltaBase(WireModel):
    """The fields of all deltas; in annotations use the union, ``MessageDelta``."""

    run_id: str = Field(description="The run that the delta belongs to.")
    seq: int = Field(
        description="The place of the delta in its stream: larger than that of the one before."
    )
    kind: DeltaKind = Field(description="What the delta does; it decides the shape of the payload.")
    payload: WireModel = Field(description="What the delta adds, in the shape of its kind.")
    timestamp: str = Field(description="When it was sent, in ISO 8601.")
    provider_raw: JsonObject | None = Field(
        default=None, description="What the provider sent, as it came."
    )


class StartDelta(DeltaBase):
    """Opens a stream."""

    kind: Literal["start"]
    payload: StartPayload


class TextDelta(DeltaBase):
    """Continues the answer."""

    kind: Literal["text"]
    payload: TextDeltaPayload


class ThinkingDelta(DeltaBase):
    """Continues the reasoning."""

    kind: Literal["thinking"]
    payload: TextDeltaPayload


class ToolCallStartDelta(DeltaBase):
    """Opens a tool call."""

    kind: Literal["tool_call_start"]
    payload: ToolCallStartPayload


class ToolCallArgsDelta(DeltaBase):
    """Continues the arguments of a tool call."""

    kind: Literal["tool_call_args"]
    payload: ToolCallArgsPayload


class ToolCallEndDelta(DeltaBase):
    """Closes a tool call."""

    kind: Literal["tool_call_end"]
    payload: ToolCallEndPayload


class UsageDelta(DeltaBase):
    """Counts tokens."""

    kind: Literal["usage"]
    payload: UsagePayload


class DoneDelta(DeltaBase):
    """Ends a stream successfully."""

    kind: Literal["done"]
    payload: DonePayload


class ErrorDelta(DeltaBase):
    """Ends a stream with an error."""

    kind: Literal["error"]
    payload: ErrorPayload


MessageDelta: TypeAlias = Annotated[
    StartDelta
    | TextDelta
    | ThinkingDelta
    | ToolCallStartDelta
    | ToolCallArgsDelta
    | ToolCallEndDelta
    | UsageDelta
    | DoneDelta
    | ErrorDelta,
    Field(discriminator="kind"),
]

# ``ToolResult`` refers to the union that it is part of, so these can be completed only here.
ToolResult.model_rebuild()
ToolResultPart.model_rebuild()


# --- Validation of the unions, and schemas ----------------------------------------


@cache
def _part_adapter() -> TypeAdapter[MessagePart]:
    return TypeAdapter(MessagePart)


@cache
def _delta_adapter() -> TypeAdapter[MessageDelta]:
    return TypeAdapter(MessageDelta)


def part_from_wire(wire: object) -> MessagePart:
    """The part of parsed JSON data, by its ``kind``; raises ``ValidationError``."""
    return _part_adapter().validate_python(wire, by_alias=True, by_name=False)


def delta_from_wire(wire: object) -> MessageDelta:
    """The delta of parsed JSON data, by its ``kind``; raises ``ValidationError``."""
    return _delta_adapter().validate_python(wire, by_alias=True, by_name=False)


def message_json_schema() -> dict[str, Any]:
    """The JSON schema of a message on the wire."""
    return TypeAdapter(Message).json_schema(by_alias=True)


def delta_json_schema() -> dict[str, Any]:
    """The JSON schema of a delta on the wire."""
    return _delta_adapter().json_schema(by_alias=True)


# --- Problems -------------------------------------------------------------------


class WireProblem(NamedTuple):
    """A problem of wire data, and the path to it.

    The last step of ``path`` may be a key that is missing.
    """

    path: tuple[str | int, ...]
    reason: str


def wire_problems(error: ValidationError) -> list[WireProblem]:
    """The problems of a failed ``…from_wire``, as paths and types of the wire data."""
    return [
        _wire_problem(details)
        for details in error.errors(include_url=False, include_context=True, include_input=False)
    ]


def as_reason(message: str) -> Phrase:
    """An error message of pydantic as a translatable part of a sentence."""
    message = message[:1].lower() + message[1:]
    found = _NOT_ALLOWED.fullmatch(message)
    if found is None:
        return as_phrase(message)
    *others, last = re.findall(r"'[^']*'", found["values"])
    if found["one_of"]:
        return Phrase("input should be one of {values}", values=joined([*others, last]))
    if not others:
        return Phrase("input should be {value}", value=last)
    return Phrase("input should be {others} or {last}", others=joined(others), last=last)


# Pydantic's message for a value that is not allowed: `'a'`, `'a' or 'b'`.
_NOT_ALLOWED = re.compile(r"input should be (?P<one_of>one of )?(?P<values>'[^']*'.*)")
_UNION_TAGS = frozenset({_LIST, _OBJECT, _TEXT, _NUMBER})
_ROOT_TAGS = frozenset({*get_args(PartKind), *get_args(DeltaKind)})
_NOT_AN_OBJECT = frozenset({"model_type", "model_attributes_type", "dict_type"})


def _wire_problem(details: ErrorDetails) -> WireProblem:
    path = _wire_path(details["loc"])
    if details["type"] == "union_tag_not_found":
        return WireProblem((*path, "kind"), "Field required")
    if details["type"] == "union_tag_invalid":
        expected = details["ctx"]["expected_tags"]
        return WireProblem((*path, "kind"), f"Input should be one of {expected}")
    if details["type"] in _NOT_AN_OBJECT:
        return WireProblem(path, "Input should be an object")
    return WireProblem(path, details["msg"])


def _wire_path(loc: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """``loc`` without the tags that pydantic inserts for the branch of a union.

    They follow the index of a part, are in round brackets, or come first if
    the union is the root.
    """
    path: list[str | int] = []
    for index, step in enumerate(loc):
        after_part = index > 0 and isinstance(loc[index - 1], int)
        at_root = index == 0 and len(loc) > 1 and step in _ROOT_TAGS
        if not (after_part or at_root or step in _UNION_TAGS):
            path.append(step)
    return tuple(path)
