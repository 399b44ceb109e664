"""An answer that is written while it comes: valid at any moment, and among edits of others."""

import itertools
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from msgls.conversation.context import sights_of
from msgls.conversation.messages import ToolCallPart
from msgls.conversation.readers import read_document
from msgls.conversation.visibility import Sight
from msgls.document.document import Document
from msgls.features.appending import CannotAppend
from msgls.features.msgmd.answering import LiveAnswer
from msgls.formats.msgmd.content import escape, open_fence
from msgls.text.spans import Edit, Span, difference, sorted_edits
from tests.measure import Work, assert_linear_calls

TIME = "2025-01-01T00:00:00+00:00"
FILE = """---
agents:
  Ada:
    models: [m]
---

# %% [^m1]

[^m1]: [markdown]

Hi.
"""
NEXT = "\n# %% [^m9]\n\n[^m9]: [markdown]\n\nNext.\n"

# What a model might say to break out of its cell.
PIECES = (
    "word", " ", "\n", "\n\n", "# %% [^m1]", "#", " %%", "%", "[^m1]:", " [tool]", "[^", "]:",
    "```", "```py\n", "``", "`", "~~~", "    ", "- ", "- ```", "\\", "<!-- msgls:",
    " ignore MSG101 -->",
    "\r", "\r\n", "---", "\ufeff", "\u2028", "你好", "\ud83d", "# %%% x[^m2]\n\n[^m2]: [Ada]\n",
    "1. ", "\t", "[^m9: [markdown] history=none", "\\[^m9\\]: [markdown] virtual=1",
    " [Ada history=none",
)  # fmt: skip


def delta(kind: str, **payload: Any) -> dict[str, Any]:
    return {"kind": kind, "payload": payload}


def text(words: str) -> dict[str, Any]:
    return delta("text", textDelta=words)


def opened(source: str, name: str = "a.msg.md") -> Document:
    return Document.open(name, source)


def asked(document: Document, **options: Any) -> LiveAnswer:
    at = document.cell(document.entries("header", "m1")[0].label).start_offset + 1
    return LiveAnswer("Ada", TIME, at, **options)


def written(document: Document, answer: LiveAnswer) -> Document:
    """The document with what is to be written."""
    edits = answer.edits(document)
    assert edits is not None
    after = document.apply(edits)
    for edit in reversed(sorted_edits(edits)):
        answer.follow(edit)
    assert answer.settle(after)
    return after


def run(
    source: str, deltas: Sequence[dict[str, Any]], name: str = "a.msg.md"
) -> Iterator[Document]:
    """Every version of a document while an answer comes."""
    document = opened(source, name)
    answer = asked(document)
    for one in deltas:
        answer.take(one)
        document = written(document, answer)
        yield document
    assert answer.is_written


def last(versions: Iterator[Document]) -> str:
    return list(versions)[-1].text


DONE = delta("done", finishReason="stop")


def test_thinking_text_calls_usage() -> None:
    deltas = [
        delta("start", modelId="m-1", requestId="r"),
        delta("thinking", textDelta="Hm."),
        text("Let me "),
        text("look."),
        delta("tool_call_start", toolCallId="x", toolName="ls"),
        delta("tool_call_args", toolCallId="x", argsTextDelta='{"path":'),
        delta("tool_call_args", toolCallId="x", argsTextDelta=' "."}'),
        delta("tool_call_end", toolCallId="x"),
        delta("usage", inputTokens=12, outputTokens=3, totalTokens=15, cost=0.5),
        delta("done", finishReason="tool_calls"),
    ]
    found = last(run(FILE + NEXT, deltas))
    nonce = found.partition("[^m3.")[2].partition("]")[0]
    assert len(nonce) == 8
    assert (
        found
        == FILE
        + f"""
# %%% [^m2]

[^m2]: [Ada] time="{TIME}" model="m-1" reasoning=1

Hm.

# %%% [^m3]

[^m3]: [Ada] time="{TIME}" model="m-1"

Let me look.

# %%% [^m3.{nonce}]

[^m3.{nonce}]: [tool] name="ls" input_tokens=12 output_tokens=3 cost=0.5

<ls>
  <path>.</path>
</ls>
"""
        + NEXT
    )


