"""``msgls format``: format files without changing their meaning."""

import argparse
import sys
from pathlib import Path

from msgls.cli.exits import FAILED, FOUND, OK, note, tell
from msgls.cli.opening import Opened, opened
from msgls.cli.speaking import said
from msgls.cli.streams import STDIN, add_paths, paths_of, read_in, write_out
from msgls.cli.terminal import harmless
from msgls.document.snapshot import Snapshot
from msgls.features.language import language_of
from msgls.formats.registry import DEFAULT
from msgls.host.discovery import Discovery
from msgls.host.files import FileProblem, write_text
from msgls.text.phrases import Phrase, about
from msgls.text.work import done


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add = parser.add_argument
    add_paths(parser)
    check = Phrase("write nothing; exit with 1 if a file would change")
    add("--check", action="store_true", help=check)
    diff = Phrase("write nothing; show what would change, and exit with 1")
    add("--diff", action="store_true", help=diff)


def run(options: argparse.Namespace) -> int:
    """Format every message file."""
    paths = paths_of(options)
    if STDIN in paths:
        return _standard_input(options)
    files = Opened(paths)
    failed = False
    changed = total = 0
    for path, snapshot in files:
        total += 1
        before, after = snapshot.document.text, formatted(snapshot)
        if before != after:
            changed += 1
            failed |= not _apply(options, str(path), before, after)
    if not total and not files.failed:
        note(Phrase("no message file was found"))
    elif total:
        _summary(options, changed, total)
    if files.failed or failed:
        return FAILED
    return FOUND if changed and (options.check or options.diff) else OK


def formatted(snapshot: Snapshot) -> str:
    """The formatted text of a document."""
    document = snapshot.document
    edits = done(language_of(document).format_document(snapshot))
    return document.apply(edits).text if edits else document.text


def _apply(options: argparse.Namespace, path: str, before: str, after: str) -> bool:
    if options.diff:
        from msgls.cli.diffs import write_diff

        write_diff(sys.stdout, path, before, after)
    elif options.check:
        print(said(Phrase("Would change: {file}", file=harmless(path))))
    else:
        try:
            write_text(Path(path), after, instead_of=before)
        except FileProblem as problem:
            note(about(path, problem.phrase))
            return False
    return True


def _summary(options: argparse.Namespace, changed: int, total: int) -> None:
    files, left = _files(changed), _files(total - changed)
    if options.check or options.diff:
        summary = Phrase("{files} would change, {left} left unchanged.", files=files, left=left)
    else:
        summary = Phrase("{files} changed, {left} left unchanged.", files=files, left=left)
    sys.stdout.flush()
    tell(summary)


def _files(count: int) -> Phrase:
    return Phrase("1 file") if count == 1 else Phrase("{count} files", count=count)


def _standard_input(options: argparse.Namespace) -> int:
    name = options.stdin_filename
    text = read_in(name or STDIN)
    path = Path(name or "stdin.msg.md")
    snapshot = opened(Discovery(note), path, text, None if name else DEFAULT)
    after = formatted(snapshot)
    if not (options.check or options.diff):
        write_out(after)
    elif after != text:
        _apply(options, name or STDIN, text, after)
        return FOUND
    return OK
