"""Keys and tokens in a text: found by their prefix, their length and how random they look.

Owns the list of prefixes, the test for randomness and the redacting. Knows no
format. Every search starts from a literal that clean text hardly ever holds, and
goes forward only: the time is linear in the text, whatever is in it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from math import log2
from typing import Literal, NamedTuple

from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Span

Kind = Literal["vendor", "private", "bearer"]


class Secret(NamedTuple):
    """One secret."""

    kind: Kind
    owner: str
    """Whose key it is, as far as the prefix tells."""
    prefix: str
    """What may be shown of it."""
    span: Span


class _Vendor(NamedTuple):
    """How the keys of a vendor begin, and what follows."""

    literal: str
    owner: str
    pattern: re.Pattern[str]
    """Matched at the literal: group 1 is the prefix, group 2 the random part."""


def _vendor(literal: str, owner: str, body: str, prefix: str = "") -> _Vendor:
    pattern = rf"({prefix or re.escape(literal)})({body})(?![A-Za-z0-9])"
    return _Vendor(literal, owner, lazy_pattern(pattern))


_WORD = "[A-Za-z0-9]"
_DASHED = "[A-Za-z0-9_-]"
# Keys grow over time: a length is the least that was ever given out, and open above unless
# the vendor's keys are all of one length.
_VENDORS = (
    _vendor("sk-ant-", "Anthropic", rf"{_DASHED}{{20,}}", r"sk-ant-(?:[a-z]+[0-9]{2}-)?"),
    _vendor("sk-proj-", "OpenAI", rf"{_DASHED}{{20,}}"),
    _vendor("sk-svcacct-", "OpenAI", rf"{_DASHED}{{20,}}"),
    _vendor("sk-admin-", "OpenAI", rf"{_DASHED}{{20,}}"),
    _vendor("sk-or-v1-", "OpenRouter", rf"{_WORD}{{32,}}"),
    _vendor("sk-", "OpenAI", rf"{_WORD}{{20,}}"),
    _vendor("sk_live_", "Stripe", rf"{_WORD}{{16,}}"),
    _vendor("rk_live_", "Stripe", rf"{_WORD}{{16,}}"),
    _vendor("ghp_", "GitHub", rf"{_WORD}{{30,}}"),
    _vendor("gho_", "GitHub", rf"{_WORD}{{30,}}"),
    _vendor("ghu_", "GitHub", rf"{_WORD}{{30,}}"),
    _vendor("ghs_", "GitHub", rf"{_WORD}{{30,}}"),
    _vendor("ghr_", "GitHub", rf"{_WORD}{{30,}}"),
    _vendor("github_pat_", "GitHub", r"[A-Za-z0-9_]{22,}"),
    _vendor("glpat-", "GitLab", rf"{_DASHED}{{20,}}"),
    _vendor("AKIA", "AWS", r"[A-Z0-9]{16}"),
    _vendor("ASIA", "AWS", r"[A-Z0-9]{16}"),
    _vendor("AIza", "Google", rf"{_DASHED}{{35}}"),
    _vendor("GOCSPX-", "Google", rf"{_DASHED}{{24,}}"),
    _vendor("xox", "Slack", r"[A-Za-z0-9-]{20,}", r"xox[abeoprs]-"),
    _vendor("hf_", "Hugging Face", rf"{_WORD}{{30,}}"),
    _vendor("xai-", "xAI", rf"{_WORD}{{40,}}"),
    _vendor("gsk_", "Groq", rf"{_WORD}{{40,}}"),
    _vendor("pplx-", "Perplexity", rf"{_WORD}{{40,}}"),
    _vendor("r8_", "Replicate", rf"{_WORD}{{37}}"),
    _vendor("npm_", "npm", rf"{_WORD}{{36,}}"),
    _vendor("pypi-", "PyPI", rf"{_DASHED}{{50,}}"),
    _vendor("SG.", "SendGrid", rf"{_DASHED}{{16,}}\.{_DASHED}{{16,}}"),
    _vendor("SK", "Twilio", r"[0-9a-f]{32}"),
    _vendor("dop_v1_", "DigitalOcean", r"[0-9a-f]{64}"),
    _vendor("shpat_", "Shopify", r"[0-9a-fA-F]{32}"),
)

_BEGIN = "-----BEGIN "
_END = "-----END "
_BEGIN_LINE = lazy_pattern(r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_END_LINE = lazy_pattern(r"-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_KEY_LINES = lazy_pattern(r"(?:[A-Za-z0-9+/=]{16,}|[ \t\r\n>|]+|\\[nr])+")
_BASE64 = lazy_pattern(r"[A-Za-z0-9+/=]{8,}")
_LEAST_KEY = 64
_LONGEST_KEY = 20_000
_BEARER = ("earer", "EARER")

_TOKEN = lazy_pattern(r"[ \t]+([A-Za-z0-9_.~+/-]{20,}=*)")

_EXAMPLE = lazy_pattern(
    r"example|your|redacted|placeholder|dummy|sample|changeme|insert|(.)\1{4}", re.IGNORECASE
)
_SEPARATORS = lazy_pattern(r"[-_.~+/=]+")
_LEAST_BITS = 2.7
_LEAST_KEY_BITS = 4.5
# Of random neighbours about half are of another kind (capital, letter, digit); in words and
# names few are. Of random neighbours hardly any follow each other in the alphabet.
_LEAST_CHANGES = 0.25
_MOST_STEPS = 0.5


def _by_shared() -> list[tuple[str, list[_Vendor]]]:
    """The vendors by a literal that several of them share, or else by their own.

    One look for what many have in common is all that most texts cost.
    """
    groups: dict[str, list[_Vendor]] = {}
    for vendor in _VENDORS:
        shared = next((s for s in ("sk-", "_") if s in vendor.literal), vendor.literal)
        groups.setdefault(shared, []).append(vendor)
    return list(groups.items())


_BY_SHARED = _by_shared()


# Every key and every token has so many characters of one in a row, and hardly any prose has.
_RUN = b"x" * 16
_KEY_CHARACTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"
_KEYS = bytes(_RUN[0] if byte in _KEY_CHARACTERS else 0 for byte in range(256))
# A token may look like a path or an address, and texts have many of those.
_TOKENS = bytes(_RUN[0] if byte in _KEY_CHARACTERS + b".~+/" else 0 for byte in range(256))


def find_secrets(text: str) -> list[Secret]:
    """The secrets of a text, in order, none inside another."""
    found: list[Secret] = []
    data = text.encode("utf-8", "replace")
    if _RUN in data.translate(_TOKENS):
        if _RUN in data.translate(_KEYS):
            for shared, vendors in _BY_SHARED:
                if shared in text:
                    for vendor in vendors:
                        if vendor.literal in text:
                            found += _of_vendor(text, vendor)
        if any(literal in text for literal in _BEARER):
            found += _bearer_tokens(text)
    if _BEGIN in text:
        found += _private_keys(text)
    if len(found) < 2:
        return found
    found.sort(key=lambda secret: (secret.span.start, -secret.span.end))
    apart: list[Secret] = []
    for secret in found:
        if not apart or apart[-1].span.end <= secret.span.start:
            apart.append(secret)
    return apart


def redacted(text: str, secret: Secret) -> str:
    """The secret with all but its prefix replaced, as long as it was."""
    whole = secret.span.of(text)
    if secret.kind != "private":
        return secret.prefix + "*" * (len(whole) - len(secret.prefix))
    begin, end = _BEGIN_LINE.match(whole), whole.find(_END)
    start = 0 if begin is None else begin.end()
    stop = len(whole) if end < 0 else end
    body = re.sub(r"\\[nr]|[^\s\\]", _starred, whole[start:stop])
    return whole[:start] + body + whole[stop:]


def _starred(match: re.Match[str]) -> str:
    return match.group() if match.group().startswith("\\") else "*"


def _of_vendor(text: str, vendor: _Vendor) -> Iterator[Secret]:
    at = text.find(vendor.literal)
    while at >= 0:
        after = at + len(vendor.literal)
        if not at or not (text[at - 1].isalnum() and text[at - 1].isascii()):
            match = vendor.pattern.match(text, at)
            if match is not None:
                after = match.end()
                if _looks_random(match.group(2)):
                    yield Secret("vendor", vendor.owner, match.group(1), Span(*match.span()))
        at = text.find(vendor.literal, after)


def _private_keys(text: str) -> Iterator[Secret]:
    at, end = text.find(_BEGIN), 0
    while at >= 0:
        begin = _BEGIN_LINE.match(text, at)
        after = at + len(_BEGIN)
        if begin is not None:
            # Found once and kept while it lies ahead: without any, every key would look again.
            if 0 <= end < begin.end():
                end = text.find(_END, begin.end())
            body_end, whole_end = _ends_of_key(text, begin.end(), end)
            body = "".join(_BASE64.findall(text, begin.end(), body_end))
            if len(body) >= _LEAST_KEY and _bits(body) >= _LEAST_KEY_BITS:
                yield Secret("private", "", begin.group(), Span(at, whole_end))
            after = max(begin.end(), body_end)
        at = text.find(_BEGIN, after)


def _ends_of_key(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the key's own lines end, and where all of it ends, its last line included."""
    if 0 <= end - start <= _LONGEST_KEY and text.find(_BEGIN, start, end) < 0:
        closing = _END_LINE.match(text, end)
        if closing is not None:
            return end, closing.end()
    lines = _KEY_LINES.match(text, start)
    body_end = start if lines is None else start + len(lines.group().rstrip())
    return body_end, body_end


