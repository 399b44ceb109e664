"""Reads chats of Gemini CLI: one JSON object, or JSON lines with one message each.

Owns the mapping of a message. A line may repeat an earlier message, with the calls and results
that were added since; or rewind to a message. A chat that was saved by hand is the bare list that
is sent to the service.
"""

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
    Transcript,
    iso_time,
    no_files,
    number_of,
    short_title,
    texts_of,
)

_SHOWN_ONLY = ("info", "error", "warning")
_FAILED = ("error", "cancelled")


def is_record(value: object) -> bool:
    """Whether a value looks like a chat, or like the first line of one."""
    return {"sessionId", "projectHash"} <= dict_of(value).keys()


def is_saved(value: object) -> bool:
    """Whether a value looks like a chat that was saved by hand."""
    history = value if isinstance(value, list) else dict_of(value).get("history")
    messages = [dict_of(message) for message in list_of(history)]
    roles = {text_of(message.get("role")) for message in messages}
    return (
        "model" in roles
        and roles <= {"user", "model", "function"}
        and all(isinstance(message.get("parts"), list) for message in messages)
    )


class GeminiCli(Transcript):
    """A chat."""

    agent = "gemini"

    def __init__(
        self,
        agent_files: AgentFiles = no_files,
        depth: int = 0,
        abandoned: frozenset[object] | None = None,
    ) -> None:
        super().__init__(agent_files, depth, abandoned)
        self._order: dict[str, str] = {}
        """The messages in order, each with the id of its draft."""
        self._done: dict[str, set[str]] = {}
        """By message: what was already made into drafts."""
        self._tokens: dict[str, int] = {}
        self._last_calls: list[str] = []
        self._last_answer = ""
        """The last answer of a chat that was saved by hand."""

    def feed(self, record: object, line: int) -> list[Draft]:
        """The drafts of one more record; a saved chat is a list, and a single record."""
        if isinstance(record, list) and is_saved(record):
            return list(self._saved(record, line))
        return super().feed(record, line)

    def _record(self, record: Wire, line: int) -> Iterator[Draft]:
        if "$rewindTo" in record:
            self._take_back(text_of(record.get("$rewindTo")))
        elif isinstance(record.get("$set"), dict):
            if isinstance(record["$set"].get("messages"), list):
                self._keep(record["$set"]["messages"])
            yield from self._read_about(record["$set"], line)
        elif "sessionId" in record:
            yield from self._read_about(record, line)
        elif isinstance(record.get("history"), list):
            yield from self._saved(record["history"], line)
        elif "type" in record and "id" in record:
            yield from self._message(record, line)
        else:
            self.leave_out(text_of(record.get("type")) or "?", line)

    def _read_about(self, record: Wire, line: int) -> Iterator[Draft]:
        """Read the information about the chat from a record, which may also hold messages."""
        about = self.about
        about.session = about.session or text_of(record.get("sessionId"))
        about.updated = max(about.updated, iso_time(record.get("lastUpdated")))
        folders = [text for text in map(text_of, list_of(record.get("directories"))) if text]
        about.project = about.project or (folders[0] if folders else "")
        about.title = short_title(text_of(record.get("summary"))) or about.title
        for message in list_of(record.get("messages")):
            if isinstance(message, dict):
                yield from self._message(message, line)
            else:
                self.leave_out("?", line)

    def _take_back(self, message_id: str) -> None:
        names = list(self._order)
        self._forget(names[names.index(message_id) if message_id in self._order else 0 :])

    def _keep(self, messages: list[object]) -> None:
        """Forget all messages but these: after a compression, those that remain are repeated."""
        kept = {text_of(dict_of(message).get("id")) for message in messages}
        self._forget([name for name in self._order if name not in kept])

    def _forget(self, names: list[str]) -> None:
        self.give_up(names)
        for name in names:
            del self._order[name]

    # -- messages

    def _message(self, message: Wire, line: int) -> Iterator[Draft]:
        given = text_of(message.get("id")) or f"line-{line}-{len(self._order)}"
        kind = text_of(message.get("type"))
        is_new = given not in self._order
        if is_new:
            self._order[given] = self.ids.of(message.get("id"))
            self._done[given] = set()
        base = self.base(line, iso_time(message.get("timestamp")), given)
        self.about.updated = max(self.about.updated, base.time)
        if kind == "gemini":
            yield from self._answer(given, message, base, is_new)
        elif not is_new:
            return
        elif kind == "user":
            yield from self._user_drafts(given, message, base)
        elif kind in _SHOWN_ONLY:
            parts = tuple(self._content(message.get("content"), line))
            if parts:
                yield self.note(base, parts[:1], self._order[given])
        else:
            self.leave_out(kind or "?", line)

    def _user_drafts(self, given: str, message: Wire, base: Draft) -> Iterator[Draft]:
        parts = self._content(message.get("content"), base.line)
        results = [part for part in parts if part["kind"] == "tool_result"]
        others = tuple([part for part in parts if part["kind"] != "tool_result"])
        for part in results:
            yield base._replace(role="tool", parts=(part,), answer=self._last_answer)
        if others:
            text = text_of(others[0]["payload"].get("text"))
            self.about.asked("" if text.startswith(("/", "<")) else text)
            yield base._replace(parts=others, id=self._order[given])

    def _answer(self, given: str, message: Wire, base: Draft, is_new: bool) -> Iterator[Draft]:
        model = text_of(message.get("model"))
        self.about.answered(self.who, model)
        self._count_tokens(given, dict_of(message.get("tokens")))
        base = base._replace(role="assistant", agent=self.who, model=model, group=given)
        own, done = self._order[given], self._done[given]
        thoughts = "\n\n".join(map(_thought, map(dict_of, list_of(message.get("thoughts")))))
        content = self._content(message.get("content"), base.line)
        if thoughts.strip() and "thoughts" not in done:
            done.add("thoughts")
            thought = (text_part(thoughts, "thinking"),)
            yield base._replace(parts=thought, id=f"{own}-thoughts" if content else own)
        if content and "content" not in done:
            done.add("content")
            for number, part in enumerate(content):
                yield base._replace(parts=(part,), id=own if number == 0 else self.ids.of(own))
        calls = list_of(message.get("toolCalls"))
        if calls and not done:
            done.add("empty")
            yield base._replace(id=own)
        for number, call in enumerate(map(dict_of, calls)):
            yield from self._call(own, call, f"{given}-{number}", done, base)

    def _count_tokens(self, given: str, tokens: Wire) -> None:
        total = max(0, number_of(tokens.get("total")) - number_of(tokens.get("cached")))
        if total:
            self.about.tokens += total - self._tokens.get(given, 0)
            self._tokens[given] = total

    def _call(
        self, answer: str, call: Wire, fallback: str, done: set[str], base: Draft
    ) -> Iterator[Draft]:
        call_id = text_of(call.get("id")) or fallback
        if f"call {call_id}" not in done:
            done.add(f"call {call_id}")
            part = call_part(call_id, text_of(call.get("name")) or "tool", _arguments(call))
            yield base._replace(parts=(part,), answer=answer)
        result = call.get("result")
        status = text_of(call.get("status"))
        if result is None and status not in _FAILED:
            return
        if f"result {call_id}" in done:
            return
        done.add(f"result {call_id}")
        output = self._output(result, base.line) or text_of(call.get("resultDisplay"))
        part = result_part(call_id, output, status in _FAILED)
        yield base._replace(role="tool", parts=(part,), answer=answer, group="", model="", agent="")
        yield from self._sub_agent(call)

    def _sub_agent(self, call: Wire) -> Iterator[Draft]:
        title = short_title(text_of(call.get("description")))
        return self.below(text_of(call.get("agentId")), call.get("name"), title)

    def _output(self, result: object, line: int) -> object:
        """The output of a tool."""
        if isinstance(result, str):
            return result
        parts: list[Wire] = []
        for piece in result if isinstance(result, list) else [result]:
            response = dict_of(piece).get("functionResponse")
            if isinstance(response, dict):
                parts += texts_of(_response(response))
            else:
                parts += self._content(piece, line)
        return result_content(parts)

    # -- parts

    def _content(self, content: object, line: int) -> list[Wire]:
        if isinstance(content, str):
            return list(texts_of(content))
        parts: list[Wire] = []
        for piece in content if isinstance(content, list) else [content]:
            if isinstance(piece, str):
                parts += texts_of(piece)
            elif isinstance(piece, dict):
                parts += self._piece(piece, line)
        return parts

    def _piece(self, piece: Wire, line: int) -> list[Wire]:
        if "text" in piece:
            kind = "thinking" if piece.get("thought") is True else "text"
            return list(texts_of(text_of(piece.get("text")), kind))
        data = dict_of(piece.get("inlineData"))
        if text_of(data.get("data")):
            mime = text_of(data.get("mimeType"))
            if mime.startswith("image/"):
                return [image_part(mime, data=text_of(data.get("data")))]
            return [file_part(text_of(data.get("displayName")) or "file", mime)]
        file = dict_of(piece.get("fileData"))
        if text_of(file.get("fileUri")):
            return [file_part(text_of(file.get("fileUri")), file.get("mimeType"))]
        call = piece.get("functionCall")
        if isinstance(call, dict):
            name = text_of(call.get("name")) or "tool"
            call_id = text_of(call.get("id")) or f"call-{line}-{len(self._last_calls)}"
            self._last_calls.append(call_id)
            return [call_part(call_id, name, _arguments(call))]
        response = piece.get("functionResponse")
        if isinstance(response, dict):
            call_id = text_of(response.get("id"))
            if not call_id and self._last_calls:
                call_id = self._last_calls.pop(0)
            failed = "error" in dict_of(response.get("response"))
            return [result_part(call_id, _response(response), failed)]
        if piece:
            self.leave_out(f"content {next(iter(piece))}", line)
        return []

    # -- saved by hand

    def _saved(self, history: list[object], line: int) -> Iterator[Draft]:
        for number, message in enumerate(map(dict_of, history)):
            given = f"saved-{number}"
            base = Draft("user", (), line)
            if message.get("role") != "model":
                self._order[given] = self.ids.next()
                yield from self._user_drafts(given, {"content": message.get("parts")}, base)
                continue
            self.about.answered(self.agent, "")
            base = base._replace(role="assistant", agent=self.agent, group=given)
            parts = self._content(message.get("parts"), line)
            self._last_answer = ""
            for draft in self.answering(parts, base, self.ids.next):
                self._last_answer = draft.answer or draft.id
                yield draft


def _thought(thought: Wire) -> str:
    subject, text = text_of(thought.get("subject")), text_of(thought.get("description"))
    return "\n\n".join([piece for piece in (f"**{subject}**" if subject else "", text) if piece])


def _arguments(call: Wire) -> object:
    arguments = call.get("args")
    return arguments if isinstance(arguments, dict | str) else {}


def _response(response: Wire) -> str:
    value = response.get("response")
    for key in ("output", "error"):
        text = dict_of(value).get(key)
        if isinstance(text, str):
            return text
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)
