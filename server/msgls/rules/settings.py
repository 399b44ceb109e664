"""The configuration: one table of options, and all that is made of it.

Owns which settings there are, what each may be, and what they mean for the rules:
which ones run on a file, and how severe a finding is. The JSON Schema is made from
the same table, and so are the settings that an editor shows. The caller
reads a configuration file and passes its text; nothing is opened here.

Spellings of a key that differ in case, ``-`` and ``_`` alone are the same key:
editors write ``perFileIgnores`` where TOML has ``per-file-ignores``. What is *said* is
kept by key, apart from the defaults, so that one source can go before another.
"""

import os.path
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from msgls.document.snapshot import ALL, Settings
from msgls.rules import registry
from msgls.rules.base import Rule, Severity
from msgls.text.phrases import EMPTY, Phrase, about, as_phrase, joined
from msgls.text.similar import closest

OFF = "off"
SEVERITIES: Mapping[str, Severity | None] = {
    OFF: None,
    **{severity.label: severity for severity in Severity},
}

# A name says more than any prefix of a code.
_NAME_WEIGHT = 100

Kind = Literal["selectors", "severities", "globs", "text", "path", "choice", "number", "switch"]

_LINT, _FEATURES = "lint.", "features."


class Option(NamedTuple):
    """One setting."""

    key: str
    """As it is written in TOML, with dots between tables."""
    kind: Kind
    default: Any
    description: str
    choices: tuple[str, ...] = ()

    @property
    def field(self) -> str:
        """The attribute of ``Settings`` that holds it; all switches are in one."""
        if self.kind == "switch":
            return _FEATURES.rstrip(".")
        return self.key.rpartition(".")[2].replace("-", "_")

    @property
    def name(self) -> str:
        """Its key without the table."""
        return self.key.rpartition(".")[2]


SWITCHES: Mapping[str, str] = {
    "actions": "Offer code actions: fixes, and what can be done with a cell.",
    "completion": "Complete while typing.",
    "definition": "Go to definitions.",
    "diagnostics": "Report problems.",
    "folding": "Offer folding ranges.",
    "formatting": "Format files and ranges.",
    "hierarchy": "Show calls as a hierarchy.",
    "highlight": "Highlight the name under the cursor wherever it occurs.",
    "hints": "Show tokens, times and titles between the text.",
    "hover": "Explain what is under the mouse (hover).",
    "lenses": "Show lenses above cells.",
    "linked": "Let an id change in header and definition at once.",
    "links": "Show links to other files.",
    "on-type": "Write the definition of a new cell below its header, a moment after Enter.",
    "outline": "Show the cells of a file as its outline.",
    "references": "Find references.",
    "rename": "Rename ids, agents and tools; follow links when files are renamed.",
    "selection": "Grow and shrink selections.",
    "symbols": "Find cells in all files.",
    "tokens": "Highlight by meaning (semantic tokens).",
}
"""What an editor may use another server for instead: settings that a ``Route`` names."""


