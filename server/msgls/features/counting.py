"""Counts with their nouns, such as "3 tokens"."""

from __future__ import annotations

from msgls.text.phrases import Phrase
from msgls.text.tokens import TokenCounter


def tokens(count: int, counter: TokenCounter) -> Phrase:
    """A number of tokens; with "about" if it is an estimate."""
    if counter.is_exact:
        return counted(count, "token")
    return Phrase("about {tokens}", tokens=counted(count, "token"))


def short_tokens(count: int, counter: TokenCounter) -> Phrase:
    """A number of tokens; with "≈" if it is an estimate."""
    if counter.is_exact:
        return counted(count, "token")
    return Phrase("≈ {tokens}", tokens=counted(count, "token"))


_NOUNS = {
    "call": (Phrase("{count:,} call"), Phrase("{count:,} calls")),
    "character": (Phrase("{count:,} character"), Phrase("{count:,} characters")),
    "delta": (Phrase("{count:,} delta"), Phrase("{count:,} deltas")),
    "line": (Phrase("{count:,} line"), Phrase("{count:,} lines")),
    "message": (Phrase("{count:,} message"), Phrase("{count:,} messages")),
    "part": (Phrase("{count:,} part"), Phrase("{count:,} parts")),
    "result": (Phrase("{count:,} result"), Phrase("{count:,} results")),
    "run": (Phrase("{count:,} run"), Phrase("{count:,} runs")),
    "text": (Phrase("{count:,} text"), Phrase("{count:,} texts")),
    "thought": (Phrase("{count:,} thought"), Phrase("{count:,} thoughts")),
    "token": (Phrase("{count:,} token"), Phrase("{count:,} tokens")),
    "tool call": (Phrase("{count:,} tool call"), Phrase("{count:,} tool calls")),
}


def counted(count: int, noun: str) -> Phrase:
    """A number and a noun, such as "3 tokens"."""
    return plural(count, *_NOUNS[noun])


def plural(count: int, one: Phrase, many: Phrase) -> Phrase:
    """The phrase for one thing or for ``count`` of them."""
    return Phrase(one if count == 1 else many, count=count)
