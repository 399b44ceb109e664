"""What can be done with messages: before and after, with the cursor, and what must stay."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.document.document import Document
from msgls.features.command_table import SPLIT_CELL
from msgls.features.commands import Call, CellChange, RefusedError, run
from msgls.features.language import language_of
from msgls.features.stf.cells import (
    change_role,
    delete_message,
    duplicate_message,
    insert_call,
    insert_message,
    insert_result,
    merge_with_next,
    move_message,
    split_message,
)
from msgls.syntax.cells import CellKind
from tests.features.stf.sample import opened, said, texts
from tests.notation import table, unmark
from tests.snapshots import snapshot_of

Command = Callable[[Document, int], CellChange]


def done(command: Command, source: str) -> str:
    """The text after a command at the cursor, with the cursor's new place."""
    marked = unmark(source)
    document = opened(marked.text)
    change = command(document, marked.cursor)
    text = document.apply(change.edits).text
    assert change.cursor is not None
    return f"{text[: change.cursor]}¦{text[change.cursor :]}"


def refused(command: Command, source: str) -> str:
    """Why a command refuses at the cursor."""
    marked = unmark(source)
    with pytest.raises(RefusedError) as refusal:
        command(opened(marked.text), marked.cursor)
    return str(refusal.value)


def user_above(document: Document, offset: int) -> CellChange:
    return insert_message(document, offset, "user", above=True)


def user_below(document: Document, offset: int) -> CellChange:
    return insert_message(document, offset, "user")


def answer_below(document: Document, offset: int) -> CellChange:
    return insert_message(document, offset, "assistant")


def up(document: Document, offset: int) -> CellChange:
    return move_message(document, offset, up=True)


def down(document: Document, offset: int) -> CellChange:
    return move_message(document, offset, up=False)


def as_tool(document: Document, offset: int) -> CellChange:
    return change_role(document, offset, "tool")


def as_assistant(document: Document, offset: int) -> CellChange:
    return change_role(document, offset, "assistant")


