"""Boot messages in a message file: inserted where it begins, and again where it is reset."""

from collections.abc import Mapping
from typing import Any

import pytest

from msgls.conversation.cell_visibility import horizon_of, sight_of
from msgls.conversation.visibility import Sight
from msgls.document.document import Document
from msgls.document.snapshot import ALONE, Surroundings
from msgls.features.actions import cell_actions
from msgls.features.commands import Call, CellChange, RefusedError, run
from msgls.features.msgmd.booting import RESET_TEXT
from msgls.formats.agents import Greeting
from msgls.formats.msgmd.meaning import meaning_of
from msgls.rules.checker import Checker
from msgls.rules.registry import rules_of
from tests.features.msgmd.sample import opened
from tests.notation import table
from tests.snapshots import snapshot_of

GUIDE = Greeting("guide", "Where to?", ("Plan a *weekend*", "看天气"))
OTHER = Greeting("other", "Hello.")
AROUND = Surroundings(
    other_agents=frozenset({"guide", "other", "silent"}),
    agents_file="/host/agents.json",
    greetings=(GUIDE, OTHER),
)
BOOT, RESET = "msgls.agent.insertBoot", "msgls.history.reset"

GREETING = "[^{id}]: [guide] {marks}\n\nWhere to?\n\n- Plan a \\*weekend\\*\n- 看天气\n"


def greeting(cell_id: str = "a1", marks: str = "boot=1 virtual=1") -> str:
    return f"# %%% [^{cell_id}]\n\n" + GREETING.format(id=cell_id, marks=marks)


def after(
    name: str, text: str, arguments: Mapping[str, Any] | None = None, around: Surroundings = AROUND
) -> str:
    """The text once the command has run; the cursor is at the end of it."""
    document = opened(text)
    change = run(name, Call(snapshot_of(document, around), 0, arguments or {}))
    assert isinstance(change, CellChange)
    changed = document.apply(change.edits)
    assert change.cursor == len(changed.store)
    return changed.text


def seen(text: str) -> list[tuple[str, str]]:
    """Whether the model sees each cell, by id."""
    document = opened(text)
    horizon = horizon_of(document)
    cells = [meaning_of(document, placed) for placed in document.cells()]
    return [
        (meaning.cell.id or "", sight.value)
        for meaning in cells
        if (sight := sight_of(document, meaning, horizon)) is not Sight.NO_CELL
    ]


# -- inserting ----------------------------------------------------------------------------

TALK = "# %% Hi [^m1]\n\n[^m1]: [markdown]\n\nHi\n"
ANSWER = "# %%% [^a1]\n\n[^a1]: [guide]\n\nYes\n"

BEGINNINGS = {
    "an empty file": ("", greeting()),
    "words before": ("Words.\n", "Words.\n\n" + greeting()),
    "a frontmatter": (
        "---\ndefault_agent: guide\n---\n",
        "---\ndefault_agent: guide\n---\n\n" + greeting(),
    ),
    "other line ends": ("Words.\r\n", ("Words.\n\n" + greeting()).replace("\n", "\r\n")),
    "a byte-order mark": ("\ufeff", "\ufeff" + greeting()),
    "right after a reset": (
        f"{TALK}\n# %%% [^a1]\n\n[^a1]: [guide] reset=1\n",
        f"{TALK}\n# %%% [^a1]\n\n[^a1]: [guide] reset=1\n\n{greeting('a2')}",
    ),
}


EMPTY = "# %% Title[^m1]\n\n[^m1]: [markdown]\n"
BEGINNINGS |= {
    "a cell without content": (EMPTY, f"{greeting()}\n{EMPTY}"),
    "words and an empty cell": (f"Words.\n\n{EMPTY}", f"Words.\n\n{greeting()}\n{EMPTY}"),
    "a mark and an empty cell": (f"\ufeff{EMPTY}", f"\ufeff{greeting()}\n{EMPTY}"),
    "a reset and an empty cell": (
        f"{TALK}\n# %%% [^a1]\n\n[^a1]: [guide] reset=1\n\n{EMPTY.replace('m1', 'm2')}",
        (
            f"{TALK}\n# %%% [^a1]\n\n[^a1]: [guide] reset=1\n\n"
            f"{greeting('a2')}\n{EMPTY.replace('m1', 'm2')}"
        ),
    ),
}


