"""``msgls import``: transcripts of agents as message files.

Owns the list of transcripts, the names of the written files, and following a session that is still
running. Lines that are left out are reported on standard error.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from msgls.cli.exits import FAILED, OK, UsageProblem, note, problems_of, tell
from msgls.cli.progress import Bar
from msgls.cli.speaking import said
from msgls.cli.streams import add_output, print_json, write_out
from msgls.cli.terminal import clipped, columns, painter, table
from msgls.conversation.parts import json_value
from msgls.conversation.readers.sessions import AIDER, KINDS, NAMES, reader_of
from msgls.conversation.readers.transcripts import About, left_out_phrases
from msgls.conversation.writers.transcript import CellWriter, head_of, imported_from
from msgls.host.files import FileProblem, check_regular, file_problems, reason, size_of, stamp_of
from msgls.host.transcripts import (
    AgentFolder,
    Found,
    Session,
    Stamps,
    append,
    cells_of,
    end_of_lines,
    find_transcripts,
    grows_by_line,
    kind_of_file,
    read_sessions,
    stamps_of,
    write_import,
)
from msgls.text.phrases import Phrase, about, joined

_MOST_LISTED = 20
_SHORT_ID = 8
_PAUSE_SECONDS = 0.4
_STARTED = re.compile(r"\d{8}T\d{6}")
_NOT_IN_NAMES = re.compile(r"[^\w-]+")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add = parser.add_argument
    paths = Phrase(
        "files of transcripts, or ids from the list, or how these begin; "
        "without any, the transcripts are listed"
    )
    add("paths", nargs="*", metavar="PATH", help=paths)
    output = Phrase("the message file, FILE.msg.md, or a folder; default: standard output")
    add_output(parser, output)
    add(
        "--from",
        dest="kind",
        choices=KINDS,
        metavar="KIND",
        help=Phrase(
            "the format of the transcripts, if their content does not show it: {kinds}",
            kinds=joined(KINDS),
        ),
    )
    follow = Phrase("keep running, and append new messages of the session")
    add("--follow", action="store_true", help=follow)
    force = Phrase("replace a file that was not imported from the same session")
    add("--force", action="store_true", help=force)
    one = Phrase("the session whose id starts with this, if a file contains several")
    add("--session", metavar="ID", default="", help=one)
    add("--all", action="store_true", help=Phrase("list all transcripts, not only the newest"))
    project = Phrase("the project whose aider history is listed; default: the current folder")
    add("--project", metavar="FOLDER", help=project)
    add(
        "--output-format",
        choices=("text", "json"),
        default="text",
        help=Phrase("the format of the list; default: text"),
    )


def run(options: argparse.Namespace) -> int:
    """List transcripts, or import those that are named."""
    if not options.paths:
        if options.follow or options.output:
            raise UsageProblem(Phrase("which transcript? `msgls import` lists them"))
        return _list(options)
    named = [_found(name, options) for name in options.paths]
    if options.follow:
        return _follow(named, options)
    are_done = [_tried(one, options, several=len(named) > 1) for one in named]
    return OK if all(are_done) else FAILED


def _tried(one: Found, options: argparse.Namespace, several: bool) -> bool:
    try:
        _import(one, options, several)
    except FileProblem as problem:
        note(about(one.path, problem.phrase))
        return False
    return True


# -- the list -------------------------------------------------------------------------------


class _Listed(NamedTuple):
    found: Found
    about: About


def _everything(options: argparse.Namespace) -> tuple[list[Found], bool]:
    failed = False

    def complain(path: Path, error: OSError) -> None:
        nonlocal failed
        failed = True
        note(about(path, reason(error)))

    folder = Path(options.project or ".").absolute()
    return find_transcripts(dict(os.environ), folder, complain), failed


def _list(options: argparse.Namespace) -> int:
    everything, failed = _everything(options)
    shown = everything if options.all else everything[:_MOST_LISTED]
    listed = list(_listed(shown))
    if options.output_format == "json":
        print_json([_as_json(one) for one in listed])
    elif listed:
        _show(listed)
    if not everything:
        names = joined(NAMES.values())
        note(Phrase("no transcript was found in the usual folders of {names}", names=names))
    elif len(shown) < len(everything):
        more = len(everything) - len(shown)
        note(Phrase("{count} older ones are not shown; --all lists them", count=more))
    return FAILED if failed else OK


def _listed(found: Sequence[Found]) -> Iterator[_Listed]:
    size = sum([size_of(one.path) for one in found])
    with Bar(Phrase("reading"), size, is_bytes=True) as bar:
        for one in found:
            yield from _sessions(one, bar)


def _sessions(one: Found, bar: Bar) -> Iterator[_Listed]:
    try:
        for session in read_sessions(one, bar.add, is_planned=False):
            if _exhausted(session) and not session.reader.about.is_agent:
                yield _Listed(one, session.reader.about)
    except FileProblem as problem:
        note(about(one.path, problem.phrase))


def _exhausted(session: Session) -> bool:
    """Read a session to its end; whether it has any messages."""
    count = 0
    for _ in session.drafts:
        count += 1
    return count > 0


def _show(listed: Sequence[_Listed]) -> None:
    """Print two lines for each transcript: its details, and its title."""
    paint = painter(sys.stdout)
    room = columns(sys.stdout)
    rows = [
        [
            _short(what.session),
            time.strftime("%Y-%m-%d %H:%M", time.localtime(found.changed)),
            NAMES[found.kind],
            said(_turns(what.turns)),
            said(_tokens(what.tokens)),
            Path(what.project).name,
        ]
        for found, what in listed
    ]
    for line, (_, what) in zip(table(rows, room), listed, strict=True):
        print(line)
        print(paint(f"    {clipped(what.title or '-', room - 4)}", "bold"))
    example = Phrase(
        "To import one, run `msgls import {id} -o talk.msg.md`", id=_short(listed[0].about.session)
    )
    print()
    print(said(example))


def _turns(count: int) -> Phrase:
    return Phrase("1 turn") if count == 1 else Phrase("{count} turns", count=count)


def _tokens(count: int) -> Phrase:
    if not count:
        return Phrase("? tokens")
    return Phrase("{count} tokens", count=_thousands(count))


def _thousands(count: int) -> str:
    if count < 1000:
        return str(count)
    return f"{count / 1000:.1f}k" if count < 1_000_000 else f"{count / 1_000_000:.1f}M"


def _short(session: str) -> str:
    """The short name of a session."""
    return session if _STARTED.fullmatch(session) else session.removeprefix("ses_")[:_SHORT_ID]


def _as_json(one: _Listed) -> dict[str, Any]:
    found, what = one
    changed = datetime.fromtimestamp(found.changed, UTC)
    return {
        "path": str(found.path),
        "from": found.kind,
        "by": NAMES[found.kind],
        "session": what.session,
        "title": what.title,
        "project": what.project,
        "turns": what.turns,
        "tokens": what.tokens,
        "changed": changed.isoformat(timespec="seconds").replace("+00:00", "Z"),
    }


def _found(name: str, options: argparse.Namespace) -> Found:
    """The transcript that the user has named: by its path, or by the start of its id."""
    path = Path(name)
    if not os.path.lexists(path):
        return _by_id(name, options)
    if path.is_dir():
        raise UsageProblem(about(name, Phrase("this is a folder, not a transcript")))
    with problems_of(name), file_problems():
        found = options.kind or kind_of_file(path)
        changed = path.stat().st_mtime
    if found is None and not size_of(path):
        raise UsageProblem(about(name, Phrase("it is empty")))
    if found is None:
        names = joined(NAMES.values())
        what = Phrase("this is not a transcript of {names}", names=names)
        raise UsageProblem(about(name, what))
    return Found(found, path, changed, options.session)


def _by_id(name: str, options: argparse.Namespace) -> Found:
    everything, _ = _everything(options)
    # Nearly all file names contain the id of the session.
    matching = [one for one in everything if name in one.path.name and len(name) >= 4]
    if not matching:
        matching = [
            one._replace(session=what.session)
            for one, what in _listed([one for one in everything if one.kind == AIDER])
            if what.session.startswith(name)
        ]
    if not matching:
        what = Phrase("there is no such file, and no session whose id starts with this")
        raise UsageProblem(about(name, what))
    if len(matching) > 1:
        lines = [f"{one.session or _short(one.path.stem)}  {one.path}" for one in matching[:5]]
        raise UsageProblem(about(name, Phrase("several sessions match:")), *lines)
    return matching[0]


# -- importing ------------------------------------------------------------------------------


def _import(one: Found, options: argparse.Namespace, several: bool) -> Stamps:
    """Import a transcript; returns the stamps of the files of its sub-agents."""
    stamps: Stamps = {}
    # Read twice: to find the branches, and to read the messages.
    with Bar(Phrase("importing"), 2 * size_of(one.path), is_bytes=True) as bar:
        sessions = read_sessions(one, bar.add)
        if one.session and not sessions:
            what = Phrase("it contains no session whose id starts with {id}", id=one.session)
            raise UsageProblem(about(one.path, what))
        several = several or len(sessions) > 1
        if several and options.output is None:
            raise UsageProblem(Phrase("several sessions need a folder: use -o"))
        is_empty = True
        for session in sessions:
            if options.output is None:
                count = _print(one.kind, session)
            else:
                target = _target(one, session, options, several)
                merge = _may_merge(target, session, options.force)
                count = write_import(target, one.kind, session, merge)
            is_empty = is_empty and count == 0
            stamps |= session.files.stamps
            _report_left_out(one.path, session)
    if is_empty:
        note(about(one.path, Phrase("it is still empty")))
    return stamps


def _print(kind: str, session: Session) -> int:
    with cells_of(session) as (body, count):
        write_out(head_of(kind, session.reader.about))
        shutil.copyfileobj(body, sys.stdout.buffer)
        sys.stdout.buffer.flush()
    return count


def _target(one: Found, session: Session, options: argparse.Namespace, several: bool) -> Path:
    output = Path(options.output)
    if not several and output.suffix == ".md" and not output.is_dir():
        return output
    if output.suffix and not output.is_dir():
        what = Phrase("name a message file, FILE.msg.md, or a folder without a dot")
        raise UsageProblem(about(options.output, what))
    with problems_of(options.output), file_problems():
        output.mkdir(parents=True, exist_ok=True)
    name = _NOT_IN_NAMES.sub("-", session.id or one.path.stem).strip("-")
    return output / f"{one.kind}-{name}.msg.md"


def _may_merge(target: Path, session: Session, force: bool) -> bool:
    """Whether an existing file is of the same session. Refuses one that is not, without force."""
    if not os.path.lexists(target):
        return True
    with problems_of(target), file_problems():
        check_regular(target)
        with target.open("rb") as file:
            head = file.read(1 << 16).decode("utf-8", "replace")
    before = imported_from(head)
    if before and before.get("session", "") == session.id:
        return True
    if force:
        return False
    what = Phrase("it already exists, and was not imported from this session; --force replaces it")
    raise UsageProblem(about(target, what))


def _report_left_out(path: Path, session: Session) -> None:
    for what, line in left_out_phrases(session.reader.left_out):
        tell(about(f"{path}:{line + 1}", what))


# -- following ------------------------------------------------------------------------------


def _follow(named: Sequence[Found], options: argparse.Namespace) -> int:
    if len(named) > 1 or options.output is None:
        raise UsageProblem(Phrase("--follow needs one transcript, and -o for the message file"))
    with problems_of(named[0].path):
        follow(named[0], options)
    return OK


def follow(
    one: Found,
    options: argparse.Namespace,
    pause: Callable[[float], None] = lambda took: time.sleep(max(_PAUSE_SECONDS, took)),
) -> None:
    """Update a message file whenever a transcript changes, until interrupted.

    ``pause`` gets the number of seconds that the last update took.
    """
    session = read_sessions(one)[-1:]
    # Of several sessions, the last one may still be running.
    one = one._replace(session=session[0].id if session else "")
    target = Path(options.output)
    if session:
        target = _target(one, session[0], options, several=False)
    started = time.monotonic()
    following = _start_following(one, options, target)
    tell(Phrase("Following {path}; stop with Ctrl+C.", path=str(one.path)))
    try:
        while True:
            pause(time.monotonic() - started)
            started = time.monotonic()
            if not following.go_on():
                following = _start_following(one, options, target)
    except KeyboardInterrupt:
        return


def _start_following(one: Found, options: argparse.Namespace, target: Path) -> _Rereading:
    if grows_by_line(one):
        # Lines that are written during the import are read by `_Following`.
        one = one._replace(end=end_of_lines(one.path))
        return _Following(one, target, _import(one, options, several=False))
    stamps = stamps_of(one)
    return _Rereading(stamps | _import(one, options, several=False))


class _Rereading:
    """Follows a transcript that is rewritten as a whole: it is read again when it has changed."""

    def __init__(self, stamps: Stamps) -> None:
        self._stamps = stamps

    def go_on(self) -> bool:
        """Update the file; false if the whole transcript must be read again."""
        return all(stamp_of(path) == stamp for path, stamp in self._stamps.items())


class _Following(_Rereading):
    """Follows a transcript that grows by lines: reads on at its end, and appends to the file.

    If another program saves the file meanwhile, or a sub-agent continues after its result, the
    whole transcript is read again, too.
    """

    def __init__(self, one: Found, target: Path, agents: Stamps) -> None:
        super().__init__({target: stamp_of(target)} | agents)
        self._one = one
        self._target = target
        self._files = AgentFolder(one.path, one.kind)
        self._reader = reader_of(one.kind, None, self._files)
        self._cells = CellWriter(self._reader.ids)
        self._offset = self._line = 0
        for _ in self._news(one.end):
            # Already in the file: only the state of the reader is needed.
            pass
        self._reader.is_stale = False
        self._head = self._head_now()

    def go_on(self) -> bool:
        """Append new messages; false if the whole transcript must be read again."""
        if self._is_shorter() or not super().go_on():
            return False
        self._files.stamps.clear()
        news = b"".join(self._news())
        if self._reader.is_stale or self._head_now() != self._head:
            return False
        self._stamps |= self._files.stamps
        if news:
            with file_problems(self._target):
                append(self._target, BytesIO(news))
            self._stamps[self._target] = stamp_of(self._target)
        return True

    def _head_now(self) -> str:
        return head_of(self._one.kind, self._reader.about)

    def _is_shorter(self) -> bool:
        """Whether the transcript was truncated; not if it is missing, as it may come back."""
        stamp = stamp_of(self._one.path)
        return stamp is not None and stamp[1] < self._offset

    def _news(self, end: int | None = None) -> Iterator[bytes]:
        """The cells of new, complete lines."""
        with suppress(OSError), self._one.path.open("rb") as file:
            file.seek(self._offset)
            for line in file:
                is_beyond = end is not None and self._offset + len(line) > end
                if is_beyond or not line.endswith(b"\n"):
                    break
                text = line.decode("utf-8", "replace")
                drafts = self._reader.feed(json_value(text), self._line) if text.strip() else ()
                self._offset += len(line)
                self._line += 1
                for draft in drafts:
                    yield self._cells.cells(draft).encode("utf-8")