DONE: dict[str, tuple[Command, str, str]] = {
    # Inserting.
    "below": (answer_below, "@user\nH¦i\n@sys\nx\n", "@user\nHi\n@assistant\n¦\n@sys\nx\n"),
    "above": (user_above, "@sys\nx\n@ai\nH¦i\n", "@sys\nx\n@user\n¦\n@ai\nHi\n"),
    "at the end": (user_below, "@ai\nH¦i\n", "@ai\nHi\n@user\n¦"),
    "without a line break": (user_below, "@ai\nHi¦", "@ai\nHi\n@user\n¦"),
    "blank lines are content": (user_below, "@ai\nHi\n\n¦", "@ai\nHi\n\n@user\n¦"),
    "in an empty file": (user_below, "¦", "@user\n¦"),
    "in the other dialect": (user_below, ";ai\nH¦i\n", ";ai\nHi\n;user\n¦"),
    "after comments": (user_below, "@# n¦ote\n@ai\n", "@# note\n@user\n¦\n@ai\n"),
    "with another line break": (user_below, "@ai\r\nH¦i\r\n", "@ai\r\nHi\r\n@user\r\n¦"),
    "above, after the mark": (user_above, "\ufeff@ai\nH¦i\n", "\ufeff@user\n¦\n@ai\nHi\n"),
    "what follows keeps its role": (
        user_below,
        "@ai\nH¦i\n@msg id=x\nHo\n",
        "@ai\nHi\n@user\n¦\n@msg role=assistant id=x\nHo\n",
    ),
    "what follows keeps its role, in an object": (
        user_above,
        "@ai\nHi\n@msg {name: 'a'}\nH¦o\n",
        "@ai\nHi\n@user\n¦\n@msg {role: 'assistant', name: 'a'}\nHo\n",
    ),
    "in an empty object": (
        user_above,
        "@ai\n@msg {}\n¦",
        "@ai\n@user\n¦\n@msg {role: 'assistant'}\n",
    ),
    "the same role needs no words": (
        answer_below,
        "@ai\nH¦i\n@msg\nHo\n",
        "@ai\nHi\n@assistant\n¦\n@msg\nHo\n",
    ),
    "a call": (insert_call, "@ai\nH¦i\n@user\n", "@ai\nHi\n@call id=call_1\n¦tool {}\n@user\n"),
    "the next call": (
        insert_call,
        "@ai\n@call id=c7\nf {}¦",
        "@ai\n@call id=c7\nf {}\n@call id=c8\n¦tool {}\n",
    ),
    "a result": (
        insert_result,
        "@ai\n@call id=c1\nl¦ook {}\n@user\n",
        "@ai\n@call id=c1\nlook {}\n@tool name=look call_id=c1\n¦\n@user\n",
    ),
    "the result that is missing": (
        insert_result,
        "@ai\n@call id=a\nf {}\n@call id=b\ng {}\n@tool call_id=a\n¦x\n",
        "@ai\n@call id=a\nf {}\n@call id=b\ng {}\n@tool call_id=a\nx\n@tool name=g call_id=b\n¦",
    ),
    "a result in the other dialect": (
        insert_result,
        ";raw\n{role: 'assistant', tool_calls: [{id: 'x y', function: {name: 'f'}}]}\n;end¦\n",
        (
            ";raw\n{role: 'assistant', tool_calls: [{id: 'x y', function: {name: 'f'}}]}\n;end\n"
            ';tool name=f call_id="x y"\n¦'
        ),
    ),
    # Cutting and joining.
    "split": (split_message, "@user\na\n¦b\n", "@user\na\n@user\n¦b\n"),
    "split in the middle of a line": (split_message, "@user\na\nb¦c\n", "@user\na\n@user\n¦bc\n"),
    "split with a name and an id": (
        split_message,
        "@sys id=m3 name='a b' x=1\na\n¦b",
        "@sys id=m3 name='a b' x=1\na\n@sys name=\"a b\" x=1 id=m4\n¦b",
    ),
    "split what takes over a role": (
        split_message,
        "@ai\n@msg\na\n¦b\n",
        "@ai\n@msg\na\n@msg role=assistant\n¦b\n",
    ),
    "split after a call": (split_message, "@ai\n@call\nf {}\n¦b\n", "@ai\n@call\nf {}\n@ai\n¦b\n"),
    "merge": (merge_with_next, "@user\n¦a\n@user id=x\nb\n@ai\n", "@user\na\n¦b\n@ai\n"),
    "merge what takes over a role": (merge_with_next, "@ai\n¦a\n@msg\nb", "@ai\na\n¦b"),
    "merge with nothing": (merge_with_next, "@ai\n¦a\n@ai", "@ai\na\n¦"),
    # Moving.
    "up": (up, "@user\na\n@ai\nb¦\n", "@ai\nb¦\n@user\na\n"),
    "down": (down, "@us¦er\na\n@ai\nb\n@sys\n", "@ai\nb\n@us¦er\na\n@sys\n"),
    "without a line break at the end": (up, "@user\na\n@ai\nb¦", "@ai\nb¦\n@user\na\n"),
    "not above the mark": (up, "\ufeff@user\na\n@ai¦\nb\n", "\ufeff@ai¦\nb\n@user\na\n"),
    "with its role": (
        up,
        "@user\n@ai\na\n@ms¦g\nb\n@msg\nc\n",
        "@user\n@ms¦g role=assistant\nb\n@ai\na\n@msg\nc\n",
    ),
    "what follows is the same": (
        down,
        "@user¦\na\n@ai\nb\n@msg\nc\n",
        "@ai\nb\n@user¦\na\n@msg role=assistant\nc\n",
    ),
    # Copying and deleting.
    "duplicate": (duplicate_message, "@user\na¦\n@ai\n", "@user\na\n¦@user\na\n@ai\n"),
    "duplicate the last": (duplicate_message, "@user\na¦", "@user\na\n¦@user\na"),
    "duplicate ids": (
        duplicate_message,
        "@ai id=m1\n@call id='c1'\nf¦ {}\n@call id=c2\ng {}\n",
        (
            "@ai id=m1\n@call id='c1'\nf {}\n@call id=c2\ng {}\n"
            "¦@ai id=m2\n@call id='c3'\nf {}\n@call id=c4\ng {}\n"
        ),
    ),
    "delete": (delete_message, "@sys\n@user\n¦a\n@ai\nb\n", "@sys\n¦@ai\nb\n"),
    "delete the first": (
        delete_message,
        "\ufeff@sys\n¦@ai\n".replace("¦", "") + "¦",
        "\ufeff@sys\n¦",
    ),
    "delete, and keep roles": (
        delete_message,
        "@user\n@ai\n¦a\n@msg\nb\n",
        "@user\n¦@msg role=assistant\nb\n",
    ),
    # Another role.
    "another role": (as_tool, "@us¦er id=x\na\n", "@to¦ol id=x\na\n"),
    "another role by a word": (as_tool, "@msg role=user\n¦a\n", "@msg role=tool\n¦a\n"),
    "another role in an object": (
        as_tool,
        "@msg {role: 'user'}\n¦a\n",
        "@msg {role: 'tool'}\n¦a\n",
    ),
    "a role that was taken over": (as_tool, "@ai\n@msg\n¦a\n", "@ai\n@tool\n¦a\n"),
    "others keep theirs": (
        as_assistant,
        "@user\n¦a\n@msg\nb\n",
        "@assistant\n¦a\n@msg role=user\nb\n",
    ),
}


