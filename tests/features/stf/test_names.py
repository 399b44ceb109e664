"""Ids: definition, references, highlights, linked editing and rename."""

import pytest

from msgls.features.definition import definition
from msgls.features.highlight import highlights
from msgls.features.linked import linked
from msgls.features.references import references
from msgls.features.rename import RenameRefused, prepare_rename, rename
from tests.features.stf.sample import opened
from tests.notation import mark, table, unmark
from tests.snapshots import snapshot_of

RAW = "@raw\n{role: 'assistant', tool_calls: [{id: 'c', function: {name: 'f'}}]}\n@end\n"

JUMPS = {
    "to the call": "@ai\n@call id=«c»\nf {}\n@tool call_id=¦c\n",
    "to the call, in quotes": "@ai\n@call id=«'c d'»\nf {}\n@tool call_id=\"c¦ d\"\n",
    "to the call, in an object": "@ai\n@call {id: «'c'»}\nf {}\n@tool {call_id: 'c¦'}\n",
    "to the nearest of two": (
        "@ai\n@call id=c\nf {}\n@ai\n@call id=«c»\nf {}\n@tool call_id=c¦\n@ai\n@call id=c\nf {}\n"
    ),
    "to one after": "@tool call_id=c¦\n@ai\n@call id=«c»\nf {}\n",
    "to a raw call": RAW.replace("'c'", "«'c'»") + "@tool call_id=¦c\n",
    "from a raw result": (
        "@ai\n@call id=«c»\nf {}\n@raw\n{role: 'tool', tool_call_id: 'c¦'}\n@end\n"
    ),
    "to the results": (
        "@ai\n@call id=¦c\nf {}\n«@tool call_id=c»\nx\n@ai\n«@tool name=f call_id=c»\n"
    ),
    "from the name of a tool": "@ai\n@call id=c\n¦f {}\n«@tool call_id=c»\n",
    "from a call without an id": (
        "@ai\n@call¦\nf {}\n«@tool»\nx\n@tool\n@ai\n@call\ng {}\n@tool\n"
    ),
    "to the earliest open call": "@ai\n@call\nf {}\n«@call»\ng {}\n@tool\n@too¦l\n",
    "from a raw call": RAW.replace("'c'", "'¦c'") + "«@tool call_id=c»\n",
}


@table("source", JUMPS)
def test_where_it_leads(source: str) -> None:
    marked = unmark(source)
    jump = definition(snapshot_of(opened(marked.text)), marked.cursor)
    assert jump is not None
    assert [target.span for target in jump.targets] == marked.spans()
    assert jump.origin.contains(marked.cursor)


@table(
    "source",
    {
        "no call": "@tool call_id=c¦\n",
        "a call in no message": "@call id=c\nf {}\n@tool call_id=c¦\n",
        "no result": "@ai\n@call id=c¦\nf {}\n",
        "the id of a message": "@ai id=c¦\n@tool call_id=c\n",
        "content": "@ai\nc¦\n",
        "a command": "@us¦er\n",
        "a comment": "@/*\n@tool call_id=¦c\n@*/\n",
        "nothing": "¦",
    },
)
def test_where_nothing_leads(source: str) -> None:
    marked = unmark(source)
    assert definition(snapshot_of(opened(marked.text)), marked.cursor) is None


SAME = {
    "a call and its results": (
        "@ai\n@call id=«call|c»\nf {}\n@tool call_id=«¦c»\n@tool call_id='«c»'\n"
        "@raw\n{tool_call_id: \"«c»\", role: 'tool'}\n@end\n@user id=c\n"
    ),
    "a message": "@user id=«call|¦m»\n@tool call_id=m\n",
    "two messages": "@user id=«call|¦m»\n@ai id=«call|m»\n",
    "raw calls": (
        "@raw\n{tool_calls: [{x: 1}, {id: '«call|c¦»'}, {id: 'd'}]}\n@end\n@tool call_id=«c»\n"
    ),
    "the last of two counts": "@user id=a id=«call|b¦»\n",
    "not as it is written": "@ai\n@call id=«call|'\\u0063'»\n@tool call_id=«¦c»\n",
}


@table("source", SAME)
def test_the_same_id(source: str) -> None:
    marked = unmark(source)
    document = opened(marked.text)
    found = highlights(snapshot_of(document), marked.cursor)
    shown = mark(marked.text, [("call" if one.is_declared else "", one.span) for one in found])
    assert shown == source.replace("¦", "")
    assert references(snapshot_of(document), marked.cursor) == [one.span for one in found]
    uses = references(snapshot_of(document), marked.cursor, declared=False)
    assert uses == marked.spans()


