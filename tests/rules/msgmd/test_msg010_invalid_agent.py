"""MSG010: an agent's value of a wrong type or out of range."""

import pytest

from tests.rules.support import expect, expect_follows, expect_nothing

CODE = "MSG010"
AGENT = '# %% C[^c1]\n\n[^c1]: [markdown] definition="agent" name="c"\n\n'


def agents(text: str) -> str:
    return f"---\nagents:\n{text}---\n"


@pytest.mark.parametrize(
    ("marked", "message"),
    [
        (agents("  a: {models: «gpt»}\n"), "`models` must be a list of model names, at least one"),
        (agents("  a: {models: «[]»}\n"), "`models` must be a list of model names, at least one"),
        (agents("  a: {models: [x, «1»]}\n"), "the name of a model must be text"),
        (
            agents("  a: {context_window: «0»}\n"),
            "`context_window` must be a positive whole number",
        ),
        (
            agents('  a: {max_output_tokens: «"1"»}\n'),
            "`max_output_tokens` must be a positive whole number",
        ),
        (agents("  a: {reasoning: «1»}\n"), "`reasoning` must be `true` or `false`"),
        (agents("  a: {use_temperature: «2»}\n"), "`use_temperature` must be `true` or `false`"),
        (agents("  a: {temperature: «2.1»}\n"), "`temperature` must be a number from 0 to 2"),
        (agents("  a: {system_prompt: «[x]»}\n"), "`system_prompt` must be text"),
        (agents("  a: «5»\n"), "the agent `a` must be a mapping of attributes"),
        (agents("  - «models: [x]»\n"), "this agent has no name"),
        (
            "---\nagents: «5»\n---\n",
            "`agents` must be a mapping of names to attributes, or a list with a `name` in each",
        ),
        ("---\ndefault_agent: «[a]»\n---\n", "`default_agent` must be the name of an agent"),
        (AGENT + "---\ntemperature: «3»\n---\n", "`temperature` must be a number from 0 to 2"),
        (
            AGENT.replace("# %% C", "# %% 🙂猫").replace("\n", "\r\n")
            + "---\r\nreasoning: «maybe»\r\n---\r\n",
            "`reasoning` must be `true` or `false`",
        ),
        (
            AGENT + "---\n«only words»\n---\n",
            ("the block of an agent must consist of `key: value` pairs"),
        ),
    ],
)
def test_a_wrong_value_is_found(marked: str, message: str) -> None:
    expect(CODE, marked, message)


def test_a_block_that_is_not_yaml_is_found() -> None:
    expect(
        CODE,
        AGENT + "---\nmodels: [a]«]»\n---\n",
        "the block of the agent is not valid YAML: this follows the closing bracket",
    )


@pytest.mark.parametrize(
    "source",
    [
        agents("  a: {models: [x], context_window: 1, temperature: 0, reasoning: true}\n"),
        agents("  a:\n"),
        "---\nagents:\n---\n",
        "---\nagents: [{name: a}]\ndefault_agent: a\n---\n",
        # Not closed, or broken: other problems.
        "---\nagents:\n  a: {temperature: 3}\n",
        # No agent.
        "# %% C[^c1]\n\n[^c1]: [markdown]\n\n---\ntemperature: 3\n---\n",
        # Dashes further down open no block.
        AGENT + "Words.\n\n---\ntemperature: 3\n---\n",
        # One line of dashes is a line across.
        AGENT + "---\n\nWords.\n",
        # Unknown attributes are MSG011, the system prompt is MSG013.
        AGENT + "---\nfoo: 1\nsystem_prompt: x\n---\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


def test_it_follows_edits() -> None:
    counts = expect_follows(
        CODE,
        AGENT + "---\ntemperature: 1\n---\n",
        ("temperature: 1", "temperature: 9"),
        ('definition="agent"', ""),
    )
    assert counts == [0, 1, 0]
