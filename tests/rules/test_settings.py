"""The configuration: what is read, what is refused and how, and what it means for the rules."""

import json

import jsonschema
import pytest

from msgls.document.snapshot import Settings
from msgls.rules.base import Severity
from msgls.rules.registry import BY_CODE, RULES
from msgls.rules.settings import (
    OPTIONS,
    SWITCHES,
    SettingsError,
    SourceSettings,
    json_schema,
    normal_selector,
    read_source,
    rules_for,
    settings_of,
    severity_of,
    toml_table,
)

CODES = {rule.code for rule in RULES}


def read(text: str) -> Settings:
    said = read_source(toml_table(text, "msgls.toml", ()) or {}, "msgls.toml")
    if said.problems:
        raise SettingsError(said.problems)
    return settings_of(said.values, "/base")


def codes(settings: Settings, path: str = "") -> set[str]:
    return {rule.code for rule in rules_for(settings, path)}


def problems(text: str) -> tuple[str, ...]:
    with pytest.raises(SettingsError) as caught:
        read(text)
    return caught.value.problems


# What is read.


def test_nothing_configured_is_every_rule_as_it_is() -> None:
    settings = read("")
    assert settings == Settings(folder="/base")
    assert codes(settings) == CODES
    assert all(severity_of(settings, rule) is rule.severity for rule in RULES)


def test_the_defaults_of_the_table_are_those_of_the_settings() -> None:
    settings = Settings()
    plain = [option for option in OPTIONS if option.kind != "switch"]
    assert {o.field: o.default for o in plain} == {
        o.field: getattr(settings, o.field) for o in plain
    }
    assert all(settings.has(name) for name in SWITCHES)


def test_switches_and_numbers() -> None:
    settings = read("[features]\nhover = false\non-type = true\n[diagnostics]\nlimit = 7\n")
    assert not settings.has("hover")
    assert settings.has("on-type")
    assert settings.has("completion")
    assert settings.has("what has no switch")
    assert settings.limit == 7


def test_what_is_said_is_told_apart_from_what_is_not() -> None:
    said = read_source({"select": ["MSG1"], "section": "", "features": {"hover": False}}, "x")
    assert said.values == {"lint.select": ("MSG1",), "features.hover": False}
    assert said.problems == ('x: section: must be a non-empty string, not ""',)


def test_an_editor_says_nothing_with_null_and_has_settings_of_its_own() -> None:
    values = {
        "lint": {"select": None, "ignore": ["MSG1"]},
        "features": None,
        "section": None,
        "trace": {"server": "off"},
    }
    said = read_source(values, "x", by_editor=True)
    assert said == SourceSettings({"lint.ignore": ("MSG1",)}, (), ("trace",))
    (problem,) = read_source({"lint": {"selct": []}}, "x", by_editor=True).problems
    assert "did you mean `lint.select`?" in problem


def test_everything_can_be_said() -> None:
    settings = read(
        "section = 'Talk'\ndialect = ';'\n[lint]\nselect = ['MSG3', 'MSG101']\n"
        "ignore = ['nonce-mismatch']\nseverity = {MSG301 = 'hint'}\n"
        "per-file-ignores = {'old/**' = ['ALL']}\n"
    )
    assert settings.section == "Talk"
    assert settings.dialect == ";"
    assert "MSG101" in codes(settings)
    assert "MSG302" not in codes(settings)
    assert severity_of(settings, BY_CODE["MSG301"]) is Severity.HINT


@pytest.mark.parametrize(
    "text",
    [
        "[lint]\nper-file-ignores = {'a' = ['MSG1']}",
        "lint.per_file_ignores = {'a' = ['MSG1']}",
        "lint.perFileIgnores = {'a' = ['msg1']}",
        "per-file-ignores = {'a' = ['MSG1']}",
    ],
)
def test_spellings_of_a_key(text: str) -> None:
    assert read(text).per_file_ignores == {"a": ("MSG1",)}


def test_a_table_of_pyproject() -> None:
    text = "[project]\nname = 'x'\n[tool.msgls.lint]\nignore = ['MSG1']\n"
    values = toml_table(text, "pyproject.toml", ("tool", "msgls"))
    found = read_source(values or {}, "pyproject.toml", "tool.msgls")
    assert found == SourceSettings({"lint.ignore": ("MSG1",)})


def test_an_editors_json() -> None:
    found = read_source({"lint": {"select": ["MSG1"]}}, "settings")
    assert found == SourceSettings({"lint.select": ("MSG1",)})


