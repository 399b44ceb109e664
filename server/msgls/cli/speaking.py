"""The language of the command line: what the environment asks for, and a terminal can show."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TextIO

from msgls.rules.texts import AUTO, language_of

# The first of these that says something decides, as everywhere on POSIX.
_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")


def spoken(
    setting: str,
    for_people: bool = True,
    environment: Mapping[str, str] = os.environ,
    out: TextIO | None = None,
) -> str:
    """The language that a setting asks for.

    Where nothing is set, people are spoken to in the language of their environment, as far as
    ``out`` (by default, standard output) has its characters; and programs in English: what
    they read must not depend on whose machine it is.
    """
    said = [environment[name] for name in _VARIABLES if environment.get(name)]
    if setting != AUTO or not said or not for_people or not _has_chinese(out or sys.stdout):
        return language_of(setting, None)
    return language_of(setting, said[0])


def _has_chinese(out: TextIO) -> bool:
    try:
        "\u4e2d".encode(getattr(out, "encoding", None) or "utf-8")
    except (LookupError, UnicodeError):
        return False
    return True
