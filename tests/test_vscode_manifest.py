"""The VS Code client's manifest: it agrees with the server, with itself and with its files."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from msgls import __version__
from msgls.features.command_table import BY_ID
from msgls.features.legend import TYPES
from msgls.formats.registry import FORMATS
from msgls.rules.documentation import HOME_URL
from msgls.rules.settings import OPTIONS
from tools import translations, vscode_manifest

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
ENGLISH: dict[str, str] = json.loads((CLIENT / "package.nls.json").read_text("utf-8"))
CHINESE: dict[str, str] = json.loads((CLIENT / "package.nls.zh-cn.json").read_text("utf-8"))
# What the sources say, by its English text.
BUNDLE: dict[str, str] = json.loads((CLIENT / "l10n/bundle.l10n.zh-cn.json").read_text("utf-8"))
SOURCES = {path.name: path.read_text("utf-8") for path in sorted((CLIENT / "src").glob("*.ts"))}
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
    made = vscode_manifest.files()
    root = CLIENT.parent
    assert [path for path in made if (root / path).read_text("utf-8") != made[path]] == []
    assert {vscode_manifest.setting_name(option.key) for option in OPTIONS} <= SETTINGS.keys()


def test_settings_are_in_groups_that_a_person_finds() -> None:
    sections = {section["id"]: section for section in CONTRIBUTES["configuration"]}
    assert vscode_manifest.SECTIONS.keys() <= sections.keys()
    assert len(sections) >= 5
    titles = [ENGLISH[section["title"].strip("%")] for section in sections.values()]
    assert len(set(titles)) == len(titles)
    orders = [section["order"] for section in sections.values()]
    assert orders == sorted(orders)
    # The client tells the server what stands in its sections.
    (told,) = re.findall(r"SERVER_SECTIONS = \[(.*?)\]", SOURCES["server.ts"])
    assert set(re.findall("[\\w.]+", told)) == vscode_manifest.SECTIONS.keys()


def test_lists_and_maps_can_be_edited_in_the_settings_of_vscode() -> None:
    # It has a list for texts, and a table from texts to texts; of anything else it shows the JSON.
    assert SETTINGS["msgls.lint.select"]["items"]["type"] == "string"
    assert SETTINGS["msgls.lint.ignore"]["items"]["type"] == "string"
    assert SETTINGS["msgls.lint.severity"]["additionalProperties"]["type"] == "string"
    assert SETTINGS["msgls.server.command"]["items"]["type"] == "string"


@pytest.mark.parametrize(
    ("key", "name"),
    [("section", "msgls.section"), ("lint.per-file-ignores", "msgls.lint.perFileIgnores")],
)
def test_settings_are_spelt_as_vscode_spells_them(key: str, name: str) -> None:
    assert vscode_manifest.setting_name(key) == name


def test_what_is_not_generated_is_left_alone() -> None:
    other = {"id": "other", "properties": {"a": 1}}
    manifest = {"name": "x", "contributes": {"configuration": [other], "commands": []}}
    after = vscode_manifest.with_settings(manifest)
    assert after == {**manifest, "version": __version__}


def test_every_setting_says_what_it_is_and_has_a_default() -> None:
    for name, setting in SETTINGS.items():
        assert setting.get("description") or setting.get("markdownDescription"), name
        assert "default" in setting, name
        if "enum" in setting:
            assert setting["default"] in setting["enum"], name


def test_the_project_has_one_address() -> None:
    assert MANIFEST["homepage"] == MANIFEST["repository"]["url"] == HOME_URL
    assert MANIFEST["bugs"]["url"] == f"{HOME_URL}/issues"
    project = (CLIENT.parent / "pyproject.toml").read_text("utf-8")
    assert f'Homepage = "{HOME_URL}"' in project


def test_the_readme_says_that_there_is_no_telemetry() -> None:
    assert "## Telemetry\n\nThere is none." in (CLIENT / "README.md").read_text("utf-8")
    assert "!CHANGELOG.md" in (CLIENT / ".vscodeignore").read_text("utf-8").split()


def test_the_versions_agree() -> None:
    lock = json.loads((CLIENT / "package-lock.json").read_text("utf-8"))
    assert MANIFEST["version"] == lock["version"] == lock["packages"][""]["version"] == __version__


def test_every_command_of_the_server_is_in_the_palette_and_in_a_menu() -> None:
    assert [name for name in BY_ID if name not in COMMANDS] == []
    names = ["editor/context", *[submenu["id"] for submenu in CONTRIBUTES["submenus"]]]
    menus = [CONTRIBUTES["menus"][name] for name in names]
    menu = {entry.get("command") for entries in menus for entry in entries}
    assert [name for name in BY_ID if name not in menu] == []


def test_no_menu_is_long_and_every_one_has_groups() -> None:
    menus = {
        submenu["id"]: CONTRIBUTES["menus"][submenu["id"]] for submenu in CONTRIBUTES["submenus"]
    }
    for language in LANGUAGES:
        # A row is for every language, or says for which.
        shown = {
            name: [row for row in rows if language in row.get("when", language)]
            for name, rows in menus.items()
        }
        assert {name: len(rows) for name, rows in shown.items() if len(rows) > 10} == {}
    assert [name for name, rows in menus.items() if len({_group(row) for row in rows}) < 2] == []


def _group(row: Mapping[str, str]) -> str:
    return row["group"].partition("@")[0]


def test_commands_that_differ_have_titles_that_differ() -> None:
    for texts_of in (ENGLISH, CHINESE):
        titles = [texts_of[command["title"].strip("%")] for command in CONTRIBUTES["commands"]]
        assert len({title.casefold() for title in titles}) == len(titles)


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
    sources = "\n".join(SOURCES.values())
    registered = set(
        re.findall(r"(?:registerCommand\(\s*|^ +)'(msgls\.[\w.]+)'(?:, |:)", sources, re.MULTILINE)
    )
    assert registered | set(BY_ID) == set(COMMANDS)


def test_keys_and_menus_name_commands_that_there_are() -> None:
    menus = [entry for menu in CONTRIBUTES["menus"].values() for entry in menu]
    named = {
        entry["command"] for entry in [*menus, *CONTRIBUTES["keybindings"]] if "command" in entry
    }
    # The one of VS Code takes a suggestion.
    assert named <= {*COMMANDS, "runCommands"}
    submenus = {entry["id"] for entry in CONTRIBUTES["submenus"]}
    assert {entry["submenu"] for entry in menus if "submenu" in entry} == submenus


def test_keys_are_ours_in_our_files_only_and_none_is_there_twice() -> None:
    bindings = CONTRIBUTES["keybindings"]
    assert [b["key"] for b in bindings if "editorLangId" not in b["when"]] == []
    for name in ("key", "mac"):
        keys = [(b[name], *where) for b in bindings for where in _in_each_language(b["when"])]
        assert [key for key in keys if keys.count(key) > 1] == []


def _in_each_language(when: str) -> Iterator[tuple[str, str]]:
    """The languages in whose files a key holds, and the conditions besides."""
    said = re.search(r"editorLangId (?:== (\w+)|=~ /\^\(([\w|]+)\)\$/)", when)
    assert said is not None, when
    for language in (said[1] or said[2]).split("|"):
        yield language, when.replace(said[0], "")


def test_pasting_as_content_has_its_key_wherever_the_palette_has_it() -> None:
    (key,) = (b for b in CONTRIBUTES["keybindings"] if b["command"] == "msgls.pasteAsContent")
    palette = CONTRIBUTES["menus"]["commandPalette"]
    (entry,) = (e for e in palette if e["command"] == "msgls.pasteAsContent")
    assert entry["when"] in key["when"]


def test_every_language_has_a_grammar_an_icon_and_defaults() -> None:
    assert [grammar["language"] for grammar in CONTRIBUTES["grammars"]] == LANGUAGES
    defaults = [name for name in CONTRIBUTES["configurationDefaults"] if name.startswith("[")]
    assert defaults == [f"[{name}]" for name in LANGUAGES]
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


# -- in both languages ------------------------------------------------------------------------

# What the manifest says to people, by the names of the fields.
_SHOWN = frozenset({"title", "shortTitle", "label", "description", "markdownDescription"})
_SHOWN |= {"displayName", "enumDescriptions", "markdownEnumDescriptions"}

# What is made of a text that is to be said in the language of VS Code, and its first argument.
_SAID = re.compile(r"\b(?:l10n\.t|phrase)\(\s*('(?:[^'\\\n]|\\.)*'|[^\s)][^,)]*)")
# A blank between Chinese and code or Latin letters; none beside a mark that is wide.
_TORN = re.compile(
    "[\u4e00-\u9fff][,;:?!(]|[\u4e00-\u9fff][A-Za-z0-9`]|[A-Za-z0-9`][\u4e00-\u9fff]"
    "|[，。：；、？！（] | [，。：；、？！）]"
)


def shown(value: Any, name: str = "") -> Iterator[str]:
    """Every text of the manifest that people read."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from shown(item, key)
    elif isinstance(value, list):
        for item in value:
            yield from shown(item, name)
    elif isinstance(value, str) and name in _SHOWN:
        yield value


