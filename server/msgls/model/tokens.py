"""How many tokens a text takes, about: offline, without a model's tables.

Owns the estimate and nothing else; whoever shows it says that it is one.
"""

from __future__ import annotations

# Characters a token, as byte-pair encoders of recent models cut them on average.
_ASCII_CHARACTERS = 4.0
_OTHER_CHARACTERS = 1.4

MOST_A_CHARACTER = 1.0
"""No text of some length is said to have more tokens than that many times its characters."""


def estimate_tokens(text: str) -> int:
    """About as many tokens as a model would count, never 0 for a text that is not empty."""
    if not text:
        return 0
    plain = len(text) if text.isascii() else len(text.encode("ascii", "ignore"))
    return max(1, round(plain / _ASCII_CHARACTERS + (len(text) - plain) / _OTHER_CHARACTERS))
