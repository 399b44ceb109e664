"""Conversions stay whole: what is said comes through, or is named in words."""

import json
import re
from typing import Any

import pytest

from tests.clauses.support import dumped
from tests.cli.support import Runner
from tests.conversation.corpus import PIXEL, message, part

STF = {"stf": "b.stf", "stf-semicolon": "c.stf"}
Wires = list[dict[str, Any]]


def said(text: str) -> dict[str, Any]:
    return part("text", text=text)


def call(name: str, call_id: str, **arguments: str) -> dict[str, Any]:
    return part("tool_call", toolCallId=call_id, toolName=name, arguments=arguments)


def result(call_id: str, content: Any = "ok", is_error: bool = False) -> dict[str, Any]:
    return message(
        "tool", part("tool_result", toolCallId=call_id, isError=is_error, content=content)
    )


PICTURE = part("image", mimeType="image/png", data=PIXEL)


def there_and_back(msgls: Runner, wires: Wires, target: str, name: str) -> Wires:
    """What the messages are once they were written in another format and read from it."""
    msgls.write("a.messages.json", dumped(wires))
    assert msgls("convert", "--to", target, "a.messages.json", "-o", name).code == 0
    back: Wires = msgls("convert", "--to", "messages", name).json
    return back


def kinds(wires: Wires) -> list[list[str]]:
    return [[one["kind"] for one in wire["parts"]] for wire in wires]


# -- the Simple Text Format ---------------------------------------------------------------------


@pytest.mark.parametrize("target", STF)
def test_an_answer_keeps_its_thought_its_text_and_its_call(msgls: Runner, target: str) -> None:
    thought = part("thinking", text="I should look.")
    wires = [message("user", said("Hi")), message("assistant", thought, said("I look."))]
    wires[1]["parts"].append(call("rm", "c1", path="x"))
    back = there_and_back(msgls, wires, target, STF[target])
    assert back[1]["parts"] == wires[1]["parts"]


def test_calls_with_text_between_them_are_all_there(msgls: Runner) -> None:
    """A block says what an answer says before what it calls, and that is named."""
    words, first, second = said("and"), call("ls", "c1", path="x"), call("ls", "c2", path="y")
    wires = [message("user", said("Hi")), message("assistant", first, words, second)]
    back = there_and_back(msgls, wires, "stf-semicolon", "b.stf")
    assert back[1]["parts"] == [words, first, second]
    told = msgls("convert", "--to", "stf-semicolon", "a.messages.json").err
    assert "in another order" in told


def test_an_image_beside_a_file_is_there(msgls: Runner) -> None:
    wires = [message("user", said("See"), PICTURE, part("file_ref", path="a.csv"))]
    back = there_and_back(msgls, wires, "stf-semicolon", "b.stf")
    assert kinds(back) == [["text", "image", "file_ref"]]
    assert back[0]["parts"][1] == PICTURE


@pytest.mark.parametrize("target", STF)
def test_an_image_in_the_result_of_a_failed_call_is_there(msgls: Runner, target: str) -> None:
    wires = [
        message("assistant", call("draw", "c1", what="cat")),
        result("c1", [said("no"), PICTURE], is_error=True),
    ]
    back = there_and_back(msgls, wires, target, STF[target])
    assert back[1]["parts"] == wires[1]["parts"]


def test_what_even_a_block_cannot_say_is_named_in_words(msgls: Runner) -> None:
    wires = [message("user", said("Hi"), call("rm", "c1", path="x"))]
    msgls.write("a.messages.json", dumped(wires))
    for target in ("stf", "stf-semicolon", "msgmd"):
        run = msgls("convert", "--to", target, "a.messages.json")
        assert "parts" not in run.err
        if "rm" not in run.out:
            assert "the tool call `rm` was left out" in run.err


# -- message files ------------------------------------------------------------------------------


