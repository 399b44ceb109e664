"""The man page ``msgls.1``, from the commands themselves.

Owns the roff: one page for all commands, because ``man msgls`` is what people type.
"""

from __future__ import annotations

from collections.abc import Iterator

from tools import commandline

_EXITS = (
    ("0", "All is well."),
    ("1", "There is something to say: problems, or files that would change."),
    ("2", "It was called wrongly, or something could not be read or written."),
)
_FILES = (
    ("msgls.toml", "The configuration; the nearest one upward of a file counts."),
    ("pyproject.toml", "The same below [tool.msgls], where there is no msgls.toml beside it."),
    ("agents.json", "Its agents are registered for the message files below it."),
)
_ENVIRONMENT = (
    ("NO_COLOR", "No colours."),
    ("FORCE_COLOR", "Colours, even where no terminal is."),
)


def manpage(version: str) -> str:
    """The page."""
    return "\n".join(_lines(version)) + "\n"


def _lines(version: str) -> Iterator[str]:
    description = commandline.description()
    yield '.\\" Made from the commands by `make docs`.'
    yield f'.TH MSGLS 1 "" "msgls {version}" "User Commands"'
    yield ".SH NAME"
    yield f"msgls \\- {_text(description[0].lower() + description[1:].rstrip('.'))}"
    yield ".SH SYNOPSIS"
    yield ".B msgls"
    yield "[\\-\\-help] [\\-\\-version]"
    yield ".I COMMAND"
    yield "[ARGUMENTS]"
    yield ".SH DESCRIPTION"
    yield _text(description)
    yield "Message files (*.msg.md), Simple Text Format (*.stf), ChatBuilder messages, boot"
    yield "messages (agents.json) and messages as JSON are told by their names and first lines."
    yield ".SH COMMANDS"
    for command in commandline.commands():
        yield f".SS {_text(command.usage)}"
        yield _text(command.help[0].upper() + command.help[1:] + ".")
        for argument in command.arguments:
            yield from _entry(argument.shown, argument.help)
    for title, entries in (
        ("EXIT STATUS", _EXITS),
        ("FILES", _FILES),
        ("ENVIRONMENT", _ENVIRONMENT),
    ):
        yield f".SH {title}"
        for name, text in entries:
            yield from _entry(name, text)


def _entry(name: str, text: str) -> Iterator[str]:
    yield ".TP"
    yield f".B {_text(name)}"
    yield _text(text)


def _text(text: str) -> str:
    """A line of text that roff takes for nothing else."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("…", "...")
    return "\\&" + escaped if escaped[:1] in (".", "'") else escaped