def said(sources: Mapping[str, str] = SOURCES) -> Iterator[str]:
    """The first argument of everything that is said in the sources, as it is written."""
    for name, source in sources.items():
        found = _SAID.findall(source)
        # Where phrases are defined and said, no text is written out.
        yield from found if name != "texts.ts" else ()


def texts() -> list[tuple[str, str]]:
    """Every English text with its Chinese twin."""
    return [*[(ENGLISH[key], CHINESE[key]) for key in ENGLISH if key in CHINESE], *BUNDLE.items()]


def test_people_read_no_text_that_stands_in_the_manifest_itself() -> None:
    assert [text for text in shown(MANIFEST) if not re.fullmatch("%[^%]+%", text)] == []


def test_every_text_of_the_manifest_is_there_in_both_languages_and_none_is_too_many() -> None:
    used = set(re.findall(r'"%([^%"]+)%"', TEXT))
    assert len(used) > 100
    assert used == ENGLISH.keys() == CHINESE.keys()
    assert list(ENGLISH) == list(CHINESE)


def test_every_text_of_the_sources_has_its_twin_and_none_is_too_many() -> None:
    literals = dict.fromkeys(said())
    assert len(literals) > 50
    assert [text for text in literals if not text.startswith("'")] == []
    assert {text[1:-1].replace("\\'", "'") for text in literals} == BUNDLE.keys()


