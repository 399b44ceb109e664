"""Boot messages, the Simple Text Format, deltas, and what msgls itself writes."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.clauses.support import Editor, dumped, library, lines
from tests.cli.support import Runner
from tests.lsp.client import Refused

GREETING = {"message": "Where to?", "meta": {"isBootMessage": True, "isVirtual": True}}
PLAN = [{"name": "Plan", "task": {"name": "Plan"}}]


def agents_json(**metadata: dict[str, Any]) -> str:
    """An `agents.json` with `guide`, who has a boot message, and others."""
    known = {"guide": {"bootMessage": {**GREETING, "availableTasks": PLAN}}, **metadata}
    agents = [
        {"name": name, "path": f"./{name}.js", **({"metadata": about} if about else {})}
        for name, about in known.items()
    ]
    return dumped({"agents": agents})


# -- boot messages ------------------------------------------------------------------------------


def said_of(msgls: Runner, agent: dict[str, Any]) -> str:
    """What is said of an `agents.json` with that agent beside name and path."""
    msgls.write("agents.json", dumped({"agents": [{"name": "a", "path": "./a.js", **agent}]}))
    arguments = ("--min-severity", "hint", "--output-format", "concise")
    return msgls("check", *arguments, "agents.json").out


def test_a_misspelt_key_is_named_before_an_empty_one_is_inserted(
    msgls: Runner, editor: Editor
) -> None:
    agent = {"metadata": {"bootMessage": {"mesage": "Hi", "meta": GREETING["meta"]}}}
    assert "did you mean `message`?" in said_of(msgls, agent)
    text = msgls.read("agents.json")
    uri = editor.show("agents.json", text)
    fixed = editor.fixes(uri, "BOOT002")
    assert text.replace("mesage", "message") in fixed
    assert not any('"mesage"' in one and '"message"' in one for one in fixed)


def test_a_misplaced_key_is_named_with_its_place(msgls: Runner) -> None:
    said = said_of(msgls, {"bootMessage": GREETING})
    assert "`bootMessage`" in said
    assert "`metadata`" in said


def test_what_is_wrong_with_an_item_is_said_of_the_item(msgls: Runner) -> None:
    boot = {**GREETING, "availableTasks": ["Plan"]}
    assert "this item must be an object" in said_of(msgls, {"metadata": {"bootMessage": boot}})


TALK = "# %% [^q]\n\n[^q]: [markdown]\n\nHi\n"


def test_a_reset_speaks_the_language_of_its_user(editor_in: Callable[[str], Editor]) -> None:
    editor = editor_in("zh-cn")
    uri = editor.show("a.msg.md", TALK)
    text = editor.do(uri, "msgls.history.reset", "Hi")
    assert "reset=1" in text
    assert re.search("[\u4e00-\u9fff]", text.rstrip().rsplit("\n", 1)[-1])


def test_a_reset_draws_no_warning(msgls: Runner, editor: Editor) -> None:
    uri = editor.show("a.msg.md", TALK)
    msgls.write("a.msg.md", editor.do(uri, "msgls.history.reset", "Hi"))
    assert "MSG202" not in msgls("check", "--min-severity", "hint", "a.msg.md").out


def test_a_fresh_file_takes_a_boot_message(msgls: Runner, editor: Editor) -> None:
    msgls.write("agents.json", agents_json())
    uri = editor.show("a.msg.md", "# %% [^m1]\n\n[^m1]: [markdown]\n")
    there = editor.do(uri, "msgls.agent.insertBoot")
    assert there.startswith("# %%% [^a1]\n\n[^a1]: [guide] boot=1 virtual=1\n\nWhere to?\n")
    assert "- Plan" in there


def test_a_new_conversation_starts_with_the_boot_message(msgls: Runner) -> None:
    msgls.write("agents.json", agents_json())
    assert msgls("chat", "a.msg.md", "--message", "Rome.").code == 0
    text = (msgls.folder / "a.msg.md").read_text("utf-8")
    assert text.startswith(
        "# %%% [^a1]\n\n[^a1]: [guide] boot=1 virtual=1\n\nWhere to?\n\n- Plan\n"
    )
    assert "Rome." in text
    assert "Where to?" not in msgls("view", "a.msg.md").out
    assert msgls("check", "a.msg.md").out == "No problems found.\n"


def test_a_file_that_an_editor_begins_starts_with_the_boot_message(
    msgls: Runner, editor: Editor
) -> None:
    """What *New message file* asks for."""
    msgls.write("agents.json", agents_json())
    begun = editor.request("msgls/newFile", {"folder": msgls.folder.as_uri()})
    assert "[guide] boot=1 virtual=1\n\nWhere to?\n" in dumped(begun).replace("\\n", "\n")


# -- the Simple Text Format ---------------------------------------------------------------------


def check_stf(msgls: Runner, text: str) -> str:
    msgls.write("a.stf", text)
    arguments = ("--min-severity", "hint", "--output-format", "concise")
    return msgls("check", *arguments, "a.stf").out


TWO_CALLS = '@user\nHi\n@ai\n@call id=c1\nls {"a": 1}\n@call id=c2\nls {"a": 2}\n'


def test_results_without_ids_answer_calls_in_order(msgls: Runner) -> None:
    msgls.write("a.stf", TWO_CALLS + "@tool\nfirst\n@tool\nsecond\n")
    wires = msgls("convert", "--to", "messages", "a.stf").json
    results = [wire["parts"][0]["payload"] for wire in wires if wire["role"] == "tool"]
    assert [(one["toolCallId"], one["content"]) for one in results] == [
        ("c1", "first"),
        ("c2", "second"),
    ]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (TWO_CALLS + "@tool call_id=c3\nx\n", "STF019"),
        (TWO_CALLS.replace("id=c2", "id=c1") + "@tool\nx\n@tool\ny\n", "STF020"),
    ],
    ids=["unknown", "twice"],
)
def test_ids_of_calls_are_checked(msgls: Runner, editor: Editor, text: str, code: str) -> None:
    assert f"error[{code}]" in check_stf(msgls, text)
    uri = editor.show("a.stf", text)
    assert editor.fixes(uri, code)


def test_a_role_is_free_text(msgls: Runner) -> None:
    said = check_stf(msgls, "@msg role=critic\nHi\n")
    assert "error" not in said
    assert "warning" not in said
    (wire,) = msgls("convert", "--to", "messages", "a.stf").json
    assert wire["role"] == "user"
    assert "critic" in json.dumps(wire["meta"])


def test_code_in_a_message_stays_as_it_is(msgls: Runner) -> None:
    text = "@ai\n@interface Foo\n@end\n@Tool\nclass X {}\n@raw\n{role: 'user'\n"
    path = msgls.write("a.stf", text)
    assert "1 of them can be fixed with --fix" in msgls("check", "a.stf").out
    msgls("check", "--fix", "a.stf")
    assert path.read_text("utf-8") == text + "@end\n"


def test_what_is_announced_as_fixable_is_fixed(msgls: Runner) -> None:
    """Also where another problem is in the way of a fix."""
    for text in ("@raw\n{role: 'user'}\n", "@raw\n{role: 'user'}\n@User\nHi\n"):
        msgls.write("a.stf", text)
        told = msgls("check", "a.stf").out
        announced = int((re.search(r"(\d+) of them can be fixed", told) or ["", "0"])[1])
        found = int((re.search(r"Found (\d+)", told) or ["", "0"])[1])
        left = msgls("check", "--fix", "a.stf").out
        assert len(re.findall("^error", left, re.MULTILINE)) == found - announced


def test_tool_calls_of_a_peer_are_read(msgls: Runner) -> None:
    raw = (
        ";raw\n{role: 'assistant', content: 'I look.', "
        "tool_calls: [{name: 'ls', arguments: {path: '.'}, id: 'c1'}]}\n;end\n"
        ";raw\n{role: 'tool', call_id: 'c1', content: 'a.txt'}\n;end\n"
    )
    assert "error" not in check_stf(msgls, raw)
    first, second = msgls("convert", "--to", "messages", "a.stf").json
    payload = first["parts"][-1]["payload"]
    assert (payload["toolName"], payload["arguments"]) == ("ls", {"path": "."})
    assert second["parts"][0]["payload"]["toolCallId"] == "c1"


def test_images_of_a_peer_are_read(msgls: Runner) -> None:
    image = "{type: 'image', data: 'aGk=', mimeType: 'image/png'}"
    raw = f";raw\n{{role: 'user', content: [{{type: 'text', text: 'See'}}, {image}]}}\n;end\n"
    msgls.write("a.stf", raw)
    (wire,) = msgls("convert", "--to", "messages", "a.stf").json
    assert [one["kind"] for one in wire["parts"]] == ["text", "image"]


def test_meta_that_is_not_an_object_is_read(msgls: Runner) -> None:
    assert "error" not in check_stf(msgls, ";meta\n['a', 1]\n;end\n;user\nHi\n")
    (wire,) = msgls("convert", "--to", "messages", "a.stf").json
    assert '["a", 1]' in json.dumps(wire["meta"])


# -- messages and deltas ------------------------------------------------------------------------


def delta(seq: int, kind: str, **payload: Any) -> dict[str, Any]:
    stamp = "2026-01-02T03:04:05Z"
    return {"runId": "r", "seq": seq, "kind": kind, "payload": payload, "timestamp": stamp}


START = delta(0, "start", modelId="m", requestId="q")
DONE = delta(9, "done", finishReason="stop")


def test_a_stream_that_fails_says_so(msgls: Runner) -> None:
    text = delta(1, "text", textDelta="half")
    error = delta(2, "error", errorCode="busy", message="Slow down.", retryable=True)
    msgls.write("a.deltas.jsonl", lines(START, text, error))
    run = msgls("assemble", "a.deltas.jsonl")
    assert (run.code, run.out) == (1, "")
    assert "Slow down." in run.err
    assert "retried" in run.err
    partial = msgls("assemble", "--partial", "a.deltas.jsonl")
    assert "half" in partial.out


def test_a_call_without_arguments_has_none(msgls: Runner) -> None:
    start = delta(1, "tool_call_start", toolCallId="c", toolName="ls")
    end = delta(2, "tool_call_end", toolCallId="c")
    msgls.write("a.deltas.jsonl", lines(START, start, end, DONE))
    (part,) = msgls("assemble", "a.deltas.jsonl").json["parts"]
    assert part["payload"] == {"toolCallId": "c", "toolName": "ls", "arguments": {}}


def test_a_call_that_nothing_answers_is_found(msgls: Runner) -> None:
    common = {"runId": "r", "timestamp": "2026-01-02T03:04:05Z"}
    call = {"toolCallId": "c", "toolName": "ls", "arguments": {}}
    asked = {**common, "role": "assistant", "parts": [{"kind": "tool_call", "payload": call}]}
    turns = [
        {**common, "role": role, "parts": [{"kind": "text", "payload": {"text": "x"}}]}
        for role in ("user", "assistant")
    ]
    msgls.write("a.messages.json", dumped([turns[0], asked, *turns]))
    assert (
        "info[DLT014]"
        in msgls(
            "check", "--min-severity", "info", "--output-format", "concise", "a.messages.json"
        ).out
    )


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


def test_its_agents_are_listed(msgls: Runner) -> None:
    msgls.write("agents.json", agents_json(clerk={}))
    run = msgls("agents", "agents.json")
    assert run.code == 0
    rows = [line.split() for line in run.out.splitlines()]
    assert [(row[0], row[1]) for row in rows[1:]] == [
        ("guide", "agents.json"),
        ("clerk", "agents.json"),
    ]
    listed = msgls("agents", "--output-format", "json", "agents.json").json
    assert {agent["defined"]["filename"] for agent in listed} == {"agents.json"}


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


def test_what_the_first_steps_write_draws_no_warning(msgls: Runner) -> None:
    """As `docs/getting-started.md` has it."""
    message = "Two days in Hangzhou. What would you do?"
    assert msgls("chat", "trip.msg.md", "--message", message).code == 0
    answer = ("--as", "guide", "--message", "West Lake, and then the tea fields.")
    assert msgls("chat", "trip.msg.md", "--force", *answer).code == 0
    run = msgls("check", "trip.msg.md", "--min-severity", "hint")
    assert run.out == "No problems found.\n"
