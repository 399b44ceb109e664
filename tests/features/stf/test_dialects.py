"""Conversion of the dialect: what is written how, what is refused, and that the rest stays."""

import pytest
from hypothesis import given

from msgls.features.actions import cell_actions
from msgls.features.commands import Call, CellChange, RefusedError, run
from msgls.features.stf.dialects import convert, obstacle
from msgls.features.stf.meaning import dialect_of
from tests.features.stf.sample import CONVERSATION, opened, said, texts
from tests.notation import table
from tests.snapshots import snapshot_of

CONVERT = "msgls.stf.convertDialect"


def converted(text: str) -> str:
    document = opened(text)
    change = run(CONVERT, Call(snapshot_of(document), 0, {}))
    assert isinstance(change, CellChange)
    return document.apply(change.edits).text


CONVERTED = {
    "commands": ("@user\nHi\n@ ai id=1\nHo\n", ";user\nHi\n; ai id=1\nHo\n"),
    "back": (";user\nHi\n;ai\nHo\n", "@user\nHi\n@ai\nHo\n"),
    "comments": (
        "@# a\n@/* b\n@user\n;x\n@@y\n@*/\n@ai\n",
        ";# a\n;/* b\n;user\n;;x\n@y\n;*/\n;ai\n",
    ),
    "a doubled prefix": ("@user\n@@guide\n", ";user\n@guide\n"),
    "the other prefix": ("@user\n;) smile\n", ";user\n;;) smile\n"),
    "two of the other prefix": ("@user\n;;x\n", ";user\n;;;x\n"),
    "a raw message": ("@raw\n{role: 'user'}\n@end more\n", ";raw\n{role: 'user'}\n;end more\n"),
    "line breaks and the mark": ("\ufeff@user\r\nHi", "\ufeff;user\r\nHi"),
    "a flush with nothing after it": (";user\nHi\n;flush\n\n;ai\n", "@user\nHi\n@ai\n"),
    "a call": (
        "@ai id=m\nLook.\n@call id=c\nf {a: 1}\n@tool\nok\n",
        (
            ';raw id=m\n{\n  "role": "assistant",\n  "content": "Look.",\n'
            '  "tool_calls": [\n    {\n      "id": "c",\n      "type": "function",\n'
            '      "function": {\n        "name": "f",\n'
            '        "arguments": "{\\"a\\": 1}"\n      }\n    }\n  ]\n}\n;end\n;tool\nok\n'
        ),
    ),
}


@table("before, after", CONVERTED)
def test_what_is_written(before: str, after: str) -> None:
    assert converted(before) == after


def test_a_comment_beside_a_call_is_kept() -> None:
    after = converted("@ai\n@# why\n@call id=c\nf {}\n@/* x\n@*/\n@user\n")
    assert after.endswith("\n;end\n;# why\n;/* x\n;*/\n;user\n")


REFUSED = {
    "an embedded file": (
        "@user\n@embed\na.png\n",
        "line 2: `embed` is not available in the dialect `;`",
    ),
    "text between calls": (
        "@ai\n@call id=c\nf {}\nand then\n@call id=d\ng {}\n@user\n",
        "line 2: `call` is not available in the dialect `;`",
    ),
    "a call in no message": (
        "@call id=c\nf {}\n",
        "line 1: `call` is not available in the dialect `;`",
    ),
    "meta": (";meta\n{}\n;end\n;user\n", "line 1: `meta` is not available in the dialect `@`"),
    "extra": (";ai\n;extra\n{}\n;end\n", "line 2: `extra` is not available in the dialect `@`"),
    "text after a flush": (
        ";ai\n;flush\nx\n",
        "line 2: `flush` is not available in the dialect `@`",
    ),
    "no dialect": ("words\n", "the dialect of this file is unknown: it has no commands"),
    "an empty file": ("", "the dialect of this file is unknown: it has no commands"),
    "a command of the other dialect": (
        "@ai\n@meta\n{}\n@end\n",
        "the file would change its meaning in the other dialect",
    ),
}


@table("text, reason", REFUSED)
def test_why_not(text: str, reason: str) -> None:
    with pytest.raises(RefusedError) as refusal:
        convert(opened(text), 0)
    assert str(refusal.value) == reason


@table("text, reason", REFUSED)
def test_what_cannot_be_done_is_offered_with_the_reason(text: str, reason: str) -> None:
    offered = [
        a.obstacle for a in cell_actions(snapshot_of(opened(text)), 0) if a.command == CONVERT
    ]
    if reason.startswith("line"):
        assert offered == [reason]
    else:
        # Without a dialect there is nothing to offer, and what has no meaning is not looked for.
        assert offered in ([], [None])


@table("before, after", CONVERTED)
def test_what_can_be_done_has_no_obstacle(before: str, after: str) -> None:
    for text in (before, after):
        actions = {
            action.command: action.obstacle for action in cell_actions(snapshot_of(opened(text)), 0)
        }
        assert actions[CONVERT] is None


@given(texts)
def test_what_is_in_the_way_is_what_refuses(text: str) -> None:
    document = opened(text)
    if dialect_of(document) is None:
        return
    reason = obstacle(document)
    if reason is not None:
        with pytest.raises(RefusedError, match="is not available in the dialect"):
            convert(document, 0)


def test_a_setting_goes_before() -> None:
    document = opened("@user\n", "@")
    with pytest.raises(RefusedError, match="the setting for the dialect is `@`"):
        convert(document, 0)
    assert CONVERT not in [action.command for action in cell_actions(snapshot_of(document), 0)]


def test_it_is_offered() -> None:
    for text, title in (
        ("@user\n", "Convert to the dialect `;`"),
        (";user\n", "Convert to the dialect `@`"),
    ):
        actions = {
            str(action.title): action.command
            for action in cell_actions(snapshot_of(opened(text)), 0)
        }
        assert actions[title] == CONVERT
    assert CONVERT not in [
        action.command for action in cell_actions(snapshot_of(opened("words\n")), 0)
    ]


def test_the_cursor_stays_with_its_message() -> None:
    document = opened("@user\n@@x\n;y\n;z\n@ai\nHi\n")
    change = convert(document, document.text.index("Hi"))
    after = document.apply(change.edits).text
    assert change.cursor is not None
    assert after[change.cursor :] == ";ai\nHi\n"


@given(texts)
def test_nothing_else_changes(text: str) -> None:
    document = opened(text)
    try:
        change = convert(document, 0)
    except RefusedError:
        return
    after = document.apply(change.edits)
    assert said(after) == said(document)


def test_a_whole_conversation() -> None:
    text = CONVERSATION.replace("@embed\nnotes/packing list.txt\n", "")
    assert said(opened(converted(text))) == said(opened(text))
