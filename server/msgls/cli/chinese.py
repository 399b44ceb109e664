"""Help in Chinese: the texts of argparse, and its line breaks.

In English, argparse is not changed. All its texts but errors go through a formatter, which can
translate them. Errors are complete sentences, which are matched with the templates that they were
made from; one that matches none is printed in English.
"""

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

# Texts of argparse itself, which the formatter translates like all others.
OWN_WORDS = (
    Phrase("positional arguments"),
    Phrase("options"),
    Phrase("show this help message and exit"),
    Phrase("show program's version number and exit"),
)

# The errors of argparse.
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
    """Translates the texts, and breaks lines by their width on a terminal."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=columns(sys.stdout) - 2)

    def add_text(self, text: str | None) -> None:
        """Add a description."""
        super().add_text(None if text is None else _in_chinese(text))

    def start_section(self, heading: str | None) -> None:
        """Start a group of arguments."""
        super().start_section(None if heading is None else _in_chinese(heading))

    def _get_help_string(self, action: argparse.Action) -> str | None:
        return None if action.help is None else _in_chinese(action.help)

    def _split_lines(self, text: str, width: int) -> list[str]:
        return wrapped(text, width, "").split("\n")

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return indent + wrapped(text, width - len(indent), indent)


class ChineseParser(argparse.ArgumentParser):
    """Prints usage and errors in Chinese, for itself and its subcommands."""

    def format_usage(self) -> str:
        """The usage of the command."""
        return _with_usage(super().format_usage())

    def format_help(self) -> str:
        """The help of the command."""
        # argparse puts a colon after each heading.
        return _HEADING.sub("\uff1a", _with_usage(super().format_help()))

    def error(self, message: str) -> NoReturn:
        """Print an error, and exit."""
        self.print_usage(sys.stderr)
        phrase = Phrase("{prog}: error: {message}", prog=self.prog, message=_understood(message))
        self.exit(FAILED, say(phrase, CHINESE) + "\n")


def _in_chinese(text: str) -> str:
    return say(as_phrase(text), CHINESE)


def _with_usage(text: str) -> str:
    """Translate "usage:", padded to the same width, which further lines are indented by."""
    word = _in_chinese(_USAGE)
    return text.replace(_USAGE, word.ljust(len(word) + width(_USAGE) - width(word)), 1)


def _understood(message: str) -> Phrase:
    """An error of argparse, as the phrase that it was made from."""
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