@table("command, before, after", DONE)
def test_what_is_done(command: Command, before: str, after: str) -> None:
    assert done(command, before) == after


REFUSED: dict[str, tuple[Command, str, str]] = {
    "no message": (split_message, "¦words\n", "there is no message here"),
    "below a comment that is open": (
        user_below,
        "@user\n@/*\n¦x\n",
        "the comment that opens on line 2 is not closed",
    ),
    "a call in the other dialect": (
        insert_call,
        ";ai\n¦",
        "the dialect `;` has no `call`: write a raw message",
    ),
    "a call of somebody else": (
        insert_call,
        "@user\n¦",
        "only a message of the assistant calls tools",
    ),
    "a call after one without its line": (
        insert_call,
        "@ai\n@call\n¦",
        "a command in the message is missing its data line",
    ),
    "a result of nothing": (
        insert_result,
        "@user\n¦",
        "only a message that calls a tool has results",
    ),
    "split at the top": (
        split_message,
        "@us¦er\na\n",
        "put the cursor below the line that starts the message",
    ),
    "split a raw message": (
        split_message,
        "@raw\n¦{}\n@end\n",
        "this is a raw message, which cannot be split",
    ),
    "split a comment that is not closed": (
        split_message,
        "@user\n@/*\n¦",
        "the cursor is in a comment",
    ),
    "split a comment": (split_message, "@user\n@/*\n¦x\n@*/\n", "the cursor is in a comment"),
    "split a block": (
        split_message,
        ";user\n;extra\n¦{}\n;end\n",
        "the cursor is in the block of `extra`",
    ),
    "split at its end": (
        split_message,
        ";user\n;extra\n{}\n¦;end\n",
        "the cursor is in the block of `extra`",
    ),
    "split a call": (
        split_message,
        "@ai\n@call\n¦f {}\n",
        "the cursor is on the line that belongs to `call`",
    ),
    "split what waits": (
        split_message,
        "@ai\n@call\n@# x\n¦",
        "the command above is missing its data line",
    ),
    "split after the end": (split_message, ";ai\n;flush\n¦x\n", "`flush` has ended the message"),
    "merge the last": (merge_with_next, "@user\n¦", "there is no message after this one"),
    "merge roles": (merge_with_next, "@user\n¦\n@ai\n", "the two messages have different roles"),
    "merge names": (
        merge_with_next,
        "@user\n¦\n@user name=x\n",
        "the two messages have different names",
    ),
    "merge results": (
        merge_with_next,
        "@tool call_id=a\n¦\n@tool call_id=b\n",
        "the two messages answer different calls",
    ),
    "merge raw": (
        merge_with_next,
        "@user\n¦\n@raw\n{role: 'user'}\n@end\n",
        "a raw message cannot be merged with another one",
    ),
    "merge arguments": (
        merge_with_next,
        "@user\n¦\n@user mood=x\n",
        "the next message has `mood`, but this one does not",
    ),
    "merge after flush": (
        merge_with_next,
        ";ai\n;flush\n¦;ai\n".replace("¦;ai", ";ai").replace(";ai\n;flush", ";¦ai\n;flush", 1),
        "`flush` has ended the message",
    ),
    "move the first": (up, "@# x\n@user¦\n", "this is the first message"),
    "move the last": (down, "@user¦\n", "this is the last message"),
    "no role": (
        lambda d, o: change_role(d, o, "boss"),
        "@user\n¦",
        "`boss` is not a role: user, assistant, system, developer, tool",
    ),
    "the same role": (as_tool, "@tool\n¦", "the message has the role `tool` already"),
    "the role of a raw message": (
        as_tool,
        "@raw\n¦{}\n@end\n",
        "this is a raw message: its role is in its block",
    ),
}


@table("command, source, reason", REFUSED)
def test_why_not(command: Command, source: str, reason: str) -> None:
    assert refused(command, source) == reason


GOING = {
    "next": ("msgls.cell.goToNext", "@us¦er\na\n@ai\n", "@user\na\n¦@ai\n"),
    "previous": ("msgls.cell.goToPrevious", "@user\na\n@a¦i\n", "¦@user\na\n@ai\n"),
    "to the call": (
        "msgls.cell.goToParent",
        "@ai\n@call\nf {}\n@tool¦\n",
        "@ai\n¦@call\nf {}\n@tool\n",
    ),
    "to the result": (
        "msgls.cell.goToChild",
        "@ai\n@call id=a\nf {}\n@call id=b\ng¦ {}\n@tool call_id=a\n@tool call_id=b\n",
        "@ai\n@call id=a\nf {}\n@call id=b\ng {}\n@tool call_id=a\n¦@tool call_id=b\n",
    ),
}


