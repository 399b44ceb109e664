"""Files whose one cell has nearly all of the text, of many kinds.

What a cell of megabytes holds decides what is slow on it: thousands of links, of headings, of
fenced blocks, of arguments. Each shape here has one such cell, beside a few ordinary ones.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator, Sequence
from itertools import count

from tests.bench.corpora import FRONTMATTER, Shape, Source, answer, delta, paragraph

_KEY = "sk-ant-api03-Zx81kQp2vBn7LmT4wYcR9dHsQ"
_ASKED = "# %% Ask[^q1]\n\n[^q1]: [markdown]\n\nAsk.\n\n"
_AFTER = "\n\n# %% Next[^q2]\n\n[^q2]: [markdown]\n\nNext.\n"
_CALL = '# %%% Call[^a1.1f3c]\n\n[^a1.1f3c]: [tool] name="read"\n\n'
_JSON_CALL = _CALL + '<tool_call>\n{"name": "read", "arguments": [\n'
_RESULT = _CALL + "<read><path>a</path></read>\n\n# %%% [^a1.1f3c.1]\n\n[^a1.1f3c.1]: [tool]\n\n"
_ANSWER = "# %%% Answer[^a1]\n\n[^a1]: [gpt]\n\n"
_RUN = (
    "# %% [^c1]\n\n[^c1]: [code]\n\n```python\n1\n```\n\n"
    "# %%% [^c1.1]\n\n[^c1.1]: [python] status=success"
)
Lines = Callable[[Source], Iterator[str]]


def _of_length(size: int, lines: Iterator[str]) -> str:
    taken, length = [], 0
    for line in lines:
        taken.append(line)
        length += len(line)
        if length >= size:
            break
    return "".join(taken)


def _each(make: Callable[[Source, int], str], source: Source) -> Iterator[str]:
    return (make(source, number) for number in count())


def _shape(
    name: str, start: str, make: Callable[[Source, int], str], end: str = _AFTER,
    file: str = "a.msg.md", head: str = FRONTMATTER + _ASKED,
) -> Shape:  # fmt: skip
    """A shape of one cell; ``make`` gives its text number by number."""

    def text(source: Source, size: int) -> str:
        return head + start + _of_length(size, _each(make, source)) + end

    return Shape("one cell: " + name, file, text)


def _log(source: Source, number: int) -> str:
    path = f"src/{source.choice(source.words)}/{number}.py"
    return f"{source.time()} INFO [{source.some(1, 3)}]({path}) {source.some(2, 6)}\n"


def _base64_run(source: Source, number: int) -> str:
    return base64.b64encode(source.randbytes(3_000)).decode()


def _base64_line(source: Source, number: int) -> str:
    return base64.b64encode(source.randbytes(57)).decode() + "\n"


def _secret(source: Source, number: int) -> str:
    return paragraph(source) if number != 20 else f"Key: {_KEY}\n\n"


def _hidden(source: Source, number: int) -> str:
    return paragraph(source) if number % 100 != 20 else "so\u200bm\u202ee thing\n\n"


def _in_fence(source: Source, number: int) -> str:
    return f"    {source.choice(source.words)} = [{number}]  # %% {source.some(1, 4)}\n"


def _quoted_cells(source: Source, number: int) -> str:
    return f"# %% Quoted[^z{number}]\n\n[^z{number}]: [markdown]\n\n{source.some(3, 9)}\n\n"


def _xml(source: Source, number: int) -> str:
    name = source.choice(source.words)
    return f'  <row n="{number}"><{name}>{source.some(2, 8)}</{name}></row>\n'


def _json(source: Source, number: int) -> str:
    return f'  {{"n": {number}, "name": "{source.some(1, 3)}", "ok": true}},\n'


def _deep(source: Source, number: int) -> str:
    return "  " * (number % 60) + f"- {source.some(2, 6)}\n"


def _heading(source: Source, number: int) -> str:
    return f"## {source.some(1, 4)} {number}\n\n{source.some(1, 5)}\n\n"


def _underlined(source: Source, number: int) -> str:
    return f"{source.some(1, 4)} {number}\n{'=-'[number % 2] * 5}\n\n{source.some(1, 5)}\n\n"


def _reference(source: Source, number: int) -> str:
    return f"{source.some(2, 6)} [^q{number % 3}] and [^z{number}].\n"


def _same_reference(source: Source, number: int) -> str:
    return f"{source.some(2, 6)} [^q1].\n"


def _suppression(source: Source, number: int) -> str:
    return f"<!-- msgls: ignore MSG{number % 700:03} -->\n{source.some(2, 6)}\n"


def _attribute(source: Source, number: int) -> str:
    return f' key{number}="{source.some(1, 3)}"'


def _blocks(source: Source, number: int) -> str:
    return f"```python\n{source.some(2, 6)}\n```\n\n{source.some(2, 6)}\n\n"


def _near_miss(source: Source, number: int) -> str:
    return f"#%% {source.some(1, 3)}[^n{number}]\n\n{source.some(2, 6)}\n\n"


def _conflict(source: Source, number: int) -> str:
    return f"<<<<<<< a\n{source.some(2, 6)}\n=======\n{source.some(2, 6)}\n>>>>>>> b\n"


def _footnote(source: Source, number: int) -> str:
    return f"{source.some(2, 6)}[^n{number}].\n\n[^n{number}]: {source.some(2, 6)}\n\n"


def _definition(source: Source, number: int) -> str:
    return f'[^d{number}]: [gpt] time="{source.time()}" status=succes\n'


def _output(source: Source, number: int) -> str:
    return source.choice(("stdout> ", "stderr> ", "")) + source.some(1, 9) + "\n"


def _agents(source: Source, number: int) -> str:
    return f"  a{number}:\n    models: [{source.choice(source.words)}-{number}]\n"


def _words(source: Source, number: int) -> str:
    return source.some(5, 9) + " "


def _prose(source: Source, number: int) -> str:
    return answer(source, 3)


MESSAGE_FILES: Sequence[Shape] = (
    _shape("a log with links", _RESULT, _log),
    _shape("an answer with links", _ANSWER, _log),
    _shape("base64, in lines", _RUN + ' mime_type="image/png"\n\n', _base64_line),
    _shape("base64, one line", _RUN + ' mime_type="image/png"\n\n', _base64_run),
    _shape("prose", _ANSWER, _prose),
    _shape("prose, one line", _ANSWER, _words),
    _shape("prose with a key", _ANSWER, _secret),
    _shape("hidden characters", _ANSWER, _hidden),
    _shape("a fence", _ANSWER + "```python\n", _in_fence, "```\n" + _AFTER),
    _shape("a fence that is open", _ANSWER + "```python\n", _quoted_cells, ""),
    _shape("a result in XML", _RESULT + "<result>\n", _xml, "</result>\n" + _AFTER),
    _shape("a result in JSON", _RESULT + "[\n", _json, "  {}\n]\n" + _AFTER),
    _shape("a call in XML", _CALL + "<read>\n", _xml, "</read>\n" + _AFTER),
    _shape("a call in JSON", _JSON_CALL, _json, "  {}\n]}\n</tool_call>\n" + _AFTER),
    _shape("lists", _ANSWER, _deep),
    _shape("headings", _ANSWER, _heading),
    _shape("underlined headings", _ANSWER, _underlined),
    _shape("references", _ANSWER, _reference),
    _shape("references to one id", _ANSWER, _same_reference),
    _shape("suppressions", _ANSWER, _suppression),
    _shape("attributes", "# %%% Answer[^a1]\n\n[^a1]: [gpt]", _attribute, "\n\nText.\n" + _AFTER),
    _shape("fenced blocks", _ANSWER, _blocks),
    _shape("near misses", _ANSWER, _near_miss),
    _shape("conflicts", _ANSWER, _conflict),
    _shape("footnotes", _ANSWER, _footnote),
    _shape("definitions", _ANSWER, _definition),
    _shape("output", _RUN + "\n\n", _output),
    _shape("code", "# %% [^c1]\n\n[^c1]: [code]\n\n```python\n", _in_fence, "```\n" + _AFTER),
    _shape("agents", "", _agents, "---\n\n" + _ASKED, head="---\nagents:\n"),
    _shape("preamble", "", _prose, _ASKED, head=""),
)


def _tool(source: Source, number: int) -> str:
    return f'"arg{number}": {{"text": "{source.some(1, 3)}", "n": [1, {number}]}}, '


_TIME = '"timestamp": "2025-01-01T00:00:00Z"'
_MESSAGE = '{"role": "user", "runId": "r", ' + _TIME + ', "parts": ['
_CALLED = '{"kind": "tool_call", "payload": {"toolCallId": "c", "toolName": "t", "arguments": {'
_ENTRY = '{"id": "e1", "runId": "r", "type": "message_delta_batch", ' + _TIME + ', "payload": {'
_LAST_PART = '{"kind": "text", "payload": {"text": "x"}}]}'


def _text_part(source: Source, number: int) -> str:
    return f'{{"kind": "text", "payload": {{"text": "{source.some(3, 9)} {number}"}}}}, '


def _json_words(source: Source, number: int) -> str:
    return source.some(5, 9) + "\\n"


def _batch(source: Source, number: int) -> str:
    return json.dumps(delta(source, "r", number, "text", textDelta=source.some(1, 2))) + ", "


_LINE = '{"role": "user", "content": "Hello"}\n'
MESSAGES: Sequence[Shape] = tuple(
    _shape("JSON, " + name, start, make, end + "\n" + _LINE, file, _LINE)
    for name, file, start, make, end in (
        ("one text", "a.messages.jsonl", '{"role": "user", "content": "', _json_words, '"}'),
        ("parts", "a.messages.jsonl", _MESSAGE, _text_part, _LAST_PART),
        ("arguments", "a.messages.jsonl", _MESSAGE + _CALLED, _tool, '"z": 1}}}]}'),
        ("deltas in a line", "a.session.jsonl", _ENTRY + '"deltas": [', _batch, "{}]}}"),
        ("broken", "a.messages.jsonl", '{"role": "user", "content": [', _tool, ""),
    )
)
_STF = "@user\nHello\n"
SIMPLE_TEXT: Sequence[Shape] = tuple(
    _shape("STF, " + name, start, make, end + "\n@user\nBye\n", "a.stf", _STF)
    for name, start, make, end in (
        ("prose", "@ai id=a1\n", _prose, ""),
        ("log", "@ai id=a1\n", _log, ""),
        ("headings", "@ai id=a1\n", _heading, ""),
        ("call", "@ai\n@call id=c1\nread {\n", lambda s, n: _tool(s, n) + "\n", "z: 1}"),
        ("raw", ';raw\n{"role": "user", "content": [\n', _json, "{}]}\n;end\n"),
        ("comment", ";/* Note\n", _prose, "\n;*/\n"),
        ("attributes", "@msg {role: 'user', ", _tool, "z: 1}\nText\n"),
    )
)
_HEAD = (
    "; Block-UUID: 01234567-89ab-4cde-8f01-23456789abcd\n; Component: Message\n"
    "; Version: 1.0.0\n;\n; role: user\n\n\n"
)
CHATBUILDER: Sequence[Shape] = tuple(
    _shape("ChatBuilder, " + name, "", make, "", "messages/chat/1.md", _HEAD)
    for name, make in (
        ("prose", _prose),
        ("log", _log),
        ("headings", _heading),
        ("blocks", _blocks),
        ("quoted", _quoted_cells),
    )
)
_BOOT = (
    '{"agents": [{"name": "a", "path": "a", "metadata": {"bootMessage": {"message": "Hi", '
    '"meta": {"isVirtual": true}, "availableTasks": [\n'
)
_TASK = '{"name": "T", "task": {"name": "R", "type": "MESSAGE", "message": "m"}}'


def _agent(source: Source, number: int) -> str:
    return f'  {{"name": "a{number}", "path": "./{source.choice(source.words)}.js"}},\n'


def _task(source: Source, number: int) -> str:
    return (
        f'  {{"name": "T{number}", "task": {{"name": "R", "type": "MESSAGE", '
        f'"message": "{source.some(2, 8)}"}}}},\n'
    )


AGENTS: Sequence[Shape] = (
    _shape(
        "agents.json, agents",
        "",
        _agent,
        '  {"name": "z", "path": "z"}\n]}\n',
        "agents.json",
        '{"agents": [\n',
    ),
    _shape("agents.json, tasks", "", _task, _TASK + "]}}}]}\n", "agents.json", _BOOT),
)
LONG_CELLS: Sequence[Shape] = (*MESSAGE_FILES, *MESSAGES, *SIMPLE_TEXT, *CHATBUILDER, *AGENTS)
