"""Names that the reader makes up, and values as the writer writes them."""

import pytest

from msgls.formats.stf.arguments import parse_arguments, write_arguments
from msgls.formats.stf.cells import Block
from msgls.formats.stf.lexer import lex
from msgls.text.spans import Span
from tests.formats.stf.reading import cells, conversation_of, said


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("@ai\n@call\na {}\n", ["call-1"]),
        ("@ai\n@call\na {}\n@call\nb {}\n", ["call-1", "call-2"]),
        ("@ai\n@call\na {}\n@call id=call-1\nb {}\n", ["call-2", "call-1"]),
    ],
)
def test_a_call_without_an_id_gets_the_first_free_one(text: str, ids: list[str]) -> None:
    ((_, parts),) = said(text)
    assert [part.split(" ")[1] for part in parts.split("|")] == ids


@pytest.mark.parametrize(
    ("rest", "is_object"), [("", False), (" a=b", False), (" {a: 'b'}", True), (" {a", True)]
)
def test_an_object_is_one_even_if_it_is_broken(rest: str, is_object: bool) -> None:
    assert parse_arguments(rest).is_object is is_object


def test_what_is_written_is_readable() -> None:
    assert write_arguments({"name": "Zoë 漢"}) == ' name="Zoë 漢"'
    assert write_arguments({"a b": "漢"}) == ' {"a b": "漢"}'


@pytest.mark.parametrize(
    ("part", "place"),
    [
        (Span(0, 2), Span(5, 7)),
        (Span(1, 3), Span(6, 21)),
        (Span(2, 4), Span(20, 22)),
        # After what was taken out, not before it.
        (Span(2, 2), Span(20, 20)),
        (Span(0, 0), Span(5, 5)),
        (Span(4, 4), Span(22, 22)),
    ],
)
def test_where_a_part_of_a_block_stands(part: Span, place: Span) -> None:
    assert Block("abcd", ((0, 5), (2, 20))).span(part) == place


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("# x\n@user\na\n", [(0, None)]),
        ("@user\n@unknown\na\n", [(1, 0)]),
        ("@user\na\n@ai\n@unknown\nb\n", [(3, 1)]),
        ("@unknown\n@user\na\n@unknown\n", [(0, None), (3, 0)]),
    ],
)
def test_a_loss_is_that_of_a_message_or_of_none(
    text: str, places: list[tuple[int, int | None]]
) -> None:
    assert [(loss.line, loss.message_index) for loss in conversation_of(text).losses] == places


@pytest.mark.parametrize(
    ("line", "data"),
    [("", None), ("  ", None), (" \t\n", None), ("a", "a"), (" a b\t\n", "a b"), ("@@a", "@a")],
)
def test_the_line_that_a_command_takes(line: str, data: str | None) -> None:
    (cell,) = cells("@ai\n@call\n" + line)
    *_, call = cell.commands
    found = cell.data_line(call)
    assert (None if found is None else found.of(cell.text)) == data


@pytest.mark.parametrize(
    ("line", "word_start", "word"),
    [("@ai", 1, "ai"), ("@ \tai b", 3, "ai"), ("@@ai", 1, ""), ("@", 1, "")],
)
def test_where_the_word_of_a_line_stands(line: str, word_start: int, word: str) -> None:
    (mark,) = lex(line).marks
    assert (mark.word_start, mark.word) == (word_start, word)
