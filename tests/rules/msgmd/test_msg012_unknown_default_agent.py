"""MSG012: a default agent that nobody knows."""

import pytest

from msgls.document.snapshot import Surroundings
from tests.rules.support import expect, expect_fix, expect_follows, expect_nothing, fixes

CODE = "MSG012"
TEMPORARY = '# %% C[^c1]\n\n[^c1]: [markdown] definition="agent" name="critic"\n'


@pytest.mark.parametrize(
    "marked",
    [
        "---\ndefault_agent: «writter»\nagents: {writer: {}}\n---\n",
        "---\r\nt: 🙂\r\ndefault_agent: «writter»\r\nagents: {writer: {}}\r\n---\r\n",
        '---\ndefault_agent: «"writter"»\n---\n',
        # An output cell defines no agent.
        "---\ndefault_agent: «critic»\n---\n" + TEMPORARY.replace("%%", "%%%"),
    ],
)
def test_an_unknown_name_is_found(marked: str) -> None:
    expect(CODE, marked)


def test_the_message() -> None:
    expect(
        CODE,
        "---\ndefault_agent: «x»\n---\n",
        "the default agent `x` does not exist: register it, or choose another",
    )


@pytest.mark.parametrize(
    "source",
    [
        "---\ndefault_agent: writer\nagents: {writer: {}}\n---\n",
        "---\ndefault_agent: writer\nagents: [{name: writer}]\n---\n",
        "---\ndefault_agent: gpt-4o\nagents: {writer: {models: [gpt-4o]}}\n---\n",
        "---\ndefault_agent: critic\n---\n" + TEMPORARY,
        "---\ndefault_agent: o3\n---\n" + TEMPORARY + "\n---\nmodels: [o3]\n---\n",
        "---\nagents: {writer: {}}\n---\n",
        "---\ndefault_agent:\n---\n",
        # Half-written: nobody knows what the rest would be.
        "---\ndefault_agent: x\nagents: {\n---\n",
        "---\ndefault_agent: x\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


def test_agents_from_outside_count() -> None:
    expect_nothing(
        CODE, "---\ndefault_agent: helper\n---\n", surroundings=Surroundings(frozenset({"helper"}))
    )


def test_there_is_a_fix_for_each_agent_the_nearest_first() -> None:
    source = "---\ndefault_agent: critik # who\nagents: {writer: {}, 'a: b': {}}\n---\n" + TEMPORARY
    ways = fixes(CODE, source, surroundings=Surroundings(frozenset({"helper"})))
    assert [(name, safe) for name, safe, _ in ways] == [
        ("Make `critic` the default agent", False),
        ("Make `writer` the default agent", False),
        ("Make `a: b` the default agent", False),
        ("Make `helper` the default agent", False),
    ]
    assert ways[0][2] == source.replace("critik", "critic")
    assert ways[2][2] == source.replace("critik", '"a: b"')


def test_the_fix_helps() -> None:
    source = "---\r\ndefault_agent: x\r\nagents: {writer: {}}\r\n---\r\n"
    expect_fix(CODE, source, source.replace(": x", ": writer"), safe=False)


def test_it_follows_other_cells() -> None:
    counts = expect_follows(
        CODE,
        "---\ndefault_agent: critic\n---\n# %% Q\n\nWords.\n\n" + TEMPORARY,
        ('name="critic"', 'name="other"'),
        ('name="other"', 'name="critic"'),
        ("# %% C", "# %%% C"),
    )
    assert counts == [0, 1, 0, 1]


def test_it_follows_the_models_of_a_temporary_agent() -> None:
    counts = expect_follows(
        CODE,
        "---\ndefault_agent: o3\n---\n" + TEMPORARY + "\n---\nmodels: [o3]\n---\n",
        ("[o3]", "[o4]"),
        ("[o4]", "[o4, o3]"),
    )
    assert counts == [0, 1, 0]
