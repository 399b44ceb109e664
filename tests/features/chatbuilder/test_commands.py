"""Commands and code actions of a message."""

from typing import Any

import pytest

from msgls.document.document import Document
from msgls.document.snapshot import Surroundings
from msgls.features.actions import cell_actions, fix_actions, ignoring, problems_at
from msgls.features.chatbuilder.folder import PARTS, bumped
from msgls.features.commands import (
    Call,
    CellChange,
    InvalidArgument,
    NewFile,
    OtherFile,
    RefusedError,
    run,
)
from msgls.features.symbols import conversation
from msgls.formats.chatbuilder import CHATBUILDER, fields
from msgls.formats.chatbuilder.fields import is_version
from msgls.rules.checker import Checker
from msgls.rules.registry import RULES
from msgls.text.spans import apply_edits
from tests.features.chatbuilder.support import FOLDER, MESSAGE, OTHER_UUID, UUID, around, opened
from tests.notation import table, unmark
from tests.snapshots import snapshot_of

NOW = "2025-04-21T18:15:00.000Z"
USER = "; role: user\n\n\nHi\n"


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every new UUID and the time are known."""
    monkeypatch.setattr(fields, "new_uuid", lambda: OTHER_UUID)
    monkeypatch.setattr(fields, "now", lambda: NOW)


def done(
    document: Document, name: str, surroundings: Surroundings | None = None, **arguments: Any
) -> Any:
    return run(
        f"msgls.message.{name}", Call(snapshot_of(document, surroundings or around()), 0, arguments)
    )


# -- versions -----------------------------------------------------------------------------


@table(
    "version, expected",
    {
        "plain": ("1.2.3", ["1.2.4", "1.3.0", "2.0.0"]),
        "the first": ("0.0.0", ["0.0.1", "0.1.0", "1.0.0"]),
        "ten is one more than nine": ("9.9.9", ["9.9.10", "9.10.0", "10.0.0"]),
        "before a release": ("1.2.3-rc.1", ["1.2.3", "1.3.0", "2.0.0"]),
        "before a minor one": ("1.2.0-rc.1", ["1.2.0", "1.2.0", "2.0.0"]),
        "before a major one": ("2.0.0-rc.1", ["2.0.0", "2.0.0", "2.0.0"]),
        "a build": ("1.2.3+build-5", ["1.2.4", "1.3.0", "2.0.0"]),
        "both": ("1.2.3-a-b+c-d", ["1.2.3", "1.3.0", "2.0.0"]),
    },
)
def test_the_next_version(version: str, expected: list[str]) -> None:
    assert is_version(version)
    assert [bumped(version, part) for part in PARTS] == expected
    document = opened(f"; Version: {version}\n; role: user\n\n\nVersion: {version}\n")
    for part, new in zip(PARTS, expected, strict=True):
        change = done(document, "bumpVersion", part=part)
        assert isinstance(change, CellChange)
        after = apply_edits(document.text, change.edits)
        assert after == document.text.replace(version, new, 1)


def test_the_patch_is_bumped_where_nothing_is_said() -> None:
    (edit,) = done(opened(MESSAGE), "bumpVersion").edits
    assert edit.text == "1.0.1"


@table(
    "text, reason",
    {
        "no version": (USER, "this message has no version"),
        "no semantic version": (
            "; Version: 1.0\n; role: user\n",
            ("`1.0` is not a semantic version"),
        ),
        "an empty one": ("; Version:\n; role: user\n", "`` is not a semantic version"),
    },
)
def test_a_version_that_cannot_be_bumped(text: str, reason: str) -> None:
    with pytest.raises(RefusedError) as refusal:
        done(opened(text), "bumpVersion")
    assert str(refusal.value) == reason


@pytest.mark.parametrize("part", ["huge", 3, ""])
def test_an_unknown_part(part: Any) -> None:
    with pytest.raises(InvalidArgument, match="`part` must be"):
        done(opened(MESSAGE), "bumpVersion", part=part)


# -- the next message ---------------------------------------------------------------------


def test_a_new_message_has_the_fields_that_the_folder_is_used_to() -> None:
    found = done(opened(MESSAGE), "insertNext", around(["1.md"]))
    text = f"""\
; Block-UUID: {OTHER_UUID}
; Component: AssistantMessage
; Version: 1.0.0
; Description: A message from the assistant
; Language: markdown
; Created-at: {NOW}
; Authors: Unknown (v1.0.0)
; Parent-UUID: {UUID}
;
; role: assistant


