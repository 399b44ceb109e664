"""Names for what a target cannot hold: metadata of messages, and parts.

Owns the wording of losses. Metadata about layout that only msgls knows (such as the depth of a
heading) is not reported.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgls.conversation.conversation import CARRIED_META, Loss
from msgls.conversation.messages import (
    FileRefPart,
    Message,
    MessagePart,
    TextPart,
    ToolCall,
    ToolResultPart,
)
from msgls.formats.values import DATA
from msgls.text.phrases import Phrase, joined

# Each lost part is compared with all that are left, which takes too long for very many.
_MOST_DESCRIBED = 100
_WORDS: Mapping[str, Phrase] = {
    "agent": Phrase("names of agents"),
    "agents": Phrase("the agents"),
    "alt": Phrase("alternative texts of images"),
    "anthropicFileId": Phrase("ids of files"),
    "bootMessage": Phrase("the tasks of a boot message"),
    "comments": Phrase("comments in the header"),
    "data": Phrase("the content of files"),
    "defaultAgent": Phrase("the agents"),
    "duration": Phrase("durations"),
    "ename": Phrase("names of errors"),
    "entry": Phrase("metadata of session entries"),
    "evalue": Phrase("messages of errors"),
    "executionCount": Phrase("run numbers"),
    "finishReason": Phrase("why an answer ended"),
    "frontmatter": Phrase("the frontmatter"),
    "history": Phrase("what the model does not see"),
    "id": Phrase("ids"),
    "isBootMessage": Phrase("which messages are boot messages"),
    "isReset": Phrase("the point where the context was reset"),
    "isVirtual": Phrase("which messages are virtual"),
    "messageId": Phrase("ids"),
    "meta": Phrase("`meta` of the file"),
    "model": Phrase("names of models"),
    "modelId": Phrase("names of models"),
    "name": Phrase("names"),
    "newline": Phrase("whether an output ends with a line break"),
    "openaiFileId": Phrase("ids of files"),
    "output": Phrase("kinds of outputs"),
    "parseErrors": Phrase("which arguments are not valid JSON"),
    "path": Phrase("the path of an agent"),
    "preamble": Phrase("the preamble"),
    "rawArgsText": Phrase("the original text of arguments"),
    "reasoning": Phrase("prose beside code"),
    "refusal": Phrase("which texts are refusals"),
    "requestId": Phrase("ids of requests"),
    "runId": Phrase("ids of runs"),
    "signature": Phrase("signatures of thoughts"),
    "summary": Phrase("summaries"),
    "time": Phrase("times"),
    "timestamp": Phrase("times"),
    "title": Phrase("titles"),
    "usage": Phrase("token usage"),
}
# Metadata about layout, and metadata that repeats other metadata.
_LAYOUT = frozenset(
    {
        "blanks", "definition", "depth", "dialect", "encoding", "executionOf", "language", "m", "n",
        "orphan", "section", "suppressions", "type",
    }
)  # fmt: skip
_NESTED = frozenset({"arguments", "attributes", "fields", "file", "openai", "raw", "request"})
_LISTS = frozenset({"calls", "results"})
# Attributes whose meaning is in the role or the parts of the message.
_KEPT_ATTRIBUTES = frozenset({"definition", "mime_type", "name", "reasoning", "role"})


def metadata_names(key: str, value: object) -> Iterator[Phrase]:
    """Names for a key of a message's ``meta`` and for the keys below it."""
    if key in _LAYOUT:
        return
    if key in _LISTS and isinstance(value, list | tuple):
        for about in value:
            if isinstance(about, Mapping):
                for name, inner in about.items():
                    if name not in ("id", "fence", "element"):
                        yield from metadata_names(name, inner)
    elif key in _NESTED and isinstance(value, Mapping):
        for name, inner in value.items():
            if key == "request" and isinstance(inner, Mapping):
                # These are options of a service, by its own names.
                yield from [Phrase("`{key}`", key=option) for option in inner]
            elif not (key == "attributes" and name in _KEPT_ATTRIBUTES):
                yield from metadata_names(name, inner)
    else:
        yield _WORDS[key] if key in _WORDS else Phrase("`{key}`", key=key)


Unplaced = tuple[int | None, Phrase]
"""The name of metadata, and its message; ``None`` for that of the whole conversation."""


