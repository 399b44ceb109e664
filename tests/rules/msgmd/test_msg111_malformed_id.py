"""MSG111: an id that does not have the shape of its cell."""

import re

import pytest

from msgls.document.snapshot import Surroundings
from msgls.rules.base import Severity
from msgls.rules.registry import BY_CODE
from tests.rules.support import expect, expect_fix, expect_follows, expect_nothing, find, fixes

CODE = "MSG111"

UNKNOWN_LANGUAGE = (
    "`c1.1` contains a dot, like the run of a code cell, but `pyton` is not a known "
    "language: the id of an answer has no dot"
)

AGENT = "---\nagents: {gpt: {models: [m]}}\n---\n"


CODE_CELL = "# %% C[^c1]\n\n[^c1]: [code]\n\n```python\n1\n```\n\n"


@pytest.mark.parametrize(
    ("marked", "messages"),
    [
        ("# %% T[^«»]\n", ["the id is empty"]),
        ("# %% T[^«a[b»]\n", ["the id `a[b` contains a bracket or a `^`"]),
        ("# %% T[^«a[b]»]\n", ["the id `a[b]` contains a bracket or a `^`"]),
        ("# %% T[^«a]b»]\n", ["the id `a]b` contains a bracket or a `^`"]),
        (
            "# %%% T[^«b.x!é»]\n\n[^b.x!é]: [tool]\n\n# %%% [^b.x!é.1]\n\n[^b.x!é.1]: [tool]\n",
            [
                (
                    "`x!é` in `b.x!é` is not a valid nonce: use only letters "
                    "from A to Z, digits, `_` and `-`"
                )
            ],
        ),
        ("# %% T[^«a^b»]\n", ["the id `a^b` contains a bracket or a `^`"]),
        ("# %% T[^«a b»]\n\n[^a b]: [markdown]\n", ["the id `a b` contains a space"]),
        ("# %% T[^« q1»]\n", ["the id ` q1` contains a space"]),
        ("# %% T[^«a\u00a0b»]\n", ["the id `a b` contains a space"]),
        ("# %%% T[^«a1..1»]\n", ["the id `a1..1` has an empty segment between its dots"]),
        ("# %%% T[^«a1.»]\n", []),
        ("# %%% T[^«.a1»]\n", []),
        (
            "# %%% T[^«t1»]\n\n[^t1]: [tool]\n",
            [
                (
                    "the id of a tool call must be `id.nonce`: `t1` does not "
                    "name the answer that made the call"
                )
            ],
        ),
        (
            "# %%% T[^«a.b.c.1»]\n\n[^a.b.c.1]: [tool]\n",
            ["the id of a tool result must be `id.nonce.n`: `a.b.c.1` has too many segments"],
        ),
        (
            "# %%% 見😀[^«a1.9f.x»]\r\n\r\n[^a1.9f.x]: [tool]\r\n",
            ["`x` in `a1.9f.x` is not a positive number: results and runs are numbered 1, 2, 3"],
        ),
        ("# %%% T[^«a1.9f.0»]\n\n[^a1.9f.0]: [tool]\n", []),
        ("# %%% T[^«a1.9f.-1»]\n\n[^a1.9f.-1]: [tool]\n", []),
        ("# %%% T[^«a1.9f.²»]\n\n[^a1.9f.²]: [tool]\n", []),
        ("# %%% T[^«c1.9f»]\n\n[^c1.9f]: [python]\n", []),
        (
            CODE_CELL + "# %%% T[^«c1.1.1»]\n\n[^c1.1.1]: [python]\n",
            [
                (
                    "`1` in `c1.1.1` must be 2 or greater: the first output of a "
                    "run is `id.n`, and further ones are `id.n.2`, `id.n.3`"
                )
            ],
        ),
        (CODE_CELL + "# %%% T[^«c1.1.x»]\n\n[^c1.1.x]: [mermaid]\n", []),
        (
            CODE_CELL + "# %%% T[^«c1.x.2»]\n\n[^c1.x.2]: [python]\n",
            ["`x` in `c1.x.2` is not a positive number: results and runs are numbered 1, 2, 3"],
        ),
        (
            "# %% T[^«q1.2»]\n\n[^q1.2]: [markdown]\n",
            ["the id `q1.2` of a message contains a dot: only ids of calls, results and runs do"],
        ),
        ("# %% T[^«q1.2»]\n", []),
        ("# %% T[^«q1.2»]\n\n[^q1.2]: [code]\n", []),
        (
            AGENT + "# %%% T[^«a1.2»]\n\n[^a1.2]: [gpt]\n",
            ["the id `a1.2` of an answer contains a dot: only ids of calls, results and runs do"],
        ),
        (AGENT + "# %%% T[^«a.b.c»]\n\n[^a.b.c]: [python]\n", []),
        (
            "# %%% T[^«a1.9f»]\n\n[^a1.9f]: [nobody]\n",
            ["the id `a1.9f` of an answer contains a dot: only ids of calls, results and runs do"],
        ),
        ("# %%% T[^«c1.1»]\n\n[^c1.1]: [pyton]\n", [UNKNOWN_LANGUAGE]),
        # Half-written.
        ("# %%% [^«a1.»]", []),
    ],
)
def test_found(marked: str, messages: list[str]) -> None:
    expect(CODE, marked, *messages)


