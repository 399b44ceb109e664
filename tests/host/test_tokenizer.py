"""Counting tokens exactly: only where a tokenizer and its table are there, and never fetched."""

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from msgls.document.snapshot import ALONE, Settings
from msgls.features.counting import tokens
from msgls.host import opening, tokenizer
from msgls.rules.settings import OPTIONS
from msgls.text.tokens import ESTIMATE

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
    tokenizer.token_counter.cache_clear()
    yield tmp_path
    tokenizer.token_counter.cache_clear()


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
    counter = tokenizer.token_counter(wanted)
    assert counter.is_exact == exact
    assert counter.count(TEXT) == (4 if exact else round(len(TEXT) / 4))
    assert tokens(1, counter) == ("1 token" if exact else "about 1 token")


def test_without_a_tokenizer_tables_are_not_even_looked_for(
    tables: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put("o200k_base")
    monkeypatch.setattr(tokenizer, "find_spec", lambda name: None)
    assert tokenizer.token_counter("auto") is ESTIMATE


def test_a_document_that_is_opened_is_counted_as_its_settings_say(tables: Path) -> None:
    put("o200k_base")
    text, estimated = "# %% [^a]\n", Settings(tokens="estimate")
    assert opening.open_snapshot("a.msg.md", text, Settings(), ALONE).tokens.is_exact
    assert not opening.open_snapshot("a.msg.md", text, estimated, ALONE).tokens.is_exact


def test_an_empty_text_has_none(tables: Path) -> None:
    put("o200k_base")
    counter = tokenizer.token_counter("auto")
    assert (counter.count(""), counter.count(" ")) == (0, 1)


def test_the_setting_offers_what_there_is() -> None:
    (option,) = [option for option in OPTIONS if option.key == "tokens"]
    assert option.choices == tokenizer.CHOICES