def test_a_call_without_a_word() -> None:
    call = {"toolCallId": "x"}
    deltas = [
        delta("tool_call_start", **call, toolName="rm -rf"),
        delta("tool_call_args", **call, argsTextDelta="not JSON </call> # %% [^z]"),
        delta("tool_call_end", **call),
        DONE,
    ]
    document = list(run(FILE, deltas))[-1]
    message = read_document(document).messages[-1]
    part = message.parts[-1]
    assert isinstance(part, ToolCallPart)
    assert part.payload.tool_name == "rm -rf"
    assert "not JSON" in json.dumps(part.payload.to_wire())


@pytest.mark.parametrize(
    ("end", "attributes"),
    [
        (delta("done", finishReason="stop"), ""),
        (delta("done", finishReason="length"), ' incomplete=1 reason="the model stopped: length"'),
        (
            delta("error", errorCode="http_429", message='too\nmuch "now"'),
            ' incomplete=1 reason="http_429: too much \\"now\\""',
        ),
    ],
)
def test_how_it_ends(end: dict[str, Any], attributes: str) -> None:
    versions = list(run(FILE, [text("Hello"), end]))
    assert f'time="{TIME}" incomplete=1\n\nHello\n' in versions[0].text
    assert f'time="{TIME}"{attributes}\n\nHello\n' in versions[1].text


def test_nothing_came() -> None:
    answer = asked(opened(FILE))
    answer.take(delta("error", errorCode="setup", message="no key"))
    assert answer.edits(opened(FILE)) == ()
    assert not answer.has_text


def test_an_earlier_answer_stays_as_an_alternative() -> None:
    old = '\n# %%% [^m2]\n\n[^m2]: [Ada] time="x"\n\nOld.\n'
    document = opened(FILE + old)
    at = document.cell(document.entries("header", "m2")[0].label).start_offset + 1
    answer = LiveAnswer("Ada", TIME, at, instead_of=["m2"])
    answer.take(text("New."))
    answer.take(DONE)
    found = written(document, answer).text
    assert '[^m2]: [Ada] history=exclude time="x"\n\nOld.\n' in found
    assert found.endswith(f'# %%% [^m3]\n\n[^m3]: [Ada] time="{TIME}"\n\nNew.\n')


def test_an_earlier_answer_that_was_removed_meanwhile_leaves_its_id() -> None:
    old = '\n# %%% [^m2]\n\n[^m2]: [Ada] time="x"\n\nOld.\n'
    document = opened(FILE + old)
    answer = asked(document, instead_of=["m2"])
    edit = Edit(Span(len(FILE), len(FILE + old)), "")
    answer.follow(edit)
    document = document.edit(*edit)
    for piece in ("New", " and", " whole."):
        answer.take(text(piece))
        document = written(document, answer)
    assert "exclude" not in document.text
    assert document.text.endswith("incomplete=1\n\nNew and whole.\n")


def test_an_answer_is_continued_where_it_stopped() -> None:
    before = (
        '\n# %%% [^m2]\n\n[^m2]: [Ada] time="x" incomplete=1 reason="cut off"\n\nThe quick bro\n'
    )
    document = opened(FILE + before + NEXT)
    at = document.cell(document.entries("header", "m2")[0].label).start_offset + 1
    answer = LiveAnswer("Ada", TIME, at, continues=True)
    answer.take(text("wn fox.\n\n"))
    document = written(document, answer)
    assert 'time="x" incomplete=1\n\nThe quick brown fox.\n' in document.text
    answer.take(text("# %% [^z]"))
    answer.take(DONE)
    found = written(document, answer).text
    assert '[^m2]: [Ada] time="x"\n\nThe quick brown fox.\n\n\\# %% [^z]\n' + NEXT in found


