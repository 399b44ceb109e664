r"""The snippet syntax: texts with places to fill in.

``$1`` and ``${1:text}`` are stops, ``${1|a,b|}`` is a choice, ``$0`` is where the cursor
ends. ``plain`` makes the same text for editors without it.
"""

from __future__ import annotations

import re
from collections.abc import Collection

_TEXT = r"((?:\\.|[^{stop}\\])*)"
_STOP = re.compile(
    r"\\([\\$}])"
    rf"|\$\{{[0-9]+:{_TEXT.format(stop='}')}\}}"
    rf"|\$\{{[0-9]+\|{_TEXT.format(stop=',|')}(?:\\.|[^|\\])*\|\}}"
    r"|\$[0-9]+"
)
_ESCAPE = re.compile(r"\\(.)")


def literal(text: str) -> str:
    """``text``, escaped for a snippet."""
    return re.sub(r"([\\$}])", r"\\\1", text)


def choice(number: int, values: Collection[str]) -> str:
    """A stop with a choice of values."""
    # Inside a choice only these three are escaped; a backslash before anything else is literal.
    said = [re.sub(r"([\\,|])", r"\\\1", value) for value in values]
    return literal(next(iter(values), "")) if len(said) < 2 else f"${{{number}|{','.join(said)}|}}"


def plain(snippet: str) -> str:
    """The text of a snippet with its first choices and without its stops."""
    return _STOP.sub(
        lambda match: match[1] or _ESCAPE.sub(r"\1", match[2] or match[3] or ""), snippet
    )
