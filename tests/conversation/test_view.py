"""What the model sees: which cells, what of them, and where it comes from."""

import json
from typing import Any

import pytest

from msgls.conversation.cell_visibility import hidden_cells
from msgls.conversation.model_view import ModelView
from msgls.conversation.readers import read_document
from msgls.conversation.visibility import Sight
from msgls.conversation.writers.msgmd import write
from msgls.document.document import Document
from msgls.text.spans import Span
from msgls.text.tokens import ESTIMATE
from tests.conversation.corpus import AGENTS, MESSAGE_FILE, STF_AT

HEAD = """\
---
default_agent: one
agents:
  one: {models: [m1, m2], system_prompt: First., context_window: 100, max_output_tokens: 40}
  two: {system_prompt: Second., temperature: 0.5, use_temperature: false}
---

"""


def cell(name: str, attributes: str = "", content: str = "Text.", marker: str = "%%") -> str:
    return f"# {marker} [^{name}]\n\n[^{name}]: [{attributes or 'markdown'}]\n\n{content}\n\n"


def view_of(text: str, agent: str | None = None, path: str = "a.msg.md") -> ModelView:
    return ModelView(Document.open(path, text), ESTIMATE, agent)


def said(view: ModelView) -> list[tuple[str, list[Any]]]:
    found: list[tuple[str, list[Any]]] = []
    for entry in view.entries:
        parts = entry.message.to_wire()["parts"]
        found.append((entry.message.role, [p["payload"].get("text", p["kind"]) for p in parts]))
    return found


def why(view: ModelView) -> dict[str | None, str]:
    return {cell.id: cell.why for cell in view.cells}


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ("markdown", ["Long.\n\nMore."]),
        ("markdown] history=include", ["Long.\n\nMore."]),
        ("markdown] history=exclude", None),
        ("markdown] history=0", None),
        ("markdown] history=summary", ["Long."]),
        ('markdown] history=summary summary="Short."', ["Short."]),
        ("markdown] virtual=1", None),
        ("markdown] virtual=1 history=include", None),
    ],
)
def test_one_cell(attributes: str, expected: list[str] | None) -> None:
    kind, _, rest = attributes.partition("]")
    text = f"# %% [^q]\n\n[^q]: [{kind}]{rest}\n\nLong.\n\nMore.\n"
    view = view_of(text)
    assert said(view) == ([] if expected is None else [("user", expected)])
    assert (ModelView(Document.open("a.msg.md", text), ESTIMATE).text == "") is (expected is None)


def test_what_stands_before_the_last_reset_is_not_seen() -> None:
    text = cell("a") + cell("r", "bot] reset=1 [", marker="%%%").replace(" []", "") + cell("b")
    view = view_of(text)
    assert [entry.message.meta["id"] for entry in view.entries if entry.message.meta] == ["b"]
    assert why(view) == {"a": "it is before the last reset", "r": "it resets the context", "b": ""}


def test_the_default_agent_has_its_prompt_first() -> None:
    view = view_of(HEAD + cell("q"))
    assert said(view) == [("system", ["First."]), ("user", ["Text."])]
    assert view.context.agent.options[:3] == ("m1", 40, None)
    assert view.context.agent.budget == 60
    prompt = view.entries[0]
    assert (HEAD + cell("q"))[prompt.spans[0].start : prompt.spans[0].end] == "First."
    assert (prompt.first_line, prompt.last_line) == (3, 3)


@pytest.mark.parametrize(
    ("agent", "prompt", "model"),
    [("two", "Second.", None), ("m2", "First.", "m2"), ("nobody", None, None)],
)
def test_another_agent(agent: str, prompt: str | None, model: str | None) -> None:
    view = view_of(HEAD + cell("q"), agent)
    assert said(view)[:-1] == ([] if prompt is None else [("system", [prompt])])
    assert view.context.agent.options.model == model
    assert view.context.agent.options.temperature is None


def test_a_temporary_agent_has_no_prompt_but_models() -> None:
    defining = (
        '# %% [^d]\n\n[^d]: [markdown] definition="agent" name="tmp"\n\n---\nmodels: [x]\n---\n\n'
    )
    view = view_of(HEAD + defining + cell("q"), "tmp")
    assert view.context.agent.options.model == "x"
    assert [entry.message.role for entry in view.entries] == ["user"]
    assert why(view)["d"] == "it defines an agent"


