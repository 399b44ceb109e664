"""How many tokens a text takes: about, offline and without a model's tables; or exactly.

Owns the estimate, and the place where a tokenizer can stand in for it. Nothing is loaded or
fetched here: ``host/tokenizer.py`` does that, where somebody installed one.

How far the estimate is off, ``docs/model-view.md`` tells and ``tests/bench/tokens.py`` measures.
"""

from __future__ import annotations

from collections.abc import Callable

Counter = Callable[[str], int]

# Characters a token, as byte-pair encoders of recent models cut them on average.
_ASCII_CHARACTERS = 4.0
_OTHER_CHARACTERS = 1.4

MOST_A_CHARACTER = 1.0
"""No text of some length is estimated to have more tokens than that many times its characters."""

_exact: list[Counter] = []


def count_exactly(counter: Counter | None) -> None:
    """Let a tokenizer count from now on; nothing brings the estimate back."""
    _exact[:] = [] if counter is None else [counter]


def exact_counter() -> Counter | None:
    """The tokenizer that counts; nothing while the estimate does."""
    return _exact[0] if _exact else None


def is_exact() -> bool:
    """Whether a tokenizer counts: else whoever shows a number says that it is an estimate."""
    return bool(_exact)


def estimate_tokens(text: str) -> int:
    """As many tokens as a model counts, or about; never 0 for a text that is not empty."""
    if not text:
        return 0
    if _exact:
        return max(1, _exact[0](text))
    plain = len(text) if text.isascii() else len(text.encode("ascii", "ignore"))
    return max(1, round(plain / _ASCII_CHARACTERS + (len(text) - plain) / _OTHER_CHARACTERS))
