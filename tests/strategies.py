"""Made-up messages, parts and deltas, for property tests of any layer.

Every strategy makes values that hold all the model demands and no more: roles
and parts need not suit each other unless ``by_role`` is asked for, a result need
not belong to a call, and ids are any text.
"""

from collections.abc import Collection, Mapping
from datetime import UTC
from functools import cache
from typing import Any, TypeVar, get_args

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from msgls.conversation import messages as model
from msgls.conversation.messages import (
    PARTS_ALLOWED,
    DeltaKind,
    Message,
    MessageDelta,
    MessagePart,
    PartKind,
    Role,
    SessionEntry,
)
from msgls.formats.wiremodel import WireModel

M = TypeVar("M", bound=WireModel)

PART_KINDS: tuple[PartKind, ...] = get_args(PartKind)
DELTA_KINDS: tuple[DeltaKind, ...] = get_args(DeltaKind)
ROLES: tuple[Role, ...] = get_args(Role)

# Line ends of every sort, what is special to some format, and what is wide in UTF-16.
AWKWARD_TEXTS = (
    "",
    "\n",
    "a\r\nb\rc\n",
    "\u2028\u0085\f\v",
    "# %% [^1]:",
    "```py\nx\n```",
    "</tool>",
    "😀é",
    "e\u0301",
    "\ufeff",
    "\0",
    '{"a": 1}',
    "---",
)


@cache
def texts(*, surrogates: bool = False) -> SearchStrategy[str]:
    """Any text; with ``surrogates`` also such that no UTF-8 file can hold."""
    made_up = st.text(st.characters(), max_size=20) if surrogates else st.text(max_size=20)
    return st.sampled_from(AWKWARD_TEXTS) | made_up


@cache
def timestamps() -> SearchStrategy[str]:
    """Times as ISO 8601, with a zone."""
    moments = st.datetimes(timezones=st.just(UTC))
    return moments.map(lambda moment: moment.isoformat().replace("+00:00", "Z"))


@cache
def json_values() -> SearchStrategy[Any]:
    """Any JSON value, nulls and nested ones among them."""
    leaves = (
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats(allow_nan=False, allow_infinity=False)
        | texts()
    )
    return st.recursive(
        leaves,
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
        ),
        max_leaves=6,
    )


@cache
def json_objects() -> SearchStrategy[dict[str, Any]]:
    """Any JSON object."""
    return st.dictionaries(st.text(max_size=8), json_values(), max_size=3)


def message_parts(
    *, kinds: Collection[PartKind] = PART_KINDS, unknown_keys: bool = True, depth: int = 2
) -> SearchStrategy[MessagePart]:
    """Parts of the given kinds; those in a result's content are of any kind, ``depth`` deep."""
    return st.one_of(
        [
            _part(kind, unknown_keys=unknown_keys, depth=depth)
            for kind in PART_KINDS
            if kind in kinds
        ]
    )


def messages(
    *, roles: Collection[Role] = ROLES, by_role: bool = False, unknown_keys: bool = True
) -> SearchStrategy[Message]:
    """Messages; ``by_role`` gives each role only the parts that suit it."""
    return st.one_of(
        [
            _model(
                Message,
                unknown_keys,
                run_id=texts(),
                role=st.just(role),
                parts=st.lists(
                    message_parts(
                        kinds=PARTS_ALLOWED[role] if by_role else PART_KINDS,
                        unknown_keys=unknown_keys,
                    ),
                    max_size=4,
                ),
                timestamp=timestamps(),
                meta=st.none() | json_objects(),
            )
            for role in ROLES
            if role in roles
        ]
    )


def deltas(
    *, kinds: Collection[DeltaKind] = DELTA_KINDS, unknown_keys: bool = True
) -> SearchStrategy[MessageDelta]:
    """Deltas of the given kinds, each on its own: they make no stream together."""
    return st.one_of(
        [_delta(kind, unknown_keys=unknown_keys) for kind in DELTA_KINDS if kind in kinds]
    )


def session_entries() -> SearchStrategy[SessionEntry]:
    """Entries of any type, with any payload."""
    return _model(
        SessionEntry,
        True,
        id=texts(),
        parent_id=st.none() | texts(),
        type=texts(),
        timestamp=timestamps(),
        run_id=st.none() | texts(),
        payload=json_values(),
        meta=st.none() | json_objects(),
    )


