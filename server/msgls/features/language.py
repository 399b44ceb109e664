"""The features of a format: one ``Language`` object for each, with empty results by default.

``language_of`` is the one place that chooses by format; it imports the features of a format when
they are first needed for a document.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Concatenate, ParamSpec, TypeVar

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.syntax.names import Name, NameKind, Use
from msgls.text.patterns import lazy_pattern
from msgls.text.phrases import EMPTY, Phrase
from msgls.text.work import Work, at_once

if TYPE_CHECKING:
    from msgls.features.actions import CommandAction
    from msgls.features.agents import Agent
    from msgls.features.command_table import Command
    from msgls.features.commands import Run
    from msgls.features.completion import Completions
    from msgls.features.definition import Target
    from msgls.features.folding import Fold
    from msgls.features.hints import Hint
    from msgls.features.hover import Hover
    from msgls.features.lenses import Lens, LensText
    from msgls.features.linked import Linked
    from msgls.features.markup import Part
    from msgls.features.names import Elsewhere, PlacedName
    from msgls.features.outline import OutlineNode, Symbol
    from msgls.features.symbols import Conversation
    from msgls.formats.base import Placed
    from msgls.syntax.nodes import NodeKind
    from msgls.text.spans import Edit, Span

P = ParamSpec("P")
T = TypeVar("T")

_LINE_BREAK = lazy_pattern(r"\r\n|\n|\r")


def delegate(load: Callable[[], Callable[P, T]]) -> Callable[Concatenate[Any, P], T]:
    """The method of a ``Language`` that calls the function which ``load`` returns.

    Where ``load`` names a module that is not imported yet, the first call imports it.
    """

    def method(_: Any, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return load()(*args, **kwargs)

    return method


class Language:
    """The language of a format without features; the base class of all others."""

    # -- names ------------------------------------------------------------------------------

    shared_kind: ClassVar[NameKind | None] = None
    """The kind of names that are shared with other files."""

    def counts(self, document: Document, found: PlacedName) -> bool:
        """Whether this is really a name in the document: that may depend on other cells."""
        return True

    def unindexed_name(self, document: Document, placed: Placed, at: int) -> PlacedName | None:
        """A name at an offset in a cell that is not among the names of the cell."""
        return None

    def longer_names(self, document: Document, name: Name) -> Iterable[str]:
        """The names that contain ``name``."""
        return ()

    def elsewhere(
        self, snapshot: Snapshot, found: PlacedName, uses: Collection[Use]
    ) -> Iterable[Elsewhere]:
        """The other files that may use a name in one of these ways, found while iterating."""
        return ()

    def counterparts(self, document: Document, found: PlacedName) -> list[Span] | None:
        """Where a name leads; ``None`` to use its declarations and definitions."""
        return None

    def jump(self, document: Document, offset: int) -> tuple[Span, list[Target]] | None:
        """Where a place that is not a name leads: the span of the place, and the targets."""
        return None

    def linked(self, document: Document, found: PlacedName) -> Linked | None:
        """The places that change together with a name while it is typed."""
        return None

    # -- nodes --------------------------------------------------------------------------------

    def groups(self, document: Document, number: int, offset: int) -> Iterable[Span]:
        """The spans around an offset that are larger than a cell and smaller than the document."""
        return ()

    def folds(self, document: Document) -> Work[list[Fold]]:
        """The folds that come neither from nodes nor from sections."""
        return at_once([])

    def uncoloured(self, document: Document, placed: Placed) -> Collection[NodeKind]:
        """The kinds of nodes that get no semantic token in that cell."""
        return ()

    def symbols(self, snapshot: Snapshot, placed: Placed) -> Iterable[Symbol]:
        """The symbols of a cell, in order."""
        return ()

    def cell_symbols(self, snapshot: Snapshot, placed: Placed) -> Iterable[Symbol]:
        """Those of them that are messages, calls and results, in order."""
        from msgls.features.outline import CELLS

        return [one for one in self.symbols(snapshot, placed) if one.kind in CELLS]

    def outline(self, snapshot: Snapshot) -> Work[list[OutlineNode]]:
        """The outermost nodes of the outline, in order; by default, symbols nest by depth."""
        from msgls.features.outline import by_depth

        return by_depth(snapshot, self.symbols)

    # -- rename -----------------------------------------------------------------------------

    nothing_to_rename: ClassVar[Phrase | None] = None
    """The message where nothing can be renamed; ``None`` if the format has no rename at all."""

    def renamable(self, document: Document, found: PlacedName) -> tuple[Span, str]:
        """The part of a name that would be renamed. Raises ``RenameRefused``."""
        return found.span, found.name.text

    def rename(self, document: Document, found: PlacedName, new: str) -> list[Edit]:
        """The edits that rename a name in this document. Raises ``RenameRefused``."""
        from msgls.features.rename import rename_everywhere

        return rename_everywhere(document, found, new)

    def rename_shared(self, document: Document, name: str, new: str) -> list[Edit]:
        """The edits that rename a name here which other files share. Raises ``RenameRefused``."""
        return []

    # -- types ---------------------------------------------------------------------------------

    other_types: ClassVar[Phrase | None] = None
    """What other types there are, if the user may type one."""

    def cell_types(self) -> Mapping[str, str]:
        """The types or roles that a cell can have, each with its description."""
        return {}

    # -- actions, agents, commands, completion and texts ----------------------------------------

    def ignoring(self, snapshot: Snapshot, placed: Placed, code: str) -> Edit | None:
        """The comment that suppresses a rule in a cell, if the format has such comments."""
        return None

    def cell_actions(self, snapshot: Snapshot, offset: int) -> Iterable[CommandAction]:
        """The actions for the cell at ``offset``, the most useful first."""
        return ()

    def range_actions(self, snapshot: Snapshot, span: Span) -> Work[list[CommandAction]]:
        """The actions for all selected cells, if there are several."""
        return at_once([])

    def involved_agents(self, snapshot: Snapshot) -> list[Agent]:
        """Every agent, each once: those of the file first."""
        return []

    def add_agent(
        self,
        snapshot: Snapshot,
        name: str,
        models: Sequence[str],
        temporary: bool,
        offset: int | None = None,
    ) -> list[Edit]:
        """The edits that add an agent. Raises ``RefusedError``."""
        from msgls.features.commands import RefusedError

        raise RefusedError("agents cannot be added to a file of this format")

    def set_default(self, snapshot: Snapshot, name: str) -> list[Edit] | None:
        """The edits that make ``name`` the default; ``None`` if the file cannot be edited."""
        return None

    def check_agent(self, snapshot: Snapshot, name: str) -> None:
        """Raise ``CannotAppend`` if that is not a valid name for an agent."""
        from msgls.features.appending import NO_APPENDING, CannotAppend

        raise CannotAppend(NO_APPENDING)

    def append_cell(self, snapshot: Snapshot, content: str, agent: str | None = None) -> Edit:
        """The edit that appends a message, or an answer of ``agent``. Raises ``CannotAppend``."""
        from msgls.features.appending import NO_APPENDING, CannotAppend

        raise CannotAppend(NO_APPENDING)

    def commands(self) -> Mapping[Command, Run]:
        """The commands that this format supports."""
        return {}

    def complete(self, snapshot: Snapshot, offset: int) -> Completions:
        """The suggestions at ``offset``."""
        from msgls.features.completion import Completions

        return Completions()

    def opens(self, snapshot: Snapshot, offset: int, character: str) -> bool:
        """Whether a list may open by itself after ``character`` was typed before ``offset``."""
        return False

    def documentation(self, snapshot: Snapshot, topic: tuple[str, str]) -> tuple[Part, ...]:
        """The documentation of an item, requested when it is selected in the list."""
        return ()

    def missing_definition(self, snapshot: Snapshot, offset: int) -> str | None:
        """The definition to insert at ``offset``, on the empty line below a header."""
        return None

    def format_document(self, snapshot: Snapshot) -> Work[list[Edit]]:
        """The edits that format a document."""
        return at_once([])

    def format_range(self, snapshot: Snapshot, span: Span) -> list[Edit]:
        """The edits that format the cells that a span touches."""
        return []

    def hints(self, snapshot: Snapshot, span: Span) -> Work[list[Hint]]:
        """The hints inside of a span, in order."""
        return at_once([])

    def hover(self, snapshot: Snapshot, offset: int) -> Hover | None:
        """The hover at ``offset``."""
        return None

    def lenses(self, snapshot: Snapshot) -> Work[list[Lens]]:
        """Where lenses are, in order."""
        return at_once([])

    def lens_text(self, snapshot: Snapshot, placed: Placed, what: str) -> LensText:
        """The text of a lens above a cell."""
        from msgls.features.lenses import LensText

        return LensText(EMPTY)

    def as_content(self, snapshot: Snapshot, offset: int, text: str) -> str:
        """``text``, escaped so that it is read as content at ``offset``.

        In the middle of a line, the first line of it is not escaped: nothing can begin there.
        """
        line, column = snapshot.document.position_of(offset)
        before = snapshot.document.store.line_text(line)[:column]
        start = 0
        if before.removeprefix("\ufeff"):
            line_break = _LINE_BREAK.search(text)
            start = len(text) if line_break is None else line_break.end()
        return text[:start] + self.escaped(snapshot, offset, text[start:])

    def escaped(self, snapshot: Snapshot, offset: int, text: str) -> str:
        """Lines, escaped so that they are read as content at ``offset``."""
        return text

    def conversation(self, snapshot: Snapshot) -> Conversation | None:
        """The conversation that a document is a part of, if that has other files too."""
        return None

    def answers(
        self, snapshot: Snapshot, placed: Placed, span: Span
    ) -> Iterable[tuple[Placed, int]]:
        """What answers a part of a cell: cells, and offsets in them. By default, by names."""
        from msgls.features.hierarchy import counterparts

        return counterparts(snapshot, placed, span, Use.ANSWERS)

    def askers(
        self, snapshot: Snapshot, placed: Placed, span: Span
    ) -> Iterable[tuple[Placed, int]]:
        """What a part of a cell answers: cells, and offsets in them. By default, by names."""
        from msgls.features.hierarchy import counterparts

        return counterparts(snapshot, placed, span, Use.DECLARES)


def language_of(document: Document) -> Language:
    """The language of a document."""
    return _language(document.format.name)


@cache
def _language(format_name: str) -> Language:
    load = LANGUAGES.get(format_name)
    return Language() if load is None else load()


def _msgmd() -> Language:
    from msgls.features.msgmd.language import MessageFile

    return MessageFile()


def _stf() -> Language:
    from msgls.features.stf.language import SimpleText

    return SimpleText()


def _msgjson() -> Language:
    from msgls.features.msgjson.language import MessagesJson

    return MessagesJson()


def _chatbuilder() -> Language:
    from msgls.features.chatbuilder.language import ChatBuilder

    return ChatBuilder()


def _agentsjson() -> Language:
    from msgls.features.agentsjson.language import AgentsJson

    return AgentsJson()


LANGUAGES: dict[str, Callable[[], Language]] = {
    "msgmd": _msgmd,
    "stf": _stf,
    "msgjson": _msgjson,
    "chatbuilder": _chatbuilder,
    "agentsjson": _agentsjson,
}
"""By the name of a format, the function that makes its language."""