HOME = "[^m2]: [Ada] incomplete=1"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("\n\n{home}\n\nThe quick \n", "\n\n{home}\n\nThe quick brown\n"),
        ("\n\n{home}\n\nThe quick\t\n \n\n", "\n\n{home}\n\nThe quick\tbrown\n \n\n"),
        ("\n\n{home}\n\nThe quick ", "\n\n{home}\n\nThe quick brown\n"),
        ("\n\n{home}\n", "\n\n{home}\n\nbrown\n"),
        ("\n\n{home}", "\n\n{home}\n\nbrown\n"),
        ("\n\n{home} \n \n", "\n\n{home} \n\nbrown\n \n"),
        # Other tools put definitions at the end.
        ("\n\nThe quick \n\n{home}\n", "\n\nThe quick brown\n\n{home}\n"),
        (
            "\n\nThe \n\n[^m1]: [markdown]\n{home}\n[^m9]: [markdown]\n",
            "\n\nThe brown\n\n[^m1]: [markdown]\n{home}\n[^m9]: [markdown]\n",
        ),
        ("\n\nThe [^n]\n\n[^n]: A note.\n", "\n\nThe [^n]\n\n[^n]: A note.brown\n"),
    ],
)
def test_what_goes_on_follows_what_was_said(before: str, after: str) -> None:
    is_elsewhere = "{home}" not in before
    head = FILE + (f"\n{HOME}\n" if is_elsewhere else "") + "\n# %%% [^m2]"
    document = opened(head + before.format(home=HOME))
    at = document.cell(document.entries("header", "m2")[0].label).start_offset + 1
    answer = LiveAnswer("Ada", TIME, at, continues=True)
    answer.take(text("brown"))
    assert written(document, answer).text == head + after.format(home=HOME)


def test_a_thought_is_continued_as_a_thought() -> None:
    attributes = '[Ada] time="x" reasoning=1 incomplete=1 reason="stopped"'
    document = opened(FILE + f"\n# %%% [^m2]\n\n[^m2]: {attributes}\n\nLet me th\n")
    at = document.cell(document.entries("header", "m2")[0].label).start_offset + 1
    answer = LiveAnswer("Ada", TIME, at, continues=True)
    for one in (delta("thinking", textDelta="ink."), text("Four."), DONE):
        answer.take(one)
    found = written(document, answer).text
    assert '[^m2]: [Ada] time="x" reasoning=1\n\nLet me think.\n\n# %%% [^m3]\n' in found
    assert found.endswith(f'[^m3]: [Ada] time="{TIME}"\n\nFour.\n')


def test_what_it_took_to_continue_is_added_to_what_it_took_before() -> None:
    took = "input_tokens=10 output_tokens=3 cost=0.1"
    attributes = f'[Ada] time="x" incomplete=1 reason="the model stopped: length" {took}'
    document = opened(FILE + f"\n# %%% [^m2]\n\n[^m2]: {attributes}\n\nThe quick bro\n")
    at = document.cell(document.entries("header", "m2")[0].label).start_offset + 1
    answer = LiveAnswer("Ada", TIME, at, continues=True)
    answer.take(text("wn"))
    document = written(document, answer)
    assert f'[Ada] time="x" incomplete=1 {took}\n' in document.text
    answer.take(delta("usage", inputTokens=14, outputTokens=2, totalTokens=16, cost=0.2))
    answer.take(DONE)
    found = written(document, answer).text
    assert '[Ada] time="x" input_tokens=24 output_tokens=5 cost=0.3\n\nThe quick brown\n' in found


def test_an_answer_stands_as_deep_as_what_it_answers() -> None:
    call = {"toolCallId": "x"}
    deltas = [
        delta("thinking", textDelta="Hm."),
        text("Yes."),
        delta("tool_call_start", **call, toolName="ls"),
        delta("tool_call_end", **call),
        DONE,
    ]
    found = last(run(FILE.replace("# %% [^m1]", "### %% Title[^m1]"), deltas))
    assert [line.partition(" [")[0] for line in found.split("\n") if "%%%" in line] == [
        "### %%%"
    ] * 3


@pytest.mark.parametrize("hashes", ["#", "###"])
def test_no_heading_of_an_answer_ends_the_section(hashes: str) -> None:
    head = "---\nmessage_section: Talk\n---\n\n## Talk\n\n"
    said = ["# One\n\n## T", "wo\n```\n# no heading\n```\n#", "\n\n#hash\n\n###### Six"]
    source = head + FILE.partition("---\n\n")[2].replace("# %%", f"{hashes} %%")
    found = last(run(source, [*map(text, said), DONE], name="a.md"))
    assert found.partition(f'{TIME}"\n\n')[2] == (
        f"{hashes}# One\n\n{hashes}## Two\n"
        f"```\n# no heading\n```\n{hashes}#\n\n#hash\n\n###### Six\n"
    )
    # Where there is no section, headings stay.
    assert last(run(FILE, [*map(text, said), DONE])).endswith("".join(said) + "\n")


