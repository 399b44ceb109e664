"""What is said about a rule: its docstring in parts, and where its page is.

Owns the reading of the docstring of a rule's module, which is the rule's
documentation, and the address of the page that is made from it.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Mapping
from typing import NamedTuple

from msgls.rules.base import Rule
from msgls.rules.links import page_url
from msgls.text.phrases import as_phrase, titled

SECTIONS = ("What it does", "Why it matters", "Example", "Fix safety")


class Page(NamedTuple):
    """The documentation of one rule, in phrases; sections are named by the rule and the heading."""

    rule: Rule
    summary: str
    """The first sentence."""
    sections: Mapping[str, str]
    """By heading, in order."""

    @property
    def has_fix(self) -> bool:
        """Whether the rule offers a way out at all."""
        return self.rule.may_have_fix

    @property
    def url(self) -> str:
        """Where the page is."""
        return page_url(self.rule.code)

    def markdown(self) -> str:
        """The page."""
        rule = self.rule
        fix = "there is one" if self.has_fix else "none"
        facts = f"**{rule.severity.label}** · fix: {fix}"
        parts = [f"# {rule.code}: {rule.name}", facts, self.summary]
        parts += [f"## {heading}\n\n{text}" for heading, text in self.sections.items()]
        return "\n\n".join(parts) + "\n"


def page_of(rule: Rule) -> Page:
    """The documentation of a rule."""
    docstring = inspect.cleandoc(sys.modules[type(rule).__module__].__doc__ or "")
    # Examples hold headings, too: only ours divide the page.
    head, *rest = re.split(rf"(?m)^## ({'|'.join(SECTIONS)})$", docstring)
    sections = {
        heading: titled(f"{rule.code} {heading}", text.strip("\n"))
        for heading, text in zip(rest[::2], rest[1::2], strict=True)
    }
    return Page(rule, as_phrase(head.strip()), sections)