@table("before, text", BEGINNINGS)
def test_a_boot_message_begins_a_conversation(before: str, text: str) -> None:
    assert after(BOOT, before) == text


def test_who_greets_is_the_default_agent_or_the_one_that_is_picked() -> None:
    head = "---\ndefault_agent: other\n---\n"
    assert after(BOOT, head).endswith("[^a1]: [other] boot=1 virtual=1\n\nHello.\n")
    assert "[guide]" in after(BOOT, head, {"agent": "guide"})
    # Without a default agent, the first that can.
    assert "[guide]" in after(BOOT, "")


def test_in_the_section_of_a_plain_file() -> None:
    text = "---\nmessage_section: true\n---\n\n# Notes\n\n## Discussion\n"
    document = Document.open("notes.md", text)
    change = run(BOOT, Call(snapshot_of(document, AROUND), 0, {}))
    assert document.apply(change.edits).text == f"{text}\n{greeting()}"


REFUSED = {
    "a cell is there": (TALK, {}, AROUND, "the conversation has started"),
    "a cell follows the reset": (
        f"# %%% [^a9]\n\n[^a9]: [guide] reset=1\n\n{TALK}",
        {},
        AROUND,
        "the conversation has started",
    ),
    "a boot message is there": (greeting(), {}, AROUND, "the conversation has started"),
    "no agents.json": ("", {}, ALONE, "there is no `agents.json`"),
    "nobody greets": (
        "",
        {},
        AROUND._replace(greetings=()),
        "no agent in `agents.json` has a boot message",
    ),
    "the default one does not": (
        "---\ndefault_agent: silent\n---\n",
        {},
        AROUND,
        "`silent` has no boot message in `agents.json`: pick one of `guide`, `other`",
    ),
    "nobody of that name": ("", {"agent": "x"}, AROUND, "`x` has no boot message"),
    "the frontmatter is open": ("---\na: 1\n", {}, AROUND, "its frontmatter is not closed"),
    "a fence is open": ("```\n", {}, AROUND, "the fence that opens on line 1 is not closed"),
    "a name that cannot be written": (
        "",
        {},
        AROUND._replace(greetings=(Greeting("a]b", "x"),)),
        "`a]b` is not a valid agent name",
    ),
}


@table("text, arguments, around, why", REFUSED)
def test_a_boot_message_is_refused(
    text: str, arguments: Mapping[str, Any], around: Surroundings, why: str
) -> None:
    with pytest.raises(RefusedError, match="^" + why):
        after(BOOT, text, arguments, around)


# -- resetting ----------------------------------------------------------------------------


def test_a_reset_greets_again() -> None:
    text = after(RESET, TALK + "\n" + ANSWER)
    assert text == f"{TALK}\n{ANSWER}\n{greeting('a2', 'boot=1 virtual=1 reset=1')}"
    picked = after(RESET, TALK, {"agent": "other"})
    assert picked.endswith("[^a1]: [other] boot=1 virtual=1 reset=1\n\nHello.\n")


def test_a_reset_below_the_cell_of_the_cursor_goes_after_what_belongs_to_it() -> None:
    call = '## %%% [^a1.9f]\n\n[^a1.9f]: [tool] name="x"\n\n<x/>\n'
    text = f"{ANSWER}\n{call}\n{TALK}"
    document = opened(text)
    change = run(RESET, Call(snapshot_of(document, AROUND), 0, {"here": True}))
    reset = greeting("a2", "boot=1 virtual=1 reset=1")
    assert document.apply(change.edits).text == f"{ANSWER}\n{call}\n{reset}\n{TALK}"


