"""``msgls rule``: the documentation of the rules."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from msgls.cli.exits import OK, UsageProblem
from msgls.cli.speaking import said, spoken
from msgls.cli.terminal import columns, table
from msgls.rules.base import Rule
from msgls.rules.documentation import Page, page_of
from msgls.rules.registry import BY_CODE, BY_NAME, RULES
from msgls.rules.settings import unknown_selector
from msgls.rules.texts import AUTO, ENGLISH
from msgls.text.phrases import Phrase

EXAMPLE = "Example"
_HEADINGS: Mapping[str, Phrase] = {
    heading: heading
    for heading in (
        Phrase("What it does"),
        Phrase("Why it matters"),
        Phrase("Example"),
        Phrase("Fix safety"),
    )
}
# A block may hold fences that are shorter than its own.
_CODE_BLOCK = re.compile(r"(?ms)^((`{3,})[^`\n]*\n.*?^\2)$")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    add = parser.add_argument
    add("rule", nargs="?", metavar="RULE", help=Phrase("a code or a name"))
    add("--all", action="store_true", help=Phrase("all rules"))
    text = Phrase("default: text")
    add("--output-format", choices=("text", "json"), default="text", help=text)


def run(options: argparse.Namespace) -> int:
    """Print one page, or the list."""
    if options.all == bool(options.rule):
        raise UsageProblem(Phrase("name a rule, such as MSG302, or say --all"))
    rules = sorted(RULES, key=lambda rule: rule.code) if options.all else _named(options.rule)
    pages = [page_of(rule) for rule in rules]
    if options.output_format == "json":
        from msgls.cli.output.json_list import dumps

        content = [as_json(page) for page in pages]
        print(dumps(content[0] if len(content) == 1 else content, sys.stdout, indent=2))
    elif options.all:
        # Whoever reads along from a pipe wants all of it.
        room = columns(sys.stdout) if sys.stdout.isatty() else sys.maxsize
        for line in table(map(_row, pages), room):
            print(line)
    else:
        language = spoken(AUTO)
        print("\n".join([_shown(page, language) for page in pages]), end="")
    return OK


def _shown(page: Page, language: str) -> str:
    """A page, as far as it is written in a language; its examples are the same in all."""
    if language == ENGLISH:
        return page.markdown()
    rule = page.rule
    fix = Phrase("fix: there is one") if page.has_fix else Phrase("fix: none")
    facts = f"**{rule.severity.label}** · {said(fix)}"
    parts = [f"# {rule.code}: {rule.name}", facts, _summary(page)]
    for heading, section in page.sections.items():
        text = _example(section) if heading == EXAMPLE else said(section)
        parts.append(f"## {said(_HEADINGS[heading])}\n\n{text}")
    return "\n\n".join(parts) + "\n"


def _summary(page: Page) -> str:
    return said(Phrase(page.summary.replace("\n", " ")))


def _example(section: str) -> str:
    """An example, whose code is the same in all languages and the words between it are not."""
    pieces = _CODE_BLOCK.split(section)
    words, blocks = map(_between, pieces[::3]), [*pieces[1::3], ""]
    return "".join([between + block for between, block in zip(words, blocks, strict=True)])


def _between(piece: str) -> str:
    words = piece.strip("\n")
    return piece.replace(words, said(Phrase(words.replace("\n", " ")))) if words else piece


def _named(name: str) -> Sequence[Rule]:
    """The rule with that code, or those with that name: formats may share one."""
    rule = BY_CODE.get(name.upper())
    found = [rule] if rule is not None else BY_NAME.get(name.lower(), ())
    if not found:
        raise UsageProblem(unknown_selector(name), Phrase("`msgls rule --all` lists the rules"))
    return found


def _row(page: Page) -> tuple[str, str, str, str, str]:
    rule = page.rule
    fix = said(Phrase("fix")) if page.has_fix else ""
    return rule.code, rule.name, rule.severity.label, fix, _summary(page)


def as_json(page: Page) -> dict[str, Any]:
    """A rule as programs read it."""
    return {
        "code": page.rule.code,
        "name": page.rule.name,
        "severity": page.rule.severity.label,
        "fix": page.has_fix,
        "summary": page.summary.replace("\n", " "),
        "documentation": page.markdown(),
        "url": page.url,
    }
