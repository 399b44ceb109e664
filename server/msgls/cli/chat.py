"""``msgls chat``: start a file with a message, or add one to it."""

import argparse
import os
import random
import time
from pathlib import Path

from msgls.cli.exits import OK, UsageProblem, note, problems_of
from msgls.cli.opening import open_one, opened
from msgls.cli.speaking import said
from msgls.cli.streams import STDIN, read_in
from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features.appending import append_cell, check_agent
from msgls.features.commands import RefusedError
from msgls.features.msgmd.appending import makes_headings_deeper
from msgls.features.msgmd.booting import insert_boot
from msgls.formats.msgmd.meaning import can_answer
from msgls.formats.msgmd.register import register_agent
from msgls.formats.registry import DEFAULT
from msgls.host.discovery import Discovery
from msgls.host.files import ChangedProblem, write_new, write_text
from msgls.text.phrases import Phrase, about

_ATTEMPTS = 100
_LONGEST_PAUSE_SECONDS = 0.05


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add = parser.add_argument
    add("file", metavar="FILE", help=Phrase("a message file; it is created if it does not exist"))
    text = Phrase("the text; - is standard input")
    add("--message", required=True, metavar="TEXT", help=text)
    add("--as", dest="agent", metavar="AGENT", help=Phrase("write it as an answer of this agent"))
    add("--force", action="store_true", help=Phrase("add to the file if it already exists"))


def run(options: argparse.Namespace) -> int:
    """Create the file, or add a cell to it."""
    path = Path(options.file)
    with problems_of(options.file):
        message = read_in(options.file) if options.message == STDIN else options.message
        if not message.strip():
            raise UsageProblem(Phrase("there is no message: --message is blank"))
        if os.path.lexists(path):
            _append_among_others(options, path, message)
        else:
            _create(options, path, message)
    return OK


def _append_among_others(options: argparse.Namespace, path: Path, message: str) -> None:
    """Append, and try again if another program has written to the file meanwhile."""
    for _ in range(_ATTEMPTS):
        try:
            _append(options, path, message)
        except ChangedProblem:
            time.sleep(random.uniform(0, _LONGEST_PAUSE_SECONDS))
        else:
            return
    _append(options, path, message)


def _append(options: argparse.Namespace, path: Path, message: str) -> None:
    if not options.force:
        what = Phrase("it already exists; --force adds to it")
        raise UsageProblem(about(options.file, what))
    before = open_one(options.file)
    snapshot = before
    if options.agent is not None and before.document.format.has_agents:
        check_agent(before, options.agent)
        # Tried first: if it fails, the agent must not be registered.
        append_cell(before, message, options.agent)
        snapshot = _registered(options, before)
    after = snapshot.document.apply([append_cell(snapshot, message, options.agent)])
    write_text(path, after.text, instead_of=before.document.text)
    if makes_headings_deeper(before.document, message):
        what = Phrase("its headings are written deeper, so that they are part of the cell")
        note(about(options.file, what))
    _report(options.file, after)


def _registered(options: argparse.Namespace, snapshot: Snapshot) -> Snapshot:
    """The document with the agent registered, if it is not."""
    document, name, end = snapshot.document, options.agent, 1 << 256
    if can_answer(document, name, end):
        return snapshot
    edit = register_agent(document, name)
    if edit is None:
        what = Phrase(
            "no agent `{name}` is registered, and the frontmatter cannot be edited; register it "
            "below `agents:` or in an agents.json",
            name=name,
        )
        note(about(options.file, what))
        return snapshot
    # A misspelled name would be registered, too: if there are other agents, say so.
    if document.agents_around or document.entries("agents", ""):
        what = Phrase("`{name}` is new here, and is registered in the frontmatter", name=name)
        note(about(options.file, what))
    return snapshot.of(document.apply([edit]))


def _create(options: argparse.Namespace, path: Path, message: str) -> None:
    if not DEFAULT.detect(options.file, ""):
        what = Phrase("the name of a message file ends in .msg.md")
        raise UsageProblem(about(options.file, what))
    snapshot = _begun(path)
    if options.agent is not None:
        check_agent(snapshot, options.agent)
        snapshot = _registered(options, snapshot)
    document = snapshot.document.apply([append_cell(snapshot, message, options.agent)])
    write_new(path, document.text)
    _report(options.file, document)


def _begun(path: Path) -> Snapshot:
    """A new conversation, with the boot message of the default agent if there is one."""
    snapshot = opened(Discovery(note), path, "", DEFAULT)
    if snapshot.settings.insert == "never":
        return snapshot
    try:
        return snapshot.of(snapshot.document.apply(insert_boot(snapshot).edits))
    except RefusedError:
        return snapshot


def _report(file: str, document: Document) -> None:
    last = document.cell_number(document.cell_count - 1)
    what = Phrase("a message") if last.cell.id is None else f"`{last.cell.id}`"
    place = f"{file}:{last.start_line + 1}"
    print(said(about(place, Phrase("added {what}.", what=what))))