LINKED = {
    "from the call": "@ai\n@call id=«¦c»\nf {}\n@tool call_id=«c»\n@tool call_id='«c»'\n",
    "its own results": (
        "@ai\n@call id=c\n@tool call_id=c\n@ai\n@call id=«c¦»\n@tool call_id=«c»\n"
    ),
}


@table("source", LINKED)
def test_linked(source: str) -> None:
    marked = unmark(source)
    found = linked(snapshot_of(opened(marked.text)), marked.cursor)
    assert found is not None
    assert list(found.spans) == marked.spans()


@table(
    "source",
    {
        "from the result": "@ai\n@call id=c\nf {}\n@tool call_id=c¦\n",
        "a call alone": "@ai\n@call id=c¦\nf {}\n",
        "written in two ways": "@ai\n@call id=c¦\nf {}\n@tool call_id='\\u0063'\n",
        "a message": "@ai id=c¦\n@user id=c\n",
        "a command": "@a¦i\n",
    },
)
def test_not_linked(source: str) -> None:
    marked = unmark(source)
    assert linked(snapshot_of(opened(marked.text)), marked.cursor) is None


RENAMED = {
    "a call": (
        (
            "@ai\n@call id=c¦\nf {}\n@tool call_id='c'\n"
            "@raw\n{role: 'tool', tool_call_id: \"c\"}\n@end\n"
        ),
        "new",
        (
            "@ai\n@call id=new\nf {}\n@tool call_id='new'\n"
            "@raw\n{role: 'tool', tool_call_id: \"new\"}\n@end\n"
        ),
    ),
    "from the result": (
        "@ai\n@call id=c\nf {}\n@tool call_id=¦c\n",
        "a b",
        '@ai\n@call id="a b"\nf {}\n@tool call_id="a b"\n',
    ),
    "quotes": (
        "@ai\n@call {id: 'c¦'}\nf {}\n",
        'it\'s "x"',
        '@ai\n@call {id: "it\'s \\"x\\""}\nf {}\n',
    ),
    "a number": ("@ai {id: 1¦}\n", "m", '@ai {id: "m"}\n'),
    "a message": ("@user id=¦a\n@tool call_id=a\n", "b", "@user id=b\n@tool call_id=a\n"),
    "one of two messages": ("@user id=a\n@ai id=¦a\n", "b", "@user id=a\n@ai id=b\n"),
    "one of two calls": (
        "@ai\n@call id=c\n@tool call_id=c\n@ai\n@call id=c\n@tool call_id=¦c\n",
        "d",
        "@ai\n@call id=c\n@tool call_id=c\n@ai\n@call id=d\n@tool call_id=d\n",
    ),
    "a call that is missing": (
        "@tool call_id=c¦\n@tool call_id=c\n",
        "d",
        "@tool call_id=d\n@tool call_id=d\n",
    ),
    "to the same": ("@user id=¦a\n", "a", "@user id=a\n"),
    "a message and a call may have one id": (
        "@user id=¦a\n@ai\n@call id=b\nf {}\n",
        "b",
        "@user id=b\n@ai\n@call id=b\nf {}\n",
    ),
}


@table("source, new, after", RENAMED)
def test_rename(source: str, new: str, after: str) -> None:
    marked = unmark(source)
    document = opened(marked.text)
    assert prepare_rename(snapshot_of(document), marked.cursor).span.contains(marked.cursor)
    assert document.apply(rename(snapshot_of(document), marked.cursor, new)).text == after


NOT_RENAMED = {
    "nothing here": (
        "@us¦er\n",
        "x",
        "nothing to rename here: put the cursor on the value of `id` or `call_id`",
    ),
    "an empty one": (
        "@user id='¦'\n",
        "x",
        "nothing to rename here: put the cursor on the value of `id` or `call_id`",
    ),
    "to nothing": ("@user id=¦a\n", " ", "an id cannot be empty"),
    "to two lines": ("@user id=¦a\n", "a\nb", "an id is one line, without control characters"),
    "taken by a message": (
        "@user id=¦a\n@ai id=b\n",
        "b",
        "`b` is taken: a message already has that id",
    ),
    "taken by a call": (
        "@ai\n@call id=¦a\nf {}\n@call id=b\ng {}\n",
        "b",
        "`b` is taken: a call already has that id",
    ),
    "taken by a result": (
        "@ai\n@call id=¦a\nf {}\n@tool call_id=b\n",
        "b",
        "`b` is taken: a message already answers a call with that id",
    ),
}


@table("source, new, reason", NOT_RENAMED)
def test_why_not(source: str, new: str, reason: str) -> None:
    marked = unmark(source)
    with pytest.raises(RenameRefused) as refusal:
        rename(snapshot_of(opened(marked.text)), marked.cursor, new)
    assert str(refusal.value) == reason
