"""``msgls fork``: a new file with everything up to a cell."""

import argparse
import os
from pathlib import Path

from msgls.cli.exits import OK, UsageProblem, problems_of
from msgls.cli.opening import cell_named, open_one
from msgls.cli.streams import add_output, write_out
from msgls.features.forking import forked
from msgls.host.files import write_new, write_text
from msgls.text.phrases import Phrase, about


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add = parser.add_argument
    add("file", metavar="FILE", help=Phrase("a message file"))
    add("cell", metavar="CELL", help=Phrase("the id of the last cell to include"))
    add_output(parser, Phrase("the new file; default: standard output"))
    add("--force", action="store_true", help=Phrase("overwrite existing files"))


def run(options: argparse.Namespace) -> int:
    """Write the new file."""
    document = open_one(options.file).document
    if not document.format.has_agents:
        raise UsageProblem(about(options.file, Phrase("only a message file can be forked")))
    last = cell_named(options.file, document, options.cell)
    text = forked(document, last)
    if options.output is None:
        write_out(text)
    else:
        _write(Path(options.output), Path(options.file), text, options.force)
    return OK


def _write(target: Path, source: Path, text: str, force: bool) -> None:
    with problems_of(target):
        if not os.path.lexists(target):
            write_new(target, text)
        elif target.exists() and target.samefile(source):
            raise UsageProblem(about(target, Phrase("this is the input file")))
        elif not force:
            what = Phrase("it already exists; --force overwrites it")
            raise UsageProblem(about(target, what))
        else:
            write_text(target, text)
