"""The doors that every test of a clause may open."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.clauses.support import PYTHON, Editor, Program
from tests.cli.support import Runner


@pytest.fixture
def msgls(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Runner:
    """The command line, in an empty folder."""
    return (Runner if PYTHON is None else Program)(tmp_path, capsys, monkeypatch)


@pytest.fixture
def editor_in(tmp_path: Path) -> Iterator[Callable[[str], Editor]]:
    """Starts an editor of a language in the same folder."""
    editors: list[Editor] = []

    def start(locale: str) -> Editor:
        editors.append(Editor(tmp_path, locale))
        return editors[-1]

    yield start
    for editor in editors:
        editor.leave()


@pytest.fixture
def editor(editor_in: Callable[[str], Editor]) -> Editor:
    """An editor in the same folder."""
    return editor_in("en")
