"""What lies around a file: which configuration counts, and when it is looked at again."""

from pathlib import Path

import pytest

from msgls.document.snapshot import Settings
from msgls.formats.agents import Greeting
from msgls.host.discovery import Discovery
from msgls.rules.settings import SettingsError


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


@pytest.mark.parametrize(
    ("files", "ignored"),
    [
        ({}, ()),
        ({"msgls.toml": "lint.ignore = ['MSG1']"}, ("MSG1",)),
        ({"a/pyproject.toml": "tool.msgls.lint.ignore = ['MSG1']"}, ("MSG1",)),
        # Ours goes before everybody's, in one folder.
        (
            {
                "a/msgls.toml": "lint.ignore = ['MSG1']",
                "a/pyproject.toml": "tool.msgls.lint.ignore = ['MSG2']",
            },
            ("MSG1",),
        ),
        # The nearest one counts, and it alone.
        ({"a/msgls.toml": "lint.select = ['ALL']", "msgls.toml": "lint.ignore = ['MSG2']"}, ()),
        # One that does not name us is none.
        (
            {
                "a/pyproject.toml": "[project]\nname = 'msgls-like'",
                "msgls.toml": "lint.ignore = ['MSG2']",
            },
            ("MSG2",),
        ),
    ],
)
def test_the_nearest_configuration_counts(
    files: dict[str, str], ignored: tuple[str, ...], tmp_path: Path
) -> None:
    for name, text in files.items():
        write(tmp_path / name, text)
    settings = Discovery().settings(tmp_path / "a/b/chat.msg.md")
    assert settings.ignore == ignored


def test_what_is_wrong_is_raised_or_told(tmp_path: Path) -> None:
    file = write(tmp_path / "msgls.toml", "section = 3\nlint.ignore = ['MSG1']\n")
    discovery = Discovery()
    found = discovery.configuration(tmp_path / "chat.msg.md")
    assert found is not None
    assert found.path == file
    assert found.source.values == {"lint.ignore": ("MSG1",)}
    with pytest.raises(SettingsError, match="section: must be a non-empty string"):
        discovery.settings(tmp_path / "chat.msg.md")


@pytest.mark.parametrize("content", [b"\xff\xfe", b"[lint\n"])
def test_a_file_that_cannot_be_read_is_a_problem(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "msgls.toml").write_bytes(content)
    found = Discovery().configuration(tmp_path / "chat.msg.md")
    assert found is not None
    assert found.source.values == {}
    assert len(found.source.problems) == 1


def test_what_changed_is_looked_at_again_and_nothing_else(tmp_path: Path) -> None:
    one = write(tmp_path / "one/msgls.toml", "section = 'A'")
    two = write(tmp_path / "two/msgls.toml", "section = 'A'")
    discovery = Discovery()

    def sections() -> list[str]:
        return [discovery.settings(tmp_path / name / "sub/x.md").section for name in ("one", "two")]

    assert sections() == ["A", "A"]
    write(one, "section = 'B'")
    write(two, "section = 'B'")
    assert sections() == ["A", "A"]
    discovery.forget(one)
    assert sections() == ["B", "A"]
    discovery.forget()
    assert sections() == ["B", "B"]
    one.unlink()
    discovery.forget(one)
    assert sections() == [Settings().section, "B"]


def test_a_place_that_cannot_be_looked_at_has_nothing(tmp_path: Path) -> None:
    discovery, path = Discovery(), tmp_path / ("x" * 5000) / "chat.msg.md"
    assert discovery.settings(path) == Settings()
    assert discovery.surroundings(path).other_agents == frozenset()


def test_agents_are_looked_at_again(tmp_path: Path) -> None:
    file = write(tmp_path / "agents.json", '{"agents": [{"name": "bob"}]}')
    discovery = Discovery()
    assert discovery.surroundings(tmp_path / "a/x.md").other_agents == {"bob"}
    write(file, '{"agents": [{"name": "eve"}]}')
    assert discovery.surroundings(tmp_path / "a/x.md").other_agents == {"bob"}
    discovery.forget(file)
    assert discovery.surroundings(tmp_path / "a/x.md").other_agents == {"eve"}


BOOT = '{"agents": [{"name": "bob", "metadata": {"bootMessage": {"message": "Hi"}}}]}'


def test_boot_messages_come_from_the_nearest_file(tmp_path: Path) -> None:
    file = write(tmp_path / "agents.json", BOOT)
    found = Discovery().surroundings(tmp_path / "a/b/x.md")
    assert (found.agents_file, found.greetings) == (str(file), (Greeting("bob", "Hi"),))
    nobody = write(tmp_path / "a/agents.json", '{"agents": []}')
    found = Discovery().surroundings(tmp_path / "a/b/x.md")
    assert (found.agents_file, found.greetings) == (str(nobody), ())


def test_the_configured_file_goes_before_the_nearest_one(tmp_path: Path) -> None:
    write(tmp_path / "agents.json", '{"agents": [{"name": "eve"}]}')
    file = write(tmp_path / "team/agents.json", BOOT)
    configuration = write(tmp_path / "msgls.toml", 'agents-file = "team/agents.json"')
    told: list[str] = []
    discovery, path = Discovery(told.append), tmp_path / "chats/x.md"
    found = discovery.surroundings(path)
    assert found.other_agents == {"bob"}
    assert found.agents_file == str(file)
    assert discovery.reads(file)
    write(file, '{"agents": [{"name": "max"}]}')
    assert discovery.surroundings(path).other_agents == {"bob"}
    discovery.forget(file)
    assert discovery.surroundings(path).other_agents == {"max"}
    write(configuration, 'agents-file = ""')
    discovery.forget(configuration)
    assert discovery.surroundings(path).other_agents == {"eve"}
    assert told == []
    write(configuration, 'agents-file = "no.json"')
    discovery.forget(configuration)
    for _ in range(2):
        assert discovery.surroundings(path).other_agents == frozenset()
    assert told == [f"{tmp_path / 'no.json'}: there is no such file; it registers no agents"]


def test_what_somebody_tells_anyway_is_not_told(tmp_path: Path) -> None:
    file = write(tmp_path / "agents.json", '{"agents": [')
    told: list[str] = []
    for known in ({file}, set()):
        Discovery(told.append, known.__contains__).surroundings(tmp_path / "x.md")
    assert len(told) == 1
