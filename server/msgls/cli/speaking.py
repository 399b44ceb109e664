"""The language of the command line: what the environment asks for."""

from __future__ import annotations

import os
from collections.abc import Mapping

from msgls.rules.texts import language_of

# The first of these that says something decides, as everywhere on POSIX.
_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")


def spoken(
    setting: str, for_people: bool = True, environment: Mapping[str, str] = os.environ
) -> str:
    """The language that a setting asks for.

    Where nothing is set, people are spoken to in the language of their environment, and
    programs in English: what they read must not depend on whose machine it is.
    """
    said = [environment[name] for name in _VARIABLES if environment.get(name)]
    return language_of(setting, said[0] if said and for_people else None)
