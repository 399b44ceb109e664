"""The order of the house: what may import what, who opens files, what no file may say.

The checkers are plain functions from source text to findings. The first part of
the tests runs them over the repository, the second shows on made-up sources that
each of them can fail.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import pytest

from msgls.rules.base import Rule
from msgls.rules.documentation import SECTIONS, page_of
from msgls.rules.registry import RULES
from msgls.rules.texts.en import TEXTS
from tools import generate

ROOT = Path(__file__).resolve().parent.parent
SERVER = ROOT / "server"

# Arrows go left only. A part may import itself and every part of a lower rank, so
# `lsp` and `cli`, which share one, do not import each other. The two names with
# underscores are files: the package's own `__init__.py` and `__main__.py`.
RANKS = {
    "__init__": -1,
    "text": 0,
    "syntax": 1,
    "model": 2,
    "formats": 3,
    "document": 4,
    "conversation": 5,
    "branches": 6,
    "rules": 6,
    "features": 7,
    "host": 8,
    "lsp": 9,
    "cli": 9,
    # What programs call stands on the command line's checking.
    "api": 10,
    "__main__": 10,
}
# The package's own names are those of the library, loaded when they are asked for.
EXCEPTIONS = {("msgls.cli.serve", "lsp"), ("msgls", "api")}
PROTOCOL_PACKAGES = frozenset({"pygls", "lsprotocol"})
FILE_METHODS = frozenset({"read_text", "read_bytes", "write_text", "write_bytes"})


class Module(NamedTuple):
    """A module of the package: its dotted name and its text."""

    name: str
    source: str
    is_package: bool = False

    @property
    def part(self) -> str:
        """The part of the house that the module stands in."""
        parts = self.name.split(".")
        return parts[1] if len(parts) > 1 else "__init__"


class Import(NamedTuple):
    """One name that a module imports, written out in full."""

    line: int
    target: str


def imports(module: Module) -> Iterator[Import]:
    """Every import of a module, wherever in it: in functions, below TYPE_CHECKING."""
    for node in ast.walk(ast.parse(module.source)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(node.lineno, alias.name)
        elif isinstance(node, ast.ImportFrom):
            base = absolute(module, node.module or "", node.level)
            for alias in node.names:
                yield Import(node.lineno, f"{base}.{alias.name}")
        elif isinstance(node, ast.Call) and is_dynamic_import(node.func):
            for argument in node.args[:1]:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    name = argument.value.lstrip(".")
                    level = len(argument.value) - len(name)
                    yield Import(node.lineno, absolute(module, name, level))


def is_dynamic_import(function: ast.expr) -> bool:
    name = function.attr if isinstance(function, ast.Attribute) else ""
    name = function.id if isinstance(function, ast.Name) else name
    return name in {"import_module", "__import__"}


def absolute(module: Module, name: str, level: int) -> str:
    """What a name after ``level`` dots stands for in a module."""
    if not level:
        return name
    parents = module.name.split(".")
    up = level - 1 if module.is_package else level
    base = parents[: max(len(parents) - up, 0)]
    return ".".join([*base, name] if name else base)


def layer_problems(module: Module) -> list[str]:
    """Imports that go against the arrows."""
    if module.part not in RANKS:
        return [f"{module.name}: `{module.part}` is no known part of the package"]
    found = []
    for line, target in imports(module):
        package, _, rest = target.partition(".")
        part = rest.partition(".")[0]
        if package != "msgls" or part not in RANKS:
            continue
        if part == module.part or RANKS[part] < RANKS[module.part]:
            continue
        if (module.name, part) not in EXCEPTIONS:
            found.append(f"{module.name}:{line}: {module.part} must not import {target}")
    return found


def protocol_problems(module: Module) -> list[str]:
    """Imports of the protocol's packages outside ``lsp``."""
    if module.part == "lsp":
        return []
    return [
        f"{module.name}:{line}: only lsp may import {target}"
        for line, target in imports(module)
        if target.partition(".")[0] in PROTOCOL_PACKAGES
    ]