def test_what_a_service_says_of_itself_is_short_and_has_no_controls() -> None:
    model = 'x" history=exclude\n# %% [^z]\x1b]0;t\x07' + "y" * 1_000
    start = delta("start", modelId=model, requestId="q")
    error = delta("error", errorCode="e\x1b[2J", message="\x00no\n[^m1]: [markdown]")
    found = last(run(FILE, [start, text("Hi."), error]))
    model = ('x" history=exclude # %% [^z] ]0;t ' + "y" * 1_000)[:200].replace('"', '\\"')
    reason = 'reason="e [2J: no [^m1]: [markdown]"'
    assert f'time="{TIME}" model="{model}" incomplete=1 {reason}\n\nHi.\n' in found


def test_calls_that_share_an_id_are_both_there() -> None:
    call = {"toolCallId": "x"}
    deltas = [
        delta("tool_call_start", **call, toolName="ls"),
        delta("tool_call_args", **call, argsTextDelta='{"path": "first"}'),
        delta("tool_call_start", **call, toolName="ls"),
        delta("tool_call_args", **call, argsTextDelta='{"path": "second"}'),
        delta("tool_call_end", **call),
        DONE,
    ]
    found = last(run(FILE, deltas))
    assert re.findall("<path>(.*)</path>", found) == ["first", "second"]


def test_a_character_that_comes_in_two_halves() -> None:
    said = json.loads(r'["a \ud83e", "\udd8a b", "\ud83e", "c", "\udd8a\ud83e"]')
    assert last(run(FILE, [*map(text, said), DONE])).endswith("\n\na 🦊 b\ufffdc\ufffd\ufffd\n")


@pytest.mark.parametrize(
    ("said", "end"),
    [
        ("a\n\n  # %% b\n\nc", "\n\n<!-- msgls: ignore MSG106 -->"),
        ("\uff03 %% b", "\n\n<!-- msgls: ignore MSG106 -->"),
        ("<<<<<<< a\nx\n=======\ny\n>>>>>>> b", "\n\n<!-- msgls: ignore MSG112 -->"),
        ("#%% b\n\n```\nx", "\n```\n\n<!-- msgls: ignore MSG106 -->"),
        ("```\n#%% b\n```\n\n=======", ""),
        ("# %% b", ""),
    ],
)
@pytest.mark.parametrize("size", [1, 1_000])
def test_what_looks_like_a_mistake_is_marked_as_meant(said: str, end: str, size: int) -> None:
    pieces = [said[at : at + size] for at in range(0, len(said), size)]
    found = last(run(FILE, [*map(text, pieces), DONE]))
    assert found.endswith(f"\n\n{escape(said, ())}{end}\n")
    # What is not whole may be continued.
    assert "<!--" not in last(run(FILE, [text(said), delta("error", message="no")]))


def test_a_call_with_half_of_a_character_can_be_written() -> None:
    call = [
        delta("tool_call_start", toolCallId="x", toolName="l\ud83ds"),
        delta("tool_call_args", toolCallId="x", argsTextDelta='{"a": "\ud83d'),
        delta("tool_call_args", toolCallId="x", argsTextDelta='\ude42 \ud83d"}'),
    ]
    found = last(run(FILE, [*call, DONE]))
    assert ' name="l\ufffds"\n' in found
    assert "<a>🙂 \ufffd</a>" in found


@pytest.mark.parametrize(("end", "is_whole"), [(DONE, True), (None, False)])
def test_a_call_that_nobody_ended_is_kept(end: dict[str, Any] | None, is_whole: bool) -> None:
    document = opened(FILE)
    answer = asked(document)
    answer.take(delta("tool_call_start", toolCallId="x", toolName="ls"))
    answer.take(delta("tool_call_args", toolCallId="x", argsTextDelta='{"path": "/tm'))
    if end is None:
        answer.end("cut off")
    else:
        answer.take(end)
    found = written(document, answer).text
    mark = "" if is_whole else ' incomplete=1 reason="cut off"'
    assert f'[tool] name="ls"{mark}\n' in found
    assert '{"path": "/tm' in found


