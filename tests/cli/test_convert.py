"""``msgls convert``: inputs, outputs, what is lost, and what goes wrong."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.support import GOOD, Runner
from tests.conversation.corpus import (
    CHATBUILDER,
    CHATGPT_EXPORT,
    CORPUS,
    MESSAGE_FILE,
    STF_AT,
    dumped,
)

TARGETS = (
    "msgmd", "stf", "stf-semicolon", "chatbuilder", "messages", "openai", "anthropic", "markdown",
)  # fmt: skip


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize(
    "arguments",
    [["convert", "--to", "stf"], ["render"], ["fork", "q1"]],
    ids=lambda given: given[0],
)
def test_a_dash_after_output_is_standard_output(msgls: Runner, arguments: list[str]) -> None:
    msgls.write("a.msg.md", GOOD)
    command, *others = arguments
    run = msgls(command, "a.msg.md", *others, "-o", "-")
    assert (run.code, names(msgls.folder)) == (0, ["a.msg.md"])
    assert run.out == msgls(command, "a.msg.md", *others).out != ""


@pytest.mark.parametrize("target", TARGETS)
def test_every_target_on_standard_output(msgls: Runner, target: str) -> None:
    msgls.write("a.msg.md", GOOD)
    run = msgls("convert", "a.msg.md", "--to", target)
    assert run.code == 0
    assert "Hi." in run.out


@pytest.mark.parametrize("name", CORPUS)
def test_every_source(msgls: Runner, name: str) -> None:
    file, text = CORPUS[name]
    msgls.write(file, text)
    run = msgls("convert", file, "--to", "messages")
    assert run.code == 0
    assert all(line.startswith(f"{file}:") for line in run.err.splitlines())
    assert run.json[0]["role"] in ("system", "user", "assistant")


def test_a_file_in_its_own_format_stays_as_it_is(msgls: Runner) -> None:
    msgls.write("a.msg.md", MESSAGE_FILE.replace("\n", "\r\n"))
    run = msgls("convert", "a.msg.md", "--to", "msgmd", "-o", "b.msg.md")
    assert (run.code, run.out, run.err) == (0, "", "")
    assert msgls.read("b.msg.md") == MESSAGE_FILE.replace("\n", "\r\n")


def test_losses_have_their_lines(msgls: Runner) -> None:
    msgls.write("a.stf", STF_AT)
    run = msgls("convert", "a.stf", "--to", "openai", "--model", "m")
    assert run.code == 0
    lines = run.err.splitlines()
    assert "a.stf:5: lost: the file `notes.txt` is written as its name" in lines
    assert [line for line in lines if " lost: " not in line] == []
    numbers = [int(line.split(":")[1]) for line in lines]
    assert numbers == sorted(numbers)


@pytest.mark.parametrize("target", ["msgmd", "stf", "markdown", "notebook"])
def test_half_a_character_is_named_with_its_line(msgls: Runner, target: str) -> None:
    common = {"runId": "r", "role": "user", "timestamp": "2026-01-02T03:04:05Z"}
    texts = ("Hi", "half \ud83d", "Bye")
    wires = [{**common, "parts": [{"kind": "text", "payload": {"text": one}}]} for one in texts]
    msgls.write("a.messages.jsonl", "".join(json.dumps(wire) + "\n" for wire in wires))
    told = msgls("convert", "--to", target, "a.messages.jsonl").err
    assert "a.messages.jsonl:2: lost: a lone surrogate is replaced by U+FFFD" in told


@pytest.mark.parametrize("remembered", [7, ["x"], [{"n": ["x"]}], [{"n": {}}], [{"n": 2}, 5]])
def test_odd_memories_of_results_do_no_harm(msgls: Runner, remembered: object) -> None:
    """Any program may write them."""
    common: dict[str, Any] = {"runId": "r", "timestamp": "2026-01-02T03:04:05Z"}
    call = {"kind": "tool_call", "payload": {"toolCallId": "c", "toolName": "f", "arguments": {}}}
    done = {"toolCallId": "c", "isError": False, "content": "ok"}
    meta = {"results": remembered}
    wires = [
        {**common, "role": "assistant", "parts": [call]},
        *[
            {**common, "role": "tool", "parts": [{"kind": "tool_result", "payload": done}],
             "meta": {**meta, **more}}
            for more in ({}, {"history": "exclude"})
        ],
    ]  # fmt: skip
    msgls.write("a.messages.json", json.dumps(wires))
    for target in ("msgmd", "stf", "openai", "markdown", "notebook"):
        run = msgls("convert", "--to", target, "a.messages.json")
        assert run.code == 0
        assert "ok" in run.out


def test_strict_writes_nothing_where_something_is_lost(msgls: Runner) -> None:
    msgls.write("a.stf", STF_AT)
    run = msgls("convert", "a.stf", "--to", "openai", "-o", "b.json", "--strict")
    assert (run.code, run.out) == (1, "")
    assert run.err.splitlines()[-1].startswith("msgls: nothing is written")
    assert not (msgls.folder / "b.json").exists()


def test_strict_writes_where_nothing_is_lost(msgls: Runner) -> None:
    msgls.write("a.stf", STF_AT)
    run = msgls("convert", "a.stf", "--to", "messages", "--strict")
    assert (run.code, run.err) == (0, "")


# -- standard input -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ([], GOOD),
        (["--stdin-filename", "a.stf"], "@user\nHi.\n"),
        (["--from", "stf"], "@user\nHi.\n"),
        ([], "@user\nHi.\n"),
        ([], "; role: user\n\n\nHi.\n"),
        ([], '[{"role": "user", "content": "Hi."}]'),
        ([], '\ufeff{"messages": [{"role": "user", "content": "Hi."}]}'),
    ],
)
def test_standard_input(msgls: Runner, arguments: list[str], text: str) -> None:
    run = msgls("convert", "-", *arguments, "--to", "messages", stdin=text)
    assert (run.code, run.err) == (0, "")
    assert run.json[0]["parts"] == [{"kind": "text", "payload": {"text": "Hi."}}]


# -- folders ------------------------------------------------------------------------------------


def test_several_messages_become_a_folder_and_one_conversation_again(msgls: Runner) -> None:
    msgls.write("a.stf", "@user\none\n@assistant\ntwo\n")
    run = msgls("convert", "a.stf", "--to", "chatbuilder", "-o", "talk")
    assert (run.code, run.out, run.err) == (0, "", "")
    assert names(msgls.folder / "talk") == ["1.md", "2.md"]
    assert msgls.read("talk/2.md").endswith("\n;\n; role: assistant\n\n\ntwo\n")
    back = msgls("convert", "talk", "--to", "stf")
    assert back.out == msgls.read("a.stf")
    both = msgls("convert", "talk/2.md", "talk/1.md", "--to", "stf")
    assert both.out == msgls.read("a.stf")
    one = msgls("convert", "talk/2.md", "--to", "stf")
    assert one.out == "@assistant\ntwo\n"


def test_losses_of_a_folder_name_the_file(msgls: Runner) -> None:
    msgls.write("talk/1.md", CHATBUILDER)
    msgls.write("talk/2.md", "; role: usr\n\n\nHi.\n")
    run = msgls("convert", "talk", "--to", "stf")
    assert run.code == 0
    assert run.err.splitlines()[0].startswith("talk/1.md:1: lost: ")
    assert "talk/2.md:1: lost: unknown role `usr`: `user` is assumed" in run.err


def test_a_folder_takes_one_message_too(msgls: Runner) -> None:
    msgls.write("a.stf", "@user\none\n")
    (msgls.folder / "out").mkdir()
    assert msgls("convert", "a.stf", "--to", "chatbuilder", "-o", "out").code == 0
    assert names(msgls.folder / "out") == ["1.md"]


def test_a_shorter_conversation_leaves_no_old_messages_behind(msgls: Runner) -> None:
    msgls.write("a.stf", "@user\none\n@user\ntwo\n")
    for name in ("1.md", "2.md", "3.md", "notes.md"):
        msgls.write(f"talk/{name}", "; role: user\n\n\nold\n")
    run = msgls("convert", "a.stf", "--to", "chatbuilder", "-o", "talk")
    assert run.code == 2
    assert [line.split(":")[1].strip() for line in run.err.splitlines()] == [
        "talk/1.md", "talk/2.md", "talk/3.md",
    ]  # fmt: skip
    assert msgls.read("talk/1.md").endswith("old\n")
    assert msgls("convert", "a.stf", "--to", "chatbuilder", "-o", "talk", "--force").code == 0
    assert names(msgls.folder / "talk") == ["1.md", "2.md", "notes.md"]
    assert msgls.read("talk/1.md").endswith("one\n")


def test_an_export_becomes_a_folder_of_files(msgls: Runner) -> None:
    two = [*CHATGPT_EXPORT, {**CHATGPT_EXPORT[0], "title": "../Ä: b/c?"}, *CHATGPT_EXPORT]
    msgls.write("conversations.json", dumped(two))
    run = msgls("convert", "conversations.json", "--to", "msgmd")
    assert (run.code, run.out) == (2, "")
    assert run.err == "msgls: 3 conversations need a folder: use -o\n"
    run = msgls("convert", "conversations.json", "--to", "msgmd", "-o", "new/chats")
    assert run.code == 0
    assert names(msgls.folder / "new" / "chats") == [
        "A-talk-2.msg.md", "A-talk.msg.md", "Ä-b-c.msg.md",
    ]  # fmt: skip


def test_several_files(msgls: Runner) -> None:
    msgls.write("x/a.msg.md", GOOD)
    msgls.write("x/b.stf", "@user\none\n")
    msgls.write("x/readme.md", "# No conversation\n")
    msgls.write("c.stf", "@user\nthree\n")
    run = msgls("convert", "x", "c.stf", "--to", "messages", "-o", "out")
    assert run.code == 0
    assert names(msgls.folder / "out") == ["a.messages.json", "b.messages.json", "c.messages.json"]


# -- files --------------------------------------------------------------------------------------


def test_what_is_there_is_not_overwritten(msgls: Runner) -> None:
    msgls.write("a.stf", "@user\none\n")
    msgls.write("b.msg.md", "mine")
    run = msgls("convert", "a.stf", "--to", "msgmd", "-o", "b.msg.md")
    assert (run.code, run.out) == (2, "")
    assert run.err == "msgls: b.msg.md: it already exists; --force overwrites it\n"
    assert msgls.read("b.msg.md") == "mine"
    assert msgls("convert", "a.stf", "--to", "msgmd", "-o", "b.msg.md", "--force").code == 0
    assert "one" in msgls.read("b.msg.md")
    assert names(msgls.folder) == ["a.stf", "b.msg.md"]


def test_into_an_existing_folder(msgls: Runner) -> None:
    msgls.write("a.stf", "@user\none\n")
    (msgls.folder / "out").mkdir()
    assert msgls("convert", "a.stf", "--to", "openai", "-o", "out").code == 0
    assert names(msgls.folder / "out") == ["a.openai.json"]


def test_the_request_has_the_models_of_the_default_agent(msgls: Runner) -> None:
    msgls.write("a.msg.md", MESSAGE_FILE)
    request = msgls("convert", "a.msg.md", "--to", "openai").json
    assert (request["model"], request["max_completion_tokens"]) == ("model-one", 1000)
    assert request["temperature"] == 0.5
    request = msgls("convert", "a.msg.md", "--to", "anthropic", "--model", "other").json
    assert (request["model"], request["max_tokens"]) == ("other", 1000)


def test_a_request_without_a_model_says_so(msgls: Runner) -> None:
    msgls.write("a.stf", "@user\none\n")
    run = msgls("convert", "a.stf", "--to", "openai")
    assert run.json["model"] == "MODEL"
    assert run.err == "msgls: a.stf: no model is named: `MODEL` is used; choose one with --model\n"


def test_half_a_character_is_escaped_or_replaced(msgls: Runner) -> None:
    msgls.write("a.json", r'[{"role": "user", "content": "\ud83d!"}]')
    run = msgls("convert", "a.json", "--to", "openai", "--model", "m")
    assert json.loads(run.out)["messages"][0]["content"] == "\ud83d!"
    run = msgls("convert", "a.json", "--to", "stf")
    assert run.out == "@user\n\ufffd!\n"
    assert "a lone surrogate is replaced" in run.err


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["none.stf", "--to", "stf"], "none.stf: no such file or directory"),
        (["a.txt", "--to", "stf"], "a.txt: its format is not recognized; --from says what it is:"),
        (
            ["a.json", "--to", "stf"],
            "a.json: it is not valid JSON: the text ends too early (line 2, column 1)",
        ),
        (["b.messages.json", "--to", "openai"], "another format: use --from openai"),
        (["b.stf", "--to", "openai"], "no message can be read; line 1: "),
        (["bytes.stf", "--to", "stf"], "bytes.stf: not UTF-8: byte 0xff at offset 0"),
        (["a.stf", "-", "--to", "stf"], "standard input (-) cannot be mixed with other inputs"),
        (
            ["a.stf", "--stdin-filename", "x", "--to", "stf"],
            "--stdin-filename can only be used with",
        ),
        (["empty", "--to", "stf"], "no conversation was found"),
        (["a.stf", "--to", "chatbuilder"], "2 messages need a folder: use -o"),
        (["a.stf", "--to", "chatbuilder", "-o", "a.txt"], "a.txt: this is not a folder"),
        (["a.stf", "--to", "msgmd", "-o", "no/such/x.msg.md"], "no such file or directory"),
        (["a.stf", "a.msg.md", "--to", "msgmd", "-o", "a.txt"], "a.txt: "),
    ],
)
def test_what_goes_wrong_is_said(msgls: Runner, arguments: list[str], why: str) -> None:
    msgls.write("a.txt", "prose")
    msgls.write("a.json", "[\n")
    msgls.write("a.stf", "@user\none\n@user\ntwo\n")
    msgls.write("a.msg.md", GOOD)
    msgls.write("b.messages.json", '[{"role": "user", "content": "hi"}]')
    msgls.write("b.stf", "prose\n")
    msgls.write("bytes.stf", b"\xff")
    (msgls.folder / "empty").mkdir()
    before = names(msgls.folder)
    run = msgls("convert", *arguments)
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith("msgls: ")
    assert why in run.err
    assert "Traceback" not in run.err
    assert names(msgls.folder) == before


def test_escapes_in_a_loss_are_harmless(msgls: Runner) -> None:
    msgls.write("a.json", json.dumps([{"role": "\x1b[31m", "content": "x"}]))
    assert "\x1b" not in msgls("convert", "a.json", "--to", "stf").err
