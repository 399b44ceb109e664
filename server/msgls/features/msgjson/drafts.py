"""Drafts of values: what follows a key, and whole deltas, messages and entries.

Owns what a new value looks like: every key that must be there, in the order of the models,
with what is known filled in and stops for the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from typing import NamedTuple

from msgls.conversation.messages import DeltaBase, Message, PartBase
from msgls.document.document import Document
from msgls.features.msgjson.nearby import steps_before, texts_before
from msgls.features.msgjson.shapes import (
    DELTA_MODELS,
    PART_MODELS,
    ROLES,
    Field,
    Model,
    default_model,
    fields_of,
    meaning_of,
    payload_of,
)
from msgls.features.snippets import literal
from msgls.formats.msgjson import JsonLines
from msgls.formats.msgjson.nodes import written
from msgls.formats.msgjson.shapes import TERMINAL_KINDS
from msgls.text.phrases import Phrase

_RUN = "run-1"


class Draft(NamedTuple):
    """A whole value that can be put on a line."""

    label: str
    detail: str
    snippet: str
    topic: tuple[str, str]


def after_key(model: Model, field: Field, now: str) -> str:
    """A key and the draft of its value, in the snippet notation."""
    if field.name == "payload" and issubclass(model, DeltaBase | PartBase):
        payload = payload_of(model)
        body = "{$1}" if payload is None else _object(payload, count(1), {})
    elif field.name == "timestamp" and now:
        body = literal(written(now))
    else:
        body = _value(field, count(1))
    return f'"{field.name}": {body}'


def _value(field: Field, stops: Iterator[int]) -> str:
    types = field.json_types
    if types == ("boolean",):
        return f"${{{next(stops)}|false,true|}}"
    if types == ("object",):
        return f"{{${next(stops)}}}"
    if types == ("array",):
        return f"[${next(stops)}]"
    if "string" in types:
        return f'"${next(stops)}"'
    return f"${next(stops)}"


def _object(model: Model, stops: Iterator[int], known: Mapping[str, str]) -> str:
    """An object with every key that must be there; ``known`` are values in the notation."""
    members = [
        f'"{field.name}": {known.get(field.name) or _value(field, stops)}'
        for field in fields_of(model).values()
        if field.is_required or field.name in known
    ]
    return "{" + ", ".join(members) + "}"


# -- whole values ---------------------------------------------------------------------------


def drafts(document: Document, offset: int, now: str) -> Iterator[Draft]:
    """What a blank line can hold, the likeliest first."""
    if not isinstance(document.format, JsonLines):
        return
    model = default_model(document.format)
    if model is DeltaBase:
        yield from _deltas(document, offset, now)
    elif model is Message:
        for role, meaning in ROLES.items():
            yield Draft(role, meaning, _message(document, offset, role, now), ("role", role))
    else:
        for role in ROLES:
            message = _message(document, offset, role, now)
            known = {"type": '"message"', "timestamp": _time(now), "payload": message}
            snippet = _object(model, count(1), known)
            label = Phrase("message: {role}", role=role)
            yield Draft(label, Phrase("An entry"), snippet, ("entry", "message"))


def _deltas(document: Document, offset: int, now: str) -> Iterator[Draft]:
    own = document.number_at_offset(offset)
    last = None if own is None else next(steps_before(document, own + 1), None)
    is_over = last is None or last.kind in TERMINAL_KINDS
    run = _RUN if last is None else last.run
    seq = 0 if last is None or last.seq is None or is_over else last.seq + 1
    # Behind an end only a start makes sense; before it, everything else.
    ordered = sorted(DELTA_MODELS, key=lambda kind: (kind == "start") != is_over)
    for kind in ordered:
        model = DELTA_MODELS[kind]
        stops = count(1)
        payload = payload_of(model)
        known = {
            "runId": literal(written(run)),
            "seq": str(seq),
            "kind": f'"{kind}"',
            "payload": "{}" if payload is None else _object(payload, stops, {}),
            "timestamp": _time(now),
        }
        topic = ("kind", f"delta {kind}")
        yield Draft(kind, meaning_of(model), _object(model, stops, known), topic)


def _message(document: Document, offset: int, role: str, now: str) -> str:
    runs = texts_before(document, offset, "runId")
    stops = count(1)
    kind = "tool_result" if role == "tool" else "text"
    payload = payload_of(PART_MODELS[kind])
    inner = "{}" if payload is None else _object(payload, stops, {})
    known = {
        "runId": literal(written(runs[0] if runs else _RUN)),
        "role": f'"{role}"',
        "parts": f'[{{"kind": "{kind}", "payload": {inner}}}]',
        "timestamp": _time(now),
    }
    return _object(Message, stops, known)


def _time(now: str) -> str:
    return literal(written(now)) if now else '"${9:now}"'
