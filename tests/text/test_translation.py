"""Translation: how a language is chosen, and phrases in it."""

import pickle
import subprocess
import sys

import pytest

from msgls.rules.registry import rule_text
from msgls.rules.settings import OPTIONS
from msgls.text.phrases import EMPTY, Phrase, PhrasedError, as_phrase, joined, paragraph_phrase
from msgls.text.translation import AUTO, CHINESE, ENGLISH, LANGUAGES, language_of, say


def test_a_phrase_is_its_english_text() -> None:
    calls = Phrase("{count:,} runs", count=1200)
    phrase = Phrase("{calls}, {count:,} unanswered", calls=calls, count=3)
    assert phrase == "1,200 runs, 3 unanswered"
    assert say(phrase, ENGLISH) == "1,200 runs, 3 unanswered"
    assert type(say(phrase, ENGLISH)) is str
    assert say(phrase, CHINESE) == "1,200 次运行，3 个未应答"


def test_what_has_no_twin_is_said_as_it_is() -> None:
    assert say(Phrase("nobody says {what}", what="this"), CHINESE) == "nobody says this"
    assert say("Split cell", CHINESE) == "Split cell"
    assert say(Phrase("expected '{'"), CHINESE) == "expected '{'"


def test_lists_have_the_comma_of_their_language() -> None:
    roles = joined(["`user`", Phrase("a cell")])
    assert (roles, say(roles, CHINESE)) == ("`user`, a cell", "`user`、某个单元")
    pieces = joined([Phrase("{count:,} runs", count=2), "a, b"], " · ")
    assert (pieces, say(pieces, CHINESE)) == ("2 runs · a, b", "2 次运行 · a, b")
    assert (joined([]), say(joined(["x"]), CHINESE)) == ("", "x")


def test_choices_have_the_or_of_their_language() -> None:
    types = joined([Phrase("a text"), Phrase("a list"), Phrase("an object")], " or ")
    assert (types, say(types, CHINESE)) == ("a text or a list or an object", "文本或列表或对象")


def test_paragraphs_are_looked_up_in_one_line() -> None:
    text = paragraph_phrase("Use\ninstead:")
    assert (text, say(text, ENGLISH), say(text, CHINESE)) == (text, "Use\ninstead:", "应改为：")
    assert say(pickle.loads(pickle.dumps(text)), CHINESE) == say(text, CHINESE)
    assert say(paragraph_phrase("As it\n{is}."), CHINESE) == "As it\n{is}."


def test_nothing_is_nothing_in_every_language() -> None:
    # A catalogue keeps its own header below the empty text.
    assert say(EMPTY, CHINESE) == say(Phrase(""), CHINESE) == ""


def test_phrases_can_be_sent_to_other_processes() -> None:
    phrase = pickle.loads(pickle.dumps(Phrase("message {name}", name="{x}")))
    assert (phrase, say(phrase, CHINESE)) == ("message {x}", "消息 {x}")


def test_errors_say_phrases() -> None:
    error = PhrasedError("`{name}` is not a valid agent name", name="[x]")
    assert str(error) == error.phrase == "`[x]` is not a valid agent name"
    assert PhrasedError(error.phrase).phrase.args == {"name": "[x]"}
    assert as_phrase(error.phrase) is error.phrase


# -- what is said --------------------------------------------------------------------------


def test_arguments_that_are_phrases_are_said_in_the_language_of_the_text() -> None:
    args = {"reason": Phrase("{what} is missing", what="`]`")}
    assert rule_text("DLT001", "message", args) == "this is not valid JSON: `]` is missing"
    assert rule_text("DLT001", "message", args, CHINESE) == "这不是有效的 JSON：缺少 `]`"


def test_what_stands_in_a_file_is_never_translated() -> None:
    said = rule_text("MSG012", "message", {"name": "message"}, CHINESE)
    assert said == "默认代理 `message` 不存在：请注册它，或指定另一个"


# -- which language ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tag", "language"),
    [
        ("zh", CHINESE),
        ("zh-cn", CHINESE),
        ("zh-CN", CHINESE),
        ("zh-Hans", CHINESE),
        ("zh-hans-sg", CHINESE),
        ("zh-Hans-TW", CHINESE),
        ("zh_CN.UTF-8", CHINESE),
        ("zh_CN.GB18030@stroke", CHINESE),
        ("zh-tw", ENGLISH),
        ("zh-Hant", ENGLISH),
        ("zh_HK.UTF-8", ENGLISH),
        ("en", ENGLISH),
        ("de-AT", ENGLISH),
        ("zhx", ENGLISH),
        ("C.UTF-8", ENGLISH),
        ("POSIX", ENGLISH),
        ("", ENGLISH),
        ("-", ENGLISH),
        (None, ENGLISH),
    ],
)
def test_the_language_of_a_tag(tag: str | None, language: str) -> None:
    assert language_of(AUTO, tag) == language


@pytest.mark.parametrize("setting", LANGUAGES)
def test_a_setting_goes_before_any_tag(setting: str) -> None:
    assert {language_of(setting, tag) for tag in ("zh-cn", "en", None)} == {setting}


def test_the_setting_has_every_language() -> None:
    (option,) = [option for option in OPTIONS if option.key == "locale"]
    assert option.choices == (AUTO, *LANGUAGES)


def test_chinese_is_loaded_only_when_it_is_needed() -> None:
    program = (
        "import sys\n"
        "from msgls.text import translation\n"
        "from msgls.text.phrases import Phrase\n"
        "assert translation.say(Phrase('Split cell'), 'en') == 'Split cell'\n"
        "assert 'gettext' not in sys.modules\n"
        "assert translation._chinese.cache_info().currsize == 0\n"
        "assert translation.say(Phrase('Split cell'), 'zh') == '拆分单元'\n"
    )
    subprocess.run([sys.executable, "-X", "utf8", "-c", program], check=True)
