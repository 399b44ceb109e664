"""Counting tokens exactly: only where a tokenizer and its table are there, and never fetched."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from msgls.document.settings import Settings
from msgls.features.counting import tokens
from msgls.host import opening, tokenizer
from msgls.rules.settings import OPTIONS
from msgls.text.tokens import count_exactly, estimate_tokens, is_exact

TEXT = "four words of text"


class _Encoding:
    def encode(self, text: str, disallowed_special: tuple[str, ...]) -> list[str]:
        assert disallowed_special == ()
        return text.split()


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A machine with a tokenizer and an empty folder for its tables."""
    installed = ModuleType("tiktoken")
    installed.get_encoding = lambda name: _Encoding()  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "tiktoken", installed)
    monkeypatch.setattr(tokenizer, "find_spec", lambda name: installed)
    monkeypatch.setattr(opening, "_has_tokenizer", lambda: True)
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    tokenizer._counter.cache_clear()
    yield tmp_path
    tokenizer._counter.cache_clear()
    count_exactly(None)


def put(encoding: str) -> None:
    tokenizer.table_path(encoding).write_bytes(b"")


@pytest.mark.parametrize(
    ("there", "wanted", "exact"),
    [
        ([], "auto", False),
        (["o200k_base"], "auto", True),
        (["cl100k_base"], "auto", False),
        (["cl100k_base"], "cl100k_base", True),
        (["o200k_base"], "cl100k_base", False),
        (["o200k_base"], "estimate", False),
        (["o200k_base"], "nonsense", False),
    ],
)
def test_it_takes_the_table(tables: Path, there: list[str], wanted: str, exact: bool) -> None:
    for encoding in there:
        put(encoding)
    assert tokenizer.choose(wanted) == is_exact() == exact
    assert estimate_tokens(TEXT) == (4 if exact else round(len(TEXT) / 4))
    assert tokens(1) == ("1 token" if exact else "about 1 token")


def test_without_a_tokenizer_tables_are_not_even_looked_for(
    tables: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put("o200k_base")
    monkeypatch.setattr(tokenizer, "find_spec", lambda name: None)
    assert tokenizer.choose("auto") is False


def test_a_document_that_is_opened_is_counted_as_its_settings_say(tables: Path) -> None:
    put("o200k_base")
    opening.open_document("a.msg.md", "# %% [^a]\n", Settings(), agents=frozenset())
    assert is_exact()
    estimated = Settings(tokens="estimate")
    opening.open_document("a.msg.md", "# %% [^a]\n", estimated, agents=frozenset())
    assert not is_exact()


def test_an_empty_text_has_none(tables: Path) -> None:
    put("o200k_base")
    tokenizer.choose("auto")
    assert (estimate_tokens(""), estimate_tokens(" ")) == (0, 1)


def test_the_setting_offers_what_there_is() -> None:
    (option,) = [option for option in OPTIONS if option.key == "tokens"]
    assert option.choices == tokenizer.CHOICES
