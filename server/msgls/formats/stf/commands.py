"""The commands of the Simple Text Format: which there are in which dialect, and what they take.

Owns the tables and nothing else. A dialect is known by its prefix.
"""

from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple

from msgls.text.patterns import lazy_pattern

AT = "@"
SEMICOLON = ";"
DIALECTS = (AT, SEMICOLON)
"""The prefixes; the first one is that of a file which does not say."""

END = "end"
ROLES = ("user", "assistant", "system", "developer", "tool")


class Mode(Enum):
    """How a command uses the lines that follow it."""

    MESSAGE = "message"
    """Starts a message; data lines are its content."""
    RAW = "raw"
    """Starts a message that a block holds."""
    BLOCK = "block"
    """Takes lines up to ``end``."""
    LINE = "line"
    """Takes one data line."""
    PLAIN = "plain"
    """Takes none."""


class Spec(NamedTuple):
    """A command."""

    name: str
    mode: Mode
    role: str | None
    """The role of the message that it starts, where the command itself says it."""
    arguments: tuple[str, ...]

    @property
    def starts_message(self) -> bool:
        """Whether a message begins with it."""
        return self.mode in (Mode.MESSAGE, Mode.RAW)

    @property
    def has_block(self) -> bool:
        """Whether ``end`` has to follow."""
        return self.mode in (Mode.RAW, Mode.BLOCK)


MESSAGE_ARGUMENTS = ("role", "name", "id", "call_id")

_MESSAGES = (
    Spec("message", Mode.MESSAGE, None, MESSAGE_ARGUMENTS),
    *[Spec(role, Mode.MESSAGE, role, MESSAGE_ARGUMENTS) for role in ROLES],
    Spec("raw", Mode.RAW, None, MESSAGE_ARGUMENTS),
)
_OF_DIALECT = {
    AT: (Spec("call", Mode.LINE, None, ("id",)), Spec("embed", Mode.LINE, None, ())),
    SEMICOLON: (
        Spec("meta", Mode.BLOCK, None, ()),
        Spec("extra", Mode.BLOCK, None, ()),
        Spec("flush", Mode.PLAIN, None, ()),
    ),
}
ALIASES: Mapping[str, str] = {
    "msg": "message",
    "ai": "assistant",
    "sys": "system",
    "dev": "developer",
}


def _words(specs: tuple[Spec, ...]) -> dict[str, Spec]:
    words = {spec.name: spec for spec in specs}
    return words | {alias: words[name] for alias, name in ALIASES.items()}


COMMANDS: Mapping[str, Mapping[str, Spec]] = {
    prefix: _words((*_MESSAGES, *_OF_DIALECT[prefix])) for prefix in DIALECTS
}
"""By dialect, every word that is a command; not counting ``end``."""

ONE_DIALECT = frozenset([spec.name for specs in _OF_DIALECT.values() for spec in specs])
"""The commands that only one of the dialects has."""

MESSAGE_WORDS = tuple([word for word, spec in COMMANDS[AT].items() if spec.starts_message])


def other_dialect(prefix: str) -> str:
    """The other one of the two."""
    return SEMICOLON if prefix == AT else AT


# A scheme, or the letter of a drive.
_SCHEME = lazy_pattern(r"[A-Za-z][A-Za-z0-9+.-]*:")


def relative_path(target: str) -> str | None:
    """The path relative to the file; nothing for an address or an absolute path."""
    if not target or _SCHEME.match(target) or target[0] in "/\\~":
        return None
    return target
