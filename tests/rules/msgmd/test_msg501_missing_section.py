"""MSG501: a section without a heading."""

import pytest

from msgls.document.document import Document
from msgls.rules.fixing import fix_all
from msgls.rules.registry import RULES
from tests.notation import each
from tests.rules.support import expect, expect_fix, expect_follows, expect_nothing, fixes
from tests.snapshots import snapshot_of

CODE = "MSG501"
PATH = "notes.md"
HEAD = "---\nmessage_section: Discussion\n---\n"
CELL = "# %% Q[^q1]\n\n[^q1]: [markdown]\n"


@pytest.mark.parametrize(
    ("marked", "name"),
    [
        ("---\nmessage_section: «Discussion»\n---\n", "Discussion"),
        ("---\r\nt: 🙂\r\nmessage_section: «true»\r\n---\r\n\r\n# Notes\r\n", "Discussion"),
        ('---\nmessage_section: «"Gespräch"»\n---\n\n# Discussion\n', "Gespräch"),
        ("---\nmessage_section: «Discussion»\n---\n\n```\n# Discussion\n```\n", "Discussion"),
        ("---\n«message_section»:\n---\n", "Discussion"),
    ],
)
def test_the_name_is_reported_where_no_heading_has_it(marked: str, name: str) -> None:
    text = f"there is no heading `{name}`: without it, nothing is recorded"
    expect(CODE, marked, text, path=PATH)


NEAR = "---\nmessage_section: «Discussion»\n---\n\n# Notes\n\n## Dicussion\n\n" + CELL


def test_a_heading_that_is_nearly_called_so() -> None:
    text = "there is no heading `Discussion`, so nothing is recorded: did you mean `Dicussion`?"
    expect(CODE, NEAR, text, path=PATH)
    source = NEAR.replace("«", "").replace("»", "")
    found = fixes(CODE, source, path=PATH)
    name = "Change the heading `Dicussion` to `Discussion`"
    assert found[0] == (name, False, source.replace("Dicussion", "Discussion"))
    # No automatic fix appends a second one.
    assert not any(safe for _, safe, _ in fixes(CODE, source.removesuffix(CELL), path=PATH))


@pytest.mark.parametrize(
    "body",
    [
        "# Discussion\n",
        "###### discussion ######\n",
        "DISCUSSION\n===\n",
        "Text.\n\nDiscussion\n-------\n" + CELL,
    ],
)
def test_any_heading_will_do(body: str) -> None:
    expect_nothing(CODE, HEAD + body, path=PATH)


@pytest.mark.parametrize(
    ("source", "path"),
    [
        ("---\nmessage_section: false\n---\n", PATH),
        ("---\nmessage_section:\n---\n\n# **Discussion**\n", PATH),
        ("# Notes\n" + CELL, PATH),
        # In a file of its own the whole file is the record.
        (HEAD + CELL, "chat.msg.md"),
    ],
)
def test_nothing_is_found(source: str, path: str) -> None:
    expect_nothing(CODE, source, path=path)


@pytest.mark.parametrize(
    ("body", "added"),
    [
        ("", "\n# Discussion\n"),
        ("\nText.\n", "\n# Discussion\n"),
        ("\nText.", "\n\n# Discussion\n"),
        ("\nText.\n\n", "# Discussion\n"),
        ("\n# Notes\n\n## More\n", "\n## Discussion\n"),
    ],
)
@each("newline", ["\n", "\r\n"])
def test_the_fix_appends_the_heading(body: str, added: str, newline: str) -> None:
    expect_fix(
        CODE,
        (HEAD + body).replace("\n", newline),
        (HEAD + body + added).replace("\n", newline),
        safe=True,
        name="Append the heading `Discussion`",
        path=PATH,
    )


def test_where_cells_are_another_fix_goes_before_them() -> None:
    source = HEAD + "\nText.\n\n" + CELL
    expect_fix(
        CODE,
        source,
        HEAD + "\nText.\n\n# Discussion\n\n" + CELL,
        safe=False,
        name="Insert the heading `Discussion` before the first cell",
        path=PATH,
    )
    expect_fix(CODE, source, source + "\n# Discussion\n", safe=False, path=PATH)


def test_nothing_is_appended_to_an_open_fence() -> None:
    assert fixes(CODE, HEAD + "\n```\ncode\n", path=PATH) == []


def test_fix_all_appends_it() -> None:
    document = Document.open(PATH, HEAD + "\n# Notes\n")
    fixed = fix_all(snapshot_of(document), RULES, lambda problem: True)
    assert fixed.document.text == HEAD + "\n# Notes\n\n## Discussion\n"


def test_fix_all_leaves_cells_to_a_person() -> None:
    # Whatever else is fixed: appended, the heading would leave the cells outside.
    undefined = "# %% A[^a]\n\n# %% B[^b]\n"
    document = Document.open(PATH, HEAD + undefined)
    fixed = fix_all(snapshot_of(document), RULES, lambda problem: True, unsafe=True)
    assert "# Discussion" not in fixed.document.text
    assert CODE not in fixed.applied


def test_it_follows_edits() -> None:
    counts = expect_follows(
        CODE,
        HEAD + "\n# Notes\n\n" + CELL + "\n## Discussion\n",
        ("## Discussion", "## Discussio"),
        ("message_section: Discussion", "message_section: Notes"),
        ("message_section: Notes", "message_section: true"),
        ("message_section: true\n", ""),
        ("---\n---", "---\nmessage_section: true\n---"),
        path=PATH,
    )
    assert counts == [0, 1, 0, 1, 0, 1]


def test_of_two_headings_that_are_as_near_the_first_is_meant() -> None:
    source = "---\nmessage_section: Talk\n---\n# Talc\n\n# %% [^q1]\n\n# One\n"
    expect_follows("MSG501", source, ("# One", "# Talks"), ("# Talc", "# Talcs"), path="notes.md")
    expect_follows(
        "MSG501",
        source,
        ("# Talc", "# Two"),
        ("# One", "# Talks"),
        ("# Two", "# Talc"),
        path="notes.md",
    )


@pytest.mark.parametrize("name", ['"a\\nb"', '"Talk #"', '"%% x"', "|\n  a\n  b"])
def test_a_name_that_no_heading_can_have_is_not_written(name: str) -> None:
    assert fixes(CODE, f"---\nmessage_section: {name}\n---\n\n# Notes\n", path=PATH) == []
