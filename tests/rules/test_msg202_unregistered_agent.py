"""MSG202: an answer of an agent that nobody registered."""

from __future__ import annotations

import pytest

from msgls.rules.base import Surroundings
from tests.rules.support import expect, expect_fix, expect_follows, expect_nothing, find, fixes

CODE = "MSG202"
ANSWER = "# %%% A[^a1]\n\n[^a1]: [gpt]\n"
TEMPORARY = '# %% D[^d1]\n\n[^d1]: [markdown] definition="agent" name="gpt"\n\n'
REGISTERED = "---\nagents:\n  gpt: {}\n---\n"


@pytest.mark.parametrize(
    "source",
    [
        "# %%% A[^a1]\n\n[^a1]: [«gpt»]\n",
        "---\nagents:\n  claude: {models: [opus]}\n---\n\n# %%% A[^a1]\n\n[^a1]: [«gpt»]\n",
        # Each answer, once.
        "# %%% A[^a1]\n\n[^a1]: [«gpt»]\n\n# %%% B[^a2]\n\n[^a2]: [«gpt»] reasoning=1\n",
        # With two segments it is no language, so it is an agent.
        "# %%% A[^a1.x]\n\n[^a1.x]: [«no-such-language»]\n",
        "# %%% 答 🙂[^答1]\r\n\r\n[^答1]: [«模型»]\r\n",
        # Away from home.
        "# %%% A[^a1]\n\nText\n\n# %% Q[^q1]\n\n[^q1]: [raw]\n\n[^a1]: [«gpt»]\n",
        # An output cell cannot define an agent.
        (
            '# %%% D[^d1]\n\n[^d1]: [«x»] definition="agent" name="gpt"\n\n'
            "# %%% A[^a1]\n\n[^a1]: [«gpt»]\n"
        ),
    ],
)
def test_an_unknown_name_is_found(source: str) -> None:
    expect(CODE, source)


def test_it_says_the_name() -> None:
    expect(
        CODE,
        "# %%% A[^a1]\n\n[^a1]: [«gpt»]\n",
        "`gpt` answers here, and no agent of that name is registered",
    )


@pytest.mark.parametrize("kind", ["markdown", "code", "raw"])
def test_the_type_of_a_message(kind: str) -> None:
    source = ANSWER.replace("gpt", kind)
    text = f"`{kind}` is a type of messages, and an output names its agent: is `%%` meant?"
    expect(CODE, source.replace(kind, f"«{kind}»"), text)
    fixed = source.replace("%%%", "%%")
    expect_fix(CODE, source, fixed, safe=False, name="Make it a message: `%%`")
    # With a dot, no message has that id.
    dotted = fixes(CODE, source.replace("a1", "a1.x.y"))
    assert "Make it a message: `%%`" not in [name for name, _, _ in dotted]


