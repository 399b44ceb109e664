"""What is said about a rule, and where; and how a rule is found by its code."""

import json
import re

import pytest

from msgls.api import check_text
from msgls.formats.registry import FORMATS
from msgls.rules.documentation import SECTIONS, page_of, page_url
from msgls.rules.registry import RULES, RULESETS, rule, rules_of


@pytest.mark.parametrize("code", [rule.code for rule in RULES])
def test_a_rule_is_found_by_its_code_and_has_a_whole_page(code: str) -> None:
    found = rule(code)
    page = page_of(found)
    assert found.code == code
    assert tuple(page.sections) == SECTIONS, "the docstring of the module is the page"
    says_none = page.sections["Fix safety"].startswith("There is no fix")
    assert page.has_fix != says_none, "*Fix safety* begins so exactly where a rule has no fix"
    assert page.url == page_url(code)
    assert page.url.endswith(f"/{code}.md")
    markdown = page.markdown()
    assert markdown.startswith(f"# {code}: {found.name}\n\n**{found.severity.label}** · fix: ")
    assert all(f"\n## {heading}\n\n{said}\n" in markdown for heading, said in page.sections.items())


def test_only_our_headings_divide_a_page() -> None:
    """An example is a message file, whose cells begin like headings."""
    example = page_of(rule("MSG101")).sections["Example"]
    assert "# %%" in example


@pytest.mark.parametrize("code", ["MSG999", "XYZ001", "", "msg101"])
def test_there_is_no_such_rule(code: str) -> None:
    with pytest.raises(KeyError):
        rule(code)


def test_a_format_without_rules() -> None:
    assert rules_of("plain") == ()


# The first format of a name says the ending; then those that the ending alone does not make.
FILES = {
    RULESETS[format.name].prefix: f"a{format.endings[0]}"
    for format in reversed(FORMATS)
    if format.name in RULESETS
}
FILES |= {"BOOT": "agents.json", "CBM": "messages/talk/1.md", "DLT": "a.deltas.jsonl"}
SECTION = "---\nmessage_section: Discussion\n---\n\n"
BLOCK = re.compile(r"^(`{3,})[^\n]*\n(.*?)^\1$", re.DOTALL | re.MULTILINE)
NOT_BY_ITSELF = {
    "MSG601": "its conversation would be long",
    "MSG605": "it asks which files there are",
    "MSG701": "no secret stands in our own pages",
    "MSG702": "its characters cannot be seen",
    "CBM011": "it asks which files there are",
    "CBM012": "it is about two files",
    "STF016": "it asks which files there are",
    "STF017": "its line ends cannot be seen",
}


TIME = "2026-01-02T03:04:05Z"


def filled(example: str) -> str:
    """An example of JSON with what ``…`` stands for, each value on a line of its own."""
    text = example.replace('"…"', f'"{TIME}"').replace('"isError": false, …', '"isError": false')
    text = re.sub(r",\s*…", f', "runId": "r1", "timestamp": "{TIME}"', text)
    values, at = [], 0
    while at < len(text):
        value, at = json.JSONDecoder().raw_decode(text, at)
        values.append(json.dumps({"runId": "r1", **value}) + "\n")
        at += len(text[at:]) - len(text[at:].lstrip())
    return "".join(values)


def path_of(code: str, example: str) -> str:
    family = code.rstrip("0123456789")
    if family == "DLT" and example.startswith("["):
        return "a.messages.json"
    if family == "DLT" and '"type"' in example:
        return "a.session.jsonl"
    return "notes.md" if code.startswith("MSG50") else FILES[family]


def codes_in(code: str, example: str) -> set[str]:
    is_section = code.startswith("MSG50")
    path = path_of(code, example)
    example = filled(example) if "…" in example and path.endswith(".jsonl") else example
    text = SECTION + example if is_section and not example.startswith("---") else example
    return {found.code for found in check_text(text, path=path, min_severity="hint")}


def examples_of(code: str) -> list[str]:
    return [match.group(2) for match in BLOCK.finditer(page_of(rule(code)).sections["Example"])]


@pytest.mark.parametrize("code", [rule.code for rule in RULES if rule.code not in NOT_BY_ITSELF])
def test_an_example_has_the_problem_and_what_to_use_instead_has_not(code: str) -> None:
    wrong, right = examples_of(code)[:2]
    assert code in codes_in(code, wrong)
    assert code not in codes_in(code, right)
