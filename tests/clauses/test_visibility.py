"""Visibility belongs to the conversation: what is hidden stays hidden by every door."""

import re

import pytest

from tests.clauses.support import Editor, dumped
from tests.cli.support import Runner

AGENT = "---\nagents:\n  bot:\n    models: [m-1]\n    system_prompt: Be kind.\n---\n\n"
QUESTION = "# %% Then[^q]\n\n[^q]: [markdown]\n\nWhat now?\n"
WAYS = {
    "excluded": "# %% [^m]\n\n[^m]: [markdown] history=exclude\n\nsecret\n\n",
    "none": "# %% [^m]\n\n[^m]: [markdown] history=none\n\nsecret\n\n",
    "summary": '# %% [^m]\n\n[^m]: [markdown] history=summary summary="short"\n\nsecret\n\n',
    "virtual": "# %%% [^m]\n\n[^m]: [bot] virtual=1\n\nsecret\n\n",
    "boot": "# %%% [^m]\n\n[^m]: [bot] boot=1 virtual=1\n\nsecret\n\n",
    "reset": (
        "# %% [^m]\n\n[^m]: [markdown]\n\nsecret\n\n"
        "# %%% [^r]\n\n[^r]: [bot] reset=1 boot=1 virtual=1\n\nAgain.\n\n"
    ),
}
TALK = AGENT + "".join(WAYS[way].replace("^m]", f"^{way}]") for way in WAYS) + QUESTION
REQUESTS = ("openai", "anthropic")
ENDINGS = {
    "msgmd": "a2.msg.md",
    "stf": "a2.stf",
    "stf-semicolon": "a2.stf",
    "messages": "a2.messages.json",
    "openai": "a2.json",
    "anthropic": "a2.json",
    "chatbuilder": "files",
    "notebook": "a2.ipynb",
    "markdown": "a2.md",
}


@pytest.mark.parametrize("service", REQUESTS)
@pytest.mark.parametrize("way", WAYS)
def test_a_request_holds_nothing_that_is_hidden(msgls: Runner, way: str, service: str) -> None:
    msgls.write("a.msg.md", AGENT + WAYS[way] + QUESTION)
    request = msgls("convert", "--to", service, "a.msg.md").out
    assert "What now?" in request
    assert "secret" not in request


@pytest.mark.parametrize("service", REQUESTS)
def test_a_request_has_the_system_prompt(msgls: Runner, service: str) -> None:
    msgls.write("a.msg.md", AGENT + QUESTION)
    assert "Be kind." in msgls("convert", "--to", service, "a.msg.md").out


@pytest.mark.parametrize("service", REQUESTS)
def test_convert_and_view_write_the_same_bytes(msgls: Runner, service: str) -> None:
    msgls.write("a.msg.md", TALK)
    viewed = msgls("view", "a.msg.md", "--to", service).out
    assert msgls("convert", "a.msg.md", "--to", service).out == viewed


@pytest.mark.parametrize("service", REQUESTS)
def test_an_editor_converts_to_the_bytes_of_the_view(
    msgls: Runner, editor: Editor, service: str
) -> None:
    msgls.write("a.msg.md", TALK)
    uri = editor.show("a.msg.md", TALK)
    arguments = [{"uri": uri, "target": service}]
    command = {"command": "msgls.convert.to", "arguments": arguments}
    editor.request("workspace/executeCommand", command)
    made = [
        edit["newText"]
        for params in editor.requests("workspace/applyEdit")
        for change in params["edit"]["documentChanges"]
        for edit in change.get("edits", ())
    ]
    assert made == [msgls("view", "a.msg.md", "--to", service).out]


@pytest.mark.parametrize("target", ["messages", "msgmd"])
def test_what_can_be_marked_stays_hidden_in_the_other_file(msgls: Runner, target: str) -> None:
    """Also when the first file becomes messages, and these a message file."""
    msgls.write("a.msg.md", TALK)
    msgls("convert", "--to", "messages", "a.msg.md", "-o", "b.messages.json")
    name = "b.messages.json"
    if target == "msgmd":
        msgls("convert", "--to", "msgmd", name, "-o", "c.msg.md")
        name = "c.msg.md"
    seen = msgls("view", name)
    assert "What now?" in seen.out
    assert "secret" not in seen.out
    assert msgls("convert", "--to", "openai", name).json["messages"][0]["content"] == "Be kind."


AGENTS_JSON = dumped(
    {
        "agents": [
            {
                "name": "guide",
                "path": "./guide.js",
                "metadata": {
                    "bootMessage": {
                        "message": "Where to?",
                        "meta": {"isBootMessage": True, "isVirtual": True},
                    }
                },
            }
        ]
    }
)


