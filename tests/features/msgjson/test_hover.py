"""Hover and growing selections in messages and deltas."""

from typing import Any

import pytest

from msgls.conversation.messages import Message
from msgls.features.hover import hover
from msgls.features.markup import plain
from msgls.features.msgjson import streams
from msgls.features.selection import selection_spans
from msgls.formats.msgjson.cells import JsonCell
from tests.features.msgjson.sample import DELTAS, FILES, SESSION, opened
from tests.formats.msgjson.made_up import (
    call,
    call_args,
    call_start,
    delta,
    done,
    dump,
    error,
    message,
    result,
    said,
    start,
    text,
)
from tests.notation import unmark
from tests.snapshots import snapshot_of


def told(source: str, name: str = "a.deltas.jsonl") -> str:
    """What is said at the cursor, and that it is said of the place."""
    marked = unmark(source)
    found = hover(snapshot_of(opened(marked.text, name)), marked.cursor)
    if found is None:
        return ""
    assert found.span.contains(marked.cursor)
    return plain(found.parts)


def cursor_in(source: str, word: str, nth: int = 0) -> str:
    place = -1
    for _ in range(nth + 1):
        place = source.index(word, place + 1)
    return source[: place + 1] + "¦" + source[place + 1 :]


# -- the message so far -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "said_there"),
    [
        (
            "Let me",
            "The message so far · 2 deltas of run r\n\n• thinking, 7 characters\n\n    Let me ",
        ),
        (
            "🦊 world",
            """The message so far · 5 deltas of run r

• thinking, 13 characters: Let me think.
• text, 13 characters

    Hello 🦊 world""",
        ),
        (
            '\\"Bern',
            """The message so far · 9 deltas of run r

• thinking, 13 characters: Let me think.
• text, 13 characters: Hello 🦊 world
• tool_call find c1

    {"city": "Bern"}

42 tokens so far""",
        ),
        (
            "Still",
            "The message so far · 2 deltas of run other\n\n• text, 6 characters\n\n    Still ",
        ),
    ],
)
def test_a_delta_tells_what_is_said_by_then(word: str, said_there: str) -> None:
    assert told(cursor_in(DELTAS, word)) == said_there


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (dump(start()).replace('"start', '"st¦art'), "Nothing yet."),
        (dump(text(1)).replace('"x', '"¦x'), "No start opens a stream of run r."),
        (
            dump(start(), done(1), text(2, "late")).replace("late", "la¦te"),
            "After the end of its stream: it is not part of a message.",
        ),
        (dump(start(), text(1), done(2)).replace('"stop', '"st¦op'), "The message · 3 deltas"),
        (dump(start(), text(1, "before"), error(2)).replace("over", "o¦ver"), "before"),
    ],
)
def test_deltas_that_make_no_message_say_so(source: str, words: str) -> None:
    assert words in told(source)


def test_deltas_of_other_runs_are_left_out() -> None:
    source = dump(start(), start(run="s"), text(1, "mine"), text(1, "theirs", "s"), text(2, " too"))
    assert told(cursor_in(source, " too")).endswith("    mine too")


def test_deltas_of_a_batch_are_followed_through_its_entries() -> None:
    assert "text, 2 characters" in told(cursor_in(SESSION, '"Hi"'), "a.session.jsonl")
    found = told(cursor_in(SESSION, "overloaded"), "a.session.jsonl")
    assert "• text, 2 characters: Hi" in found


def test_of_a_long_stream_the_end_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    source = dump(start(), *[text(n, f"{n} ") for n in range(1, 40)])
    monkeypatch.setattr(streams.assembled, "__defaults__", (None, 10))
    found = told(cursor_in(source, '"39 "'))
    assert "    30 31 32 33 34 35 36 37 38 39 " in found
    assert found.endswith("The stream is long: 29 lines after its start were not read for this.")


def test_of_a_long_stream_the_call_that_goes_on_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    source = dump(start(), call_start(1), *[call_args(n, f"{n},") for n in range(2, 40)])
    monkeypatch.setattr(streams.assembled, "__defaults__", (None, 3))
    found = told(cursor_in(source, '"39,"'))
    assert "• tool_call find c1\n\n    37,38,39," in found


