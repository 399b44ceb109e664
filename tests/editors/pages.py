"""What is typed into the editors, key by key: a page of each kind of file.

Owns which text goes into which file, at which speeds, and which pages are typed one after the
other; and nothing of how it is typed. The texts are in ``tests/data/typing``. The saved file has
to be what was typed.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import NamedTuple

TEXTS = Path(__file__).resolve().parent.parent / "data/typing"


class Page(NamedTuple):
    """A file, what is typed at its end, and what stands in it before."""

    file: str
    text: str
    start: str = ""

    @property
    def whole(self) -> str:
        """The file afterwards."""
        return self.start + self.text


def _text(name: str) -> str:
    return (TEXTS / f"{name}.txt").read_text("utf-8")


# Words of everyday prose and of programs, one a line: none may be taken for something else.
WORDS = "".join([f"{word}\n" for word in _text("words").split()])

PAGES = {
    "short": Page("short.msg.md", _text("short")),
    "talk": Page("talk.msg.md", _text("talk")),
    "code": Page("code.msg.md", _text("code")),
    "free": Page("free.msg.md", _text("free")),
    "head": Page("head.msg.md", _text("head")),
    "chinese": Page("chinese.msg.md", _text("chinese")),
    "words": Page("words.msg.md", WORDS, "# %% Words[^m1]\n\n[^m1]: [markdown]\n\n"),
    "windows": Page("windows.msg.md", _text("short"), "# %% Lines end in two\r\n\r\n"),
    "section": Page("section.md", _text("talk"), "---\nmessage_section: true\n---\n\n"),
    "stf": Page("talk.stf", _text("stf")),
    "stf words": Page("words.stf", WORDS, "@user\n"),
    "chatbuilder": Page("messages/trip/1.md", _text("chatbuilder"), "; "),
    "chatbuilder words": Page("messages/trip/2.md", WORDS, "; role: user\n\n\nHello\n"),
    "deltas": Page("run.deltas.jsonl", _text("deltas")),
    "messages": Page("talk.messages.json", _text("messages")),
    "agents": Page("agents.json", _text("agents")),
}

# Pages that one typist types one after the other, so that none has much more to do than another.
GROUPS = (
    ("words",),
    ("stf words",),
    ("chatbuilder words",),
    ("talk", "code"),
    ("section", "free", "head"),
    ("windows", "chinese", "stf", "chatbuilder", "deltas", "messages", "agents"),
)


class Typing(NamedTuple):
    """Pages that are typed one after the other, a key every so many milliseconds."""

    every_ms: int
    names: tuple[str, ...]
    circumstance: str = "running"
    """What the server does meanwhile, or who else writes."""

    @property
    def seconds(self) -> float:
        """How long that takes."""
        return sum([len(PAGES[name].text) for name in self.names]) * self.every_ms / 1000


def _typings() -> Iterator[Typing]:
    """Every page at every speed. Who types faster gets more of them: all are done together."""
    for every_ms, times in zip(SPEEDS_MS, (1, 3, 6), strict=True):
        for start in range(0, len(GROUPS), times):
            yield Typing(every_ms, tuple(chain.from_iterable(GROUPS[start : start + times])))


SPEEDS_MS = (300, 110, 40)
TYPINGS = tuple(_typings())
