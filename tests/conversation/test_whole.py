"""Conversions that stay whole: what is written passes the check, and nothing vanishes."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.api import check_text
from msgls.conversation.agents import agent_in
from msgls.conversation.cell_visibility import plain_content
from msgls.conversation.context import context_of
from msgls.conversation.conversation import EPOCH
from msgls.conversation.sources import read
from msgls.conversation.targets import ENDINGS, Output, write
from msgls.document.document import Document
from msgls.formats.chatbuilder.fields import REQUIRED, is_valid
from msgls.formats.msgmd.meaning import meaning_of
from tests.conversation.corpus import CORPUS, dumped, message, part


def converted(wires: list[dict[str, Any]], target: str) -> Output:
    return write(read("talk.messages.json", dumped(wires))[0], target)


def errors(text: str, target: str = "msgmd") -> list[str]:
    found = check_text(text, path=f"talk{ENDINGS[target]}", min_severity="error")
    return [f"{one.code}: {one.message}" for one in found]


def call(call_id: str, name: str = "write_file", **arguments: Any) -> dict[str, Any]:
    return part("tool_call", toolCallId=call_id, toolName=name, arguments=arguments)


def result(call_id: str, content: Any = "ok", is_error: bool = False) -> dict[str, Any]:
    return message(
        "tool", part("tool_result", toolCallId=call_id, isError=is_error, content=content)
    )


AWKWARD: dict[str, list[dict[str, Any]]] = {
    "a fence that a tool argument opens": [
        message("assistant", call("a", content="```js\nlet x"), call("b", content="~~~\n```")),
        result("a"),
        result("b"),
        message("user", part("text", text="Thanks.")),
    ],
    "ids of other makers": [
        message("assistant", call("functions.get_weather:0", "get_weather", city="x")),
        result("functions.get_weather:0"),
    ],
    "a tool whose name has a blank": [message("assistant", call("a", "look up", q=1))],
    "a program for an argument": [
        message(
            "assistant",
            part("tool_call", toolCallId="a", toolName="python", rawArgsText="if a < b:\n  ```"),
        )
    ],
    "a result that nothing asked for": [result("functions.nobody:1")],
    "ids twice, and with blanks": [
        message("user", part("text", text="x"), meta={"id": "a b"}),
        message("user", part("text", text="y"), meta={"id": "same"}),
        message("user", part("text", text="z"), meta={"id": "same"}),
    ],
    "an open fence at the end": [message("assistant", part("text", text="See:\n```py\nx = 1"))],
}


@pytest.mark.parametrize("name", AWKWARD)
def test_a_message_file_from_elsewhere_has_no_error(name: str) -> None:
    written = converted(AWKWARD[name], "msgmd")
    assert errors(written.text) == []
    again = read("talk.msg.md", written.text)[0].conversation.messages
    kinds = [[p["kind"] for p in wire["parts"]] for wire in AWKWARD[name]]
    if name != "a result that nothing asked for":
        assert [[p.kind for p in one.parts] for one in again] == kinds


@pytest.mark.parametrize("name", [n for n in CORPUS if n != "message file"])
def test_every_kind_of_source_becomes_a_message_file_without_an_error(name: str) -> None:
    assert errors(write(read(*CORPUS[name])[0], "msgmd").text) == []


LEFT_ALONE = """\
# %%% [^a]

[^a]: [assistant]

# %%% [^a.x]

[^a.x]: [tool] name="f"

<f/>

# %%% [^r]

[^r]: [assistant] reset=1 virtual=1

# %%% [^a.x.1]

[^a.x.1]: [tool] status="success"

Done

# %% [^c]

[^c]: [code] history=exclude

```sh
date
```

# %%% [^c.1]

[^c.1]: [sh] status="success"

