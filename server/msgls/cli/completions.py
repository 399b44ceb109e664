"""``msgls completions``: the completion script for a shell, made from the parsers."""

import argparse

from msgls.cli.exits import OK
from msgls.text.phrases import Phrase

SHELLS = ("bash", "zsh", "fish")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("shell", choices=SHELLS, help=Phrase("the shell to complete for"))


def run(options: argparse.Namespace) -> int:
    """Print the script; docs/cli.md says how to install it."""
    import shtab

    from msgls.cli.main import COMMANDS, make_parser

    parser = make_parser(list(COMMANDS))
    _complete_files(parser)
    print(shtab.complete(parser, shell=options.shell))
    return OK


def _complete_files(parser: argparse.ArgumentParser) -> None:
    """Let the shell complete file names for arguments that are paths."""
    import shtab

    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                _complete_files(below)
        elif action.metavar in ("PATH", "FILE"):
            action.complete = shtab.FILE  # type: ignore[attr-defined]  # how shtab is told
