"""MSG013: a system prompt in the block of a temporary agent."""

import pytest

from msgls.formats.msgmd.frontmatter import parse_frontmatter
from tests.notation import each
from tests.rules.support import expect, expect_fix, expect_nothing, fixes

CODE = "MSG013"
HEAD = '# %% C[^c1]\n\n[^c1]: [markdown] definition="agent" name="critic"\n\n'


def cell(block: str, rest: str = "") -> str:
    return HEAD + f"---\n{block}---\n{rest}"


@pytest.mark.parametrize(
    "marked",
    [
        cell("«system_prompt»: x\n"),
        cell("models: [猫🙂]\n«system_prompt»: |\n  a\n  b\n"),
        cell("{«system_prompt»: x, reasoning: true}\n"),
        cell("«system_prompt»: x\n").replace("\n", "\r\n"),
        # Half-written: the block is broken, and yet the key is there.
        cell("«system_prompt»:\nmodels: [\n"),
    ],
)
def test_the_prompt_is_found(marked: str) -> None:
    expect(
        CODE,
        marked,
        "a temporary agent cannot have a `system_prompt`: only agents of the frontmatter can",
    )


@pytest.mark.parametrize(
    "source",
    [
        cell("models: [x]\n"),
        HEAD + "system_prompt: x\n",
        HEAD + "Words.\n\n---\nsystem_prompt: x\n---\n",
        "# %% C[^c1]\n\n[^c1]: [markdown]\n\n---\nsystem_prompt: x\n---\n",
        "---\nagents: {critic: {system_prompt: x}}\n---\n" + HEAD,
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # No frontmatter.
        ("", "---\nagents:\n  critic:\n    system_prompt: Be harsh.\n---\n\n"),
        ("\ufeff", "\ufeff---\nagents:\n  critic:\n    system_prompt: Be harsh.\n---\n\n"),
        # A frontmatter without agents.
        (
            "---\ntitle: x # why\n---\n",
            "---\ntitle: x # why\nagents:\n  critic:\n    system_prompt: Be harsh.\n---\n",
        ),
        ("---\n---\n", "---\nagents:\n  critic:\n    system_prompt: Be harsh.\n---\n"),
        # Agents without any.
        (
            "---\nagents: # ours\nt: 1\n---\n",
            "---\nagents: # ours\n  critic:\n    system_prompt: Be harsh.\nt: 1\n---\n",
        ),
        (
            "---\nagents: null # ours\n---\n",
            "---\nagents: # ours\n  critic:\n    system_prompt: Be harsh.\n---\n",
        ),
        ("---\nagents: {}\n---\n", "---\nagents: {critic: {system_prompt: Be harsh.}}\n---\n"),
        # Other agents.
        (
            "---\nagents:\n    a: # x\n        models: [m] # y\n\nt: 1\n---\n",
            (
                "---\nagents:\n    a: # x\n        models: [m] # y\n    critic:\n"
                "      system_prompt: Be harsh.\n\nt: 1\n---\n"
            ),
        ),
        (
            "---\nagents: {a: {}, }\n---\n",
            "---\nagents: {a: {}, critic: {system_prompt: Be harsh.} }\n---\n",
        ),
        (
            "---\nagents:\n- name: a\n  models: [m]\n---\n",
            (
                "---\nagents:\n- name: a\n  models: [m]\n- name: critic\n"
                "  system_prompt: Be harsh.\n---\n"
            ),
        ),
        (
            "---\nagents: [{name: a}]\n---\n",
            "---\nagents: [{name: a}, {name: critic, system_prompt: Be harsh.}]\n---\n",
        ),
        # The agent itself is there.
        (
            "---\nagents:\n  critic:\n    models: [m]\n  b: {}\n---\n",
            (
                "---\nagents:\n  critic:\n    models: [m]\n    system_prompt: Be harsh.\n"
                "  b: {}\n---\n"
            ),
        ),
        (
            "---\nagents:\n  critic:\n  b: {}\n---\n",
            "---\nagents:\n  critic:\n    system_prompt: Be harsh.\n  b: {}\n---\n",
        ),
        (
            "---\nagents: {critic: {models: [m]}}\n---\n",
            "---\nagents: {critic: {models: [m], system_prompt: Be harsh.}}\n---\n",
        ),
        (
            "---\nagents:\n  - name: critic\n---\n",
            "---\nagents:\n  - name: critic\n    system_prompt: Be harsh.\n---\n",
        ),
        # It says the same already.
        (
            "---\nagents: {critic: {system_prompt: Be harsh.}}\n---\n",
            "---\nagents: {critic: {system_prompt: Be harsh.}}\n---\n",
        ),
    ],
)
@each("newline", ["\n", "\r\n"])
def test_the_fix_moves_it_to_the_frontmatter(before: str, after: str, newline: str) -> None:
    block = "models: [m] # mine\nsystem_prompt: Be harsh. # very\nreasoning: true\n"
    source = before + cell(block, "\nWords.\n")
    fixed = after + cell("models: [m] # mine\nreasoning: true\n", "\nWords.\n")
    source, fixed = source.replace("\n", newline), fixed.replace("\n", newline)
    name = "Move `system_prompt` to the agent `critic` in the frontmatter"
    expect_fix(CODE, source, fixed, safe=False, name=name)
    read = parse_frontmatter(fixed[: fixed.index("---", 5) + 3])
    assert not read.problems
    assert {a.name: a.values.system_prompt for a in read.agents}["critic"] == "Be harsh."


