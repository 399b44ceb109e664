"""The commands: one row for each, with its id, titles, files, keys and menus.

The server registers these ids, and ``tools/vscode_manifest.py`` writes the commands, keys and menus
of the VS Code extension from here. What a command does in a format is in its ``commands.py``, and
where it is offered as a code action in its ``actions.py``; the questions that it asks first are in
``choices.py``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from msgls.text.phrases import Phrase

MSGMD, STF, CHATBUILDER, MSGJSON = ("msgmd",), ("stf",), ("chatbuilder",), ("msgjson",)
CELLS = (*MSGMD, *STF)
ALL = (*CELLS, *CHATBUILDER, *MSGJSON)
_NO_RANK = 100


class Key(NamedTuple):
    """A key binding of VS Code that runs a command."""

    key: str
    arguments: tuple[tuple[str, str], ...] = ()
    """The arguments of the command."""
    formats: tuple[str, ...] = ()
    """The languages in whose files it is bound, if not in all of the command's."""
    when: str = ""
    """A further condition."""


class Command(NamedTuple):
    """A command of the server."""

    id: str
    title: Phrase
    """Its title as a code action, and as the label of its edit."""
    formats: tuple[str, ...] = MSGMD
    """The languages in whose files it is in the palette and in menus."""
    palette: str = ""
    """Its title in the palette of VS Code, if that differs."""
    asks: bool = False
    """Whether its title in the palette ends in dots, because it asks a question."""
    keys: tuple[Key, ...] = ()
    menus: tuple[str, ...] = ()
    """Menus of VS Code, each with the group and the place in it."""
    icon: str = ""
    short: str = ""
    """Its title on a button."""
    lens: Phrase | None = None
    """Its title as a lens above the cell of the cursor, if it is shown there."""
    rank: int = _NO_RANK
    """Its rank among the actions of a cell: the lowest comes first."""
    is_about_file: bool = False
    """Whether it does the same wherever the cursor is."""
    is_going: bool = False
    """Whether it only moves the cursor."""