@given(st.lists(st.sampled_from(PIECES), max_size=14), st.booleans())
@example(["\r", "```", "```"], True)
@example(["\r", "\ud83d"], False)
@example(["\n", "[^m1]:", " [Ada history=none"], True)
@example(["\n", "[^m9: [markdown] history=none", "\n"], False)
@example(["\n", "\\[^m9\\]: [markdown] virtual=1", "\n"], False)
@settings(max_examples=150)
def test_nothing_that_a_model_says_leaves_its_cell(pieces: list[str], is_last: bool) -> None:
    # Cells without a definition of their own take what looks like one.
    source = re.sub(r"\[\^m[19]\]: \[markdown\]\n\n", "", FILE if is_last else FILE + NEXT)
    said = "".join(pieces)
    ids = ["m1", "m2"] + ([] if is_last else ["m9"])
    for document in run(source, [text("Start."), *map(text, pieces), DONE]):
        # At any moment: a crash may come at any.
        cells = [placed.cell.id for placed in document.cells() if placed.cell.id]
        assert cells == ids, document.text
    conversation = read_document(document)
    assert set(sights_of(conversation)) == {Sight.SEEN}
    message = conversation.messages[1]
    heard = message.parts[0].to_wire()["payload"]["text"]
    lines = said.replace("\ud83d", "\ufffd").replace("\r\n", "\n").replace("\r", "\n")
    wanted = ("Start." + lines).rstrip(" \t\n")
    assert heard.startswith(wanted)
    # At most the fence that it left open is closed, which may be of any length.
    assert heard.removeprefix(wanted).strip(" \t\n") in ("", open_fence(wanted))


def test_no_footnote_of_an_answer_has_the_id_of_one_of_its_cells() -> None:
    # All of it comes at once: no cell is in the document before the next one begins.
    document = opened(FILE)
    answer = asked(document)
    answer.take(text("See[^m3].\n\n[^m3]: A note.\n\n[^m2]: Another.\n\n[^m4]: The last."))
    answer.take(delta("thinking", textDelta="Hm."))
    answer.take(text("[^m6]: A note.\n\n[^m5]: [Ada history=none"))
    answer.take(DONE)
    found = written(document, answer)
    assert answer.cell_ids == ["m2", "m5", "m6"]
    assert "\n\n[^m3]: A note.\n\n\\[^m2]: Another.\n\n[^m4]: The last.\n" in found.text
    assert found.text.endswith("\n\n\\[^m6]: A note.\n\n\\[^m5]: [Ada history=none\n")
    heard = [message.parts for message in read_document(found).messages[1:]]
    assert [part.to_wire()["payload"]["text"] for parts in heard for part in parts] == [
        "See[^m3].\n\n[^m3]: A note.\n\n[^m2]: Another.\n\n[^m4]: The last.",
        "Hm.",
        "[^m6]: A note.\n\n[^m5]: [Ada history=none",
    ]


@pytest.mark.parametrize("kinds", [("text", "thinking"), ("text", "tool_call_start")])
def test_many_cells_that_come_at_once(kinds: tuple[str, str]) -> None:
    def prepare(count: int) -> Work:
        answer, document = asked(opened(FILE)), opened(FILE)
        for number in range(count):
            answer.take(text("a") if number % 2 else some[kinds[1]](number))
        answer.take(DONE)
        return lambda: written(document, answer)

    some = {
        "thinking": lambda number: delta("thinking", textDelta="a"),
        "tool_call_start": lambda number: delta(
            "tool_call_start", toolCallId=str(number), toolName="ls"
        ),
    }
    assert_linear_calls(prepare, 400)


def trimmed(edit: Edit, document: Document, ends: str) -> Edit:
    """The edit as a client tells of it that leaves out what is the same at these ends."""
    (start, end), new = edit
    old = document.store.slice(edit.span)
    while "tail" in ends and old and old[-1:] == new[-1:]:
        old, new, end = old[:-1], new[:-1], end - 1
    while "head" in ends and old and old[:1] == new[:1]:
        old, new, start = old[1:], new[1:], start + 1
    return Edit(Span(start, end), new)


def test_an_edit_that_is_told_of_as_one_change_leaves_the_mark_of_the_cell_that_follows() -> None:
    document = opened(FILE)
    answer = asked(document)
    thinking = delta("thinking", textDelta="Hm.")
    for one in (thinking, text("a"), thinking, text("b"), text("c")):
        answer.take(one)
        edits = answer.edits(document)
        assert edits is not None
        after = document.apply(edits)
        answer.follow(difference(document.text, after.text))
        document = after
        assert answer.settle(document)
        assert answer.is_written
        # Else a crash would leave a part of an answer that looks whole.
        assert document.text.count(" incomplete=1\n") == 1
        assert f"[^{answer.cell_ids[-1]}]: [Ada]" in document.text.partition(" incomplete=1")[0]
        assert "# %%%" not in document.text.partition(" incomplete=1")[2]


