"""The formatter: command lines are spaced evenly, and every message stays as it is."""

from hypothesis import given
from hypothesis import strategies as st

from msgls.features.stf.formatting import format_document, format_range
from msgls.text.spans import Span
from msgls.text.work import done
from tests.features.stf.sample import conversation_of, opened, texts
from tests.notation import table, unmark
from tests.snapshots import snapshot_of


def formatted(text: str) -> str:
    document = opened(text)
    return document.apply(done(format_document(snapshot_of(document)))).text


FORMATTED = {
    "blanks after the prefix": ("@ \t user\nHi\n", "@user\nHi\n"),
    "blanks between arguments": ("@user  id = 1\tname =  'a b'  \n", "@user id=1 name='a b'\n"),
    "an object": ("@msg{role:  'user'}  \n", "@msg {role:  'user'}\n"),
    "the end of a block": ("@raw\n{}\n@ end \n", "@raw\n{}\n@end\n"),
    "words after the end": ("@raw\n{}\n@ end  /*  \n", "@raw\n{}\n@end  /*\n"),
    "a call": ("@ai\n@ call  id=1 \n f  {} \n", "@ai\n@call id=1\n f  {} \n"),
    "the other dialect": ("; ai \n;  flush\n", ";ai\n;flush\n"),
    "line breaks and the mark": ("\ufeff@ ai \r\nx \r\n", "\ufeff@ai\r\nx \r\n"),
    # What stays.
    "content": ("@ai\n  x  \n\n\n@@  y \n", "@ai\n  x  \n\n\n@@  y \n"),
    "comments": (
        "@ai\n@  #  x \n@ /* \n@ user \n@ */ \n",
        "@ai\n@  #  x \n@ /* \n@ user \n@ */ \n",
    ),
    "unknown commands": ("@ usr  a = 1\n", "@ usr  a = 1\n"),
    "faults": ("@ user  a = 'x  b\n", "@user  a = 'x  b\n"),
    "commands in a block": ("@raw\n@ call  a = 1\n@end\n", "@raw\n@ call  a = 1\n@end\n"),
    "the other prefix": ("@ai\n; user  a = 1\n", "@ai\n; user  a = 1\n"),
}


@table("before, after", FORMATTED)
def test_what_is_tidied(before: str, after: str) -> None:
    assert formatted(before) == after


@given(texts)
def test_the_messages_are_the_same(text: str) -> None:
    after = formatted(text)
    assert conversation_of(after).messages == conversation_of(text).messages
    assert formatted(after) == after


@given(texts, st.integers(0, 200), st.integers(0, 200))
def test_a_range_is_part_of_the_whole(text: str, one: int, other: int) -> None:
    document = opened(text)
    span = Span(one, other)
    found = format_range(snapshot_of(document), span)
    assert set(found) <= set(done(format_document(snapshot_of(document))))
    assert conversation_of(document.apply(found).text).messages == conversation_of(text).messages


def test_only_the_lines_of_a_range() -> None:
    marked = unmark("@ user\n«@ ai\nx\n»@ sys\n".replace("\n»", "»\n"))
    document = opened(marked.text)
    after = document.apply(format_range(snapshot_of(document), marked.span())).text
    assert after == "@ user\n@ai\nx\n@ sys\n"
