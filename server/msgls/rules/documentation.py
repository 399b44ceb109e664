"""The documentation of a rule: the docstring of its module, in sections, and the page's URL."""

import inspect
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from msgls.rules.base import Rule
from msgls.text.phrases import Phrase, joined, paragraph_phrase

Say = Callable[[str], str]
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
_GAP = re.compile(r"(\n\n+|^\n|\n$)")


class Page(NamedTuple):
    """The documentation of one rule."""

    rule: Rule
    summary: Phrase
    """The first sentence."""
    sections: Mapping[str, Phrase]
    """By heading, in order."""

    @property
    def has_fix(self) -> bool:
        """Whether the rule offers fixes."""
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
    # Examples contain headings too: only those of ``SECTIONS`` divide the page.
    head, *rest = re.split(rf"(?m)^## ({'|'.join(SECTIONS)})$", docstring)
    sections = {
        heading: joined(blocks_of(text.strip("\n")), "")
        for heading, text in zip(rest[::2], rest[1::2], strict=True)
    }
    return Page(rule, paragraph_phrase(head.strip()), sections)


def blocks_of(section: str) -> Iterator[str]:
    """A section in pieces: its paragraphs are phrases; code and blank lines are plain text."""
    for number, piece in enumerate(_CODE_BLOCK.split(section)):
        if number % 3 == 1:
            yield piece
        elif number % 3 == 0:
            for text in _GAP.split(piece):
                yield paragraph_phrase(text) if text.strip("\n") else text


def page_in(page: Page, say: Say) -> str:
    """A page in the language of ``say``. Code in examples is not translated."""
    rule = page.rule
    fix = Phrase("fix: available") if page.has_fix else Phrase("fix: not available")
    parts = [
        f"# {rule.code}: {rule.name}",
        f"**{say(rule.severity.label)}** · {say(fix)}",
        say(page.summary),
    ]
    for heading, section in page.sections.items():
        parts.append(f"## {say(_HEADINGS[heading])}\n\n{say(section)}")
    return "\n\n".join(parts) + "\n"


def summary_in(page: Page, say: Say) -> str:
    """The first sentence, in one line."""
    return say(page.summary).replace("\n", " ")


# -- Where the pages of the rules are: the one place that knows the address.

HOME_URL = "https://github.com/msgls/msgls"
PAGE_URL = HOME_URL + "/blob/main/server/docs/rules/{code}.md"


def page_url(code: str) -> str:
    """The page of a rule."""
    return PAGE_URL.format(code=code)
