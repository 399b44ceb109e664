"""Arguments that several commands have, standard input and output, and JSON for programs."""

import argparse
import json
import sys
from typing import Any, TextIO

from msgls.cli.exits import UsageProblem, problems_of
from msgls.cli.terminal import COMMAND, harmless
from msgls.host.files import decode
from msgls.text.phrases import Phrase

STDIN = "-"


def add_paths(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for files and folders, or standard input."""
    paths = Phrase("files and folders; - is standard input")
    parser.add_argument("paths", nargs="*", metavar="PATH", help=paths)
    add_stdin_filename(parser)


def add_stdin_filename(parser: argparse.ArgumentParser) -> None:
    """Add the option for the name of what is read from standard input."""
    name = Phrase("a file name for standard input")
    parser.add_argument("--stdin-filename", metavar="FILE", help=name)


def paths_of(options: argparse.Namespace) -> list[str]:
    """The paths that the user has named; by default, the current folder."""
    paths: list[str] = options.paths or (["."] if options.stdin_filename is None else [STDIN])
    if STDIN in paths and len(paths) > 1:
        raise UsageProblem(Phrase("standard input (-) cannot be mixed with other paths"))
    return paths


def add_output_format(parser: argparse.ArgumentParser) -> None:
    """Add the choice between text and JSON."""
    text = Phrase("default: text")
    parser.add_argument("--output-format", choices=("text", "json"), default="text", help=text)


def positive(text: str) -> int:
    """The type of an argument that counts something."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(Phrase("a number of at least 1 is needed"))
    return int(text)


def add_output(parser: argparse.ArgumentParser, help: Phrase, metavar: str = "OUT") -> None:
    """Add the option for the path of the output; ``-`` is standard output, like no option."""
    parser.add_argument("-o", "--output", type=_path, metavar=metavar, help=help)


def _path(name: str) -> str | None:
    return None if name == STDIN else name


def read_in(name: str) -> str:
    """All of standard input; ``name`` is its name in messages."""
    with problems_of(name):
        return decode(sys.stdin.buffer.read())


def write_out(text: str) -> None:
    """Write a text in UTF-8, with its own line breaks, on any platform."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8"))
    sys.stdout.buffer.flush()


def print_json(value: Any) -> None:
    """Print a value for another program."""
    print(dumps(value, sys.stdout, indent=2))


def dumps(value: Any, out: TextIO, indent: int | None = None) -> str:
    """JSON; escaped to ASCII unless the encoding of ``out`` is UTF-8."""
    is_utf8 = (getattr(out, "encoding", None) or "utf-8").lower().replace("-", "") == "utf8"
    text = json.dumps(value, ensure_ascii=not is_utf8, indent=indent)
    # Text that a CI log would read as a command can only be in strings, where it can be escaped.
    text = COMMAND.sub(r"#\\u0023", text)
    if text.isascii():
        return text
    # File names may contain bytes that are not UTF-8, which must be escaped. So are characters that
    # would control a terminal.
    return "".join([c if c == "\n" or harmless(c) == c else json.dumps(c)[1:-1] for c in text])
