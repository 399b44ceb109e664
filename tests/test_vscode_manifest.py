"""The VS Code client's manifest: it agrees with the server, with itself and with its files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from msgls import __version__
from msgls.features.command_ids import COMMAND_IDS
from msgls.features.legend import TYPES
from msgls.formats.registry import FORMATS
from msgls.rules.settings import OPTIONS
from tools import vscode_settings

CLIENT = Path(__file__).resolve().parent.parent / "client-vscode"
TEXT = (CLIENT / "package.json").read_text("utf-8")
MANIFEST: dict[str, Any] = json.loads(TEXT)
CONTRIBUTES: dict[str, Any] = MANIFEST["contributes"]
COMMANDS = [command["command"] for command in CONTRIBUTES["commands"]]
LANGUAGES = [language["id"] for language in CONTRIBUTES["languages"]]
SETTINGS = {
    name: setting
    for section in CONTRIBUTES["configuration"]
    for name, setting in section["properties"].items()
}
# What the client's build copies in from elsewhere: it is there only after that.
COPIED = ("./syntaxes/",)


def paths(value: Any) -> Iterator[str]:
    """Every file that the manifest names."""
    if isinstance(value, dict):
        for item in value.values():
            yield from paths(item)
    elif isinstance(value, list):
        for item in value:
            yield from paths(item)
    elif isinstance(value, str) and re.fullmatch(r"(\./|media/|icons/)[\w./-]+\.\w+", value):
        yield value


# -- with the server --------------------------------------------------------------------------


def test_the_settings_are_those_of_the_server() -> None:
    # Where this fails: make docs
    assert vscode_settings.written(vscode_settings.with_settings(MANIFEST)) == TEXT
    assert {vscode_settings.setting_name(option.key) for option in OPTIONS} <= SETTINGS.keys()


@pytest.mark.parametrize(
    ("key", "name"),
    [("section", "msgls.section"), ("lint.per-file-ignores", "msgls.lint.perFileIgnores")],
)
def test_settings_are_spelt_as_vscode_spells_them(key: str, name: str) -> None:
    assert vscode_settings.setting_name(key) == name


def test_what_is_not_generated_is_left_alone() -> None:
    other = {"id": "other", "properties": {"a": 1}}
    manifest = {"name": "x", "contributes": {"configuration": [other], "commands": []}}
    after = vscode_settings.with_settings(manifest)
    assert after == {**manifest, "version": __version__}


def test_every_setting_says_what_it_is_and_has_a_default() -> None:
    for name, setting in SETTINGS.items():
        assert setting.get("description") or setting.get("markdownDescription"), name
        assert "default" in setting, name
        if "enum" in setting:
            assert setting["default"] in setting["enum"], name


def test_the_versions_agree() -> None:
    lock = json.loads((CLIENT / "package-lock.json").read_text("utf-8"))
    assert MANIFEST["version"] == lock["version"] == lock["packages"][""]["version"] == __version__


def test_every_command_of_the_server_is_in_the_palette_and_in_a_menu() -> None:
    assert [name for name in COMMAND_IDS if name not in COMMANDS] == []
    menus = [CONTRIBUTES["menus"][submenu["id"]] for submenu in CONTRIBUTES["submenus"]]
    menu = {entry["command"] for entries in menus for entry in entries}
    assert [name for name in COMMAND_IDS if name not in menu] == []


def test_every_format_has_its_language() -> None:
    assert [f.language_id for f in FORMATS if f.language_id not in [*LANGUAGES, "json"]] == []


def test_every_kind_of_token_has_the_colour_of_the_grammar() -> None:
    by_language = {
        entry["language"]: {name.partition(".")[0] for name in entry["scopes"]}
        for entry in CONTRIBUTES["semanticTokenScopes"]
    }
    assert by_language.keys() <= set(LANGUAGES)
    assert by_language["msgmd"] == set(TYPES)
    assert [name for name, types in by_language.items() if not types <= set(TYPES)] == []


# -- with itself ------------------------------------------------------------------------------


def test_a_command_of_the_client_is_one_that_somebody_answers() -> None:
    sources = [path.read_text("utf-8") for path in sorted((CLIENT / "src").glob("*.ts"))]
    registered = set(re.findall(r"registerCommand\(\s*'([\w.]+)'", "\n".join(sources)))
    assert registered | set(COMMAND_IDS) == set(COMMANDS)


def test_keys_and_menus_name_commands_that_there_are() -> None:
    menus = [entry for menu in CONTRIBUTES["menus"].values() for entry in menu]
    named = {
        entry["command"] for entry in [*menus, *CONTRIBUTES["keybindings"]] if "command" in entry
    }
    assert named <= set(COMMANDS)
    submenus = {entry["id"] for entry in CONTRIBUTES["submenus"]}
    assert {entry["submenu"] for entry in menus if "submenu" in entry} == submenus


def test_keys_are_ours_in_our_files_only_and_none_is_there_twice() -> None:
    bindings = CONTRIBUTES["keybindings"]
    assert [b["key"] for b in bindings if "editorLangId" not in b["when"]] == []
    for name in ("key", "mac"):
        keys = [(binding[name], binding["when"]) for binding in bindings]
        assert len(set(keys)) == len(keys)


def test_pasting_as_content_has_its_key_wherever_the_palette_has_it() -> None:
    (key,) = (b for b in CONTRIBUTES["keybindings"] if b["command"] == "msgls.pasteAsContent")
    palette = CONTRIBUTES["menus"]["commandPalette"]
    (entry,) = (e for e in palette if e["command"] == "msgls.pasteAsContent")
    assert entry["when"] in key["when"]


def test_every_language_has_a_grammar_an_icon_and_defaults() -> None:
    assert [grammar["language"] for grammar in CONTRIBUTES["grammars"]] == LANGUAGES
    assert list(CONTRIBUTES["configurationDefaults"]) == [f"[{name}]" for name in LANGUAGES]
    for language in CONTRIBUTES["languages"]:
        assert set(language["icon"]) == {"light", "dark"}
        assert language["configuration"]


def test_colours_are_there_for_every_kind_of_theme() -> None:
    themes = {"light", "dark", "highContrast", "highContrastLight"}
    assert [c["id"] for c in CONTRIBUTES["colors"] if set(c["defaults"]) != themes] == []


def test_an_untrusted_folder_chooses_no_program() -> None:
    trust = MANIFEST["capabilities"]["untrustedWorkspaces"]
    assert trust["supported"] == "limited"
    restricted = set(trust["restrictedConfigurations"])
    assert {"msgls.server.command", "msgls.interpreter"} <= restricted <= SETTINGS.keys()


def test_no_other_extension_is_needed() -> None:
    assert MANIFEST.keys() & {"extensionDependencies", "extensionPack", "dependencies"} == set()


# -- with the files ---------------------------------------------------------------------------


def test_every_file_that_is_named_is_there() -> None:
    named = list(paths(MANIFEST))
    assert len(named) > 20
    missing = [name for name in named if not name.startswith(COPIED) and name != MANIFEST["main"]]
    assert [name for name in missing if not (CLIENT / name).is_file()] == []
    grammars = CLIENT.parent / "syntaxes"
    copied = [Path(name).name for name in named if name.startswith(COPIED)]
    assert [name for name in copied if not (grammars / name).is_file()] == []


def test_every_kind_of_cell_has_an_icon_and_a_colour() -> None:
    source = (CLIENT / "src/cells.ts").read_text("utf-8")
    declared = re.search(r"type CellKind = (.*?);", source)
    assert declared is not None
    kinds = re.findall(r"'(\w+)'", declared[1])
    icons = {path.name for path in (CLIENT / "icons/gutter").iterdir()}
    assert icons == {f"{kind}-{theme}.svg" for kind in kinds for theme in ("light", "dark")}
    colours = {colour["id"] for colour in CONTRIBUTES["colors"]}
    assert {f"msgls.cell.{kind}" for kind in kinds} <= colours


def test_the_lock_file_names_no_registry() -> None:
    assert '"resolved"' not in (CLIENT / "package-lock.json").read_text("utf-8")


def test_the_lock_file_holds_the_tools_of_every_platform() -> None:
    # `npm ci` refuses a lock that does not. Written beside a `node_modules`, or against a
    # registry that lacks some of them, it holds only this machine's.
    packages = json.loads((CLIENT / "package-lock.json").read_text("utf-8"))["packages"]
    wanted = {
        name for package in packages.values() for name in package.get("optionalDependencies", {})
    }
    assert any(name.startswith("@esbuild/") for name in wanted)
    assert sorted(name for name in wanted if f"node_modules/{name}" not in packages) == []


@pytest.mark.parametrize("name", ["msgmd", "stf", "chatbuilder"])
def test_snippets_can_be_typed(name: str) -> None:
    snippets = json.loads((CLIENT / f"snippets/{name}.json").read_text("utf-8"))
    assert snippets
    for snippet in snippets.values():
        assert snippet["prefix"]
        assert "$0" in "".join(snippet["body"]) or "${1" in "".join(snippet["body"])
