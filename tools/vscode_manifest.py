"""Writes what the VS Code client's manifest and its texts have from the server's own tables.

Owns in ``client-vscode/package.json`` the sections of settings that ``SECTIONS`` names, the
commands of the server with their keys and menus, and the version; in ``package.nls.json`` what the
options mean and what the commands are called; in ``package.nls.zh-cn.json`` the same in Chinese.
All else in those files is written by hand, and stays as it is.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
# Run as a script, only this folder would be looked into.
sys.path.insert(0, str(ROOT))

from msgls import __version__  # noqa: E402
from msgls.features.command_table import (  # noqa: E402
    BY_ID,
    CELLS,
    CHATBUILDER,
    COMMANDS,
    MSGJSON,
    MSGMD,
    Command,
    Key,
)
from msgls.rules.settings import OPTIONS, Option, option_schema  # noqa: E402
from msgls.text.phrases import Phrase  # noqa: E402
from msgls.text.translation import CHINESE, say  # noqa: E402
from tools.compile_catalogue import compile_catalogues  # noqa: E402

MANIFEST = Path("client-vscode/package.json")
ENGLISH_TEXTS = Path("client-vscode/package.nls.json")
CHINESE_TEXTS = Path("client-vscode/package.nls.zh-cn.json")
SECTIONS = {
    "msgls.checks": ("lint.", "diagnostics."),
    "msgls.features": ("features.",),
    "msgls.files": ("",),
}
"""The sections by id, with the keys of the options in them; the first that fits counts."""
_MENU_FORMATS = {
    "msgls.cell": CELLS,
    "msgls.cell.insert": CELLS,
    "msgls.cell.ask": MSGMD,
    "msgls.cell.run": MSGMD,
    "msgls.cell.arrange": CELLS,
    "msgls.cell.go": CELLS,
    "msgls.cell.history": MSGMD,
    "msgls.cell.agents": MSGMD,
    "msgls.message": (*CHATBUILDER, *MSGJSON),
}
"""The languages in whose files a menu is shown at all."""
_OPTION, _COMMAND = "option.", "command."
# Words that stay small in a title of VS Code.
_SMALL_WORDS = {
    "a",
    "and",
    "as",
    "at",
    "from",
    "in",
    "of",
    "one",
    "or",
    "that",
    "the",
    "to",
    "with",
}

Texts = Mapping[str, str]


# -- settings -----------------------------------------------------------------------------------


def setting_name(key: str) -> str:
    """The key of an option as VS Code's settings spell it: ``msgls.lint.perFileIgnores``."""
    return "msgls." + re.sub(r"-(\w)", lambda match: match[1].upper(), key)


def option_text(option: Option) -> str:
    """The name of the text that says what an option means."""
    return _OPTION + setting_name(option.key).removeprefix("msgls.")


def setting(option: Option, order: int) -> dict[str, Any]:
    """What VS Code is told of an option."""
    schema = _typed(option_schema(option))
    del schema["description"]
    default = schema.pop("default", option.default)
    return {
        **schema,
        "default": list(default) if isinstance(default, tuple) else default,
        "markdownDescription": f"%{option_text(option)}%",
        "scope": "resource",
        "order": order,
    }


def _typed(schema: Any) -> Any:
    """A schema whose choices say that they are texts: else VS Code offers no list to edit."""
    if isinstance(schema, dict):
        typed = {key: _typed(value) for key, value in schema.items()}
        return {"type": "string", **typed} if isinstance(schema.get("enum"), list) else typed
    return schema


def properties(section: str) -> dict[str, Any]:
    """The settings of a section that the server knows."""
    return {
        setting_name(option.key): setting(option, order)
        for order, option in enumerate(OPTIONS, start=1)
        if section_of(option) == section
    }


def section_of(option: Option) -> str:
    """The section in which people find an option."""
    return next(name for name, keys in SECTIONS.items() if option.key.startswith(keys))


