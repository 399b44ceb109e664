"""Files of many shapes and any size for the benchmarks, made from a seed.

Every benchmark runs over all shapes and reports the worst beside the median, so that no
shape can be tuned for alone. ``MSGLS_BENCH_SEED`` takes another seed: other words, other
lengths, other spellings, the same shapes. The same seed and size give the same text.
"""

from __future__ import annotations

import base64
import json
import os
import random
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache, partial
from itertools import count
from typing import NamedTuple

SEED = int(os.environ.get("MSGLS_BENCH_SEED", "20250530"))

_LETTERS = "etaoinshrdlucmfwypvbgkqjxz"
_WEIGHTS = (12, 9, 8, 8, 7, 7, 6, 6, 6, 4, 4, 3, 3, 3, 2, 2, 2, 2, 2, 1, 2, 1, 1, 1, 1, 1)
_CJK = (
    "消息文件记录对话历史代理工具调用结果代码执行输出标题数据脚注定义内容我们可以用这"
    "个的是不了在有和人中大为上到说时要就出会也你对生能而子那得于着下自之年过发后作里"
)
_ZONES = (UTC, timezone(timedelta(hours=8)), timezone(-timedelta(hours=3, minutes=30)))
_LANGUAGES = ("python", "bash", "javascript", "r", "sql", "julia")
_TOOLS = ("read_file", "grep", "shell.run", "web-search", "edit", "list_dir")


