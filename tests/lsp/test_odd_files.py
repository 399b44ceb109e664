"""A workspace with what is not a file to read: passed over, told once, and never waited for."""

import logging
import os
import socket
from pathlib import Path
from typing import Any

import pytest

from msgls.host.files import read_ours
from tests.lsp.client import Client

CHAT = "# %% A question[^q1]\n\n[^q1]: [markdown] history=full\n"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "good.msg.md").write_text(CHAT, "utf-8")
    os.mkfifo(tmp_path / "pipe.msg.md")
    (tmp_path / "device.msg.md").symlink_to("/dev/zero")
    (tmp_path / "loop.msg.md").symlink_to("loop.msg.md")
    (tmp_path / "round").symlink_to(".", target_is_directory=True)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(os.path.relpath(tmp_path / "s.msg.md"))
    return tmp_path


def _files(client: Client) -> set[str]:
    answer: dict[str, Any] = client.request("workspace/diagnostic", {"previousResultIds": []})
    return {report["uri"].rpartition("/")[2] for report in answer["items"]}


def _client(folder: Path) -> Client:
    (folder / "msgls.toml").write_text('diagnostics.scope = "workspace"\n', "utf-8")
    return Client(workspaceFolders=[{"uri": folder.as_uri(), "name": "w"}])


def test_what_is_not_a_file_is_passed_over(workspace: Path) -> None:
    client = _client(workspace)
    assert _files(client) == {"good.msg.md"}
    found = client.request("workspace/symbol", {"query": "question"})
    assert len(found) == 1


def test_a_file_that_vanishes_is_passed_over(
    workspace: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (workspace / "gone.msg.md").write_text(CHAT, "utf-8")

    def vanishing(path: Path) -> str | None:
        if Path(path).name == "gone.msg.md":
            Path(path).unlink(missing_ok=True)
        return read_ours(path)

    monkeypatch.setattr("msgls.lsp.session.read_ours", vanishing)
    client = _client(workspace)
    with caplog.at_level(logging.INFO):
        assert _files(client) == {"good.msg.md"}
    assert len([line for line in caplog.messages if "gone.msg.md" in line]) == 1