def _part(kind: PartKind, *, unknown_keys: bool, depth: int) -> SearchStrategy[MessagePart]:
    def of(
        part: type[M], payload: type[WireModel], **fields: SearchStrategy[Any]
    ) -> SearchStrategy[M]:
        inner = _model(payload, unknown_keys, **fields)
        return _model(part, unknown_keys, kind=st.just(kind), payload=inner)

    optional_text = st.none() | texts()
    match kind:
        case "text":
            return of(model.TextPart, model.TextPayload, text=texts())
        case "thinking":
            return of(model.ThinkingPart, model.ThinkingPayload, text=texts())
        case "tool_call":
            call = {"tool_call_id": texts(), "tool_name": texts()}
            return of(
                model.ToolCallPart,
                model.ToolCall,
                **call,
                arguments=json_objects(),
                raw_args_text=optional_text,
            ) | of(model.ToolCallPart, model.ToolCall, **call, raw_args_text=texts())
        case "tool_result":
            content: SearchStrategy[Any] = texts() | json_objects()
            if depth > 0:
                nested = message_parts(unknown_keys=unknown_keys, depth=depth - 1)
                content |= st.lists(nested, max_size=3)
            return of(
                model.ToolResultPart,
                model.ToolResult,
                tool_call_id=texts(),
                is_error=st.booleans(),
                content=content,
            )
        case "image":
            mime_type = {"mime_type": texts()}
            return of(
                model.ImagePart, model.ImagePayload, **mime_type, data=texts(), url=optional_text
            ) | of(model.ImagePart, model.ImagePayload, **mime_type, url=texts())
        case "file_ref":
            return of(
                model.FileRefPart,
                model.FileRefPayload,
                path=texts(),
                mime_type=optional_text,
                size=st.none() | st.integers(),
            )


def _delta(kind: DeltaKind, *, unknown_keys: bool) -> SearchStrategy[MessageDelta]:
    def of(
        delta: type[M], payload: type[WireModel], **fields: SearchStrategy[Any]
    ) -> SearchStrategy[M]:
        return _model(
            delta,
            unknown_keys,
            run_id=texts(),
            seq=st.integers(),
            kind=st.just(kind),
            payload=_model(payload, unknown_keys, **fields),
            timestamp=timestamps(),
            provider_raw=st.none() | json_objects(),
        )

    text = texts()
    match kind:
        case "start":
            return of(model.StartDelta, model.StartPayload, model_id=text, request_id=text)
        case "text":
            return of(model.TextDelta, model.TextDeltaPayload, text_delta=text)
        case "thinking":
            return of(model.ThinkingDelta, model.TextDeltaPayload, text_delta=text)
        case "tool_call_start":
            return of(
                model.ToolCallStartDelta,
                model.ToolCallStartPayload,
                tool_call_id=text,
                tool_name=text,
            )
        case "tool_call_args":
            return of(
                model.ToolCallArgsDelta,
                model.ToolCallArgsPayload,
                tool_call_id=text,
                args_text_delta=text,
            )
        case "tool_call_end":
            return of(model.ToolCallEndDelta, model.ToolCallEndPayload, tool_call_id=text)
        case "usage":
            return of(
                model.UsageDelta,
                model.UsagePayload,
                input_tokens=st.integers(),
                output_tokens=st.integers(),
                total_tokens=st.integers(),
                cost=st.none()
                | st.integers()
                | st.floats(allow_nan=False, allow_infinity=False)
                | json_objects(),
            )
        case "done":
            return of(model.DoneDelta, model.DonePayload, finish_reason=text)
        case "error":
            return of(
                model.ErrorDelta,
                model.ErrorPayload,
                error_code=text,
                message=st.none() | text,
                retryable=st.none() | st.booleans(),
            )


def _model(
    model_class: type[M], unknown_keys: bool, **fields: SearchStrategy[Any]
) -> SearchStrategy[M]:
    """The model of the fields, by their Python names, and of some keys it does not know."""
    known = set(model_class.model_fields)
    known |= {field.alias for field in model_class.model_fields.values() if field.alias}
    keys = st.text(max_size=8).filter(lambda key: key not in known)
    unknown: SearchStrategy[Mapping[str, Any]] = st.just({})
    if unknown_keys:
        unknown |= st.dictionaries(keys, json_values(), max_size=2)
    both = st.tuples(unknown, st.fixed_dictionaries(fields))
    return both.map(lambda pair: model_class.model_validate({**pair[0], **pair[1]}))