@table("name, source, after", GOING)
def test_where_one_goes(name: str, source: str, after: str) -> None:
    assert done(lambda d, o: run(name, Call(snapshot_of(d), o, {})), source) == after


@table(
    "name, source, reason",
    {
        "next": ("msgls.cell.goToNext", "@us¦er\n", "there is no other message"),
        "previous": ("msgls.cell.goToPrevious", "@# x\n@us¦er\n", "there is no other message"),
        "parent": ("msgls.cell.goToParent", "@us¦er\n", "this message is not the result of a call"),
        "child": ("msgls.cell.goToChild", "@ai¦\n", "no message answers a call of this one"),
        "renumber": (
            "msgls.cell.renumber",
            "@ai¦\n",
            "`Renumber cells` is not available in a file of this format",
        ),
    },
)
def test_where_nobody_goes(name: str, source: str, reason: str) -> None:
    assert refused(lambda d, o: run(name, Call(snapshot_of(d), o, {})), source) == reason


# -- whatever the file -----------------------------------------------------------------------


def tried(command: Command, text: str, at: int) -> tuple[int, list[tuple[str, str]]] | None:
    """Which message it was, and what is said afterwards; nothing where it is refused."""
    document = opened(text)
    offset = at % (len(text) + 1)
    try:
        change = command(document, offset)
    except RefusedError:
        return None
    after = document.apply(change.edits)
    assert change.cursor is not None
    assert 0 <= change.cursor <= len(after.text)
    number = document.number_at_offset(offset) or 0
    first = document.first_cell()
    number -= first is not None and first.cell.kind is CellKind.PREAMBLE
    return number, said(after)


@given(texts, st.integers(0, 400))
def test_inserting_adds_one(text: str, at: int) -> None:
    before = said(opened(text))
    for command, role, step in ((user_below, "user", 1), (answer_below, "assistant", 1)):
        found = tried(command, text, at)
        if found is not None:
            number, after = found
            assert after == [*before[: number + step], (role, ""), *before[number + step :]]
    found = tried(user_above, text, at)
    if found is not None and found[0] >= 0:
        number, after = found
        assert after == [*before[:number], ("user", ""), *before[number:]]


@given(texts, st.integers(0, 400))
def test_deleting_takes_one(text: str, at: int) -> None:
    before = said(opened(text))
    found = tried(delete_message, text, at)
    if found is not None:
        number, after = found
        assert after == [*before[:number], *before[number + 1 :]]


@given(texts, st.integers(0, 400))
def test_copying_gives_two(text: str, at: int) -> None:
    before = said(opened(text))
    found = tried(duplicate_message, text, at)
    if found is not None:
        number, after = found
        assert after == [*before[: number + 1], *before[number:]]


@given(texts, st.integers(0, 400))
def test_moving_changes_the_order(text: str, at: int) -> None:
    before = said(opened(text))
    found = tried(down, text, at)
    if found is not None:
        number, after = found
        one, two = before[number : number + 2]
        assert after == [*before[:number], two, one, *before[number + 2 :]]
        assert tried(up, text, at) is None or number > 0


@given(texts, st.integers(0, 400))
def test_cutting_leaves_the_others(text: str, at: int) -> None:
    before = said(opened(text))
    found = tried(split_message, text, at)
    if found is not None:
        number, after = found
        assert after[:number] == before[:number]
        assert after[number + 2 :] == before[number + 1 :]
        assert after[number][0] == after[number + 1][0] == before[number][0]


@given(texts, st.integers(0, 400))
def test_joining_leaves_the_others(text: str, at: int) -> None:
    before = said(opened(text))
    found = tried(merge_with_next, text, at)
    if found is not None:
        number, after = found
        assert after[:number] == before[:number]
        assert after[number + 1 :] == before[number + 2 :]
        assert after[number][0] == before[number][0]


@given(texts, st.integers(0, 400))
def test_another_role_is_all_that_changes(text: str, at: int) -> None:
    before = said(opened(text))
    found = tried(as_assistant, text, at)
    if found is not None:
        number, after = found
        assert after[number][0] == "assistant"
        assert [*after[:number], *after[number + 1 :]] == [*before[:number], *before[number + 1 :]]


def test_every_command_is_one_that_editors_know() -> None:
    document = opened("@user\n")
    assert SPLIT_CELL in language_of(document).commands()
