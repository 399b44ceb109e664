"""Reads rollouts of Codex: JSON lines with the items sent to the model and received from it.

Owns the mapping of each kind of record. What is shown on the screen is recorded a second time,
as events; only the items are read, and the few events that change their meaning.
Older rollouts have bare items, without the envelope of newer ones.
"""

import json
import re
from collections.abc import Iterator

from msgls.conversation.parts import (
    Wire,
    call_part,
    dict_of,
    image_part,
    json_object,
    list_of,
    result_content,
    result_part,
    text_of,
    text_part,
)
from msgls.conversation.readers.transcripts import (
    AgentFiles,
    Draft,
    Transcript,
    iso_time,
    no_files,
    number_of,
    short_title,
    texts_of,
)

_ITEMS = frozenset({
    "message", "reasoning", "function_call", "function_call_output", "local_shell_call",
    "custom_tool_call", "custom_tool_call_output", "web_search_call", "agent_message",
    "tool_search_call", "tool_search_output", "image_generation_call", "ghost_snapshot",
    "compaction", "context_compaction", "compaction_summary", "mcp_tool_call",
})  # fmt: skip
_ENVELOPES = frozenset({
    "session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state",
    "inter_agent_communication", "inter_agent_communication_metadata", "security_risk_score",
})  # fmt: skip
# Records for Codex itself or for the service.
_QUIET = frozenset({
    "world_state", "inter_agent_communication_metadata", "security_risk_score", "ghost_snapshot",
    "compaction", "context_compaction", "compaction_summary", "state", "tool_search_output",
})  # fmt: skip
_DATA_URL = "data:"
_EXIT_CODE = re.compile(r"(?:Exit code|Process exited with code):? (\d+)", re.MULTILINE)
_HEAD = 400


def is_record(value: object) -> bool:
    """Whether a value looks like a line of a rollout."""
    record = dict_of(value)
    if record.get("type") in _ENVELOPES:
        return isinstance(record.get("payload"), dict)
    if record.get("record_type") == "state":
        return True
    # The first line of old rollouts.
    return {"id", "timestamp", "instructions"} <= record.keys() and "role" not in record


