"""``msgls check`` on folders of numbered messages."""

import pytest

from tests.cli.support import Runner

UUID = "32d9afc7-aeac-4a67-ba94-0c92678604a1"
MESSAGE = f"; Block-UUID: {UUID}\n;\n; role: user\n\n\nHello\n"


def codes(msgls: Runner, *arguments: str) -> list[tuple[str, str]]:
    """File and code of everything that is found."""
    found = msgls("check", "--output-format", "json", *arguments).json
    return [(finding["filename"].replace("\\", "/"), finding["code"]) for finding in found]


def test_a_folder_of_messages(msgls: Runner) -> None:
    msgls.write("messages/notes/1.md", MESSAGE)
    msgls.write("messages/notes/3.md", MESSAGE.replace("user", "usr"))
    msgls.write("messages/draft/1.md", "role: user\n\n\nHello\n")
    msgls.write("messages/README.md", "; role: usr\n")
    msgls.write("trees/help/1.md", "; role: usr\n")
    assert codes(msgls, ".") == [
        ("messages/draft/1.md", "CBM003"),
        ("messages/notes/1.md", "CBM012"),
        ("messages/notes/3.md", "CBM011"),
        ("messages/notes/3.md", "CBM012"),
        ("messages/notes/3.md", "CBM002"),
    ]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_in_several_processes(msgls: Runner, jobs: str) -> None:
    for number in (1, 2, 4):
        msgls.write(f"messages/notes/{number}.md", MESSAGE)
    found = codes(msgls, "-j", jobs, "messages")
    assert [code for _, code in found] == ["CBM012", "CBM012", "CBM011", "CBM012"]


def test_inside_the_folder(msgls: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folders above are not in the name, and tell what the file is anyway."""
    msgls.write("messages/notes/1.md", "Hello\nrole: user\n")
    monkeypatch.chdir(msgls.folder / "messages/notes")
    assert codes(msgls, ".") == [("1.md", "CBM001")]
    assert codes(msgls, "1.md") == [("1.md", "CBM001")]


def test_a_uuid_in_another_case_is_the_same(msgls: Runner) -> None:
    msgls.write("a/1.md", MESSAGE)
    msgls.write("b/1.md", MESSAGE.replace(UUID, UUID.upper()))
    run = msgls("check", "--output-format", "concise", ".")
    assert run.code == 1
    assert "a/1.md:1:15: warning[CBM012] `b/1.md` has the same UUID" in run.out.replace("\\", "/")


def test_of_one_file_alone_nobody_has_its_uuid(msgls: Runner) -> None:
    msgls.write("a/1.md", MESSAGE)
    msgls.write("b/1.md", MESSAGE)
    assert codes(msgls, "a") == []


def test_safe_fixes_are_written(msgls: Runner) -> None:
    msgls.write("messages/notes/1.md", "; A: b\r\nrole: user\r\n\r\nHello\r\n")
    assert msgls("check", "--fix", ".").code == 0
    after = "; A: b\r\n; role: user\r\n\r\n\r\nHello\r\n"
    assert msgls.read("messages/notes/1.md") == after


def test_standard_input_by_its_name(msgls: Runner) -> None:
    run = msgls(
        "check", "-", "--stdin-filename", "messages/notes/1.md", stdin="Hello\nrole: user\n"
    )
    assert run.code == 1
    assert "CBM001" in run.out


# -- a folder as one conversation ---------------------------------------------------------------


def write_folder(msgls: Runner, folder: str, *texts: str) -> None:
    for number, text in enumerate(texts, 1):
        role = "user" if number % 2 else "assistant"
        msgls.write(f"{folder}/{number}.md", f"; role: {role}\n\n\n{text}\n")


TEXTS = tuple(f"text {number}" for number in range(1, 12))


def test_a_folder_without_messages_is_not_a_conversation(msgls: Runner) -> None:
    msgls.write("notes/README.md", "# Notes\n")
    run = msgls("view", "notes")
    assert run.code == 2
    assert "has no conversation" in run.err
