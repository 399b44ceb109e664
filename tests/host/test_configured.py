"""Which source of settings counts."""

from pathlib import Path
from typing import Any

import pytest

from msgls.host.configured import Configured
from msgls.host.workspace import Workspace


class Told(list[str]):
    """What a person was told."""


def configured(*folders: Path) -> tuple[Configured, Told]:
    told = Told()
    return Configured(Workspace(folders), told.append), told


def test_the_order_of_the_sources(tmp_path: Path) -> None:
    file, home = tmp_path / "msgls.toml", tmp_path / "chat.msg.md"
    found, told = configured(tmp_path)
    sections = [found.settings(home).section]
    file.write_text("section = 'file'\n", "utf-8")
    found.forget(file)
    sections.append(found.settings(home).section)
    found.start({"settings": {"section": "start"}})
    sections.append(found.settings(home).section)
    found.set_scopes({None: {"section": "all"}})
    sections.append(found.settings(home).section)
    found.set_scopes({None: {"section": "all"}, tmp_path: {"section": "folder"}})
    sections.append(found.settings(home).section)
    assert sections == ["Discussion", "file", "start", "all", "folder"]
    assert told == []


def test_the_innermost_folder_counts(tmp_path: Path) -> None:
    inner = tmp_path / "a/b"
    found, _ = configured(tmp_path, inner)
    found.set_scopes({None: {}, tmp_path: {"section": "outer"}, inner: {"section": "inner"}})
    assert found.settings(inner / "c/x.md").section == "inner"
    assert found.settings(tmp_path / "a/x.md").section == "outer"
    assert found.settings(tmp_path.parent / "x.md").section == "Discussion"


@pytest.mark.parametrize(
    ("before", "after", "changed"),
    [
        ({}, {}, set()),
        (None, {}, set()),
        ({"lint": {"ignore": []}}, {"lint.ignore": []}, set()),
        ({}, {"lint": {"ignore": []}}, {"lint.ignore"}),
        ({"features": {"hover": False}}, {"section": "x"}, {"features.hover", "section"}),
        ({"features": {"hover": False}}, {"features": {"hover": True}}, {"features.hover"}),
    ],
)
def test_what_is_said_otherwise_is_named(before: Any, after: Any, changed: set[str]) -> None:
    found, _ = configured()
    found.set_scopes({None: before})
    assert found.set_scopes({None: after}) == changed


def test_each_source_is_told_of_once_until_it_changes(tmp_path: Path) -> None:
    found, told = configured(tmp_path)
    file = tmp_path / "msgls.toml"
    for text, count in (("a = 1\n", 1), ("a = 1\n\n", 1), ("b = 1\n", 2), ("", 2), ("b = 1\n", 3)):
        file.write_text(text, "utf-8")
        found.forget(file)
        found.settings(tmp_path / "x.md")
        found.settings(tmp_path / "sub/y.md")
        assert len(told) == count
    file.unlink()
    found.forget(file)
    file.write_text("b = 1\n", "utf-8")
    found.forget(file)
    found.settings(tmp_path / "x.md")
    assert len(told) == 4


@pytest.mark.parametrize("values", [3, "x", []])
def test_what_is_not_an_object_is_told_of(values: Any) -> None:
    found, told = configured()
    found.set_scopes({None: values})
    assert told == ["the editor's settings: msgls: must be an object"]
    assert found.settings(None).section == "Discussion"