OPTIONS: Sequence[Option] = (
    Option(
        "lint.select",
        "selectors",
        (ALL,),
        "Rules to run: codes (`MSG302`), prefixes of codes (`MSG3`), names, or `ALL`.",
    ),
    Option(
        "lint.ignore",
        "selectors",
        (),
        "Rules not to run. If a rule is both selected and ignored, the longer code wins.",
    ),
    Option(
        "lint.severity",
        "severities",
        {},
        "The severity of a rule's findings; `off` disables the rule.",
        tuple(SEVERITIES),
    ),
    Option(
        "lint.per-file-ignores",
        "globs",
        {},
        "Rules not to run on some files: patterns as in .gitignore, with a list of rules each.",
    ),
    Option(
        "section",
        "text",
        "Discussion",
        "The section of a plain Markdown file that `message_section: true` stands for.",
    ),
    Option(
        "dialect",
        "choice",
        "auto",
        "For Simple Text Format files (`*.stf`): the character that starts a command line.",
        ("auto", "@", ";"),
    ),
    Option(
        "tokens",
        "choice",
        "auto",
        "How tokens are counted: with an `estimate`, or exactly with an encoding, which "
        "needs the extra `msgls[tokens]` and the encoding's table on this machine; otherwise "
        "the estimate is used. `auto` is `o200k_base` where that is available.",
        ("auto", "estimate", "o200k_base", "cl100k_base"),
    ),
    Option(
        "agents-file",
        "path",
        "",
        "The `agents.json` whose agents are registered, instead of the nearest one upward. "
        "Relative to the configuration file, or in an editor to the folder that is open.",
    ),
    Option(
        "boot.insert",
        "choice",
        "auto",
        "Whether a new conversation starts with the boot message of the default agent, where an "
        "`agents.json` is in reach.",
        ("auto", "never"),
    ),
    Option(
        "locale",
        "choice",
        "auto",
        "The language of messages, fixes and commands: English (`en`) or simplified Chinese "
        "(`zh`). `auto` is the editor's language; where it names none, and on the command line, "
        "that of the environment (`LC_ALL`, `LC_MESSAGES`, `LANG`). Output for programs is English "
        "then.",
        ("auto", "en", "zh"),
    ),
    Option(
        "diagnostics.scope",
        "choice",
        "openFiles",
        "The files whose problems an editor shows: only open files, or all in the "
        "`workspace`, if the editor supports that.",
        ("openFiles", "workspace"),
    ),
    Option(
        "diagnostics.limit",
        "number",
        1_000,
        "How many problems of a file are sent to an editor at most; the most severe come first.",
    ),
    Option(
        "large-file",
        "number",
        50,
        "A file with more millions of characters (about MB) than this is opened in an editor with "
        "its syntax and its outline only: it is not checked, and nothing else is offered for it.",
    ),
    *[Option(f"{_FEATURES}{name}", "switch", True, text) for name, text in SWITCHES.items()],
)