def test_a_block_of_nothing_else_goes() -> None:
    expect_fix(
        CODE,
        cell("system_prompt: x\n", "\nWords.\n"),
        "---\nagents:\n  critic:\n    system_prompt: x\n---\n\n" + HEAD + "Words.\n",
        safe=False,
    )


@pytest.mark.parametrize(
    "prompt",
    [
        "|\n  You are kind.\n\n    Very.\n",
        "|-\n  You are kind.\n  Very.\n",
        "|+\n  You are kind.\n\n",
        ">\n  You are\n  kind.\n",
        '"a \\"b\\" # c: \\u2028 d"\n',
        "'it''s: so'\n",
        "You are\n  kind.\n",
        "yes\n",
        "|2\n    indented\n  less\n",
    ],
)
@each("before", ["", "---\nagents: {a: {}}\n---\n", "---\nagents:\n  a: {}\n---\n"])
def test_any_prompt_keeps_its_text(prompt: str, before: str) -> None:
    wanted = parse_frontmatter(f"---\nprompt: {prompt}---").entries[0].value.text
    ((_, _, fixed),) = fixes(CODE, before + cell(f"system_prompt: {prompt}models: [m]\n"))
    read = parse_frontmatter(fixed[: fixed.index("\n---", 3) + 4])
    assert next(p for p in read.agents if p.name == "critic").values.system_prompt == wanted
    expect_nothing(CODE, fixed)


@pytest.mark.parametrize(
    "source",
    [
        # Another prompt is there already.
        "---\nagents: {critic: {system_prompt: Be kind.}}\n---\n" + cell("system_prompt: x\n"),
        # The YAML is broken, not closed, or built of aliases.
        "---\nagents: {\n---\n" + cell("system_prompt: x\n"),
        "---\nagents: {}\n\n" + cell("system_prompt: x\n"),
        "---\nx: &x {}\nagents: *x\n---\n" + cell("system_prompt: x\n"),
        "---\n{a: 1}\n---\n" + cell("system_prompt: x\n"),
        # On one line with others.
        cell("{system_prompt: x, reasoning: true}\n"),
        cell("system_prompt: [x]\n"),
    ],
)
def test_where_it_is_not_sure_there_is_no_fix(source: str) -> None:
    assert fixes(CODE, source) == []
