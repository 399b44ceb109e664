"""Completion: what is offered where, and what the text is afterwards."""

import pytest

from msgls.features.completion import Completions, Item, complete, documentation
from msgls.features.markup import plain
from msgls.features.snippets import plain as plain_snippet
from msgls.rules.registry import rules_of
from tests.features.stf.sample import opened
from tests.notation import table, unmark
from tests.snapshots import snapshot_of

MESSAGES = ["message", "user", "assistant", "system", "developer", "tool", "raw"]
SHORT = ["msg", "ai", "sys", "dev"]
AT_COMMANDS = [*MESSAGES, "call", "embed", *SHORT]
SEMICOLON_COMMANDS = [*MESSAGES, "meta", "extra", "flush", *SHORT]
WHOLE = ["user message", "assistant message", "system message", "tool message"]
AT_WHOLE = [*WHOLE, "tool call", "embedded file", "raw message", "block comment"]
SEMICOLON_WHOLE = [*WHOLE, "raw message", "meta block", "extra block", "block comment"]
ROLES = ["user", "assistant", "system", "developer", "tool"]
CALLS = "@ai name=guide\n@call id=c1\nlook {}\n@call id=c2\ncount {}\n@tool call_id=c2\n"


def offered(source: str, dialect: str | None = None) -> Completions:
    marked = unmark(source)
    return complete(snapshot_of(opened(marked.text, dialect)), marked.cursor)


def labels(source: str, dialect: str | None = None) -> list[str]:
    return [item.label for item in offered(source, dialect).items]


def item_of(source: str, label: str) -> Item:
    (found,) = [item for item in offered(source).items if item.label == label]
    return found


def typed(source: str, label: str) -> str:
    """The text after that item is taken, without snippets."""
    return opened(unmark(source).text).apply([item_of(source, label).edit]).text