@pytest.mark.parametrize("ends", ["", "head", "tail", "head and tail"])
@given(st.lists(st.sampled_from(["ha", "\n", "\nha", "ha\n"]), max_size=12))
def test_text_that_repeats_itself_stays_in_order(ends: str, pieces: list[str]) -> None:
    document = opened(FILE + NEXT)
    answer = asked(document)
    for piece in ["Start.", *pieces, "End."]:
        answer.take(text(piece))
        edits = answer.edits(document)
        assert edits is not None
        for edit in reversed(sorted_edits(edits)):
            answer.follow(trimmed(edit, document, ends))
        document = document.apply(edits)
        assert answer.settle(document)
    said = "Start." + "".join(pieces) + "End."
    assert f"\n\n{said}\n{NEXT}" in document.text


@given(st.lists(st.sampled_from(["ha", "\n", "\nha", "ha\n"]), min_size=1, max_size=12))
@example(["ha\n", "ha\n", "ha\n"])
def test_text_that_repeats_itself_comes_once_where_edits_are_told_of_as_one(
    pieces: list[str],
) -> None:
    """Of all edits of a step, what the client tells of is the difference that they make."""
    document = opened(FILE + NEXT)
    answer = asked(document)
    for number, piece in enumerate(pieces):
        answer.take(text(piece))
        if number == len(pieces) - 1:
            # The last words come with the end, which takes the mark away.
            answer.take(DONE)
        edits = answer.edits(document)
        assert edits is not None
        after = document.apply(edits)
        if after.text != document.text:
            answer.follow(difference(document.text, after.text))
        document = after
        assert answer.settle(document)
    assert answer.is_written
    said = read_document(document).messages[1].parts
    heard = "".join(part.to_wire()["payload"]["text"] for part in said)
    assert heard.strip("\n") == "".join(pieces).strip("\n")


def test_an_edit_of_somebody_else_that_is_as_long_is_not_taken_for_all_of_ours() -> None:
    document = opened(FILE + NEXT + "And more of it, and more." * 4)
    answer = asked(document)
    for _ in range(2):
        answer.take(text("ha\n"))
        document = written(document, answer)
    answer.take(text("ha\n"))
    answer.take(DONE)
    edits = answer.edits(document)
    assert edits is not None
    grown = len(document.apply(edits).text) - len(document.text)
    # Somebody was faster, far from the answer: ours were refused.
    end = len(document.text)
    theirs = Edit(Span(end + min(grown, 0), end), "x" * grown)
    document = document.edit(*theirs)
    answer.follow(theirs)
    assert not answer.settle(document)
    document = written(document, answer)
    assert "\n\nha\nha\nha\n\n# %%" in document.text


# -- edits of others --------------------------------------------------------------------------


class Client:
    """An editor that applies edits late, refuses what is too old, and in which people type."""

    def __init__(self, source: str) -> None:
        self.document = opened(source)
        self.version = 0
        self.outbox: list[Edit] = []
        """Edits that the server was not told of yet."""

    def edit(self, edit: Edit) -> None:
        self.document = self.document.edit(*edit)
        self.version += 1
        self.outbox.append(edit)


