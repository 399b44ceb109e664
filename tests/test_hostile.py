"""Input that nobody means well: nothing raises, and time and memory follow the length.

Each case is a text of about ``n`` of something. It is opened, every part of every cell
is read, its conversation is made, and it is edited in the middle; four times the text may
take little more than four times the work.
"""

import random
import tracemalloc
from collections.abc import Callable
from typing import NamedTuple

import pytest

from msgls.conversation.readers import read_document
from msgls.document.document import Document
from msgls.text.spans import Span
from tests.document.tracked import index_of, parts_of
from tests.measure import Work, assert_linear_calls, assert_linear_seconds, seconds
from tests.text.naive import ENCODINGS

_HEAD = "# %% [^m]\n[^m]: [markdown]\n"


class Case(NamedTuple):
    name: str
    make: Callable[[int], str]
    full: int
    """How many of the thing there are in the larger text."""
    path: str = "a.msg.md"


def _binary(length: int) -> bytes:
    return random.Random(0).randbytes(length)


def _frontmatter(yaml: str) -> str:
    return f"---\n{yaml}\n---\n{_HEAD}"


def _tool_call(xml: str) -> str:
    return f"# %%% [^m]\n[^m]: [Al]\n# %%% [^m.n]\n[^m.n]: [tool] name=x\n{xml}\n"


def _agents(count: int, end: str) -> str:
    agent = '{"name": "A", "metadata": {"bootMessage": {"message": "m"}}}'
    return '{"agents": [' + ",\n".join([agent] * count) + end


def _alias_bomb(levels: int) -> str:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    for level in range(1, levels):
        many = ", ".join([f"*a{level - 1}"] * 10)
        lines.append(f"a{level}: &a{level} [{many}]")
    return "\n".join(lines)


def _widening(lines: int) -> str:
    """Runs of backticks that are all of different lengths, between references."""
    return "".join("`" * number + " [^a] " for number in range(1, int((2 * lines) ** 0.5)))


