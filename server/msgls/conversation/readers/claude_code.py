"""Reads sessions of Claude Code: JSON lines, one for each block of a message.

Owns the mapping of each kind of record, the choice of the current branch of a session, and the
place of sub-agents. Versions differ: older ones write the records of sub-agents between those of
the session, newer ones into separate files; some write several blocks into one record.
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
from msgls.conversation.readers.transcripts import (
    AgentFiles,
    Draft,
    LeftOut,
    Records,
    Transcript,
    agent_name,
    iso_time,
    no_files,
    number_of,
    short_title,
    texts_of,
)

# Records for Claude Code itself, which are no part of the conversation.
_BOOKKEEPING = frozenset({
    "file-history-snapshot", "queue-operation", "progress", "permission-mode", "mode",
    "last-prompt", "agent-name", "agent-color", "agent-setting", "pr-link", "tag",
    "worktree-state", "started", "result",
})  # fmt: skip
_QUIET_SYSTEM = frozenset({"turn_duration", "stop_hook_summary", "microcompact_boundary"})
_TITLES = {
    "custom-title": ("customTitle", 3),
    "ai-title": ("aiTitle", 2),
    "summary": ("summary", 1),
}
_SPOKEN = frozenset({"user", "assistant", "system", "attachment"})
_NO_MODEL = "<synthetic>"
_SUB_AGENTS = frozenset({"Task", "Agent"})
# The arguments of a call that describe the sub-agent that it starts.
_SUB_AGENT_KEYS = ("subagent_type", "description", "prompt")


def is_record(value: object) -> bool:
    """Whether a value looks like a line of such a session."""
    record = dict_of(value)
    kind = record.get("type")
    if kind in ("user", "assistant"):
        return isinstance(record.get("message"), dict) and (
            "sessionId" in record or "parentUuid" in record
        )
    if kind in ("summary", "custom-title", "ai-title"):
        return "leafUuid" in record or "sessionId" in record
    is_noted = kind in _BOOKKEEPING or kind in ("system", "attachment")
    return is_noted and ("sessionId" in record or "messageId" in record)


class Chain:
    """Detects abandoned branches: a prompt that was rewound to and replaced by another."""

    def __init__(self) -> None:
        self.left: set[str] = set()
        """The prompts that start abandoned branches."""
        self.prompt_of: dict[str, str] = {}
        """The prompt that each record follows, by the uuid of the record."""
        self.kept: set[str] = set()
        """The records that a compaction kept."""
        self._parents: dict[str, str] = {}
        self._anchors: dict[str, str] = {}
        self._prompt_at: dict[str, str] = {}
        self._above: dict[str, str] = {}
        self._tip = ""

    def add(self, record: Wire) -> None:
        """One more record."""
        uuid = text_of(record.get("uuid"))
        if not uuid or uuid in self._anchors or record.get("isSidechain") is True:
            return
        parent = text_of(record.get("parentUuid")) or text_of(record.get("logicalParentUuid"))
        self._parents[uuid] = parent
        self.kept.update(self.kept_by(record))
        if parent not in self._anchors:
            # It is the first record, or its parent was never written.
            parent = self._tip
        anchor = self._anchors.get(parent, "")
        above = self.prompt_of.get(parent, "")
        is_message = record.get("type") in ("user", "assistant")
        self._anchors[uuid] = uuid if is_message else anchor
        self._tip = uuid
        if not _is_prompt(record):
            self.prompt_of[uuid] = above
            return
        self.prompt_of[uuid] = uuid
        self._above[uuid] = above
        before = self._prompt_at.get(anchor)
        if before is not None and anchor:
            self.left.add(before)
        self._prompt_at[anchor] = uuid

    def kept_by(self, record: Wire) -> list[str]:
        """The uuids of the records that a compaction kept besides its summary, oldest first."""
        about = dict_of(record.get("compactMetadata"))
        listed = list_of(dict_of(about.get("preservedMessages")).get("uuids"))
        if listed:
            return [text_of(uuid) for uuid in listed]
        segment = dict_of(about.get("preservedSegment"))
        head, uuid = text_of(segment.get("headUuid")), text_of(segment.get("tailUuid"))
        found: dict[str, None] = {}
        while uuid and uuid not in found:
            found[uuid] = None
            if uuid == head:
                return list(reversed(found))
            uuid = self._parents.get(uuid, "")
        return []

    def is_abandoned(self, uuid: str) -> bool:
        """Whether a record is on an abandoned branch."""
        prompt = self.prompt_of.get(uuid, "")
        while prompt and self.left:
            if prompt in self.left:
                return True
            prompt = self._above.get(prompt, "")
        return False


def _is_prompt(record: Wire) -> bool:
    """Whether a record is a prompt of the person."""
    if record.get("type") != "user" or record.get("isMeta") or record.get("isCompactSummary"):
        return False
    content = dict_of(record.get("message")).get("content")
    kinds = {dict_of(block).get("type") for block in list_of(content)}
    return isinstance(content, str) or bool(kinds - {"tool_result"})


class ClaudeCode(Transcript):
    """A session, or the transcript of one of its sub-agents."""

    agent = "claude"

    def __init__(
        self, agent_files: AgentFiles = no_files, chain: Chain | None = None, depth: int = 0
    ) -> None:
        super().__init__(agent_files, depth)
        self._chain = Chain()
        self._known = chain
        """The branches of the whole session, if all records are known in advance."""
        self._seen: set[str] = set()
        self._is_agent_file: bool | None = None if depth == 0 else True
        self._calls: dict[str, tuple[str, str, Wire]] = {}
        """By the id of a call: the id of its answer, its tool, and its arguments."""
        self._last: Draft | None = None
        self._title_rank = 0
        self._usage = ("", 0)
        self._side: dict[str, tuple[str, str]] = {}
        """The call that started a sub-agent, and its name, by the uuid of its record."""
        self._waiting: dict[str, list[Draft]] = {}
        """Held-back drafts of a sub-agent that was interrupted, by call, until its result."""
        self._last_side = ""
        """The call of the sub-agent that the last draft is from; empty for the session itself."""
        self._kept: dict[str, list[Draft]] = {}
        """The drafts of records that a compaction keeps, by uuid."""
        self._to_repeat: list[str] = []
        """The uuids of the records to repeat after the summary."""

    @classmethod
    def planned(cls, records: Records, agent_files: AgentFiles = no_files) -> ClaudeCode:
        """A reader that knows all records in advance, and so the abandoned branches."""
        chain = Chain()
        for _, record in records:
            if isinstance(record, dict):
                chain.add(record)
        return cls(agent_files, chain)

    # -- records

    def _record(self, record: Wire, line: int) -> Iterator[Draft]:
        kind = text_of(record.get("type"))
        uuid = text_of(record.get("uuid"))
        if uuid and kind in _SPOKEN:
            if uuid in self._seen:
                return
            self._seen.add(uuid)
        left = len(self._chain.left)
        self._chain.add(record)
        if len(self._chain.left) > left and self._known is None:
            self.is_stale = True
        self._read_about(record, kind)
        if kind in ("user", "assistant"):
            is_summary = record.get("isCompactSummary") is True
            if not is_summary and record.get("isSidechain") is not True:
                yield from self._repeated()
            is_kept = self._known is not None and uuid in self._known.kept
            for draft in self._message(record, kind, line):
                self._last = draft
                self._last_side = self._side.get(uuid, ("", ""))[0] if draft.depth else ""
                if is_kept and not draft.is_hidden:
                    self._kept.setdefault(uuid, []).append(draft)
                yield draft
            if is_summary:
                yield from self._repeated()
        elif kind == "system":
            yield from self._system(record, line)
        elif kind == "attachment":
            yield from self._attachment(record, line)
        elif kind not in _BOOKKEEPING and kind not in _TITLES:
            self.leave_out(kind or "?", line)

    def _repeated(self) -> Iterator[Draft]:
        """The drafts that a compaction kept, repeated after the reset."""
        uuids, self._to_repeat = self._to_repeat, []
        answers: dict[str, str] = {}
        title = "Kept from before"
        for draft in [draft for uuid in uuids for draft in self._kept.get(uuid, ())]:
            again = draft._replace(parts=tuple(map(_repeated_part, draft.parts)))
            if draft.role != "tool":
                given = draft.answer or draft.id
                is_new = given not in answers
                if is_new:
                    answers[given] = self.ids.of(f"{given}-kept")
                if draft.answer:
                    again = again._replace(answer=answers[given])
                    if is_new:
                        yield again._replace(id=answers[given], answer="", parts=(), title=title)
                else:
                    again = again._replace(id=answers[given], title=draft.title or title)
                title = ""
            else:
                again = again._replace(answer=answers.get(draft.answer, ""))
            self._last = again
            yield again

    def _read_about(self, record: Wire, kind: str) -> None:
        """Read the information about the session from a record."""
        about = self.about
        about.session = about.session or text_of(record.get("sessionId"))
        about.project = about.project or text_of(record.get("cwd"))
        about.updated = max(about.updated, iso_time(record.get("timestamp")))
        if kind in _TITLES:
            key, rank = _TITLES[kind]
            title = short_title(text_of(record.get(key)))
            if title and rank >= self._title_rank:
                about.title, self._title_rank = title, rank

    def _message(self, record: Wire, kind: str, line: int) -> Iterator[Draft]:
        message = record.get("message")
        if not isinstance(message, dict):
            self.leave_out(f"{kind} without a message", line)
            return
        is_side = record.get("isSidechain") is True
        if self._is_agent_file is None:
            self._is_agent_file = is_side
        base = self._base(record, line)
        call_id = ""
        if is_side and not self._is_agent_file:
            base, call_id = self._between(record, message, base)
        made = self._answer if kind == "assistant" else self._user_drafts
        if not call_id or call_id in (self._last_side, _call_of(self._last)):
            yield from made(record, message, base)
            return
        # Written here, it would follow the call of another sub-agent.
        self._waiting.setdefault(call_id, []).extend(made(record, message, base))
        self._report_waiting()

    def _released(self, call_ids: list[str]) -> Iterator[Draft]:
        """The drafts of sub-agents that were held back."""
        for call_id in call_ids:
            yield from self._waiting.pop(call_id, ())
        self._report_waiting()

    def _report_waiting(self) -> None:
        """Report the drafts that are held back as left out, until they are released."""
        waiting = [draft for drafts in self._waiting.values() for draft in drafts]
        self.left_out.pop("sidechain", None)
        if waiting:
            self.left_out["sidechain"] = LeftOut(len(waiting), waiting[0].line)

    def _base(self, record: Wire, line: int) -> Draft:
        known = self._known or self._chain
        base = self.base(line, iso_time(record.get("timestamp")))
        is_abandoned = known.is_abandoned(text_of(record.get("uuid")))
        return base._replace(agent=self.who, is_hidden=base.is_hidden or is_abandoned)

    def _between(self, record: Wire, message: Wire, base: Draft) -> tuple[Draft, str]:
        """The same for a sub-agent's record within the session, and the call that started it."""
        uuid, parent = text_of(record.get("uuid")), text_of(record.get("parentUuid"))
        title = ""
        if parent in self._side:
            call_id, name = self._side[parent]
        else:
            call_id, name, title = self._started_by(_text(message.get("content")))
        self._side[uuid] = call_id, name
        return base._replace(depth=1, agent=name, title=title, is_hidden=True), call_id

    def _started_by(self, prompt: str) -> tuple[str, str, str]:
        for call_id, (_, tool, arguments) in self._calls.items():
            if tool in _SUB_AGENTS and text_of(arguments.get("prompt")) == prompt:
                return call_id, *_agent_of(arguments)
        return "", "agent", ""

    # -- messages of the person and results

    def _user_drafts(self, record: Wire, message: Wire, base: Draft) -> Iterator[Draft]:
        content = message.get("content")
        blocks = [text_block(content)] if isinstance(content, str) else list_of(content)
        parts: list[Wire] = []
        for block in blocks:
            if dict_of(block).get("type") == "tool_result":
                yield from self._result(record, dict_of(block), base)
            else:
                parts += self._part(block, base.line)
        parts = [part for part in parts if part["kind"] != "text" or _has_text(part)]
        if not parts:
            return
        if not base.depth:
            # The person goes on: the results of running sub-agents will not come.
            yield from self._released(list(self._waiting))
        is_summary = record.get("isCompactSummary") is True
        if is_summary and not (self._last and self._last.is_reset):
            yield self._reset(record, base)
        title = base.title
        if is_summary:
            title = "Summary of what was said before"
        elif record.get("isMeta") is True:
            title = "Added by Claude Code"
        elif base.depth == 0:
            text = next((p["payload"]["text"] for p in parts if p["kind"] == "text"), "")
            self.about.asked("" if text.startswith("<") else text)
        is_shown_only = record.get("isVisibleInTranscriptOnly") is True and not is_summary
        yield base._replace(
            parts=tuple(parts),
            id=self.ids.of(record.get("uuid")),
            title=title,
            is_hidden=base.is_hidden or is_shown_only,
        )

    def _result(self, record: Wire, block: Wire, base: Draft) -> Iterator[Draft]:
        given = text_of(block.get("tool_use_id"))
        content = block.get("content")
        parts: list[Wire] = []
        for inner in list_of(content):
            parts += self._part(inner, base.line)
        output = content if isinstance(content, str) else result_content(parts)
        answer, tool, arguments = self._calls.get(given, ("", "", {}))
        result = base._replace(
            role="tool",
            parts=(result_part(given, output, block.get("is_error") is True),),
            answer=answer,
            title="",
        )
        below = [*self._sub_agent(record, output, tool, arguments), *self._released([given])]
        # A sub-agent is put below its call, or below the result if something came in between.
        is_next = _call_of(self._last) == given
        yield from [*below, result] if is_next else [result, *below]

    def _sub_agent(
        self, record: Wire, output: object, tool: str, arguments: Wire
    ) -> Iterator[Draft]:
        """The messages of a sub-agent, from its own file."""
        agent_id = text_of(dict_of(record.get("toolUseResult")).get("agentId"))
        if not agent_id and tool in _SUB_AGENTS:
            agent_id = _named_agent(output)
        name, title = _agent_of(arguments)
        is_first = True
        for draft in self.below(agent_id, name, ""):
            yield draft._replace(title=title or draft.title) if is_first else draft
            is_first = False

    def _nested(self) -> ClaudeCode:
        return ClaudeCode(self._agent_files, Chain(), self._depth + 1)

    # -- answers

    def _answer(self, record: Wire, message: Wire, base: Draft) -> Iterator[Draft]:
        model = text_of(message.get("model"))
        model = "" if model == _NO_MODEL else model
        group = text_of(message.get("id")) or text_of(record.get("uuid"))
        self._count_tokens(group, dict_of(message.get("usage")))
        self.about.answered(base.agent, model)
        base = base._replace(role="assistant", model=model, group=group)
        content = message.get("content")
        blocks = [text_block(content)] if isinstance(content, str) else list_of(content)
        uuid = record.get("uuid")
        last = self._last
        answer = ""
        if last is not None and (last.group, last.depth) == (group, base.depth):
            answer = last.answer or last.id
        parts = [part for block in blocks for part in self._part(block, base.line)]
        shown = [p for p in parts if p["kind"] in ("tool_call", "image") or _has_text(p)]
        for draft in self.answering(shown, base, lambda: self.ids.of(uuid), answer):
            if draft.answer:
                call = draft.parts[0]["payload"]
                arguments = dict_of(call.get("arguments"))
                kept = {key: arguments[key] for key in _SUB_AGENT_KEYS if key in arguments}
                self._calls[call["toolCallId"]] = draft.answer, call["toolName"], kept
            yield draft

    def _count_tokens(self, group: str, usage: Wire) -> None:
        """Add the tokens of a message: each of its records has the total so far."""
        keys = ("input_tokens", "cache_creation_input_tokens", "output_tokens")
        tokens = sum([number_of(usage.get(key)) for key in keys])
        before = self._usage[1] if self._usage[0] == group else 0
        self.about.tokens += tokens - before
        self._usage = group, tokens

    # -- blocks

    def _part(self, block: object, line: int) -> list[Wire]:
        value = dict_of(block)
        kind = text_of(value.get("type"))
        if kind == "text":
            return [text_part(text_of(value.get("text")))]
        if kind == "thinking":
            # Its text may be empty: then it is dropped later.
            return [text_part(text_of(value.get("thinking")), "thinking")]
        if kind in ("tool_use", "server_tool_use", "mcp_tool_use"):
            name = text_of(value.get("name")) or "tool"
            return [call_part(text_of(value.get("id")) or f"call-{line}", name, value.get("input"))]
        if kind == "image":
            return _image(dict_of(value.get("source")))
        if kind == "document":
            source = dict_of(value.get("source"))
            if source.get("type") == "text":
                return [text_part(text_of(source.get("data")))]
            name = text_of(value.get("title")) or "document"
            return [file_part(name, source.get("media_type"))]
        if isinstance(block, str):
            return [text_part(block)]
        if kind == "redacted_thinking":
            return []
        self.leave_out(f"content {kind}" if kind else "?", line)
        return []

    # -- records of Claude Code itself

    def _system(self, record: Wire, line: int) -> Iterator[Draft]:
        kind = text_of(record.get("subtype"))
        base = self._base(record, line)
        if kind == "compact_boundary":
            yield self._reset(record, base)
            self._to_repeat = self._chain.kept_by(record)
            if self._to_repeat and self._known is None:
                self.is_stale = True
            about = dict_of(record.get("compactMetadata"))
            kept = dict_of(about.get("preservedMessages") or about.get("preservedSegment"))
            if kept.get("anchorUuid") == record.get("uuid"):
                yield from self._repeated()
            return
        text = text_of(record.get("content"))
        if kind == "api_error":
            error = dict_of(record.get("error"))
            text = text or text_of(error.get("message")) or json.dumps(error, ensure_ascii=False)
        if text.strip() and kind not in _QUIET_SYSTEM:
            yield self.note(base, texts_of(text), self.ids.of(record.get("uuid")))
        elif kind not in _QUIET_SYSTEM:
            self.leave_out(f"system {kind}", line)

    def _reset(self, record: Wire, base: Draft) -> Draft:
        about = dict_of(record.get("compactMetadata"))
        raw = record.get("uuid") if record.get("type") == "system" else None
        tokens = number_of(about.get("preTokens"))
        self._last = self.compacted(base, self.ids.of(raw), tokens)
        return self._last

    def _attachment(self, record: Wire, line: int) -> Iterator[Draft]:
        """Text added to the context: only queued prompts are from the person."""
        value = dict_of(record.get("attachment"))
        kind = text_of(value.get("type"))
        prompt = value.get("prompt")
        if kind != "queued_command" or not prompt:
            self.leave_out(f"attachment {kind}", line)
            return
        parts = texts_of(_text(prompt))
        if parts:
            self.about.asked()
            base = self._base(record, line)
            yield base._replace(parts=parts, id=self.ids.of(record.get("uuid")))


