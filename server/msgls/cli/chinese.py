"""Help in Chinese: what argparse says, and how it breaks lines.

Owns the difference to English, where argparse is left alone. It speaks through its formatter,
which can look everything up that it is about to say; only its errors are finished sentences,
which are taken apart again. What cannot be is said in English.
"""

from __future__ import annotations

import argparse
import re
import sys
from typing import NoReturn

from msgls.cli.exits import FAILED
from msgls.cli.terminal import columns, width, wrapped
from msgls.text.phrases import Phrase, as_phrase, joined
from msgls.text.translation import CHINESE, say

_USAGE = Phrase("usage: ")
_HEADING = re.compile("(?m)(?<=[\u4e00-\u9fff]):$")

# Said by argparse itself, and looked up like everything else that a formatter is given.
OWN_WORDS = (
    Phrase("positional arguments"),
    Phrase("options"),
    Phrase("show this help message and exit"),
    Phrase("show program's version number and exit"),
)

# What argparse says of arguments that it cannot read.
_COMPLAINTS = (
    Phrase("argument {name}: {what}"),
    Phrase("the following arguments are required: {names}"),
    Phrase("unrecognized arguments: {names}"),
    Phrase("invalid choice: {value} (choose from {choices})"),
    Phrase("invalid {type} value: {value}"),
    Phrase("expected one argument"),
    Phrase("expected at least one argument"),
    Phrase("not allowed with argument {name}"),
    Phrase("ignored explicit argument {value}"),
    Phrase("ambiguous option: {option} could match {options}"),
)
# The arguments among them that are lists.
_LISTS = frozenset({"names", "choices", "options"})


class ChineseFormatter(argparse.HelpFormatter):
    """Looks up what it is given; lines are as wide as they are shown."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=columns(sys.stdout) - 2)

    def add_text(self, text: str | None) -> None:
        """A description."""
        super().add_text(None if text is None else _in_chinese(text))

    def start_section(self, heading: str | None) -> None:
        """A group of arguments."""
        super().start_section(None if heading is None else _in_chinese(heading))

    def _get_help_string(self, action: argparse.Action) -> str | None:
        return None if action.help is None else _in_chinese(action.help)

    def _split_lines(self, text: str, width: int) -> list[str]:
        return wrapped(text, width, "").split("\n")

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return indent + wrapped(text, width - len(indent), indent)


class ChineseParser(argparse.ArgumentParser):
    """Says its usage and its errors in Chinese; its subcommands do as well."""

    def format_usage(self) -> str:
        """The usage of the command."""
        return _with_usage(super().format_usage())

    def format_help(self) -> str:
        """All that it takes."""
        # argparse puts a colon after each heading.
        return _HEADING.sub("\uff1a", _with_usage(super().format_help()))

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, and end."""
        self.print_usage(sys.stderr)
        phrase = Phrase("{prog}: error: {message}", prog=self.prog, message=_understood(message))
        self.exit(FAILED, say(phrase, CHINESE) + "\n")


def _in_chinese(text: str) -> str:
    return say(as_phrase(text), CHINESE)


def _with_usage(text: str) -> str:
    """Another word at the start, in as many columns: further lines are indented by them."""
    word = _in_chinese(_USAGE)
    return text.replace(_USAGE, word.ljust(len(word) + width(_USAGE) - width(word)), 1)


def _understood(message: str) -> Phrase:
    """What argparse says, as the phrase that it was made of."""
    for known in _COMPLAINTS:
        pattern = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+?)", re.escape(known))
        found = re.fullmatch(pattern, message, re.DOTALL)
        if found is not None:
            parts = found.groupdict()
            if "what" in parts:
                parts["what"] = _understood(parts["what"])
            lists = {name: joined(parts[name].split(", ")) for name in _LISTS & parts.keys()}
            return Phrase(known.template, **{**parts, **lists})
    return as_phrase(message)