@pytest.mark.parametrize(
    "source",
    [
        REGISTERED + ANSWER,
        "---\nagents:\n- name: gpt\n---\n" + ANSWER,
        "---\nagents:\n  x:\n    models: [gpt]\n---\n" + ANSWER,
        TEMPORARY + ANSWER,
        TEMPORARY.replace("gpt", "x") + "---\nmodels: [gpt]\n---\n\n" + ANSWER,
        # All definitions at the end, as some programs write them.
        (
            "# %% D[^d1]\n\n# %%% A[^a1]\n\nText\n\n"
            '[^d1]: [markdown] definition="agent" name="gpt"\n[^a1]: [gpt]\n'
        ),
        # No answer: a call, a run, no definition at all.
        '# %%% C[^a1.9f3d]\n\n[^a1.9f3d]: [tool] name="x"\n',
        "# %%% R[^c1.1]\n\n[^c1.1]: [python]\n",
        "# %%% A[^a1]\n\nText\n",
        "# %%% A[^a1]\n\n[^a1]: [gp",
        "```\n" + ANSWER + "```\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


def test_agents_of_the_folder_are_registered() -> None:
    expect_nothing(CODE, ANSWER, surroundings=Surroundings(frozenset({"gpt"})))


def test_a_temporary_agent_answers_only_behind_its_definition() -> None:
    source = "# %%% A[^a1]\n\n[^a1]: [«gpt»]\n\n" + TEMPORARY + "# %%% B[^a2]\n\n[^a2]: [gpt]\n"
    expect(CODE, source, "`gpt` answers here, and is defined only further down")
    text = source.replace("«", "").replace("»", "")
    document, (problem,) = find(CODE, text)
    (related,) = problem.related
    assert related.span.shift(document.cell(related.order).start_offset).of(text) == '"gpt"'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "---\nagents:\n  gpt: {}\n---\n\n"),
        ("\ufeff", "\ufeff---\nagents:\n  gpt: {}\n---\n\n"),
        ("---\n---\n", "---\nagents:\n  gpt: {}\n---\n"),
        ("---\ntitle: x\n---\n", "---\ntitle: x\nagents:\n  gpt: {}\n---\n"),
        ("---\nagents:\n---\n", "---\nagents:\n  gpt: {}\n---\n"),
        ("---\nagents: # none\n---\n", "---\nagents: # none\n  gpt: {}\n---\n"),
        ("---\nagents: ~\ntitle: x\n---\n", "---\nagents:\n  gpt: {}\ntitle: x\n---\n"),
        ("---\nagents: {}\n---\n", "---\nagents: {gpt: {}}\n---\n"),
        ("---\nagents: []\n---\n", "---\nagents: [{name: gpt}]\n---\n"),
        (
            "---\nagents: {a: {reasoning: true}}\n---\n",
            "---\nagents: {a: {reasoning: true}, gpt: {}}\n---\n",
        ),
        (
            "---\nagents: [\n  {name: a},\n]\n---\n",
            "---\nagents: [\n  {name: a}, {name: gpt}\n]\n---\n",
        ),
        (
            "---\nagents:\n    a:\n        models: [m]  # fine\n\ntitle: x\n---\n",
            "---\nagents:\n    a:\n        models: [m]  # fine\n    gpt: {}\n\ntitle: x\n---\n",
        ),
        ("---\nagents:\n  a:\n---\n", "---\nagents:\n  a:\n  gpt: {}\n---\n"),
        (
            "---\nagents:\n  a:\n    system_prompt: |\n      One.\n\n      Two.\ntitle: x\n---\n",
            (
                "---\nagents:\n  a:\n    system_prompt: |\n      One.\n\n      Two.\n  gpt: {}\n"
                "title: x\n---\n"
            ),
        ),
        ("---\nagents:\n- name: a\n---\n", "---\nagents:\n- name: a\n- name: gpt\n---\n"),
        (
            "---\nagents:\n  - name: a\n    reasoning: true\ntitle: x\n---\n",
            "---\nagents:\n  - name: a\n    reasoning: true\n  - name: gpt\ntitle: x\n---\n",
        ),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_the_fix_registers_the_agent(before: str, after: str, newline: str) -> None:
    source, fixed = [(start + ANSWER).replace("\n", newline) for start in (before, after)]
    expect_fix(CODE, source, fixed, safe=False, name="Register `gpt` in the frontmatter")


@pytest.mark.parametrize("name", ["gpt 4", "1", "true", "a: b", "'", "-", "名字", "x#y", "a\\b"])
def test_any_name_can_be_registered(name: str) -> None:
    source = ANSWER.replace("gpt", name)
    ((_, _, fixed),) = fixes(CODE, source)
    expect_fix(CODE, source, fixed, safe=False)


@pytest.mark.parametrize(
    "before",
    [
        "---\nagents: [\n---\n",
        "---\nagents: text\n---\n",
        "---\n- a\n---\n",
        "---\nbase: &b {a: {}}\nagents: *b\n---\n",
        "---\nbase: &b\n  agents: {a: {}}\n<<: *b\n---\n",
        "---\nbase: &b {a: {}}\nagents:\n  <<: *b\n---\n",
        "---\ntitle: x\n",
    ],
)
def test_a_frontmatter_that_is_not_understood_is_left_alone(before: str) -> None:
    assert [name for name, _, _ in fixes(CODE, before + ANSWER)] == []


def test_the_fix_takes_a_registered_name() -> None:
    agents = "---\nagents:\n  helper: {models: [opus-4]}\n---\n"
    for written, meant in [("hleper", "helper"), ("Helper", "helper"), ("opus4", "opus-4")]:
        expect_fix(
            CODE,
            agents + ANSWER.replace("gpt", written),
            agents + ANSWER.replace("gpt", meant),
            safe=False,
            name=f"Change to `{meant}`",
        )
    elsewhere = Surroundings(frozenset({"helper"}))
    titles = [
        name
        for name, _, _ in fixes(CODE, ANSWER.replace("gpt", "helpr"), 0, "chat.msg.md", elsewhere)
    ]
    assert titles == ["Change to `helper`", "Register `helpr` in the frontmatter"]


def test_a_dotted_id_may_mean_the_tool() -> None:
    source = '# %%% C[^a1.9f3d]\n\n[^a1.9f3d]: [tol] name="x"\n\n<x/>\n'
    expect_fix(CODE, source, source.replace("tol", "tool"), safe=False)


def test_it_follows_the_agents() -> None:
    source = "---\nagents:\n  gpt: {}\n---\n" + ANSWER + "\n" + TEMPORARY.replace("gpt", "opus")
    source += "# %%% B[^a2]\n\n[^a2]: [opus]\n"
    counts = expect_follows(
        CODE,
        source,
        ("  gpt: {}", "  gpx: {}"),
        ("  gpx: {}", "  gpx: {models: [gpt]}"),
        ('name="opus"', 'name="opux"'),
        ('name="opux"', 'name="opus"'),
        ("# %% D", "# %%% D"),
        ("# %%% D", "# %% D"),
        ("[^d1]\n", "[^d2]\n"),
        ("[^d2]\n", "[^d1]\n"),
    )
    assert counts == [0, 1, 0, 1, 0, 2, 0, 1, 0]


def test_it_follows_a_definition_that_moves() -> None:
    source = "# %% D[^d1]\n\n" + ANSWER + '\n[^d1]: [raw] definition="agent" name="gpt"\n'
    counts = expect_follows(
        CODE,
        source,
        ("# %% D[^d1]\n", ""),
        ("[^d1]: ", "# %% D[^d1]\n\n[^d1]: "),
        ("# %%% A", "# %% D[^d1]\n\n# %%% A"),
    )
    assert counts == [0, 1, 1, 0]


def test_a_run_in_an_unknown_language_is_another_rule_s() -> None:
    expect_nothing(CODE, "# %%% A[^c.1]\n\n[^c.1]: [Python 3]\n")
