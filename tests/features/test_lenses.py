"""Code lenses: where they stand, what they say, and their twins."""

from __future__ import annotations

from hypothesis import given

from msgls.document.document import Document
from msgls.features.actions import cell_actions
from msgls.features.command_ids import COMMAND_IDS
from msgls.features.lenses import lenses, say
from msgls.features.msgmd.lenses import CHILDREN, HISTORY
from tests.features.sample import CONVERSATION
from tests.formats.msgmd.made_up import message_files
from tests.notation import table


def said(document: Document) -> list[tuple[int, str, str]]:
    found: list[tuple[int, str, str]] = []
    for lens in lenses(document):
        title, command, _ = say(document, document.cell(lens.order), lens.what)
        found.append((lens.line, title, command))
    return found


def test_what_they_say_of_a_conversation() -> None:
    document = Document.open("chat.msg.md", CONVERSATION)
    lines = CONVERSATION.split("\n")
    assert [(lines[line], title) for line, title, _ in said(document)] == [
        ("# %% Question 🦊[^m1]", "Include in history · about 19 tokens"),
        ("# %%% Answer[^a1]", "1 tool call, 1 result"),
        ("# %%% Answer[^a1]", "Exclude from history · about 3 tokens"),
        ("# %%% Look[^a1.9f3d]", "1 result"),
        ("# %%% Look[^a1.9f3d]", "Exclude from history · about 9 tokens"),
        ("# %%% Looked[^a1.9f3d.1]", "Exclude from history · about 1 token"),
        ("# %% Code[^c1]", "1 run"),
        ("# %% Code[^c1]", "Exclude from history · about 11 tokens"),
        ("# %%% Run[^c1.1]", "Exclude from history · about 12 tokens"),
        ("# %% Critic[^t1]", "Exclude from history · about 10 tokens"),
        ("# %%% Verdict[^a2]", "Exclude from history · about 1 token"),
    ]


@table(
    "attributes, title, command",
    {
        "seen": ("", "Exclude from history · about 4 tokens", "msgls.history.exclude"),
        "excluded": (" history=0", "Include in history · about 4 tokens", "msgls.history.include"),
        "summary": (
            " history=summary",
            "Include in full · 2 of about 4 tokens",
            "msgls.history.include",
        ),
        "virtual": (" virtual=1", "Not sent, for people only · about 4 tokens", ""),
        "reset": (" reset=1", "Not sent, before a reset · about 4 tokens", ""),
    },
)
def test_what_a_cell_costs(attributes: str, title: str, command: str) -> None:
    text = f"# %%% [^1]\n\n[^1]: [bot]{attributes}\n\nwords,\n\nwords..\n"
    assert said(Document.open("chat.msg.md", text)) == [(0, title, command)]


def test_outside_of_the_section() -> None:
    text = "---\nmessage_section: Talk\n---\n\n# %% A\n\nHi\n\n# Talk\n\n# %% B\n\nHo\n"
    titles = [title for _, title, _ in said(Document.open("notes.md", text))]
    assert titles[0].startswith("Not sent, outside of the section · ")
    assert titles[1].startswith("Exclude from history")


def test_cells_that_cannot_have_children_may_have_some() -> None:
    text = "# %% [^1]\n\n# %%% [^1.2]\n\n# %%% [^1.3]\n"
    assert said(Document.open("chat.msg.md", text))[0][1] == "2 cells below"


def test_other_files_have_none() -> None:
    assert not list(lenses(Document.open("notes.md", "# %% A\n")))


@given(message_files())
def test_every_lens_has_a_twin(text: str) -> None:
    document = Document.open("chat.msg.md", text)
    for lens in lenses(document):
        placed = document.cell(lens.order)
        command = say(document, placed, lens.what).command
        assert lens.what in (CHILDREN, HISTORY)
        assert placed.start_line == lens.line
        twins = {action.command for action in cell_actions(document, placed.start_offset + 1)}
        assert not command or (command in twins and command in COMMAND_IDS)
