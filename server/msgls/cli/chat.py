"""``msgls chat``: start a file with a message, or add one to it."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from msgls.cli.exits import OK, UsageProblem, note
from msgls.cli.opening import open_one
from msgls.cli.speaking import said
from msgls.document.document import Document
from msgls.features.appending import CannotAppend, append_cell, check_agent
from msgls.formats.msgmd import MSGMD
from msgls.formats.msgmd.meaning import is_registered
from msgls.formats.msgmd.register import register_agent
from msgls.host.files import FileProblem, decode, write_new, write_text
from msgls.rules.base import Surroundings
from msgls.text.phrases import Phrase, about


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    add = parser.add_argument
    add("file", metavar="FILE", help=Phrase("a message file; it is made if it is not there"))
    text = Phrase("the text; - is standard input")
    add("--message", required=True, metavar="TEXT", help=text)
    add("--as", dest="agent", metavar="AGENT", help=Phrase("let it be this agent's answer"))
    add("--force", action="store_true", help=Phrase("add to the file if it is there already"))


def run(options: argparse.Namespace) -> int:
    """Make the file, or add a cell to it."""
    path = Path(options.file)
    try:
        message = decode(sys.stdin.buffer.read()) if options.message == "-" else options.message
        if not message.strip():
            raise UsageProblem(Phrase("there is no message: --message is blank"))
        if os.path.lexists(path):
            _append(options, path, message)
        else:
            _create(options, path, message)
    except (CannotAppend, FileProblem) as problem:
        raise UsageProblem(about(options.file, problem.phrase)) from None
    return OK


def _append(options: argparse.Namespace, path: Path, message: str) -> None:
    if not options.force:
        what = Phrase("it is there already; --force adds to it")
        raise UsageProblem(about(options.file, what))
    document, around = open_one(options.file)
    after = document.apply([append_cell(document, message, options.agent)])
    write_text(path, after.text, instead_of=document.text)
    _tell(options.file, after)
    if options.agent is not None and document.format is MSGMD:
        _warn_of_stranger(options, document, around)


def _warn_of_stranger(
    options: argparse.Namespace, document: Document, around: Surroundings
) -> None:
    """Say that nobody registers an agent: the answer is there, and `msgls check` will doubt it."""
    name = options.agent
    if not is_registered(document, name) and name not in around.other_agents:
        what = Phrase(
            "no agent `{name}` is registered; "
            "`agents:` in the frontmatter or an agents.json can do that",
            name=name,
        )
        note(about(options.file, what))


def _create(options: argparse.Namespace, path: Path, message: str) -> None:
    if not MSGMD.detect(options.file, ""):
        what = Phrase("the name of a message file ends in .msg.md")
        raise UsageProblem(about(options.file, what))
    document = Document.open(options.file, "", MSGMD)
    if options.agent is not None:
        check_agent(document, options.agent)
        register = register_agent(document, options.agent)
        document = document if register is None else document.apply([register])
    document = document.apply([append_cell(document, message, options.agent)])
    write_new(path, document.text)
    _tell(options.file, document)


def _tell(file: str, document: Document) -> None:
    last = document.cell_number(document.cell_count - 1)
    what = Phrase("a message") if last.cell.id is None else f"`{last.cell.id}`"
    place = f"{file}:{last.start_line + 1}"
    print(said(about(place, Phrase("added {what}.", what=what))))