@pytest.mark.parametrize(
    "source", ["vscode.l10n.t('a, b', { x })", "phrase(\n  'a, b',\n)", "[l10n.t('a, b')]: () => 1"]
)
def test_what_is_said_is_found_in_a_source(source: str) -> None:
    assert list(said({"a.ts": source})) == ["'a, b'"]
    assert list(said({"a.ts": source.replace("'a, b'", "`${a}`")})) == ["`${a}`"]


def test_twins_have_the_same_arguments_code_and_links() -> None:
    parts = re.compile(r"(?<!\$)\{\w+\}|`[^`]*`|\(command:[\w.]+\)|\n")
    assert [
        pair for pair in texts() if len({tuple(sorted(parts.findall(t))) for t in pair}) > 1
    ] == []


def test_chinese_is_chinese_and_well_set() -> None:
    # Names of programs and of what stands in files are not words of any language.
    names = {"PATH", "msgls"}
    same = [text for text in BUNDLE.values() if not re.search("[\u4e00-\u9fff]", text)]
    assert set(same) <= names | {"{name}：{state}"}
    assert [t for t in CHINESE.values() if not re.search("[\u4e00-\u9fff]", t)] == []
    assert [t for _, t in texts() if _TORN.search(re.sub(r"\]\(command:[\w.]+\)", "]", t))] == []


def test_the_client_says_what_the_server_says_in_the_same_words() -> None:
    catalogue = translations.read(translations.CHINESE)
    server = {str(message.id).casefold(): message.string for message in catalogue}
    both = {pair for pair in texts() if pair[0].casefold() in server}
    assert len(both) > 20
    assert [pair for pair in both if server[pair[0].casefold()] != pair[1]] == []


def test_pages_of_the_walkthrough_are_there_in_chinese() -> None:
    # VS Code looks for them beside the English ones, by this name.
    pages = [path for path in (CLIENT / "media/walkthrough").iterdir() if ".nls." not in path.name]
    twins = {path.with_suffix(f".nls.zh-cn{path.suffix}"): path for path in pages}
    assert {*twins, *pages} == set((CLIENT / "media/walkthrough").iterdir())
    for twin, page in twins.items():
        chinese, english = twin.read_text("utf-8"), page.read_text("utf-8")
        assert re.search("[\u4e00-\u9fff]", chinese)
        assert sorted(re.findall("`[^`\n]+`", chinese)) == sorted(re.findall("`[^`\n]+`", english))


def test_what_is_read_by_language_is_packaged() -> None:
    packaged = (CLIENT / ".vscodeignore").read_text("utf-8").split()
    assert {"!package.nls.json", "!package.nls.*.json", "!l10n/*.json", "!media/**"} <= set(
        packaged
    )
    assert MANIFEST["l10n"] == "./l10n"


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
    declared = re.search(r"KINDS = (.*?);", source)
    assert declared is not None
    kinds = re.findall(r"'(\w+)'", declared[1])
    icons = {path.name for path in (CLIENT / "icons/gutter").iterdir()}
    names = [*kinds, "active"]
    assert icons == {f"{name}-{theme}.svg" for name in names for theme in ("light", "dark")}
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


@pytest.mark.parametrize("name", LANGUAGES)
def test_no_key_is_taken_from_who_types(name: str) -> None:
    defaults = CONTRIBUTES["configurationDefaults"][f"[{name}]"]
    assert set(defaults["editor.quickSuggestions"].values()) == {"off"}
    assert defaults["editor.wordBasedSuggestions"] == "off"
    assert defaults["editor.suggest.selectionMode"] == "never"
    assert defaults["editor.acceptSuggestionOnCommitCharacter"] is False
    assert defaults["editor.autoClosingBrackets"] == "never"
    assert defaults["editor.autoClosingQuotes"] == "never"
    assert defaults["editor.autoIndent"] == "none"
    # Else VS Code offers to remove U+2028, which is an ordinary character.
    assert defaults["editor.unusualLineTerminators"] == "off"
    assert "editor.formatOnType" not in defaults
    configuration = json.loads((CLIENT / f"languages/{name}.json").read_text("utf-8"))
    assert configuration.keys() & {"onEnterRules", "indentationRules"} == set()
    # A snippet whose prefix is a word would be offered, and taken, for that word.
    assert "snippets" not in CONTRIBUTES
