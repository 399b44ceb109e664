"""The examples: the good ones draw nothing, the broken ones draw what they were broken for."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"

# At least these: what else is found in them is the rules' own business.
BROKEN = {
    "broken.msg.md": "MSG012 MSG011 MSG101 MSG205 MSG306 MSG302 MSG106 MSG202 MSG203 MSG405",
    "notes-broken.md": "MSG502 MSG503",
    "boot/broken/agents.json": "BOOT002 BOOT003 BOOT004 BOOT005 BOOT006 BOOT007 BOOT008",
    "chatbuilder/messages/broken/1.md": "CBM002 CBM003 CBM004 CBM006 CBM007",
    "chatbuilder/messages/broken/3.md": "CBM006 CBM011",
    "messages-json/broken.deltas.jsonl": "DLT001 DLT003 DLT004 DLT005 DLT006 DLT007",
    "messages-json/broken.messages.json": "DLT002 DLT009 DLT010 DLT011",
    "messages-json/broken.session.jsonl": "DLT002 DLT009",
    "stf/broken.stf": "STF001 STF003 STF004 STF006 STF007 STF008 STF009 STF012 STF013 STF014",
}


@pytest.fixture(scope="module")
def found() -> dict[str, set[str]]:
    """The codes of what is found, by file: all but hints."""
    command = [sys.executable, "-m", "msgls", "check", ".", "--output-format", "json"]
    said = subprocess.run(
        [*command, "--min-severity", "info"], cwd=EXAMPLES, capture_output=True, check=False
    )
    codes: dict[str, set[str]] = {}
    for problem in json.loads(said.stdout):
        codes.setdefault(problem["filename"], set()).add(problem["code"])
    return codes


def test_only_broken_files_draw_something(found: dict[str, set[str]]) -> None:
    assert [name for name in found if "broken" not in name] == []


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_draws_what_it_was_broken_for(name: str, found: dict[str, set[str]]) -> None:
    assert set(BROKEN[name].split()) - found.get(name, set()) == set()


def test_the_readme_links_every_format() -> None:
    text = (EXAMPLES / "README.md").read_text("utf-8")
    linked = re.findall(r"\]\(([^)]+)\)", text)
    assert len(linked) >= 16
    assert [target for target in linked if not (EXAMPLES / target).is_file()] == []