def unplaced_losses(found: Iterable[Unplaced]) -> list[Loss]:
    """Losses for metadata that a target cannot hold: each name once, at its first message."""
    named: set[Phrase] = set()
    by_message: dict[int | None, list[Phrase]] = {}
    for index, name in found:
        if name not in named:
            named.add(name)
            by_message.setdefault(index, []).append(name)
    return [
        Loss(Phrase(_NO_PLACE, things=joined(names)), None, index)
        for index, names in by_message.items()
    ]


def is_unplaced(loss: Loss) -> bool:
    """Whether a loss is about metadata."""
    return isinstance(loss.what, Phrase) and loss.what.template == _NO_PLACE


_NO_PLACE = Phrase("this format cannot hold {things}").template


def unplaced_keys(index: int, message: Message, keys: Iterable[str]) -> Iterator[Unplaced]:
    """The names of some keys of a message's ``meta``, each with its message."""
    meta: Mapping[str, Any] = message.meta or {}
    for key in keys:
        owner = None if key in CARRIED_META else index
        yield from [(owner, name) for name in metadata_names(key, meta.get(key))]


# -- parts ------------------------------------------------------------------------------------


def named(part: MessagePart) -> Phrase:
    """The name of a part for users."""
    match part.kind:
        case "tool_call":
            return Phrase("the tool call `{name}`", name=part.payload.tool_name)
        case "tool_result" if part.payload.tool_call_id:
            return Phrase("the result of `{call}`", call=part.payload.tool_call_id)
        case "file_ref":
            return Phrase("the file `{path}`", path=part.payload.path)
        case kind:
            return _PARTS[kind]


def written_as_name(part: FileRefPart) -> Phrase:
    """The loss of a file that a service does not accept."""
    path = part.payload.path
    if DATA in (part.payload.model_extra or {}):
        return Phrase("the file `{path}` is written as its name, without its content", path=path)
    return Phrase("the file `{path}` is written as its name", path=path)


_PARTS: Mapping[str, Phrase] = {
    "text": Phrase("a text"),
    "thinking": Phrase("a thought"),
    "image": Phrase("an image"),
    "tool_result": Phrase("a result without a call"),
}


def extras_of(parts: Iterable[MessagePart]) -> Iterator[tuple[str, str]]:
    """Keys of parts that not every format can hold, each with the kind of its part."""
    for part in parts:
        extra = {**(part.payload.model_extra or {}), **(part.model_extra or {})}
        yield from [(part.kind, key) for key in extra]
        if _has_original_text(part):
            yield part.kind, "rawArgsText"
        if isinstance(part, ToolResultPart) and isinstance(part.payload.content, tuple):
            yield from extras_of(part.payload.content)


def _has_original_text(part: MessagePart) -> bool:
    """Whether a call has both its arguments and the text that they were parsed from."""
    call = part.payload
    return isinstance(call, ToolCall) and None not in (call.arguments, call.raw_args_text)


def _bare(part: MessagePart) -> MessagePart:
    """A part with only the keys that every format can hold."""
    beside, inside = part.model_extra or {}, dict(part.payload.model_extra or {})
    if _has_original_text(part):
        inside["rawArgsText"] = None
    if not beside and not inside:
        return part
    wire = {key: value for key, value in part.to_wire().items() if key not in beside}
    wire["payload"] = {key: v for key, v in wire["payload"].items() if key not in inside}
    return type(part).from_wire(wire)


def lost_part_phrases(wanted: Sequence[MessagePart], found: Sequence[MessagePart]) -> list[Phrase]:
    """A description of each part that is missing or changed, without repetition."""
    missing, others = missing_parts(wanted, found)
    lost = dict.fromkeys([_lost_part(part, others) for part in missing[:_MOST_DESCRIBED]])
    if len(missing) > _MOST_DESCRIBED:
        count = str(len(missing) - _MOST_DESCRIBED)
        lost[Phrase("{count} more parts change or were left out", count=count)] = None
    return list(lost)