CASES = [
    Case("bytes as Latin-1", lambda n: _HEAD + _binary(n).decode("latin-1"), 400_000),
    Case(
        "bytes as UTF-8 with surrogates",
        lambda n: _HEAD + _binary(n).decode("utf-8", "surrogateescape"),
        400_000,
    ),
    Case("bytes in a plain file", lambda n: _binary(n).decode("latin-1"), 400_000, "a.bin"),
    Case("one line", lambda n: _HEAD + "x" * n, 1_000_000),
    Case("one line of wide characters", lambda n: _HEAD + "é😀" * n, 500_000),
    Case("one header", lambda n: "# %% " + "x" * n + " [^m]\n", 1_000_000),
    Case("one header of brackets", lambda n: "# %% " + "[^" * n + " [^m]\n", 300_000),
    Case("one id", lambda n: "# %% [^" + "a." * n + "b]\n", 300_000),
    Case("one name of a tool", lambda n: _HEAD + "[^m]: [" + "x" * n + "] a=1\n", 1_000_000),
    Case("hashes in a line", lambda n: _HEAD + "#" * n + "x\n", 400_000),
    Case("hashes before a marker", lambda n: _HEAD + "#" * n + " %% x\n", 400_000),
    Case("blanks in a heading", lambda n: _HEAD + "# " + " " * n + "x\n", 400_000),
    Case("blanks and hashes in a heading", lambda n: _HEAD + "# " + " #" * n + "x\n", 200_000),
    Case("percents", lambda n: _HEAD + "# " + "%" * n + "\n", 400_000),
    Case("blanks", lambda n: _HEAD + " " * n + "\n", 400_000),
    Case("blank lines", lambda n: _HEAD + "\n" * n, 400_000),
    Case("lines of blanks", lambda n: _HEAD + " \t \n" * n, 100_000),
    Case("brackets", lambda n: _HEAD + "[" * n, 50_000),
    Case("footnote brackets", lambda n: _HEAD + "[^" * n + "]" * n, 50_000),
    Case("definitions that never end", lambda n: _HEAD + "[^" + ":" * n + "\n", 400_000),
    Case("escapes before a reference", lambda n: _HEAD + "\\" * n + "[^a]\n", 400_000),
    Case("brackets in the frontmatter", lambda n: _frontmatter("x: " + "[" * n), 50_000),
    Case("braces in the frontmatter", lambda n: _frontmatter("x: " + "{a: " * n), 50_000),
    Case("dashes in the frontmatter", lambda n: _frontmatter("- " * n), 50_000),
    Case("keys in the frontmatter", lambda n: _frontmatter("a: 1\n" * n), 20_000),
    Case("agents", lambda n: _frontmatter("agents:\n" + "  a: {models: [b]}\n" * n), 4_000),
    Case("an alias bomb", lambda n: _frontmatter(_alias_bomb(n)), 80),
    Case("a frontmatter that never ends", lambda n: "---\n" + "a: 1\n" * n, 50_000),
    Case(
        "brackets in a section's frontmatter",
        lambda n: _frontmatter("message_section: Talk\nx: " + "[" * n),
        50_000,
        "notes.md",
    ),
    Case("elements in a tool call", lambda n: _tool_call("<a>" * n), 50_000),
    Case("elements side by side", lambda n: _tool_call("<r>" + "<a/>" * n + "</r>"), 20_000),
    Case("attributes of an element", lambda n: _tool_call("<a " + 'b="1" ' * n + "/>"), 50_000),
    Case("a fence in lists in lists", lambda n: _HEAD + "- " * n + "```\n", 100_000),
    Case("a fence that lists almost are", lambda n: _HEAD + "1. " * n + "``\n", 100_000),
    Case("long lines over underlines", lambda n: _HEAD + ("x" * 999 + "\n=\n=\n") * n, 400),
    Case("backticks of all lengths", lambda n: _HEAD + _widening(n), 400_000),
    Case("comments", lambda n: _HEAD + "<!-- msgls: ignore MSG101 -->\n" * n, 20_000),
    Case("a comment of blanks", lambda n: _HEAD + "<!-- msgls: ignore" + " " * n + "x\n", 100_000),
    Case("a comment of codes", lambda n: _HEAD + "<!-- msgls: ignore" + " A" * n + "\n", 100_000),
    Case("brackets for attributes", lambda n: _HEAD + "[^a]: [x] " + '[a="' * n + "\n", 50_000),
    Case("quotes", lambda n: _HEAD + "[^a]: [x] " + "a=\"b 'c" * n + "\n", 50_000),
    Case("backslashes in a value", lambda n: _HEAD + '[^a]: [x] b="' + "\\" * n + "\n", 400_000),
    Case("quoted", lambda n: _HEAD + ">" * n + "\n" + "> " * n + "\n", 200_000),
    Case("output", lambda n: "# %% [^m]\n# %%% [^m.1]\n[^m.1]: [py]\n" + "stdout> x\n" * n, 40_000),
    Case("byte-order marks", lambda n: "\ufeff" * n + "\n" + "\ufeff\n" * n, 50_000),
    Case("escaped markers", lambda n: _HEAD + "\\# %% x\n" * n, 50_000),
    Case("carriage returns", lambda n: _HEAD + "\r" * n, 400_000),
    Case("separators of other tools", lambda n: _HEAD + "a\u2028\u0085\f\v" * n, 100_000),
    Case("zeros", lambda n: "\0" * n, 400_000),
]