def file_problems(module: Module) -> list[str]:
    """Uses of the file system outside ``host``, ``lsp`` and ``cli``, called or handed on.

    Types are not known here. So the methods of ``Path`` that read and write count
    on any object, and ``.open`` counts on whatever was imported from outside the
    package, and on any object where ``pathlib`` is imported at all.
    """
    if module.part in {"host", "lsp", "cli", "__main__"}:
        return []
    tree = ast.parse(module.source)
    outside = imported_names(tree)
    has_pathlib = any(target.partition(".")[0] == "pathlib" for _, target in imports(module))
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            is_file_use = node.id == "open" and isinstance(node.ctx, ast.Load)
        elif isinstance(node, ast.Attribute):
            is_file_use = node.attr in FILE_METHODS or (
                node.attr in {"open", "fdopen"}
                and (has_pathlib or root_name(node.value) in outside)
            )
        elif isinstance(node, ast.ImportFrom):
            is_file_use = any(alias.name in {"open", "fdopen"} for alias in node.names)
        else:
            continue
        if is_file_use:
            found.append((node.lineno, ast.unparse(node)))
    return [
        f"{module.name}:{line}: `{what}` uses a file: take a reader as a parameter"
        for line, what in sorted(found)
    ]


def imported_names(tree: ast.Module) -> set[str]:
    """The names that stand for something from outside the package."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.asname or alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names |= {alias.asname or alias.name for alias in node.names}
            if (node.module or "").partition(".")[0] == "msgls":
                names -= {alias.asname or alias.name for alias in node.names}
    return names - {"msgls"}


def root_name(node: ast.expr) -> str | None:
    """The name that an expression starts with: ``Path`` in ``(Path(a) / b).parent``."""
    while not isinstance(node, ast.Name):
        if isinstance(node, (ast.Attribute, ast.Subscript)):
            node = node.value
        elif isinstance(node, ast.Call):
            node = node.func
        elif isinstance(node, ast.BinOp):
            node = node.left
        else:
            return None
    return node.id


def docstring_problems(module: Module) -> list[str]:
    """Modules that do not say what they own."""
    if ast.get_docstring(ast.parse(module.source)):
        return []
    return [f"{module.name}: has no docstring"]


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


def package_modules() -> Iterator[Module]:
    """Every module below ``server/msgls``."""
    for path in sorted((SERVER / "msgls").rglob("*.py")):
        is_package = path.name == "__init__.py"
        dotted = path.parent if is_package else path.with_suffix("")
        name = ".".join(dotted.relative_to(SERVER).parts)
        yield Module(name, path.read_text("utf-8"), is_package)


def repository_files(root: Path = ROOT) -> Iterator[PurePosixPath]:
    """What is tracked, or would be; in a tree without git, all that is not made by tools."""
    names = git_files(root)
    if names:
        yield from (PurePosixPath(name) for name in names if (root / name).is_file())
        return
    generated = {".git", ".venv", ".hypothesis", "__pycache__", "node_modules", "out", "dist"}
    for path in sorted(root.rglob("*")):
        inside = path.relative_to(root)
        is_made = any(part in generated or part.endswith("_cache") for part in inside.parts)
        if path.is_file() and not is_made:
            yield PurePosixPath(inside)


def git_files(root: Path) -> list[str]:
    """What git would track below a folder; nothing where there is no git."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listing = subprocess.run(command, cwd=root, capture_output=True, check=False)
    except FileNotFoundError:
        return []
    return [name for name in listing.stdout.decode("utf-8", "surrogateescape").split("\0") if name]


# The repository.


def test_there_are_modules_to_look_at() -> None:
    assert {"msgls", "msgls.text.spans"} <= {module.name for module in package_modules()}


def test_arrows_go_left_only() -> None:
    assert [problem for module in package_modules() for problem in layer_problems(module)] == []


def test_only_lsp_knows_the_protocol() -> None:
    assert [problem for module in package_modules() for problem in protocol_problems(module)] == []


def test_no_file_is_opened_below_lsp_and_cli() -> None:
    assert [problem for module in package_modules() for problem in file_problems(module)] == []


