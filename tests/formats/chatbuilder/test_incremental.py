"""Any sequence of edits gives what a fresh parse of the final text gives, rules included."""

from contextlib import ExitStack

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from msgls.document.document import Document
from msgls.formats.base import Placed
from msgls.formats.chatbuilder import CHATBUILDER
from msgls.formats.chatbuilder.cells import ChatBuilderCell
from msgls.rules.checker import Checker
from msgls.rules.registry import RULES
from tests.document.tracked import Tracked, fresh_document, limits
from tests.rules.support import shown
from tests.snapshots import snapshot_of

PATHS = ("messages/notes/1.md", "messages/notes/1.md", "2.md")
UUID = "32d9afc7-aeac-4a67-ba94-0c92678604a1"
CHECKED = [checked for checked in RULES if checked.is_for(CHATBUILDER)]

FRAGMENTS = (
    *("\n", "\n\n", "\n\n\n", "\r\n", "\r", " ", "\t", "x", "some words\n", ";", "; ", ";\n"),
    *("; role: user\n", "role: user\n", "; role: usr\n", "; Role: x\n", "; role:\n", "; x\n"),
    *("; Version: 1.0.0\n", "Version: 1\n", "; Verison: 1.0.0\n", f"{UUID}\n", "; A: b\n"),
    *(f"; Block-UUID: {UUID}\n", " ; role: user\n", "; msgls: ignore CBM005\n", "\ufeff", "😀"),
    *("# A\n", "\n## B\n", "#", "###### \n", " # C\n", "Title\n===\n", "# %% x\n"),
    *("```", "\n```\n", "\n\\```py\n", "\\", "````\n", "~~~\n", "- ```\n", "  ```\n", "`"),
    *("\u2028", "\u0085", "\f", "line\n" * 12),
)
STARTS = (
    "",
    "; role: user\n\n\nHello\n",
    f"; Block-UUID: {UUID}\n; Version: 1.0.0\n;\n; role: user\n\n\nHello\n# A\n```\n# no\n```\n",
    "\ufeff; role: user\r\n\r\n\r\n# A\r\nx\r\n# B\r\n",
)
_fragments = st.lists(st.sampled_from(FRAGMENTS), max_size=4).map("".join)
_texts = st.sampled_from(STARTS) | st.lists(st.sampled_from(FRAGMENTS), max_size=20).map("".join)
_places = st.integers(0, 1_000)


def parts_of(placed: Placed) -> object:
    cell = placed.cell
    return (cell.message_header, cell.unescaped) if isinstance(cell, ChatBuilderCell) else None


class Edits(RuleBasedStateMachine):
    """A message that is edited in every way there is, and checked all the while."""

    def __init__(self) -> None:
        super().__init__()
        self.stack = ExitStack()
        self.tracked = Tracked(PATHS[0], "")
        self.checker = Checker(snapshot_of(self.tracked.document), CHECKED)

    @initialize(path=st.sampled_from(PATHS), text=_texts, small=st.booleans())
    def open(self, path: str, text: str, small: bool) -> None:
        if small:
            self.stack.enter_context(limits(piece=32, crumb=8, gap=1 << 8, recent=3))
        self.tracked = Tracked(path, text)
        self.checker = Checker(snapshot_of(self.tracked.document), CHECKED)

    def _offset(self, place: int) -> int:
        return place * len(self.tracked.text) // 1_000

    def _edit(self, start: int, end: int, text: str) -> None:
        self.tracked.edit(start, end, text)
        self.checker.update(self.tracked.document)

    @rule(place=_places, text=_fragments)
    def insert(self, place: int, text: str) -> None:
        self._edit(self._offset(place), self._offset(place), text)

    @rule(place=_places, length=st.integers(0, 30))
    def delete(self, place: int, length: int) -> None:
        self._edit(self._offset(place), self._offset(place) + length, "")

    @rule(place=_places, other=_places, text=_fragments)
    def replace(self, place: int, other: int, text: str) -> None:
        self._edit(self._offset(place), self._offset(other), text)

    @invariant()
    def equals_a_fresh_parse(self) -> None:
        self.tracked.check()
        document = self.tracked.document
        fresh = fresh_document(document.path, self.tracked.text)
        assert [parts_of(placed) for placed in document.cells()] == [
            parts_of(placed) for placed in fresh.cells()
        ]

    @invariant()
    def has_the_same_problems(self) -> None:
        document = self.tracked.document
        fresh = Document.open(document.path, self.tracked.text)
        expected = Checker(snapshot_of(fresh), CHECKED).problems()
        assert shown(document, self.checker.problems()) == shown(fresh, expected)

    def teardown(self) -> None:
        self.stack.close()


TestEdits = Edits.TestCase
TestEdits.settings = settings(stateful_step_count=12)