# What it means.


@pytest.mark.parametrize(
    ("select", "ignore", "on"),
    [
        (("ALL",), (), True),
        (("MSG3",), (), True),
        (("MSG1",), (), False),
        (("nonce-mismatch",), (), True),
        (("ALL",), ("MSG3",), False),
        (("ALL",), ("MSG302",), False),
        (("MSG302",), ("MSG3",), True),
        (("MSG3",), ("MSG3",), False),
        (("MSG30",), ("ALL",), True),
        (("MSG302",), ("nonce-mismatch",), False),
    ],
)
def test_the_longer_selector_decides(
    select: tuple[str, ...], ignore: tuple[str, ...], on: bool
) -> None:
    assert ("MSG302" in codes(Settings(select, ignore))) is on


def test_severities_can_be_set_for_many_and_for_one() -> None:
    settings = read("lint.severity = {MSG3 = 'hint', MSG302 = 'warning', MSG301 = 'off'}")
    assert severity_of(settings, BY_CODE["MSG302"]) is Severity.WARNING
    assert severity_of(settings, BY_CODE["MSG303"]) is Severity.HINT
    assert severity_of(settings, BY_CODE["MSG301"]) is None
    assert codes(settings) == CODES - {"MSG301"}


def test_one_rule_can_stay_on_where_the_others_are_off() -> None:
    settings = read("lint.severity = {ALL = 'off', MSG302 = 'error'}")
    assert codes(settings) == {"MSG302"}


@pytest.mark.parametrize(
    ("pattern", "path", "ignored"),
    [
        ("*.msg.md", "/base/a/b.msg.md", True),
        ("a/*.md", "/base/a/b.msg.md", True),
        ("a/*.md", "/base/c/b.msg.md", False),
        ("/b.msg.md", "/base/a/b.msg.md", False),
        ("a/", "/base/a/deep/b.msg.md", True),
        ("**/deep/**", "/base/a/deep/b.msg.md", True),
        ("*.md", "", False),
    ],
)
def test_rules_can_be_off_for_some_files(pattern: str, path: str, ignored: bool) -> None:
    settings = read(f"lint.per-file-ignores = {{'{pattern}' = ['MSG302']}}")
    assert ("MSG302" not in codes(settings, path)) is ignored


# What is refused: file, key, and what is allowed.


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("selct = []", ["msgls.toml: selct: unknown key", "did you mean `select`?"]),
        ("[lint]\nselct = []", ["msgls.toml: lint.selct: unknown key", "`lint.select`"]),
        ("zzz = 1", ["unknown key; known keys: lint.select, "]),
        ("lint = 3", ["lint: must be a table, not 3"]),
        ("lint.select = 'MSG1'", ['lint.select: must be a list of rules, not "MSG1"']),
        ("lint.select = ['MSG9999']", ["lint.select: there is no rule `MSG9999`"]),
        ("lint.select = ['nonce-mismach']", ["did you mean `nonce-mismatch`?"]),
        ("lint.select = ['MS']", ["there is no rule `MS`", "codes, prefixes"]),
        ("lint.select = ['']", ["there is no rule ``"]),
        ("lint.select = [1]", ["lint.select: holds 1"]),
        (
            "lint.severity = {MSG105 = 'of'}",
            ['lint.severity.MSG105: "of" is not allowed', "`off`", "off, error, warning, info"],
        ),
        ("lint.severity = {MSG105 = 1}", ["1 is not allowed; allowed: off"]),
        ("lint.severity = {MSG999 = 'off'}", ["lint.severity: there is no rule `MSG999`"]),
        ("lint.severity = []", ["lint.severity: must be a table"]),
        ("lint.per-file-ignores = {'a' = 'MSG1'}", ['per-file-ignores."a": must be a list']),
        ("lint.per-file-ignores = 1", ["must be a table of patterns"]),
        ("section = ''", ["section: must be a non-empty string"]),
        ("section = 3", ["section: must be a non-empty string"]),
        ("dialect = '#'", ['dialect: "#" is not allowed; allowed: auto, @, ;']),
        ("select = []\nlint.select = []", ["lint.select: repeats another spelling"]),
        (
            "diagnostics.limit = 0",
            [("diagnostics.limit: must be a whole number of at least 1, not 0")],
        ),
        ("diagnostics.limit = true", ["at least 1, not true"]),
        ("features.hover = 'no'", ['features.hover: must be true or false, not "no"']),
        ("features.hovr = true", ["features.hovr: unknown key", "`features.hover`"]),
        ("hover = true", ["hover: unknown key", "known keys: lint.select, ", "features.*"]),
        ("limit = 3", ["limit: unknown key"]),
        ("a = 1\nb = =", ["msgls.toml: it is not valid TOML:", "line 2"]),
    ],
)
def test_a_bad_configuration_is_named(text: str, words: list[str]) -> None:
    (problem,) = problems(text)
    assert problem.startswith("msgls.toml: ")
    for word in words:
        assert word in problem


