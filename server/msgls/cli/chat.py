"""``msgls chat``: start a file with a message, or add one to it."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from msgls.cli.exits import OK, UsageProblem
from msgls.cli.opening import open_one
from msgls.document.document import Document
from msgls.features.appending import CannotAppend, append_cell, check_agent
from msgls.formats.msgmd import MSGMD
from msgls.formats.msgmd.register import register_agent
from msgls.host.files import FileProblem, decode, write_new, write_text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    add = parser.add_argument
    add("file", metavar="FILE", help="a message file; it is made if it is not there")
    add("--message", required=True, metavar="TEXT", help="the text; - is standard input")
    add("--as", dest="agent", metavar="AGENT", help="let it be this agent's answer")
    add("--force", action="store_true", help="add to the file if it is there already")


def run(options: argparse.Namespace) -> int:
    """Make the file, or add a cell to it."""
    path = Path(options.file)
    try:
        message = decode(sys.stdin.buffer.read()) if options.message == "-" else options.message
        if not message.strip():
            raise UsageProblem("there is no message: --message is blank")
        if os.path.lexists(path):
            _append(options, path, message)
        else:
            _create(options, path, message)
    except (CannotAppend, FileProblem) as problem:
        raise UsageProblem(f"{options.file}: {problem}") from None
    return OK


def _append(options: argparse.Namespace, path: Path, message: str) -> None:
    if not options.force:
        raise UsageProblem(f"{options.file}: it is there already; --force adds to it")
    document, _ = open_one(options.file)
    after = document.apply([append_cell(document, message, options.agent)])
    write_text(path, after.text, instead_of=document.text)
    _tell(options.file, after)


def _create(options: argparse.Namespace, path: Path, message: str) -> None:
    if not MSGMD.detect(options.file, ""):
        raise UsageProblem(f"{options.file}: the name of a message file ends in .msg.md")
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
    what = "a message" if last.cell.id is None else f"`{last.cell.id}`"
    print(f"{file}:{last.start_line + 1}: added {what}.")
