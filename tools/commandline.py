"""The commands of ``msgls`` as plain data, for the pages that are made from them.

Owns the reading of argparse's own tables. How argparse prints its help differs from one Python
to the next; what is made from this does not.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import NamedTuple

from msgls.cli.main import COMMANDS, DESCRIPTION, make_parser


class Argument(NamedTuple):
    """A positional argument or an option."""

    names: tuple[str, ...]
    """How an option is spelt; nothing for a positional argument."""
    value: str
    """What stands for its value; nothing where it takes none."""
    help: str
    required: bool
    repeated: bool

    @property
    def shown(self) -> str:
        """As a table has it: ``-j, --jobs N``."""
        parts = ", ".join(self.names)
        return f"{parts} {self.value}".strip() if self.names else self.value

    @property
    def usage(self) -> str:
        """As a line of usage has it: ``[PATH…]``."""
        parts = f"{self.names[-1]} {self.value}".strip() if self.names else self.value
        parts += "…" if self.repeated and not self.names else ""
        return parts if self.required else f"[{parts}]"


class Command(NamedTuple):
    """A subcommand."""

    name: str
    help: str
    arguments: tuple[Argument, ...]

    @property
    def usage(self) -> str:
        """How it is called, with all that must be said, and ``OPTIONS`` for the rest."""
        options = [argument for argument in self.arguments if argument.names]
        needed = [argument.usage for argument in options if argument.required]
        rest = ["[OPTIONS]"] if len(needed) < len(options) else []
        values = [argument.usage for argument in self.arguments if not argument.names]
        return " ".join(["msgls", self.name, *rest, *needed, *values])


def commands() -> list[Command]:
    """Every command, in the order that ``msgls --help`` has them."""
    parser = make_parser(list(COMMANDS))
    below = next(
        action for action in parser._actions if isinstance(action, argparse._SubParsersAction)
    )
    return [
        Command(name, COMMANDS[name].help, tuple(_arguments(below.choices[name])))
        for name in COMMANDS
    ]


def description() -> str:
    """What ``msgls`` is, in a sentence."""
    return DESCRIPTION


def _arguments(parser: argparse.ArgumentParser) -> Iterator[Argument]:
    for action in parser._actions:
        if isinstance(action, argparse._HelpAction) or action.help == argparse.SUPPRESS:
            continue
        yield Argument(
            tuple(action.option_strings),
            _value(action),
            (action.help or "") % {**vars(action), "prog": parser.prog},
            action.required if action.option_strings else action.nargs not in ("?", "*"),
            action.nargs in ("*", "+"),
        )


def _value(action: argparse.Action) -> str:
    if action.nargs == 0:
        return ""
    if isinstance(action.metavar, str):
        return action.metavar
    if action.choices is not None:
        return "|".join(map(str, action.choices))
    return action.dest.upper()
