"""What every test of the command line can ask for."""

from pathlib import Path

import pytest

from tests.cli.support import Runner


@pytest.fixture
def msgls(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Runner:
    """Runs the command line in an empty folder."""
    return Runner(tmp_path, capsys, monkeypatch)