def test_a_boot_message_becomes_one_and_is_not_sent(msgls: Runner) -> None:
    msgls.write("agents.json", AGENTS_JSON)
    text = msgls("convert", "--to", "msgmd", "agents.json").out
    assert re.search(r"\[guide\].* virtual=1 boot=1\n", text)
    assert "isVirtual" not in text
    msgls.write("b.msg.md", text + "\n" + QUESTION)
    seen = msgls("view", "b.msg.md").out
    assert "What now?" in seen
    assert "Where to?" not in seen


@pytest.mark.parametrize("target", ["stf", "stf-semicolon", "markdown"])
def test_a_format_without_visibility_gets_what_is_seen_and_omissions_are_named(
    msgls: Runner, target: str
) -> None:
    msgls.write("a.msg.md", TALK)
    run = msgls("convert", "--to", target, "a.msg.md")
    assert "What now?" in run.out
    assert "secret" not in run.out
    for way in WAYS:
        assert f"`{way}`" in run.err


def test_a_folder_of_messages_gets_what_is_seen(msgls: Runner) -> None:
    msgls.write("a.msg.md", TALK)
    msgls("convert", "--to", "chatbuilder", "a.msg.md", "-o", "files")
    files = "".join(path.read_text("utf-8") for path in (msgls.folder / "files").rglob("*.md"))
    assert "What now?" in files
    assert "secret" not in files


@pytest.mark.parametrize("target", ["stf", "markdown"])
def test_all_writes_everything_and_names_what_is_exposed(msgls: Runner, target: str) -> None:
    msgls.write("a.msg.md", TALK)
    run = msgls("convert", "--all", "--to", target, "a.msg.md")
    assert run.out.count("secret") == len(WAYS)
    for way in WAYS:
        assert re.search(rf"^a\.msg\.md:\d+: .*`{way}`", run.err, re.MULTILINE)


@pytest.mark.parametrize("first", ENDINGS)
def test_nothing_hidden_comes_out_of_one_or_two_conversions(msgls: Runner, first: str) -> None:
    """By any two targets; what each leaves out is named by its id, where that is known."""
    msgls.write("a.msg.md", TALK)
    once = ENDINGS[first]
    run = msgls("convert", "--to", first, "a.msg.md", "-o", once)
    assert run.code == 0
    assert "What now?" in visible(msgls, first, once)
    assert "secret" not in visible(msgls, first, once)
    if first not in MARKING:
        assert [way for way in WAYS if f"`{way}`" not in run.err] == []
    for second, name in ENDINGS.items() if first != "markdown" else ():
        source = ["--from", first] if first in REQUESTS else []
        twice = f"2/{name}"
        (msgls.folder / "2").mkdir(exist_ok=True)
        arguments = ("--to", second, once, "-o", twice, "--force")
        run = msgls("convert", *source, *arguments)
        assert run.code == 0
        assert "What now?" in visible(msgls, second, twice)
        assert "secret" not in visible(msgls, second, twice)
        if first in MARKING and second not in MARKING:
            assert [way for way in WAYS if f"`{way}`" not in run.err] == []


MARKING = ("msgmd", "messages")


def visible(msgls: Runner, target: str, name: str) -> str:
    """What is not marked as hidden in a file, or in the files of a folder."""
    if target in MARKING:
        return msgls("view", name).out
    path = msgls.folder / name
    files = sorted(path.rglob("*.md")) if path.is_dir() else [path]
    return "".join([file.read_text("utf-8") for file in files])


def test_messages_in_json_say_what_is_hidden_and_every_target_listens(msgls: Runner) -> None:
    """What a reader fills, every writer honours."""
    said = {"kind": "text", "payload": {"text": "secret"}}
    now = {"kind": "text", "payload": {"text": "What now?"}}
    common = {"runId": "r", "timestamp": "2026-01-02T03:04:05Z"}
    metas = [{"history": "exclude"}, {"isVirtual": True}]
    metas += [{"history": "summary", "summary": "short"}]
    wires = [{**common, "role": "user", "parts": [said], "meta": meta} for meta in metas]
    wires.append({**common, "role": "user", "parts": [now]})
    msgls.write("a.messages.json", dumped(wires))
    for target in ("openai", "anthropic", "stf", "markdown"):
        text = msgls("convert", "--to", target, "a.messages.json").out
        assert "What now?" in text
        assert "secret" not in text
    msgls("convert", "--to", "msgmd", "a.messages.json", "-o", "b.msg.md")
    assert "secret" not in msgls("view", "b.msg.md").out
