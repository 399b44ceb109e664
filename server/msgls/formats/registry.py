"""Which format a file is of. The one list of formats, in the order they are asked."""

from __future__ import annotations

from collections.abc import Sequence

from msgls.formats.agentsjson import AGENTS
from msgls.formats.base import Format
from msgls.formats.chatbuilder import CHATBUILDER
from msgls.formats.msgjson import MSGJSON
from msgls.formats.msgmd import MSGMD, SECTIONED_MSGMD
from msgls.formats.plain import PLAIN
from msgls.formats.stf import STF

FORMATS: Sequence[Format] = (MSGMD, SECTIONED_MSGMD, CHATBUILDER, STF, *MSGJSON, AGENTS)

_ENDINGS = tuple({ending for format in FORMATS for ending in format.endings})

# What `detect` needs to see of a file: more than any frontmatter of sane length.
HEAD_LENGTH = 65_536


def detect(path: str, head: str) -> Format:
    """The format of a file by its name and its first characters; ``PLAIN`` if it is none."""
    for format in FORMATS:
        if format.detect(path, head):
            return format
    return PLAIN


def may_hold(name: str) -> bool:
    """Whether a file of that name can be of some format at all."""
    return name.lower().endswith(_ENDINGS)


def format_of_language(language_id: str) -> Format | None:
    """The format that editors call ``language_id``."""
    return next((format for format in FORMATS if format.language_id == language_id), None)
