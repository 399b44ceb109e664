"""The settings for editors that no test drives, and for coding agents.

What can be held of them without the program: they can be read, they start the server that there
is, and they reach every file that is ours, under the name of a language that the server takes.
"""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml

from msgls import __version__
from msgls.cli.main import make_parser
from msgls.formats.registry import FORMATS
from tests.editors.story import EDITORS
from tests.lsp.client import PROFILES, Client

ROOT = EDITORS.parent
SERVE = ["msgls", "serve"]
BROKEN = "# %% [^a]\n"
HEADER = "# %%% An answer[^a1]"


def read_json(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def helix() -> dict[str, Any]:
    return tomllib.loads((EDITORS / "helix/languages.toml").read_text("utf-8"))


def kate() -> dict[str, Any]:
    servers: dict[str, Any] = read_json(EDITORS / "kate/settings.json")["servers"]
    return servers


def agents() -> dict[str, tuple[list[str], dict[str, str]]]:
    """For each coding agent the command, and the languages by extension."""
    claude = read_json(EDITORS / "claude-code/.lsp.json")["msgls"]
    copilot = read_json(EDITORS / "copilot-cli/lsp.json")["lspServers"]["msgls"]
    opencode = read_json(EDITORS / "opencode/opencode.json")["lsp"]["msgls"]
    return {
        "claude-code": ([claude["command"], *claude["args"]], claude["extensionToLanguage"]),
        "copilot-cli": ([copilot["command"], *copilot["args"]], copilot["fileExtensions"]),
        "opencode": (opencode["command"], dict.fromkeys(opencode["extensions"], "markdown")),
    }


def test_everybody_starts_the_server() -> None:
    server = helix()["language-server"]["msgls"]
    sublime = read_json(EDITORS / "sublime/LSP.sublime-settings")["clients"]["msgls"]
    started = [[server["command"], *server["args"]], sublime["command"], kate()["msgmd"]["command"]]
    started += [command for command, _ in agents().values()]
    assert [command for command in started if command != SERVE] == []
    make_parser(SERVE[1:]).parse_args(SERVE[1:])


def test_helix_reaches_every_file() -> None:
    languages = {language["name"]: language for language in helix()["language"]}
    assert all("msgls" in language["language-servers"] for language in languages.values())
    named = languages["msgmd"]["file-types"] + languages["stf"]["file-types"]
    assert named == [{"glob": "*.msg.md"}, "stf"]
    # A file of ours ends as one of those, or as what the language at that name has by itself.
    ends = {f".{ending.rpartition('.')[2]}" for format in FORMATS for ending in format.endings}
    assert ends == {".md", ".stf", ".json", ".jsonl"}
    assert {"markdown", "json", "jsonl"} <= languages.keys()
    # Message files have the colours of Markdown.
    for name in ("highlights", "injections"):
        query = EDITORS / f"helix/runtime/queries/msgmd/{name}.scm"
        assert query.read_text("utf-8") == "; inherits: markdown\n"


def test_zed_names_the_server() -> None:
    extension = tomllib.loads((EDITORS / "zed/extension.toml").read_text("utf-8"))
    server = extension["language_servers"]["msgls"]
    assert set(server["languages"]) == server["language_ids"].keys()
    settings = read_json(EDITORS / "zed/settings.json")
    assert settings["languages"].keys() <= set(server["languages"])


@pytest.mark.parametrize("name", ["msgmd", "stf"])
def test_kate_has_a_mode_for_each_server(name: str) -> None:
    root = ElementTree.parse(EDITORS / f"kate/{name}.xml").getroot()
    assert re.fullmatch(kate()[name]["highlightingModeRegex"], root.attrib["name"])
    used = {rule.attrib["attribute"] for rule in root.iter() if "attribute" in rule.attrib}
    assert used == {data.attrib["name"] for data in root.iter("itemData")}
    for rule in root.iter("RegExpr"):
        re.compile(rule.attrib["String"])


# Which of the rules takes the start of a line, in the context that holds for most of a file.
KATE_LINES = {
    "msgmd": (
        "Body",
        {
            "# %%% An answer[^a1]": "Output",
            "##\t%%[^q1]": "Message",
            "# %%%% four": None,
            "[^a1]: [guide] time=1": "Id",
            "[^a1]: a footnote": None,
            "stdout> 1": "Stream",
        },
    ),
    "stf": (
        "At",
        {"@user name=a": "Command", "@# no": "Comment", "@@user": "Text", ";user": None},
    ),
}


@pytest.mark.parametrize("name", KATE_LINES)
def test_kate_knows_the_lines_of_our_own(name: str) -> None:
    root = ElementTree.parse(EDITORS / f"kate/{name}.xml").getroot()
    context, lines = KATE_LINES[name]
    rules = root.findall(f".//context[@name='{context}']/RegExpr[@column='0']")
    found = {
        line: next(
            (r.attrib["attribute"] for r in rules if re.match(r.attrib["String"], line)), None
        )
        for line in lines
    }
    assert found == lines


def test_kate_comes_back_from_markdown_to_our_rules() -> None:
    root = ElementTree.parse(EDITORS / "kate/msgmd.xml").getroot()
    # The start of Markdown leads into its own contexts, for good: only its text may be borrowed.
    borrowed = {rule.attrib["context"] for rule in root.iter("IncludeRules")}
    assert borrowed == {"Normal Text##Markdown"}
    contexts = {context.attrib["name"] for context in root.iter("context")}
    led_to = {
        context.partition("!")[2] or context
        for rule in root.iter()
        for key in ("context", "lineEndContext", "fallthroughContext")
        if (context := rule.attrib.get(key)) and context not in ("#stay", "#pop", *borrowed)
    }
    assert led_to <= contexts


@pytest.mark.parametrize(
    "path", sorted(EDITORS.glob("sublime/*.sublime-syntax")), ids=lambda p: p.stem
)
def test_sublime_knows_the_files(path: Path) -> None:
    syntax = yaml.safe_load(path.read_text("utf-8").removeprefix("%YAML 1.2\n"))
    selector = read_json(EDITORS / "sublime/LSP.sublime-settings")["clients"]["msgls"]["selector"]
    assert any(syntax["scope"].startswith(part.strip()) for part in selector.split("|"))
    matches = [re.compile(rule["match"]) for rule in syntax["contexts"]["main"] if "match" in rule]
    sample = HEADER if "msg.md" in syntax["file_extensions"] else "@user name=a"
    assert any(pattern.match(sample) for pattern in matches)


# -- coding agents ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", agents())
def test_an_agent_is_told_of_every_file(name: str) -> None:
    _, languages = agents()[name]
    for format in FORMATS:
        for ending in format.endings:
            assert f".{ending.rpartition('.')[2]}" in languages


@pytest.mark.parametrize("name", agents())
def test_an_agent_sees_the_problems_of_ours_and_of_nothing_else(name: str) -> None:
    _, languages = agents()[name]
    client = Client(PROFILES["bare"])
    for file, expected in (("talk.msg.md", ["MSG101"]), ("README.md", [])):
        uri = f"file:///folder/{file}"
        client.open(BROKEN, uri, languages[".md"])
        client.settle()
        published = [
            params
            for params in client.notifications("textDocument/publishDiagnostics")
            if params["uri"] == uri
        ]
        found = [one["code"] for one in published[-1]["diagnostics"]] if published else []
        assert found == expected


def test_the_plugin_is_where_the_marketplace_says() -> None:
    marketplace = read_json(ROOT / ".claude-plugin/marketplace.json")
    (plugin,) = marketplace["plugins"]
    manifest = read_json(ROOT / plugin["source"] / ".claude-plugin/plugin.json")
    assert (manifest["name"], manifest["version"]) == (plugin["name"], __version__)
    skill = (ROOT / plugin["source"] / "skills/message-files/SKILL.md").read_text("utf-8")
    head = yaml.safe_load(skill.split("---\n")[1])
    assert head["name"] == "message-files"
    assert len(head["description"]) < 1024