def test_every_problem_is_named_at_once() -> None:
    assert len(problems("selct = []\ndialect = 1\nlint.select = ['x', 'y']")) == 4


def test_a_table_that_is_none() -> None:
    with pytest.raises(SettingsError, match=r"pyproject\.toml: tool\.msgls: must be a table"):
        toml_table("[tool]\nmsgls = 3", "pyproject.toml", ("tool", "msgls"))


# Selectors and the schema.


def test_selectors_are_read_in_any_case() -> None:
    assert normal_selector(" msg302 ") == "MSG302"
    assert normal_selector("all") == "ALL"
    assert normal_selector("Nonce-Mismatch") == "nonce-mismatch"
    assert normal_selector("MSG") == "MSG"
    assert normal_selector("M") is None


def validator() -> jsonschema.Draft7Validator:
    schema = json_schema()
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(json.loads(json.dumps(schema)))


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"section": "Talk", "dialect": "@"},
        {"lint": {"select": ["ALL", "MSG3", "nonce-mismatch"], "severity": {"MSG1": "off"}}},
        {"select": ["MSG302"], "per-file-ignores": {"a/**": ["MSG1"]}},
        {"features": {"hover": False, "on-type": True}, "diagnostics": {"limit": 1}},
    ],
)
def test_what_is_valid_is_valid_by_the_schema_too(values: dict[str, object]) -> None:
    assert read_source(values, "x").problems == ()
    assert list(validator().iter_errors(values)) == []


@pytest.mark.parametrize(
    "values",
    [
        {"selct": []},
        {"lint": {"selct": []}},
        {"lint": {"select": "MSG1"}},
        {"lint": {"select": ["MSG9999"]}},
        {"lint": {"severity": {"MSG105": "of"}}},
        {"lint": {"severity": {"MSG999": "off"}}},
        {"section": ""},
        {"dialect": "#"},
        {"features": {"hover": "no"}},
        {"features": {"hovr": True}},
        {"hover": False},
        {"diagnostics": {"limit": 0}},
    ],
)
def test_what_is_refused_is_refused_by_the_schema_too(values: dict[str, object]) -> None:
    assert read_source(values, "x").problems
    assert list(validator().iter_errors(values))


# Paths and broken files.


@pytest.mark.parametrize(
    ("said", "path"),
    [('"agents.json"', "/base/agents.json"), ('" ../a.json "', "/base/../a.json"), ('""', "")],
)
def test_a_path_is_relative_to_the_file_that_says_it(said: str, path: str) -> None:
    assert read(f"agents-file = {said}").agents_file == path


@pytest.mark.parametrize("said", ["7", "true", '["a.json"]', '"a\\u0000b"', "{a = 1}"])
def test_what_is_not_a_path(said: str) -> None:
    (problem,) = problems(f"agents-file = {said}")
    assert problem.startswith("msgls.toml: agents-file: must be the path of a file, not ")


@pytest.mark.parametrize(
    ("text", "table", "wanted"),
    [
        ("[tool.msgls.lint]\nselect = ['MSG']", ("tool", "msgls"), {"lint": {"select": ["MSG"]}}),
        ("[tool.other]", ("tool", "msgls"), None),
        ("tool = 1", ("tool", "msgls"), None),
        ("", ("tool", "msgls"), None),
        ("\ufeffa = 1", (), {"a": 1}),
    ],
)
def test_the_table_of_a_file(text: str, table: tuple[str, ...], wanted: object) -> None:
    assert toml_table(text, "pyproject.toml", table) == wanted


@pytest.mark.parametrize("text", ["a = ", "a = [1,", "= 1", "a = 1\na = 2"])
def test_a_broken_file_says_where(text: str) -> None:
    (problem,) = problems(text)
    assert problem.startswith("msgls.toml: it is not valid TOML: ")
    assert "(at line " in problem or "(at end of document)" in problem
