"""The pages that are made from tables say all that the tables say."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from msgls import __version__
from msgls.cli.main import COMMANDS
from msgls.features.command_table import BY_ID, Key
from msgls.rules.registry import RULES, RULESETS
from msgls.rules.settings import OPTIONS
from tools import commandline, manpage, reference, vscode_manifest

MANIFEST = {
    "contributes": {
        "commands": [
            {"command": "msgls.cell.split", "title": "Split Cell"},
            {"command": "msgls.preview", "title": "Open Preview"},
        ],
        "keybindings": [
            {"command": "msgls.cell.split", "key": "ctrl+; shift+s", "args": {"above": True}},
            {"command": "msgls.cell.split", "key": "ctrl+; s", "when": "editorLangId == msgmd"},
            {"command": "msgls.cell.split", "key": "ctrl+; s", "when": "editorLangId == stf"},
            {"command": "msgls.preview", "key": "ctrl+k v"},
            {"command": "msgls.preview", "key": "shift+enter"},
        ],
    }
}


def test_a_table_is_markdown() -> None:
    assert reference.table(["a", ""], [("b|c", "d\ne")]) == "| a |  |\n|---|---|\n| b\\|c | d e |\n"


def test_every_setting_is_told() -> None:
    page = reference.settings_page()
    assert [option.key for option in OPTIONS if f"| `{option.key}` |" not in page] == []


def test_keys_stand_beside_their_commands() -> None:
    lines = reference.commands_page(MANIFEST).splitlines()
    assert (
        "| `msgls.cell.split` | Split cell | `Ctrl+;` `Shift+S` (above)<br>`Ctrl+;` `S` |" in lines
    )
    assert "| `msgls.preview` | Open Preview | `Ctrl+K` `V`<br>`Shift+Enter` |" in lines


def test_a_new_key_is_told_before_the_manifest_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    first, *others = BY_ID.values()
    changed = first._replace(keys=(Key("ctrl+; f9"),))
    monkeypatch.setattr(vscode_manifest, "COMMANDS", (changed, *others))
    lines = reference.commands_page().splitlines()
    assert f"| `{first.id}` | {first.title} | `Ctrl+;` `F9` |" in lines


def test_every_command_of_the_server_is_told() -> None:
    page = reference.commands_page()
    assert [name for name in BY_ID if page.count(f"| `{name}` |") != 1] == []


def test_every_rule_belongs_to_a_format() -> None:
    letters = {rule.code.rstrip("0123456789") for rule in RULES}
    assert letters == {ruleset.prefix for ruleset in RULESETS.values()}


def test_every_command_of_the_command_line_is_told() -> None:
    found = commandline.commands()
    assert [command.name for command in found] == list(COMMANDS)
    page = reference.cli_page()
    for command in found:
        assert f"## msgls {command.name}\n" in page
        assert [a.shown for a in command.arguments if a.shown.replace("|", "\\|") not in page] == []


@pytest.mark.parametrize(
    ("name", "usage"),
    [
        ("check", "msgls check [OPTIONS] [PATH…]"),
        ("outline", "msgls outline [OPTIONS] PATH…"),
        ("set-default", "msgls set-default FILE AGENT"),
        ("chat", "msgls chat [OPTIONS] --message TEXT FILE"),
        ("version", "msgls version"),
    ],
)
def test_usage_says_what_must_be_said(name: str, usage: str) -> None:
    assert {command.name: command.usage for command in commandline.commands()}[name] == usage


def test_the_man_page_is_for_man() -> None:
    page = manpage.manpage("1.2.3")
    assert page.count(".SS ") == len(COMMANDS)
    assert '"msgls 1.2.3"' in page
    # A line that starts with a dot and is not a macro would vanish.
    macros = {line.split(" ")[0] for line in page.splitlines() if line.startswith((".", "'"))}
    assert macros == {'.\\"', ".TH", ".SH", ".SS", ".TP", ".B", ".I"}


def test_groff_has_no_complaints(tmp_path: Path) -> None:
    if shutil.which("groff") is None:
        pytest.skip("THE MAN PAGE IS NOT TESTED: `groff` is not installed")
    path = tmp_path / "msgls.1"
    path.write_text(manpage.manpage(__version__), "utf-8")
    command = ["groff", "-man", "-Tascii", "-ww", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    # Bold is a character, a step back, and the character again.
    assert "--output-format" in re.sub(".\b", "", done.stdout)
