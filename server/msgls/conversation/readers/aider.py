"""The history of aider, ``.aider.chat.history.md``: Markdown with every session in it.

Owns the attribution of lines: those of the person start with ``####``, those of aider itself
are quoted, and the rest is the model's. All lines in a fence that is closed are the model's.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from msgls.conversation.readers.transcripts import Draft, Transcript, texts_of

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
    """The sessions of a history; text before the first one is a session without a time."""
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
        for speaker, first, lines in _runs(session.lines):
            text = "\n".join(lines).strip("\n")
            base = Draft("assistant", texts_of(text), session.first_line + first)
            if not base.parts:
                continue
            base = base._replace(id=self.ids.next())
            if speaker == "user":
                self.about.asked("" if text.startswith("/") else text)
                yield base._replace(role="user")
                continue
            is_note = speaker == "note"
            if is_note:
                self._read_note(text)
            self.about.answered(self.agent, "" if is_note else self._model)
            model = "" if is_note else self._model
            yield base._replace(agent=self.agent, model=model, is_virtual=is_note)

    def _read_note(self, note: str) -> None:
        """Read the model and the token counts from a note of aider."""
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
    """Runs of lines by one speaker: the speaker, the number of the first line, and the lines."""
    speaker, start, run = "", 0, list[str]()
    closing = _closing_lines(lines)
    fenced_until = -1
    for number, line in enumerate(lines):
        now, text = "model", line
        if number > fenced_until:
            if line.startswith(_USER):
                now, text = "user", line.removeprefix(_USER).removeprefix(" ").rstrip(" ")
            elif line.startswith(">"):
                now, text = "note", line.removeprefix(">").removeprefix(" ").rstrip(" ")
            elif number in closing:
                fenced_until = closing[number]
            elif not line.strip() and speaker != "model":
                # A blank line after lines of the person or of aider belongs to them.
                now = speaker
        if now != speaker:
            if speaker:
                yield speaker, start, run
            speaker, start, run = now, number, []
        run.append(text)
    if speaker:
        yield speaker, start, run


def _closing_lines(lines: list[str]) -> dict[int, int]:
    """The closing line of each fence, by its opening line."""
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