stdout> Monday
"""


@pytest.mark.parametrize("first", ["notebook", "stf", "openai", "messages"])
def test_what_is_left_of_what_is_hidden_becomes_a_file_without_errors(first: str) -> None:
    """A run without its code, and a result without its call."""
    seen = read("talk.msg.md", LEFT_ALONE)[0]
    if first == "messages":
        context = context_of(seen.conversation, agent_in(seen.conversation))
        seen = seen._replace(conversation=context.conversation, document=None)
    once = write(seen, first)
    twice = write(read(f"1{ENDINGS[first]}", once.text, first)[0], "msgmd")
    assert "Monday" in twice.text
    assert "Done" in twice.text
    assert errors(twice.text) == []
    if first in ("notebook", "messages"):
        told = [loss.what for loss in (*once.losses, *twice.losses)]
        assert "there is no code cell `c`: its output becomes a message" in told
        assert "there is no call `a.x`: its result becomes a message" in told


def test_a_program_comes_back_as_it_was() -> None:
    text = converted(AWKWARD["a program for an argument"], "msgmd").text
    again = read("talk.msg.md", text)[0].conversation.messages[0]
    assert again.parts[0].to_wire()["payload"]["rawArgsText"] == "if a < b:\n  ```"


ATTRIBUTES = """\
# %%% [^1]

[^1]: [assistant]

Sure.

# %%% [^1.a]

[^1.a]: [tool] name="cat"

<cat path="x"/>

# %%% [^1.b]

[^1.b]: [tool] name="cat"

