"""The translations: complete, and what the check of them finds."""

import re

import pytest
from babel.messages.catalog import Catalog

from msgls.text.phrases import PhrasedError
from tools import translations

CHINESE = translations.read(translations.CHINESE)
# Between Chinese and code or Latin letters there is a blank; beside full-width marks there is none.
_TORN = re.compile(
    "[\u4e00-\u9fff][,;:?!(]|[\u4e00-\u9fff][A-Za-z0-9`]|[A-Za-z0-9`][\u4e00-\u9fff]"
)
_WIDE = re.compile("[，。：；、？！（] | [，。：；、？！）]")


def test_every_text_is_translated() -> None:
    # Where this fails: make translations
    assert list(translations.faults(CHINESE, translations.template())) == []


def test_the_file_is_as_the_tool_writes_it() -> None:
    assert translations.written(CHINESE) == translations.CHINESE.read_bytes()


def test_chinese_has_its_own_punctuation() -> None:
    texts = [str(message.string) for message in CHINESE if message.id]
    assert [text for text in texts if _TORN.search(text) or _WIDE.search(text)] == []


def test_every_error_with_a_phrase_is_extracted() -> None:
    names = [cls.__name__ for cls in PhrasedError.__subclasses__()]
    assert {"PhrasedError", *names} <= translations.KEYWORDS.keys()


@pytest.mark.parametrize(
    ("english", "chinese", "fault"),
    [
        ("Insert {name}", "插入 {name}", None),
        ("Insert {name}", "", "no translation: Insert {name}"),
        ("Insert {name}", "插入", "other arguments: Insert {name}"),
        ("{count:,} cells", "{count} 个单元", "other arguments: {count:,} cells"),
        ("Change to `true`", "改为 `false`", "other code: Change to `true`"),
    ],
)
def test_what_the_check_finds(english: str, chinese: str, fault: str | None) -> None:
    expected, catalogue = Catalog(), Catalog(locale="zh_CN")
    expected.add(english)
    catalogue.add(english, chinese)
    assert list(translations.faults(catalogue, expected)) == ([fault] if fault else [])


def test_what_is_left_over_is_found() -> None:
    catalogue = Catalog(locale="zh_CN")
    catalogue.add("Gone", "没有了")
    assert list(translations.faults(catalogue, Catalog())) == ["not in the sources any more: Gone"]


def test_a_text_that_was_changed_is_shown_with_its_earlier_translation() -> None:
    expected, catalogue = Catalog(), Catalog(locale="zh_CN")
    for english in ("Checks `role` and `priority`.", "Something else entirely", "Kept"):
        expected.add(english)
    catalogue.add("Checks `role`.", "检查 `role`。")
    catalogue.add("Kept", "保留")
    found = translations.earlier(catalogue, expected)
    assert found == {"Checks `role` and `priority`.": "检查 `role`。"}
