"""CBM001: a header says whose message it is."""

import pytest

from tests.notation import each
from tests.rules.chatbuilder.support import FIELDS, PATH, WHOLE
from tests.rules.support import expect, expect_fix, expect_follows, expect_nothing, fixes

CODE = "CBM001"
MISSING = "the header has no `; role:`, so the author of this message is unknown"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("«; Component: x»\n\n\nHello\n", MISSING),
        ("«; Component: x»\r\n\r\n\r\nHello\r\n", MISSING),
        ("«;»\n\n\nHello\n", MISSING),
        ("\ufeff«; a comment»\n\n\nHello\n", MISSING),
        # In the body it is text.
        ("«; Component: x»\n\n\nHello\n; role: user\n", MISSING),
        ("«; Component: x»\n\n\n# Title\n", MISSING),
        ("; Component: x\n«; role:»\n\n\nHello\n", None),
        ("«; role:  »\n\n\nHello\n", None),
        ("; «Role»: user\n\n\nHello\n", None),
        ("; «rol»: user\n\n\nHello\n", None),
        ("; Component: x\n\n\n«; role: user»\n\n\nHello\n", None),
        ("; Component: x\n\n\n; Version: 1.0.0\n«; role: user»\n\n\nHello\n", None),
    ],
)
def test_found(source: str, message: str | None) -> None:
    expect(CODE, source, *([message] if message else []), path=PATH)


def test_a_file_without_a_header() -> None:
    expect(CODE, "«Hello»\n; not the first line\n", MISSING, path=PATH)
    expect(CODE, "«# Hello»\n; not the first line\n", MISSING, path=PATH)
    source = "<!--\nBlock-UUID: 32d9afc7-aeac-4a67-ba94-0c92678604a1\n-->\n\n\nHello\n"
    expect(CODE, "«<!--»" + source[4:], MISSING, path=PATH)


@pytest.mark.parametrize(
    "source",
    [
        WHOLE,
        "; role: user\n\n\n",
        "; role: nobody\n\n\nHello\n",
        "role: user\n\n\nHello\n",
        ";role:user\n\n\nHello\n",
        ";  role :  user  \n\n\nHello\n",
        "; Component: x\n\n; role: user\n\n\nHello\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source, path=PATH)


def test_every_role_is_offered_the_likeliest_first() -> None:
    def roles(source: str, path: str = PATH) -> list[str]:
        return [
            title.split("`")[1] for title, safe, _ in fixes(CODE, source, path=path) if not safe
        ]

    assert roles("; Version: 1.0.0\n\n\nx\n") == ["user", "assistant", "system"]
    assert roles("; Version: 1.0.0\n\n\nx\n", "messages/a/2.md") == ["assistant", "user", "system"]
    assert roles("; Component: SystemMessage\n\n\nx\n")[0] == "system"
    assert roles("; Component: Notes - AssistantMessage\n\n\nx\n")[0] == "assistant"
    assert roles("; role:\n\n\nx\n") == ["user", "assistant", "system"]


@each("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    ("source", "fixed"),
    [
        ("; Version: 1.0.0\n\n\nx\n", "; Version: 1.0.0\n;\n; role: user\n\n\nx\n"),
        ("; Version: 1.0.0\n;\n\n\nx\n", "; Version: 1.0.0\n;\n; role: user\n\n\nx\n"),
        ("Hello\n; x\n", "; role: user\n\n\nHello\n; x\n"),
        ("\nHello\n; x\n", "; role: user\n\n\nHello\n; x\n"),
        ("\n\n\n\n; Version: 1.0.0\n", "; role: user\n\n\n; Version: 1.0.0\n"),
        ("\ufeff\n\nHello\n; x\n", "\ufeff; role: user\n\n\nHello\n; x\n"),
        ("; role:  \n\n\nx\n", "; role: user\n\n\nx\n"),
        ("; ROLE: user\n\n\nx\n", "; role: user\n\n\nx\n"),
        (
            "; Version: 1.0.0\n\n\n\n; role: user\n\n\nx\n",
            "; Version: 1.0.0\n;\n; role: user\n\n\nx\n",
        ),
    ],
)
def test_it_is_inserted(source: str, fixed: str, newline: str) -> None:
    source, fixed = source.replace("\n", newline), fixed.replace("\n", newline)
    expect_fix(CODE, source, fixed, safe=False, path=PATH)


def test_it_follows_edits() -> None:
    assert expect_follows(
        CODE,
        WHOLE,
        ("; role: user", "; roles: user"),
        ("; roles: user", ""),
        ("; Language", "; role: x\n; Language"),
        ("; role: x", "; role:"),
        (FIELDS.split("\n")[0], "Hello"),
        path=PATH,
    ) == [0, 1, 1, 0, 1, 1]