def test_a_fence_that_an_argument_opens_swallows_no_cell(msgls: Runner) -> None:
    wires = [
        message("assistant", call("write_file", "c1", content="So:\n```js\nlet x")),
        result("c1"),
        message("assistant", call("write_file", "c2", content="So:\n```py\nx =")),
        result("c2"),
        message("user", said("Thanks.")),
    ]
    back = there_and_back(msgls, wires, "msgmd", "b.msg.md")
    assert msgls("check", "b.msg.md").out == "No problems found.\n"
    assert kinds(back) == kinds(wires)
    arguments = [wire["parts"][0]["payload"].get("arguments") for wire in back]
    assert [one for one in arguments if one] == [
        {"content": "So:\n```js\nlet x"},
        {"content": "So:\n```py\nx ="},
    ]


CODE_INTERPRETER = [
    {
        "title": "Sums",
        "create_time": 1735787045.0,
        "current_node": "c",
        "mapping": {
            "a": {"id": "a", "parent": None, "children": ["b"], "message": None},
            "b": {
                "id": "b",
                "parent": "a",
                "children": ["c"],
                "message": {
                    "id": "b",
                    "author": {"role": "assistant", "name": None, "metadata": {}},
                    "create_time": 1735787045.5,
                    "content": {
                        "content_type": "code",
                        "language": "python",
                        "text": 'if 1 < 2:\n    print("<a>")',
                    },
                    "metadata": {},
                    "recipient": "python",
                },
            },
            "c": {
                "id": "c",
                "parent": "b",
                "children": [],
                "message": {
                    "id": "c",
                    "author": {"role": "tool", "name": "python", "metadata": {}},
                    "create_time": 1735787046.5,
                    "content": {"content_type": "execution_output", "text": "<a>"},
                    "metadata": {},
                    "recipient": "all",
                },
            },
        },
    }
]


def exported(*said: tuple[str, str | None, str, dict[str, Any]]) -> list[dict[str, Any]]:
    """An export of ChatGPT: role and name of who speaks, to whom, and what."""
    mapping: dict[str, Any] = {"n": {"id": "n", "parent": None, "children": [], "message": None}}
    last = "n"
    for number, (role, name, recipient, content) in enumerate(said):
        node = f"n{number}"
        author: dict[str, Any] = {"role": role, "name": name, "metadata": {}}
        message = {"id": node, "author": author, "recipient": recipient, "content": content}
        mapping[node] = {"id": node, "parent": last, "children": [], "message": message}
        mapping[last]["children"].append(node)
        last = node
    return [{"title": "Talk", "current_node": last, "mapping": mapping}]


BROWSED = exported(
    ("user", None, "all", {"content_type": "text", "parts": ["What is new?"]}),
    ("assistant", None, "browser", {"content_type": "code", "text": 'search("news")'}),
    ("tool", "browser", "all", {"content_type": "tether_browsing_display", "result": "Three."}),
    ("tool", "browser", "all", {"content_type": "tether_quote", "text": "One.", "url": "x.org"}),
    ("assistant", None, "all", {"content_type": "text", "parts": ["Three things."]}),
    ("tool", "bio", "all", {"content_type": "text", "parts": ["Model set context updated."]}),
)
FROM_ELSEWHERE = {
    "a tool that says several things": BROWSED,
    "a code interpreter's call": CODE_INTERPRETER,
    "an id of another maker": [
        message("assistant", call("get_weather", "functions.get_weather:0", city="Oslo")),
        result("functions.get_weather:0"),
    ],
    "a conflict that a file has": [
        message("assistant", call("read", "c1", path="a.py")),
        result("c1", "x = 1\n<<<<<<< HEAD\ny = 2\n=======\ny = 3\n>>>>>>> theirs\n#%% z"),
    ],
    "an open fence at the end": [message("assistant", said("See:\n\n```py\nx = 1"))],
}


@pytest.mark.parametrize("what", FROM_ELSEWHERE)
def test_a_converted_file_has_no_error(msgls: Runner, what: str) -> None:
    is_export = "mapping" in FROM_ELSEWHERE[what][0]
    name = "conversations.json" if is_export else "a.messages.json"
    msgls.write(name, dumped(FROM_ELSEWHERE[what]))
    for target, other in (("msgmd", "b.msg.md"), ("messages", "b.messages.json"), *STF.items()):
        assert msgls("convert", "--to", target, name, "-o", other).code == 0
        assert msgls("check", other).out == "No problems found.\n"