def test_a_delta_costs_no_other_cell_but_those_of_its_stream(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = dump(*[text(n, run="old") for n in range(50)])
    source = before + dump(start(), text(1, "here"))
    document = opened(source)
    read: list[str] = []
    value = JsonCell.value

    def counted(self: JsonCell, number: int) -> Any:
        read.append(self.text)
        return value(self, number)

    monkeypatch.setattr(JsonCell, "value", counted)
    hover(snapshot_of(document), source.index("here"))
    assert read == source.splitlines(keepends=True)[50:]


def test_half_of_an_emoji_can_be_shown() -> None:
    source = dump(start()) + '{"runId": "r", "seq": 1, "kind": "text", "payload": {"textDelta": '
    source += '"\\ud83e¦"}, "timestamp": "t"}\n'
    told(source).encode("utf-8")


# -- keys, kinds, calls -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "word", "words"),
    [
        ("a.deltas.jsonl", '"runId"', "Key of a delta runId\n\nThe run that the delta belongs to."),
        ("a.deltas.jsonl", '"textDelta"', "Key of a payload textDelta"),
        ("a.deltas.jsonl", '"thinking"', "Kind of delta thinking\n\nContinues the reasoning."),
        ("a.deltas.jsonl", '"totalTokens"', "• Value: a whole number\n• Required."),
        ("a.deltas.jsonl", '"other"', "Run other\n\n• Stream from line 12 on by m\n• It has not"),
        ("a.deltas.jsonl", '"r"', "• Ended by done on line 11"),
        ("a.messages.json", '"user"', "Role user\n\nThe user, or anyone else who asks."),
        ("a.messages.json", '"user"', "• 1 part of the kind file_ref"),
        ("a.messages.json", '"file_ref"', "Kind of part file_ref\n\nA part that names a file."),
        ("a.messages.json", '"notes/a b.txt"', "Relative to the folder of this file."),
        ("a.messages.json", '"isError"', "Whether the tool failed."),
        ("a.messages.json", '"What is', "    What is\n    the weather?"),
        (
            "a.messages.jsonl",
            '"c1"',
            "• Tool find, called on line 2\n\n    {}\n\n• Result on line 3",
        ),
        ("a.messages.jsonl", '"c2"', "an object, or parts"),
        ("a.session.jsonl", '"session_start"', "it is ignored."),
        ("a.session.jsonl", '"message"', "The payload is a message."),
        ("a.session.jsonl", '"deltas"', ""),
    ],
)
def test_keys_and_values_tell_what_they_mean(name: str, word: str, words: str) -> None:
    found = told(cursor_in(FILES[name], word), name)
    assert words in found
    assert bool(words) == bool(found)


def test_a_call_tells_what_its_stream_gives_it() -> None:
    found = told(cursor_in(DELTAS, '"c1"'))
    assert "Tool find, called on line 6" in found
    assert '      "city": "Bern"' in found
    assert "• No result" in found


@pytest.mark.parametrize(
    ("wire", "words"),
    [
        (message("tool", result("c9")), "No call of this run has that id."),
        (
            message("assistant", call("c9"), {"kind": "tool_result", "payload": {
                "toolCallId": "c9", "isError": True, "content": "Broken."}}),
            "failed, Broken.",
        ),
    ],
)  # fmt: skip
def test_a_call_without_its_other_half_says_so(wire: object, words: str) -> None:
    assert words in told(cursor_in(dump(wire), '"c9"'), "a.messages.jsonl")


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ('{"kind": "te¦xt", "payload": {\n', "Kind of delta text"),
        ('{"ki¦nd": \n', "Key of a delta kind"),
        ('{"kind": "text", "payload": {"textDel¦ta": "a\n', "Key of a payload textDelta"),
        ('{"kind": "nothing¦"}\n', ""),
        ("¦\n", ""),
        ("{ ¦ }\n", ""),
    ],
)
def test_half_written_lines_are_explained_as_far_as_they_go(source: str, words: str) -> None:
    found = told(source)
    assert words in found
    assert bool(words) == bool(found)


def test_nothing_in_a_file_becomes_markup() -> None:
    from msgls.features.markup import markdown

    marked = unmark(cursor_in(dump(start(), text(1, "![x](http://x)\n```\n<b>")), "![x]"))
    found = hover(snapshot_of(opened(marked.text)), marked.cursor)
    assert found is not None
    assert "````\n![x](http://x)\n```\n<b>\n````" in markdown(found.parts)


def test_what_keys_mean_is_said_for_every_model() -> None:
    from msgls.features.msgjson.shapes import fields_of, models

    assert {"Message", "ToolResult", "UsagePayload", "SessionEntry"} <= models().keys()
    assert Message in models().values()
    for name, model in models().items():
        for field in fields_of(model).values():
            assert field.description.endswith("."), (name, field.name)


# -- selections ---------------------------------------------------------------------------------


def test_selections_grow_from_a_word_to_the_stream() -> None:
    source = dump(start(), text(1, "Hello world"), done(2), start(run="s"))
    at = source.index("world") + 2
    found = [span.of(source) for span in selection_spans(snapshot_of(opened(source)), at)]
    line = dump(text(1, "Hello world"))
    assert found[:4] == ["world", "Hello world", '"Hello world"', '"textDelta": "Hello world"']
    assert found[-4:] == [
        line[:-1],
        line,
        dump(start(), text(1, "Hello world"), done(2))[:-1],
        source,
    ]


def test_selections_in_a_broken_line_still_grow() -> None:
    source = '{"kind": "text", "payload": {"textDelta": "Hello world'
    found = selection_spans(snapshot_of(opened(source)), source.index("world"))
    assert len(found) >= 2
    assert found[-1].of(source) == source


def test_a_message_is_selected_on_the_way() -> None:
    source = dump(message("user", said("Hi")))
    found = [
        span.of(source) for span in selection_spans(snapshot_of(opened(source)), source.index("Hi"))
    ]
    assert source[:-1] in found


def test_a_delta_of_no_stream_has_no_larger_selection_than_its_line() -> None:
    source = dump(delta(1, "text", textDelta="a"), text(2))
    found = selection_spans(snapshot_of(opened(source)), source.index('"a"') + 1)
    assert found[-2].of(source).count("\n") == 1
