"""What no linter knows of the repository: its rules are complete, its generated files fresh.

What may import what, and who may open files, is said in ``pyproject.toml`` and checked by
``lint-imports``.
"""

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path

import pytest

from msgls.rules.base import Rule
from msgls.rules.documentation import SECTIONS, page_of
from msgls.rules.registry import RULES, RULESETS, Ruleset
from tools import generate, reference

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "server/msgls"
PROTOCOL_PACKAGES = frozenset({"pygls", "lsprotocol"})


# A directory of one machine, and a name in it. In an address the host stands before
# the slash, and a path that goes on from elsewhere has a letter or a dot there.
MACHINE_PATH = re.compile(
    r"(?<![\w.~$%})\]-])/(?:home|Users|root|work)/[\w.-]+|\b[A-Za-z]:[\\/]+Users[\\/]+\w+"
)
# In two pieces, because this file is looked at too.
OUTSIDE_FOLDER = "../" + "shared"


def leak_problems(name: str, text: str) -> list[str]:
    """Places in a file that tell of the machine it was written on."""
    found = []
    for number, line in enumerate(text.split("\n"), start=1):
        leaks = [match.group() for match in MACHINE_PATH.finditer(line)]
        if OUTSIDE_FOLDER in line:
            leaks.append(OUTSIDE_FOLDER)
        found += [f"{name}:{number}: `{leak}` is a path of one machine" for leak in leaks]
    return found


def modules_loaded(statements: Iterable[str]) -> set[str]:
    """The top-level modules that a fresh interpreter holds after some statements."""
    code = "\n".join([*statements, "import sys", "print(*sys.modules)"])
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return {name.partition(".")[0] for name in run.stdout.split()}


# The repository.


def test_the_command_line_does_not_load_the_protocol() -> None:
    # Every subcommand, because the main module may load them late.
    paths = (ROOT / "server").glob("msgls/cli/**/[a-z]*.py")
    names = {".".join(path.relative_to(ROOT / "server").with_suffix("").parts) for path in paths}
    names.remove("msgls.cli.serve")
    loaded = modules_loaded(f"import {name}" for name in sorted(names))
    assert "msgls" in loaded
    assert not loaded & PROTOCOL_PACKAGES


def modules_in(layer: str) -> tuple[set[str], set[str]]:
    """What a layer has for all formats: modules and packages, by name; the packages of formats."""
    found = [path for path in (PACKAGE / layer).iterdir() if not path.stem.startswith("_")]
    names = {path.stem for path in found if path.suffix == ".py" or (path / "__init__.py").exists()}
    formats = {path.parent.name for path in PACKAGE.glob("formats/*/__init__.py")}
    return names - formats, formats


def test_the_contracts_about_formats_name_every_format_and_every_module() -> None:
    # Where this fails: name it in `pyproject.toml`, in `source_modules` or in `forbidden_modules`.
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    core, features = [one for one in contracts if one["name"].endswith("know no format")]
    shared, formats = modules_in("features")
    assert {*features["source_modules"]} == {f"msgls.features.{name}" for name in shared}
    # The registry is what chooses by format.
    rules = {f"msgls.rules.{name}" for name in modules_in("rules")[0] - {"registry"}}
    assert rules == {name for name in core["source_modules"] if name.startswith("msgls.rules.")}
    for contract in (core, features):
        assert {*contract["forbidden_modules"]} == {f"msgls.*.{name}" for name in formats}


def test_no_file_tells_of_the_machine_it_was_written_on() -> None:
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    names = [name for name in listed.stdout.split("\0") if (ROOT / name).is_file()]
    if listed.returncode:
        pytest.skip("this is not a checkout of git")
    assert "pyproject.toml" in names
    found = []
    for name in names:
        found += leak_problems(name, (ROOT / name).read_text("utf-8", "replace"))
    assert found == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_every_rule_is_documented_tested_and_worded(rule: Rule) -> None:
    module = type(rule).__module__.rpartition(".")[2]
    assert module == f"{rule.code.lower()}_{rule.name.replace('-', '_')}"
    page = page_of(rule)
    assert page.summary
    assert tuple(page.sections) == SECTIONS
    assert list((ROOT / "tests/rules").rglob(f"test_{module}.py"))
    assert rule.texts