INSERT_MESSAGE = Command(
    "msgls.cell.insertMessage",
    Phrase("Insert message cell below"),
    CELLS,
    keys=(Key("ctrl+; b"),),
    menus=("editor/title navigation@1", "msgls.cell.insert 1_message@1"),
    icon="add",
    short="New Cell",
    lens=Phrase("Insert below"),
    rank=3,
)
INSERT_MESSAGE_ABOVE = Command(
    "msgls.cell.insertMessageAbove",
    Phrase("Insert message cell above"),
    CELLS,
    keys=(Key("ctrl+; a"),),
    menus=("msgls.cell.insert 1_message@2",),
)
INSERT_OUTPUT = Command(
    "msgls.cell.insertOutput",
    Phrase("Insert output cell below"),
    CELLS,
    keys=(Key("ctrl+; o"),),
    menus=("msgls.cell.insert 2_output@1",),
    rank=4,
)
INSERT_OUTPUT_ABOVE = Command(
    "msgls.cell.insertOutputAbove",
    Phrase("Insert output cell above"),
    CELLS,
    menus=("msgls.cell.insert 2_output@2",),
)
INSERT_TOOL_CALL = Command(
    "msgls.cell.insertToolCall",
    Phrase("Insert tool call cell"),
    CELLS,
    menus=("msgls.cell.insert 3_child@1",),
    lens=Phrase("Add call"),
    rank=2,
)
INSERT_TOOL_RESULT = Command(
    "msgls.cell.insertToolResult",
    Phrase("Insert tool result cell"),
    CELLS,
    menus=("msgls.cell.insert 3_child@2",),
    lens=Phrase("Add result"),
    rank=0,
)
INSERT_EXECUTION = Command(
    "msgls.cell.insertExecution",
    Phrase("Insert execution cell"),
    palette="Insert Execution Output Cell",
    menus=("msgls.cell.insert 3_child@3",),
    lens=Phrase("Add run"),
    rank=1,
)
SPLIT_CELL = Command(
    "msgls.cell.split",
    Phrase("Split cell"),
    CELLS,
    palette="Split Cell at This Line",
    keys=(Key("ctrl+; s"),),
    menus=("msgls.cell.arrange 1_cut@1",),
    rank=7,
)
MERGE_NEXT = Command(
    "msgls.cell.mergeNext",
    Phrase("Merge cell with next"),
    CELLS,
    palette="Merge Cell with the Next",
    keys=(Key("ctrl+; j"),),
    menus=("msgls.cell.arrange 1_cut@2",),
)
MOVE_UP = Command(
    "msgls.cell.moveUp",
    Phrase("Move cell up"),
    CELLS,
    keys=(Key("ctrl+; u"),),
    menus=("msgls.cell.arrange 2_move@1",),
    icon="arrow-up",
)
MOVE_DOWN = Command(
    "msgls.cell.moveDown",
    Phrase("Move cell down"),
    CELLS,
    keys=(Key("ctrl+; d"),),
    menus=("msgls.cell.arrange 2_move@2",),
    icon="arrow-down",
)
DUPLICATE_CELL = Command(
    "msgls.cell.duplicate",
    Phrase("Duplicate cell"),
    CELLS,
    keys=(Key("ctrl+; shift+d"),),
    menus=("msgls.cell.arrange 3_cell@1",),
)
DELETE_CELL = Command(
    "msgls.cell.delete",
    Phrase("Delete cell"),
    CELLS,
    keys=(Key("ctrl+; x"),),
    menus=("msgls.cell.arrange 3_cell@2",),
)
CHANGE_TYPE = Command(
    "msgls.cell.changeType",
    Phrase("Change cell type"),
    CELLS,
    asks=True,
    keys=(
        Key("ctrl+; m", (("type", "markdown"),), formats=MSGMD),
        Key("ctrl+; c", (("type", "code"),), formats=MSGMD),
        Key("ctrl+; t"),
    ),
    menus=("msgls.cell 1_insert@3",),
)
RENUMBER_CELLS = Command(
    "msgls.cell.renumber", Phrase("Renumber cells"), menus=("msgls.cell.arrange 4_number@1",)
)
ADVANCE = Command(
    "msgls.cell.advance",
    Phrase("Go to the next cell, or insert one at the end"),
    CELLS,
    palette="Go to Next Cell, or Insert One at the End",
    keys=(Key("shift+enter", when="!suggestWidgetVisible", formats=STF),),
    menus=("msgls.cell.go 1_beside@1",),
)
GO_TO_NEXT = Command(
    "msgls.cell.goToNext",
    Phrase("Go to the next cell"),
    ALL,
    palette="Go to Next Cell",
    keys=(Key("ctrl+alt+]", formats=("msgmd", "stf", "msgjson")),),
    menus=("msgls.cell.go 1_beside@2",),
    is_going=True,
)
GO_TO_PREVIOUS = Command(
    "msgls.cell.goToPrevious",
    Phrase("Go to the previous cell"),
    ALL,
    palette="Go to Previous Cell",
    keys=(Key("ctrl+alt+[", formats=("msgmd", "stf", "msgjson")),),
    menus=("msgls.cell.go 1_beside@3",),
    is_going=True,
)
GO_TO_PARENT = Command(
    "msgls.cell.goToParent",
    Phrase("Go to the cell that this one belongs to"),
    ALL,
    palette="Go to the Cell That This One Belongs To",
    menus=("msgls.cell.go 2_family@1",),
    is_going=True,
)
GO_TO_CHILD = Command(
    "msgls.cell.goToChild",
    Phrase("Go to the first cell that belongs to this one"),
    ALL,
    palette="Go to the First Cell That Belongs to This One",
    menus=("msgls.cell.go 2_family@2",),
    is_going=True,
)
EXCLUDE = Command(
    "msgls.history.exclude",
    Phrase("Exclude cell from history"),
    keys=(Key("ctrl+; h"),),
    menus=("msgls.cell.history 1_cell@1",),
    lens=Phrase("Exclude"),
    rank=6,
)
INCLUDE = Command(
    "msgls.history.include",
    Phrase("Include cell in history"),
    keys=(Key("ctrl+; shift+h"),),
    menus=("msgls.cell.history 1_cell@2",),
    lens=Phrase("Include"),
    rank=5,
)
SUMMARIZE = Command(
    "msgls.history.summarize",
    Phrase("Summarize cell in history"),
    menus=("msgls.cell.history 1_cell@3",),
)
EXCLUDE_FROM_HERE = Command(
    "msgls.history.excludeFromHere",
    Phrase("Exclude from here"),
    menus=("msgls.cell.history 2_all@1",),
)
INCLUDE_FROM_HERE = Command(
    "msgls.history.includeFromHere",
    Phrase("Include from here"),
    menus=("msgls.cell.history 2_all@2",),
)
SUMMARIZE_FROM_HERE = Command(
    "msgls.history.summarizeFromHere",
    Phrase("Summarize from here"),
    menus=("msgls.cell.history 2_all@3",),
)
RESET_CONTEXT = Command(
    "msgls.history.reset",
    Phrase("Reset context"),
    menus=("msgls.cell.history 3_file@1",),
    is_about_file=True,
)
SET_DEFAULT_AGENT = Command(
    "msgls.agent.setDefault",
    Phrase("Set default agent"),
    asks=True,
    menus=("msgls.cell.agents 1_agents@1",),
    is_about_file=True,
)
ADD_AGENT = Command(
    "msgls.agent.add",
    Phrase("Add agent"),
    asks=True,
    menus=("msgls.cell.agents 1_agents@2",),
    is_about_file=True,
)
LIST_AGENTS = Command(
    "msgls.agent.list",
    Phrase("List agents"),
    menus=("msgls.cell.agents 1_agents@3",),
    is_about_file=True,
)
INSERT_BOOT = Command(
    "msgls.agent.insertBoot",
    Phrase("Insert boot message"),
    menus=("msgls.cell.agents 2_boot@1",),
    is_about_file=True,
)
CONVERT_DIALECT = Command(
    "msgls.stf.convertDialect",
    Phrase("Convert to the other dialect"),
    STF,
    menus=("msgls.cell 4_file@1",),
)
BUMP_VERSION = Command(
    "msgls.message.bumpVersion",
    Phrase("Bump version of message"),
    CHATBUILDER,
    menus=("msgls.message 1_edit@2",),
    is_about_file=True,
)
INSERT_NEXT_MESSAGE = Command(
    "msgls.message.insertNext",
    Phrase("Create the next message in this folder"),
    CHATBUILDER,
    menus=("editor/title navigation@1", "msgls.message 1_edit@1"),
    icon="add",
    is_about_file=True,
)
GO_TO_NEXT_MESSAGE = Command(
    "msgls.message.goToNext",
    Phrase("Go to the next message"),
    CHATBUILDER,
    palette="Go to Next Message",
    keys=(Key("ctrl+alt+]"),),
    menus=("msgls.message 2_go@3",),
    is_about_file=True,
    is_going=True,
)
GO_TO_PREVIOUS_MESSAGE = Command(
    "msgls.message.goToPrevious",
    Phrase("Go to the previous message"),
    CHATBUILDER,
    palette="Go to Previous Message",
    keys=(Key("ctrl+alt+["),),
    menus=("msgls.message 2_go@4",),
    is_about_file=True,
    is_going=True,
)
OPEN_AS = Command(
    "msgls.message.openAs",
    Phrase("Open as message file"),
    MSGJSON,
    menus=("msgls.message 3_open@5",),
    is_about_file=True,
)
CONVERT_TO = Command(
    "msgls.convert.to",
    Phrase("Convert to …"),
    ALL,
    palette="Convert to",
    asks=True,
    menus=("msgls.message 3_open@6", "msgls.cell 4_file@2"),
    is_about_file=True,
)
FORK = Command("msgls.cell.fork", Phrase("Fork from here"), menus=("msgls.cell.arrange 5_fork@1",))
SHOW_VIEW = Command(
    "msgls.view.show",
    Phrase("What the model sees"),
    ALL,
    menus=("editor/title navigation@3", "editor/context 1_modification@10"),
    icon="eye",
    is_about_file=True,
)
ASK = Command(
    "msgls.ask.answer",
    Phrase("Ask"),
    # In a code cell, the key runs it.
    keys=(Key("ctrl+enter", (("code", "run"),), when="!suggestWidgetVisible"),),
    menus=("editor/title navigation@2", "msgls.cell.ask 1_ask@1"),
    icon="comment-discussion",
    rank=0,
)
ASK_AND_ADVANCE = Command(
    "msgls.ask.advance",
    Phrase("Ask, and go to the next cell"),
    palette="Ask, and Go to Next Cell",
    keys=(Key("shift+enter", when="!suggestWidgetVisible"),),
    menus=("msgls.cell.ask 1_ask@2",),
)
CONTINUE_ANSWER = Command(
    "msgls.ask.continue",
    Phrase("Continue answer"),
    menus=("msgls.cell.ask 1_ask@3",),
    lens=Phrase("Continue"),
    rank=0,
)
STOP_ASKING = Command(
    "msgls.ask.stop",
    Phrase("Stop asking"),
    menus=("msgls.cell.ask 2_stop@1",),
    is_about_file=True,
)
COMPARE_ANSWERS = Command(
    "msgls.ask.compare",
    Phrase("Compare answers"),
    menus=("msgls.cell.go 3_compare@1",),
)
RESTORE_UNSAVED = Command(
    "msgls.unsaved.restore",
    Phrase("Restore unsaved text"),
    menus=("msgls.cell.ask 3_unsaved@1",),
    is_about_file=True,
)
DISCARD_UNSAVED = Command(
    "msgls.unsaved.discard",
    Phrase("Discard unsaved text"),
    menus=("msgls.cell.ask 3_unsaved@2",),
    is_about_file=True,
)
RUN_CELL = Command(
    "msgls.run.cell",
    Phrase("Run cell"),
    menus=("msgls.cell.run 1_run@1",),
    icon="play",
    rank=0,
)
RUN_ALL = Command(
    "msgls.run.all",
    Phrase("Run all cells"),
    menus=("msgls.cell.run 1_run@2",),
    is_about_file=True,
)
RUN_FROM_HERE = Command(
    "msgls.run.fromHere",
    Phrase("Run from here"),
    menus=("msgls.cell.run 1_run@3",),
)
REPLACE_RUN = Command(
    "msgls.run.replace",
    Phrase("Run cell, and replace its last run"),
    menus=("msgls.cell.run 1_run@4",),
)
CLEAR_OUTPUTS = Command(
    "msgls.run.clear",
    Phrase("Clear outputs"),
    menus=("msgls.cell.run 2_kernel@1",),
    is_about_file=True,
)
INTERRUPT = Command(
    "msgls.run.interrupt",
    Phrase("Interrupt kernel"),
    menus=("msgls.cell.run 2_kernel@2",),
    is_about_file=True,
)
RESTART_KERNEL = Command(
    "msgls.run.restart",
    Phrase("Restart kernel"),
    menus=("msgls.cell.run 2_kernel@3",),
    is_about_file=True,
)

COMMANDS = tuple(row for row in [*vars().values()] if isinstance(row, Command))
"""Every command, in the order in which the server names them."""

BY_ID: Mapping[str, Command] = {command.id: command for command in COMMANDS}