def test_all_that_a_tool_says_is_the_result_of_its_call(msgls: Runner) -> None:
    msgls.write("conversations.json", dumped(BROWSED))
    wires = msgls("convert", "--to", "messages", "conversations.json").json
    assert kinds(wires) == [["text"], ["tool_call"], ["tool_result"], ["text"], ["text"]]
    content = wires[2]["parts"][0]["payload"]["content"]
    assert [one["payload"]["text"] for one in content] == ["Three.", "x.org", "One."]


def test_results_in_an_export_of_claude_answer_their_calls_in_order(msgls: Runner) -> None:
    uses = [{"type": "tool_use", "name": "search", "input": {"q": q}} for q in ("a", "b")]
    found = [{"type": "knowledge", "title": "T", "url": "x.org", "text": "About a."}]
    results = [
        {"type": "tool_result", "name": "search", "content": found},
        {"type": "tool_result", "name": "search", "content": [{"type": "text", "text": "B."}]},
    ]
    turn = {"uuid": "m", "sender": "assistant", "content": [*uses, *results], "text": ""}
    msgls.write("conversations.json", dumped([{"name": "Talk", "chat_messages": [turn]}]))
    wires = msgls("convert", "--to", "messages", "conversations.json").json
    calls = [part["payload"]["toolCallId"] for part in wires[0]["parts"]]
    got = [wire["parts"][0]["payload"] for wire in wires[1:]]
    assert [one["toolCallId"] for one in got] == calls
    assert [one["content"] for one in got] == ["T\nx.org\nAbout a.", "B."]


def test_two_results_of_one_call_are_numbered(msgls: Runner) -> None:
    msgls.write("a.stf", "@ai\n@call id=c\nls {}\n@tool call_id=c\none\n@tool call_id=c\ntwo\n")
    msgls("convert", "--to", "msgmd", "a.stf", "-o", "b.msg.md")
    ids = re.findall(r"^# %%% \[\^(.*)\]", msgls.read("b.msg.md"), re.MULTILINE)
    assert [one.rpartition(".")[2] for one in ids[2:]] == ["1", "2"]
    assert msgls("check", "b.msg.md").out == "No problems found.\n"


# -- images and files ---------------------------------------------------------------------------

IMAGES = {
    "data": PICTURE,
    "address": part("image", mimeType="image/*", url="https://example.com/a.png"),
}


@pytest.mark.parametrize("kind", IMAGES)
def test_an_image_in_a_message_file_comes_back_as_one(msgls: Runner, kind: str) -> None:
    wires = [message("user", said("See"), IMAGES[kind])]
    back = there_and_back(msgls, wires, "msgmd", "b.msg.md")
    assert kinds(back) == [["text", "image"]]
    payload, wanted = back[0]["parts"][1]["payload"], IMAGES[kind]["payload"]
    assert payload.get("data") == wanted.get("data")
    assert payload.get("url") == wanted.get("url")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.stf", "@user\nSee\n@embed\nhttps://example.com/a.png\n"),
        ("a.msg.md", "# %% [^m]\n\nSee\n\n![A](https://example.com/a.png)\n"),
    ],
    ids=["stf", "msgmd"],
)
def test_an_embedded_image_is_an_image_in_a_request(msgls: Runner, name: str, text: str) -> None:
    msgls.write(name, text)
    request = msgls("convert", "--to", "openai", name).json
    content = request["messages"][-1]["content"]
    assert [one["type"] for one in content] == ["text", "image_url"]
    assert content[1]["image_url"]["url"] == "https://example.com/a.png"


VIA = {
    "messages": "b.messages.json",
    "anthropic": "b.json",
    "openai": "b.json",
    "notebook": "b.ipynb",
    "msgmd": "b.msg.md",
    **STF,
}
REPORT = {"filename": "report.pdf", "file_data": "data:application/pdf;base64,JVBERi0="}
ATTACHED = {
    "an image at an address without an ending": {
        "type": "image_url",
        "image_url": {"url": "https://example.com/image?id=7"},
    },
    "the bytes of an image": {
        "type": "image_url",
        "image_url": {"url": f"data:image/png;base64,{PIXEL}"},
    },
    "the bytes of a file": {"type": "file", "file": REPORT},
}


