"""Write what is made from the rules: their pages, the index of the pages, the README's table.

``python tools/generate.py`` writes, ``--check`` only says what is stale. What it writes
is kept in the repository; ``tests/test_tidy.py`` fails when it is not what this makes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgls.rules.documentation import Page, page_of
from msgls.rules.registry import RULES

ROOT = Path(__file__).resolve().parent.parent
PAGES = Path("server/docs/rules")
README = Path("README.md")
BEGIN = "<!-- rules:begin -->"
END = "<!-- rules:end -->"
NOTICE = "<!-- Made from the rules by `make docs`: edit the rule's docstring instead. -->"


def pages() -> list[Page]:
    """The documentation of every rule, by code."""
    return [page_of(rule) for rule in sorted(RULES, key=lambda rule: rule.code)]


def table(prefix: str) -> str:
    """The rules as a Markdown table; ``prefix`` leads to the folder of the pages."""
    lines = ["| code | name | severity | fix | |", "|---|---|---|---|---|"]
    for page in pages():
        rule = page.rule
        code = f"[{rule.code}]({prefix}{rule.code}.md)"
        fix = "yes" if page.has_fix else ""
        summary = page.summary.replace("\n", " ").replace("|", "\\|")
        lines.append(f"| {code} | {rule.name} | {rule.severity.label} | {fix} | {summary} |")
    return "\n".join(lines) + "\n"


def with_table(readme: str) -> str:
    """``readme`` with the table between its marks; as it is where it has none."""
    before, begin, rest = readme.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        return readme
    return f"{before}{BEGIN}\n{table(f'{PAGES.as_posix()}/')}{END}{after}"


def files(root: Path = ROOT) -> Mapping[Path, str]:
    """Everything that is made, by its path below ``root``."""
    made = {PAGES / f"{page.rule.code}.md": f"{NOTICE}\n\n{page.markdown()}" for page in pages()}
    made[PAGES / "README.md"] = f"{NOTICE}\n\n# Rules\n\n{table('')}"
    readme = root / README
    if readme.is_file():
        made[README] = with_table(readme.read_text("utf-8"))
    return made


def stale(root: Path = ROOT) -> Iterator[Path]:
    """What is not as it would be made now, and pages of rules that are gone."""
    made = files(root)
    for path, text in made.items():
        target = root / path
        if not target.is_file() or target.read_text("utf-8") != text:
            yield path
    for target in sorted((root / PAGES).glob("*.md")):
        if target.relative_to(root) not in made:
            yield target.relative_to(root)


def write(root: Path = ROOT) -> None:
    """Make all of it."""
    made = files(root)
    for path in list(stale(root)):
        target = root / path
        if path in made:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(made[path], "utf-8", newline="\n")
            print(f"wrote {path}")
        else:
            target.unlink()
            print(f"removed {path}")


def main(arguments: Sequence[str]) -> int:
    """Write, or with ``--check`` name what is stale."""
    if list(arguments) == ["--check"]:
        found = list(stale())
        for path in found:
            print(f"stale: {path}")
        return 1 if found else 0
    write()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
