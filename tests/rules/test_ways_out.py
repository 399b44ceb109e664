"""Ways out in the corners of rules: what a fix makes of it, and where there must be none."""

import pytest

from tests.rules.support import PATH, expect, expect_fix, find, fixes

AGENT = '# %% C[^c1]\n\n[^c1]: [markdown] definition="agent"{}\n\n---\n{}---\n'
CODE = "# %% [^c]\n\n[^c]: [code]\n\n```py\nx\n```\n\n"
SECTION = "---\nmessage_section: Talk\n---\n"
FULL = "---\nagents: {Al: {models: [m], context_window: 20, max_output_tokens: 10}}\n---\n"
LONG = "words " * 60 + "\n\n"


@pytest.mark.parametrize(
    ("code", "source", "path"),
    [
        pytest.param(
            "MSG013",
            AGENT.format(' name="critic"', "system_prompt: x\nsystem_prompt: y\n"),
            PATH,
            id="two prompts: which of them, nobody knows",
        ),
        pytest.param(
            "MSG013", AGENT.format("", "system_prompt: x\n"), PATH, id="an agent without a name"
        ),
        pytest.param(
            "MSG503",
            SECTION + "# %% [^a]\n\n[^a]: [markdown]\n\nx\n\n# Talk\n\n# %% [^b]\n\n```\nopen\n",
            "notes.md",
            id="the section ends in a fence that nothing closes",
        ),
        pytest.param("DLT001", ",{}\n", "a.messages.json", id="nothing before the first comma"),
        pytest.param(
            "MSG601",
            FULL + "# %%% [^a]\n\n" + LONG + "# %% [^b]\n\n[^b]: [markdown]\n\n" + LONG,
            PATH,
            id="nobody knows what the first cell is, and the last turn stays",
        ),
    ],
)
def test_there_is_none(code: str, source: str, path: str) -> None:
    _, problems = find(code, source, path)
    assert problems
    for number in range(len(problems)):
        assert fixes(code, source, number, path) == []


@pytest.mark.parametrize(
    ("code", "before", "after", "path"),
    [
        pytest.param(
            "MSG103",
            "# %% [^a]\n\n[^a]: [markdown]\n\nx\n\n# %%% [^a]\n\ny\n",
            "# %% [^a]\n\n[^a]: [markdown]\n\nx\n\n# %%% [^a2]\n\n[^a2]: [assistant]\n\ny\n",
            PATH,
            id="an answer cannot have the type of a message that it shared",
        ),
        pytest.param(
            "MSG401",
            "# %% [^c]\n\n[^c]: [code]\n\nx = 1\n\n# %%% [^c.1]\n\n[^c.1]: [julia]\n",
            "# %% [^c]\n\n[^c]: [code]\n\n```julia\nx = 1\n```\n\n"
            "# %%% [^c.1]\n\n[^c.1]: [julia]\n",
            PATH,
            id="the language of its own run",
        ),
        pytest.param(
            "MSG401",
            CODE + "# %% [^d]\n\n[^d]: [code]\n\n# %% [^e]\n\n[^e]: [code]\n\ny\n\n"
            "# %%% [^d.n]\n\n[^d.n]: [tool]\n",
            CODE + "# %% [^d]\n\n[^d]: [code]\n\n```py\n```\n\n# %% [^e]\n\n[^e]: [code]\n\ny\n\n"
            "# %%% [^d.n]\n\n[^d.n]: [tool]\n",
            PATH,
            id="the language of the code above",
        ),
        pytest.param(
            "MSG402",
            "# %% [^c]\n\n```py\nx\n```\n\n```py\ny\n```\n\n[^c]: [code] history=exclude\n",
            "# %% [^c]\n\n```py\nx\n```\n\n# %% [^c-2]\n\n[^c-2]: [code] history=exclude\n\n"
            "```py\ny\n```\n\n[^c]: [code] history=exclude\n",
            PATH,
            id="what the definition says of the whole cell, from wherever it stands",
        ),
        pytest.param(
            "MSG404",
            CODE + "# %%% [^d.1]\n\n[^d.1]: [py]\n\n# %%% [^c.1]\n\n[^c.1]: [py]\n",
            CODE + "# %%% [^c.2]\n\n[^c.2]: [py]\n\n# %%% [^c.1]\n\n[^c.1]: [py]\n",
            PATH,
            id="the number that would follow is taken: the one after all",
        ),
        pytest.param(
            "MSG111",
            CODE + "# %%% [^c.1]\n\n[^c.1]: [py]\n\n# %%% [^c.x]\n\n[^c.x]: [py]\n",
            CODE + "# %%% [^c.1]\n\n[^c.1]: [py]\n\n# %%% [^c.2]\n\n[^c.2]: [py]\n",
            PATH,
            id="the number after that of the sibling above",
        ),
        pytest.param(
            "MSG111",
            CODE + "# %%% [^c.x]\n\n[^c.x]: [py]\n\n# %%% [^c.3]\n\n[^c.3]: [py]\n",
            CODE + "# %%% [^c.1]\n\n[^c.1]: [py]\n\n# %%% [^c.3]\n\n[^c.3]: [py]\n",
            PATH,
            id="whatever the siblings below have",
        ),
        pytest.param(
            "MSG503",
            SECTION + "# %% [^a]\n\n[^a]: [markdown]\n\nx\n\n## Sub\n\n# Talk\n\n"
            "# %% [^b]\n\n[^b]: [markdown]\n",
            SECTION + "\n# Talk\n\n# %% [^b]\n\n[^b]: [markdown]\n\n"
            "# %% [^a]\n\n[^a]: [markdown]\n\nx\n\n## Sub\n",
            "notes.md",
            id="with the headings below it",
        ),
    ],
)
def test_there_is_one(code: str, before: str, after: str, path: str) -> None:
    expect_fix(code, before, after, safe=False, path=path)


@pytest.mark.parametrize(
    ("code", "marked"),
    [
        # A letter that is two when it is made small: places must not be shifted by it.
        ("MSG105", "# %% [^a]\n\n[^a]: [markdown]\n\nİ <b [^x]> <b [^«y»] <b [^«z»]\n"),
        ("MSG105", "# %% [^a]\n\n[^a]: [markdown]\n\nİ <!-- [^x] --> [^«y»] <!-- [^«z»]\n"),
        (
            "MSG406",
            CODE + '# %%% [^c.1]\n\n[^c.1]: [py] mime_type="image/png"\n\n«```»\nQUJD\n```\n',
        ),
        ("MSG406", CODE + '# %%% [^c.1]\n\n[^c.1]: [py] mime_type="image/png"\n\nQUJD\n«```»\n'),
    ],
)
def test_it_is_found_at_its_place(code: str, marked: str) -> None:
    expect(code, marked)