<cat path="y"/>
"""


@pytest.mark.parametrize("target", ["stf", "stf-semicolon", "openai", "anthropic"])
def test_a_call_in_any_shape_of_xml_is_written_and_its_text_is_named_once(target: str) -> None:
    written = write(read("talk.msg.md", ATTRIBUTES)[0], target, "model")
    kind = {"stf-semicolon": "stf"}.get(target, target)
    again = read(f"talk{ENDINGS[target]}", written.text, kind)[0].conversation.messages
    calls = [p.payload for one in again for p in one.parts if p.kind == "tool_call"]
    assert [call.arguments for call in calls] == [{"path": "x"}, {"path": "y"}]
    told = [str(loss.what) for loss in written.losses]
    assert len([what for what in told if "the original text of arguments" in what]) == 1
    assert not any("left out" in what or "change" in what for what in told)


def test_losses_speak_of_the_users_things_and_once() -> None:
    roles = ("user", "assistant", "user", "assistant")
    wires = [message(role, part("text", text="x"), meta={"title": "T"}) for role in roles]
    for target in ENDINGS:
        told = [loss.what for loss in converted(wires, target).losses]
        assert len(told) == len(set(told))
        assert not any("meta." in what or "`runId`" in what for what in told)


def test_what_is_left_out_is_named_by_its_name() -> None:
    wires = [message("user", call("a", "rm", path="x"))]
    told = [loss.what for loss in converted(wires, "msgmd").losses]
    assert any("rm" in what or "tool_call" in what for what in told)


def test_a_failure_is_named_where_it_becomes_something_else() -> None:
    wires = [message("assistant", call("a", "rm")), result("a", "no", is_error=True)]
    told = [loss.what for loss in converted(wires, "openai").losses]
    assert "the failure of the tool call `a` is not kept" in told


def test_a_notebook_keeps_its_run_numbers() -> None:
    text = write(read(*CORPUS["notebook"])[0], "msgmd").text
    ids = re.findall(r"\[\^(sum\.[\d.]+)\]:", text)
    assert ids == ["sum.3", "sum.3.2", "sum.3.3", "sum.3.4", "sum.3.5"]
    assert "executionCount" not in text


# -- ChatBuilder --------------------------------------------------------------------------------


def test_chatbuilder_files_have_the_seven_fields() -> None:
    wires = [
        message("user", part("text", text="# Hello\n\nmore"), meta={"title": "Greeting"}),
        message("assistant", part("text", text="Hi"), meta={"agent": "guide (x)"}),
    ]
    written = converted(wires, "chatbuilder")
    assert written.files is not None
    for text in written.files.values():
        header = dict(re.findall(r"^; ([\w-]+): (.*)$", text, re.MULTILINE))
        assert [key for key in REQUIRED if not is_valid(key, header.get(key, ""))] == []
    assert "; Component: Greeting\n; Version" in written.files["1.md"]
    assert written.files == converted(wires, "chatbuilder").files


def test_a_message_without_a_time_does_not_get_its_neighbours() -> None:
    first, second = "[^a]: [markdown]", '[^b]: [markdown] time="2025-01-02"'
    text = f"# %% [^a]\n\n{first}\n\nx\n\n# %% [^b]\n\n{second}\n\ny\n"
    incoming = read("talk.msg.md", text)[0]
    assert [one.timestamp for one in incoming.conversation.messages] == [EPOCH, "2025-01-02"]
    written = write(incoming, "chatbuilder").files
    assert written is not None
    assert "; Created-at: 2025-01-02" not in written["1.md"]


# -- suppressions, and prose beside code --------------------------------------------------------

PRAGMA = "<!-- msgls: ignore MSG406 -->"


def test_a_suppression_is_never_content() -> None:
    text = (
        f"# %% [^q]\n\n[^q]: [markdown]\n\n{PRAGMA}\n\nHello\n\n"
        "# %% [^c]\n\n[^c]: [code]\n\nWhy?\n\n```py\nx\n```\n\n"
        f"# %%% [^c.1]\n\n[^c.1]: [python] status=success mime_type=image/png\n\n{PRAGMA}\naGk=\n"
    )
    incoming = read("talk.msg.md", text)[0]
    for target in ENDINGS:
        if target != "msgmd":
            assert PRAGMA not in write(incoming, target).text.replace(
                json.dumps(PRAGMA)[1:-1], "" if target in ("messages", "notebook") else PRAGMA
            )
    assert incoming.conversation.messages[-1].parts[0].to_wire()["payload"]["data"] == "aGk="
    back = read("talk.messages.json", write(incoming, "messages").text)[0]
    assert write(back, "msgmd").text.count(PRAGMA) == 2


def test_prose_beside_code_and_suppressions_are_not_counted() -> None:
    text = f"# %% [^c]\n\n[^c]: [code]\n\nWhy not?\n\n```py\nx\n```\n\n{PRAGMA}\n\nmore\n"
    document = Document.open("talk.msg.md", text)
    (placed,) = document.cells()
    assert plain_content(meaning_of(document, placed)) == "```py\nx\n```"


SIGNED = message(
    "assistant", part("thinking", text="Well", signature="abc"), part("text", text="Yes.")
)


@pytest.mark.parametrize(
    "target", [t for t in ENDINGS if t not in ("messages", "anthropic", "notebook")]
)
def test_what_only_a_part_says_is_named_beside_other_losses(target: str) -> None:
    written = converted([SIGNED, message("user", part("text", text="Go on"))], target)
    named = [loss.what for loss in written.losses]
    assert any("signatures" in what or what == "thinking is not sent" for what in named)
    assert "reasoning was left out" not in named


@pytest.mark.parametrize("target", list(ENDINGS))
def test_losses_do_not_speak_of_parts_and_kinds(target: str) -> None:
    wires = [
        message("user", part("text", text="a"), part("text", text="b")),
        message(
            "assistant",
            part("thinking", text="t"),
            call("c", "rm", path="/"),
            part("text", text="then"),
            part("image", mimeType="image/png", url="a.png"),
        ),
        result("c", [part("image", mimeType="image/png", url="a.png")], is_error=True),
        message("user", part("file_ref", path="a.csv")),
    ]
    for loss in converted(wires, target).losses:
        assert not re.search(r"\bparts?\b|\bkind\b|tool_call|tool_result|file_ref", loss.what)


def test_a_call_that_gets_another_id_is_told_at_the_call_alone() -> None:
    wires = [message("assistant", call("functions.f:0", "f")), result("functions.f:0")]
    for target in ("msgmd", "anthropic"):
        told = [loss.what for loss in converted(wires, target).losses if "f:0" in loss.what]
        assert len(told) == 1


def test_messages_that_are_sent_as_one_are_told_once() -> None:
    wires = [message("user", part("text", text=text)) for text in "abc"]
    losses = [loss for loss in converted(wires, "anthropic").losses if "as one" in loss.what]
    assert [loss.message_index for loss in losses] == [0]


def test_arguments_that_are_not_json_are_written_without_an_error() -> None:
    broken = part("tool_call", toolCallId="c", toolName="f", rawArgsText='{"a": broken')
    for target in ("stf", "stf-semicolon", "msgmd"):
        written = converted([message("assistant", broken), result("c")], target)
        path = f"talk{ENDINGS[target]}"
        assert check_text(written.text, path=path, min_severity="error") == []
        back = read(path, written.text)[0].conversation.messages[0].parts[0].to_wire()
        assert back["payload"]["rawArgsText"] == '{"a": broken'


@pytest.mark.parametrize("target", ["stf", "stf-semicolon"])
def test_a_result_whose_call_is_hidden_becomes_a_message(target: str) -> None:
    secret = part("tool_call", toolCallId="a.x", toolName="rm", arguments={"path": "secret"})
    hidden = message("assistant", secret, meta={"history": "exclude"})
    written = converted(
        [message("assistant", part("text", text="?")), hidden, result("a.x", "Done.")], target
    )
    assert "secret" not in written.text
    assert "Done." in written.text
    assert check_text(written.text, path="talk.stf") == []
    told = [loss.what for loss in written.losses]
    assert any(what.startswith("the tool call `rm` is not written") for what in told)
    assert "there is no call `a.x`: its result becomes a message" in told


def test_a_thought_that_is_not_sent_leaves_no_empty_message() -> None:
    wires = [message("user", part("text", text="?")), message("assistant", SIGNED["parts"][0])]
    request = json.loads(converted(wires, "openai").text)
    assert [one["role"] for one in request["messages"]] == ["user"]


@pytest.mark.parametrize(
    "said",
    [
        {"content": None, "refusal": "I cannot."},
        {"content": [{"type": "refusal", "refusal": "I cannot."}]},
    ],
)
@pytest.mark.parametrize("target", ENDINGS)
def test_a_refusal_stays_one_or_is_named(said: dict[str, object], target: str) -> None:
    request = {"model": "m", "messages": [{"role": "assistant", **said}]}
    written = write(read("talk.json", dumped(request), "openai")[0], target)
    assert "I cannot." in written.text
    told = " ".join([loss.what for loss in written.losses])
    keeps = ("messages", "notebook", "openai", "stf", "stf-semicolon")
    assert ("refusals" in told) == (target not in keeps)
    if target.startswith("stf"):
        again = write(read("talk.stf", written.text)[0], "openai", "m")
        assert {"type": "refusal", "refusal": "I cannot."} in json.loads(again.text)["messages"][0][
            "content"
        ]
    if target == "openai":
        assert json.loads(written.text)["messages"][0]["content"] == [
            {"type": "refusal", "refusal": "I cannot."}
        ]


# -- what real conversations hold ---------------------------------------------------------------


@pytest.mark.parametrize("target", ["msgmd", "stf", "stf-semicolon"])
def test_calls_that_share_an_id_keep_their_own_results(target: str) -> None:
    wires = [
        message("assistant", call("0", "ls", path="a"), call("0", "ls", path="b")),
        result("0", "first"),
        result("0", "second"),
        message("assistant", call("0", "ls", path="c")),
        result("0", "third"),
    ]
    written = converted(wires, target)
    assert errors(written.text, target) == []
    assert "the id `0` becomes another" in [loss.what for loss in written.losses]
    back = read("talk" + ENDINGS[target], written.text)[0].conversation.messages
    calls = {p.payload.tool_call_id: p for m in back for p in m.parts if p.kind == "tool_call"}
    answers = [
        (calls[p.payload.tool_call_id].payload.arguments, p.payload.content)
        for m in back
        for p in m.parts
        if p.kind == "tool_result"
    ]
    assert answers == [
        ({"path": "a"}, "first"),
        ({"path": "b"}, "second"),
        ({"path": "c"}, "third"),
    ]


def test_an_open_fence_does_not_swallow_the_image_after_it() -> None:
    image = part("image", mimeType="image/png", url="a.png")
    wires = [message("user", part("text", text="```js\nlet x"), image)]
    written = converted(wires, "msgmd")
    assert errors(written.text) == []
    back = read("talk.msg.md", written.text)[0].conversation.messages[0]
    assert [one.kind for one in back.parts] == ["text", "image"]
    assert any("an open fence is closed" in loss.what for loss in written.losses)


@pytest.mark.parametrize("line", ["#%% x", "# %%title", "\uff03 %% x", "   # %% x"])
def test_a_line_that_is_nearly_a_header_draws_no_warning(line: str) -> None:
    wires = [
        message("user", part("text", text=f"As in:\n\n{line}")),
        message("assistant", part("text", text=line), call("c", "run"), meta={"agent": "guide"}),
        result("c", line),
    ]
    text = converted(wires, "msgmd").text
    assert check_text(text, path="talk.msg.md") == []
    back = read("talk.msg.md", text)[0].conversation.messages
    assert [m.parts[0].to_wire()["payload"].get("text") for m in back[:2]] == [
        f"As in:\n\n{line}",
        line,
    ]


def test_arguments_that_are_not_an_object_are_not_an_error_beside_meta() -> None:
    broken = part("tool_call", toolCallId="c", toolName="f", rawArgsText="not JSON")
    wires = [message("assistant", broken, meta={"title": "x"}), result("c", "no")]
    for target in ("stf", "stf-semicolon"):
        assert errors(converted(wires, target).text, target) == []


def test_a_hidden_call_stays_in_the_run_of_its_answer() -> None:
    wires = [
        {**message("assistant", part("text", text="a"), call("c", "f")), "runId": "r"},
        {**result("c", "b"), "runId": "r"},
    ]
    wires[0]["meta"] = {"history": "summary"}
    text = converted(wires, "msgmd").text
    back = read("talk.msg.md", text)[0]
    assert {one.run_id for one in back.conversation.messages} == {"r"}
    assert errors(write(back, "messages").text, "messages") == []


def test_a_refusal_in_a_raw_block_is_said() -> None:
    text = "@raw\n{role: 'assistant', content: null, refusal: 'I cannot.'}\n@end\n"
    incoming = read("talk.stf", text)[0]
    assert write(incoming, "stf").text == text
    assert "I cannot." in write(incoming, "markdown").text


SAID = st.sampled_from(
    ("Hello", "# Plan\n\nGo.", "```js\nlet x", "# %% [^1]\n\n[^1]: [raw]", "#%% x", "@user\nhi", "")
)
CALL_IDS = st.sampled_from(("c1", "functions.get:0", "", "a b", "1"))
ABOUT: st.SearchStrategy[dict[str, object]] = st.sampled_from(
    ({}, {}, {"history": "exclude"}, {"history": "summary"}, {"isReset": True}, {"agent": "a b"})
)
ARGUMENTS = st.one_of(st.fixed_dictionaries({"path": SAID}), SAID)


@st.composite
def conversations(draw: st.DrawFn) -> list[dict[str, Any]]:
    """What people and models say, with calls in parallel, odd ids and hidden messages."""
    wires = []
    for _ in range(draw(st.integers(1, 3))):
        about = draw(ABOUT)
        image = part("image", mimeType="image/png", url="https://e.com/a.png")
        wires.append(message("user", part("text", text=draw(SAID)), image, meta=about))
        ids = draw(st.lists(CALL_IDS, max_size=2))
        given_arguments = [draw(ARGUMENTS) for _ in ids]
        calls = [
            part("tool_call", toolCallId=one, toolName="f", **{_key(value): value})
            for one, value in zip(ids, given_arguments, strict=True)
        ]
        said = [part("thinking", text="Hm."), part("text", text=draw(SAID))]
        wires.append(message("assistant", *said, *calls, meta=about))
        wires += [result(one, draw(SAID), draw(st.booleans())) for one in ids]
    return wires


def _key(arguments: object) -> str:
    return "arguments" if isinstance(arguments, dict) else "rawArgsText"


@given(wires=conversations())
def test_what_is_written_has_no_error(wires: list[dict[str, Any]]) -> None:
    for target in ("msgmd", "stf", "stf-semicolon"):
        assert errors(converted(wires, target).text, target) == []
