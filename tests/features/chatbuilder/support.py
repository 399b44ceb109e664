"""What the tests of these features share: a folder of messages that is only made up."""

from collections.abc import Iterable, Mapping

from msgls.document.document import Document
from msgls.document.snapshot import Surroundings

FOLDER = "/chats/messages/notes"
UUID = "32d9afc7-aeac-4a67-ba94-0c92678604a1"
OTHER_UUID = "8f14e45f-ceea-467f-a9d5-1c7a3b2e9d10"

MESSAGE = f"""\
; Block-UUID: {UUID}
; Component: UserMessage
; Version: 1.0.0
; Description: A question
; Language: markdown
; Created-at: 2025-04-22T00:56:02.060Z
; Authors: Visitor (v1.0.0)
; Parent-UUID: {OTHER_UUID}
;
; role: user


How do closures work? See [the notes](notes.md).

# Example

\\```python
def f(): ...
\\```

## Deeper

Text.

# End
"""


def opened(text: str, name: str = "1.md") -> Document:
    """A message in that folder."""
    document = Document.open(f"{FOLDER}/{name}", text)
    assert document.format.name == "chatbuilder"
    return document


def around(
    names: Iterable[str] = (), heads: Mapping[tuple[str, str], tuple[str, ...]] | None = None
) -> Surroundings:
    """A folder with those names, and files that say those fields."""
    known = heads or {}
    return Surroundings(
        neighbours=frozenset(names), others_with=lambda key, value: known.get((key, value), ())
    )
