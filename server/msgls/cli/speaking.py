"""The language of the command line: by the settings, the environment, and the terminal's encoding.

Owns the choice. The command line has one user, so unlike the server it keeps the setting for the
whole command.
"""

import os
import sys
from collections.abc import Mapping
from contextvars import ContextVar
from typing import TextIO

from msgls.text.translation import AUTO, ENGLISH, environment_tag, language_of, say

_setting: ContextVar[str] = ContextVar("locale", default=AUTO)


def choose(setting: str) -> None:
    """Set the language for the rest of the command; ``auto`` leaves it to the environment.

    ``cli/main.py`` runs each command in a context of its own.
    """
    _setting.set(setting)


def spoken(
    setting: str,
    for_people: bool = True,
    environment: Mapping[str, str] = os.environ,
    out: TextIO | None = None,
) -> str:
    """The language for a setting.

    With ``auto``, output for people is in the language of their environment, if the encoding of
    ``out`` (by default, standard output) has its characters. Output for programs is in English: it
    must not depend on the machine.
    """
    tag = environment_tag(environment)
    if setting == AUTO and not (
        for_people and tag.lower().startswith("zh") and _has_chinese(out or sys.stdout)
    ):
        return ENGLISH
    return language_of(setting, tag)


def said(phrase: str, out: TextIO | None = None) -> str:
    """A phrase in the language of ``out``."""
    return say(phrase, spoken(_setting.get(), out=out))


def _has_chinese(out: TextIO) -> bool:
    try:
        "\u4e2d".encode(getattr(out, "encoding", None) or "utf-8")
    except (LookupError, UnicodeError):
        return False
    return True