@pytest.mark.parametrize("target", VIA)
@pytest.mark.parametrize("what", ATTACHED)
def test_images_and_files_keep_their_kind_wherever_there_is_one(
    msgls: Runner, what: str, target: str
) -> None:
    asked = [{"type": "text", "text": "See"}, ATTACHED[what]]
    msgls.write("a.json", dumped({"model": "m", "messages": [{"role": "user", "content": asked}]}))
    name = VIA[target]
    read = ("convert", "--from", "openai", "--to", target, "a.json", "-o", f"via/{name}")
    (msgls.folder / "via").mkdir()
    told = msgls(*read).err
    source = ("--from", target) if target in ("openai", "anthropic") else ()
    again = msgls("convert", *source, "--to", "openai", f"via/{name}").json
    if target == "msgmd" and "file" in ATTACHED[what]:
        # It has no files: what is left is a link, and that is said.
        assert "report.pdf" in told
        return
    assert again["messages"][0]["content"] == asked


def test_documents_of_anthropic_come_back(msgls: Runner) -> None:
    sources = [
        {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0="},
        {"type": "text", "media_type": "text/plain", "data": "Grüße"},
        {"type": "url", "url": "https://example.com/a.pdf"},
        {"type": "file", "file_id": "file_1"},
    ]
    documents = [{"type": "document", "source": source} for source in sources]
    documents[0]["title"] = "Report"
    turn = {"role": "user", "content": [*documents, {"type": "text", "text": "See"}]}
    msgls.write("a.json", dumped({"model": "m", "max_tokens": 9, "messages": [turn]}))
    msgls("convert", "--from", "anthropic", "--to", "messages", "a.json", "-o", "b.messages.json")
    run = msgls("convert", "--to", "anthropic", "b.messages.json")
    assert run.json["messages"] == [turn]
    assert run.err == ""


# -- kept or named ------------------------------------------------------------------------------


def completion(**said: Any) -> dict[str, Any]:
    answer = {"role": "assistant", "content": None, **said}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1741569952,
        "model": "gpt-4.1",
        "choices": [{"index": 0, "message": answer, "finish_reason": "length"}],
        "usage": {"prompt_tokens": 19, "completion_tokens": 10, "total_tokens": 29},
    }


def test_a_refusal_stays_a_refusal(msgls: Runner) -> None:
    refusal = {"type": "refusal", "refusal": "I cannot do that."}
    request = {"model": "m", "messages": [{"role": "assistant", "content": [refusal]}]}
    msgls.write("a.json", dumped(request))
    msgls("convert", "--from", "openai", "--to", "messages", "a.json", "-o", "b.messages.json")
    again = msgls("convert", "--to", "openai", "b.messages.json").json
    assert again["messages"][0]["content"] == [refusal]
    run = msgls("convert", "--to", "markdown", "b.messages.json")
    assert "I cannot do that." in run.out
    assert "refusal" in run.err


def test_usage_and_the_reason_to_stop_are_kept(msgls: Runner) -> None:
    msgls.write("a.json", dumped(completion(content="Hello.")))
    (wire,) = msgls("convert", "--from", "openai", "--to", "messages", "a.json").json
    assert wire["parts"] == [said("Hello.")]
    assert wire["meta"]["usage"]["totalTokens"] == 29
    assert wire["meta"]["finishReason"] == "length"
    named = msgls("convert", "--from", "openai", "--to", "stf", "a.json").err
    assert "usage" in named or "tokens" in named


def test_what_a_service_executed_itself_is_a_call_with_its_result(msgls: Runner) -> None:
    found = {"type": "web_search_result", "url": "https://example.com", "title": "Found"}
    blocks = [
        {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "x"}},
        {"type": "web_search_tool_result", "tool_use_id": "s1", "content": [found]},
        {"type": "text", "text": "It is there."},
    ]
    turn = {"role": "assistant", "content": blocks}
    msgls.write("a.json", dumped({"model": "m", "max_tokens": 9, "messages": [turn]}))
    wires = msgls("convert", "--from", "anthropic", "--to", "messages", "a.json").json
    assert [one for wire in kinds(wires) for one in wire] == ["tool_call", "tool_result", "text"]
    assert "https://example.com" in json.dumps(wires)


