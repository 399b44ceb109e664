"""MSG001: a frontmatter that cannot be read."""

import pytest

from tests.rules.support import expect, expect_fix, expect_follows, expect_nothing, fixes

CODE = "MSG001"
CELL = "# %% Q[^q1]\n\n[^q1]: [markdown]\n"
OPEN = "the frontmatter is not closed: the line `---` at its end is missing"
MAPPING = "the frontmatter must consist of `key: value` pairs"


@pytest.mark.parametrize(
    ("marked", "message"),
    [
        ("«---»\nagents: {}\n\n" + CELL, OPEN),
        ("«---»\r\nagents: {}\r\n\r\n" + CELL, OPEN),
        ("\ufeff«---»\nagents: {}\n\n" + CELL, OPEN),
        # Half-written: nothing but the first line yet.
        ("«---»", OPEN),
        ("---\n«- a\n- b»\n---\n\n" + CELL, MAPPING),
        ("---\n«just words 🙂»\n---\n", MAPPING),
    ],
)
def test_what_cannot_be_read_is_found(marked: str, message: str) -> None:
    expect(CODE, marked, message)


def test_broken_yaml_is_found_where_it_breaks() -> None:
    expect(
        CODE,
        "---\n标题: 😀\nagents: {a: [x«}»\n---\n",
        "the frontmatter is not valid YAML: a comma or `]` is missing before this",
    )


def test_a_tab_is_found_on_its_own_line() -> None:
    expect(
        CODE,
        "---\nagents:\n«\t»Ada:\n\t\tmodels: [x]\n---\n",
        "the frontmatter is not valid YAML: a tab is not allowed here: indent YAML with spaces",
    )


@pytest.mark.parametrize(
    "source",
    [
        "",
        CELL,
        "---\n---\n",
        "---\nagents: {}\n---\n" + CELL,
        "\ufeff---\r\nagents: {}\r\n---\r\n",
        "---\n# only a comment\n---\n",
        # Further down, three dashes are a line across.
        "Words.\n\n---\n\nMore words: [\n",
        CELL + "\n---\nnot: [yaml\n",
        # The marks of a merge have a rule of their own.
        "---\n<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> other\n---\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


@pytest.mark.parametrize(
    ("source", "fixed"),
    [
        ("---\nagents: {}\n\n" + CELL, "---\nagents: {}\n---\n\n" + CELL),
        ("---\r\nagents: {}\r\n" + CELL, "---\r\nagents: {}\r\n---\r\n" + CELL),
        ("---\na: 1", "---\na: 1\n---"),
        ("---", "---\n---"),
        # What does not read like YAML stays outside.
        (
            "---\nagents:\n  # ours\n  a: {}\n\n# Notes\n\nSome words.\n\n" + CELL,
            "---\nagents:\n  # ours\n  a: {}\n---\n\n# Notes\n\nSome words.\n\n" + CELL,
        ),
        ("---\n\nWords.\n" + CELL, "---\n---\n\nWords.\n" + CELL),
        # What would break it stays outside, a block with its indented lines as a whole.
        ("---\nfoo: 1\n- item\n", "---\nfoo: 1\n---\n- item\n"),
        ("---\na: 1\nb:\n  c: [\n\n" + CELL, "---\na: 1\n---\nb:\n  c: [\n\n" + CELL),
    ],
)
def test_the_fix_closes_it(source: str, fixed: str) -> None:
    expect_fix(CODE, source, fixed, safe=False, name="Close the frontmatter with `---`")


def test_broken_yaml_has_no_fix() -> None:
    assert fixes(CODE, "---\na: [\n---\n") == []
    assert fixes(CODE, "---\na: {b: [\n\n" + CELL) == []
    assert fixes(CODE, "---\n- a\n- b\n\n" + CELL) == []


def test_it_follows_edits() -> None:
    counts = expect_follows(
        CODE,
        "---\nagents: {}\n---\n" + CELL,
        ("agents: {}", "agents: {"),
        ("agents: {", "agents: {}"),
        ("}\n---\n", "}\n"),
    )
    assert counts == [0, 1, 0, 1]