def missing_parts(
    wanted: Iterable[MessagePart], found: Iterable[MessagePart]
) -> tuple[list[MessagePart], list[MessagePart]]:
    """The wanted parts that were not found, and the found parts that were not wanted."""
    left: dict[Hashable, list[MessagePart]] = {}
    for part in map(_bare, found):
        left.setdefault(_key(part.to_wire()), []).append(part)
    missing = []
    for part in map(_bare, wanted):
        same = left.get(_key(part.to_wire()))
        if same:
            same.pop()
        else:
            missing.append(part)
    return missing, [part for same in left.values() for part in same]


def _key(value: Any) -> Hashable:
    """A JSON value as a hashable value."""
    if isinstance(value, Mapping):
        return frozenset([(key, _key(item)) for key, item in value.items()])
    return tuple(map(_key, value)) if isinstance(value, list | tuple) else value


def _lost_part(part: MessagePart, found: Sequence[MessagePart]) -> Phrase:
    match part.kind:
        case "tool_call":
            name = part.payload.tool_name
            same = [p for p in found if p.kind == "tool_call" and p.payload.tool_name == name]
            if same:
                return Phrase("the arguments or the id of the tool call `{name}` change", name=name)
            return Phrase("the tool call `{name}` was left out", name=name)
        case "tool_result":
            return _lost_result(part, found)
        case "thinking":
            if any(p.kind == "text" and part.payload.text in p.payload.text for p in found):
                return Phrase("reasoning becomes part of the text")
            return Phrase("reasoning was left out")
        case "image":
            image = (part.payload.url, part.payload.data)
            images = [(p.payload.url, p.payload.data) for p in found if p.kind == "image"]
            if image in images:
                return Phrase("the type of an image is not kept")
            if any(p.kind == "file_ref" for p in found):
                return Phrase("an image becomes a file")
            if any(p.kind == "text" and "![" in p.payload.text for p in found):
                return Phrase("an image becomes a link in the text")
            return Phrase("an image was left out")
        case "file_ref":
            path = part.payload.path
            if any(p.kind == "text" and path in p.payload.text for p in found):
                return Phrase("the file `{path}` becomes a link in the text", path=path)
            if any(p.kind == "image" and p.payload.url == path for p in found):
                return Phrase("the file `{path}` becomes an image", path=path)
            if any(p.kind == "file_ref" and p.payload.path == path for p in found):
                return Phrase("the type and the size of the file `{path}` are not kept", path=path)
            return Phrase("the file `{path}` was left out", path=path)
        case _:
            text = part.payload.text
            if any(p.kind == "text" and text in p.payload.text for p in found):
                return Phrase("separate texts are joined")
            if not text.strip():
                return Phrase("blank text was left out")
            if "![" in text and any(p.kind == "image" for p in found):
                return Phrase("an image inside a text becomes a part of its own")
            words = [p.payload.text.split() for p in found if p.kind in ("text", "thinking")]
            if text.split() in words:
                return Phrase("the blanks or line ends of a text change")
            return Phrase("a text changes")


def _lost_result(part: ToolResultPart, found: Sequence[MessagePart]) -> Phrase:
    result = part.payload
    call = result.tool_call_id
    same = [p for p in found if isinstance(p, ToolResultPart) and p.payload.tool_call_id == call]
    if not same:
        others = [p for p in found if isinstance(p, ToolResultPart)]
        if any(p.payload.content == result.content for p in others):
            other = others[0].payload.tool_call_id
            return Phrase("the result of `{call}` becomes one of `{other}`", call=call, other=other)
        return Phrase("the result of `{call}` was left out", call=call)
    got = same[0].payload
    if got.content == result.content:
        return Phrase("the failure of the tool call `{call}` is not kept", call=call)
    if isinstance(result.content, Mapping):
        return Phrase("the result of `{call}`, an object, becomes JSON text", call=call)
    if isinstance(got.content, Mapping):
        return Phrase("the result of `{call}` changes", call=call)
    changes = lost_part_phrases(_content_parts(result.content), _content_parts(got.content))
    if changes:
        return Phrase("in the result of `{call}`: {what}", call=call, what=changes[0])
    if isinstance(got.content, str):
        return Phrase("the result of `{call}`, a list, becomes text", call=call)
    return Phrase("the result of `{call}`, a text, becomes a list", call=call)


def _content_parts(content: str | Sequence[MessagePart]) -> Sequence[MessagePart]:
    return [TextPart.of(content)] if isinstance(content, str) else content
