"""The format of a file, and its variant: the one list of formats, in the order of detection."""

from functools import cache, lru_cache

from msgls.formats.agentsjson import AGENTS
from msgls.formats.base import Format
from msgls.formats.chatbuilder import CHATBUILDER
from msgls.formats.msgjson import MSGJSON
from msgls.formats.msgmd import MSGMD, SECTIONED_MSGMD, SectionedMessageFile
from msgls.formats.plain import PLAIN
from msgls.formats.stf import STF, SimpleTextFile
from msgls.formats.stf.commands import DIALECTS

FORMATS: list[Format] = [MSGMD, SECTIONED_MSGMD, CHATBUILDER, STF, *MSGJSON, AGENTS]
DEFAULT: Format = MSGMD
"""The format of a text without a name."""

# What `detect` needs to see of a file: more than any frontmatter of sane length.
HEAD_LENGTH = 65_536


def detect(path: str, head: str) -> Format:
    """The format of a file by its name and its first characters; ``PLAIN`` if unknown."""
    for format in FORMATS:
        if format.detect(path, head):
            return format
    return PLAIN


def may_hold(name: str) -> bool:
    """Whether a file of that name can be of some format at all."""
    return name.lower().endswith(_endings())


def add_format(format: Format) -> None:
    """Let files be of one more format; before any file is looked at."""
    FORMATS.append(format)
    _endings.cache_clear()
    number_of.cache_clear()


@cache
def _endings() -> tuple[str, ...]:
    return tuple({ending for format in FORMATS for ending in format.endings})


def format_of_language(language_id: str) -> Format | None:
    """The format that editors call ``language_id``."""
    return next((format for format in FORMATS if format.language_id == language_id), None)


@lru_cache(maxsize=4_096)
def number_of(path: str) -> int | None:
    """The place of a file in its folder, by its name, should the folder be a conversation."""
    numbers = (format.number(path) for format in FORMATS)
    return next((number for number in numbers if number is not None), None)


def variant(format: Format, section: str | None, dialect: str) -> Format:
    """The variant of a format that settings ask for; one object stands for each."""
    if format is SECTIONED_MSGMD and section is not None:
        return _sectioned(section)
    return _simple_text(dialect) if format is STF and dialect in DIALECTS else format


@lru_cache(maxsize=16)
def _sectioned(section: str) -> SectionedMessageFile:
    return SectionedMessageFile(section)


@lru_cache(maxsize=len(DIALECTS))
def _simple_text(dialect: str) -> SimpleTextFile:
    return SimpleTextFile(dialect)
