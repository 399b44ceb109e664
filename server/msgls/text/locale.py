"""The language that the environment of a process asks for, as it calls it."""

from __future__ import annotations

import os
from collections.abc import Mapping

# The first of these that says something decides, as everywhere on POSIX.
_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")


def environment_tag(environment: Mapping[str, str] = os.environ) -> str:
    """The tag of the locale for messages, such as ``zh_CN.UTF-8``; empty where none is set."""
    return next((environment[name] for name in _VARIABLES if environment.get(name)), "")
