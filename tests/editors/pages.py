"""What is typed into the editors, key by key: a page of each kind of file.

Owns which text goes into which file, and nothing of how it is typed. The texts are in
``tests/data/typing``. The saved file has to be what was typed.
"""

from __future__ import annotations

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


# Words of everyday prose and of programs: none of them may be taken for something else.
WORDS = _text("words").split()
SO_WORDS = "".join([f"so {word}\n" for word in WORDS])

PAGES = {
    "short": Page("short.msg.md", _text("short")),
    "talk": Page("talk.msg.md", _text("talk")),
    "code": Page("code.msg.md", _text("code")),
    "free": Page("free.msg.md", _text("free")),
    "head": Page("head.msg.md", _text("head")),
    "chinese": Page("chinese.msg.md", _text("chinese")),
    "words": Page("words.msg.md", SO_WORDS, "# %% Words[^m1]\n\n[^m1]: [markdown]\n\n"),
    "windows": Page("windows.msg.md", _text("talk"), "# %% Lines end in two\r\n\r\n"),
    "section": Page("section.md", _text("talk"), "---\nmessage_section: true\n---\n\n"),
    "stf": Page("talk.stf", _text("stf")),
    "stf words": Page("words.stf", SO_WORDS, "@user\n"),
    "chatbuilder": Page("messages/trip/1.md", _text("chatbuilder"), "; "),
    "chatbuilder words": Page("messages/trip/2.md", SO_WORDS, "; role: user\n\n\nHello\n"),
    "deltas": Page("run.deltas.jsonl", _text("deltas")),
    "messages": Page("talk.messages.json", _text("messages")),
    "agents": Page("agents.json", _text("agents")),
}
