"""Regular expressions that are compiled on first use.

Compiling is the larger part of what loading a module costs, and most runs of the
command line need few of the patterns. After the first use a pattern is as fast as any.
"""

import re
from typing import Any, AnyStr, cast

_METHODS = ("match", "fullmatch", "search", "finditer", "findall", "sub", "subn", "split")


class _LazyPattern:
    """Compiles its pattern at the first call."""

    def __init__(self, source: Any, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        compiled = re.compile(self._source, self._flags)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def lazy_pattern(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Like ``re.compile``, but compiled on first use."""
    return cast("re.Pattern[AnyStr]", _LazyPattern(source, flags))


HALVES = lazy_pattern("[\ud800-\udfff]")
"""Half of a character (a lone surrogate): an escape in JSON can name one, UTF-8 cannot hold it."""