@pytest.mark.parametrize(
    "source",
    [
        "# %% [^q1]\n",
        "# %% [^問い]\n\n[^問い]: [markdown]\n",
        "# %% [^q-1_a:b/c]\n",
        "# %%% [^a1.9f]\n\n[^a1.9f]: [tool]\n",
        "# %%% [^a1.9f.1]\n\n[^a1.9f.1]: [tool]\n",
        "# %%% [^a1.9f.12]\n\n[^a1.9f.12]: [tool]\n",
        "# %%% [^a1.9f.01]\n\n[^a1.9f.01]: [tool]\n",
        "# %%% [^c1.1]\n\n[^c1.1]: [python]\n",
        "# %%% [^c1.1]\n\n[^c1.1]: [Python]\n",
        # Without a definition a dotted output may be anything: MSG101.
        "# %%% [^a1.9f]\n",
        "# %% no id\n",
        "# %% half [^q 1\n",
        "text [^a b]\n\n[^a b]: x\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


@pytest.mark.parametrize(
    ("source", "fixed"),
    [
        ("# %% T[^]\n", "# %% T[^m1]\n\n[^m1]: [markdown]\n"),
        ("# %% T[^]\n\n[^]: [raw]\n", "# %% T[^m1]\n\n[^m1]: [raw]\n"),
        ("# %% T[^a[b]\n", "# %% T[^ab]\n"),
        ("# %% T[^a[b]\n\n[^a[b]: [raw]\n", "# %% T[^ab]\n\n[^ab]: [raw]\n"),
        ("# %% T[^a[b]]\r\n[^a[b]]: [raw]\r\n", "# %% T[^ab]\r\n[^ab]: [raw]\r\n"),
        ("# %% T[^a]b]\n", "# %% T[^ab]\n"),
        ("# %% T[^ q1 ]\n\n[^q1]: [raw]\n", "# %% T[^q1]\n\n[^q1]: [raw]\n"),
        ("# %% T[^a b]\r\n\r\n[^a b]: [raw]\r\n", "# %% T[^a-b]\r\n\r\n[^a-b]: [raw]\r\n"),
        # Taken: the next free one.
        ("# %% T[^a b]\n\n# %% [^a-b]\n", "# %% T[^a-b2]\n\n# %% [^a-b]\n"),
        ("# %%% [^a1..9f.]\n\n[^a1..9f.]: [tool]\n", "# %%% [^a1.9f]\n\n[^a1.9f]: [tool]\n"),
        ("# %% [^q1..2]\n\n[^q1..2]: [raw]\n", "# %% [^q1-2]\n\n[^q1-2]: [raw]\n"),
        ("# %%% [^a..1]\n\n[^a..1]: [gpt]\n", "# %%% [^a-1]\n\n[^a-1]: [gpt]\n"),
        ("# %% [^q1.2]\n\n[^q1.2]: [raw]\n", "# %% [^q1-2]\n\n[^q1-2]: [raw]\n"),
        (AGENT + "# %%% [^a.1]\n[^a.1]: [gpt]\n", AGENT + "# %%% [^a-1]\n[^a-1]: [gpt]\n"),
        ("# %%% [^a.9f.x]\n[^a.9f.x]: [tool]\n", "# %%% [^a.9f.1]\n[^a.9f.1]: [tool]\n"),
        (
            "# %%% [^c.1]\n[^c.1]: [py]\n\n# %%% [^c.0]\n[^c.0]: [py]\n",
            "# %%% [^c.1]\n[^c.1]: [py]\n\n# %%% [^c.2]\n[^c.2]: [py]\n",
        ),
    ],
)
def test_the_only_id_that_makes_sense(source: str, fixed: str) -> None:
    expect_fix(CODE, source, fixed, safe=False)


def test_a_language_that_may_have_been_meant() -> None:
    run = "# %%% T[^c1.1]\n\n[^c1.1]: [pyton] status=success\n"
    titles = [title for title, _, _ in fixes(CODE, run)]
    assert titles == ["Change the type to `pycon`", "Change the type to `python`"]
    source = "# %% [^c1]\n[^c1]: [markdown]\n\n```python\n1\n```\n\n" + run
    found = fixes(CODE, source)
    assert found[0] == ("Change the type to `python`", False, source.replace("pyton", "python"))


@pytest.mark.parametrize(
    "source",
    [
        "# %%% [^t1]\n[^t1]: [tool]\n",
        "# %%% [^a.b.c.1]\n[^a.b.c.1]: [tool]\n",
        # The id may be right, and the type wrong.
        AGENT + "# %%% [^a.b]\n[^a.b]: [tool]\n\n# %%% [^a.b.1]\n[^a.b.1]: [gpt]\n",
        # The number that would follow is taken.
        "# %%% [^a.b.x]\n[^a.b.x]: [tool]\n\n# %%% [^a.b.1]\n[^a.b.1]: [tool]\n",
        "# %% [^^]\n",
    ],
)
def test_a_guess_is_not_a_fix(source: str) -> None:
    assert fixes(CODE, source) == []


def test_agents_outside_the_file_count() -> None:
    source = "# %%% T[^«c1.1»]\n\n[^c1.1]: [python]\n"
    around = Surroundings(other_agents=frozenset({"python"}))
    expect(
        CODE,
        source,
        "the id `c1.1` contains a dot, like the run of a code cell, but `python` is an "
        "agent: the id of an answer has no dot",
        surroundings=around,
    )


def test_it_follows_the_agents_and_the_definition() -> None:
    source = "---\nagents: {gpt: {models: [m]}}\n---\n# %%% [^c1.1]\n\nx\n\n[^c1.1]: [python]\n"
    assert expect_follows(
        CODE,
        source,
        ("gpt", "python"),
        ("python", "gpt"),
        ("[python]", "[tool]"),
        ("[tool]", "[nobody]"),
    ) == [0, 1, 0, 0, 1]


def test_a_nonce_is_made_anew() -> None:
    [(_, safe, fixed)] = fixes(CODE, "# %%% T[^b.x!]\n\n[^b.x!]: [tool]\n")
    assert not safe
    assert re.fullmatch(r"# %%% T\[\^b\.([0-9a-f]{8})\]\n\n\[\^b\.\1\]: \[tool\]\n", fixed)


@pytest.mark.parametrize("number", [0, 1])
def test_a_child_takes_its_parent_along(number: int) -> None:
    family = "# %%% A[^{0}]\n\n[^{0}]: [x]\n\n# %%% C[^{0}.9f]\n\n[^{0}.9f]: [tool]\n"
    source, fixed = family.format("a b"), family.format("a-b")
    expect_fix(CODE, source, fixed, safe=False, number=number)


@pytest.mark.parametrize(
    "source",
    [
        # No ids, but titles.
        "# %% see [^1] in [list]\n",
        "# %% see [^1][list]\n",
        "# %% [see[^1]]\n",
        "# %% [see [^a]b]\n",
        "# %% see [^1](x)]\n",
        # MSG202: the type is mistyped.
        "# %%% T[^b.x]\n\n[^b.x]: [tol]\n",
    ],
)
def test_other_rules_have_these(source: str) -> None:
    expect_nothing(CODE, source)


@pytest.mark.parametrize(
    ("source", "severity"),
    [
        ("# %% T[^q1.2]\n\n[^q1.2]: [markdown]\n", Severity.WARNING),
        ("# %%% T[^q1.x]\n\n[^q1.x]: [gpt]\n", Severity.WARNING),
        ("# %%% T[^q1.2]\n\n[^q1.2]: [gpt]\n", Severity.WARNING),
        ("# %%% T[^q1]\n\n[^q1]: [tool]\n", None),
        (CODE_CELL + "# %%% T[^c1.0]\n\n[^c1.0]: [python]\n", None),
    ],
)
def test_a_dotted_id_of_a_message_or_an_answer_is_a_warning(
    source: str, severity: Severity | None
) -> None:
    _, (problem,) = find(CODE, source)
    assert problem.severity is severity
    assert BY_CODE[CODE].severity is Severity.ERROR


def test_a_further_output_gets_the_next_number() -> None:
    run = "# %%% T[^c1.1]\n\n[^c1.1]: [python]\n\n"
    expect_fix(
        CODE,
        CODE_CELL + run + "# %%% T[^c1.1.x]\n\n[^c1.1.x]: [python]\n",
        CODE_CELL + run + "# %%% T[^c1.1.2]\n\n[^c1.1.2]: [python]\n",
        safe=False,
    )