def test_that_a_call_failed_is_kept_or_named(msgls: Runner) -> None:
    wires = [message("user", said("Hi")), message("assistant", call("rm", "c1", path="x"))]
    wires.append(result("c1", "no", is_error=True))
    for target, name in (("msgmd", "b.msg.md"), *STF.items(), ("anthropic", "b.json")):
        back = there_and_back(msgls, wires, target, name)
        assert back[2]["parts"][0]["payload"]["isError"] is True
    lost = msgls("convert", "--to", "openai", "a.messages.json").err
    assert "the failure of the tool call `c1` is not kept" in lost


def test_fields_of_a_header_are_kept_or_named(msgls: Runner) -> None:
    head = "; Block-UUID: 203e2a0a-53be-449e-93df-4768fd275595\n; Component: Greeting\n"
    msgls.write("messages/talk/1.md", f"{head};\n; role: user\n\n\nHello\n")
    run = msgls("convert", "--to", "stf", "messages/talk/1.md")
    for field, value in (("Block-UUID", "203e2a0a"), ("Component", "Greeting")):
        assert value in run.out or f"`{field}`" in run.err


def lossy() -> Wires:
    """Messages of which no format but their own holds everything."""
    picture = part("image", mimeType="image/png", url="a.png")
    thought, opened = part("thinking", text="~~~js\nt"), said("```py\nx")
    calls = [call("rm", "c", path="/"), call("rm", "d", path="/etc")]
    return [
        message("user", said("a"), said("b"), picture, picture, meta={"title": "T"}),
        message("assistant", thought, opened, *calls, picture),
        result("c", [picture], is_error=True),
        message("user", part("file_ref", path="a.csv"), meta={"title": "T"}),
    ]


ELSEWHERE = ("msgmd", *STF, "openai", "anthropic", "markdown", "chatbuilder")


def losses_told(msgls: Runner, target: str, name: str) -> list[str]:
    told = msgls("convert", "--to", target, name, "-o", f"{name}-{target}").err.splitlines()
    return [line for line in told if "no model is named" not in line]


def test_each_loss_is_told_once(msgls: Runner) -> None:
    msgls.write("a.messages.json", dumped(lossy()))
    for target in ELSEWHERE:
        told = losses_told(msgls, target, "a.messages.json")
        assert told
        assert len(told) == len(set(told))


def test_no_loss_speaks_of_internal_keys(msgls: Runner) -> None:
    msgls.write("a.messages.json", dumped(lossy()))
    for target in ELSEWHERE:
        told = "\n".join(losses_told(msgls, target, "a.messages.json"))
        assert not re.search(r"\b(parts?|meta|runId|isError|tool_call|file_ref|None)\b", told)


@pytest.mark.parametrize("prompt", ["", ", system_prompt: Be kind."])
def test_every_loss_has_its_line(msgls: Runner, prompt: str) -> None:
    """Also what belongs to no message: frontmatter, preamble and settings of an agent."""
    head = f"---\nagents:\n  bot: {{models: [m], temperature: 0.3{prompt}}}\n---\n\nNotes.\n\n"
    cells = (
        "# %% [^q]\n\n[^q]: [markdown] history=include history=include\n\nHi\n\n"
        '# %%% [^a]\n\n[^a]: [bot] reasoning=1 time="2025-05-30T00:00:00Z"\n\nHm\n'
    )
    msgls.write("a.msg.md", head + cells)
    told = [line for to in ELSEWHERE[1:] for line in losses_told(msgls, to, "a.msg.md")]
    assert [line for line in told if not re.match(r"a\.msg\.md:\d+: lost: ", line)] == []
    assert {line.split(":")[1] for line in told if "frontmatter" in line} == {"1"}
    assert any("`history`" in line for line in told)


def test_losses_of_a_notebook_are_told_in_words(msgls: Runner) -> None:
    printed = {"output_type": "stream", "name": "stdout", "text": "a"}
    failed = {"output_type": "error", "ename": "KeyError", "evalue": "'k'", "traceback": ["!"]}
    code = {"cell_type": "code", "metadata": {}, "execution_count": 1, "source": "d['k']"}
    cells = [{**code, "id": "c", "outputs": [printed, failed]}]
    msgls.write(
        "a.ipynb", dumped({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells})
    )
    told = msgls("convert", "--to", "stf", "a.ipynb").err
    assert "names of errors" in told
    assert re.findall("`(?:newline|output|ename|evalue)`", told) == []


