"""The command line on Simple Text Format files."""

import pytest

from tests.cli.support import Runner


def codes(msgls: Runner, *arguments: str) -> list[str]:
    found = msgls("check", "--output-format", "json", *arguments).json
    return [finding["code"] for finding in found]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_embedded_files_are_looked_for(msgls: Runner, jobs: str) -> None:
    msgls.write("a.png", "")
    msgls.write("talks/one.stf", "@user\n@embed\n../a.png\n")
    msgls.write("talks/two.stf", "@user\n@embed\nb.png\n@embed\nhttps://example.org/b.png\n")
    assert codes(msgls, "-j", jobs, ".") == ["STF016"]


def test_the_dialect_is_a_setting(msgls: Runner) -> None:
    msgls.write("a.stf", ";user\nx\n@foo\n")
    assert codes(msgls, "a.stf") == []
    msgls.write("msgls.toml", 'dialect = "@"\n')
    assert codes(msgls, "--min-severity", "hint", "a.stf") == ["STF004", "STF015", "STF001"]


def test_safe_fixes_are_applied(msgls: Runner) -> None:
    path = msgls.write("a.stf", "@user\r\nx\r\n@raw\r\n{role: 'user'}\r\n")
    msgls("check", "--fix", "--min-severity", "hint", "a.stf")
    assert path.read_bytes() == b"@user\nx\n@raw\n{role: 'user'}\n@end\n"


@pytest.mark.parametrize("text", ["", "words", "@/*\n", ";raw\n{", "\ufeff@user\r\n\0\u2028"])
@pytest.mark.parametrize("command", ["outline", "format", "agents"])
def test_other_commands_take_such_files(msgls: Runner, command: str, text: str) -> None:
    path = msgls.write("a.stf", text)
    assert msgls(command, "a.stf").code in (0, 1)
    assert path.read_bytes() == text.encode()


def test_a_message_is_added(msgls: Runner) -> None:
    path = msgls.write("a.stf", "@user\nHi\n")
    run = msgls("chat", "a.stf", "--force", "--as", "guide", "--message", "@you\n")
    assert run.code == 0
    assert "a.stf:3: added a message." in run.out
    assert path.read_text("utf-8") == "@user\nHi\n@ai name=guide\n@@you\n"
