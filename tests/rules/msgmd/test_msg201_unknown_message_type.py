"""MSG201: a `%%` cell whose type no message has."""

import pytest

from msgls.document.snapshot import Surroundings
from tests.rules.support import expect, expect_fix, expect_follows, expect_nothing, fixes

CODE = "MSG201"


def cell(kind: str, rest: str = "", body: str = "") -> str:
    return f"# %% Q[^q1]\n\n[^q1]: [{kind}]{rest}\n{body}"


@pytest.mark.parametrize(
    "source",
    [
        cell("«markdwon»"),
        cell("«Markdown»"),
        cell("«gpt»"),
        cell("« code »"),
        # Emoji and CJK before it; a definition away from its cell.
        "🙂 文字\n\n# %% 问题 🙂[^问1]\n\n[^问1]: [«txt»]\n",
        "# %% Q[^q1]\n\nText\n\n# %% R[^r1]\n\n[^r1]: [raw]\n\n[^q1]: [«txt»]\n",
        "# %% Q[^q1]\r\n\r\n[^q1]: [«txt»]\r\n",
    ],
)
def test_another_type_is_found(source: str) -> None:
    expect(CODE, source)


def test_it_says_which_types_there_are() -> None:
    expect(CODE, cell("«txt»"), "unknown message type `txt`: use `markdown`, `code` or `raw`")


@pytest.mark.parametrize(
    "source",
    [
        cell("markdown"),
        cell("code", body="\n```python\n1\n```\n"),
        cell("raw"),
        # No definition, or none that counts.
        "# %% Q[^q1]\n\nText\n",
        "# %% Q[^q1]\n\n[^q1]: Title\n",
        "# %% Q[^q1]\n\n[^q1]: [Title](https://example.org)\n",
        "# %% Q[^q1]\n\n[^q1]: [tx",
        "# %% Q[^q1]\n\n```\n[^q1]: [txt]\n```\n",
        # Not a message, not a cell.
        "# %%% A[^a1]\n\n[^a1]: [txt]\n",
        "Text\n\n[^q1]: [txt]\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


def test_two_cells_with_one_definition_draw_one_problem() -> None:
    expect(CODE, "# %% Q[^q1]\n\nText\n\n# %% R[^q1]\n\n# %% S[^s]\n\n[^q1]: [«txt»]\n")
    expect(CODE, "# %% Q[^q1]\n\nText\n\n# %% R[^q1]\n\n[^q1]: [«txt»]\n")


@pytest.mark.parametrize(
    ("kind", "meant"),
    [
        ("cod", "code"),
        ("Markdown", "markdown"),
        (" raw ", "raw"),
        ("markdwon", "markdown"),
        ("md", "markdown"),
        ("user", "markdown"),
    ],
)
def test_the_fix_takes_the_type_that_is_meant(kind: str, meant: str) -> None:
    expect_fix(CODE, cell(kind), cell(meant), safe=False, name=f"Change the type to `{meant}`")


def test_a_language_becomes_code_where_there_is_code() -> None:
    body = "\n```python\n1\n```\n"
    expect_fix(CODE, cell("python", body=body), cell("code", body=body), safe=False)
    assert fixes(CODE, cell("python", body="\nWords\n")) == []


def test_the_system_becomes_a_role() -> None:
    expect_fix(
        CODE, cell("system", " history=0"), cell("markdown", ' role="system" history=0'), safe=False
    )


def test_an_agent_or_a_tool_makes_it_an_output() -> None:
    agents = "---\nagents:\n  gpt: {}\n---\n"
    output = "# %%% Q[^q1]\n\n[^q1]: [gpt]\n"
    name = "Make it an output of `gpt`, with `%%%`"
    expect_fix(CODE, agents + cell("gpt"), agents + output, safe=False, name=name)
    elsewhere = Surroundings(frozenset({"gpt"}))
    expect_fix(CODE, cell("gpt"), output, safe=False, name=name, surroundings=elsewhere)
    assert fixes(CODE, cell("gpt")) == []
    for cell_id in ("a1.9f", "a1.9f.1"):
        call = cell("tool").replace("q1", cell_id)
        expect_fix(CODE, call, call.replace("# %%", "# %%%"), safe=False)


@pytest.mark.parametrize(
    ("kind", "cell_id"), [("tool", "q1"), ("tool", "a.b.c"), ("tool", "a.b.1.2"), ("gpt", "a.b")]
)
def test_an_id_that_no_such_output_has(kind: str, cell_id: str) -> None:
    elsewhere = Surroundings(frozenset({"gpt"}))
    assert fixes(CODE, cell(kind).replace("q1", cell_id), surroundings=elsewhere) == []


def test_it_follows_a_definition_that_stands_elsewhere() -> None:
    source = "# %% Q[^q1]\n\nText\n\n# %% R[^r1]\n\n[^r1]: [raw]\n\n[^q1]: [raw]\n"
    counts = expect_follows(
        CODE, source, ("[^q1]: [raw]", "[^q1]: [rwa]"), ("# %% Q", "# %%% Q"), ("# %%% Q", "# %% Q")
    )
    assert counts == [0, 1, 0, 1]
