"""``msgls render``: where the page goes."""

import json

import pytest

from tests.cli.support import GOOD, Runner


def test_the_page_goes_to_standard_output(msgls: Runner) -> None:
    msgls.write("talk.msg.md", GOOD)
    run = msgls("render", "talk.msg.md")
    assert run.code == 0
    assert run.out.startswith('<!DOCTYPE html>\n<html lang="en">')
    assert "<title>talk</title>" in run.out


def test_or_into_a_file_that_is_not_there(msgls: Runner) -> None:
    msgls.write("talk.msg.md", GOOD)
    assert msgls("render", "talk.msg.md", "-o", "talk.html") == (0, "", "")
    page = msgls.read("talk.html")
    run = msgls("render", "talk.msg.md", "-o", "talk.html")
    assert run.code == 2
    assert run.err == "msgls: talk.html: it already exists; --force replaces it\n"
    msgls.write("talk.html", "old")
    assert msgls("render", "talk.msg.md", "-o", "talk.html", "--force").code == 0
    assert msgls.read("talk.html") == page


def test_the_source_is_never_replaced(msgls: Runner) -> None:
    msgls.write("talk.msg.md", GOOD)
    (msgls.folder / "link.html").symlink_to("talk.msg.md")
    for target in ("talk.msg.md", "link.html"):
        run = msgls("render", "talk.msg.md", "-o", target, "--force")
        assert (run.code, run.err) == (2, f"msgls: {target}: this is the input file\n")
    assert msgls.read("talk.msg.md") == GOOD


MESSAGE = {"runId": "r", "role": "user", "timestamp": "", "parts": [
    {"kind": "text", "payload": {"text": "Say hello"}}
]}  # fmt: skip
AGENT = {"name": "a", "path": "a.js", "metadata": {"bootMessage": {"message": "Say hello"}}}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.stf", "@user\nSay hello\n"),
        ("1.md", "; role: user\n\n\nSay hello\n"),
        ("a.messages.json", json.dumps([MESSAGE])),
        ("agents.json", json.dumps({"agents": [AGENT]})),
        ("plain.md", "---\nmessage_section: Log\n---\n\n# Log\n\n# %% [^m]\n\nSay hello\n"),
    ],
)
def test_every_format_has_a_page(msgls: Runner, name: str, text: str) -> None:
    msgls.write(name, text)
    run = msgls("render", name, "--all")
    assert (run.code, run.err) == (0, "")
    assert "<p>Say hello</p>" in run.out


def test_what_the_model_does_not_see_is_left_out_unless_all_is_asked_for(msgls: Runner) -> None:
    msgls.write("a.msg.md", GOOD + "\n# %% [^x]\n\n[^x]: [markdown] history=exclude\n\nHush\n")
    run = msgls("render", "a.msg.md")
    assert run.err == (
        "msgls: a.msg.md: 1 message that the model does not see is left out; --all shows them\n"
    )
    assert "Hush" not in run.out
    assert "Hush" in msgls("render", "a.msg.md", "--all").out


def test_a_folder_of_messages_is_one_page_in_the_order_of_their_numbers(msgls: Runner) -> None:
    for number in (1, 2, 10):
        msgls.write(f"messages/talk/{number}.md", f"; role: user\n\n\nThis is {number}.\n")
    out = msgls("render", "messages/talk").out
    assert out.index("This is 1.") < out.index("This is 2.") < out.index("This is 10.")
    assert "<title>talk</title>" in out
    msgls.write("empty/a.txt", "")
    run = msgls("render", "empty")
    assert (run.code, run.err) == (
        2,
        ("msgls: empty: there is no ChatBuilder message in the folder\n"),
    )


def test_what_is_not_a_message_file_is_refused(msgls: Runner) -> None:
    msgls.write("a.md", "# Hello\n")
    assert msgls("render", "a.md").code == 2
