"""The pages of ``docs/`` that are made from tables: rules, settings, commands and keys, the CLI.

Owns how each is written as Markdown. What they say is said by the tables: the rules, the options,
the server's commands, the VS Code client's keys and the command line's own arguments.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgls.features.command_table import BY_ID, COMMANDS
from msgls.rules.documentation import Page
from msgls.rules.registry import RULESETS
from msgls.rules.settings import OPTIONS, Option
from tools import commandline, vscode_manifest


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; a bar in a cell is escaped."""
    shown = [
        " | ".join(cell.replace("\n", " ").replace("|", "\\|") for cell in line)
        for line in (heads, *rows)
    ]
    head, *body = [f"| {line} |" for line in shown]
    return "\n".join([head, "|---" * len(heads) + "|", *body]) + "\n"


# -- rules ------------------------------------------------------------------------------------


def rule_table(pages: Iterable[Page], prefix: str) -> str:
    """The rules as a table; ``prefix`` leads to the folder of their pages."""
    rows = [
        (
            f"[{page.rule.code}]({prefix}{page.rule.code}.md)",
            page.rule.name,
            page.rule.severity.label,
            "yes" if page.has_fix else "",
            page.summary,
        )
        for page in pages
    ]
    return table(["code", "name", "severity", "fix", ""], rows)


_RULES_INTRO = """\
# Rules

{count} rules, each with a page of its own. `msgls rule CODE` prints that page, and
`msgls rule --all` this list. A code and a name stay what they are once released;
[settings](settings.md) say which rules run, and how severe they are.

A comment silences a rule in one cell, or before the first cell in the whole file:

```markdown
<!-- msgls: ignore MSG302 -->
```"""


def rules_page(pages: Sequence[Page], prefix: str) -> str:
    """Every rule, by format."""
    parts = [_RULES_INTRO.format(count=len(pages))]
    for ruleset in RULESETS.values():
        own = [page for page in pages if page.rule.code.startswith(ruleset.prefix)]
        parts += [f"## {ruleset.title}", rule_table(own, prefix).rstrip("\n")]
    return "\n\n".join(parts) + "\n"


# -- settings ---------------------------------------------------------------------------------

_KINDS = {
    "selectors": "list of rules",
    "severities": "table of rules",
    "globs": "table of patterns",
    "text": "text",
    "number": "number",
    "switch": "true or false",
}

_SETTINGS_INTRO = """\
# Settings

The names are the same in `msgls.toml`, below `[tool.msgls]` in `pyproject.toml`, and in an editor
(section `msgls`, in camelCase where people expect it: `perFileIgnores`). `msgls init` writes a file
with all of them; `msgls schema config` prints their JSON Schema.

```toml
# msgls.toml; in pyproject.toml the tables are [tool.msgls] and [tool.msgls.lint.severity]
[lint]
ignore = ["MSG105"]

[lint.severity]
MSG208 = "warning"
```

Of the files upward of a document the nearest counts, and it alone. Key by key, the first that says
something decides: the editor's settings for the folder, what the client said at its start
(`initializationOptions.settings`), the nearest file, the default. `null` says nothing. A change
holds at once. An invalid value is reported, and its default holds.

Below `lint`, the table's name may be left out: `ignore` is `lint.ignore`.
"""


def settings_page() -> str:
    """Every option of the table that server, command line and editors share."""
    features = [option for option in OPTIONS if option.kind == "switch"]
    others = [option for option in OPTIONS if option.kind != "switch"]
    rows = [(f"`{o.key}`", _kind(o), f"`{_default(o)}`", o.description) for o in others]
    switches = [(f"`{o.key}`", o.description) for o in features]
    return "\n".join(
        [
            _SETTINGS_INTRO,
            table(["key", "what", "default", ""], rows),
            "## Features\n",
            "Each is `true`; `false` leaves a feature to another server on the same file.\n",
            table(["key", ""], switches),
        ]
    )


def _kind(option: Option) -> str:
    if option.choices and option.kind == "choice":
        return ", ".join(f"`{choice}`" for choice in option.choices)
    return _KINDS.get(option.kind, option.kind)