class SettingsError(ValueError):
    """A configuration that cannot be read; each problem names file, key and what is allowed."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = tuple(map(as_phrase, problems))


def settings_of(said: Mapping[str, Any], folder: str = "") -> Settings:
    """The settings where ``said`` is said, by key, and nothing else."""
    fields: dict[str, Any] = {"folder": folder}
    for option in OPTIONS:
        if option.key in said and option.kind == "switch":
            fields.setdefault(option.field, {})[option.name] = said[option.key]
        elif option.key in said and option.kind == "path" and said[option.key]:
            fields[option.field] = os.path.join(folder, said[option.key])  # noqa: PTH118  # no file
        elif option.key in said:
            fields[option.field] = said[option.key]
    return Settings(**fields)


# What a large file keeps: its syntax, and its outline.
_OF_LARGE_FILES = frozenset({"folding", "outline", "selection", "tokens"})


def is_large(settings: Settings, length: int) -> bool:
    """Whether a text of so many characters is too long for all but syntax and outline."""
    return length > settings.large_file * 1_000_000


def fitting(settings: Settings, length: int) -> Settings:
    """The settings for a text of so many characters: of a large one, little is looked at."""
    if not is_large(settings, length):
        return settings
    kept = {name: settings.has(name) and name in _OF_LARGE_FILES for name in SWITCHES}
    return settings._replace(select=(), features=kept)


def severity_of(settings: Settings, rule: Rule, own: Severity | None = None) -> Severity | None:
    """How severe the findings of a rule are; nothing where it is switched off.

    ``own`` is what a finding says of itself: it counts where nothing is configured.
    """
    weight = -1
    chosen: Severity | None = rule.severity if own is None else own
    for selector, label in settings.severity.items():
        found = selector_weight(selector, rule)
        if found > weight:
            weight, chosen = found, SEVERITIES[label]
    return chosen


def rules_for(
    settings: Settings, path: str = "", rules: Iterable[Rule] | None = None
) -> list[Rule]:
    """The rules that run on the file at ``path``."""
    ignored = (*settings.ignore, *_ignored_at(settings, path))
    return [
        rule
        for rule in (registry.RULES if rules is None else rules)
        if _weight(settings.select, rule) > _weight(ignored, rule)
        and (not settings.severity or severity_of(settings, rule) is not None)
    ]


def _ignored_at(settings: Settings, path: str) -> Iterator[str]:
    if not path or not settings.per_file_ignores:
        return
    from pathspec import GitIgnoreSpec

    folder = settings.folder.replace("\\", "/").rstrip("/") + "/"
    relative = path.replace("\\", "/").removeprefix(folder).lstrip("/")
    for pattern, selectors in settings.per_file_ignores.items():
        if GitIgnoreSpec.from_lines([pattern]).match_file(relative):
            yield from selectors


def selector_weight(selector: str, rule: Rule) -> int:
    """How much ``selector`` says of a rule: more the longer it is, -1 if nothing."""
    if selector == rule.name:
        return _NAME_WEIGHT
    if selector == ALL:
        return 0
    return len(selector) if rule.code.startswith(selector) else -1


def _weight(selectors: Iterable[str], rule: Rule) -> int:
    return max([selector_weight(selector, rule) for selector in selectors], default=-1)


# -- selectors ------------------------------------------------------------------------------


def normal_selector(selector: str) -> str | None:
    """``selector`` as rules are compared with it; nothing where it fits no rule."""
    name = selector.strip()
    if name.lower() in registry.BY_NAME:
        return name.lower()
    code = name.upper()
    return (
        code if code == ALL or any(code in _prefixes(known) for known in registry.BY_CODE) else None
    )


def _prefixes(code: str) -> list[str]:
    """``MSG``, ``MSG3``, … , up to the code itself."""
    letters = len(code.rstrip("0123456789"))
    return [code[:length] for length in range(letters, len(code) + 1)]


def unknown_selector(selector: str) -> Phrase:
    """What to say of a selector that fits no rule."""
    known = [*registry.BY_CODE, *registry.BY_NAME, ALL]
    otherwise = Phrase("allowed are codes, prefixes such as MSG3, names and ALL")
    guess = did_you_mean(selector, known, otherwise)
    return Phrase("there is no rule `{selector}`{guess}", selector=selector, guess=guess)


def did_you_mean(word: str, known: Iterable[str], otherwise: str = "") -> Phrase:
    """`` (did you mean `x`?)``, or else ``otherwise`` in brackets."""
    # A single character is not a misspelling of another one.
    near = closest(word, known, limit=1) if len(word) > 1 else []
    if near:
        return Phrase(" (did you mean `{near}`?)", near=near[0])
    return Phrase(" ({otherwise})", otherwise=otherwise) if otherwise else EMPTY


# -- reading --------------------------------------------------------------------------------


def toml_table(text: str, source: str, table: Sequence[str]) -> Mapping[str, Any] | None:
    """What is below ``table`` in a TOML text; nothing where there is no such table.

    ``source`` is how messages call the file.
    """
    import tomllib

    try:
        values: Any = tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        problem = Phrase("it is not valid TOML: {reason}", reason=_toml_reason(str(error)))
        raise SettingsError([about(source, problem)]) from None
    for name in table:
        if not isinstance(values, Mapping) or name not in values:
            return None
        values = values[name]
    if not isinstance(values, Mapping):
        problem = Phrase("must be a table, not {value}", value=_what(values))
        raise SettingsError([about(source, about(".".join(table), problem))])
    return values


def _toml_reason(said: str) -> Phrase:
    """What the reader of TOML says, with the place apart from the reason."""
    found = re.fullmatch(r"(.*) \(at line (\d+), column (\d+)\)", said, re.DOTALL)
    if found is not None:
        reason, line, column = as_phrase(found[1]), found[2], found[3]
        return Phrase(
            "{reason} (at line {line}, column {column})", reason=reason, line=line, column=column
        )
    reason = as_phrase(said.removesuffix(" (at end of document)"))
    return reason if reason == said else Phrase("{reason} (at end of document)", reason=reason)


class SourceSettings(NamedTuple):
    """The values of one source, by the keys of ``OPTIONS``: only those that it sets."""

    values: Mapping[str, Any] = {}
    problems: tuple[Phrase, ...] = ()
    """What is wrong with the rest, in words that name source, key and what is allowed."""
    foreign: tuple[str, ...] = ()
    """Keys that an editor's client has for itself, or that are misspelled."""


def read_source(
    values: Mapping[str, Any], source: str, prefix: str = "", by_editor: bool = False
) -> SourceSettings:
    """What plain values say. An editor has settings of its own besides ours."""
    reader = _Reader(source, prefix, by_editor)
    reader.read(values)
    return SourceSettings(reader.said, tuple(reader.problems), tuple(reader.foreign))