def test_every_module_has_a_docstring() -> None:
    assert [problem for module in package_modules() for problem in docstring_problems(module)] == []


def test_the_command_line_does_not_load_the_protocol() -> None:
    # Every subcommand, because the main module may load them late.
    names = {module.name for module in package_modules() if module.part == "cli"}
    names = names - {"msgls.cli.serve"} | {"msgls.cli.main"}
    loaded = modules_loaded(f"import {name}" for name in sorted(names))
    assert "msgls" in loaded
    assert not loaded & PROTOCOL_PACKAGES


def test_no_file_tells_of_the_machine_it_was_written_on() -> None:
    files = list(repository_files())
    assert PurePosixPath("pyproject.toml") in files
    found = []
    for name in files:
        found += leak_problems(str(name), (ROOT / name).read_text("utf-8", "replace"))
    assert found == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_every_rule_is_documented_tested_and_worded(rule: Rule) -> None:
    module = type(rule).__module__.rpartition(".")[2]
    assert module == f"{rule.code.lower()}_{rule.name.replace('-', '_')}"
    page = page_of(rule)
    assert page.summary
    assert tuple(page.sections) == SECTIONS
    assert list((ROOT / "tests/rules").rglob(f"test_{module}.py"))
    assert rule.code in TEXTS


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


@pytest.mark.parametrize(
    ("source", "targets"),
    [
        ("import os.path, json as j", ["os.path", "json"]),
        ("from msgls.text import spans, store", ["msgls.text.spans", "msgls.text.store"]),
        ("from msgls import text", ["msgls.text"]),
        ("def f():\n    if x:\n        import pygls", ["pygls"]),
        ("if TYPE_CHECKING:\n    from pygls import workspace", ["pygls.workspace"]),
        ("from . import b", ["msgls.rules.b"]),
        ("from .b import c", ["msgls.rules.b.c"]),
        ("from ..text.spans import Span", ["msgls.text.spans.Span"]),
        ("from .. import text", ["msgls.text"]),
        ("importlib.import_module('msgls.lsp')", ["msgls.lsp"]),
        ("import_module('..lsp', __package__)", ["msgls.lsp"]),
        ("__import__('pygls')", ["pygls"]),
        ("import_module(name)", []),
        ("'import pygls'  # import pygls", []),
    ],
)
def test_imports_are_found_wherever_they_stand(source: str, targets: list[str]) -> None:
    assert [found.target for found in imports(Module("msgls.rules.a", source))] == targets


def test_dots_in_a_package_start_at_the_package() -> None:
    package = Module("msgls.rules", "from . import a\nfrom .. import text", is_package=True)
    assert list(imports(package)) == [Import(1, "msgls.rules.a"), Import(2, "msgls.text")]


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("msgls.text.a", "import msgls.model"),
        ("msgls.text.a", "from msgls.model.message import Message"),
        ("msgls.model.a", "from ..formats import msgmd"),
        ("msgls.formats.msgmd.a", "from ...document import reparse"),
        ("msgls.document.a", "def f():\n    from msgls import rules"),
        ("msgls.rules.a", "if TYPE_CHECKING:\n    from msgls.features import hover"),
        ("msgls.features.a", "from msgls.lsp import convert"),
        ("msgls.features.a", "from msgls.cli import main"),
        ("msgls.lsp.a", "import msgls.cli.main"),
        ("msgls.cli.check", "import msgls.lsp.server"),
        ("msgls.lsp.serve", "import msgls.cli.serve"),
        ("msgls", "from msgls.text import spans"),
        ("msgls.cli.main", "import msgls.__main__"),
        ("msgls.helpers.a", ""),
        ("msgls.helpers", ""),
    ],
)
def test_an_arrow_to_the_right_is_found(name: str, source: str) -> None:
    assert len(layer_problems(Module(name, source))) == 1


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("msgls.text.a", "from . import b\nimport re"),
        ("msgls.model.a", "from msgls.text.spans import Span"),
        ("msgls.rules.a", "from msgls import document, formats, model, text"),
        ("msgls.features.a", "import msgls.rules.registry"),
        ("msgls.lsp.a", "from msgls.features import hover\nfrom msgls import __version__"),
        ("msgls.cli.serve", "def run():\n    from msgls.lsp import server"),
        ("msgls.__main__", "from msgls.cli.main import main"),
    ],
)
def test_an_arrow_to_the_left_is_allowed(name: str, source: str) -> None:
    assert layer_problems(Module(name, source)) == []