OFFERED = {
    # Commands.
    "after the prefix": ("@user\n@¦\n", [*AT_WHOLE, *AT_COMMANDS]),
    "half a command": ("@user\n@us¦\n", AT_COMMANDS),
    "with blanks": ("@user\n@  us¦\n", AT_COMMANDS),
    "in the middle of one": ("@us¦er id=x\n", AT_COMMANDS),
    "of the other dialect": (";user\n;f¦\n", SEMICOLON_COMMANDS),
    "after its prefix": (";user\n;¦", [*SEMICOLON_WHOLE, *SEMICOLON_COMMANDS]),
    "the first prefix of a file": (";¦", [*SEMICOLON_WHOLE, *SEMICOLON_COMMANDS]),
    "in an empty file": ("¦", AT_WHOLE),
    "on an empty line": ("@user\n¦\n@ai\n", AT_WHOLE),
    "the end of a block": ("@raw\n{}\n@¦\n", ["end"]),
    "half the end of a block": ("@raw\n{}\n@en¦\n@user\n", ["end"]),
    "nothing else in a block": ("@raw\n{}\n@us¦\n", []),
    "the other prefix": ("@user\n;¦\n", []),
    "a doubled prefix": ("@user\n@@u¦\n", []),
    "content": ("@user\nu¦\n", []),
    "a comment": ("@/*\n@¦\n@*/\n", []),
    "a comment that is not closed": ("@/*\n@¦", []),
    "a comment of a line": ("@user\n@# us¦\n", []),
    # Arguments.
    "arguments": ("@user ¦\n", ["name", "id", "call_id"]),
    "arguments of a tool": ("@tool ¦\n", ["call_id", "name", "id"]),
    "arguments of any message": ("@msg ¦\n", ["role", "name", "id", "call_id"]),
    "arguments of a call": ("@ai\n@call ¦\n", ["id"]),
    "no arguments": ("@user\n@embed ¦\n", []),
    "half an argument": ("@msg ro¦\n", ["role", "name", "id", "call_id"]),
    "those that are missing": ("@msg name='a b' r¦ id=1\n", ["role", "call_id"]),
    "after what cannot be read": ("@msg what ¦\n", ["role", "name", "id", "call_id"]),
    "roles": ("@msg role=¦\n", ROLES),
    "half a role": ("@msg role=us¦\n", ROLES),
    "roles with blanks": ("@msg role = 'u¦'\n", ROLES),
    "calls, open ones first": (CALLS + "@tool call_id=¦\n", ["c1", "c2"]),
    "calls in quotes": (CALLS + "@tool name=x call_id='¦\n", ["c1", "c2"]),
    "no call yet": ("@tool call_id=¦\n", []),
    "a new id": ("@user id=q7\n@ai id=¦\n", ["q8"]),
    "the id that is being typed": ("@user id=q7\n@ai id=q8¦\n", ["q8"]),
    "an id that is taken": ("@user id=q7\n@ai id=q8¦\n@user id=q8\n", ["q9"]),
    "the first id": ("@user id=¦\n", ["m1"]),
    "an id for a call": (CALLS + "@ai\n@call id=¦\n", ["c3"]),
    "the first id of a call": ("@ai\n@call id=¦\n", ["call_1"]),
    "names of the same role": (CALLS + "@user name=eve\n@ai name=¦\n", ["guide"]),
    "names of tools": (CALLS + "@tool name=¦\n", ["count", "look"]),
    "a value of an unknown argument": ("@user mood=¦\n", []),
    "in a value with blanks": ("@user name='a ¦\n", []),
    "in a block": ("@raw\n@call ¦\n@end\n", []),
    # Objects.
    "keys of an object": ("@msg {¦\n", ["role", "name", "id", "call_id"]),
    "keys that are missing": ("@msg {role: 'user', ¦}\n", ["name", "id", "call_id"]),
    "roles in an object": ("@msg {role: ¦\n", ROLES),
    "half a role in an object": ("@msg {'role': 'us¦'}\n", ROLES),
    "calls in an object": (CALLS + '@tool {call_id: "¦\n', ["c1", "c2"]),
    "after a value": ("@msg {role: 'user' ¦\n", []),
    "in an inner object": ("@msg {x: {¦\n", []),
    # Raw messages.
    "keys of a raw message": (
        "@raw\n{\n  ro¦\n",
        ["role", "content", "name", "tool_calls", "tool_call_id"],
    ),
    "keys of a raw message that are missing": (
        "@raw\n{role: 'user',\n  ¦\n}\n@end\n",
        ["content", "name", "tool_calls", "tool_call_id"],
    ),
    "roles of a raw message": ("@raw\n{\n  role: '¦'\n}\n@end\n", ROLES),
    "calls of a raw message": (CALLS + "@raw\n{tool_call_id: ¦}\n@end\n", ["c1", "c2"]),
    "the content of a raw message": ("@raw\n{content: '¦'}\n@end\n", []),
    "keys of a call": ("@raw\n{tool_calls: [{¦\n", []),
    "keys of meta": (";meta\n{¦\n;end\n", []),
    # Lines.
    "tools": (CALLS + "@ai\n@call\n¦\n", ["count", "look"]),
    "half a tool": (CALLS + "@ai\n@call\nlo¦\n", ["count", "look"]),
    "tools at the end": (CALLS + "@ai\n@call\n@# x\n¦", ["count", "look"]),
    "what a tool is given": (CALLS + "@ai\n@call\nlook {¦\n", []),
    "a file": ("@user\n@embed\n¦\n", []),
    # Rules.
    "rules": ("@# msgls: ignore ¦\n", [rule.code for rule in rules_of("stf")]),
    "more rules": ("@// msgls: ignore STF001, S¦\n", [rule.code for rule in rules_of("stf")]),
}


@table("source, expected", OFFERED)
def test_what_is_offered(source: str, expected: list[str]) -> None:
    assert labels(source) == expected


def test_a_given_dialect_is_the_only_one() -> None:
    assert labels("@¦", ";") == []
    assert labels(";fl¦", ";") == SEMICOLON_COMMANDS


