"""``msgls rule``: the documentation of the rules."""

import argparse
import sys
from collections.abc import Sequence
from typing import Any

from msgls.cli.exits import OK, UsageProblem
from msgls.cli.speaking import said
from msgls.cli.streams import add_output_format, print_json
from msgls.cli.terminal import columns, table
from msgls.rules.base import Rule
from msgls.rules.documentation import Page, page_in, page_of, summary_in
from msgls.rules.registry import BY_CODE, BY_NAME, RULES
from msgls.rules.settings import unknown_selector
from msgls.text.phrases import Phrase


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add = parser.add_argument
    rule = Phrase("the code or name of a rule, such as MSG302")
    add("rule", nargs="?", metavar="RULE", help=rule)
    add("--all", action="store_true", help=Phrase("list all rules"))
    add_output_format(parser)


def run(options: argparse.Namespace) -> int:
    """Print one page, or the list."""
    if options.all == bool(options.rule):
        raise UsageProblem(Phrase("name a rule, such as MSG302, or use --all"))
    rules = sorted(RULES, key=lambda rule: rule.code) if options.all else _named(options.rule)
    pages = [page_of(rule) for rule in rules]
    if options.output_format == "json":
        content = [as_json(page) for page in pages]
        print_json(content[0] if len(content) == 1 else content)
    elif options.all:
        # A program that reads from a pipe needs all of it.
        room = columns(sys.stdout) if sys.stdout.isatty() else sys.maxsize
        for line in table(map(_row, pages), room):
            print(line)
    else:
        print("\n".join([page_in(page, said) for page in pages]), end="")
    return OK


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
    return rule.code, rule.name, rule.severity.label, fix, summary_in(page, said)


def as_json(page: Page) -> dict[str, Any]:
    """A rule as JSON."""
    return {
        "code": page.rule.code,
        "name": page.rule.name,
        "severity": page.rule.severity.label,
        "fix": page.has_fix,
        "summary": page.summary.replace("\n", " "),
        "documentation": page.markdown(),
        "url": page.url,
    }
