"""``msgls merge``: merge two branches of a conversation; the merge driver that git calls.

Exits with 0 if there are no conflicts, with 1 if conflicts are left in the file, and with 129 if
nothing was merged: git treats a code above 128 as a failure, and any other as conflicts.
"""

import argparse
from pathlib import Path

from msgls.cli.exits import FOUND, OK, UsageProblem, note, problems_of
from msgls.cli.opening import opened
from msgls.cli.streams import positive
from msgls.document.document import Document
from msgls.host.discovery import Discovery
from msgls.host.files import read_text, write_text
from msgls.text.phrases import Phrase, about

NOT_MERGED = 129
_USUAL_MARKER = 7


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add = parser.add_argument
    add("base", metavar="BASE", help=Phrase("the common ancestor"))
    add("ours", metavar="OURS", help=Phrase("our file; the merge is written into it"))
    add("theirs", metavar="THEIRS", help=Phrase("their file"))
    add(
        "--marker-size",
        type=positive,
        default=_USUAL_MARKER,
        metavar="N",
        help=Phrase("the length of the conflict markers; default: 7"),
    )
    path = Phrase("the path of the file: its name shows the format")
    add("--path", metavar="FILE", help=path)


def run(options: argparse.Namespace) -> int:
    """Merge, and write the result."""
    try:
        return _run(options)
    except UsageProblem as problem:
        for line in problem.lines:
            note(line)
    except Exception:
        import traceback

        traceback.print_exc()
    return NOT_MERGED


def _run(options: argparse.Namespace) -> int:
    # Imported late: it loads what compares conversations, which checks do not need.
    from msgls.branches.merging import merge

    base, ours, theirs = map(_read, (options.base, options.ours, options.theirs))
    path = options.path or options.ours
    discovery = Discovery(note)

    def read(text: str) -> Document:
        return opened(discovery, Path(path), text).document

    merged = merge(base, ours, theirs, read, options.marker_size)
    if merged.text != ours:
        with problems_of(options.ours):
            write_text(Path(options.ours), merged.text)
    if merged.conflicts:
        conflicts = Phrase("{count} conflicts", count=merged.conflicts)
        if merged.conflicts == 1:
            conflicts = Phrase("1 conflict")
        what = Phrase("{conflicts}, marked in the file", conflicts=conflicts)
        note(about(path, what))
    return FOUND if merged.conflicts else OK


def _read(name: str) -> str:
    with problems_of(name):
        return read_text(Path(name))