def text_block(text: str) -> Wire:
    """A text as a content block."""
    return {"type": "text", "text": text}


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    return "\n\n".join([text_of(dict_of(block).get("text")) for block in list_of(content)])


def _call_of(draft: Draft | None) -> str:
    """The id of the call that a draft holds or answers."""
    part = draft.parts[0] if draft is not None and draft.parts else {}
    return text_of(dict_of(part.get("payload")).get("toolCallId"))


def _repeated_part(part: Wire) -> Wire:
    """A repeated part; calls and results get other ids."""
    payload = part["payload"]
    if "toolCallId" not in payload:
        return part
    return {**part, "payload": {**payload, "toolCallId": f"{payload['toolCallId']}-kept"}}


def _has_text(part: Wire) -> bool:
    return bool(text_of(dict_of(part.get("payload")).get("text")).strip())


def _image(source: Wire) -> list[Wire]:
    kind = text_of(source.get("media_type")) or "image/png"
    if source.get("type") == "base64" and text_of(source.get("data")):
        return [image_part(kind, data=text_of(source.get("data")))]
    if text_of(source.get("url")):
        return [image_part(kind, url=text_of(source.get("url")))]
    return []


def _agent_of(arguments: Wire) -> tuple[str, str]:
    """The name of a sub-agent, and the title of its task."""
    name = agent_name(arguments.get("subagent_type"), "agent")
    return name, short_title(text_of(arguments.get("description")))


def _named_agent(output: object) -> str:
    """The id of a sub-agent, from the text of its result."""
    text = (
        output
        if isinstance(output, str)
        else _text([dict_of(p).get("payload") for p in list_of(output)])
    )
    _, found, rest = text.rpartition("agentId:")
    word = rest.split(None, 1)[0] if found and rest.strip() else ""
    return word.strip("`.,;()")
