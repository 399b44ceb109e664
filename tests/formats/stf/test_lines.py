"""Dialects, data, comments, blocks: what each line of a file is."""

import pytest

from msgls.formats.registry import detect
from msgls.formats.stf import STF
from msgls.syntax.cells import CellKind
from tests.formats.stf.reading import cells, said


@pytest.mark.parametrize("name", ["a.stf", "A.STF", "folder/x.y.stf"])
def test_a_file_is_known_by_its_name(name: str) -> None:
    assert detect(name, "") is STF
    assert STF.is_certain(name)


@pytest.mark.parametrize("name", ["a.stf.md", "stf", "a.stfx"])
def test_no_other_name_is_taken(name: str) -> None:
    assert detect(name, "@user\n") is not STF


# -- the dialect


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        ("@user\nx\n", "@"),
        (";user\nx\n", ";"),
        ("words\n;user\n@user\n", ";"),
        ("words\n@user\n;user\n", "@"),
        ("@@ data\n;user\n", "@"),
        (";; data\n@user\n", ";"),
        (" ;user\n@user\n", "@"),
        ("\ufeff;user\n@user\n", ";"),
        ("words\n", "?"),
    ],
)
def test_the_first_line_with_a_prefix_tells_the_dialect(text: str, dialect: str) -> None:
    assert cells(text)[-1].dialect == dialect


def test_a_dialect_can_be_given() -> None:
    text = "@user\nx\n;user\ny\n"
    assert said(text) == [("user", "x\n;user\ny")]
    assert said(text, ";") == [("user", "y")]
    assert said(text, "@") == said(text)


def test_a_blank_file_has_no_cells() -> None:
    assert cells("") == []
    assert [cell.kind for cell in cells("\n\n")] == [CellKind.PREAMBLE]


@pytest.mark.parametrize("prefix", ["@", ";"])
@pytest.mark.parametrize(
    ("text", "messages"),
    [
        # What the format's own description shows.
        (
            "@user\nHi! Who are you?\n@ai\nHello, I'm an AI, based on a large language model.\n",
            [
                ("user", "Hi! Who are you?"),
                ("assistant", "Hello, I'm an AI, based on a large language model."),
            ],
        ),
        ("@user\n@msg role=user\n@msg {role:'user'}\n", [("user", "")] * 3),
        # Content and line ends.
        ("@user\nHello\n", [("user", "Hello")]),
        ("@user\nHello", [("user", "Hello")]),
        ("@user\nHello\n\n", [("user", "Hello\n")]),
        ("@user\nHello\n\n@ai\n", [("user", "Hello\n"), ("assistant", "")]),
        ("@user\n\nHello\n", [("user", "\nHello")]),
        ("@user\nHello\n@# note\nWorld\n", [("user", "Hello\nWorld")]),
        ("@user\r\nHello\r\nWorld\r\n", [("user", "Hello\nWorld")]),
        ("@user\rHello\rWorld\r", [("user", "Hello\nWorld")]),
        ("@user\na\u2028@ai\nb\u0085@ai\fc\n", [("user", "a\u2028@ai\nb\u0085@ai\fc")]),
        ("\ufeff@user\nHello\n", [("user", "Hello")]),
        ("@user\n\ufeff@ai\n", [("user", "\ufeff@ai")]),
        # Prefixes.
        ("@user\n@@ai\n", [("user", "@ai")]),
        ("@user\n@@@ai\n", [("user", "@@ai")]),
        ("@user\n @ai\n", [("user", " @ai")]),
        ("@user\nsee @ai\n", [("user", "see @ai")]),
        ("@ \tuser\nx\n", [("user", "x")]),
        ("@user\t\nx\n", [("user", "x")]),
        # Commands and their other names.
        (
            "@user\n@assistant\n@ai\n@system\n@sys\n@developer\n@dev\n",
            [("user", ""), *[("assistant", "")] * 2, *[("system", "")] * 4],
        ),
        ("@msg{role:'user'}\nx\n", [("user", "x")]),
        ("@user\n@userx\n@User\n@user:\nx\n", [("user", "x")]),
        # A message without a role takes that of the one before it.
        (
            "@ai\n@msg\nx\n@message\ny\n",
            [("assistant", ""), ("assistant", "x"), ("assistant", "y")],
        ),
        (
            "@raw\n{role:'tool', tool_call_id:'1'}\n@end\n@msg\nx\n",
            [("tool", "result 1 "), ("tool", "result  x")],
        ),
        ("@user role=system\nx\n", [("user", "x")]),
    ],
)
def test_messages(prefix: str, text: str, messages: list[tuple[str, str]]) -> None:
    text = text.replace("@", prefix)
    assert said(text) == [(role, part.replace("@", prefix)) for role, part in messages]


# -- comments


@pytest.mark.parametrize("prefix", ["@", ";"])
@pytest.mark.parametrize(
    ("lines", "content"),
    [
        ("@# a\nx", "x"),
        ("@// a\nx", "x"),
        ("@ \t# a\nx", "x"),
        ("# a\nx", "# a\nx"),
        ("// a", "// a"),
        ("@@# a", "@# a"),
        ("@/*\nx\n@*/\ny", "y"),
        ("@ /* a\nx\n@ */ b\ny", "y"),
        ("@/* a */\nx\n@*/\ny", "y"),
        ("@/*\n@ai\nx\n@*/\ny", "y"),
        ("@/*\n@/*\n@*/\nx\n@*/\ny", "y"),
        ("@/*\n@/*\n@/*\n@*/\n@*/\nx\n@*/\ny", "y"),
        ("@/*\n@# */\nx\n@*/\ny", "y"),
        ("@/*\n*/\nx\n@*/\ny", "y"),
        ("@/*\n@@*/\nx\n@*/\ny", "y"),
        ("x\n@*/\ny", "x\ny"),
        ("@/*\nx", ""),
    ],
)
def test_comments_are_not_content(prefix: str, lines: str, content: str) -> None:
    text = f"@user\n{lines}\n".replace("@", prefix)
    assert said(text) == [("user", content.replace("@", prefix))]