@pytest.mark.parametrize(
    ("text", "around", "agent"),
    [
        (TALK, ALONE, "assistant"),
        (TALK + "\n" + ANSWER, ALONE, "guide"),
        ("---\nagents: {hal: {}}\n---\n", ALONE, "hal"),
        ("---\ndefault_agent: silent\n---\n", AROUND, "silent"),
        (TALK, AROUND._replace(greetings=()), "guide"),
        ("", ALONE, "assistant"),
    ],
)
def test_without_a_boot_message_a_text_stands_in(
    text: str, around: Surroundings, agent: str
) -> None:
    assert f"]: [{agent}] boot=1 virtual=1 reset=1\n\n{RESET_TEXT}\n" in after(
        RESET, text, None, around
    )


@pytest.mark.parametrize("text", [TALK, "", EMPTY])
def test_a_reset_without_agents_draws_no_warning(text: str) -> None:
    document = opened(after(RESET, text, None, ALONE))
    found = Checker(snapshot_of(document), list(rules_of("msgmd"))).problems()
    assert "MSG202" not in {problem.code for problem in found}


def test_the_text_that_stands_in_is_in_the_language_of_the_user() -> None:
    document = opened(TALK)
    change = run(RESET, Call(snapshot_of(document), 0, {}, language="zh"))
    assert document.apply(change.edits).text.endswith("\n\n上下文已重置。有什么我可以帮您的吗？\n")


def test_a_reset_by_an_agent_that_nobody_knows_is_refused() -> None:
    with pytest.raises(RefusedError, match="there is no agent `x`"):
        after(RESET, TALK, {"agent": "x"})


def test_what_the_model_sees_starts_after_the_reset() -> None:
    text = after(BOOT, "")
    assert seen(text) == [("a1", "virtual")]
    text = after(RESET, text + "\n" + TALK)
    assert seen(text) == [("a1", "virtual"), ("m1", "before-reset"), ("a2", "virtual")]
    text += "\n" + TALK.replace("m1", "m2")
    assert seen(text)[-1] == ("m2", "seen")
    # Virtual, whatever else is said.
    text = text.replace("virtual=1\n", "virtual=1 history=include\n")
    assert seen(text)[0] == ("a1", "virtual")


@pytest.mark.parametrize(
    "said",
    ["# %% A [^m]\n\n[^m]: [raw]", "```python\nx", "---\n", "a\r\n\r\nb", "<b>Hi</b>", "[^x]", "#"],
)
def test_whatever_is_said_stays_in_its_cell(said: str) -> None:
    around = AROUND._replace(greetings=(Greeting("guide", said, ("[^m1]: [raw]", "1. x\ny")),))
    text = after(RESET, after(BOOT, "", None, around), None, around)
    document = opened(text).with_agents(around.other_agents)
    assert document.cell_count == 2
    found = Checker(snapshot_of(document, around), list(rules_of("msgmd"))).problems()
    assert {problem.code for problem in found} <= {"MSG105", "MSG603"}


# -- what is offered ----------------------------------------------------------------------


def offered(text: str, around: Surroundings = AROUND) -> list[tuple[str, Any]]:
    actions = cell_actions(snapshot_of(opened(text), around), 0)
    return [
        (action.title, action.arguments.get("agent"))
        for action in actions
        if action.command in (BOOT, RESET)
    ]


def test_what_is_offered_where() -> None:
    both = [
        ("Insert boot message of `guide`", "guide"),
        ("Insert boot message of `other`", "other"),
    ]
    assert offered("") == both
    assert offered("---\ndefault_agent: other\n---\n") == both[::-1]
    assert offered(TALK) == [("Reset context", None)]
    assert offered(TALK, ALONE) == [("Reset context", None)]
    titles = [title for title, _ in offered(TALK + "\n" + ANSWER)]
    assert titles == ["Reset context below this cell", "Reset context"]
    assert offered("", ALONE) == []


def test_the_list_says_who_greets() -> None:
    found = run("msgls.agent.list", Call(snapshot_of(opened(""), AROUND), 0, {}))
    assert [agent["name"] for agent in found if agent["hasBootMessage"]] == ["guide", "other"]
    assert len(found) == 3


def test_an_agent_of_the_list_is_gone_to_by_its_line() -> None:
    text = "---\nagents:\n  one:\n    models: [m1]\n---\n"
    call = Call(snapshot_of(opened(text), ALONE), 0, {"line": 2})
    assert run("msgls.agent.list", call) == CellChange((), text.index("  one"))