def test_every_rule_is_imported_by_the_list_of_its_format() -> None:
    # Where this fails: import it in `every.py` beside it.
    files = (ROOT / "server/msgls/rules").glob("*/*.py")
    modules = [path.stem for path in files if re.match("[a-z]+[0-9]{3}_", path.name)]
    run = [type(rule).__module__.rpartition(".")[2] for rule in RULES]
    assert sorted(modules) == sorted(run)


def test_codes_of_rules_are_unique_and_so_are_names_in_a_format() -> None:
    # Two formats of JSON each have their `invalid-json`, and a setting by that name is for both.
    names = {(rule.code.rstrip("0123456789"), rule.name) for rule in RULES}
    assert len({rule.code for rule in RULES}) == len(names) == len(RULES)


def test_what_is_generated_is_fresh() -> None:
    # Where this fails: make docs
    assert list(generate.stale()) == []


def test_the_list_of_rules_has_every_rule() -> None:
    text = (ROOT / "docs/rules.md").read_text("utf-8")
    assert [rule.code for rule in RULES if text.count(f"[{rule.code}]") != 1] == []


def test_the_list_of_rules_has_every_format(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RULESETS, "talk", Ruleset("TALK", "Talks", tuple))
    assert "\n## Talks\n" in reference.rules_page([], "")


def test_a_stale_page_is_found(tmp_path: Path) -> None:
    generate.write(tmp_path)
    assert list(generate.stale(tmp_path)) == []
    page = tmp_path / generate.PAGES / "MSG302.md"
    page.write_text("old", "utf-8")
    gone = tmp_path / generate.PAGES / "MSG000.md"
    gone.write_text("", "utf-8")
    assert list(generate.stale(tmp_path)) == [
        generate.PAGES / "MSG302.md",
        generate.PAGES / "MSG000.md",
    ]
    generate.write(tmp_path)
    assert list(generate.stale(tmp_path)) == []


# The checkers.


def test_a_loaded_module_is_found() -> None:
    assert "lsprotocol" in modules_loaded(["import lsprotocol"])
    assert not modules_loaded(["import json"]) & PROTOCOL_PACKAGES


def test_a_statement_that_fails_is_not_a_clean_result() -> None:
    with pytest.raises(AssertionError, match="ModuleNotFoundError"):
        modules_loaded(["import msgls.no_such_module"])


@pytest.mark.parametrize(
    "path", ["/home/%s/a", "/Users/%s", "/root/%s", "/work/%s/b.py", "C:\\Users\\%s", "c:/Users/%s"]
)
@pytest.mark.parametrize("before", ["", "see ", '"', "file://", "(", "HOME="])
def test_a_path_of_a_machine_is_found(path: str, before: str) -> None:
    text = "first\n" + before + path % "name" + " and on"
    assert [problem.split(" ")[0] for problem in leak_problems("a.md", text)] == ["a.md:2:"]


def test_a_folder_outside_is_found() -> None:
    assert len(leak_problems("a.md", f"see {OUTSIDE_FOLDER}/a.md")) == 1


@pytest.mark.parametrize(
    "text",
    [
        "https://example.com/home/page",
        "./work/a and ../root/b and a/Users/b",
        "$HOME/work/a ~/work/a {base}/home/a",
        "/tmp/a /usr/bin/env /homes/a /rooted/b",
        "/home/ /work",
        "shared/a ../a",
    ],
)
def test_other_paths_are_allowed(text: str) -> None:
    assert leak_problems("a.md", text) == []