def test_the_example_of_comments() -> None:
    text = """\
@user
@# This is a comment.
@ // This is also a comment.
# This is *NOT* a comment.

@ /* A comment block is starting.
This line is ignored.
@/* A nested comment block is starting.
This line is ignored.
@*/
Still inside a comment block.
@ */ Any text on a command line ending a comment block is also ignored.
This line is not ignored.
"""
    assert said(text) == [("user", "# This is *NOT* a comment.\n\nThis line is not ignored.")]


def test_comments_have_spans() -> None:
    [cell] = cells("@user\n@# a\n@/* b\n@/* c\n@*/\n@*/ d\nx\n@/* e\n@/* f\n")
    text = cell.text
    assert [(c.span.of(text), c.is_block, c.is_closed) for c in cell.comments] == [
        ("@# a", False, True),
        ("@/* b\n@/* c\n@*/\n@*/ d", True, True),
        ("@/* e\n@/* f\n", True, False),
    ]
    assert [line.of(text) for line in cell.walk.open_comments] == ["@/* e", "@/* f"]


@pytest.mark.parametrize(
    ("line", "codes"),
    [
        ("@# msgls: ignore STF001", ["STF001"]),
        ("@ // msgls: ignore STF001, stray-end", ["STF001", "stray-end"]),
        ("@## msgls:ignore STF001 STF002", ["STF001", "STF002"]),
        ("# msgls: ignore STF001", []),
        ("@@# msgls: ignore STF001", []),
        ("@# see msgls: ignore STF001", []),
        ("@# msgls: ignore", []),
        (";# msgls: ignore STF001", []),
    ],
)
def test_comments_that_silence_a_rule(line: str, codes: list[str]) -> None:
    [cell] = cells(f"@user\n{line}\n")
    assert [code for found in cell.suppressions for code in found.codes] == codes


# -- blocks and lines


@pytest.mark.parametrize(
    ("text", "block"),
    [
        ("@raw\n{a: 1}\n@end\n", "{a: 1}\n"),
        ("@raw\n{\n@# note\na: 1}\n@end\n", "{\na: 1}\n"),
        ("@raw\n{\n@/*\nno\n@end\n@*/\na: 1}\n@end\n", "{\na: 1}\n"),
        ("@raw\n@@{\n@end\n", "@{\n"),
        ("@raw\n{\n@end ignored\nx\n", "{\n"),
        ("@raw\n{\n@end; ignored\nx\n", "{\n"),
        ("@raw\n{\n@ending\n@end2\n}\n", "{\n}\n"),
        ("@raw\n{a: 1}\n", "{a: 1}\n"),
        ("@raw\n{a: 1}\n@user\nx\n@end\n", "{a: 1}\n"),
        ("@raw\n{a:\n;end\n1}\n@end\n", "{a:\n;end\n1}\n"),
    ],
)
def test_blocks(text: str, block: str) -> None:
    cell = cells(text)[0]
    assert cell.opening is not None
    found = cell.block(cell.opening)
    assert found.text == block
    for offset, character in enumerate(block):
        assert cell.text[found.place(offset)] == character


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("@call\nread {}\n", "read {}"),
        ("@call\n@# note\nread {}\nmore\n", "read {}"),
        ("@call\n@/*\nno\n@*/\nread {}\n", "read {}"),
        ("@call\n@@read {}\n", "@read {}"),
        ("@call\n;read {}\n", ";read {}"),
        ("@call\r\n  read {} \r\n", "read {}"),
        ("@call\n@end\nread {}\n", "read {}"),
        ("@call\n\nread {}\n", None),
        ("@call\n@embed\nread {}\n", None),
        ("@call\n", None),
        ("@call", None),
    ],
)
def test_the_line_that_a_command_takes(text: str, line: str | None) -> None:
    [cell] = cells("@ai\n" + text)
    found = cell.data_line(cell.commands[1])
    assert (None if found is None else found.of(cell.text)) == line


def test_a_flush_ends_the_message() -> None:
    assert said(";user\nx\n;flush\ny\n;ai\nz\n") == [("user", "x"), ("assistant", "z")]
    assert said("@user\nx\n@flush\ny\n") == [("user", "x\ny")]


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("@user\n@# a\n@call\nx\n@ai\n", ["@user", "@ai"]),
        ("@/*\n@user\n@*/\n@ai\n", ["@/*", "@ai"]),
        ("x\n;user\n@user\n;raw\n", ["x", ";user", ";raw"]),
        ("@raw\n{\n@user\n", ["@raw", "@user"]),
        ("@raw\n{\n@call\n}\n", ["@raw"]),
    ],
)
def test_a_message_is_a_cell(text: str, starts: list[str]) -> None:
    assert [cell.text.split("\n")[0] for cell in cells(text)] == starts


def test_what_the_index_knows() -> None:
    raw = "{role: 'assistant', tool_calls: [{id: 'c2', function: {name: 'f'}}]}"
    text = f"@ai id=a1\n@call id=c1\nf {{}}\n@tool call_id=c1\nx\r\n@raw\n{raw}\n@end\n"
    facts = [sorted(cell.facts) for cell in cells(text)]
    assert facts == [
        [("call", "c1"), ("message-id", "a1"), ("one-dialect", "call"), ("turn", "")],
        [("carriage-return", ""), ("result", "c1"), ("turn", "")],
        [("call", "c2"), ("turn", "")],
    ]
