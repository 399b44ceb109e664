"""What is sound at a glance: the cells and families that no rule has anything to say of.

Owns one pass over a message file from top to bottom that knows just enough to tell, for
nearly every cell of an ordinary file, that all rules in ``COVERED`` would be silent. Whatever
is not of the plainest shape is not judged here: it gets every rule, as always. So this can
save work and nothing else; a property test holds that the problems are the same without it.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

from msgls.document.document import Document
from msgls.formats.base import Placed
from msgls.formats.msgmd.meaning import TOOL, is_language, is_registered
from msgls.model.cells import CellKind, PlainShape
from msgls.rules.msgmd.stale import ID_RELATIONS
from msgls.text.patterns import lazy_pattern
from msgls.text.secrets import find_secrets

COVERED = frozenset(
    f"MSG{number}"
    for number in (
        *("001", "002", "010", "011", "012", "013", "014"),
        *range(101, 112),
        *range(201, 209),
        *range(301, 308),
        *range(401, 408),
        *(602, 603, 701),
    )
)
"""The rules that have nothing to say of what is sound."""

_TIME = (
    r'time="(?P<time>\d{4}-(?:(?:0[13-9]|1[0-2])-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))'
    r'T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?P<zone>Z|[+-](?:0\d|1[0-3]):[0-5]\d))"'
)
_RESULT = r'status="(?:success|failure)"(?:[ ]duration=\d{1,6}(?:\.\d{1,6})?(?:ms|s|m|h)?)?'
_NO_ATTRIBUTES = lazy_pattern(r"[ \t]*")
_ANSWER = lazy_pattern(rf"(?:[ ]{_TIME})?[ \t]*", re.ASCII)
_CALL = lazy_pattern(rf'[ ]name="[A-Za-z_][A-Za-z0-9_.-]*"(?:[ ]{_TIME})?[ \t]*', re.ASCII)
_OUTCOME = lazy_pattern(rf"[ ]{_RESULT}(?:[ ]{_TIME})?[ \t]*", re.ASCII)
_MARKED_LINES = lazy_pattern(r"(?:\r?\n(?:[ \t]*(?=\r?\n|\Z)|std(?:out|err)>[^\r\n]*))*")


# By name: a member of an enumeration is looked up ten times as slowly.
_MESSAGE = CellKind.MESSAGE
_new_tuple = tuple.__new__


class Sound(NamedTuple):
    """A cell that no rule in ``COVERED`` has anything to say of."""

    type: str
    content_start: int


class Glance:
    """Looks at the cells of a message file, one after the other, each once."""

    def __init__(self, document: Document, other_agents: Collection[str], horizon: int) -> None:
        self._document = document
        self._others = other_agents
        self._horizon = horizon
        """The label of the last cell that the model does not see."""
        self._agents: dict[str, bool] = {}
        self._languages: dict[str, bool] = {}
        self._kinds: dict[str, str] = {}
        """What each id seen so far is."""
        self._counts: dict[str, int] = {}
        """How many results or runs a call or a code cell has."""
        self._nonces: dict[str, str] = {}
        """Who used a nonce: the root of the call."""
        self._time: tuple[str, str] | None = ("", "")
        """The last time and its zone; nothing where it is not known."""
        self._timed = -1
        """The label of the cell that it is from."""
        self._doubtful: set[str] = set()

    def look(self, placed: Placed) -> Sound | None:
        """The next cell, if it is sound."""
        sound = self._judge(placed)
        if sound is None:
            facts = placed.cell.facts
            self._doubtful.update(
                [_root(name) for relation, name in facts if relation in ID_RELATIONS]
            )
            if ("time", "") in facts and self._timed != placed.order:
                self._time = None
        return sound

    def doubtful_roots(self) -> set[str]:
        """The families that want a closer look, once all cells were seen."""
        unanswered = [
            _root(cell_id)
            for cell_id, kind in self._kinds.items()
            if kind == "call" and cell_id not in self._counts
        ]
        return self._doubtful.union(unanswered)

    def _judge(self, placed: Placed) -> Sound | None:
        cell = placed.cell
        shape = cell.plain_shape()
        if shape is None or cell.id is None or placed.order <= self._horizon:
            return None
        kind, _, _, fence, fence_count = shape
        text = cell.text
        root, _, rest = cell.id.partition(".")
        if cell.kind is _MESSAGE:
            if rest:
                return None
            if kind == "code":
                if fence_count != 1 or fence is None or not fence.strip(" \t"):
                    return None
            elif kind not in ("markdown", "raw"):
                return None
            role, pattern = kind, _NO_ATTRIBUTES
        elif kind == TOOL and rest:
            role, pattern = ("result", _OUTCOME) if "." in rest else ("call", _CALL)
            if role == "call" and (fence_count or not self._is_plain_xml(text, shape)):
                return None
        elif not rest:
            role, pattern = "answer", _ANSWER
            if not self._is_agent(kind):
                return None
        else:
            role, pattern = "run", _OUTCOME
            if self._is_agent(kind) or not self._is_language(kind):
                return None
            if not _MARKED_LINES.fullmatch(text, shape.content_start):
                return None
        match = pattern.fullmatch(shape.attributes)
        if match is None or find_secrets(text):
            return None
        if match.lastgroup is not None:
            before, self._time = self._time, (match["time"], match["zone"])
            self._timed = placed.order
            if before is None or not _follows(self._time, before):
                return None
        if not self._belongs(cell.id, root, rest, role):
            self._doubtful.add(root)
        return _new_tuple(Sound, (kind, shape.content_start))

    def _is_plain_xml(self, text: str, shape: PlainShape) -> bool:
        # Late: it brings an XML parser along, and few files hold a call.
        from msgls.formats.msgmd.toolcalls import is_plain_xml

        return is_plain_xml(text[shape.content_start :].strip(" \t\r\n"))

    def _is_agent(self, name: str) -> bool:
        """Whether it is one from the first cell on: a temporary one begins further down."""
        known = self._agents.get(name)
        if known is None:
            first = self._document.first_cell()
            head = first.order if first and first.cell.kind is CellKind.PREAMBLE else -1
            at_start = any(
                entry.order == head
                for relation in ("agent", "model")
                for entry in self._document.entries(relation, name)
            )
            known = self._agents[name] = (name in self._others or at_start) and name != TOOL
        return known

    def _is_language(self, name: str) -> bool:
        """Whether it is one, and no agent anywhere."""
        known = self._languages.get(name)
        if known is None:
            known = not is_registered(self._document, name) and is_language(name)
            self._languages[name] = known
        return known

    def _belongs(self, cell_id: str, root: str, rest: str, role: str) -> bool:
        """Whether a cell stands where its id says, counted on without a gap."""
        if cell_id in self._kinds:
            return False
        self._kinds[cell_id] = role
        if not rest:
            return True
        parent, _, last = cell_id.rpartition(".")
        if role == "call":
            other = self._nonces.setdefault(last, root)
            if other != root:
                self._doubtful.add(other)
                return False
            return self._kinds.get(parent) == "answer"
        number = self._counts[parent] = self._counts.get(parent, 0) + 1
        wanted = "call" if role == "result" else "code"
        return last == str(number) and self._kinds.get(parent) == wanted


def _follows(time: tuple[str, str], before: tuple[str, str]) -> bool:
    """Whether a time is surely none before another: of one zone, they sort as text."""
    return before[0] <= time[0] and before[1] in ("", time[1])


def _root(cell_id: str) -> str:
    return cell_id.partition(".")[0]