def test_the_name_of_a_temporary_agent_is_its_model_where_it_names_none() -> None:
    defining = '# %% [^d]\n\n[^d]: [markdown] definition="agent" name="glm-5"\n\nFor today.\n\n'
    view = view_of(defining + cell("q"))
    assert (view.context.agent.name, view.context.agent.options.model) == ("glm-5", "glm-5")
    assert said(view) == [("user", ["Text."])]


CALLS = (
    cell("a", "bot", "I ask.", "%%%")
    + '## %%% [^a.x]\n\n[^a.x]: [tool] name="f"{x}\n\n<f><q>1</q></f>\n\n'
    + '## %%% [^a.y]\n\n[^a.y]: [tool] name="g"{y}\n\n<g/>\n\n'
    + "## %%% [^a.x.2]\n\n[^a.x.2]: [tool]{r2}\n\nsecond\n\n"
    + "## %%% [^a.x.1]\n\n[^a.x.1]: [tool]{r1}\n\nfirst\n\n"
)


def calls(**hidden: str) -> str:
    text = CALLS
    for name in ("x", "y", "r1", "r2"):
        text = text.replace("{" + name + "}", hidden.get(name, ""))
    return text


@pytest.mark.parametrize(
    ("hidden", "expected"),
    [
        ({}, [["I ask.", "tool_call", "tool_call"], ["first", "second"]]),
        # A result is part of its call.
        ({"x": " history=none"}, [["I ask.", "tool_call"]]),
        ({"x": " virtual=1", "r1": " history=include"}, [["I ask.", "tool_call"]]),
        ({"r1": " history=none"}, [["I ask.", "tool_call", "tool_call"], ["second"]]),
        ({"r1": " history=none", "r2": " virtual=1"}, [["I ask.", "tool_call", "tool_call"]]),
        (
            {"y": ' history=summary summary="g"', "r2": " history=summary"},
            [["I ask.", "tool_call", "g"], ["first", "second"]],
        ),
    ],
)
def test_calls_and_results_by_cell(hidden: dict[str, str], expected: list[list[str]]) -> None:
    found = []
    for entry in view_of(calls(**hidden)).entries:
        parts = entry.message.to_wire()["parts"]
        if entry.message.role == "tool":
            content = parts[0]["payload"]["content"]
            texts = [content] if isinstance(content, str) else content
            found.append([t if isinstance(t, str) else t["payload"]["text"] for t in texts])
        else:
            found.append([part["payload"].get("text", part["kind"]) for part in parts])
    assert found == expected


@pytest.mark.parametrize("mark", ["history=exclude", "virtual=1", "virtual=1 history=include"])
@pytest.mark.parametrize("own", ["", " history=include", " history=summary", " virtual=1"])
def test_calls_and_results_are_hidden_along_with_their_answer(mark: str, own: str) -> None:
    text = calls(x=own, r1=own).replace("[^a]: [bot]", f"[^a]: [bot] {mark}")
    view = view_of(text + cell("q"))
    assert said(view) == [("user", ["Text."])]
    assert len(list(hidden_cells(view.document))) == 5
    hidden = [why(view)[name] for name in ("a.y", "a.x.2")]
    assert hidden == ["it belongs to a hidden cell"] * 2
    # Its calls are in the message of the answer, as they are where it is seen.
    answer, results, _ = read_document(view.document).messages
    assert [part.kind for part in answer.parts] == ["text", "tool_call", "tool_call"]
    assert results.visibility.sight is answer.visibility.sight


@pytest.mark.parametrize("mark", ["history=exclude", "history=none", "virtual=1"])
@pytest.mark.parametrize("own", ["", " history=include", " history=none", " virtual=1"])
def test_calls_of_a_hidden_answer_are_written_as_they_were(mark: str, own: str) -> None:
    text = calls(x=own).replace("[^a]: [bot]\n", f"[^a]: [bot] {mark}\n")
    document = Document.open("a.msg.md", text)
    conversation = read_document(document)
    assert write(conversation, like=document).text == text
    whole = write(conversation)
    assert whole.losses == ()
    assert f'[^a.x]: [tool] name="f"{own}\n'.replace('"', "") in whole.text.replace('"', "")
    assert read_document(Document.open("a.msg.md", whole.text)).messages == conversation.messages


