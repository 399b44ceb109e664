"""The command line: the table of commands, and what is common to all of them.

Owns how a command ends. A command is a module with ``add_arguments`` and ``run``, imported only
when it is used: starting fast is a feature.
"""

import argparse
import os
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from contextvars import copy_context
from typing import NamedTuple, NoReturn

from msgls import __version__
from msgls.cli import subcommands as cli
from msgls.cli.exits import FAILED, INTERRUPTED, OK, PIPE_CLOSED, UsageProblem, note
from msgls.cli.speaking import spoken
from msgls.cli.terminal import columns
from msgls.text.phrases import Phrase, PhrasedError, as_phrase, joined

_PATIENCE_SECONDS = 5.0

DESCRIPTION = Phrase(
    "Check, format and explore files that hold conversations with language models."
)


class Command(NamedTuple):
    """A subcommand: its module, and what it does in a few words."""

    load: Callable[[], cli.Subcommand]
    help: Phrase


COMMANDS: Mapping[str, Command] = {
    "check": Command(lambda: cli.check, Phrase("find problems, and fix what can be fixed")),
    "format": Command(lambda: cli.format, Phrase("tidy headers, definitions and blank lines")),
    "rule": Command(lambda: cli.rule, Phrase("explain a rule, or list all of them")),
    "outline": Command(lambda: cli.outline, Phrase("show the cells of files")),
    "agents": Command(lambda: cli.agents, Phrase("list the agents of a file, or add one")),
    "set-default": Command(lambda: cli.set_default, Phrase("name the default agent of a file")),
    "chat": Command(lambda: cli.chat, Phrase("start a file with a message, or add one to it")),
    "init": Command(
        lambda: cli.init, Phrase("write a configuration; protect files from other formatters")
    ),
    "import": Command(
        lambda: cli.importing, Phrase("list transcripts of coding agents, and import them")
    ),
    "convert": Command(lambda: cli.convert, Phrase("write a conversation in another format")),
    "view": Command(lambda: cli.view, Phrase("show what the model sees of a file")),
    "assemble": Command(lambda: cli.assemble, Phrase("assemble messages from a stream of deltas")),
    "render": Command(lambda: cli.render, Phrase("write a page of HTML, for reading and sharing")),
    "ask": Command(lambda: cli.ask, Phrase("let a model answer in a file")),
    "run": Command(lambda: cli.run, Phrase("execute the code cells of a file")),
    "provider": Command(
        lambda: cli.provider, Phrase("list the providers of answers, or check one")
    ),
    "fork": Command(lambda: cli.fork, Phrase("start a new file with everything up to a cell")),
    "diff": Command(lambda: cli.diff, Phrase("compare two files by cell")),
    "merge": Command(lambda: cli.merge, Phrase("merge two changed files by cell, for git")),
    "schema": Command(lambda: cli.schema, Phrase("print a JSON Schema")),
    "serve": Command(lambda: cli.serve, Phrase("run the language server, for editors")),
    "completions": Command(lambda: cli.completions, Phrase("print completions for a shell")),
    "version": Command(lambda: cli.version, Phrase("print the version")),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line, and return the exit code."""
    # What a command sets, such as its language, does not outlive it.
    return copy_context().run(_main, argv)


def _main(argv: Sequence[str] | None) -> int:
    arguments = list(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdout, sys.stderr):
        # Printing must not fail, whatever characters are in a file.
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
    except PhrasedError as problem:
        note(problem.phrase)
        return FAILED
    except SystemExit as exit:
        # argparse exits for --help, and for invalid arguments.
        return exit.code if isinstance(exit.code, int) else FAILED
    except BrokenPipeError:
        # The reader of the pipe is gone. What is still buffered must not be tried again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        if error.filename is not None:
            return _mistake(error)
        # An error without a file name is one of the output: a full disk, or a removed device.
        reason = as_phrase(error.strerror or str(error))
        note(Phrase("the output cannot be written: {reason}", reason=reason))
        return FAILED
    except Exception as error:
        return _mistake(error)


def _mistake(error: Exception) -> int:
    """Report an error of msgls itself."""
    import traceback

    traceback.print_exc()
    note(Phrase("internal error: {error}", error=str(error)))
    return FAILED


def entry() -> NoReturn:
    """Run the command line as the whole of a process, and exit at once.

    Python would free a large document object by object, which takes longer than many a check; the
    system frees all memory of a process at once.
    """
    # Searching every installed package for plugins is a good part of pydantic's loading time, and
    # no plugin is wanted here.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    code = main()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    for thread in threading.enumerate():
        # A thread may still be waiting to kill a program that does not end.
        if not thread.daemon and thread is not threading.main_thread():
            thread.join(_PATIENCE_SECONDS)
    os._exit(code)


def _run(arguments: Sequence[str]) -> int:
    name = arguments[0] if arguments else ""
    if name and not name.startswith("-") and name not in COMMANDS:
        from msgls.rules.settings import did_you_mean

        known = Phrase("there are: {names}", names=joined(COMMANDS))
        guess = did_you_mean(name, COMMANDS, known)
        raise UsageProblem(Phrase("unknown command `{name}`{guess}", name=name, guess=guess))
    parser = make_parser([name] if name in COMMANDS else [], spoken("auto"))
    options = parser.parse_args(arguments)
    run: Callable[[argparse.Namespace], int] | None = getattr(options, "run", None)
    if run is None:
        parser.print_help()
        return OK
    return run(options)


def make_parser(loaded: Sequence[str], language: str = "en") -> argparse.ArgumentParser:
    """The parser: of the commands in ``loaded`` with their arguments, or of all without them.

    The manual and the completions of shells are made from the English one.
    """
    parser_class: type[argparse.ArgumentParser] = argparse.ArgumentParser
    formatter_class: type[argparse.HelpFormatter] = _Formatter
    if language != "en":
        from msgls.cli.chinese import ChineseFormatter, ChineseParser

        parser_class, formatter_class = ChineseParser, ChineseFormatter
    parser = parser_class("msgls", description=DESCRIPTION, formatter_class=formatter_class)
    parser.add_argument("--version", action="version", version=f"msgls {__version__}")
    # `prog` is given: to find it out, argparse would load its help formatter.
    title = Phrase("commands")
    commands = parser.add_subparsers(title=title, metavar="COMMAND", prog="msgls")
    for name, command in COMMANDS.items():
        if loaded and name not in loaded:
            continue
        below = commands.add_parser(
            name,
            help=command.help,
            description=_sentence(command.help, language),
            formatter_class=formatter_class,
        )
        if name in loaded:
            module = command.load()
            module.add_arguments(below)
            below.set_defaults(run=module.run)
    return parser


class _Formatter(argparse.HelpFormatter):
    """Help as wide as the terminal. Without a width, argparse loads ``shutil`` to find it."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=columns(sys.stdout) - 2)


def _sentence(help: Phrase, language: str) -> str:
    if language == "en":
        return help[0].upper() + help[1:] + "."
    return Phrase("{sentence}.", sentence=help)


if __name__ == "__main__":
    entry()
