"""What is said about a rule, and where; and how a rule is found by its code."""

from __future__ import annotations

import pytest

from msgls.rules.documentation import SECTIONS, page_of
from msgls.rules.links import page_url
from msgls.rules.registry import RULES, rule, rules_of


@pytest.mark.parametrize("code", [rule.code for rule in RULES])
def test_a_rule_is_found_by_its_code_and_has_a_whole_page(code: str) -> None:
    found = rule(code)
    page = page_of(found)
    assert found.code == code
    assert tuple(page.sections) == SECTIONS
    assert page.has_fix != page.sections["Fix safety"].startswith("There is no fix")
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
