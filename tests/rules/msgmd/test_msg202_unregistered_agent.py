"""MSG202: an answer of an agent that nobody registered."""

import pytest

from msgls.document.snapshot import Surroundings
from tests.notation import each
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
        "# %%% A[^a1]\n\n[^a1]: [«gpt»]\n\n# %%% B[^a2]\n\n[^a2]: [gpt] reasoning=1\n",
        # With two segments it is not a language, so it is an agent.
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
    expect(CODE, "# %%% A[^a1]\n\n[^a1]: [«gpt»]\n", "`gpt` is not a registered agent")


@pytest.mark.parametrize("kind", ["markdown", "code", "raw"])
def test_the_type_of_a_message(kind: str) -> None:
    source = ANSWER.replace("gpt", kind)
    text = f"`{kind}` is a message type, but an output names its agent: did you mean `%%`?"
    expect(CODE, source.replace(kind, f"«{kind}»"), text)
    fixed = source.replace("%%%", "%%")
    expect_fix(CODE, source, fixed, safe=False, name="Make it a message, with `%%`")
    # With a dot, no message has that id.
    dotted = fixes(CODE, source.replace("a1", "a1.x.y"))
    assert "Make it a message, with `%%`" not in [name for name, _, _ in dotted]


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


def test_each_name_is_reported_once_and_its_other_answers_are_related() -> None:
    cells = [f"# %%% A[^a{n}]\n\n[^a{n}]: [{name}]\n\n" for n, name in enumerate("xyxxy" * 8)]
    document, problems = find(CODE, "".join(cells))
    assert [problem.args["name"] for problem in problems] == ["x", "y"]
    assert [len(problem.related) for problem in problems] == [20, 15]
    related = [document.cell(other.label).cell.id for other in problems[0].related[:2]]
    assert related == ["a2", "a3"]
    assert {other.key for other in problems[0].related} == {"related.again"}


def test_the_next_one_is_the_first_when_that_goes() -> None:
    source = ANSWER + "\n" + ANSWER.replace("a1", "a2") + "\n" + ANSWER.replace("a1", "a3")
    counts = expect_follows(
        CODE,
        source,
        ("[^a1]: [gpt]", "[^a1]: [tool]"),
        ("# %%% A[^a2]\n", ""),
        ("[^a1]: [tool]", "[^a1]: [gpt]"),
        ("# %%% A[^a1]", "# %%% A[^a9]"),
        ("[^a1]: ", "[^a9]: "),
        ("# %%% A[^a9]", "# %%% A[^a8]\n\n[^a8]: [opus]\n\n# %%% A[^a9]"),
    )
    assert counts == [1, 1, 1, 1, 1, 1, 2]


@pytest.mark.parametrize(
    ("before", "around", "count"),
    [
        ("", (), 0),
        ("---\ntitle: x\n---\n", (), 0),
        (REGISTERED, (), 1),
        (TEMPORARY, (), 1),
        ("", ("helper",), 1),
        ("", ("assistant",), 0),
    ],
)
def test_the_default_name_needs_no_registration_where_nobody_has_one(
    before: str, around: tuple[str, ...], count: int
) -> None:
    source = before + ANSWER.replace("gpt", "assistant")
    _, problems = find(CODE, source, surroundings=Surroundings(frozenset(around)))
    assert len(problems) == count
    # Another name does, in any file.
    expect(CODE, "# %%% A[^a1]\n\n[^a1]: [«gpt»]\n")


def test_it_follows_whether_anybody_is_registered() -> None:
    source = "---\ntitle: x\n---\n" + ANSWER.replace("gpt", "assistant") + "\nText.\n"
    counts = expect_follows(
        CODE, source, ("title: x", "agents: {a: {}}"), ("agents: {a: {}}", "title: y")
    )
    assert counts == [0, 1, 0]


def test_the_fix_records_a_temporary_agent() -> None:
    question = "# %% Q[^q1]\n\n[^q1]: [markdown]\n\nHi\n\n"
    definition = '# %% gpt [^agent-1]\n\n[^agent-1]: [markdown] definition="agent" name="gpt"\n\n'
    expect_fix(
        CODE,
        question + ANSWER + "\n" + ANSWER.replace("a1", "a2"),
        question + definition + ANSWER + "\n" + ANSWER.replace("a1", "a2"),
        safe=False,
        name="Define `gpt` as a temporary agent in a cell before this one",
    )
    # Which is not offered where it is defined further down, or where a tool may be meant.
    early = [title for title, _, _ in fixes(CODE, ANSWER + "\n" + TEMPORARY)]
    assert not [title for title in early if "temporary" in title]


def test_agents_of_the_folder_are_registered() -> None:
    expect_nothing(CODE, ANSWER, surroundings=Surroundings(frozenset({"gpt"})))


def test_a_temporary_agent_answers_only_after_its_definition() -> None:
    source = "# %%% A[^a1]\n\n[^a1]: [«gpt»]\n\n" + TEMPORARY + "# %%% B[^a2]\n\n[^a2]: [gpt]\n"
    expect(CODE, source, "`gpt` answers before it is defined")
    text = source.replace("«", "").replace("»", "")
    document, (problem,) = find(CODE, text)
    (related,) = problem.related
    assert related.span.shift(document.cell(related.label).start_offset).of(text) == '"gpt"'


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
@each("newline", ["\n", "\r\n"])
def test_the_fix_registers_the_agent(before: str, after: str, newline: str) -> None:
    source, fixed = [(start + ANSWER).replace("\n", newline) for start in (before, after)]
    expect_fix(CODE, source, fixed, safe=False, name="Register `gpt` in the frontmatter")


@pytest.mark.parametrize("name", ["gpt 4", "1", "true", "a: b", "'", "-", "名字", "x#y", "a\\b"])
def test_any_name_can_be_registered(name: str) -> None:
    source = ANSWER.replace("gpt", name)
    titles = [f"Register `{name}` in the frontmatter"]
    titles.append(f"Define `{name}` as a temporary agent in a cell before this one")
    found = fixes(CODE, source)
    assert [title for title, _, _ in found] == titles
    for _, _, fixed in found:
        expect_fix(CODE, source, fixed, safe=False)
        assert find("MSG205", fixed)[1] == find("MSG010", fixed)[1] == []


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
    titles = [name for name, _, _ in fixes(CODE, before + ANSWER)]
    assert titles == ["Define `gpt` as a temporary agent in a cell before this one"]


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
    assert titles == [
        "Change to `helper`",
        "Register `helpr` in the frontmatter",
        "Define `helpr` as a temporary agent in a cell before this one",
    ]


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
