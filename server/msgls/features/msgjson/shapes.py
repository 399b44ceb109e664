"""The model of an object in a file, and the keys that the model defines.

Owns the way from the objects around an offset to a model in ``conversation/messages.py``, the one
source of keys, their descriptions and their types. That loads pydantic, so only hover and
completion import this.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, get_args

from msgls.conversation.messages import (
    DeltaBase,
    DeltaKind,
    DoneDelta,
    ErrorDelta,
    FileRefPart,
    ImagePart,
    Message,
    PartBase,
    PartKind,
    Role,
    SessionEntry,
    StartDelta,
    TextDelta,
    TextPart,
    ThinkingDelta,
    ThinkingPart,
    ToolCallArgsDelta,
    ToolCallEndDelta,
    ToolCallPart,
    ToolCallStartDelta,
    ToolResult,
    ToolResultPart,
    UsageDelta,
    UsagePayload,
)
from msgls.formats.base import Format
from msgls.formats.jsoncursor import Level
from msgls.formats.msgjson import JsonLines
from msgls.formats.msgjson.records import BATCH_ENTRY, DELTAS, MESSAGE_ENTRY
from msgls.formats.wiremodel import WireModel, alternatives
from msgls.text.phrases import EMPTY, Phrase, as_phrase, joined

Model = type[WireModel]

DELTA_MODELS: Mapping[str, Model] = dict(
    zip(
        get_args(DeltaKind),
        (StartDelta, TextDelta, ThinkingDelta, ToolCallStartDelta, ToolCallArgsDelta,
         ToolCallEndDelta, UsageDelta, DoneDelta, ErrorDelta),
        strict=True,
    )
)  # fmt: skip
PART_MODELS: Mapping[str, Model] = dict(
    zip(
        get_args(PartKind),
        (TextPart, ThinkingPart, ToolCallPart, ToolResultPart, ImagePart, FileRefPart),
        strict=True,
    )
)
ROLES: Mapping[str, Phrase] = dict(
    zip(
        get_args(Role),
        (
            Phrase("Instructions that apply to the whole conversation."),
            Phrase("The user, or anyone else who asks."),
            Phrase("The model."),
            Phrase("A tool that answers a call of the model."),
        ),
        strict=True,
    )
)
ENTRY_TYPES: Mapping[str, Phrase] = {
    MESSAGE_ENTRY: Phrase("The payload is a message."),
    BATCH_ENTRY: Phrase("The payload is a list of deltas, bare or below `{key}`.", key=DELTAS),
}
KINDS: Mapping[str, Mapping[str, Model]] = {"delta": DELTA_MODELS, "part": PART_MODELS}

# What a value is expected to be before its own keys are known, besides the models.
_ANY, _DELTA, _PART, _BATCH, _PARTS, _META = "any", "delta", "part", "batch", "parts", "meta"
_State = str | Model | None


class Holder(NamedTuple):
    """The object around an offset, and its model."""

    model: Model
    used: frozenset[str]
    role: str
    """The role of the message around it; empty if it has none."""


class Field(NamedTuple):
    """A key of a model."""

    name: str
    description: Phrase
    type: Phrase
    """The type of its value, in words."""
    json_types: tuple[str, ...]
    is_required: bool


# -- what an object is ----------------------------------------------------------------------


def default_model(format: Format) -> Model:
    """The model of an object whose keys do not show what it is."""
    default = format.default if isinstance(format, JsonLines) else "message"
    models: Mapping[str, Model] = {"delta": DeltaBase, "entry": SessionEntry}
    return models.get(default, Message)


def holder_at(levels: Sequence[Level], format: Format) -> Holder | None:
    """The innermost object and its model; ``None`` if it may have any keys."""
    state: _State = _ANY
    role = ""
    model: Model | None = None
    for frame, key in levels:
        model = None
        if not frame.is_object:
            state = _element(state)
            continue
        said = frame.texts
        if state == _BATCH:
            state = _BATCH if key == DELTAS else None
            continue
        model = _resolved(state, said, format)
        if model is Message:
            role = said.get("role", "")
        state = _below(model, state, key, said)
    if model is None or not levels or not levels[-1].frame.is_object:
        return None
    return Holder(model, frozenset(levels[-1].frame.texts), role)


def _element(state: _State) -> _State:
    """The state of an element of a list."""
    return _ELEMENTS.get(state) if isinstance(state, str) else None


_ELEMENTS = {_ANY: _ANY, _PARTS: _PART, _BATCH: _DELTA}


def _resolved(state: _State, said: Mapping[str, str], format: Format) -> Model | None:
    """The model of an object with the texts ``said`` where a ``state`` is expected."""
    if state == _ANY:
        if "role" in said or "parts" in said:
            return Message
        if "kind" in said or "seq" in said:
            state = _DELTA
        else:
            known = SessionEntry if "type" in said else default_model(format)
            return known
    if state == _DELTA:
        return DELTA_MODELS.get(said.get("kind", ""), DeltaBase)
    if state == _PART:
        return PART_MODELS.get(said.get("kind", ""), PartBase)
    return None if isinstance(state, str) else state


def _below(model: Model | None, state: _State, key: str | None, said: Mapping[str, str]) -> _State:
    """The state of the value of a key."""
    if state == _META:
        return UsagePayload if key == "usage" else None
    if model is None:
        return None
    if model is Message:
        return {"parts": _PARTS, "meta": _META}.get(key or "")
    if model is SessionEntry and key == "payload":
        payloads: Mapping[str, _State] = {MESSAGE_ENTRY: Message, BATCH_ENTRY: _BATCH}
        return payloads.get(said.get("type", ""))
    if model is ToolResult and key == "content":
        return _PARTS
    if issubclass(model, DeltaBase | PartBase) and key == "payload":
        return payload_of(model)
    return None


def payload_of(model: Model) -> Model | None:
    """The model of the payload of a delta or a part; ``None`` if its kind is unknown."""
    payload: Any = model.model_fields["payload"].annotation
    return None if payload is WireModel else payload


# -- what a model says ----------------------------------------------------------------------


@cache
def fields_of(model: Model) -> Mapping[str, Field]:
    """The keys of a model, in order."""
    whole = model.model_json_schema(by_alias=True)
    definitions = whole.get("$defs", {})
    # The schema of a recursive model is only a reference to its definition.
    schema = next(alternatives(whole, definitions))
    required = schema.get("required", ())
    found = {}
    for name, info in model.model_fields.items():
        key = info.alias or name
        types = tuple(_types(schema["properties"][key], definitions))
        words = joined([_WORDS[type_] for type_ in types], " or ") if types else Phrase("anything")
        found[key] = Field(key, _description(model, name), words, types, key in required)
    return found


def _description(model: Model, name: str) -> Phrase:
    """The description of a field, which may be inherited from a base model."""
    for base in model.__mro__:
        fields = getattr(base, "model_fields", {})
        if name in fields and fields[name].description:
            return as_phrase(fields[name].description)
    return EMPTY


_WORDS = {
    "string": Phrase("a text"),
    "integer": Phrase("a whole number"),
    "number": Phrase("a number"),
    "boolean": Phrase("`true` or `false`"),
    "object": Phrase("an object"),
    "array": Phrase("a list"),
}


def _types(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> list[str]:
    """The JSON types of a field, each once."""
    found = [option.get("type", "") for option in alternatives(schema, definitions)]
    if "number" in found:
        found = [type_ for type_ in found if type_ != "integer"]
    return list(dict.fromkeys([type_ for type_ in found if type_ in _WORDS]))


def meaning_of(model: Model) -> Phrase:
    """The description of a model, in one sentence."""
    first = (model.__doc__ or "").split("\n\n")[0]
    return as_phrase(first.replace("``", "`").replace("\n    ", " "))


def key_of(model: Model) -> Phrase:
    """What a key of a model is called, such as "key of a delta"."""
    return next(_KEYS[base.__name__] for base in model.__mro__ if base.__name__ in _KEYS)


_KEYS = {
    "Message": Phrase("Key of a message"),
    "SessionEntry": Phrase("Key of a session entry"),
    "DeltaBase": Phrase("Key of a delta"),
    "PartBase": Phrase("Key of a part"),
    "WireModel": Phrase("Key of a payload"),
}


@cache
def models() -> Mapping[str, Model]:
    """Every model by its name."""
    known: list[Model] = [Message, SessionEntry, DeltaBase, PartBase, UsagePayload]
    for model in (*DELTA_MODELS.values(), *PART_MODELS.values()):
        payload = payload_of(model)
        known += [model] if payload is None else [model, payload]
    return {model.__name__: model for model in known}
