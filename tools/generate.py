"""Write what is made from tables in the code: pages of rules, references, the man page, and more.

``python tools/generate.py`` writes, ``--check`` only says what is stale. What it writes
is kept in the repository; ``tests/test_tidy.py`` fails when it is not what this makes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Run as a script, only this folder would be looked into.
sys.path.insert(0, str(ROOT))

from msgls import __version__  # noqa: E402
from msgls.rules.documentation import Page, page_of  # noqa: E402
from msgls.rules.registry import RULES  # noqa: E402
from tools import capabilities, manpage, reference  # noqa: E402

PAGES = Path("server/docs/rules")
DOCS = Path("docs")
CAPABILITIES = Path("server/msgls/lsp/capabilities.json")
RULE_NOTICE = "<!-- Made from the rules by `make docs`: edit the rule's docstring instead. -->"
NOTICE = "<!-- Made by `make docs` from the code's own tables: tools/reference.py -->"


def pages() -> list[Page]:
    """The documentation of every rule, by code."""
    return [page_of(rule) for rule in sorted(RULES, key=lambda rule: rule.code)]


def files() -> Mapping[Path, str]:
    """Everything that is made, by its path in the repository."""
    found = pages()
    made = {PAGES / f"{p.rule.code}.md": f"{RULE_NOTICE}\n\n{p.markdown()}" for p in found}
    made[PAGES / "README.md"] = f"{RULE_NOTICE}\n\n# Rules\n\n{reference.rule_table(found, '')}"
    references = {
        "rules.md": reference.rules_page(found, f"../{PAGES.as_posix()}/"),
        "settings.md": reference.settings_page(),
        "commands.md": reference.commands_page(),
        "cli.md": reference.cli_page(),
    }
    made |= {DOCS / name: f"{NOTICE}\n\n{text}" for name, text in references.items()}
    made[DOCS / "man/msgls.1"] = manpage.manpage(__version__)
    made[CAPABILITIES] = capabilities.as_file()
    return made


def stale(root: Path = ROOT) -> Iterator[Path]:
    """What is not as it would be made now, and pages of rules that are gone."""
    made = files()
    for path, text in made.items():
        target = root / path
        if not target.is_file() or target.read_text("utf-8") != text:
            yield path
    for target in sorted((root / PAGES).glob("*.md")):
        if target.relative_to(root) not in made:
            yield target.relative_to(root)


def write(root: Path = ROOT) -> None:
    """Make all of it."""
    made = files()
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
