"""Programs: which file is started."""

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from msgls.host import processes


def test_no_file_in_the_current_folder_is_started_on_windows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    for folder in (here, there):
        folder.mkdir()
        for name in ("git.exe", "tool.cmd"):
            (folder / name).touch()
    monkeypatch.chdir(here)
    monkeypatch.setattr(processes, "sys", SimpleNamespace(platform="win32"))
    monkeypatch.setenv("PATH", os.pathsep.join(["", ".", "../here", str(there)]))
    assert processes.program("git") == str(there / "git.exe")
    assert processes.program("tool.cmd") == str(there / "tool.cmd")
    named = str(here / "git.exe")
    assert processes.program(named) == named
    with pytest.raises(FileNotFoundError, match="other"):
        processes.program("other")
