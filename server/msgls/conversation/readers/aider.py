"""The history of aider, ``.aider.chat.history.md``: Markdown with every session in it.

Owns which lines are whose: the person's start with ``####``, what aider itself says is
quoted, and the rest is the model's. Lines in a fence are the model's, whatever they look
like, as long as something closes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from msgls.conversation.readers.transcripts import Draft, Transcript, texts_of, title_of

STARTED = re.compile(r"# aider chat started at (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)")
_USER = "####"
_MODEL = re.compile(r"(?:Main model|Models?): (\S+)")
_TOKENS = re.compile(r"Tokens: ([\d.,]+k?) sent,(?: [\d.,]+k? cache \w+,)* ([\d.,]+k?) received")
_FENCE = re.compile(r"(`{3,}|~{3,})(.*)")


def is_history(text: str) -> bool:
    """Whether a text looks like the history of aider."""
    return STARTED.match(text.removeprefix("\ufeff").lstrip("\r\n")) is not None


class Session(NamedTuple):
    """The lines of one session."""

    started: str
    first_line: int
    lines: list[str]


def sessions_of(text: str) -> list[Session]:
    """The sessions of a history; what stands before the first belongs to one without a time."""
    found: list[Session] = []
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n")):
        started = STARTED.match(line)
        if started is not None:
            found.append(Session(" ".join(started.groups()), number + 1, []))
        elif found:
            found[-1].lines.append(line.removesuffix("\r"))
        elif line.strip():
            found.append(Session("", number, [line.removesuffix("\r")]))
    return found


class Aider(Transcript):
    """A session of a history."""

    agent = "aider"

    def __init__(self) -> None:
        super().__init__()
        self._model = ""

    def read(self, session: Session) -> list[Draft]:
        """The drafts of a session."""
        about = self.about
        about.session = session.started.replace("-", "").replace(":", "").replace(" ", "T")
        return list(self._drafts(session))

    def _drafts(self, session: Session) -> Iterator[Draft]:
        for whose, first, lines in _runs(session.lines):
            text = "\n".join(lines).strip("\n")
            base = Draft("assistant", texts_of(text), session.first_line + first)
            if not base.parts:
                continue
            base = base._replace(id=self.ids.next())
            if whose == "user":
                self.about.turns += 1
                if not text.startswith("/"):
                    self.about.title = self.about.title or title_of(text)
                yield base._replace(role="user")
                continue
            is_note = whose == "note"
            if is_note:
                self._tell(text)
            self.about.answered(self.agent, "" if is_note else self._model)
            model = "" if is_note else self._model
            yield base._replace(agent=self.agent, model=model, is_virtual=is_note)

    def _tell(self, note: str) -> None:
        model = _MODEL.search(note)
        self._model = model.group(1) if model else self._model
        for sent, received in _TOKENS.findall(note):
            self.about.tokens += _count(sent) + _count(received)


def _count(text: str) -> int:
    digits = text.replace(",", "").rstrip("k")
    try:
        return round(float(digits) * (1000 if text.endswith("k") else 1))
    except ValueError:
        return 0


def _runs(lines: list[str]) -> Iterator[tuple[str, int, list[str]]]:
    """Lines in a row that are of one, with whose they are and the number of the first."""
    whose, start, run = "", 0, list[str]()
    closing = _closing_lines(lines)
    fenced_until = -1
    for number, line in enumerate(lines):
        who, said = "model", line
        if number > fenced_until:
            if line.startswith(_USER):
                who, said = "user", line.removeprefix(_USER).removeprefix(" ").rstrip(" ")
            elif line.startswith(">"):
                who, said = "note", line.removeprefix(">").removeprefix(" ").rstrip(" ")
            elif number in closing:
                fenced_until = closing[number]
            elif not line.strip() and whose != "model":
                # A blank line ends what the person or a tool says.
                who = whose
        if who != whose:
            if whose:
                yield whose, start, run
            whose, start, run = who, number, []
        run.append(said)
    if whose:
        yield whose, start, run


def _closing_lines(lines: list[str]) -> dict[int, int]:
    """By the line that opens a fence, the line that closes it."""
    found: dict[int, int] = {}
    opened: tuple[int, str] | None = None
    for number, line in enumerate(lines):
        fence = _FENCE.match(line)
        if fence is None:
            continue
        if opened is None:
            opened = number, fence.group(1)
        elif fence.group(1).startswith(opened[1]) and not fence.group(2).strip():
            found[opened[0]] = number
            opened = None
    return found
