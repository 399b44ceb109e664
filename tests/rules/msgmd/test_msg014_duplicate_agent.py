"""MSG014: two agents of one name."""

import pytest

from tests.rules.support import absolute, expect, expect_follows, expect_nothing, find

CODE = "MSG014"


def cell(cell_id: str, name: str = "critic") -> str:
    return f'# %% C[^{cell_id}]\n\n[^{cell_id}]: [markdown] definition="agent" name="{name}"\n\n'


@pytest.mark.parametrize(
    "marked",
    [
        "---\nagents:\n  a: {}\n  «a»: {}\n---\n",
        "---\r\nagents:\r\n  - name: 猫🙂\r\n  - name: «猫🙂»\r\n---\r\n",
        cell("c1") + cell("c2").replace('"critic"', '«"critic"»'),
        # The definitions stand at the end.
        (
            "# %% C[^c1]\n\n# %% D[^c2]\n\nWords.\n\n"
            '[^c1]: [markdown] definition="agent" name="x"\n'
            '[^c2]: [markdown] definition="agent" name=«"x"»\n'
        ),
    ],
)
def test_the_later_one_is_found(marked: str) -> None:
    expect(CODE, marked)


def test_the_message_and_the_first_one() -> None:
    source = cell("c1") + cell("c2")
    document, (problem,) = find(CODE, source)
    (related,) = problem.related
    place = related.span.shift(document.cell(related.label).start_offset)
    assert place.start == source.index('"critic"')
    assert absolute(document, problem).start == source.rindex('"critic"')
    expect(CODE, "---\nagents:\n  a: {}\n  «a»: {}\n---\n", "an agent named `a` already exists")


@pytest.mark.parametrize(
    "source",
    [
        cell("c1") + cell("c2", "other"),
        # A cell may change an agent of the frontmatter, from there on.
        "---\nagents: {critic: {}}\n---\n" + cell("c1"),
        # The same id twice is MSG103.
        cell("c1") + cell("c1"),
        "---\nagents: {a: {models: [a]}}\n---\n",
        "---\nagents:\n  a: {}\n  a: {}\n",
        cell("c1") + cell("c2").replace("%%", "%%%"),
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


def test_it_follows_the_other_cell() -> None:
    counts = expect_follows(
        CODE,
        cell("c1", "one") + "# %% Q\n\nWords.\n\n" + cell("c2", "two"),
        ('"one"', '"two"'),
        ("Words.", "More words."),
        ('name="two"', 'name="three"'),
        ('name="two"', 'name="three"'),
        ("# %% C[^c1]", "# %%% C[^c1]"),
    )
    assert counts == [0, 1, 1, 0, 1, 0]