def _folded(key: str) -> str:
    return key.replace("-", "").replace("_", "").casefold()


_BY_KEY = {_folded(option.key): option for option in OPTIONS}
_TABLES = frozenset(option.key.partition(".")[0] for option in OPTIONS if "." in option.key)
# `select` for `lint.select`: what is in a file of our own need not say it twice.
_SHORT = {_folded(option.name): option for option in OPTIONS if option.key.startswith(_LINT)}


class _Reader:
    """Collects what plain values say, and what is wrong with them."""

    def __init__(self, source: str, prefix: str, by_editor: bool = False) -> None:
        self.source = source
        self.prefix = prefix
        self.by_editor = by_editor
        self.said: dict[str, Any] = {}
        self.problems: list[Phrase] = []
        self.foreign: list[str] = []

    def _problem(self, key: str, what: Phrase) -> None:
        where = f"{self.prefix}.{key}" if self.prefix else key
        self.problems.append(about(self.source, about(where, what)))

    def read(self, values: Mapping[str, Any]) -> None:
        for key, value in values.items():
            if key in _TABLES and isinstance(value, Mapping):
                for inner, inner_value in value.items():
                    self._option(f"{key}.{inner}", inner_value, _BY_KEY)
            elif key in _TABLES and value is not None:
                what = Phrase("must be a table, not {value}", value=_what(value))
                self._problem(key, what)
            elif value is not None:
                self._option(key, value, {**_BY_KEY, **_SHORT})

    def _option(self, key: str, value: Any, options: Mapping[str, Option]) -> None:
        option = options.get(_folded(key))
        if value is None:
            # An editor's way to say nothing.
            return
        if option is None and self.by_editor and "." not in key:
            self.foreign.append(key)
        elif option is None:
            names = [known.key for known in OPTIONS]
            short = [known.name for known in _SHORT.values()]
            guess = did_you_mean(key, [*names, *short])
            keys = joined(_named(key))
            what = Phrase("unknown key{guess}; known keys: {keys}", guess=guess, keys=keys)
            self._problem(key, what)
        elif option.key in self.said:
            what = Phrase("repeats another spelling of `{key}`", key=option.key)
            self._problem(key, what)
        else:
            found = len(self.problems)
            read = _READERS[option.kind](self, key, value, option)
            if len(self.problems) == found:
                self.said[option.key] = read

    def selectors(self, key: str, value: Any, option: Option) -> tuple[str, ...]:
        if not isinstance(value, (list, tuple)):
            self._problem(key, Phrase("must be a list of rules, not {value}", value=_what(value)))
            return ()
        found = []
        for item in value:
            selector = normal_selector(item) if isinstance(item, str) else None
            if selector is not None:
                found.append(selector)
            elif isinstance(item, str):
                self._problem(key, unknown_selector(item))
            else:
                what = Phrase(
                    "holds {value}: allowed are codes, prefixes and names", value=_what(item)
                )
                self._problem(key, what)
        return tuple(found)

    def severities(self, key: str, value: Any, option: Option) -> dict[str, str]:
        if not isinstance(value, Mapping):
            what = Phrase(
                "must be a table of rules and severities, not {value}", value=_what(value)
            )
            self._problem(key, what)
            return {}
        found = {}
        for name, label in value.items():
            selector = normal_selector(str(name))
            if selector is None:
                self._problem(key, unknown_selector(str(name)))
            label = self.choice(f"{key}.{name}", label, option)
            if selector is not None and label:
                found[selector] = label
        return found

    def globs(self, key: str, value: Any, option: Option) -> dict[str, tuple[str, ...]]:
        if not isinstance(value, Mapping):
            what = Phrase("must be a table of patterns and lists, not {value}", value=_what(value))
            self._problem(key, what)
            return {}
        return {
            str(pattern): self.selectors(f'{key}."{pattern}"', selectors, option)
            for pattern, selectors in value.items()
        }

    def text(self, key: str, value: Any, option: Option) -> str:
        if isinstance(value, str) and value.strip():
            return value.strip()
        what = Phrase("must be a non-empty string, not {value}", value=_what(value))
        self._problem(key, what)
        return ""

    def path(self, key: str, value: Any, option: Option) -> str:
        if isinstance(value, str) and "\0" not in value:
            return value.strip()
        self._problem(key, Phrase("must be the path of a file, not {value}", value=_what(value)))
        return ""

    def choice(self, key: str, value: Any, option: Option) -> str:
        if isinstance(value, str):
            for allowed in option.choices:
                if value.lower() == allowed.lower():
                    return allowed
        guess = did_you_mean(value, option.choices) if isinstance(value, str) else ""
        what = Phrase(
            "{value} is not allowed{guess}; allowed: {choices}",
            value=_what(value),
            guess=guess,
            # As they are written in settings, in every language.
            choices=joined(map(str, option.choices)),
        )
        self._problem(key, what)
        return ""

    def number(self, key: str, value: Any, option: Option) -> int:
        if type(value) is int and value >= 1:
            return value
        what = Phrase("must be a whole number of at least 1, not {value}", value=_what(value))
        self._problem(key, what)
        return 0

    def switch(self, key: str, value: Any, option: Option) -> bool:
        if isinstance(value, bool):
            return value
        self._problem(key, Phrase("must be true or false, not {value}", value=_what(value)))
        return True


