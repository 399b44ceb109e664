"""Secrets at the edges of a text. Every one is made up here, and put together at run time."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.text.secrets import (
    _INNER_MARK,
    _INNER_SHAPES,
    _INNER_SIGN,
    find_secrets,
    may_hold_secrets,
    redacted,
)

LETTERS = "q7Rk2VbN9xTf4WmZc8Lp" + "3HsJ6dYg1AuEoB5iCvXnKw0tMzQhDr"
DASHES = "-" * 5
KEY_LINES = "\n".join([LETTERS + "+/", LETTERS[::-1] + "AA"])
BEGIN, END = f"{DASHES}BEGIN PRIVATE KEY{DASHES}", f"{DASHES}END PRIVATE KEY{DASHES}"
SECRETS = [
    ("vendor", "gh" + "p_" + LETTERS[:36]),
    ("vendor", "sk" + "-" + LETTERS[:40]),
    ("private", f"{BEGIN}\n{KEY_LINES}\n{END}"),
    ("private", f"{BEGIN}\n{KEY_LINES}"),
    ("bearer", LETTERS),
]


def in_context(kind: str, secret: str) -> str:
    return f"Bearer {secret}" if kind == "bearer" else secret


@pytest.mark.parametrize(("kind", "secret"), SECRETS)
@pytest.mark.parametrize(("before", "after"), [("", ""), ("x ", ""), ("", "\nx"), ("\n", " ")])
def test_a_secret_anywhere_in_a_text(kind: str, secret: str, before: str, after: str) -> None:
    text = before + in_context(kind, secret) + after
    (found,) = find_secrets(text)
    assert (found.kind, found.span.of(text)) == (kind, secret)
    hidden = redacted(text, found)
    assert len(hidden) == len(secret)
    assert LETTERS[:36] not in hidden


@pytest.mark.parametrize(("kind", "secret"), SECRETS)
def test_each_of_two_is_found(kind: str, secret: str) -> None:
    text = in_context(kind, secret) + "\n\n" + in_context(kind, secret) + "\n"
    assert [found.span.of(text) for found in find_secrets(text)] == [secret, secret]


def test_only_what_is_secret_of_a_private_key_is_hidden() -> None:
    text = f"{BEGIN}\n{KEY_LINES}\n{END}"
    (found,) = find_secrets(text)
    stars = "*" * 52
    assert redacted(text, found) == f"{BEGIN}\n{stars}\n{stars}\n{END}"


@pytest.mark.parametrize(
    ("before", "is_found"),
    [("x", False), ("7", False), ("-", True), ("x-", True), ("_", True), ("\u00e9", True)],
)
def test_a_key_starts_where_no_word_goes_on(before: str, is_found: bool) -> None:
    assert bool(find_secrets(before + SECRETS[0][1])) is is_found


def test_a_key_without_its_end_ends_before_the_next() -> None:
    text = f"{BEGIN}\n{KEY_LINES}\n\nand\n\n{BEGIN}\n{KEY_LINES}\n{END}\n"
    found = [secret.span.of(text) for secret in find_secrets(text)]
    assert found == [f"{BEGIN}\n{KEY_LINES}", f"{BEGIN}\n{KEY_LINES}\n{END}"]


@given(st.data())
def test_what_stands_inside_a_run_is_announced_by_a_sign(data: st.DataObject) -> None:
    shape = data.draw(st.sampled_from(_INNER_SHAPES))
    secret = data.draw(st.from_regex(re.compile(shape.pattern.pattern, re.ASCII), fullmatch=True))
    assert _INNER_MARK.search(secret)
    assert _INNER_SIGN.search(secret)


@given(st.lists(st.text(st.sampled_from('ab1:=/"\n .-'), max_size=40), max_size=6), st.data())
def test_many_texts_are_searched_as_each_by_itself(texts: list[str], data: st.DataObject) -> None:
    for secret in data.draw(st.lists(st.sampled_from(SECRETS), max_size=3)):
        texts.insert(data.draw(st.integers(0, len(texts))), in_context(*secret))
    holding = {number for number, text in enumerate(texts) if find_secrets(text)}
    assert holding <= may_hold_secrets(texts)


def test_lines_of_wrapped_base64_hold_no_keys_but_at_their_starts() -> None:
    key = "AKC" + LETTERS[:20]
    filler = (LETTERS * 2)[:52]
    inside, at_start = f"{filler}+{key}", f"{key}/{filler}"
    assert len(inside) == len(at_start) == 76
    first = (LETTERS * 2)[7:83]

    def found(*lines: str, end: str = "\n") -> list[str]:
        text = end.join(lines)
        return [secret.span.of(text) for secret in find_secrets(text)]

    assert found(first, inside, inside) == []
    assert found("  " + first, "  " + inside, end="\r\n") == []
    assert found(first, at_start) == [key]
    # What has a blank line, another length or another sign between is not wrapped.
    assert found(first, "", inside) == [key]
    assert found(first[4:], inside) == [key]
    assert found(first, inside.replace("+", "=")) == [key]


def test_a_list_of_keys_is_not_base64() -> None:
    keys = ["cmVmd" + (LETTERS * 2)[at : at + 59] for at in range(4)]
    assert [secret.prefix for secret in find_secrets("\n".join(keys))] == ["cmVmd"] * 4


@pytest.mark.parametrize(
    "time", ["2024-10-26T00:00:22.658Z", "2024-10-26T00:00:22+02:00", "2024-10-26T00:00:22.123456Z"]
)
@pytest.mark.parametrize("name", ["confluence", "confluent", "mattermost", "dropbox", "discord"])
def test_a_time_after_the_name_of_a_service_is_not_its_key(name: str, time: str) -> None:
    assert find_secrets(f'{{"{name}": "{time}"}}') == []
    assert may_hold_secrets([f'{{"{name}": "{time}"}}']) == set()
