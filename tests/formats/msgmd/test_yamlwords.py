"""What is said of YAML that cannot be read, and where: the same whichever parser reads it."""

import pytest
import yaml

from msgls.formats.msgmd.yamltree import read_mapping
from msgls.text.translation import say
from tests.rules.support import unmark

TAB = "a tab is not allowed here: indent YAML with spaces"
NO_KEY = "a key is not allowed here: check its indentation and the line above"
AFTER_QUOTE = "this follows the closing quote: write a quote inside twice"
AFTER_BAR = "only `+`, `-`, a digit or a comment may follow `|` or `>`"

SAID = [
    ("agents:\n«\t»Ada:\n\t\tmodels: [x]\n", TAB),
    ("a: 1\n«\t»b: 2\n", TAB),
    ("a:\n  b: 1\n  «\t»c: 2\n", TAB),
    ("a: |\n«\t»x\n", TAB),
    ("name: Ada«:» the first\n", "a value that contains `: ` needs quotes"),
    ("a\nb«:» 1\n", NO_KEY),
    ("a:b\nc«:» d\n", NO_KEY),
    ("a: 1\n b«:» 2\n", NO_KEY),
    ("prompt: «'»It is\nb: 1\n", "this quote is never closed"),
    ('prompt: «"»It is\n', "this quote is never closed"),
    ("prompt: 'It'«s» fine'\n", AFTER_QUOTE),
    ('a: "x" «y»\n', AFTER_QUOTE),
    ('path: "C:«\\»docs"\n', "`\\d` is not an escape: in single quotes it is kept as written"),
    ('a: "\\u«1»2"\n', "hexadecimal digits are missing in this escape"),
    ("models: «[»x, y\nb: 3\n", "`[` is never closed"),
    ("a: «{»b: 1\n", "`{` is never closed"),
    ("a: {b: c d«:» e}\n", "a comma or `}` is missing before this"),
    ("a: [1, 2]«]»\n", "this follows the closing bracket"),
    ("a: 1\n«b»\nc: 2\n", "`:` is missing after this key"),
    ("- a\n«b»: 1\n", "`- ` is missing here, or the indentation is wrong"),
    ("a:\n  - b\n «c»: d\n", "a key is expected here: check the indentation"),
    ("a: «-» b\n", "a list must start on its own line"),
    ("a: «@»x\n", "`@` cannot begin a value: put it in quotes"),
    ("a: «%»x\n", "`%` cannot begin a value: put it in quotes"),
    ("a: «]»\n", "`]` cannot begin a value: put it in quotes"),
    ("a: «*»\n", "`*` cannot begin a value: put it in quotes"),
    ("a: «*x»\n", "unknown alias `*x`: there is no `&x` before it"),
    ("a: |«x»\n  b\n", AFTER_BAR),
    ("a: «!x y»\n", "the tag `!x` is not known"),
    ("«[»a]: 1\n", "a list or a mapping cannot be a key"),
    ("<<: «3»\n", "`<<` takes a mapping, or a list of mappings"),
    ("a: 1\n«-»--\nb: 2\n", "`---` starts a second document"),
    ("a: «2026-13-45»\n", "there is no such date"),
    ("a: «!!int x»\n", "this is not a whole number"),
    ("a: «\x01»\n", "the character U+0001 is not allowed in YAML"),
]


@pytest.mark.parametrize("parser", ["libyaml", "python"])
@pytest.mark.parametrize(("marked", "said"), SAID)
def test_it_is_said_where_it_helps(
    marked: str, said: str, parser: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if parser == "python":
        monkeypatch.setattr(yaml, "CSafeLoader", yaml.SafeLoader)
    source, [span] = unmark(marked)
    problem = read_mapping(source, 0).problems[0]
    assert (problem.detail, problem.span) == (said, span)


@pytest.mark.parametrize(("marked", "said"), SAID)
def test_it_is_said_in_chinese(marked: str, said: str) -> None:
    problem = read_mapping(unmark(marked)[0], 0).problems[0]
    assert say(problem.detail, "zh") != said