def _named(key: str) -> list[str]:
    """The keys that a message lists for an unknown one: those of its table, else all."""
    table, dot, _ = key.partition(".")
    if dot and table in _TABLES:
        return [option.key for option in OPTIONS if option.key.startswith(f"{table}.")]
    return [*[option.key for option in OPTIONS if option.kind != "switch"], f"{_FEATURES}*"]


_READERS: Mapping[Kind, Callable[[_Reader, str, Any, Option], Any]] = {
    "selectors": _Reader.selectors,
    "severities": _Reader.severities,
    "globs": _Reader.globs,
    "text": _Reader.text,
    "path": _Reader.path,
    "choice": _Reader.choice,
    "number": _Reader.number,
    "switch": _Reader.switch,
}


def _what(value: Any) -> str:
    """A value as messages quote it."""
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return Phrase("a table")
    return Phrase("a list") if isinstance(value, (list, tuple)) else str(value)


# -- the schema -----------------------------------------------------------------------------


def json_schema() -> dict[str, Any]:
    """The JSON Schema of ``msgls.toml``, and of ``[tool.msgls]``."""
    root: dict[str, Any] = {"type": "object", "additionalProperties": False, "properties": {}}
    for option in OPTIONS:
        table, _, name = option.key.rpartition(".")
        target = root
        if table:
            empty = {"type": "object", "additionalProperties": False, "properties": {}}
            target = root["properties"].setdefault(table, empty)
            if option.key.startswith(_LINT):
                root["properties"][name] = {"$ref": f"#/properties/{table}/properties/{name}"}
        target["properties"][name] = option_schema(option)
    return {"$schema": "http://json-schema.org/draft-07/schema#", "title": "msgls", **root}


def option_schema(option: Option) -> dict[str, Any]:
    """The JSON Schema of one setting."""
    schema: dict[str, Any] = {"description": option.description}
    selectors = {"type": "array", "items": _selector_schema()}
    if option.kind == "selectors":
        schema |= {**selectors, "default": list(option.default)}
    elif option.kind == "severities":
        values = {"enum": list(option.choices)}
        names = _selector_schema()
        schema |= {"type": "object", "propertyNames": names, "additionalProperties": values}
    elif option.kind == "globs":
        schema |= {"type": "object", "additionalProperties": selectors}
    elif option.kind == "choice":
        schema |= {"enum": list(option.choices), "default": option.default}
    elif option.kind == "number":
        schema |= {"type": "integer", "minimum": 1, "default": option.default}
    elif option.kind == "path":
        schema |= {"type": "string", "default": option.default}
    elif option.kind == "switch":
        schema |= {"type": "boolean", "default": option.default}
    else:
        schema |= {"type": "string", "minLength": 1, "default": option.default}
    return schema


def _selector_schema() -> dict[str, Any]:
    codes = sorted({prefix for code in registry.BY_CODE for prefix in _prefixes(code)})
    return {"enum": [ALL, *codes, *registry.BY_NAME]}
