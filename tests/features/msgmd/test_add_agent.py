"""Adding an agent: to the frontmatter, or as a temporary one in a cell."""

from typing import Any

import pytest

from msgls.document.document import Document
from msgls.features.commands import Call, CellChange, InvalidArgument, RefusedError, run
from msgls.rules.base import Severity
from msgls.rules.checker import Checker
from msgls.rules.registry import rules_of
from tests.snapshots import snapshot_of

COMMAND = "msgls.agent.add"
QUESTION = "# %% Q[^q1]\n\n[^q1]: [markdown]\n\nHi\n"
ANSWER = "# %%% A[^a1]\n\n[^a1]: [guide]\n\nYes\n"
CELL = '# %% guide [^agent-1]\n\n[^agent-1]: [markdown] definition="agent" name="guide"\n'
BLOCK = "\n---\nmodels: [o3]\n---\n"


def added(source: str, path: str = "chat.msg.md", **arguments: Any) -> str:
    """The text once the command has run at ``¦``; it draws no problem."""
    at = source.index("¦")
    document = Document.open(path, source.replace("¦", ""))
    change = run(COMMAND, Call(snapshot_of(document), at, {"name": "guide", **arguments}))
    assert isinstance(change, CellChange)
    after = document.apply(change.edits)
    found = Checker(snapshot_of(after), list(rules_of("msgmd"))).problems()
    assert [p.code for p in found if p.code not in ("MSG603", "MSG604")] == []
    return after.text


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("before", "arguments", "after"),
    [
        ("¦" + QUESTION, {}, "---\nagents:\n  guide: {}\n---\n\n" + QUESTION),
        (
            "---\nagents:\n  a: {}\n---\n" + QUESTION + "¦",
            {"model": "o3"},
            "---\nagents:\n  a: {}\n  guide: {models: [o3]}\n---\n" + QUESTION,
        ),
        (
            "---\nagents:\n- name: a\n---\n¦",
            {"model": "gpt 4"},
            "---\nagents:\n- name: a\n- {name: guide, models: [gpt 4]}\n---\n",
        ),
        ("¦", {"temporary": True}, CELL),
        (QUESTION + "¦", {"temporary": True}, QUESTION + "\n" + CELL),
        (QUESTION + "¦", {"temporary": True, "model": "o3"}, QUESTION + "\n" + CELL + BLOCK),
        (
            "¦" + QUESTION + "\n" + QUESTION.replace("q1", "q2"),
            {"temporary": True},
            QUESTION + "\n" + CELL + "\n" + QUESTION.replace("q1", "q2"),
        ),
        # From there on its name can answer: so it stands before what it has answered.
        (
            QUESTION + "\n" + ANSWER + "¦",
            {"temporary": True},
            QUESTION + "\n" + CELL + "\n" + ANSWER,
        ),
    ],
)
def test_adding(before: str, arguments: dict[str, Any], after: str, newline: str) -> None:
    found = added(before.replace("\n", newline), **arguments)
    if "\n" in before:
        after = after.replace("\n", newline)
    assert found == after


@pytest.mark.parametrize("name", ["null", "True", "no", "ON"])
@pytest.mark.parametrize("agents", ["  a: {}", "- name: a", "  {a: {}}", "  [{name: a}]"])
def test_a_name_that_yaml_reads_as_something_else_is_quoted(agents: str, name: str) -> None:
    after = added(f"---\nagents:\n{agents}\n---\n¦", name=name)
    assert f'"{name}"' in after


def test_in_a_section_it_goes_into_the_record() -> None:
    head = "---\nmessage_section: Talk\n---\n\n# Notes\n\n# Talk\n"
    assert added(head + "¦", "notes.md", temporary=True) == head + "\n" + CELL


@pytest.mark.parametrize(
    ("source", "arguments", "reason"),
    [
        ("---\nagents: {guide: {}}\n---\n", {}, "an agent named `guide` already exists"),
        (CELL, {}, "an agent named `guide` already exists"),
        (CELL, {"temporary": True}, "an agent named `guide` already exists"),
        ("---\nagents: [\n---\n", {}, "the frontmatter cannot be read, so it cannot be changed"),
        ("", {"name": "tool"}, "`tool` is not a valid agent name"),
        ("", {"name": "a]b"}, "`a]b` is not a valid agent name"),
    ],
)
def test_what_is_refused(source: str, arguments: dict[str, Any], reason: str) -> None:
    document = Document.open("chat.msg.md", source)
    with pytest.raises(RefusedError) as refused:
        run(COMMAND, Call(snapshot_of(document), 0, {"name": "guide", **arguments}))
    assert str(refused.value) == reason


def test_a_name_must_be_given() -> None:
    with pytest.raises(InvalidArgument):
        run(COMMAND, Call(snapshot_of(Document.open("chat.msg.md", "")), 0, {}))


def test_severity_is_not_forgotten() -> None:
    """A temporary agent without a definition of its models answers without a warning."""
    document = Document.open("chat.msg.md", CELL + "\n" + ANSWER)
    problems = Checker(snapshot_of(document), list(rules_of("msgmd"))).problems()
    assert [p for p in problems if (p.severity or Severity.HINT) <= Severity.WARNING] == []