class Codex(Transcript):
    """A rollout."""

    agent = "codex"

    def __init__(
        self,
        agent_files: AgentFiles = no_files,
        depth: int = 0,
        abandoned: frozenset[object] | None = None,
    ) -> None:
        super().__init__(agent_files, depth, abandoned)
        self._turns: list[int] = []
        self._turn = 0
        self._first = 0
        """The first record of a sub-agent's own: the ones before it are copied from its parent."""
        self._model = ""
        self._step = 0
        self._answer = ""
        self._calls: dict[str, tuple[str, str, Wire]] = {}
        self._last_call = ""

    # -- records

    def _record(self, record: Wire, line: int) -> Iterator[Draft]:
        kind = text_of(record.get("type"))
        if self._depth and number_of(record.get("ordinal")) < self._first:
            return
        time = iso_time(record.get("timestamp"))
        self.about.updated = max(self.about.updated, time)
        base = self.base(line, time, self._turn)
        if kind in _ITEMS:
            yield from self._item(record, base)
            return
        if kind not in _ENVELOPES:
            if "instructions" in record or "git" in record:
                yield from self._meta(record, base)
            elif record.get("record_type") != "state":
                self.leave_out(kind or "?", line)
            return
        payload = dict_of(record.get("payload"))
        if kind == "session_meta":
            yield from self._meta(payload, base)
        elif kind == "turn_context":
            self._model = text_of(payload.get("model")) or self._model
        elif kind == "response_item":
            yield from self._item(payload, base)
        elif kind == "compacted":
            yield from self._compacted(payload, base)
        elif kind == "event_msg":
            yield from self._event(payload, base)
        elif kind == "inter_agent_communication":
            yield from self._between_agents(payload, base)
        elif kind not in _QUIET:
            self.leave_out(kind, line)

    def _meta(self, meta: Wire, base: Draft) -> Iterator[Draft]:
        about = self.about
        if about.session:
            # A rollout that continues another one repeats its `session_meta`.
            return
        about.session = text_of(meta.get("id")) or text_of(meta.get("session_id"))
        about.project = text_of(meta.get("cwd"))
        about.is_agent = "subagent" in dict_of(meta.get("source"))
        self._first = number_of(meta.get("subagent_history_start_ordinal"))
        base = base._replace(time=base.time or iso_time(meta.get("timestamp")))
        prompt = meta.get("base_instructions") or meta.get("instructions")
        text = text_of(prompt) or text_of(dict_of(prompt).get("text"))
        if text.strip():
            yield base._replace(role="system", parts=texts_of(text), id=self.ids.next())

    def _compacted(self, payload: Wire, base: Draft) -> Iterator[Draft]:
        self._step += 1
        yield self.compacted(base, self.ids.next())
        text = text_of(payload.get("message"))
        if text.strip():
            title = "Summary of what was said before"
            yield base._replace(parts=texts_of(text), id=self.ids.next(), title=title)
        else:
            yield from self._kept(list_of(payload.get("replacement_history")), base)
        self._answer = ""

    def _kept(self, items: list[object], base: Draft) -> Iterator[Draft]:
        """The messages that replace the conversation, if there is no summary."""
        for item in map(dict_of, items):
            parts = tuple(self._content(item.get("content"), base.line))
            if item.get("type") == "message" and parts:
                title = "Kept when the conversation was compacted"
                yield base._replace(parts=parts, id=self.ids.next(), title=title)

    def _event(self, payload: Wire, base: Draft) -> Iterator[Draft]:
        kind = payload.get("type")
        if kind == "token_count":
            total = dict_of(dict_of(payload.get("info")).get("total_token_usage"))
            tokens = number_of(total.get("total_tokens"))
            cached = number_of(total.get("cached_input_tokens"))
            self.about.tokens = max(self.about.tokens, tokens - cached)
        elif kind == "thread_rolled_back":
            count = number_of(payload.get("num_turns"))
            back = self._turns[len(self._turns) - count :] if count else []
            del self._turns[len(self._turns) - len(back) :]
            self._turn = 0
            self.give_up(back)
        elif kind in ("error", "stream_error", "turn_aborted"):
            text = text_of(payload.get("message")) or text_of(payload.get("reason"))
            if text.strip():
                yield self.note(base, texts_of(text), self.ids.next())

    def _between_agents(self, payload: Wire, base: Draft) -> Iterator[Draft]:
        content = payload.get("content")
        text = text_of(content) or text_of(payload.get("message"))
        parts = texts_of(text) or tuple(self._content(content, base.line))
        if parts:
            title = short_title(f"From {text_of(payload.get('author')) or 'an agent'}")
            yield base._replace(parts=parts, id=self.ids.next(), title=title)

    # -- items

    def _item(self, item: Wire, base: Draft) -> Iterator[Draft]:
        kind = text_of(item.get("type"))
        if kind == "message":
            yield from self._message(item, base)
        elif kind == "agent_message":
            yield from self._between_agents(item, base)
        elif kind == "reasoning":
            yield from self._thought(item, base)
        elif kind.endswith("_output") and kind not in _QUIET:
            yield from self._result(item, base)
        elif kind.endswith("_call"):
            yield from self._call(kind, item, base)
        elif kind not in _QUIET:
            self.leave_out(kind or "?", base.line)

    def _message(self, item: Wire, base: Draft) -> Iterator[Draft]:
        role = text_of(item.get("role"))
        parts = tuple(self._content(item.get("content"), base.line))
        if not parts:
            return
        if role == "assistant":
            yield from self._answered(parts, base)
            return
        title = ""
        if role == "user":
            text = text_of(dict_of(parts[0]["payload"]).get("text"))
            if text.lstrip().startswith(("<", "# AGENTS.md")):
                title = "Added by Codex"
            else:
                base = self._new_turn(base, text)
        self._answer = ""
        self._step += 1
        role = role if role == "user" else "system"
        yield base._replace(role=role, parts=parts, id=self.ids.next(), title=title)

    def _new_turn(self, base: Draft, text: str) -> Draft:
        self.about.asked(text)
        self._turn = self.about.turns
        self._turns.append(self._turn)
        return self.base(base.line, base.time, self._turn)

    def _answered(self, parts: tuple[Wire, ...], base: Draft) -> Iterator[Draft]:
        self.about.answered(self.who, self._model)
        for part in parts:
            self._answer = self.ids.next()
            yield self._as_answer(base)._replace(parts=(part,), id=self._answer)

    def _as_answer(self, base: Draft) -> Draft:
        group = f"step-{self._step}"
        return base._replace(role="assistant", agent=self.who, model=self._model, group=group)

    def _thought(self, item: Wire, base: Draft) -> Iterator[Draft]:
        pieces = [*list_of(item.get("summary")), *list_of(item.get("content"))]
        text = "\n\n".join([text_of(dict_of(piece).get("text")) for piece in pieces])
        if text.strip():
            yield from self._answered((text_part(text, "thinking"),), base)

    def _call(self, kind: str, item: Wire, base: Draft) -> Iterator[Draft]:
        call_id = text_of(item.get("call_id")) or text_of(item.get("id")) or f"call-{base.line}"
        name, arguments = _tool(kind, item)
        self._last_call = call_id
        if not self._answer:
            self._answer = self.ids.next()
            self.about.answered(self.who, self._model)
            yield self._as_answer(base)._replace(id=self._answer)
        self._calls[call_id] = self._answer, name, dict_of(json_object(text_of(arguments)))
        part = call_part(call_id, name, arguments)
        yield self._as_answer(base)._replace(parts=(part,), answer=self._answer)
        if kind in ("web_search_call", "image_generation_call"):
            # The service executes it: there is no separate result.
            status = text_of(item.get("status")) or "completed"
            output = result_content(_image(text_of(item.get("result")))) or status
            yield self._answering(call_id, output, status == "failed", base)

    def _result(self, item: Wire, base: Draft) -> Iterator[Draft]:
        call_id = text_of(item.get("call_id")) or self._last_call
        output, is_error = self._output(item.get("output"), base.line)
        self._step += 1
        yield self._answering(call_id, output, is_error, base)
        yield from self._sub_agent(call_id, output)
        self._answer = ""

    def _answering(self, call_id: str, output: object, is_error: bool, base: Draft) -> Draft:
        answer = self._calls.get(call_id, ("", "", {}))[0]
        return base._replace(
            role="tool", parts=(result_part(call_id, output, is_error),), answer=answer
        )

    def _output(self, output: object, line: int) -> tuple[object, bool]:
        """The output of a tool, and whether it failed: text, parts, or JSON with an exit code."""
        if isinstance(output, dict):
            is_error = output.get("success") is False
            return self._output(output.get("content"), line)[0], is_error
        if isinstance(output, list):
            return result_content(self._content(output, line)), False
        text = text_of(output)
        value = json_object(text) if text.startswith('{"output"') else None
        if value is None:
            code = _EXIT_CODE.search(text, 0, _HEAD)
            return text, code is not None and int(code.group(1)) != 0
        status = dict_of(value.get("metadata")).get("exit_code")
        return text_of(value.get("output")), isinstance(status, int) and status != 0

    def _content(self, content: object, line: int) -> list[Wire]:
        if isinstance(content, str):
            return list(texts_of(content))
        parts: list[Wire] = []
        for block in map(dict_of, list_of(content)):
            kind = text_of(block.get("type"))
            if kind in ("input_text", "output_text", "text"):
                parts += texts_of(text_of(block.get("text")))
            elif kind == "input_image":
                parts += _image(text_of(block.get("image_url")))
            elif kind != "encrypted_content":
                self.leave_out(f"content {kind}" if kind else "?", line)
        return parts

    # -- sub-agents

    def _sub_agent(self, call_id: str, output: object) -> Iterator[Draft]:
        _, name, arguments = self._calls.get(call_id, ("", "", {}))
        if name != "spawn_agent":
            return
        started = dict_of(json_object(text_of(output)))
        agent_id = text_of(started.get("agent_id")) or text_of(started.get("task_name"))
        title = short_title(text_of(arguments.get("message")))
        yield from self.below(agent_id, arguments.get("agent_type"), title)


def _tool(kind: str, item: Wire) -> tuple[str, object]:
    """The name of a tool, and its arguments."""
    name = text_of(item.get("name"))
    if kind == "local_shell_call":
        return "local_shell", dict_of(item.get("action"))
    if kind == "web_search_call":
        return "web_search", dict_of(item.get("action"))
    if kind == "image_generation_call":
        return "image_generation", {"prompt": text_of(item.get("revised_prompt"))}
    if kind == "custom_tool_call":
        return name or "tool", {"input": text_of(item.get("input"))}
    arguments = item.get("arguments")
    if isinstance(arguments, str) and not arguments.strip():
        arguments = {}
    if arguments is not None and not isinstance(arguments, str | dict):
        arguments = json.dumps(arguments)
    return name or kind.removesuffix("_call"), arguments if arguments is not None else {}


def _image(address: str) -> list[Wire]:
    if not address:
        return []
    if not address.startswith(_DATA_URL):
        is_address = address.startswith(("http://", "https://"))
        return [image_part("image/png", **({"url" if is_address else "data": address}))]
    head, _, data = address.partition(",")
    kind = head.removeprefix(_DATA_URL).partition(";")[0]
    return [image_part(kind or "image/png", data=data)]
