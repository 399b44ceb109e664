"""Wheel and sdist: built, installed into an empty environment, and used there as people do.

No package index is asked: what msgls depends on is lent by the environment that runs the tests.
That nothing is missing from the list of dependencies is therefore looked up in the sources.
"""

import ast
import importlib.util
import json
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from msgls import __version__
from msgls.rules.settings import toml_table

ROOT = Path(__file__).resolve().parent.parent.parent
# What is imported, where that is not what is installed, or comes with it.
PROVIDERS = {
    "cattrs": "lsprotocol",
    "frontmatter": "python-frontmatter",
    "markdown_it": "markdown-it-py",
    "pydantic_core": "pydantic",
    "typing_extensions": "pydantic",
    "yaml": "pyyaml",
}


def run(command: Sequence[object], **options: object) -> str:
    environment = {**os.environ, "PYTHONNOUSERSITE": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    done = subprocess.run(
        [str(word) for word in command],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        **options,  # type: ignore[call-overload]
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return str(done.stdout)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a fresh wheel and a fresh sdist."""
    folder = tmp_path_factory.mktemp("dist")
    run([sys.executable, "-m", "hatchling", "build", "-d", folder], cwd=ROOT)
    return folder


def lend(folder: Path) -> None:
    """All that is installed here but msgls, through one ``.pth``."""
    here = Path(sysconfig.get_path("purelib"))
    lent = folder.parent / "lent"
    lent.mkdir()
    for path in here.iterdir():
        if "msgls" not in path.name and path.suffix != ".pth":
            (lent / path.name).symlink_to(path)
    (folder / "lent.pth").write_text(f"{lent}\n", "utf-8")


@pytest.fixture(scope="module")
def program(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """``msgls`` in an environment that has nothing else."""
    home = tmp_path_factory.mktemp("empty") / "env"
    # pip is lent, too, which is quicker; but not every environment has one.
    lent = ["--without-pip"] if importlib.util.find_spec("pip") else []
    run([sys.executable, "-m", "venv", *lent, home])
    python = home / "bin" / "python"
    if not python.exists():
        pytest.skip("THE DISTRIBUTION IS NOT TESTED: environments have no bin/ on this system")
    site = run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]).strip()
    lend(Path(site))
    (wheel,) = built.glob("*.whl")
    pip = [python, "-m", "pip", "install", "--no-deps", "--no-index", "--no-compile", "--quiet"]
    run([*pip, wheel])
    return python.parent / "msgls"


def test_it_runs(program: Path) -> None:
    assert run([program, "--version"]) == f"msgls {__version__}\n"
    assert "find problems" in run([program, "--help"])


def test_it_speaks_chinese(program: Path) -> None:
    environment = {**os.environ, "LC_ALL": "", "LC_MESSAGES": "", "LANG": "zh_CN.UTF-8"}
    done = subprocess.run(
        [program, "--help"],
        env={**environment, "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    assert "查找问题" in done.stdout


def test_it_checks_and_exits_with_what_it_found(program: Path, tmp_path: Path) -> None:
    (tmp_path / "talk.msg.md").write_text("# %% [^a]\n", "utf-8")
    done = subprocess.run(
        [program, "check", "--output-format", "json"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert [finding["code"] for finding in json.loads(done.stdout)] == ["MSG101"]


def test_it_is_a_library_with_types(program: Path) -> None:
    code = "import msgls; print(msgls.check_text('# %% [^a]\\n')[0].code, msgls.__file__)"
    code_found, place = run([program.parent / "python", "-c", code]).split()
    assert code_found == "MSG101"
    assert str(program.parent.parent) in place
    assert (Path(place).parent / "py.typed").exists()


def test_the_language_server_starts(program: Path) -> None:
    request = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}
    body = json.dumps(request).encode()
    done = subprocess.run(
        [program, "serve"],
        input=b"Content-Length: %d\r\n\r\n%s" % (len(body), body),
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert b'"serverInfo"' in done.stdout, done.stderr


def test_the_man_page_is_where_man_looks(program: Path) -> None:
    page = program.parent.parent / "share/man/man1/msgls.1"
    assert page.read_text("utf-8").startswith('.\\"')


def test_the_wheel_holds_the_package_and_nothing_else(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.partition("/")[0] for name in names}
    own = f"msgls-{__version__}"
    assert tops == {"msgls", f"{own}.dist-info", f"{own}.data"}
    assert [name for name in names if "__pycache__" in name] == []


def test_the_sdist_holds_what_the_project_is_built_and_tested_from(built: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    wanted = ["README.md", "README.zh-CN.md", "LICENSE", "CHANGELOG.md", "Makefile", "action.yml"]
    wanted += ["docs/cli.md", "docs/man/msgls.1", "editors/vim/lsp/msgls.lua", "tools/bump.py"]
    assert [name for name in wanted if name not in names] == []
    assert [name for name in names if "node_modules" in name or name.endswith(".pyc")] == []


def test_the_sdist_makes_the_same_wheel(built: Path, tmp_path: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    (wheel,) = built.glob("*.whl")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (source,) = tmp_path.iterdir()
    run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path], cwd=source)
    with zipfile.ZipFile(wheel) as one, zipfile.ZipFile(tmp_path / wheel.name) as other:
        assert {i.filename: i.CRC for i in one.infolist()} == {
            i.filename: i.CRC for i in other.infolist()
        }


# -- what it depends on -----------------------------------------------------------------------


def imported() -> Iterator[str]:
    """The top-level names that the package imports, wherever in a module."""
    for path in (ROOT / "server/msgls").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                yield from (alias.name.partition(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and not node.level:
                yield (node.module or "").partition(".")[0]


def test_everything_that_is_imported_is_depended_upon() -> None:
    project = toml_table((ROOT / "pyproject.toml").read_text("utf-8"), "pyproject", ["project"])
    assert project is not None
    extras = project["optional-dependencies"]
    # What only those need who work on it does not count.
    optional = [name for extra in extras if extra != "dev" for name in extras[extra]]
    named = [*project["dependencies"], *optional]
    declared = {re.split(r"[<>=!;\[ ]", name, maxsplit=1)[0].lower() for name in named}
    foreign = set(imported()) - set(sys.stdlib_module_names) - {"msgls", "__future__", "tomllib"}
    assert {"pygls", "yaml"} <= foreign
    missing = {n for n in foreign if PROVIDERS.get(n, n).lower().replace("_", "-") not in declared}
    assert missing == set()
