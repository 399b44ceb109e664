"""The catalogue: every text in both languages, and how a language is chosen."""

from __future__ import annotations

import ast
import pickle
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

import msgls
from msgls.features.chatbuilder.versions import PARTS as VERSION_PARTS
from msgls.features.msgjson.shapes import fields_of, meaning_of, models
from msgls.features.msgmd.cells import _article
from msgls.formats.agents import AGENT_ATTRIBUTES, expected_value
from msgls.formats.agentsjson.boot import agents_json_schema
from msgls.formats.msgmd.meaning import CellRole
from msgls.rules.base import Rule, Severity
from msgls.rules.documentation import page_of
from msgls.rules.registry import BY_CODE, RULES
from msgls.rules.settings import OPTIONS
from msgls.rules.texts import AUTO, CHINESE, ENGLISH, LANGUAGES, language_of, say, text
from msgls.rules.texts.en import TEXTS as ENGLISH_TEXTS
from msgls.rules.texts.zh import TEXTS as CHINESE_TEXTS
from msgls.rules.texts.zh_pages import PAGES
from msgls.rules.texts.zh_pages import PHRASES as PAGE_PHRASES
from msgls.rules.texts.zh_phrases import PHRASES
from msgls.text.phrases import Phrase, PhrasedError, as_phrase, joined, titled

PACKAGE = Path(msgls.__file__).parent

# What makes a phrase of its first argument.
MAKERS = frozenset(
    {
        "Phrase",
        "CannotAppend",
        "FileProblem",
        "InvalidArgument",
        "RefusedError",
        "RenameRefused",
        "Unreadable",
    }
)

# Hiragana and Katakana would be another language; everything else Chinese is in here.
_CHINESE = re.compile("[\u4e00-\u9fff]")


def arguments(template: str) -> list[tuple[str, str]]:
    """The arguments of a template, each with its format."""
    pieces = Formatter().parse(template)
    return sorted([(name, spec or "") for _, name, spec, _ in pieces if name is not None])


def quoted(template: str) -> list[str]:
    """The code that a template quotes."""
    return sorted(re.findall("`[^`]*`", template))


def words(template: str) -> str:
    """What is left of a template without its arguments and without what it quotes."""
    return re.sub(r"`[^`]*`|\{[^{}]*\}", "", template)


def rule_texts() -> list[tuple[str, str]]:
    return [(code, key) for code, texts in ENGLISH_TEXTS.items() for key in texts]


# -- the texts of rules -------------------------------------------------------------------


def test_every_text_of_a_rule_has_its_twin_and_none_is_too_many() -> None:
    keys = {code: list(texts) for code, texts in ENGLISH_TEXTS.items()}
    assert {code: list(texts) for code, texts in CHINESE_TEXTS.items()} == keys


def differ(template: str, twin: str) -> bool:
    """Whether two templates do not have the same arguments and the same code."""
    return arguments(twin) != arguments(template) or quoted(twin) != quoted(template)


def test_twins_have_the_same_arguments_and_code() -> None:
    assert [
        (code, key)
        for code, key in rule_texts()
        if differ(ENGLISH_TEXTS[code][key], CHINESE_TEXTS[code][key])
    ] == []


def test_chinese_texts_are_chinese() -> None:
    plain = [
        (code, key)
        for code, key in rule_texts()
        if re.search("[a-z]", words(ENGLISH_TEXTS[code][key]))
        and not _CHINESE.search(CHINESE_TEXTS[code][key])
    ]
    assert plain == []


@pytest.mark.parametrize("catalogue", [*CHINESE_TEXTS.values(), PHRASES, PAGE_PHRASES])
def test_chinese_has_its_own_marks_and_blanks_around_code(catalogue: Mapping[str, str]) -> None:
    # A blank between Chinese and code or Latin letters; none beside a mark that is wide.
    torn = re.compile(
        "[\u4e00-\u9fff][,;:?!(]|[\u4e00-\u9fff][A-Za-z0-9`]|[A-Za-z0-9`][\u4e00-\u9fff]"
    )
    wide = re.compile("[，。：；、？！（] | [，。：；、？！）]")
    assert [t for t in catalogue.values() if torn.search(t) or wide.search(t)] == []


# -- phrases ------------------------------------------------------------------------------


