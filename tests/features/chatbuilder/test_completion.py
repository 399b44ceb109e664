"""Completion in a message: on whole lines and on half-written ones."""

import pytest

from msgls.features.completion import Item, complete, documentation
from msgls.features.markup import plain
from msgls.features.snippets import plain as without_stops
from msgls.formats.chatbuilder import CHATBUILDER, fields
from msgls.rules.registry import rules_of
from msgls.text.spans import apply_edits
from tests.features.chatbuilder.support import MESSAGE, OTHER_UUID, opened
from tests.notation import table, unmark
from tests.snapshots import snapshot_of

SHOWN_NOW = "2025-05-30T01:30:00.000Z"


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every new UUID is the same one."""
    monkeypatch.setattr(fields, "new_uuid", lambda: OTHER_UUID)


def offered(source: str, name: str = "1.md") -> dict[str, Item]:
    marked = unmark(source)
    found = complete(snapshot_of(opened(marked.text, name)), marked.cursor)
    assert len({item.label for item in found.items}) == len(found.items)
    for item in found.items:
        assert item.edit.span.contains(marked.cursor)
        assert item.snippet is None or without_stops(item.snippet) == item.edit.text
    return {item.label: item for item in found.items}


def line_after(source: str, label: str) -> str:
    """The line of the cursor after an item is taken."""
    marked = unmark(source)
    number = marked.text[: marked.cursor].count("\n")
    after = apply_edits(marked.text, [offered(source)[label].edit])
    return after.split("\n")[number]


REST = "\n; role: user\n\n\nHow do closures work?\n"
ALL = [*fields.REQUIRED, *fields.EXTRA, "msgls"]


@table(
    "source, labels",
    {
        "after the mark": (";¦" + REST, ALL),
        "after a blank": ("; ¦" + REST, ALL),
        "in a half-written name": ("; Ver¦" + REST, ALL),
        "what is there is not offered": (
            "; Version: 1.0.0\n; Component: x\n; ¦" + REST,
            [key for key in ALL if key not in ("Version", "Component")],
        ),
        "no role yet": ("; a: b\n; ¦\n\n\nHi\n", [*ALL[:-1], "role", "msgls"]),
        "the name that is written now": (
            "; Vers¦ion: 1.0.0\n; Component: x" + REST,
            [key for key in ALL if key != "Component"],
        ),
        "an empty line in the header": ("; a: b\n¦" + REST, ALL),
        "the line below the header": ("; a: b\n; role: user\n¦\n\nHi\n", ALL),
        "the second line below it": ("; a: b\n; role: user\n\n¦\nHi\n", []),
        "a header that ends the file": ("; a: b\n; role: user\n¦", ALL),
        "words without the mark": ("; a: b\nVer¦\n\n\nHi\n", []),
        "a comment": ("; some wor¦" + REST, []),
        "the body": ("; role: user\n\n\n; ¦\n", []),
        "all is there": (MESSAGE.replace("\n;\n", "\n; ¦\n"), ["visibility", "msgls"]),
    },
)
def test_fields_that_are_not_there_yet(source: str, labels: list[str]) -> None:
    assert list(offered(source)) == labels


@table(
    "source, label, expected",
    {
        "a new UUID": (";¦" + REST, "Block-UUID", f"; Block-UUID: {OTHER_UUID}"),
        "now": ("; Cr¦" + REST, "Created-at", f"; Created-at: {SHOWN_NOW}"),
        "the first version": ("; ¦" + REST, "Version", "; Version: 1.0.0"),
        "the component": ("; ¦" + REST, "Component", "; Component: UserMessage"),
        "the first words": ("; ¦" + REST, "Description", "; Description: How do closures work?"),
        "the language": ("; ¦" + REST, "Language", "; Language: markdown"),
        "the authors": ("; ¦" + REST, "Authors", "; Authors: Unknown (v1.0.0)"),
        "the role": ("; ¦\n\n\nHi\n", "role", "; role: user"),
        "a rule": ("; ¦" + REST, "msgls", "; msgls: ignore "),
        "with its mark": ("; a: b\n¦" + REST, "Version", "; Version: 1.0.0"),
        "only the name where there is a value": (
            "; Ver¦s: 2.0.0" + REST,
            "Version",
            "; Version: 2.0.0",
        ),
        "the rest of the name": ("; Ver¦sio" + REST, "Version", "; Version: 1.0.0"),
    },
)
def test_what_a_field_brings_along(source: str, label: str, expected: str) -> None:
    assert line_after(source, label) == expected


@table(
    "source, expected",
    {
        "roles, the likeliest first": (
            "; role: ¦\n\n\nHi\n",
            ["; role: user", "; role: assistant", "; role: system"],
        ),
        "a role, half-written": (
            "; Component: AssistantMessage\n; role:¦ a\n\n\nHi\n",
            ["; role: assistant", "; role: user", "; role: system"],
        ),
        "a UUID": ("; Block-UUID:¦" + REST, [f"; Block-UUID: {OTHER_UUID}"]),
        "instead of half of one": ("; Block-UUID: 12¦34" + REST, [f"; Block-UUID: {OTHER_UUID}"]),
        "no parent": ("; Parent-UUID: ¦" + REST, ["; Parent-UUID: N/A"]),
        "now": ("; Created-at:   2025¦-01" + REST, [f"; Created-at:   {SHOWN_NOW}"]),
        "the first version": ("; Version: ¦" + REST, ["; Version: 1.0.0"]),
        "the next version": (
            "; Version: 1.2.3¦" + REST,
            ["; Version: 1.2.4", "; Version: 1.3.0", "; Version: 2.0.0"],
        ),
        "components": (
            "; Component: ¦" + REST,
            [f"; Component: {name}Message" for name in ("User", "Assistant", "System")],
        ),
        "authors": ("; Authors: ¦" + REST, ["; Authors: Unknown (v1.0.0)"]),
        "silencing": ("; msgls: ig¦" + REST, ["; msgls: ignore "]),
        "no field that is known": ("; Mood: ¦" + REST, []),
    },
)
def test_values(source: str, expected: list[str]) -> None:
    assert [line_after(source, label) for label in offered(source)] == expected


def test_what_is_new_stays_while_something_is_typed() -> None:
    (item,) = offered("; Block-UUID: 12¦" + REST).values()
    assert item.filter_text == "12"
    items = offered("; role: as¦" + REST)
    assert [item.filter_text for item in items.values()] == [None, None, None]


def test_languages() -> None:
    assert list(offered("; Language: ¦" + REST))[:2] == ["markdown", "python"]
    assert "typescript" in offered("; Language: t¦" + REST)
    body = "; role: user\n\n\n{}\nx = 1\n\\```\n"
    assert "python" in offered(body.format("\\```¦"))
    assert list(offered(body.format("\\```pyth¦"))) == list(offered(body.format("```pyth¦")))
    assert offered(body.format("a ```¦")) == {}
    assert offered("; role: user\n\n\n\\```\nx\n\\```¦\n") == {}


def test_rules_are_those_of_the_format() -> None:
    codes = [rule.code for rule in rules_of(CHATBUILDER.name)]
    assert list(offered("; msgls: ignore CBM001, C¦" + REST)) == codes
    assert line_after("; msgls: ignore CBM001, C¦" + REST, "CBM009") == (
        "; msgls: ignore CBM001, CBM009"
    )


@table(
    "topic, words",
    {
        "a field": (("field", "Version"), "a semantic version"),
        "a role": (("role", "system"), "before the conversation"),
        "a rule": (("rule", "CBM009"), "backticks"),
        "nothing": (("field", "Mood"), ""),
        "nobody's": (("agent", "x"), ""),
    },
)
def test_documentation(topic: tuple[str, str], words: str) -> None:
    parts = documentation(snapshot_of(opened(MESSAGE)), topic)
    assert words in plain(parts)
    assert bool(parts) == bool(words)
