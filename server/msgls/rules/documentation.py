"""What is said about a rule: its docstring in parts, and where its page is.

Owns the reading of the docstring of a rule's module, which is the rule's
documentation, and the address of the page that is made from it.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Mapping
from typing import NamedTuple

from msgls.rules.base import Rule
from msgls.rules.links import page_url
from msgls.text.phrases import Phrase, as_phrase, titled

Say = Callable[[str], str]
_EXAMPLE = "Example"
_HEADINGS: Mapping[str, Phrase] = {
    heading: heading
    for heading in (
        Phrase("What it does"),
        Phrase("Why it matters"),
        Phrase("Example"),
        Phrase("Fix safety"),
    )
}
SECTIONS = tuple(_HEADINGS)
# A block may hold fences that are shorter than its own.
_CODE_BLOCK = re.compile(r"(?ms)^((`{3,})[^`\n]*\n.*?^\2)$")


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
        """The page, in English."""
        return page_in(self, str)


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


def page_in(page: Page, say: Say) -> str:
    """A page, as far as ``say`` has it in a language; its examples are the same in all."""
    rule = page.rule
    fix = Phrase("fix: there is one") if page.has_fix else Phrase("fix: none")
    facts = f"**{rule.severity.label}** · {say(fix)}"
    is_english = say(fix) == fix
    summary = page.summary if is_english else summary_in(page, say)
    parts = [f"# {rule.code}: {rule.name}", facts, summary]
    for heading, section in page.sections.items():
        text = _example(section, say) if heading == _EXAMPLE and not is_english else say(section)
        parts.append(f"## {say(_HEADINGS[heading])}\n\n{text}")
    return "\n\n".join(parts) + "\n"


def summary_in(page: Page, say: Say) -> str:
    """The first sentence, in one line."""
    return say(Phrase(page.summary.replace("\n", " ")))


def _example(section: str, say: Say) -> str:
    """An example, whose code is the same in all languages and the words between it are not."""
    pieces = _CODE_BLOCK.split(section)
    words = [_between(piece, say) for piece in pieces[::3]]
    blocks = [*pieces[1::3], ""]
    return "".join([between + block for between, block in zip(words, blocks, strict=True)])


def _between(piece: str, say: Say) -> str:
    words = piece.strip("\n")
    return piece.replace(words, say(Phrase(words.replace("\n", " ")))) if words else piece