def _bearer_tokens(text: str) -> Iterator[Secret]:
    for literal in _BEARER:
        at = text.find(literal)
        while at >= 0:
            after = at + len(literal)
            match = _TOKEN.match(text, after) if text[at - 1 : at] in ("B", "b") else None
            if match is not None:
                after = match.end()
                if _looks_random(match.group(1)):
                    yield Secret("bearer", "", "", Span(*match.span(1)))
            at = text.find(literal, after)


def _looks_random(body: str) -> bool:
    """Whether nobody would write that by hand: no word, no pattern, many characters."""
    if _EXAMPLE.search(body):
        return False
    bare = _SEPARATORS.sub("", body)
    pairs = list(pairwise(bare))
    steps = sum(ord(second) - ord(first) in (0, 1) for first, second in pairs)
    if not pairs or steps > _MOST_STEPS * len(pairs):
        return False
    changes = sum(_kind(first) != _kind(second) for first, second in pairs)
    # Keys of capitals and few digits are random in another way.
    if changes < _LEAST_CHANGES * len(pairs) and not bare.isupper():
        return False
    return _bits(bare) >= _LEAST_BITS


def _kind(character: str) -> int:
    return 0 if character.isdigit() else 1 if character.isupper() else 2


def _bits(body: str) -> float:
    """Shannon's entropy of the characters, in bits each."""
    total = len(body)
    return -sum(n / total * log2(n / total) for n in Counter(body).values())
