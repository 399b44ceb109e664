"""The lock files name all that is installed, with the hashes of its files, and no index."""

import itertools
import json
import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
DIRECT = {
    "run": PROJECT["dependencies"],
    "dev": [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["dev"]],
}
PYTHONS = [
    line.rpartition(" ")[2] for line in PROJECT["classifiers"] if re.search(r":: 3\.\d", line)
]
SYSTEMS = {"Linux": ("linux", "posix"), "Darwin": ("darwin", "posix"), "Windows": ("win32", "nt")}


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def locked(which: str) -> list[tuple[Requirement, list[str]]]:
    """What a lock file pins, each with its hashes."""
    text = (ROOT / f"requirements/{which}.txt").read_text("utf-8").replace("\\\n", "")
    lines = [line.split("--hash=") for line in text.splitlines() if not line.startswith("#")]
    return [(Requirement(line), [hash.strip() for hash in hashes]) for line, *hashes in lines]


def environments() -> Iterator[dict[str, str]]:
    for python, (system, (platform, os)) in itertools.product(PYTHONS, SYSTEMS.items()):
        yield {
            "python_version": python,
            "python_full_version": f"{python}.0",
            "platform_system": system,
            "sys_platform": platform,
            "os_name": os,
            "platform_python_implementation": "CPython",
            "implementation_name": "cpython",
            "extra": "",
        }


def needed(requirement: Requirement) -> Iterator[Requirement]:
    """What a library needs, as it says where it is installed."""
    for line in distribution(requirement.name).requires or ():
        other = Requirement(line)
        extras = requirement.extras or {""}
        if other.marker is None or any(other.marker.evaluate({"extra": one}) for one in extras):
            yield other


@pytest.mark.parametrize("which", DIRECT)
def test_all_that_is_declared_is_locked_on_every_python_and_system(which: str) -> None:
    pins = locked(which)
    for environment, line in itertools.product(environments(), DIRECT[which]):
        declared = Requirement(line)
        (version,) = {
            next(iter(pin.specifier)).version
            for pin, _ in pins
            if normal(pin.name) == normal(declared.name)
            and (pin.marker is None or pin.marker.evaluate(dict(environment)))
        }
        assert declared.specifier.contains(version, prereleases=True), (declared, version)


@pytest.mark.parametrize("which", DIRECT)
def test_all_that_these_need_is_locked_and_nothing_else(which: str) -> None:
    names = {normal(pin.name) for pin, _ in locked(which)}
    waiting, found = [Requirement(line) for line in DIRECT[which]], set[str]()
    while waiting:
        requirement = waiting.pop()
        if (key := f"{normal(requirement.name)}{sorted(requirement.extras)}") not in found:
            found.add(key)
            waiting += needed(requirement)
    here = {
        normal(pin.name) for pin, _ in locked(which) if pin.marker is None or pin.marker.evaluate()
    }
    closure = {re.sub(r"\[.*", "", key) for key in found}
    assert closure <= names
    assert here <= closure


@pytest.mark.parametrize("which", DIRECT)
def test_every_line_is_one_version_with_hashes_and_names_no_place(which: str) -> None:
    text = (ROOT / f"requirements/{which}.txt").read_text("utf-8")
    assert "://" not in text
    assert "--index" not in text
    for pin, hashes in locked(which):
        assert [one.operator for one in pin.specifier] == ["=="], pin
        assert hashes, pin
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", hash) for hash in hashes), pin


def test_what_users_run_is_what_is_tested() -> None:
    tested = {normal(pin.name): (pin.specifier, hashes) for pin, hashes in locked("dev")}
    for pin, hashes in locked("run"):
        assert tested[normal(pin.name)] == (pin.specifier, hashes)


@pytest.mark.parametrize("folder", ["client-vscode", "tests/grammars", "tests/editors/vscode"])
def test_npm_locks_have_hashes_and_name_no_place(folder: str) -> None:
    lock = json.loads((ROOT / folder / "package-lock.json").read_text("utf-8"))
    packages = {name: package for name, package in lock["packages"].items() if name}
    assert packages
    for name, package in packages.items():
        assert package["integrity"].startswith("sha512-"), name
        assert "resolved" not in package, name


def test_what_is_installed_is_installed_by_them() -> None:
    """Nothing is fetched from an index without a hash: by ``make`` nor by the extension."""
    makefile = (ROOT / "Makefile").read_text("utf-8")
    setup = makefile.partition("$(INSTALLED): ")[2].partition("\n\n")[0]
    package = makefile.partition("\nvsix: ")[2].partition("\n\n")[0]
    installs = re.findall(r"(?:install|wheel) --.*", setup + package)
    assert len(installs) == 3
    for line in installs:
        assert "--require-hashes" in line or "--no-deps --no-build-isolation" in line, line
    client = (ROOT / "client-vscode/src/environment.ts").read_text("utf-8")
    steps = re.findall(r"\[\.\.\.PIP, [^\]]*\]", client)
    assert len(steps) == 2
    for line in steps:
        assert "--require-hashes" in line or "--no-index', '--no-deps" in line, line
    # The newest Python that the client prefers is the newest that is supported.
    assert f"< (3, {int(PYTHONS[-1].partition('.')[2]) + 1})" in client
    driver = (ROOT / "tools/vscode/install.mjs").read_text("utf-8")
    assert "found !== INTEGRITY[name]" in driver


def test_nothing_is_installed_into_the_environment_of_another_checkout(tmp_path: Path) -> None:
    (tmp_path / "here/requirements").mkdir(parents=True)
    (tmp_path / "there").mkdir()
    shutil.copy(ROOT / "Makefile", tmp_path / "here")
    for name in ("pyproject.toml", "requirements/dev.txt"):
        (tmp_path / "here" / name).touch()
    (tmp_path / "here/.venv").symlink_to(tmp_path / "there")
    # `PYTHON=false`: it would go no further anyway.
    command = ["make", "-C", str(tmp_path / "here"), "setup", "PYTHON=false"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert f".venv is a link to {tmp_path / 'there'}" in done.stderr
    assert list((tmp_path / "there").iterdir()) == []