def _default(option: Option) -> str:
    value = list(option.default) if isinstance(option.default, tuple) else option.default
    return json.dumps(value, ensure_ascii=False)


# -- commands and keys ------------------------------------------------------------------------

_COMMANDS_INTRO = """\
# Commands and keys

Commands of the server work in every editor: by `workspace/executeCommand` with
`[{"uri": …, "position": …}]`, and nearly all of them as a code action, too. The keys are those of
VS Code; where they hold, a message file has the focus.
"""


def commands_page(manifest: Mapping[str, Any] | None = None) -> str:
    """The commands of the server and of the VS Code client, with the keys of the latter."""
    if manifest is None:
        manifest = _manifest_in_english()
    contributes = manifest["contributes"]
    keys: dict[str, dict[str, str]] = {}
    for binding in contributes["keybindings"]:
        shown = _key(binding["key"]) + _arguments(binding.get("args"))
        # The same key in two languages, or for two, is one key.
        keys.setdefault(binding["command"], {})[shown] = ""
    own = [(f"`{c.id}`", c.title, "<br>".join(keys.get(c.id, ()))) for c in COMMANDS]
    client = [
        (f"`{command['command']}`", command["title"], "<br>".join(keys.get(command["command"], ())))
        for command in contributes["commands"]
        if command["command"] not in BY_ID
    ]
    heads = ["command", "", "key in VS Code"]
    return "\n".join(
        [
            _COMMANDS_INTRO,
            "## Of the server\n",
            table(heads, own),
            "On a Mac, `Cmd` stands for the `Ctrl` before `;`.\n",
            "## Of the VS Code extension alone\n",
            table(heads, client),
        ]
    )


def _manifest_in_english() -> Mapping[str, Any]:
    # As it should be: `make docs` may not have written it yet.
    made = vscode_manifest.files()
    manifest, texts = (
        json.loads(made[path]) for path in (vscode_manifest.MANIFEST, vscode_manifest.ENGLISH_TEXTS)
    )
    words: Mapping[str, Any] = vscode_manifest.in_words(manifest, texts)
    return words


def _key(chord: str) -> str:
    """``ctrl+; shift+d`` as people write it: `Ctrl+;` `Shift+D`."""
    strokes = []
    for stroke in chord.split(" "):
        *modifiers, key = stroke.split("+")
        strokes.append("+".join(name.capitalize() for name in (*modifiers, key)))
    return " ".join(f"`{stroke}`" for stroke in strokes)


def _arguments(given: Any) -> str:
    """What a key gives to its command, in brackets."""
    if not isinstance(given, Mapping):
        return ""
    said = [name if value is True else str(value) for name, value in given.items()]
    return f" ({', '.join(said)})"


# -- the command line -------------------------------------------------------------------------

_CLI_INTRO = """\
# The command line

Every command exits with 0 if all is well, with 1 if there is something to say (problems, files that
would change), and with 2 if it was called wrongly or could not read something. What people read is
coloured in a terminal; `NO_COLOR` and `FORCE_COLOR` are obeyed. `msgls COMMAND --help` says the
same as this page, and so does `man msgls`.

Completions for a shell are printed by `msgls completions`; where they go:

| shell | file |
|---|---|
| bash | `~/.local/share/bash-completion/completions/msgls` |
| zsh | `_msgls` in a folder of `$fpath` |
| fish | `~/.config/fish/completions/msgls.fish` |

## Commands
"""


def cli_page() -> str:
    """Every command with its arguments."""
    found = commandline.commands()
    index = [(f"[`msgls {c.name}`](#msgls-{c.name})", c.help) for c in found]
    parts = [_CLI_INTRO, table(["command", ""], index)]
    for command in found:
        parts.append(f"## msgls {command.name}\n")
        parts.append(f"{command.help[0].upper()}{command.help[1:]}.\n")
        parts.append(f"```text\n{command.usage}\n```\n")
        if command.arguments:
            rows = [(f"`{argument.shown}`", argument.help) for argument in command.arguments]
            parts.append(table(["argument", ""], rows))
    return "\n".join(parts)
