"""What stands before the first cell: frontmatter and preamble, as messages carry them.

Owns how the two are put before the cells, and nothing of what they say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from msgls.conversation.messages import Message
from msgls.conversation.writers.msgmd_cells import meta_of
from msgls.document.document import Document
from msgls.formats.msgmd import MSGMD
from msgls.formats.msgmd.content import trim_blank_lines
from msgls.formats.msgmd.meaning import is_registered
from msgls.formats.msgmd.register import register_agent
from msgls.text.spans import apply_edits

_PATH = "written.msg.md"
# What a file must not start with that is not meant so: a frontmatter, a byte-order mark.
_FALSE_START = re.compile(r"\ufeff|---")


def carried_file(messages: Iterable[Message]) -> Mapping[str, Any]:
    """Frontmatter and preamble, as the first message has them that has any."""
    for message in messages:
        file = meta_of(message).get("file")
        if isinstance(file, Mapping):
            return file
    return {}


def file_head(frontmatter: str, preamble: str, newline: str = "\n") -> str:
    """The text before the first cell."""
    if not frontmatter and _FALSE_START.match(preamble):
        preamble = newline + preamble
    return "".join([text + newline + newline for text in (frontmatter, preamble) if text])


def with_agents(frontmatter: str, names: Iterable[str], newline: str = "\n") -> str:
    """``frontmatter`` with those agents registered that it lacks, as far as that can be done."""
    for name in names:
        head = Document.open(_PATH, frontmatter or newline, MSGMD)
        edit = None if is_registered(head, name) else register_agent(head, name)
        if edit is not None:
            changed = trim_blank_lines(apply_edits(head.text, [edit]))
            # YAML may refuse a character of the name.
            if is_registered(Document.open(_PATH, changed, MSGMD), name):
                frontmatter = changed
    return frontmatter