class Source(random.Random):
    """Chances, with the words of a language of its own and a clock."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.words = [
            "".join(self.choices(_LETTERS, _WEIGHTS, k=self.randint(2, 11))) for _ in range(600)
        ]
        self.now = datetime(2024, 1, 1, tzinfo=UTC) + timedelta(self.randint(0, 400))

    def happens(self, chance: float) -> bool:
        """Whether something of that chance happens."""
        return self.random() < chance

    def some(self, low: int, high: int) -> str:
        """So many words."""
        return " ".join(self.choices(self.words, k=self.randint(low, high)))

    def chinese(self, low: int, high: int) -> str:
        """So many characters."""
        return "".join(self.choices(_CJK, k=self.randint(low, high)))

    def hex(self, digits: int = 8) -> str:
        """A nonce."""
        return f"{self.getrandbits(4 * digits):0{digits}x}"

    def moment(self) -> datetime:
        """A little later."""
        self.now += timedelta(milliseconds=self.randint(1_000, 90_000))
        return self.now

    def time(self) -> str:
        """A little later, in one of the spellings that ISO 8601 has."""
        moment = self.moment().astimezone(self.choice(_ZONES))
        spelling = self.choice(("seconds", "milliseconds", "microseconds", "minutes"))
        if spelling == "minutes":
            moment += timedelta(minutes=1)
            self.now = moment.astimezone(UTC)
        return moment.isoformat(timespec=spelling).replace("+00:00", "Z")


# ---------------------------------------------------------------------------
# Markdown as people and models write it


def sentence(source: Source) -> str:
    words = source.choices(source.words, k=source.randint(5, 16))
    if source.happens(0.15):
        words.append(f"[{words[0]}](https://example.org/{words[1]}#{words[2]})")
    if source.happens(0.2):
        words[2] = source.choice(("*{}*", "**{}**", "`{}()`", "“{}”")).format(words[2])
    if source.happens(0.05):
        words.append(source.choice(("😀", "→", "≤", "é", source.chinese(2, 8))))
    return " ".join(words).capitalize() + source.choice((".", ".", ".", "?", "!", ":"))


def paragraph(source: Source) -> str:
    sentences = [sentence(source) for _ in range(source.randint(1, 6))]
    return source.choice(("\n", " ")).join(sentences) + "\n\n"


def listing(source: Source) -> str:
    lines = []
    for number in range(1, source.randint(4, 9)):
        mark = f"{number}." if source.happens(0.4) else source.choice("-*")
        lines.append(f"{mark} **{source.choice(source.words)}**: {sentence(source)}\n")
        if source.happens(0.3):
            lines.append(f"   - {sentence(source)}\n")
    return "".join(lines) + "\n"


def code(source: Source, fence: str = "```", language: str | None = None) -> str:
    lines = []
    for _ in range(source.randint(2, 14)):
        name, other = source.choices(source.words, k=2)
        indent = "    " * source.randint(0, 2)
        line = f"{indent}{name} = {other}({source.randint(0, 99)}, [{name!r}, {{}}])"
        lines.append(line + ("  # %% no cell" if source.happens(0.05) else ""))
    if source.happens(0.1):
        lines.append("# %% quoted[^q1]")
    body = "\n".join(lines)
    return (
        f"{fence}{source.choice(_LANGUAGES) if language is None else language}\n{body}\n{fence}\n\n"
    )


def table(source: Source) -> str:
    rows = "".join(
        f"| {source.choice(source.words)} | `{source.some(1, 2)}` | {source.randint(0, 999)} |\n"
        for _ in range(source.randint(3, 10))
    )
    return f"| name | call | size |\n|---|:--|--:|\n{rows}\n"


def answer(source: Source, blocks: int) -> str:
    """So many blocks of Markdown."""
    pieces = []
    for _ in range(blocks):
        kind = source.random()
        if kind < 0.55:
            pieces.append(paragraph(source))
        elif kind < 0.7:
            pieces.append(listing(source))
        elif kind < 0.82:
            pieces.append(code(source, source.choice(("```", "```", "~~~", "````"))))
        elif kind < 0.9:
            pieces.append("#" * source.randint(2, 4) + f" {source.some(1, 5).title()}\n\n")
        elif kind < 0.94:
            pieces.append(table(source))
        elif kind < 0.97:
            pieces.append(f"> {sentence(source)}\n> {sentence(source)}\n\n")
        else:
            pieces.append(f"<details>\n<summary>{source.some(1, 3)}</summary>\n</details>\n\n")
    return "".join(pieces)


# ---------------------------------------------------------------------------
# Message files

FRONTMATTER = (
    "---\nagents:\n  gpt:\n    models: [gpt-large]\n    context_window: 200000000\n"
    "  claude:\n    models: [claude-large]\ndefault_agent: gpt\n---\n\nA conversation.\n\n"
)
_AGENTS = ("gpt", "claude")


def cell(marker: str, title: str, cell_id: str, definition: str, content: str) -> str:
    """One cell; ``definition`` is what follows the id."""
    return f"{marker} {title}[^{cell_id}]\n\n[^{cell_id}]: {definition}\n\n{content.rstrip()}\n\n"


def question(source: Source, number: int, content: str, attributes: str = "") -> str:
    title = source.some(0, 5).capitalize()
    return cell("# %%", title, f"q{number}", "[markdown]" + attributes, content)


def _long_answers(source: Source) -> Iterator[str]:
    for number in count(1):
        yield question(source, number, paragraph(source))
        definition = f'[{source.choice(_AGENTS)}] time="{source.time()}"'
        content = answer(source, source.randint(4, 40))
        yield cell("# %%%", "Answer", f"a{number}", definition, content)


def _small_cells(source: Source) -> Iterator[str]:
    for number in count(1):
        history = " history=include" if source.happens(0.5) else ""
        yield question(source, number, source.some(1, 12), history)
        agent = source.choice(_AGENTS)
        if source.happens(0.4):
            definition = f"[{agent}]{history} reasoning=1"
            yield cell("# %%%", "", f"t{number}", definition, source.some(3, 20))
        definition = f"[{agent}]{history} time={source.time()}"
        yield cell("# %%%", "", f"a{number}", definition, source.some(3, 20))
        if source.happens(0.4):
            yield from call(source, f"a{number}", source.some(1, 15))
        if source.happens(0.3):
            yield from run(source, f"c{number}", "stdout> " + source.some(1, 8))


def path_argument(source: Source, name: str) -> str:
    """The body of a call with one argument."""
    return f"<{name}>\n  <path>src/{source.choice(source.words)}.py</path>\n</{name}>"


def call(
    source: Source,
    parent: str,
    result: str,
    body: Callable[[Source, str], str] = path_argument,
) -> Iterator[str]:
    """A tool call with one or two results."""
    call_id, name = f"{parent}.{source.hex()}", source.choice(_TOOLS)
    xml = body(source, name)
    yield cell("## %%%", name, call_id, f'[tool] name="{name}"', xml)
    for number in range(1, 3 if source.happens(0.1) else 2):
        status = source.choice(("success", "success", "success", "failure"))
        duration = source.choice(("", " duration=0.5s", " duration=120ms", ' duration="3"'))
        definition = f'[tool] status="{status}"{duration}'
        yield cell("## %%%", "", f"{call_id}.{number}", definition, result)


def run(source: Source, cell_id: str, output: str, attributes: str = "") -> Iterator[str]:
    """A code cell with its output."""
    language = source.choice(_LANGUAGES)
    yield cell("# %%", "", cell_id, "[code]", code(source, language=language))
    definition = f"[{language}] status=success{attributes}"
    yield cell("# %%%", "", f"{cell_id}.1", definition, output)


def _every_attribute(source: Source) -> Iterator[str]:
    def pair(key: str, value: str) -> str:
        quotes = ('"{}"', "'{}'") if " " in value else ('"{}"', "'{}'", "{}")
        return f" {key}=" + source.choice(quotes).format(value)

    def shared() -> str:
        history = source.choice(("include", "1", "true", "none", "exclude", "0", "summary", ""))
        text = pair("history", history) if history else ""
        if history == "summary":
            text += pair("summary", source.some(2, 6))
        if source.happens(0.2):
            text += pair(
                source.choice(("source", "x-trace", "来源", "_id", "model_version")), "v 1"
            )
        if source.happens(0.1):
            text += ' note="He said \\"no\\"."'
        return text

    for number in count(1):
        role = pair("role", source.choice(("user", "system"))) if source.happens(0.3) else ""
        yield question(source, number, paragraph(source), shared() + role)
        definition = f"[{source.choice(_AGENTS)}]" + pair("time", source.time()) + shared()
        definition += pair("reasoning", source.choice(("0", "1", "true", "false")))
        if source.happens(0.1):
            definition += pair("virtual", "1") + pair("boot", "1")
        yield cell("# %%%", "", f"a{number}", definition, answer(source, 2))
        call_id, name = f"a{number}.{source.hex()}", source.choice(_TOOLS)
        definition = "[tool]" + pair("name", name) + shared() + pair("time", source.time())
        yield cell("## %%%", name, call_id, definition, path_argument(source, name))
        definition = "[tool]" + pair("status", source.choice(("success", "error", "failed")))
        definition += pair("duration", source.choice(("0.5s", "3", "12ms", "1.5m", "2h", ".5")))
        definition += pair("time", source.time()) + shared()
        yield cell("## %%%", "", f"{call_id}.1", definition, paragraph(source))
        more = pair("mime_type", source.choice(("text/plain", "text/plain; charset=utf-8")))
        more += (
            pair("output_file", f"https://example.org/{number}.txt")
            + pair("duration", "1s")
            + shared()
        )
        yield from run(source, f"c{number}", "stdout> " + source.some(1, 8), more)


def _tool_agents(source: Source) -> Iterator[str]:
    for number in count(1):
        yield question(source, number, paragraph(source))
        for step in range(source.randint(3, 12)):
            answer_id = f"a{number}s{step}"
            yield cell("# %%%", "", answer_id, f"[{source.choice(_AGENTS)}]", sentence(source))
            for _ in range(source.randint(1, 4)):
                yield from call(source, answer_id, result(source), arguments)


def arguments(source: Source, name: str) -> str:
    """The body of a call in one of the shapes that models write."""
    values = {source.choice(source.words): source.some(1, 10) for _ in range(source.randint(1, 5))}
    kind = source.randint(0, 4)
    if kind == 0:
        inner = "\n".join(f"<{key}>{value}</{key}>" for key, value in values.items())
        return f"<{name}>\n{inner}\n</{name}>"
    if kind == 1:
        return f"<{name} " + " ".join(f'{key}="{value}"' for key, value in values.items()) + "/>"
    if kind == 2:
        rows = [f'<parameter name="{key}">{value}</parameter>' for key, value in values.items()]
        inner = "\n".join(rows)
        return f'<function_calls>\n<invoke name="{name}">\n{inner}\n</invoke>\n</function_calls>'
    body = json.dumps({"name": name, "arguments": values}, indent=source.choice((None, 2)))
    if kind == 3:
        return f"<tool_call>\n{body}\n</tool_call>"
    return f"```xml\n<tool_call>{body}</tool_call>\n```"


def result(source: Source) -> str:
    """What a tool says: text, a listing, JSON, a file in a fence, a log."""
    kind = source.randint(0, 4)
    if kind == 0:
        return paragraph(source)
    if kind == 1:
        names = [f"src/{'/'.join(source.choices(source.words, k=2))}.py" for _ in range(12)]
        return "\n".join(names)
    if kind == 2:
        rows = [{"id": n, "name": source.some(1, 3), "ok": True} for n in range(8)]
        return json.dumps(rows, indent=source.choice((None, 2)))
    if kind == 3:
        return code(source)
    return "\n".join(f"{source.time()} INFO {source.some(3, 9)}" for _ in range(10))


def _code_and_outputs(source: Source) -> Iterator[str]:
    for number in count(1):
        yield question(source, number, sentence(source))
        kind = source.random()
        if kind < 0.4:
            lines = [source.choice(("stdout> ", "stderr> ")) + source.some(0, 9) for _ in range(20)]
            yield from run(source, f"c{number}", "\n".join(lines))
        elif kind < 0.7:
            data = base64.b64encode(source.randbytes(source.randint(300, 30_000))).decode()
            wide = source.choice((76, 10**9))
            rows = [data[at : at + wide] for at in range(0, len(data), wide)]
            yield from run(source, f"c{number}", "\n".join(rows), ' mime_type="image/png"')
        elif kind < 0.9:
            body = json.dumps({source.some(1, 1): source.some(1, 9) for _ in range(20)}, indent=1)
            yield from run(source, f"c{number}", body, " mime_type=application/json")
        else:
            page = f"<table>{'<tr><td>1</td></tr>' * 40}</table>"
            yield from run(source, f"c{number}", page, ' mime_type="text/html"')


def _chinese(source: Source) -> Iterator[str]:
    for number in count(1):
        text = source.chinese(10, 80) + "？"
        yield cell("# %%", f"提问{number}", f"问{number}", "[markdown]", text)
        pieces = [source.chinese(20, 200) + "。\n\n" for _ in range(source.randint(1, 12))]
        pieces.insert(1, f"## {source.chinese(3, 8)}\n\n- {source.chinese(5, 30)}\n\n")
        definition = f'[助手] time="{source.time()}" 来源="网页"'
        yield cell("# %%%", "回答", f"答{number}", definition, "".join(pieces))
        if source.happens(0.4):
            yield from call(source, f"答{number}", source.chinese(20, 100))


def _definitions_at_end(source: Source, size: int) -> str:
    cells, definitions, length = [FRONTMATTER], [], 0
    for text in _small_cells(source):
        header, _, rest = text.partition("\n\n")
        definition, _, content = rest.partition("\n\n")
        cells.append(f"{header}\n\n{content}")
        definitions.append(definition + "\n")
        length += len(text)
        if length >= size:
            return "".join(cells + definitions)
    return ""


def _section(source: Source) -> Iterator[str]:
    yield (
        "---\ntitle: Notes\nmessage_section: Record\nagents:\n  gpt:\n    models: [gpt-large]\n"
        "    context_window: 2000\n    max_output_tokens: 500\n  claude:\n"
        "    models: [claude-large]\n    system_prompt: Be brief.\n---\n\n# Notes\n\n"
    )
    yield answer(source, 20) + "## Record\n\n"
    for number in count(1):
        yield question(source, number, paragraph(source)).replace("# %%", "### %%", 1)
        content = answer(source, source.randint(1, 6)).replace("\n##", "\n####")
        definition = f'[{source.choice(_AGENTS)}] time="{source.time()}"'
        yield cell("### %%%", "", f"a{number}", definition, content)


_BREAKS: Sequence[Callable[[str], str]] = (
    lambda text: text.replace("]: [", "]: (", 1),
    lambda text: text.replace("# %%", "#%%", 1),
    lambda text: text.replace("[^", "[^x", 1),
    lambda text: text.replace("]\n", " history=nothing]\n", 1),
    lambda text: text.replace("status=", "statsu=", 1).replace("time=", "time=x", 1),
    lambda text: text.replace("\n\n[^", "\n\n\\[^", 1),
    lambda text: text.replace('name="', "name=", 1).replace("</", "<", 1),
    lambda text: text + "See [^nowhere]. Key: sk-ant-api03-Zx81kQp2vBn7LmT4wYcR9dHsQ\n\n",
    lambda text: text + text,
    lambda text: "",
)


def _broken(source: Source) -> Iterator[str]:
    whole = _mixed(source)
    for text in whole:
        yield source.choice(_BREAKS)(text) if source.happens(0.05) else text


def _mixed(source: Source) -> Iterator[str]:
    """A little of everything, in turns."""
    for number in count(1):
        yield question(source, number, paragraph(source))
        definition = f'[{source.choice(_AGENTS)}] time="{source.time()}"'
        yield cell("# %%%", "Answer", f"a{number}", definition, answer(source, 4))
        if source.happens(0.5):
            yield from call(source, f"a{number}", result(source))
        if source.happens(0.2):
            yield from run(source, f"c{number}", "stdout> " + source.some(1, 8))


# ---------------------------------------------------------------------------
# The other formats


def _stf_answers(source: Source) -> Iterator[str]:
    for number in count(1):
        yield f"@user id=q{number}\n{paragraph(source)}@ai id=a{number}\n{answer(source, 8)}"


def _stf_small(source: Source) -> Iterator[str]:
    for number in count(1):
        yield f"@user name={source.choice(source.words)}\n{source.some(1, 9)}\n"
        yield f"@# {source.some(1, 4)}\n@msg {{role: 'assistant', id: 'a{number}'}}\n"
        yield f"{source.some(1, 9)}\n@@{source.some(1, 3)}\n"


def _stf_calls(source: Source) -> Iterator[str]:
    for number in count(1):
        yield f"@user\n{sentence(source)}\n@ai\n{sentence(source)}\n"
        for step in range(source.randint(1, 6)):
            name = f"c{number}_{step}"
            values = json.dumps({source.choice(source.words): source.some(1, 9)})
            yield f"@call id={name}\n{source.choice(('read', 'grep'))} {values}\n"
            yield f"@tool call_id={name}\n{source.some(3, 60)}\n"


def _stf_blocks(source: Source) -> Iterator[str]:
    yield ";meta\n{title: 'Blocks'}\n;end\n"
    for _ in count(1):
        body = {"role": source.choice(("user", "assistant")), "content": source.some(5, 60)}
        yield f";raw\n{json.dumps(body, indent=2)}\n;end\n"
        yield f";/* {source.some(3, 30)}\n;*/\n;user\n{paragraph(source)}"
        yield f";extra\n{{note: '{source.some(1, 5)}', /* why */ n: 1,}}\n;end\n"


def _stf_broken(source: Source) -> Iterator[str]:
    wrong = ("@usr\n", "@msg role=\n", "@end\n", "@call\n\n", "@user rol=system\n", ";user\n")
    for text in _stf_calls(source):
        yield text + (source.choice(wrong) if source.happens(0.05) else "")


def _chatbuilder(source: Source, body: Callable[[Source], str]) -> str:
    fields = {
        "Block-UUID": "-".join(source.hex(n) for n in (8, 4, 4, 4, 12)),
        "Component": "Message",
        "Version": "1.0.0",
        "Description": source.some(2, 6),
        "Language": "markdown",
        "Created-at": source.moment().isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "Authors": f"{source.choice(source.words)} (v1.0.0)",
    }
    head = "".join(f"; {key}: {value}\n" for key, value in fields.items())
    role = source.choice(("user", "assistant"))
    return f"{head};\n; role: {role}\n\n\n{body(source)}"


def _chatbuilder_large(source: Source, size: int) -> str:
    def body(source: Source) -> str:
        return _filled(size, iter(partial(paragraph, source), None))

    return _chatbuilder(source, body)


def message(source: Source, kind: str, number: int) -> dict[str, object]:
    """A message as one JSON object."""
    role, payload = "user", {"text": answer(source, 3)}
    if kind == "tool_call":
        role = "assistant"
        values = {source.choice(source.words): source.some(1, 20)}
        payload = {"toolCallId": f"c{number}", "toolName": "grep", "arguments": values}  # type: ignore[dict-item]
    elif kind == "tool_result":
        role = "tool"
        payload = {"toolCallId": f"c{number}", "isError": False, "content": result(source)}  # type: ignore[dict-item]
    time = source.moment().isoformat()
    parts = [{"kind": kind, "payload": payload}]
    return {"runId": "run-1", "role": role, "parts": parts, "timestamp": time}


def _conversation(source: Source) -> Iterator[dict[str, object]]:
    for number in count(1):
        for kind in ("text", "tool_call", "tool_result"):
            yield message(source, kind, number)


def _message_lines(source: Source) -> Iterator[str]:
    for item in _conversation(source):
        yield json.dumps(item, ensure_ascii=source.happens(0.5)) + "\n"


def _message_array(source: Source, size: int) -> str:
    items, length = [], 0
    for item in _conversation(source):
        items.append(item)
        length += len(json.dumps(item))
        if length >= size:
            break
    return json.dumps(items, indent=2, ensure_ascii=False) + "\n"


def delta(source: Source, run_id: str, seq: int, kind: str, **payload: object) -> dict[str, object]:
    """A delta as one JSON object."""
    time = source.moment().isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return {"runId": run_id, "seq": seq, "kind": kind, "payload": payload, "timestamp": time}


def stream(source: Source, number: int, texts: int, pieces: int) -> Iterator[dict[str, object]]:
    """The deltas of one answer: so many of text, so many of the arguments of a call."""
    seq = count(source.randint(0, 1))
    make = partial(delta, source, f"run-{number // 4}")
    yield make(next(seq), "start", modelId="model-1", requestId=f"request-{number}")
    for _ in range(texts // 4):
        yield make(next(seq), "thinking", textDelta=source.choice(source.words) + " ")
    for _ in range(texts):
        yield make(next(seq), "text", textDelta=source.choice((*source.words[:9], "é", "。", "\n")))
    if pieces:
        call_id = f"call_{number}"
        yield make(next(seq), "tool_call_start", toolCallId=call_id, toolName="read_file")
        text = json.dumps({"path": source.some(pieces, pieces)})
        size = len(text) // pieces + 1
        for at in range(0, len(text), size):
            piece = text[at : at + size]
            yield make(next(seq), "tool_call_args", toolCallId=call_id, argsTextDelta=piece)
        yield make(next(seq), "tool_call_end", toolCallId=call_id)
    yield make(next(seq), "usage", inputTokens=10, outputTokens=texts, totalTokens=10 + texts)
    yield make(next(seq), "done", finishReason="tool_calls" if pieces else "stop")


def _deltas(source: Source, texts: int, pieces: int) -> Iterator[str]:
    for number in count():
        for item in stream(source, number, source.randint(1, 2 * texts), pieces):
            yield json.dumps(item, ensure_ascii=False) + "\n"


def _broken_deltas(source: Source) -> Iterator[str]:
    for line in _deltas(source, 40, 8):
        if source.happens(0.02):
            yield source.choice((line[:-9] + "\n", line.replace("runId", "run"), line + line, ""))
        else:
            yield line


def _session(source: Source) -> Iterator[str]:
    previous: str | None = None
    for number in count(1):
        for kind in ("text", "tool_call", "tool_result", "deltas", "other"):
            time, entry = source.moment().isoformat(), f"e{source.hex()}"
            wire: dict[str, object] = {"id": entry, "timestamp": time, "runId": "run-1"}
            if previous is not None:
                wire["parentId"] = previous
            if kind == "deltas":
                items = list(stream(source, 4 * number, source.randint(2, 40), 0))
                wire |= {"type": "message_delta_batch", "payload": {"deltas": items}}
            elif kind == "other":
                wire |= {"type": "checkpoint", "payload": {"files": [source.some(1, 3)]}}
            else:
                wire |= {"type": "message", "payload": message(source, kind, number)}
            previous = entry
            yield json.dumps(wire, ensure_ascii=False) + "\n"


# ---------------------------------------------------------------------------
# The shapes


class Shape(NamedTuple):
    """One kind of file."""

    name: str
    file: str
    """The name of a file of that kind: it tells the format."""
    make: Callable[[Source, int], str]
    """``make(source, size)``: about so many characters."""

    def text(self, size: int, seed: int = SEED) -> str:
        """About ``size`` characters of it."""
        return _text(self, size, seed)


# Benchmarks ask for the same text again and again; one of a size is kept.
@lru_cache(maxsize=4)
def _text(shape: Shape, size: int, seed: int) -> str:
    return shape.make(Source(seed), size)


def _filled(size: int, pieces: Iterator[str]) -> str:
    """``pieces`` until they are ``size`` characters long."""
    taken, length = [], 0
    for piece in pieces:
        taken.append(piece)
        length += len(piece)
        if length >= size:
            break
    return "".join(taken)


def _shape(
    name: str, file: str, pieces: Callable[[Source], Iterator[str]], head: str = ""
) -> Shape:
    return Shape(name, file, lambda source, size: head + _filled(size, pieces(source)))


_CHINESE_HEAD = "---\nagents:\n  助手:\n    models: [模型]\n---\n\n"

MESSAGE_FILES: Sequence[Shape] = (
    _shape("long answers", "a.msg.md", _long_answers, FRONTMATTER),
    _shape("small cells", "a.msg.md", _small_cells, FRONTMATTER),
    _shape("every attribute", "a.msg.md", _every_attribute, FRONTMATTER),
    _shape("tool calls", "a.msg.md", _tool_agents, FRONTMATTER),
    _shape("code and outputs", "a.msg.md", _code_and_outputs, FRONTMATTER),
    _shape("Chinese", "a.msg.md", _chinese, _CHINESE_HEAD),
    Shape("definitions at the end", "a.msg.md", _definitions_at_end),
    _shape("section", "a.md", _section),
    _shape("broken", "a.msg.md", _broken, FRONTMATTER),
)
SIMPLE_TEXT: Sequence[Shape] = (
    _shape("STF, answers", "a.stf", _stf_answers),
    _shape("STF, small", "a.stf", _stf_small),
    _shape("STF, calls", "a.stf", _stf_calls),
    _shape("STF, blocks", "a.stf", _stf_blocks),
    _shape("STF, broken", "a.stf", _stf_broken),
)
CHATBUILDER = Shape("ChatBuilder, one file", "messages/chat/1.md", _chatbuilder_large)
MESSAGES: Sequence[Shape] = (
    _shape("messages, lines", "a.messages.jsonl", _message_lines),
    Shape("messages, array", "a.messages.json", _message_array),
)
DELTAS: Sequence[Shape] = (
    _shape("deltas, text", "a.deltas.jsonl", partial(_deltas, texts=300, pieces=0)),
    _shape("deltas, calls", "a.deltas.jsonl", partial(_deltas, texts=8, pieces=30)),
    _shape("deltas, broken", "a.deltas.jsonl", _broken_deltas),
    _shape("session", "a.session.jsonl", _session),
)
SHAPES: Sequence[Shape] = (*MESSAGE_FILES, *SIMPLE_TEXT, CHATBUILDER, *MESSAGES, *DELTAS)


def one_cell(size: int) -> str:
    """A file whose only cell has about ``size`` characters."""
    source = Source(SEED)
    head = "# %%% All of it[^a1]\n\n[^a1]: [gpt]\n\n"
    return head + _filled(size, iter(lambda: answer(source, 5), ""))


def lines_of(shape: Shape, lines: int) -> str:
    """A file of so many lines, of a shape of lines."""
    size = lines * 160
    while True:
        found = shape.make(Source(SEED), size).split("\n")
        if len(found) > lines:
            return "\n".join(found[:lines]) + "\n"
        size = size * lines // len(found) + 10_000


def small_files(files: int, size: int, shapes: Sequence[Shape] = SHAPES) -> dict[str, str]:
    """Many small files of those shapes in turns, by path; ChatBuilder's lie in folders."""
    found: dict[str, str] = {}
    for number in range(files):
        shape = shapes[number % len(shapes)]
        if shape is CHATBUILDER:
            talk, file = divmod(number // len(shapes), 10)
            name = f"messages/talk{talk}/{file + 1}.md"
        else:
            stem, _, suffix = shape.file.partition(".")
            name = f"{stem}{number}.{suffix}"
        found[name] = shape.make(Source(SEED + number), size)
    return found


def worst_and_median(ratios: Mapping[str, float]) -> str:
    """One line: the worst of the shapes by name, and the median of all."""
    worst = max(ratios, key=lambda name: ratios[name])
    return f"worst {ratios[worst]:.2f} ({worst}), median {statistics.median(ratios.values()):.2f}"
