"""MSG002: a key that stands twice in one YAML mapping."""

import pytest

from tests.rules.support import expect, expect_follows, expect_nothing, find

CODE = "MSG002"
AGENT = '# %% C[^c1]\n\n[^c1]: [markdown] definition="agent" name="c"\n\n'


@pytest.mark.parametrize(
    "marked",
    [
        "---\na: 1\n«a»: 2\n---\n",
        "---\r\n名: 🙂\r\n«名»: 2\r\n---\r\n",
        "---\nagents:\n  x:\n    models: [m]\n    «models»: [n]\n---\n",
        AGENT + "---\nmodels: [m]\n«models»: [n]\n---\n",
    ],
)
def test_the_later_key_is_found(marked: str) -> None:
    expect(CODE, marked)


def test_the_message_and_the_first_key() -> None:
    source = "---\na: 1\na: 2\n---\n"
    expect(
        CODE, "---\na: 1\n«a»: 2\n---\n", "duplicate key `a`: this value replaces the earlier one",
    )  # fmt: skip
    _, (problem,) = find(CODE, source)
    (related,) = problem.related
    assert related.span == (4, 5)


@pytest.mark.parametrize(
    "source",
    [
        "---\na: {x: 1}\nb: {x: 1}\n---\n",
        # Two agents of one name are MSG014.
        "---\nagents:\n  x: {}\n  x: {}\n---\n",
        # Not closed: that is the one problem.
        "---\na: 1\na: 2\n",
        # No agent, so this is a line across, a heading and text.
        "# %% C[^c1]\n\n[^c1]: [markdown]\n\n---\na: 1\na: 2\n---\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


def test_it_follows_edits() -> None:
    assert expect_follows(CODE, "---\na: 1\nb: 2\n---\n", ("b:", "a:"), ("a: 1", "c: 1")) == [
        0,
        1,
        0,
    ]
