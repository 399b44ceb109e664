"""The language of the command line: what is set, and what the environment asks for.

Owns the choice, which is also one of what a terminal can show. The command line speaks to one
person, so unlike the server it remembers what was set where it works. Where English is spoken,
nothing is loaded for it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextvars import ContextVar
from typing import TextIO

from msgls.text.translation import environment_tag

# As in `text.translation`, which is imported only for another language.
_AUTO, _ENGLISH = "auto", "en"


_setting: ContextVar[str] = ContextVar("locale", default=_AUTO)


def choose(setting: str) -> None:
    """Speak as is configured where the command works: ``auto`` leaves it to the environment.

    It holds for the command that runs, and ends with it (``cli/main.py``).
    """
    _setting.set(setting)


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
    tag = environment_tag(environment)
    if setting == _AUTO and not (
        for_people and tag.lower().startswith("zh") and _has_chinese(out or sys.stdout)
    ):
        return _ENGLISH
    from msgls.text.translation import language_of

    return language_of(setting, tag)


def said(phrase: str, out: TextIO | None = None) -> str:
    """A phrase in the language of the person who reads ``out``."""
    language = spoken(_setting.get(), out=out)
    if language == _ENGLISH:
        return str(phrase)
    from msgls.text.translation import say

    return say(phrase, language)


def _has_chinese(out: TextIO) -> bool:
    try:
        "\u4e2d".encode(getattr(out, "encoding", None) or "utf-8")
    except (LookupError, UnicodeError):
        return False
    return True