# -- ChatBuilder --------------------------------------------------------------------------------

FIELDS = ("Block-UUID", "Component", "Version", "Description", "Language", "Created-at", "Authors")
TEXTS = tuple(f"text {number}" for number in range(1, 12))


def write_folder(msgls: Runner, folder: str, *texts: str) -> None:
    for number, text in enumerate(texts, 1):
        role = "user" if number % 2 else "assistant"
        msgls.write(f"{folder}/{number}.md", f"; role: {role}\n\n\n{text}\n")


def test_new_files_have_the_seven_fields(msgls: Runner) -> None:
    msgls.write("a.stf", "@user\nHi\n@ai\nHello\n")
    (msgls.folder / "messages").mkdir()
    msgls("convert", "--to", "chatbuilder", "a.stf", "-o", "messages/talk")
    for number in (1, 2):
        text = msgls.read(f"messages/talk/{number}.md")
        assert [field for field in FIELDS if f"\n; {field}: " not in f"\n{text}"] == []
    assert "CBM" not in msgls("check", "--min-severity", "hint", "messages").out


def test_a_message_without_a_time_does_not_get_its_neighbours(msgls: Runner) -> None:
    msgls.write(
        "a.msg.md",
        "---\nagents:\n  bot: {}\n---\n\n# %% [^q]\n\n[^q]: [markdown]\n\nHi\n\n"
        '# %%% [^a]\n\n[^a]: [bot] time="2025-05-30T00:00:00+08:00"\n\nYes\n',
    )
    (msgls.folder / "messages").mkdir()
    msgls("convert", "--to", "chatbuilder", "a.msg.md", "-o", "messages/talk")
    assert "2025-05-30" in msgls.read("messages/talk/2.md")
    assert "2025-05-30" not in msgls.read("messages/talk/1.md")


def test_a_folder_is_viewed_as_one_conversation_by_its_numbers(msgls: Runner) -> None:
    write_folder(msgls, "messages/notes", *TEXTS)
    run = msgls("view", "messages/notes")
    assert [line for line in run.out.splitlines() if line.startswith("text")] == list(TEXTS)
    rows = msgls("view", "messages/notes", "--explain").out.splitlines()
    assert [row.split()[0] for row in rows[1:12]] == [f"{n}.md" for n in range(1, 12)]
    assert rows[-1].startswith("About ")
    wires = msgls("view", "messages/notes", "--to", "messages").json
    assert [wire["parts"][0]["payload"]["text"] for wire in wires] == list(TEXTS)


@pytest.mark.parametrize("service", ["openai", "anthropic"])
def test_the_view_of_a_folder_is_what_it_is_converted_to(msgls: Runner, service: str) -> None:
    write_folder(msgls, "messages/notes", *TEXTS)
    viewed = msgls("view", "messages/notes", "--to", service)
    assert viewed.out == msgls("convert", "messages/notes", "--to", service).out
    assert "text 11" in viewed.out


def test_two_folders_are_compared_as_conversations(msgls: Runner) -> None:
    write_folder(msgls, "a/messages/notes", *TEXTS)
    write_folder(msgls, "b/messages/notes", *TEXTS[:2], "text 3, changed", *TEXTS[3:10])
    run = msgls("diff", "a/messages/notes", "b/messages/notes")
    assert run.code == 1
    assert [line for line in run.out.splitlines() if line[0] in "~-+=>"][2:] == [
        "~ edited: user 3.md (line 1)",
        "- removed: user 11.md (line 1)",
    ]
    assert msgls("diff", "a/messages/notes", "a/messages/notes").code == 0


def test_the_outline_of_a_folder_is_that_of_one_conversation(msgls: Runner) -> None:
    write_folder(msgls, "messages/notes", *TEXTS)
    first, *rows = msgls("outline", "messages/notes").out.splitlines()
    assert first == "messages/notes"
    assert [row.split()[0] for row in rows] == [f"{number}.md" for number in range(1, 12)]
