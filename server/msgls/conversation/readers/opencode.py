"""Reads sessions of opencode, as ``opencode export`` writes them: one JSON object.

Owns the mapping of each part of a message. A call with its result is one part there, and
becomes two messages.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from msgls.conversation.parts import (
    Wire,
    call_part,
    dict_of,
    file_part,
    image_part,
    list_of,
    result_content,
    result_part,
    text_of,
    text_part,
)
from msgls.conversation.readers.drafts import time_of_seconds
from msgls.conversation.readers.transcripts import (
    AgentFiles,
    Draft,
    Records,
    Transcript,
    no_files,
    number_of,
    short_title,
    texts_of,
)

# Parts for opencode itself.
_BOOKKEEPING = frozenset({
    "step-start", "step-finish", "snapshot", "patch", "agent", "retry", "source-url",
})  # fmt: skip
_DATA_URL = "data:"


def is_export(value: object) -> bool:
    """Whether a value looks like a session that was exported."""
    export = dict_of(value)
    messages = export.get("messages")
    if not isinstance(messages, list) or not isinstance(export.get("info"), dict):
        return False
    return all(isinstance(dict_of(message).get("parts"), list) for message in messages[:5])


class OpenCode(Transcript):
    """A session."""

    agent = "opencode"

    @classmethod
    def planned(cls, records: Records, agent_files: AgentFiles = no_files) -> OpenCode:
        """A reader of a session, which says itself what was reverted."""
        return cls(agent_files)

    def _record(self, record: Wire, line: int) -> Iterator[Draft]:
        info = dict_of(record.get("info"))
        about = self.about
        about.session = text_of(info.get("id"))
        about.title = short_title(text_of(info.get("title")))
        about.project = text_of(info.get("directory"))
        times = dict_of(info.get("time"))
        about.updated = _time(times.get("updated")) or _time(times.get("created"))
        # Reverted messages stay in the session until a new message is sent.
        reverted = text_of(dict_of(info.get("revert")).get("messageID"))
        is_abandoned = False
        for number, message in enumerate(list_of(record.get("messages"))):
            if not isinstance(message, dict):
                self.leave_out("?", line)
                continue
            own = dict_of(message.get("info")) or message
            is_abandoned = is_abandoned or (bool(reverted) and own.get("id") == reverted)
            yield from self._message(own, list_of(message.get("parts")), number, is_abandoned)

    def _message(
        self, info: Wire, parts: list[object], number: int, is_abandoned: bool
    ) -> Iterator[Draft]:
        times = dict_of(info.get("time")) or dict_of(dict_of(info.get("metadata")).get("time"))
        base = self.base(number, _time(times.get("created")))
        base = base._replace(is_hidden=base.is_hidden or is_abandoned)
        if info.get("role") == "assistant":
            yield from self._answer(info, parts, base)
        else:
            yield from self._user_drafts(info, parts, base)

    def _user_drafts(self, info: Wire, parts: list[object], base: Draft) -> Iterator[Draft]:
        content: list[Wire] = []
        for part in map(dict_of, parts):
            if part.get("type") == "compaction":
                yield self.compacted(base, self.ids.next())
            elif part.get("ignored") is not True:
                content += self._part(part, base.line)
        if content:
            if not all(dict_of(part).get("synthetic") is True for part in parts):
                self.about.asked(text_of(content[0]["payload"].get("text")))
            yield base._replace(parts=tuple(content), id=self._id(info))

    def _answer(self, info: Wire, parts: list[object], base: Draft) -> Iterator[Draft]:
        model = text_of(info.get("modelID"))
        self.about.answered(self.who, model)
        self._count_tokens(dict_of(info.get("tokens")))
        group = text_of(info.get("id")) or f"message-{base.line}"
        base = base._replace(role="assistant", agent=self.who, model=model, group=group)
        answer = ""
        results: list[Draft] = []
        is_running = dict_of(info.get("time")).get("completed") is None and not info.get("error")
        for part in map(dict_of, parts):
            if is_running and _is_being_written(part):
                break
            call = _tool(part)
            if call is None:
                for made in self._part(part, base.line):
                    yield from results
                    results = []
                    answer = self._id(info)
                    yield base._replace(parts=(made,), id=answer)
                continue
            if not answer:
                answer = self._id(info)
                yield base._replace(id=answer)
            call_id, name, state = call
            made = call_part(call_id, name, dict_of(state.get("input")))
            yield base._replace(parts=(made,), answer=answer)
            results += self._result(call_id, state, base._replace(answer=answer))
        yield from results
        error = dict_of(info.get("error"))
        if error:
            text = text_of(dict_of(error.get("data")).get("message")) or text_of(error.get("name"))
            yield self.note(base._replace(group=""), texts_of(text or "error"), self.ids.next())

    def _count_tokens(self, tokens: Wire) -> None:
        cache = dict_of(tokens.get("cache"))
        counted = [tokens.get(key) for key in ("input", "output", "reasoning")]
        self.about.tokens += sum(map(number_of, [*counted, cache.get("write")]))

    def _id(self, info: Wire) -> str:
        return self.ids.of(text_of(info.get("id"))[-10:])

    def _result(self, call_id: str, state: Wire, base: Draft) -> Iterator[Draft]:
        status = text_of(state.get("status"))
        if status not in ("completed", "error", "result"):
            return
        output = state.get("output") if status != "error" else state.get("error")
        if not isinstance(output, str):
            output = json.dumps(output, ensure_ascii=False, indent=2)
        parts = [text_part(output)] if output else []
        for file in list_of(state.get("attachments")):
            parts += self._part(dict_of(file), base.line)
        part = result_part(call_id, result_content(parts), status == "error")
        yield base._replace(role="tool", parts=(part,), group="", model="", agent="")
        child = text_of(dict_of(state.get("metadata")).get("sessionId"))
        arguments = dict_of(state.get("input"))
        title = short_title(text_of(arguments.get("description")))
        yield from self.below(child, arguments.get("subagent_type"), title)

    def _part(self, part: Wire, line: int) -> list[Wire]:
        kind = text_of(part.get("type"))
        if kind == "text":
            return list(texts_of(text_of(part.get("text"))))
        if kind == "reasoning":
            return list(texts_of(text_of(part.get("text")), "thinking"))
        if kind == "file":
            return _file(part)
        if kind == "subtask":
            return list(texts_of(text_of(part.get("prompt"))))
        if kind not in _BOOKKEEPING:
            self.leave_out(f"part {kind}" if kind else "?", line)
        return []


def _is_being_written(part: Wire) -> bool:
    """Whether a part of an answer that is not complete may still change."""
    if part.get("type") == "tool":
        return dict_of(part.get("state")).get("status") == "pending"
    times = dict_of(part.get("time"))
    return "start" in times and times.get("end") is None


def _tool(part: Wire) -> tuple[str, str, Wire] | None:
    """The id, the name and the state of a call; ``None`` if a part is not a call."""
    if part.get("type") == "tool":
        call_id = text_of(part.get("callID")) or text_of(part.get("id")) or "call"
        return call_id, text_of(part.get("tool")) or "tool", dict_of(part.get("state"))
    if part.get("type") == "tool-invocation":
        # The form in the first versions.
        call = dict_of(part.get("toolInvocation"))
        state = {
            "status": text_of(call.get("state")),
            "input": call.get("args"),
            "output": call.get("result"),
        }
        name = text_of(call.get("toolName")) or "tool"
        return text_of(call.get("toolCallId")) or "call", name, state
    return None


def _file(part: Wire) -> list[Wire]:
    address = text_of(part.get("url"))
    mime = text_of(part.get("mime")) or text_of(part.get("mediaType"))
    if mime.startswith("image/") and address:
        if address.startswith(_DATA_URL):
            return [image_part(mime, data=address.partition(",")[2])]
        return [image_part(mime, url=address)]
    name = text_of(part.get("filename")) or address
    return [file_part(name if not name.startswith(_DATA_URL) else "file", mime)] if name else []


def _time(milliseconds: object) -> str:
    if isinstance(milliseconds, bool) or not isinstance(milliseconds, int | float):
        return ""
    return time_of_seconds(milliseconds / 1000) or ""