HEAVY = [
    Case("one header of code", lambda n: "# %% " + "`[^a]` " * n + " [^m]\n", 100_000),
    Case("hashes in lines", lambda n: _HEAD + "#\n" * n, 100_000),
    Case("escapes between references", lambda n: _HEAD + "\\\\[^a]`\\`" * n, 50_000),
    Case("a fence", lambda n: _HEAD + "```\n" + "# %% x\nsome code\n" * n + "```\n", 120_000),
    Case("a fence that never ends", lambda n: _HEAD + "```\n" + "# %% x\n" * n, 120_000),
    Case("fences", lambda n: _HEAD + "```\nx\n```\n" * n, 50_000),
    Case("a long fence and short ones", lambda n: _HEAD + "`" * n + "\n" + "```\n" * n, 100_000),
    Case(
        "a long fence in a list and short ones",
        lambda n: _HEAD + "- " + "`" * n + "\n" + "  ```\n" * n,
        50_000,
    ),
    Case("fences in lists", lambda n: _HEAD + "- ```\n" * n, 100_000),
    Case("closed fences in lists", lambda n: _HEAD + "- ```\n  x\n  ```\n" * n, 40_000),
    Case(
        "underlines after carriage returns", lambda n: _HEAD + "text [^a]\r===\rmore\r" * n, 20_000
    ),
    Case("underlines", lambda n: _HEAD + "-\n" * n, 50_000),
    Case("underlines between fences", lambda n: _HEAD + "```\n```\ntext\n---\n" * n, 20_000),
    Case("backticks", lambda n: _HEAD + "` [^a] " * n, 100_000),
    Case("code with references", lambda n: _HEAD + "`[^a]` [^b] " * n, 50_000),
    Case("references", lambda n: _HEAD + "[^a]\n" * n, 50_000),
    Case("conflicts", lambda n: _HEAD + "<<<<<<< a\n=======\n>>>>>>> b\n" * n, 20_000),
    Case("headings", lambda n: _HEAD + "## Plan\n" * n, 50_000),
    Case(
        "headings in a section",
        lambda n: "---\nmessage_section: Talk\n---\n# Talk\n" + "# %%\n## Plan\n" * n,
        10_000,
        "notes.md",
    ),
    Case("definitions of one id", lambda n: _HEAD + "[^m]: [markdown]\n" * n, 20_000),
    Case("cells of one id", lambda n: _HEAD * n, 10_000),
    Case("cells that all refer to one", lambda n: "# %%\n[^a]\n" * n, 20_000),
    Case(
        "definitions at the end",
        lambda n: (
            "".join(f"# %% [^m{number}]\n" for number in range(n))
            + "".join(f"[^m{number}]: [markdown]\n" for number in range(n))
        ),
        8_000,
    ),
    Case("results of one call", lambda n: _tool_call("<a/>") + _results(n), 8_000),
    Case("attributes", lambda n: _HEAD + "[^a]: [x] " + "k=v " * n + "\n", 50_000),
    Case("pairs in brackets", lambda n: _HEAD + "[^a]: [x] " + "[a= " * n + "\n", 50_000),
    Case("markers after byte-order marks", lambda n: "\ufeff# %% [^a]\n" * n, 20_000),
    Case("markers", lambda n: "# %%\n" * n, 20_000),
    Case("near misses", lambda n: _HEAD + "#%% x\n" * n, 50_000),
    Case("escaped definitions", lambda n: _HEAD + "\\[^a\\]: [x]\n" * n, 50_000),
    Case("lines of a header", lambda n: "; a\n" * n, 20_000, "1.md"),
    Case("fields of one name", lambda n: ";\n" + "role: user\n" * n, 20_000, "1.md"),
    Case("blanks in a field", lambda n: "; Authors: a" + " " * n + "(v\n", 100_000, "1.md"),
    Case("fences of a message", lambda n: "; a\n\n\n" + "\\```\n" * n, 20_000, "1.md"),
    Case("sections of a message", lambda n: "; a\n\n\n" + "# a\n" * n, 20_000, "1.md"),
    Case("agents", lambda n: _agents(n, "]}"), 2_000, "agents.json"),
    Case("agents in a broken file", lambda n: _agents(n, ""), 1_000, "agents.json"),
    Case("brackets in an agent", lambda n: '{"agents": [' + "[" * n, 8_000, "agents.json"),
]


def _stf(name: str, make: Callable[[int], str], full: int) -> Case:
    return Case(f"simple text: {name}", make, full, "a.stf")