def with_settings(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """The manifest with the server's settings and its version."""
    contributes = dict(manifest["contributes"])
    contributes["configuration"] = [
        {**section, "properties": properties(section["id"])}
        if section.get("id") in SECTIONS
        else section
        for section in contributes["configuration"]
    ]
    return {**manifest, "version": __version__, "contributes": contributes}


# -- commands -----------------------------------------------------------------------------------


def with_commands(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """The manifest with the server's commands, each with its keys and menus."""
    contributes = dict(manifest["contributes"])
    contributes["commands"] = [*map(_shown, COMMANDS), *_of_client(contributes["commands"])]
    bindings = [binding for command in COMMANDS for binding in _bindings(command)]
    contributes["keybindings"] = [*bindings, *_of_client(contributes["keybindings"])]
    contributes["menus"] = {
        menu: [*_entries(menu), *_of_client(entries)]
        for menu, entries in contributes["menus"].items()
    }
    return {**manifest, "contributes": contributes}


def _of_client(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows that are about no command of the server."""
    return [row for row in rows if row.get("command") not in BY_ID]


def _shown(command: Command) -> dict[str, str]:
    shown = {"command": command.id, "title": f"%{_title_key(command)}%", "category": "msgls"}
    if command.short:
        shown["shortTitle"] = f"%{_title_key(command)}.short%"
    if command.icon:
        shown["icon"] = f"$({command.icon})"
    return {**shown, "enablement": "msgls.running"}


def _bindings(command: Command) -> Iterator[dict[str, Any]]:
    for key in command.keys:
        focus = f"editorTextFocus && {_in_files('editor', key.formats or command.formats)}"
        when = f"{focus} && msgls.running" + (f" && {key.when}" if key.when else "")
        binding: dict[str, Any] = {"command": command.id, "key": key.key, "mac": _on_mac(key)}
        binding["when"] = when
        if key.arguments:
            binding["args"] = dict(key.arguments)
        yield binding


def _on_mac(key: Key) -> str:
    """``Cmd`` for ``Ctrl``, but not where ``Alt`` is held too: macOS has those keys itself."""
    return key.key if "alt" in key.key else key.key.replace("ctrl", "cmd")


def _entries(menu: str) -> Iterator[dict[str, str]]:
    """What stands in a menu: the palette has every command."""
    for command in COMMANDS:
        if menu == "commandPalette":
            yield {"command": command.id, "when": _in_files("editor", command.formats)}
        for place in command.menus:
            name, _, group = place.partition(" ")
            if name == menu:
                yield {"command": command.id, **_when(command, menu), "group": group}


def _when(command: Command, menu: str) -> dict[str, str]:
    """Where an entry of a menu is shown, unless that is wherever the menu is."""
    if menu.startswith("editor/"):
        return {"when": f"{_in_files('resource', command.formats)} && msgls.running"}
    if {*command.formats} >= {*_MENU_FORMATS[menu]}:
        return {}
    return {"when": _in_files("resource", command.formats)}


def _in_files(subject: str, formats: tuple[str, ...]) -> str:
    if len(formats) == 1:
        return f"{subject}LangId == {formats[0]}"
    return f"{subject}LangId =~ /^({'|'.join(formats)})$/"


def _title_key(command: Command) -> str:
    return _COMMAND + command.id.removeprefix("msgls.")


def palette_title(command: Command) -> str:
    """What the palette calls a command: its title with large letters, as is usual there."""
    first, *others = command.title.split(" ")
    words = [word if word in _SMALL_WORDS else word[:1].upper() + word[1:] for word in others]
    return (command.palette or " ".join([first, *words])) + ("…" if command.asks else "")


# -- texts --------------------------------------------------------------------------------------


def english_texts(texts: Texts) -> dict[str, str]:
    """The English texts, with what the options mean and what the commands are called."""
    options = {option_text(option): option.description for option in OPTIONS}
    titles = {_title_key(command): palette_title(command) for command in COMMANDS}
    short = {f"{_title_key(command)}.short": command.short for command in COMMANDS if command.short}
    return {**_by_hand(texts), **titles, **short, **options}


def chinese_texts(texts: Texts, english: Texts) -> dict[str, str]:
    """The Chinese texts in the order of the English ones, whose keys they have."""
    options = {option_text(o): say(Phrase(o.description), CHINESE) for o in OPTIONS}
    known = {**_by_hand(texts), **_titles_in_chinese(), **options}
    return {key: known[key] for key in english if key in known}


def _by_hand(texts: Texts) -> dict[str, str]:
    return {key: text for key, text in texts.items() if not key.startswith(_OPTION)}


def _titles_in_chinese() -> dict[str, str]:
    """The titles of the server's commands; the dots that promise a question as in English."""
    return {
        _title_key(command): say(command.title, CHINESE).rstrip("…") + "…" * command.asks
        for command in COMMANDS
    }


def in_words(value: Any, texts: Texts) -> Any:
    """A manifest, or a part of it, as VS Code reads it: ``%key%`` is what the texts say."""
    if isinstance(value, dict):
        return {key: in_words(item, texts) for key, item in value.items()}
    if isinstance(value, list):
        return [in_words(item, texts) for item in value]
    if isinstance(value, str) and len(value) > 1 and value[0] == value[-1] == "%":
        return texts[value[1:-1]]
    return value


# -- files --------------------------------------------------------------------------------------


def written(value: Mapping[str, Any]) -> str:
    """A manifest, or its texts, as it stands in its file."""
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def files(root: Path = ROOT) -> dict[Path, str]:
    """What the files should be, by path, made of what they are."""
    manifest, english, chinese = (
        json.loads((root / path).read_text("utf-8"))
        for path in (MANIFEST, ENGLISH_TEXTS, CHINESE_TEXTS)
    )
    english = english_texts(english)
    return {
        MANIFEST: written(with_commands(with_settings(manifest))),
        ENGLISH_TEXTS: written(english),
        CHINESE_TEXTS: written(chinese_texts(chinese, english)),
    }


def main() -> int:
    """Write the files, or with ``--check`` only say whether they are fresh."""
    compile_catalogues(ROOT)
    stale = {
        path: text for path, text in files().items() if (ROOT / path).read_text("utf-8") != text
    }
    for path, text in stale.items():
        if "--check" in sys.argv[1:]:
            print(f"{path} is stale: make docs")
        else:
            (ROOT / path).write_text(text, "utf-8", newline="\n")
            print(f"wrote {path}")
    return 1 if stale and "--check" in sys.argv[1:] else 0


if __name__ == "__main__":
    sys.exit(main())
