"""Boot messages, the Simple Text Format, deltas, and what msgls itself writes."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.clauses.support import Editor, library, lines
from tests.cli.support import Runner
from tests.lsp.client import Refused

# -- boot messages ------------------------------------------------------------------------------


TALK = "# %% [^q]\n\n[^q]: [markdown]\n\nHi\n"


def test_a_reset_speaks_the_language_of_its_user(editor_in: Callable[[str], Editor]) -> None:
    editor = editor_in("zh-cn")
    uri = editor.show("a.msg.md", TALK)
    text = editor.do(uri, "msgls.history.reset", "Hi")
    assert "reset=1" in text
    assert re.search("[\u4e00-\u9fff]", text.rstrip().rsplit("\n", 1)[-1])


# -- the Simple Text Format ---------------------------------------------------------------------


def check_stf(msgls: Runner, text: str) -> str:
    msgls.write("a.stf", text)
    arguments = ("--min-severity", "hint", "--output-format", "concise")
    return msgls("check", *arguments, "a.stf").out


def test_a_role_is_free_text(msgls: Runner) -> None:
    said = check_stf(msgls, "@msg role=critic\nHi\n")
    assert "error" not in said
    assert "warning" not in said
    (wire,) = msgls("convert", "--to", "messages", "a.stf").json
    assert wire["role"] == "user"
    assert "critic" in json.dumps(wire["meta"])


def test_what_is_announced_as_fixable_is_fixed(msgls: Runner) -> None:
    """Also where another problem is in the way of a fix."""
    for text in ("@raw\n{role: 'user'}\n", "@raw\n{role: 'user'}\n@User\nHi\n"):
        msgls.write("a.stf", text)
        told = msgls("check", "a.stf").out
        announced = int((re.search(r"(\d+) of them can be fixed", told) or ["", "0"])[1])
        found = int((re.search(r"Found (\d+)", told) or ["", "0"])[1])
        left = msgls("check", "--fix", "a.stf").out
        assert len(re.findall("^error", left, re.MULTILINE)) == found - announced


# -- messages and deltas ------------------------------------------------------------------------


def delta(seq: int, kind: str, **payload: Any) -> dict[str, Any]:
    stamp = "2026-01-02T03:04:05Z"
    return {"runId": "r", "seq": seq, "kind": kind, "payload": payload, "timestamp": stamp}


START = delta(0, "start", modelId="m", requestId="q")
DONE = delta(9, "done", finishReason="stop")


def test_a_call_without_arguments_has_none(msgls: Runner) -> None:
    start = delta(1, "tool_call_start", toolCallId="c", toolName="ls")
    end = delta(2, "tool_call_end", toolCallId="c")
    msgls.write("a.deltas.jsonl", lines(START, start, end, DONE))
    (part,) = msgls("assemble", "a.deltas.jsonl").json["parts"]
    assert part["payload"] == {"toolCallId": "c", "toolName": "ls", "arguments": {}}


def test_the_assembler_is_public() -> None:
    program = (
        "from msgls import Assembler, Message, MessageDelta\n"
        f"deltas = {[START, delta(1, 'text', textDelta='Hi'), DONE]!r}\n"
        "assembler = Assembler()\n"
        "done = [one for one in map(assembler.add, deltas) if one]\n"
        "print(Message.from_wire(done[0].message).parts[0].payload.text, bool(MessageDelta))"
    )
    assert library(program) == "Hi True\n"


def test_a_message_of_the_library_says_who_sees_it() -> None:
    wire = {"runId": "r", "role": "user", "parts": [], "timestamp": "2026-01-02T03:04:05Z"}
    hidden = {**wire, "meta": {"history": "summary", "summary": "short", "isVirtual": True}}
    program = (
        "from msgls import Message\n"
        f"seen, hidden = [Message.from_wire(one).visibility for one in {[wire, hidden]!r}]\n"
        "print(seen.history, seen.is_virtual, seen.is_reset)\n"
        "print(hidden.history, hidden.summary, hidden.is_virtual, hidden.is_boot)"
    )
    assert library(program) == "include False False\nsummary short True False\n"


def test_a_problem_has_the_same_line_in_check_and_assemble(msgls: Runner) -> None:
    call = delta(1, "tool_call_start", toolCallId="c", toolName="f")
    args = delta(2, "tool_call_args", toolCallId="d", argsTextDelta="{")
    wires = [START, call, args, delta(2, "text", textDelta="a"), DONE, DONE]
    msgls.write("a.deltas.jsonl", lines(*wires))
    checked = msgls("check", "--output-format", "concise", "a.deltas.jsonl").out
    assembled = msgls("assemble", "a.deltas.jsonl").err
    told = [set(re.findall(r":(\d+).*(DLT\d+)", text)) for text in (checked, assembled)]
    assert told[0]
    assert told[0] == told[1]


# -- what msgls itself writes -------------------------------------------------------------------


def test_what_chat_writes_draws_no_warning(msgls: Runner) -> None:
    """Whoever answers is registered, in a new file, in an old one, and in a section."""
    assert msgls("chat", "a.msg.md", "--message", "Hi").code == 0
    assert msgls("chat", "a.msg.md", "--message", "Yes", "--as", "guide", "--force").code == 0
    assert msgls("chat", "b.msg.md", "--message", "Yes", "--as", "guide").code == 0
    assert msgls("chat", "c.msg.md", "--message", "Yes", "--as", "assistant").code == 0
    assert msgls("chat", "c.msg.md", "--message", "No", "--as", "critic", "--force").code == 0
    msgls.write("d.md", "---\nmessage_section:\n---\n\n# Discussion\n")
    assert msgls("chat", "d.md", "--message", "Yes", "--as", "guide", "--force").code == 0
    assert msgls("chat", "d.md", "--message", "As in:\n\n#%% x", "--force").code == 0
    run = msgls("check", "--min-severity", "hint")
    assert (run.code, run.out) == (0, "No problems found.\n")


@pytest.mark.parametrize("command", ["msgls.cell.insertOutput", "msgls.history.reset"])
def test_what_a_command_inserts_draws_no_warning(
    msgls: Runner, editor: Editor, command: str
) -> None:
    uri = editor.show("a.msg.md", TALK)
    text = editor.do(uri, command, "Hi")
    assert text != TALK
    msgls.write("a.msg.md", text)
    assert msgls("check", "a.msg.md").out == "No problems found.\n"


INSERTING = (
    *("msgls.cell.insertMessage", "msgls.cell.insertOutput", "msgls.cell.insertToolCall"),
    *("msgls.cell.insertToolResult", "msgls.cell.insertExecution", "msgls.cell.duplicate"),
)
SOME = (
    "# %% [^c]\n\n[^c]: [code]\n\n```sh\nls\n```\n\n"
    "# %%% [^a]\n\n[^a]: [assistant]\n\nI look.\n\n"
    '# %%% [^a.ab]\n\n[^a.ab]: [tool] name="ls"\n\n<ls/>\n'
)


@pytest.mark.parametrize("near", ["ls\n```", "I look.", "<ls/>"])
@pytest.mark.parametrize("command", INSERTING)
def test_what_any_command_inserts_draws_no_warning(
    msgls: Runner, editor: Editor, command: str, near: str
) -> None:
    uri = editor.show("a.msg.md", SOME)
    try:
        text = editor.do(uri, command, near)
    except Refused:
        return  # It says why it does not fit here.
    msgls.write("a.msg.md", text)
    assert msgls("check", "a.msg.md").out == "No problems found.\n"


def test_an_answer_before_the_definition_of_the_only_agent_draws_no_warning(
    msgls: Runner, editor: Editor
) -> None:
    defined = '\n# %% [^t]\n\n[^t]: [markdown] definition="agent" name="critic"\n'
    uri = editor.show("a.msg.md", TALK + defined)
    msgls.write("a.msg.md", editor.do(uri, "msgls.cell.insertOutput", "Hi"))
    assert msgls("check", "a.msg.md").out == "No problems found.\n"


@pytest.mark.parametrize("temporary", [False, True])
def test_adding_the_first_agent_draws_no_warning(
    msgls: Runner, editor: Editor, temporary: bool
) -> None:
    """Who answered so far needed no registration."""
    uri = editor.show("a.msg.md", SOME)
    text = editor.do(uri, "msgls.agent.add", "<ls/>", name="critic", temporary=temporary)
    msgls.write("a.msg.md", text)
    msgls.write("b.msg.md", SOME)
    flags = ("--temporary",) if temporary else ()
    assert msgls("agents", "b.msg.md", "add", "critic", *flags).code == 0
    assert msgls("check").out == "No problems found.\n"


@pytest.mark.parametrize("head", ["", "---\nagents:\n  assistant: {}\n---\n\n"])
def test_templates_of_cells_draw_no_warning(msgls: Runner, editor: Editor, head: str) -> None:
    text = head + SOME + "\n# %"
    uri = editor.show("a.msg.md", text)
    found = editor.at("textDocument/completion", len(text), uri)
    items = found if isinstance(found, list) else found["items"]
    templates = [item for item in items if "]: [" in str(item.get("textEdit", item))]
    assert len(templates) > 3
    for item in templates:
        new = item["textEdit"]["newText"]
        new = re.sub(r"\$\{\d+\|([^,|]*)[^}]*\|\}", r"\1", new)
        new = re.sub(r"\$\{\d+:([^}]*)\}", r"\1", new)
        new = re.sub(r"\$[1-9]|\$\{[1-9]\}", "", new)
        new = re.sub(r"\$0|\$\{0\}", "x", new).replace("\\$", "$").replace("\\}", "}")
        edits = [{**item["textEdit"], "newText": new}, *item.get("additionalTextEdits", [])]
        msgls.write("a.msg.md", editor.after({"changes": {uri: edits}}, uri) + "\n")
        assert msgls("check", "a.msg.md").out == "No problems found.\n", item["label"]