@pytest.mark.parametrize("name", ["msgls", "msgls.text.a", "msgls.features.a", "msgls.cli.serve"])
@pytest.mark.parametrize(
    "source",
    ["import pygls.server", "def f():\n    from lsprotocol import types as lsp"],
)
def test_the_protocol_outside_lsp_is_found(name: str, source: str) -> None:
    assert len(protocol_problems(Module(name, source))) == 1
    assert protocol_problems(Module("msgls.lsp.handlers.hover", source)) == []


@pytest.mark.parametrize(
    "source",
    [
        "def f(p):\n    with open(p) as file:\n        return file.read()",
        "reader = open",
        "import os\nos.open('a', 0)",
        "import os\nos.fdopen(3)",
        "from os import open as reveal",
        "import io as streams\nstreams.open('a')",
        "import gzip\ndef f():\n    return gzip.open('a')",
        "path.read_text('utf-8')",
        "self.root.read_bytes()",
        "path.write_text('a')",
        "path.write_bytes(b'a')",
        "from pathlib import Path\nmap(Path.read_text, paths)",
        "from pathlib import Path\n(Path(a) / 'b').open()",
        "from pathlib import Path\ndef f(p: Path):\n    p.open()",
        "import pathlib\ndef f(p: pathlib.Path):\n    p.parent.open()",
    ],
)
def test_an_opened_file_is_found(source: str) -> None:
    assert len(file_problems(Module("msgls.document.a", source))) >= 1
    assert file_problems(Module("msgls.lsp.a", source)) == []
    assert file_problems(Module("msgls.cli.a", source)) == []


@pytest.mark.parametrize(
    "source",
    [
        "def f(read):\n    return read('a')",
        "def f(workspace):\n    workspace.open('a')",
        "from msgls.document import workspace\nworkspace.open('a')",
        "class Workspace:\n    def open(self, uri): ...",
        "'open(path)'",
        "from pathlib import PurePosixPath\nPurePosixPath('a').name",
    ],
)
def test_what_opens_no_file_is_allowed(source: str) -> None:
    assert file_problems(Module("msgls.document.a", source)) == []


@pytest.mark.parametrize("source", ["", "import re", "# A comment.", '""""""'])
def test_a_missing_docstring_is_found(source: str) -> None:
    assert docstring_problems(Module("msgls.text.a", source)) == ["msgls.text.a: has no docstring"]
    assert docstring_problems(Module("msgls.text.a", f'"""Owns."""\n{source}')) == []


def test_a_loaded_module_is_found() -> None:
    assert "lsprotocol" in modules_loaded(["import lsprotocol"])
    assert not modules_loaded(["import json"]) & PROTOCOL_PACKAGES


def test_a_statement_that_fails_is_no_clean_result() -> None:
    with pytest.raises(AssertionError, match="ModuleNotFoundError"):
        modules_loaded(["import msgls.no_such_module"])


@pytest.mark.parametrize(
    "path",
    ["/home/%s/a", "/Users/%s", "/root/%s", "/work/%s/b.py", "C:\\Users\\%s", "c:/Users/%s"],
)
@pytest.mark.parametrize("before", ["", "see ", '"', "file://", "(", "HOME="])
def test_a_path_of_a_machine_is_found(path: str, before: str) -> None:
    text = "first\n" + before + path % "name" + " and on"
    assert [problem.split(" ")[0] for problem in leak_problems("a.md", text)] == ["a.md:2:"]


def test_a_tree_without_git_is_looked_at_too(tmp_path: Path) -> None:
    for name in ["a.md", "b/c.py", ".venv/d.py", "node_modules/e/f.js", ".mypy_cache/g"]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert list(repository_files(tmp_path)) == [PurePosixPath("a.md"), PurePosixPath("b/c.py")]


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