def test_a_summary_of_an_answer_leaves_its_calls_alone() -> None:
    text = calls().replace("[^a]: [bot]", "[^a]: [bot] history=summary summary=short")
    (answer, results) = view_of(text).entries
    assert [part.kind for part in answer.message.parts] == ["text", "tool_call", "tool_call"]
    assert results.message.role == "tool"


def test_the_view_of_calls_follows_their_answer() -> None:
    document = Document.open("a.msg.md", calls() + cell("q"))
    view = ModelView(document, ESTIMATE)
    assert "tool" in view.text
    for old, new in (
        ("[^a]: [bot]", "[^a]: [bot] history=0"),
        ("[bot] history=0", "[bot] history=summary"),
        ("[bot] history=summary", "[bot] virtual=1"),
        ("# %%% [^a]\n", "# %%% [^b]\n"),
        ("# %%% [^b]\n", "# %%% [^a]\n"),
        ("[bot] virtual=1", "[bot]"),
        ('name="f"', 'name="f" history=0'),
    ):
        at = document.text.index(old)
        document = document.edit(Span(at, at + len(old)), new)
        view.update(document)
        fresh = ModelView(Document.open("a.msg.md", document.text), ESTIMATE)
        assert (view.text, view.tokens) == (fresh.text, fresh.tokens)


def test_entries_know_their_cells_and_lines() -> None:
    document = Document.open("a.msg.md", MESSAGE_FILE)
    view = ModelView(document, ESTIMATE)
    by_label = {cell.label: cell for cell in view.cells}
    for entry in view.entries[1:]:
        assert entry.first_line == by_label[entry.labels[0]].line
        assert all(by_label[label].sight.is_sent for label in entry.labels)
    seen = [label for entry in view.entries[1:] for label in entry.labels]
    assert sorted(seen) == [cell.label for cell in view.cells if cell.sight.is_sent]


def test_definitions_far_away_count_and_are_not_content() -> None:
    text = (
        "# %% [^a]\n\nA.\n\n# %% [^b]\n\nB.\n\n[^a]: [markdown] history=exclude\n[^b]: [markdown]\n"
    )
    view = view_of(text)
    assert said(view) == [("user", ["B."])]
    assert ModelView(Document.open("a.msg.md", text), ESTIMATE).text == "## user · b\n\nB.\n\n"


SECTION = """\
---
message_section: Talk
---

# %% [^o]

[^o]: [markdown]

Outside.

# Talk

# %% [^q]

[^q]: [markdown]

Inside.

# After

Recorded, too.
"""


def test_only_the_section_is_seen() -> None:
    view = view_of(SECTION, path="a.md")
    assert said(view) == [("user", ["Inside.\n\n# After\n\nRecorded, too."])]
    assert why(view)["o"] == "it is outside the section"
    assert ModelView(Document.open("a.md", SECTION), ESTIMATE).text == (
        "## user · q\n\nInside.\n\n# After\n\nRecorded, too.\n\n"
    )


def test_a_missing_section_records_nothing() -> None:
    text = SECTION.replace("# Talk", "# Walk")
    assert view_of(text, path="a.md").entries == ()
    assert ModelView(Document.open("a.md", text), ESTIMATE).text == ""


def test_other_formats_show_every_message() -> None:
    view = view_of(STF_AT, path="a.stf")
    assert [entry.message.role for entry in view.entries] == [
        "system", "system", "user", "assistant", "tool", "assistant",
    ]  # fmt: skip
    assert {cell.sight for cell in view.cells} == {Sight.SEEN}


def test_boot_messages_are_virtual() -> None:
    text = json.dumps(AGENTS)
    view = view_of(text, path="agents.json")
    assert view.entries == ()
    assert [(cell.id, cell.why) for cell in view.cells] == [("guide", "it is a boot message")]
    assert ModelView(Document.open("agents.json", text), ESTIMATE).text == ""


def test_tokens_are_those_of_what_is_seen() -> None:
    short = view_of(HEAD + cell("q"))
    longer = view_of(HEAD + cell("q") + cell("x", "markdown] history=exclude [").replace(" []", ""))
    assert longer.tokens == short.tokens == sum(c.tokens for c in short.cells) + 2