"""
    assert found == NewFile("2.md", text, len(text))


ROLES = {
    ("role", "assistant"): (f"{FOLDER}/5.md", "/chats/messages/other/4.md"),
    ("role", "user"): (f"{FOLDER}/4.md",),
}


@table(
    "name, text, names, new, expected",
    {
        "the other one's turn": ("1.md", USER, ["1.md"], "2.md", "assistant"),
        "and back": ("2.md", USER.replace("user", "assistant"), ["2.md"], "3.md", "user"),
        "after the instructions": ("1.md", USER.replace("user", "system"), [], "2.md", "user"),
        "after all others": ("1.md", USER, ["1.md", "5.md", "4.md"], "6.md", "user"),
        "the last one decides": ("1.md", USER, ["1.md", "4.md"], "5.md", "assistant"),
        "of which nothing is known": ("1.md", USER, ["1.md", "8.md"], "9.md", "user"),
        "in a gap there is none": ("2.md", USER, ["1.md", "2.md", "4.md"], "5.md", "assistant"),
        "no role at all": ("1.md", "; a: b\n\n\nHi\n", ["1.md"], "2.md", "assistant"),
        "with as many digits": ("09.md", USER, ["08.md", "09.md"], "10.md", "assistant"),
        "and one more": ("099.md", USER, ["099.md"], "100.md", "assistant"),
        "outside of the workspace": ("3.md", USER, [], "4.md", "assistant"),
    },
)
def test_whose_turn_it_is(name: str, text: str, names: list[str], new: str, expected: str) -> None:
    found = done(opened(text, name), "insertNext", around(names, ROLES))
    assert (found.name, found.text) == (new, f"; role: {expected}\n\n\n")


def test_a_new_message_is_fine() -> None:
    found = done(opened(MESSAGE), "insertNext", around(["1.md"]))
    document = opened(found.text, found.name)
    checker = Checker(snapshot_of(document, around(["1.md", "2.md"])), RULES)
    assert [problem.code for problem in checker.problems()] == []


def test_line_ends_are_those_of_the_folder() -> None:
    found = done(opened(USER.replace("\n", "\r\n")), "insertNext")
    assert found.text == "; role: assistant\r\n\r\n\r\n"


# -- going --------------------------------------------------------------------------------


def test_going_to_the_messages_around() -> None:
    surroundings = around(["2.md", "10.md", "9.md", "notes.md"])
    document = opened(USER, "9.md")
    assert done(document, "goToNext", surroundings) == OtherFile("10.md")
    assert done(document, "goToPrevious", surroundings) == OtherFile("2.md")


@table(
    "source, command, expected",
    {
        "from the header": ("¦; role: user\n\n\nHi\n\n# A\n", "goToNext", "# A\n"),
        "to the next": ("; role: user\n\n\n# A¦\n\n## B\n\n# C\n", "goToNext", "## B\n\n# C\n"),
        "back": ("; role: user\n\n\nHi\n\n# A\n\n# B¦\n", "goToPrevious", "# A\n\n# B\n"),
        "to the top": ("; role: user\n\n\nHi\n\n# A¦\n", "goToPrevious", None),
    },
)
def test_going_through_the_sections(source: str, command: str, expected: str | None) -> None:
    marked = unmark(source)
    call = Call(snapshot_of(opened(marked.text)), marked.cursor, {})
    change = run(f"msgls.cell.{command}", call)
    assert change.edits == ()
    assert marked.text[change.cursor :] == (marked.text if expected is None else expected)


@pytest.mark.parametrize("command", ["goToNext", "goToPrevious"])
def test_there_is_no_other_section(command: str) -> None:
    with pytest.raises(RefusedError, match="there is no other section"):
        run(f"msgls.cell.{command}", Call(snapshot_of(opened(USER)), 0, {}))


@table(
    "name, command, reason",
    {
        "the last": ("2.md", "goToNext", "no message comes after this one in its folder"),
        "the first": ("1.md", "goToPrevious", "no message comes before this one in its folder"),
    },
)
def test_there_is_an_end(name: str, command: str, reason: str) -> None:
    with pytest.raises(RefusedError, match=reason):
        done(opened(USER, name), command, around(["1.md", "2.md"]))


@pytest.mark.parametrize("command", ["goToNext", "goToPrevious", "insertNext"])
def test_a_file_without_a_number_has_no_place(command: str) -> None:
    document = Document.open("untitled:Untitled-1", USER, CHATBUILDER)
    with pytest.raises(RefusedError, match="is not a number"):
        done(document, command, around(["1.md"]))


# -- actions ------------------------------------------------------------------------------


@table(
    "source, expected",
    {
        "in the header": (
            "; Version: 1.0.0¦\n; role: user\n\n\nHi\n",
            [
                "Bump version to 1.0.1 (patch)",
                "Bump version to 1.1.0 (minor)",
                "Bump version to 2.0.0 (major)",
                "Create the next message in this folder (`4.md`)",
                "Go to the previous message (`1.md`)",
                "Go to the next message (`3.md`)",
            ],
        ),
        "in the body": (
            "; Version: 1.0.0\n; role: user\n\n\nHi¦\n",
            [
                "Create the next message in this folder (`4.md`)",
                "Go to the previous message (`1.md`)",
                "Go to the next message (`3.md`)",
            ],
        ),
        "no version that can be bumped": (
            "; Version: 1¦\n; role: user\n",
            [
                "Create the next message in this folder (`4.md`)",
                "Go to the previous message (`1.md`)",
                "Go to the next message (`3.md`)",
            ],
        ),
    },
)
def test_actions(source: str, expected: list[str]) -> None:
    marked = unmark(source)
    document, surroundings = opened(marked.text, "2.md"), around(["1.md", "2.md", "3.md"])
    found = list(cell_actions(snapshot_of(document, surroundings), marked.cursor))
    assert [action.title for action in found] == expected
    for action in found:
        run(
            action.command,
            Call(snapshot_of(document, surroundings), marked.cursor, action.arguments),
        )


@table(
    "text, expected",
    {
        "below the fields": (
            "; a: b\n;\n; role: user\n\n\nHi\n",
            "; a: b\n; msgls: ignore CBM009\n;\n; role: user\n\n\nHi\n",
        ),
        "the role alone": (
            "; role: user\n\n\nHi\n",
            "; msgls: ignore CBM009\n;\n; role: user\n\n\nHi\n",
        ),
        "set apart already": (
            ";\n; role: user\n\n\nHi\n",
            "; msgls: ignore CBM009\n;\n; role: user\n\n\nHi\n",
        ),
        "others are silent": (
            "; msgls: ignore CBM005\n;\n; role: user\n\n\nHi\n",
            "; msgls: ignore CBM005, CBM009\n;\n; role: user\n\n\nHi\n",
        ),
        "CRLF": (
            "; a: b\r\n; role: user\r\n",
            "; a: b\r\n; msgls: ignore CBM009\r\n; role: user\r\n",
        ),
    },
)
def test_silencing_a_rule(text: str, expected: str) -> None:
    document = opened(text)
    edit = ignoring(snapshot_of(document), document.cell_number(0), "CBM009")
    assert edit is not None
    assert apply_edits(text, [edit]) == expected
    silent = opened(expected).cell_number(0).cell.suppressions
    assert "CBM009" in [code for suppression in silent for code in suppression.codes]


def test_a_rule_is_silenced_in_the_file_from_any_section() -> None:
    document = opened("; role: user\n\n\nHi\n\n# A\n\n```\n```\n")
    checker = Checker(snapshot_of(document, around()), RULES)
    (section,) = [placed for placed in document.cells() if placed.cell.unescaped]  # type: ignore[attr-defined]
    problems = problems_at(checker, section.span)
    titles = {action.title for action in fix_actions(snapshot_of(document, around()), problems)}
    assert "Ignore CBM009 in this file" in titles


# -- the folder ---------------------------------------------------------------------------


@table(
    "path, name",
    {
        "two folders": ("/chats/messages/user/3.md", "messages/user"),
        "one": ("user/3.md", "user"),
        "a drive": ("C:\\chats\\user\\3.md", "chats/user"),
        "none": ("3.md", None),
        "the root": ("/3.md", None),
        "no number": ("/chats/user/x.md", None),
    },
)
def test_the_conversation_of_a_folder(path: str, name: str | None) -> None:
    found = conversation(snapshot_of(Document.open(path, USER, CHATBUILDER)))
    assert (None if found is None else found.name) == name
    if found is not None:
        assert [found.number_of(n) for n in ("3.md", "12.md", "x.md")] == [3, 12, None]
