"""Code actions in messages and deltas: open as a message file, and go along a tool call.

JSON has no comments, so no rule is silenced in the file itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.features import command_table as table
from msgls.features.actions import CommandAction
from msgls.features.msgjson.calls import CALLS, RESULTS, occurrences
from msgls.features.msgjson.commands import mentions_at
from msgls.features.msgjson.opening import STREAM, stream_at
from msgls.text.phrases import Phrase

# A message may call a hundred tools; what it leads to is seen with the first ones.
_MOST_CALLS = 8


def cell_actions(snapshot: Snapshot, offset: int) -> Iterator[CommandAction]:
    """What can be done with the line or element at ``offset``, and with the file."""
    document = snapshot.document
    if stream_at(document, offset) is not None:
        yield CommandAction(
            table.OPEN_AS, Phrase("Open this stream as message file"), {STREAM: True}
        )
    yield CommandAction(table.OPEN_AS)
    kinds = set()
    for said in mentions_at(document, offset)[:_MOST_CALLS]:
        found = occurrences(document, said.mention.call, said.mention.run, (*CALLS, *RESULTS))
        kinds |= {other.mention.kind for other in found if other != said}
    if kinds & {*RESULTS}:
        yield CommandAction(table.GO_TO_CHILD, Phrase("Go to the first result"))
    if kinds & {*CALLS}:
        yield CommandAction(table.GO_TO_PARENT, Phrase("Go to the call"))
