"""Texts that may be shared: secrets, and what else is asked for, replaced by placeholders.

Owns the placeholders and their numbers: the same secret gets the same one wherever it
is, so that a reader can still tell two keys apart. Knows no format: a placeholder holds
nothing that JSON, XML or Markdown would read in another way.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from msgls.text.lines import line_starts
from msgls.text.patterns import lazy_pattern
from msgls.text.secrets import Secret, find_secrets
from msgls.text.spans import Span

SECRETS, PATHS, EMAILS = "secrets", "paths", "emails"
KINDS = (SECRETS, PATHS, EMAILS)

_HOME = lazy_pattern(
    r"(?<![\w.])(?:/home/|/Users/|[A-Za-z]:(?:\\{1,2}|/)Users(?:\\{1,2}|/))[^/\\\s\"'`:;,<>|()\[\]]{1,64}"
)
# As Claude Code names the folders of projects.
_HOME_AS_NAME = lazy_pattern(r"(?<=[/\\])-(?:home|Users)-[^-/\\\s\"'`]{1,64}")
_EMAIL = lazy_pattern(
    r"(?<![\w.%+-])(?!git@)[A-Za-z0-9_.%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,5}[A-Za-z]{2,24}(?![\w-])"
)
_BASE64 = re.compile(r"[A-Za-z0-9+/=]*")
# A key is never so long, and an image always is.
_LEAST_DATA = 1000


class Hidden(NamedTuple):
    """A secret that was hidden, and its place."""

    placeholder: str
    line: int
    """From 0."""


class Redactor:
    """Hides what must not be shared, in one text after the other."""

    def __init__(self, kinds: Iterable[str] = (SECRETS,)) -> None:
        self._kinds = frozenset(kinds)
        self._numbers: dict[tuple[str, str], int] = {}
        self._counts: dict[str, int] = {}

    def redact(self, text: str) -> tuple[str, list[Hidden]]:
        """The text with placeholders, and what they stand for."""
        found = sorted(self._found(text))
        if not found:
            return text, []
        starts = line_starts(text)
        pieces: list[str] = []
        hidden: list[Hidden] = []
        done = 0
        for span, placeholder in found:
            if span.start < done:
                continue
            pieces += text[done : span.start], placeholder
            hidden.append(Hidden(placeholder, bisect_right(starts, span.start) - 1))
            done = span.end
        return "".join([*pieces, text[done:]]), hidden

    def _found(self, text: str) -> Iterator[tuple[Span, str]]:
        if SECRETS in self._kinds:
            for secret in find_secrets(text):
                if not _is_data(text, secret):
                    number = self._number("secret", secret.span.of(text))
                    yield secret.span, f"[secret {number}: {_called(secret)}]"
        if PATHS in self._kinds:
            for pattern in (_HOME, _HOME_AS_NAME):
                for match in pattern.finditer(text):
                    yield Span(*match.span()), "~"
        if EMAILS in self._kinds:
            for match in _EMAIL.finditer(text):
                number = self._number("email", match.group().lower())
                yield Span(*match.span()), f"[email {number}]"

    def _number(self, kind: str, value: str) -> int:
        number = self._numbers.get((kind, value))
        if number is None:
            number = self._counts.get(kind, 0) + 1
            self._counts[kind] = self._numbers[kind, value] = number
        return number


def _called(secret: Secret) -> str:
    """What a secret is, in a few words."""
    if secret.kind == "private":
        return "private key"
    if secret.kind == "bearer":
        return "access token"
    if secret.kind == "address":
        return "password in an address"
    if secret.kind == "assigned":
        return secret.owner
    return secret.owner if secret.owner.endswith("Token") else f"{secret.owner} key"


def _is_data(text: str, secret: Secret) -> bool:
    """Whether it is a piece of an image that happens to look like a key."""
    if secret.kind == "private" or len(text) < _LEAST_DATA:
        return False
    start = max(0, secret.span.start - _LEAST_DATA)
    before = _BASE64.match(text[start : secret.span.start][::-1])
    after = _BASE64.match(text, secret.span.end, secret.span.end + _LEAST_DATA)
    length = sum([len(match.group()) for match in (before, after) if match is not None])
    return length >= _LEAST_DATA