SIMPLE_TEXT = [
    _stf("messages", lambda n: "@user\nx\n" * n, 20_000),
    _stf("messages without a role", lambda n: "@msg\n" * n, 20_000),
    _stf("messages after one raw", lambda n: "@raw\n{role: 'user'}\n@end\n" + "@msg\n" * n, 20_000),
    _stf("open comments", lambda n: "@/*\n" * n + "@user\n" * n, 20_000),
    _stf("comments in comments", lambda n: "@/*\n" * n + "@*/\n" * n, 50_000),
    _stf("ends of comments", lambda n: "@user\n" + "@*/\n" * n, 50_000),
    _stf("ends of blocks", lambda n: "@user\n" + "@end\n" * n, 50_000),
    _stf("one block", lambda n: "@raw\n" + "{a: [1, 2]},\n" * n + "@end\n", 50_000),
    _stf("blocks that are open", lambda n: "@raw\n{\n" * n, 10_000),
    _stf("brackets in a block", lambda n: "@raw\n" + "[" * n + "\n@end\n", 400_000),
    _stf("comments in a block", lambda n: "@raw\n{\n" + "@# x\n" * n + "}\n@end\n", 30_000),
    _stf("pairs", lambda n: "@user" + " ab=c" * n + "\nx\n", 50_000),
    _stf("half pairs", lambda n: "@user" + " ab" * n + "\nx\n", 50_000),
    _stf("open quotes", lambda n: "@user" + " ab='" * n + "\nx\n", 50_000),
    _stf("members", lambda n: "@user {" + "a: 1, " * n + "}\nx\n", 20_000),
    _stf("brackets in arguments", lambda n: "@user {" + "a:{" * n + "\nx\n", 200_000),
    _stf("calls", lambda n: "@ai\n" + "@call\nf {a: 1}\n" * n, 10_000),
    _stf("calls without a line", lambda n: "@ai\n" + "@call\n" * n, 20_000),
    _stf("doubled prefixes", lambda n: "@user\n" + "@@\n" * n, 50_000),
    _stf("the other prefix", lambda n: "@user\n" + ";user\n" * n, 20_000),
    _stf("unknown commands", lambda n: "@user\n" + "@x\n" * n, 30_000),
    _stf("carriage returns", lambda n: "@user\r" * n, 20_000),
    _stf("one line", lambda n: "@user\n" + "x" * n, 1_000_000),
    _stf("one command", lambda n: "@" + "x" * n, 1_000_000),
    _stf("prefixes in a line", lambda n: "@" * n, 1_000_000),
    _stf("text before any message", lambda n: "words\n" * n, 100_000),
    _stf("bytes as Latin-1", lambda n: _binary(n).decode("latin-1"), 300_000),
    _stf("blocks of meta", lambda n: ";meta\n{a: 1}\n;end\n" * n + ";user\n", 10_000),
]


def _line(kind: str, payload: str = '"textDelta": "x"', run: str = "r", seq: int = 1) -> str:
    head = f'"runId": "{run}", "seq": {seq}, "kind": "{kind}", "payload": {{{payload}}}'
    return f'{{{head}, "timestamp": "2026-01-02T03:04:05Z"}}\n'


def _opening(run: str = "r", request: str = "q") -> str:
    return _line("start", f'"modelId": "m", "requestId": "{request}"', run)


def _calling(call: str, kind: str = "tool_call_start", more: str = '"toolName": "t"') -> str:
    return _line(kind, f'"toolCallId": "{call}", {more}')


_ARGS = '"argsTextDelta": "["'
_MESSAGE = '{"runId": "r", "role": "user", "parts": [], "timestamp": "2026-01-02T03:04:05Z"}'


def _json(name: str, make: Callable[[int], str], full: int, path: str = "a.deltas.jsonl") -> Case:
    return Case(f"JSON: {name}", make, full, path)


_ARRAY = "a.messages.json"
JSON = [
    _json("one stream", lambda n: _opening() + _line("text") * n, 8_000),
    _json("streams", lambda n: (_opening() + _line("done", '"finishReason": "s"')) * n, 4_000),
    _json("starts", lambda n: _opening() * n, 8_000),
    _json("open runs", lambda n: "".join([_opening(f"r{i}") for i in range(n)]), 8_000),
    _json("open calls", lambda n: "".join([_calling(f"c{i}") for i in range(n)]), 8_000),
    _json("one call", lambda n: _calling("c") + _calling("c", "tool_call_args", _ARGS) * n, 8_000),
    _json("broken lines", lambda n: "{\n" * n, 30_000),
    _json("blank lines", lambda n: " \n" * n, 200_000),
    _json("brackets", lambda n: "[" * n, 400_000),
    _json("numbers", lambda n: "1" * n, 400_000),
    _json("one string", lambda n: '"' + "é" * n, 400_000),
    _json("carriage returns", lambda n: "{}\r" * n, 20_000),
    _json("elements", lambda n: "[\n" + f"  {_MESSAGE},\n" * n + "]", 5_000, _ARRAY),
    _json("elements in a line", lambda n: "[" + f"{_MESSAGE}," * n + "]", 5_000, _ARRAY),
    _json("elements that are open", lambda n: "[\n" + "  {\n" * n, 20_000, _ARRAY),
    _json("elements that are open, flush", lambda n: "[\n" + "{\n" * n, 20_000, _ARRAY),
    _json("closing brackets", lambda n: "]}\n" * n, 20_000, _ARRAY),
    _json("an array of brackets", lambda n: "[" * n, 200_000, _ARRAY),
    _json("an array of commas", lambda n: "[" + "," * n, 50_000, _ARRAY),
]