TYPED = {
    "a command": ("@user\n@us¦\n", "system", "@user\n@system\n"),
    "in place of another": ("@us¦er id=x\n", "ai", "@ai id=x\n"),
    "the end": ("@raw\n{}\n@¦", "end", "@raw\n{}\n@end"),
    "a key": ("@user na¦\n", "name", "@user name=\n"),
    "a key that has a value": ("@user na¦me=x\n", "id", "@user id=x\n"),
    "a value": ("@msg role=us¦x id=1\n", "tool", "@msg role=tool id=1\n"),
    "a value in quotes": ("@msg role='us¦x' id=1\n", "tool", "@msg role='tool' id=1\n"),
    "a value in half of its quotes": ('@msg role="us¦\n', "tool", '@msg role="tool"\n'),
    "a value that needs quotes": (
        "@ai\n@call id='a b'\nf {}\n@tool call_id=¦\n",
        "a b",
        "@ai\n@call id='a b'\nf {}\n@tool call_id=\"a b\"\n",
    ),
    "a key of an object": ("@msg {ro¦\n", "role", "@msg {role: \n"),
    "a key of an object in quotes": ('@msg {"ro¦": 1}\n', "name", '@msg {"name": 1}\n'),
    "a value of an object": ("@msg {role: ¦}\n", "user", "@msg {role: 'user'}\n"),
    "a value of an object in quotes": ('@msg {role: "u¦x"}\n', "user", '@msg {role: "user"}\n'),
    "a tool": (CALLS + "@ai\n@call\nlo¦\n", "look", CALLS + "@ai\n@call\nlook {}\n"),
    "a tool that is given something": (
        CALLS + "@ai\n@call\nlo¦ {x: 1}\n",
        "look",
        CALLS + "@ai\n@call\nlook {x: 1}\n",
    ),
    "a message": ("@user\nHi\n@¦\n", "assistant message", "@user\nHi\n@assistant\n\n"),
    "the result of an open call": (
        CALLS + "@¦\n",
        "tool message",
        CALLS + "@tool name=look call_id=c1\n\n",
    ),
    "a call": (CALLS + "@¦", "tool call", CALLS + "@call id=c3\ntool {}\n"),
    "a raw message": ("¦", "raw message", "@raw\n{\n  role: 'user',\n  content: '',\n}\n@end\n"),
    "with another line break": ("@user\r\n@¦\r\n", "user message", "@user\r\n@user\r\n\r\n"),
    "after the mark": ("\ufeff@¦", "user message", "\ufeff@user\n"),
    "a rule": ("@# msgls: ignore STF¦0\n", "STF013", "@# msgls: ignore STF013\n"),
}


@table("source, label, after", TYPED)
def test_what_is_typed(source: str, label: str, after: str) -> None:
    assert typed(source, label) == after


def test_snippets_say_the_same_as_their_texts() -> None:
    for source in ("¦", ";¦", CALLS + "@¦"):
        for item in offered(source).items:
            assert item.snippet is None or plain_snippet(item.snippet) == item.edit.text


def test_what_was_typed_stands_in_what_it_is_compared_with() -> None:
    for source in (*[row[0] for row in OFFERED.values()],):
        marked = unmark(source)
        for item in complete(snapshot_of(opened(marked.text)), marked.cursor).items:
            before = marked.text[item.edit.span.start : marked.cursor]
            first = (item.filter_text or item.label)[:1]
            assert not before or before[0] in "@;" or first == before[0] or before[0].isalpha()


@pytest.mark.parametrize(
    ("source", "label", "part"),
    [
        ("@us¦\n", "user", "What a person says."),
        ("@msg ¦\n", "role", "Values: user, assistant"),
        ("@ai\n@call ¦\n", "id", "The id of this call."),
        ("@msg role=¦\n", "tool", "What a tool answered to a call."),
        (CALLS + "@tool call_id=¦\n", "c1", "Call of look as c1"),
        ("@raw\n{¦\n", "tool_calls", "The calls that the message makes."),
        ("@# msgls: ignore ¦\n", "STF001", "STF001: unknown-command"),
        ("@raw\n@¦\n", "end", "Ends a block."),
    ],
)
def test_more_about_an_item(source: str, label: str, part: str) -> None:
    item = item_of(source, label)
    assert item.topic is not None
    assert part in plain(documentation(snapshot_of(opened(unmark(source).text)), item.topic))


@pytest.mark.parametrize("topic", [("call", "x"), ("command", "@x"), ("argument", "x y"), ("", "")])
def test_nothing_more_about_what_nobody_knows(topic: tuple[str, str]) -> None:
    assert documentation(snapshot_of(opened("@user\n")), topic) == ()
