"""``install.sh`` on made-up machines: it installs where it may, once, and says where it may not."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parent / "install.sh"

# Of the real machine, only what the script needs for itself.
TOOLS = ("sh", "cat", "cut", "touch", "mktemp", "tail", "rm", "cp", "chmod")

APT_GET = """\
echo "$*" >> {log}
for word; do
    case $word in
        neovim) cp {nothing} {bin}/nvim ;;
        vim) cp {nothing} {bin}/vim ;;
        emacs-nox) cp {nothing} {bin}/emacs ;;
        chromium) cp {nothing} {bin}/chromium ;;
    esac
done
"""


class Machine:
    """A machine with a few programs, all of them made up."""

    def __init__(self, directory: Path) -> None:
        self.bin = directory / "bin"
        self.log = directory / "apt.log"
        self.stamp = directory / "stamp"
        self.bin.mkdir()
        for tool in TOOLS:
            found = shutil.which(tool)
            assert found is not None
            (self.bin / tool).symlink_to(found)

    def has(self, program: str, script: str = "exit 0") -> None:
        path = self.bin / program
        path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        path.chmod(0o755)

    def has_apt(self, script: str = APT_GET) -> None:
        self.has("nothing")
        self.has("apt-get", script.format(log=self.log, bin=self.bin, nothing=self.bin / "nothing"))
        self.has("apt-cache", "echo elpa-eglot - Emacs client")

    def run(self) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.bin / "sh", SCRIPT, self.stamp],
            env={"PATH": str(self.bin)},
            capture_output=True,
            text=True,
            check=True,
        )

    @property
    def calls(self) -> list[str]:
        """What apt-get was called with."""
        return self.log.read_text(encoding="utf-8").splitlines() if self.log.exists() else []


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_root_installs_once(machine: Machine) -> None:
    machine.has("id", "echo 0")
    machine.has_apt()
    done = machine.run()
    assert done.stdout == "installing Neovim, Vim, Emacs and Chromium for tests/editors\n"
    assert done.stderr == ""
    assert [call.split()[-1] for call in machine.calls] == ["update", "elpa-eglot"]
    assert machine.stamp.exists()
    done = machine.run()
    assert (done.stdout, done.stderr) == ("", "")
    assert len(machine.calls) == 2


@pytest.mark.parametrize("program", ["nvim", "vim", "emacs", "chromium"])
def test_a_lost_program_is_installed_again(machine: Machine, program: str) -> None:
    machine.has("id", "echo 0")
    machine.has_apt()
    machine.run()
    (machine.bin / program).unlink()
    machine.run()
    assert len(machine.calls) == 4


def test_an_older_list_of_packages_is_installed_again(machine: Machine) -> None:
    machine.has("id", "echo 0")
    machine.has_apt()
    machine.run()
    machine.stamp.write_text("neovim emacs-nox\n", encoding="utf-8")
    machine.run()
    assert len(machine.calls) == 4


def test_another_browser_will_do(machine: Machine) -> None:
    machine.has("id", "echo 1000")
    for program in ("nvim", "vim", "emacs", "google-chrome"):
        machine.has(program)
    assert machine.run().stderr == ""
    assert machine.stamp.exists()


def test_eglot_is_looked_for(machine: Machine) -> None:
    machine.has("id", "echo 0")
    for program in ("nvim", "vim", "chromium"):
        machine.has(program)
    machine.has("emacs", "exit 1")
    machine.has_apt()
    machine.run()
    assert len(machine.calls) == 2


def test_ale_is_looked_for(machine: Machine) -> None:
    machine.has("id", "echo 1000")
    for program in ("nvim", "emacs", "chromium"):
        machine.has(program)
    machine.has("vim", "exit 1")
    assert "vim-ale" in machine.run().stderr
    assert not machine.stamp.exists()


def test_eglot_is_not_a_package_where_emacs_has_it(machine: Machine) -> None:
    machine.has("id", "echo 0")
    machine.has_apt()
    machine.has("apt-cache")
    machine.run()
    assert " neovim vim vim-ale emacs-nox " in machine.calls[-1]
    assert "eglot" not in machine.calls[-1]


def test_others_are_told(machine: Machine) -> None:
    machine.has("id", "echo 1000")
    machine.has_apt()
    done = machine.run()
    assert machine.calls == []
    assert "REAL EDITORS ARE NOT ALL TESTED" in done.stderr
    assert not machine.stamp.exists()


def test_root_without_apt_is_told(machine: Machine) -> None:
    machine.has("id", "echo 0")
    assert "REAL EDITORS ARE NOT ALL TESTED" in machine.run().stderr


def test_what_apt_says_is_shown_where_it_fails(machine: Machine) -> None:
    machine.has("id", "echo 0")
    machine.has_apt("echo no such host; exit 100")
    done = machine.run()
    assert "no such host" in done.stdout
    assert "REAL EDITORS ARE NOT ALL TESTED" in done.stderr
    assert not machine.stamp.exists()