@given(st.data())
@settings(max_examples=150)
def test_typing_meanwhile_is_as_typing_before(data: st.DataObject) -> None:
    """Whatever is typed before and after the answer, the text is that of one after the other."""
    pieces = data.draw(st.lists(st.sampled_from(PIECES), min_size=1, max_size=8))
    client = Client(FILE + NEXT)
    server = client.document
    answer = asked(server)
    serial = FILE + NEXT
    # Where the answer goes, in the text without it; people type elsewhere.
    place = len(FILE)
    top = FILE.index("Hi.")
    deltas = iter([*map(text, ["Start.", *pieces]), DONE])
    came: list[dict[str, Any]] = []
    for step in itertools.count():
        if step > 12 and answer.is_ended and answer.is_written:
            break
        action = data.draw(st.sampled_from(["delta", "type above", "type below", "write", "late"]))
        if step > 12 or action == "delta":
            for one in [*itertools.islice(deltas, 1 if step <= 12 else None)]:
                came.append(one)
                answer.take(one)
        if action == "type above" and step <= 12:
            word = data.draw(st.sampled_from(["x", "yy\n", "```\n", ""]))
            edit = Edit(Span(top, top + (not word)), word)
            client.edit(edit)
            serial = serial[: edit.span.start] + word + serial[edit.span.end :]
            place += len(word) - (edit.span.end - edit.span.start)
        if action == "type below" and step <= 12:
            end = len(client.document.store)
            client.edit(Edit(Span(end, end), "z\n"))
            serial += "z\n"
        if action in ("write", "late") or step > 12:
            for told in client.outbox:
                answer.follow(told)
            client.outbox = []
            server, version = client.document, client.version
            try:
                edits = answer.edits(server)
            except CannotAppend:
                # A fence above is open: the answer waits until it is not.
                if step > 12:
                    return
                continue
            assert edits is not None
            if action == "late" and step <= 12:
                client.edit(Edit(Span(top, top), "late "))
                serial = serial[:top] + "late " + serial[top:]
                place += len("late ")
            # An edit for a version that is gone is refused.
            if edits and version == client.version:
                for edit in reversed(sorted_edits(edits)):
                    client.edit(edit)
            for told in client.outbox:
                answer.follow(told)
            client.outbox = []
            server = client.document
            answer.settle(server)
    alone = list(run(FILE + NEXT, came))[-1].text
    said = alone[len(FILE) : len(alone) - len(NEXT)]
    ids = {f"[^m{number}]" for number in range(2, 5)}
    assert client.document.text.replace("\n\n\n", "\n\n") == (
        serial[:place] + said + serial[place:]
    ).replace("\n\n\n", "\n\n"), ids


def test_an_id_that_somebody_else_takes_first() -> None:
    """*Ask* and *Insert cell* at once: the first edit of the answer comes too late."""
    document = opened(FILE)
    answer = asked(document)
    answer.take(text("Hello"))
    call = {"toolCallId": "x"}
    answer.take(delta("tool_call_start", **call, toolName="ls"))
    answer.take(delta("tool_call_args", **call, argsTextDelta="{}"))
    answer.take(delta("tool_call_end", **call))
    assert answer.edits(document)
    typed = Edit(Span(len(FILE), len(FILE)), NEXT.replace("m9", "m2"))
    answer.follow(typed)
    document = document.edit(*typed)
    assert not answer.settle(document)
    document = written(document, answer)
    ids = [placed.cell.id for placed in document.cells() if placed.cell.id]
    nonce = str(ids[2]).partition(".")[2]
    assert ids == ["m1", "m3", f"m3.{nonce}", "m2"]
    assert answer.cell_ids == ids[1:3]
    assert "[^m3]: [Ada]" in document.text
    assert f"[^m3.{nonce}]: [tool]" in document.text


def test_an_edit_at_the_end_that_is_told_of_in_two_parts() -> None:
    """Neovim ends the last line by itself, and takes that back a moment later."""
    document = opened(FILE)
    answer = asked(document)
    answer.take(text("Hello"))
    edits = answer.edits(document)
    assert edits is not None
    [(span, new)] = edits
    assert span == Span(len(FILE), len(FILE))
    told = Edit(Span(len(FILE) - 1, len(FILE) - 1), "\n" + new)
    answer.follow(told)
    document = document.edit(*told)
    assert answer.settle(document)
    end = len(document.store)
    told = Edit(Span(end - 1, end), "")
    answer.follow(told)
    document = document.edit(*told)
    answer.take(text(" there."))
    answer.take(DONE)
    document = written(document, answer)
    assert document.text.startswith(f"{FILE}\n# %%% [^m2]\n\n[^m2]: [Ada] ")
    assert document.text.endswith("\n\nHello there.\n")


def test_whoever_removes_the_answer_ends_it() -> None:
    document = opened(FILE)
    answer = asked(document)
    answer.take(text("Hello"))
    document = written(document, answer)
    edit = Edit(Span(len(FILE) - 1, len(document.store)), "")
    answer.follow(edit)
    answer.take(text(" there"))
    assert answer.edits(document.edit(*edit)) is None
