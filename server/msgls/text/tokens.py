"""How many tokens a text takes: about, offline and without a model's tables; or exactly.

Owns the estimate, which a tokenizer can replace. Nothing is loaded or fetched here:
``host/tokenizer.py`` does that, where one is installed.

How far the estimate is off, ``docs/model-view.md`` tells and ``tests/bench/tokens.py`` measures.
"""

from collections.abc import Callable

Counter = Callable[[str], int]

# Characters a token, as byte-pair encoders of recent models cut them on average.
_ASCII_CHARACTERS = 4.0
_OTHER_CHARACTERS = 1.4

MOST_A_CHARACTER = 1.0
"""The most tokens that the estimate gives for a character."""


class TokenCounter:
    """Counts the tokens of a text: exactly with a tokenizer, otherwise by an estimate."""

    __slots__ = ("_exact",)

    def __init__(self, exact: Counter | None = None) -> None:
        self._exact = exact

    @property
    def is_exact(self) -> bool:
        """Whether a tokenizer counts; otherwise a number must be shown as an estimate."""
        return self._exact is not None

    def count(self, text: str) -> int:
        """The number of tokens, exact or estimated; never 0 for a text that is not empty."""
        if not text:
            return 0
        if self._exact is not None:
            return max(1, self._exact(text))
        plain = len(text) if text.isascii() else len(text.encode("ascii", "ignore"))
        return max(1, round(plain / _ASCII_CHARACTERS + (len(text) - plain) / _OTHER_CHARACTERS))


ESTIMATE = TokenCounter()
"""The default: estimates, and needs no tables."""
