"""The command line: which commands there are, and what is common to all of them.

Owns the table of commands and the exit codes. A command is a module with
``add_arguments`` and ``run``, loaded only when it is asked for: starting fast is
a feature.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from typing import NamedTuple, NoReturn

from msgls import __version__
from msgls.cli.exits import FAILED, INTERRUPTED, OK, PIPE_CLOSED, UsageProblem, note
from msgls.cli.terminal import columns

DESCRIPTION = "Check, format and explore files that hold conversations with language models."


class Command(NamedTuple):
    """A subcommand: where it is, and what it does in a few words."""

    module: str
    help: str


COMMANDS: Mapping[str, Command] = {
    "check": Command("check", "find problems, and fix what can be fixed"),
    "format": Command("format", "tidy headers, definitions and blank lines"),
    "rule": Command("rule", "explain a rule, or list all of them"),
    "outline": Command("outline", "show the cells of files"),
    "agents": Command("agents", "list every agent that a file involves"),
    "set-default": Command("set_default", "name the default agent of a file"),
    "chat": Command("chat", "start a file with a message, or add one to it"),
    "init": Command("init", "write a configuration; keep other formatters away"),
    "convert": Command("convert", "write a conversation in another format"),
    "view": Command("view", "show what the model sees of a file"),
    "assemble": Command("assemble", "put messages together from a stream of deltas"),
    "render": Command("render", "write a page of HTML, for reading and sharing"),
    "diff": Command("diff", "compare two files by cell"),
    "merge": Command("merge", "merge two changed files by cell, for git"),
    "schema": Command("schema", "print a JSON Schema"),
    "serve": Command("serve", "run the language server, for editors"),
    "completions": Command("completions", "print completions for a shell"),
    "version": Command("version", "print the version"),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line, and return the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdout, sys.stderr):
        # Whatever a transcript holds, showing it must not fail.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = _run(arguments)
        sys.stdout.flush()
        return code
    except UsageProblem as problem:
        for line in problem.lines:
            note(line)
        return FAILED
    except SystemExit as exit:
        # What argparse does for --help and for what it cannot read.
        return exit.code if isinstance(exit.code, int) else FAILED
    except BrokenPipeError:
        # Whoever read along has left. What is still buffered must not be tried again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        if error.filename is not None:
            return _mistake(error)
        # Files are named, so it is the output: a disk that is full, a device that is gone.
        print(f"msgls: the output cannot be written: {error.strerror or error}", file=sys.stderr)
        return FAILED
    except Exception as error:
        return _mistake(error)


def _mistake(error: Exception) -> int:
    """Say that something went wrong that is ours to mend."""
    import traceback

    traceback.print_exc()
    print(f"msgls: internal error: {error}", file=sys.stderr)
    return FAILED


def entry() -> NoReturn:
    """Run the command line as the whole of a process, and leave at once.

    Taking a large document apart object by object, only to hand its memory back, takes
    longer than many a check; the system does that in no time.
    """
    code = main()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def _run(arguments: Sequence[str]) -> int:
    name = arguments[0] if arguments else ""
    if name and not name.startswith("-") and name not in COMMANDS:
        from msgls.rules.settings import did_you_mean

        known = f"there are: {', '.join(COMMANDS)}"
        raise UsageProblem(f"there is no command `{name}`" + did_you_mean(name, COMMANDS, known))
    parser = make_parser([name] if name in COMMANDS else [])
    options = parser.parse_args(arguments)
    run: Callable[[argparse.Namespace], int] | None = getattr(options, "run", None)
    if run is None:
        parser.print_help()
        return OK
    return run(options)


def make_parser(loaded: Sequence[str]) -> argparse.ArgumentParser:
    """The parser; of the commands, only those in ``loaded`` know their own arguments."""
    parser = argparse.ArgumentParser("msgls", description=DESCRIPTION, formatter_class=_Formatter)
    parser.add_argument("--version", action="version", version=f"msgls {__version__}")
    # The name by hand: argparse would load what it formats help with to find it out.
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", prog="msgls")
    for name, command in COMMANDS.items():
        if loaded and name not in loaded:
            continue
        below = commands.add_parser(
            name,
            help=command.help,
            description=_sentence(command.help),
            formatter_class=_Formatter,
        )
        if name in loaded:
            module = import_module(f"msgls.cli.{command.module}")
            module.add_arguments(below)
            below.set_defaults(run=module.run)
    return parser


class _Formatter(argparse.HelpFormatter):
    """Help as wide as the terminal. Without a width, argparse loads ``shutil`` to find it."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=columns(sys.stdout) - 2)


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:] + "."


if __name__ == "__main__":
    entry()