ALL = [*CASES, *HEAVY, *SIMPLE_TEXT, *JSON]
# Calls are counted exactly, so a short text tells as much as a long one.
EVERYDAY = [
    *(case._replace(full=max(case.full // 32, 12)) for case in CASES),
    *(case._replace(full=case.full // 32) for case in (*SIMPLE_TEXT, *JSON)),
    *(case._replace(full=case.full // 64) for case in HEAVY),
]


def _results(count: int) -> str:
    return "".join(
        f"# %%% [^m.n.{number}]\n[^m.n.{number}]: [tool] status=success\n"
        for number in range(count)
    )


def _exercise(path: str, text: str) -> None:
    """All that is done with a file, and one keystroke."""
    document = Document.open(path, text)
    _read(document)
    middle = len(text) // 2
    for encoding in ENCODINGS:
        position = document.position_of(middle, encoding)
        # Between the two characters of a line break it is the end of the line.
        assert middle - 1 <= document.offset_of(position, encoding) <= middle
    edited = document.edit(Span(middle, middle), "x")
    _read(edited)
    assert edited.text == text[:middle] + "x" + text[middle:]


def _read(document: Document) -> None:
    for placed in document.cells():
        parts_of(placed)
    read_document(document)


def _work(case: Case, count: int) -> Work:
    text = case.make(count)
    return lambda: _exercise(case.path, text)


@pytest.mark.parametrize("case", EVERYDAY, ids=lambda case: case.name)
def test_calls_follow_the_length(case: Case) -> None:
    assert_linear_calls(lambda count: _work(case, count), case.full)


@pytest.mark.fuzz
@pytest.mark.parametrize("case", ALL, ids=lambda case: case.name)
def test_time_follows_the_length(case: Case) -> None:
    assert_linear_seconds(lambda count: _work(case, count), case.full)


@pytest.mark.parametrize("case", EVERYDAY, ids=lambda case: case.name)
def test_an_edit_gives_what_a_fresh_parse_gives(case: Case) -> None:
    text = case.make(max(case.full // 25, 3))
    for typed in ("x", "\n", "\n```\n", "\n# %% [^a]\n", "\n@user\n", "\n@/*\n"):
        middle = len(text) // 2
        edited = Document.open(case.path, text).edit(Span(middle, middle), typed)
        fresh = Document.open(case.path, text[:middle] + typed + text[middle:])
        assert [parts_of(cell) for cell in edited.cells()] == [
            parts_of(cell) for cell in fresh.cells()
        ]
        assert index_of(edited) == index_of(fresh)


# What has few lines that mean something: its text in several shapes is nearly all it takes.
_LARGE = [
    "bytes as Latin-1",
    "one line",
    "one header",
    "hashes in a line",
    "blanks",
    "brackets in the frontmatter",
    "quoted",
]


@pytest.mark.parametrize("name", _LARGE)
def test_memory_follows_the_length(name: str) -> None:
    case = next(case for case in CASES if case.name == name)
    text = case.make(1_000_000)
    _exercise(case.path, case.make(100))
    size = len(text.encode("utf-8", "surrogatepass"))
    tracemalloc.start()
    try:
        _exercise(case.path, text)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 20 * size, peak / size


@pytest.mark.fuzz
@pytest.mark.parametrize(
    "text",
    [
        _HEAD + "```\n" + ("# %% no cell\n" + "some code\n" * 20) * 47_000,
        _HEAD + "x" * 10_000_000,
        _HEAD + "\r" * 10_000_000,
    ],
    ids=["a fence", "a line", "carriage returns"],
)
def test_ten_megabytes(text: str) -> None:
    assert seconds(lambda: _exercise("a.msg.md", text)) < 60
