"""MSG011: an attribute that no agent has."""

import pytest

from tests.rules.support import expect, expect_fix, expect_nothing, find, fixes

CODE = "MSG011"
AGENT = '# %% C[^c1]\n\n[^c1]: [markdown] definition="agent" name="c"\n\n'


@pytest.mark.parametrize(
    ("marked", "message"),
    [
        (
            "---\nagents:\n  a:\n    «temprature»: 0\n---\n",
            "unknown agent attribute `temprature`: did you mean `temperature`?",
        ),
        (
            "---\r\nagents:\r\n  - name: 猫🙂\r\n    «colour»: red\r\n---\r\n",
            "unknown agent attribute `colour`",
        ),
        (
            AGENT + "---\nmodels: [x]\n«max_tokens»: 5\n---\n",
            "unknown agent attribute `max_tokens`",
        ),
        # The system prompt is not for temporary agents, and so it is not proposed.
        (AGENT + "---\n«system_promt»: x\n---\n", "unknown agent attribute `system_promt`"),
    ],
)
def test_an_unknown_attribute_is_found(marked: str, message: str) -> None:
    expect(CODE, marked, message)


@pytest.mark.parametrize(
    "source",
    [
        "---\nagents: {a: {models: [x], system_prompt: x}}\n---\n",
        "---\nagents: [{name: a, models: [x]}]\n---\n",
        "---\ncolour: red\n---\n",
        "---\nagents:\n  a:\n    temprature: 0\n",
        AGENT + "---\nsystem_prompt: x\n---\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_the_fix_takes_the_known_name(newline: str) -> None:
    source = "---\nagents:\n  a:\n    Temprature: 0 # cold\n---\n".replace("\n", newline)
    fixed = source.replace("Temprature", "temperature")
    expect_fix(CODE, source, fixed, safe=False, name="Change to `temperature`")


def test_the_fix_in_a_block() -> None:
    expect_fix(
        CODE, AGENT + "---\nmodel: [x]\n---\n", AGENT + "---\nmodels: [x]\n---\n", safe=False
    )


def test_a_name_that_the_agent_has_is_not_proposed() -> None:
    assert fixes(CODE, "---\nagents: {a: {models: [x], model: y}}\n---\n") == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("    model: gpt-4o", "    models: [gpt-4o]"),
        ('    model: "gpt 4"  # new', '    models: ["gpt 4"]  # new'),
        ("    model: [gpt-4o]", "    models: [gpt-4o]"),
        ("    modles:\n      - a", "    models:\n      - a"),
    ],
)
def test_one_model_becomes_a_list(before: str, after: str) -> None:
    for head, tail in (
        ("---\nagents:\n  writer:\n", "\n---\n"),
        ("# %% C[^c]\n\n[^c]: [raw] definition=agent name=c\n\n---\n", "\n---\n"),
    ):
        source, fixed = head + before + tail, head + after + tail
        if head.startswith("#"):
            source, fixed = source.replace("    ", ""), fixed.replace("    ", "")
            source, fixed = source.replace("\n  - a", "\n- a"), fixed.replace("\n  - a", "\n- a")
        expect_fix(CODE, source, fixed, safe=False)
        assert find("MSG010", fixed)[1] == []