def calls(tree: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id, node


def literal(call: ast.Call, number: int) -> str | None:
    """An argument of a call, where it is a text that is written out."""
    node = call.args[number] if number < len(call.args) else None
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return ast.literal_eval(node) if node is not None and is_text else None


def templates() -> Iterator[str]:
    """The templates of all phrases that the package says."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for name, call in calls(ast.parse(path.read_text("utf-8"))):
            said = literal(call, 0) if name in MAKERS else None
            counted = literal(call, 1) if name == "counted" else None
            if said is not None:
                yield said
            if counted is not None:
                yield from (f"{{count:,}} {counted}", f"{{count:,}} {counted}s")
    yield from [_article(role).template for role in CellRole]


def described() -> Iterator[str]:
    """What is said in hovers and completions and written elsewhere: in models, mostly."""
    for model in models().values():
        yield meaning_of(model)
        yield from [field.description for field in fields_of(model).values()]
    yield from _of_schema(agents_json_schema()["$defs"])
    yield from [expected_value(key) for key in AGENT_ATTRIBUTES]
    yield from [severity.label for severity in Severity]
    yield from VERSION_PARTS
    yield from [page_of(rule).summary for rule in RULES]


def _of_schema(definitions: Mapping[str, Any]) -> Iterator[str]:
    for definition in definitions.values():
        yield definition["description"]
        for member in definition["properties"].values():
            yield member.get("description", "")


def needed() -> list[str]:
    """Those that have words."""
    found = dict.fromkeys([*templates(), *described()])
    return [t for t in found if re.search("[A-Za-z]", words(t))]


def test_every_phrase_has_its_twin() -> None:
    missing = [template for template in needed() if template not in PHRASES]
    assert missing == [], "add them to a module in rules/texts"


def test_phrases_have_the_arguments_and_code_of_their_twins() -> None:
    # Without arguments a template is taken as it is, whatever brackets it has.
    assert [template for template, twin in PHRASES.items() if differ(template, twin)] == []


def test_what_makes_a_phrase_is_written_out() -> None:
    """An f-string would be another template each time, and none of them could be looked up."""
    made = [
        f"{path.name}:{call.lineno}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for name, call in calls(ast.parse(path.read_text("utf-8")))
        if name in MAKERS and call.args and isinstance(call.args[0], ast.JoinedStr)
    ]
    # The roles of cells, which are all looked for above.
    assert [place.partition(":")[0] for place in made] == ["cells.py"]


# -- features ------------------------------------------------------------------------------

# What a person reads of what features make, by the number of the argument; all of them by -1.
SHOWN = {
    **dict.fromkeys(("paragraph", "item"), (-1,)),
    **dict.fromkeys(("Strong", "Link", "Written"), (0,)),
    **dict.fromkeys(("OutlineNode", "HierarchyItem", "Template", "Draft"), (0, 1)),
    "Item": (0, 3),
    "Named": (4, 5),
    "CellTemplate": (0, 2),
    "_Child": (2, 3),
    "_Value": (2,),
    "Fold": (3,),
    "Hint": (1, 2),
}
# Words of a format and not of a language.
CODE = frozenset({"UUID", "ignore", "embed"})


def unsaid(node: ast.expr) -> Iterator[str]:
    """The words that a shown value is made of and that nobody can say in another language."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        if re.search("[A-Za-z]{2}", node.value) and node.value not in CODE:
            yield node.value
    elif isinstance(node, ast.JoinedStr):
        for value in node.values:
            yield from unsaid(value)
    elif isinstance(node, ast.IfExp):
        yield from [*unsaid(node.body), *unsaid(node.orelse)]
    elif isinstance(node, ast.BoolOp):
        for value in node.values:
            yield from unsaid(value)
    elif isinstance(node, ast.BinOp):
        yield from [*unsaid(node.left), *unsaid(node.right)]


def test_what_features_show_is_made_of_phrases() -> None:
    found = []
    for path in sorted((PACKAGE / "features").rglob("*.py")):
        for name, call in calls(ast.parse(path.read_text("utf-8"))):
            numbers = SHOWN.get(name, ())
            for number, argument in enumerate(call.args):
                if number in numbers or -1 in numbers:
                    found += [f"{path.name}:{call.lineno}: {text}" for text in unsaid(argument)]
    assert found == []


@pytest.mark.parametrize("rule", RULES, ids=[rule.code for rule in RULES])
def test_pages_quote_the_same_code_in_both_languages(rule: Rule) -> None:
    page = page_of(rule)
    for heading in ("What it does", "Why it matters"):
        english, chinese = page.sections[heading], say(page.sections[heading], CHINESE)
        assert _CHINESE.search(chinese)
        assert set(quoted(chinese)) == set(quoted(english.replace("\n", " ")))


def test_there_are_no_pages_of_other_rules() -> None:
    assert PAGES.keys() == BY_CODE.keys()


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


def test_longer_texts_are_looked_up_by_their_names() -> None:
    text = titled("STF003 Why it matters", "Only the last one counts.")
    assert (text, say(text, ENGLISH)) == ("Only the last one counts.", "Only the last one counts.")
    assert say(text, CHINESE) == "只有最后一个起作用，而从这一行看不出来。"
    assert say(titled("nobody's", "As it {is}."), CHINESE) == "As it {is}."
    assert say(pickle.loads(pickle.dumps(text)), CHINESE) == say(text, CHINESE)


def test_phrases_can_be_sent_to_other_processes() -> None:
    phrase = pickle.loads(pickle.dumps(Phrase("message {name}", name="{x}")))
    assert (phrase, say(phrase, CHINESE)) == ("message {x}", "消息 {x}")


def test_errors_say_phrases() -> None:
    error = PhrasedError("no agent can be called `{name}`", name="[x]")
    assert str(error) == error.phrase == "no agent can be called `[x]`"
    assert PhrasedError(error.phrase).phrase.args == {"name": "[x]"}
    assert as_phrase(error.phrase) is error.phrase


# -- what is said --------------------------------------------------------------------------


def test_arguments_that_are_phrases_are_said_in_the_language_of_the_text() -> None:
    args = {"reason": Phrase("{what} is missing", what="`]`")}
    assert text("DLT001", "message", args) == "this is not valid JSON: `]` is missing"
    assert text("DLT001", "message", args, CHINESE) == "这不是有效的 JSON：缺少 `]`"


def test_what_stands_in_a_file_is_never_translated() -> None:
    said = text("MSG012", "message", {"name": "message"}, CHINESE)
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


def test_chinese_is_loaded_only_when_it_is_spoken() -> None:
    program = (
        "import sys\n"
        "from msgls.rules.texts import say, text\n"
        "from msgls.text.phrases import Phrase\n"
        "text('MSG602', 'message.empty', {}, 'en'), say(Phrase('Split cell'), 'en')\n"
        "assert not [name for name in sys.modules if '.zh' in name]\n"
        "assert say(Phrase('Split cell'), 'zh') == '拆分单元'\n"
    )
    subprocess.run([sys.executable, "-X", "utf8", "-c", program], check=True)
