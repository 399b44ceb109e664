"""Patterns that are compiled late behave like any other."""

import pickle
import re

import pytest

from msgls.text.patterns import lazy_pattern


def test_nothing_is_compiled_before_it_is_used() -> None:
    broken = lazy_pattern("(")
    with pytest.raises(re.error):
        broken.match("a")


def test_it_matches_like_the_real_one() -> None:
    source = r"(?P<a>\d)x"
    lazy, real = lazy_pattern(source, re.IGNORECASE), re.compile(source, re.IGNORECASE)
    text = "1X 2x"
    assert [m.span("a") for m in lazy.finditer(text)] == [m.span("a") for m in real.finditer(text)]
    assert lazy.sub("-", text) == real.sub("-", text) == "- -"
    assert lazy.pattern == real.pattern
    assert lazy.match(text, 3) is not None
    assert lazy.fullmatch("1xx") is None


def test_it_does_not_pretend_to_be_more() -> None:
    assert not hasattr(lazy_pattern("a"), "__no_such__")
    assert pickle.loads(pickle.dumps(lazy_pattern("a"))).match("a")
