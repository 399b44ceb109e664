"""What each message becomes in a message file, and what is said to be lost."""

from collections.abc import Mapping
from typing import Any

import pytest

from msgls.conversation.conversation import EPOCH, Conversation, derive_run_id
from msgls.conversation.messages import (
    FileRefPart,
    ImagePart,
    Message,
    MessagePart,
    Role,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
)
from msgls.conversation.readers.msgmd import read
from msgls.conversation.writers.msgmd import write
from msgls.conversation.writers.msgmd_cells import DEFAULT_AGENT, definition_line
from msgls.document.document import Document
from msgls.formats.msgmd import MSGMD, SECTIONED_MSGMD
from msgls.formats.msgmd.meaning import frontmatter_of


def opened(text: str, path: str = "a.msg.md") -> Document:
    return Document.open(path, text, MSGMD if path.endswith(".msg.md") else SECTIONED_MSGMD)


def message(
    role: Role, *parts: MessagePart | str, meta: Mapping[str, Any] | None = None
) -> Message:
    made = [TextPart.of(part) if isinstance(part, str) else part for part in parts]
    return Message(run_id="", role=role, parts=tuple(made), timestamp=EPOCH, meta=meta)


def conversation(*messages: Message) -> Conversation:
    """As a source without runs has them: with the id that follows from the content."""
    wires = [m.to_wire() for m in messages]
    for wire in wires:
        del wire["runId"], wire["timestamp"]
    run_id = derive_run_id(wires)
    made = tuple(m if m.run_id else m.model_copy(update={"run_id": run_id}) for m in messages)
    return Conversation(made, tuple(() for _ in made))


def rendered(*messages: Message) -> str:
    """The text, of which nothing may be lost."""
    text, after = write(conversation(*messages))
    assert after == ()
    return text


def losses(*messages: Message) -> list[tuple[int | None, str]]:
    _, after = write(conversation(*messages))
    return [(loss.message_index, loss.what) for loss in after]


def parts_again(text: str) -> list[list[dict[str, Any]]]:
    return [m.to_wire()["parts"] for m in read(opened(text)).messages]


# -- the table


def test_a_conversation_in_the_words_of_the_format() -> None:
    text = rendered(
        message("system", "Be brief."),
        message("user", "What is here?"),
        message("assistant", "I look.", ToolCallPart.of("m3.x1", "ls", {"path": "."})),
        message("tool", ToolResultPart.of("m3.x1", "a\nb")),
        message("assistant", ThinkingPart.of("Two files.")),
        message("assistant", "Two."),
    )
    assert text == (
        "---\nagents:\n  assistant: {}\n---\n\n"
        '# %% [^m1]\n\n[^m1]: [markdown] role="system"\n\nBe brief.\n\n'
        "# %% [^m2]\n\n[^m2]: [markdown]\n\nWhat is here?\n\n"
        "# %%% [^m3]\n\n[^m3]: [assistant]\n\nI look.\n\n"
        '# %%% [^m3.x1]\n\n[^m3.x1]: [tool] name="ls"\n\n<ls>\n  <path>.</path>\n</ls>\n\n'
        '# %%% [^m3.x1.1]\n\n[^m3.x1.1]: [tool] status="success"\n\na\nb\n\n'
        "# %%% [^m4]\n\n[^m4]: [assistant] reasoning=1\n\nTwo files.\n\n"
        "# %%% [^m5]\n\n[^m5]: [assistant]\n\nTwo.\n"
    )


def test_no_messages_give_an_empty_text() -> None:
    assert rendered() == ""


def test_ids_and_titles_come_from_the_meta() -> None:
    text = rendered(
        message("user", "a", meta={"id": "m2", "title": "First", "depth": 2}),
        message("user", "b"),
        message("user", "c"),
    )
    headers = [line for line in text.split("\n") if line.startswith("#")]
    assert headers == ["## %% First[^m2]", "# %% [^m1]", "# %% [^m3]"]


def test_runs_times_and_other_meta_become_attributes() -> None:
    given = Message(
        run_id="r 1",
        role="user",
        parts=(TextPart.of("a"),),
        timestamp="2025-01-01T00:00:00Z",
        meta={"usage": {"n": 1}, "name": "x\ny"},
    )
    text = rendered(given)
    [again] = read(opened(text)).messages
    assert (again.run_id, again.timestamp) == (given.run_id, given.timestamp)
    assert again.meta is not None
    assert again.meta["usage"] == {"n": 1}
    assert again.meta["name"] == "x\ny"


def test_an_execution_output() -> None:
    image = ImagePart.of("image/png", data="aGVsbG8=")
    meta = {"executionOf": "c", "n": 1, "type": "python", "status": "success"}
    text = rendered(message("user", image, meta=meta))
    definition = '[^c.1]: [python] status="success" mime_type="image/png"'
    assert text == f"# %%% [^c.1]\n\n{definition}\n\naGVsbG8=\n"


def test_a_code_cell_has_its_reasoning_before_the_block() -> None:
    meta = {"type": "code", "reasoning": "Why."}
    text = rendered(message("user", "```py\nx\n```", meta=meta))
    assert text.endswith("[code]\n\nWhy.\n\n```py\nx\n```\n")


def test_reasoning_with_a_block_of_its_own_follows_the_code() -> None:
    meta = {"type": "code", "reasoning": "Why.\n\n```\ny\n```"}
    text = rendered(message("user", "```py\nx\n```", meta=meta))
    assert text.endswith("[code]\n\n```py\nx\n```\n\nWhy.\n\n```\ny\n```\n")


# -- content


@pytest.mark.parametrize(
    ("content", "written"),
    [
        ("# %% x", "\\# %% x"),
        ("## %%%", "\\## %%%"),
        ("###### %% x", "\\###### %% x"),
        ("# %%x", "\\# %%x"),
        ("\\# %% x", "\\\\# %% x"),
        ("a\r# %% x\r\n# %% y", "a\r\\# %% x\r\n\\# %% y"),
        ("[^m1]: [raw]", "\\[^m1]: [raw]"),
        ("[^m1]: prose", "\\[^m1]: prose"),
        ("  [^m1]: prose", "  \\[^m1]: prose"),
        ("[^zz]: [raw] a=1", "\\[^zz]: [raw] a=1"),
        ("[^zz]: prose", "[^zz]: prose"),
        ("[^zz]: [Title](https://x)", "[^zz]: [Title](https://x)"),
        ("\\[^zz]: prose", "\\\\[^zz]: prose"),
        ("\\[^m1\\]: [raw]", "\\[^m1\\]: [raw]"),
        ("```\n# %% x\n[^m1]: [raw]\n```", "```\n# %% x\n[^m1]: [raw]\n```"),
        ("```\nx\n```\n# %% y", "```\nx\n```\n\\# %% y"),
        ("- ```\n# %% y", "- ```\n\\# %% y"),
        ("  # %% x", "<!-- msgls: ignore MSG106 -->\n\n  # %% x"),
        ("# heading", "# heading"),
        ("---\na: 1\n---", "---\na: 1\n---"),
        ("\ufeff# %% x", "<!-- msgls: ignore MSG106 -->\n\n\ufeff# %% x"),
        ("a\u2028# %% b\x85# %% c\x0c# %% d", "a\u2028# %% b\x85# %% c\x0c# %% d"),
        ("a\rb", "a\rb"),
        ("\ud800", "\ud800"),
        ("```\nopen", "```\nopen"),
    ],
)
def test_content_is_escaped_where_it_must_be_and_only_there(content: str, written: str) -> None:
    text = rendered(message("user", content))
    assert text == f"# %% [^m1]\n\n[^m1]: [markdown]\n\n{written}\n"
    assert parts_again(text) == [[TextPart.of(content).to_wire()]]


def test_a_definition_of_another_cell_is_escaped() -> None:
    text = rendered(message("user", "[^m2]: note"), message("user", "[^m1]: note"))
    assert "\n\\[^m2]: note\n" in text
    assert "\n\\[^m1]: note\n" in text


@pytest.mark.parametrize("content", ["\na", "a\n", "a\n\n", " \na", "a\r", "", "\n", " "])
def test_blank_lines_around_a_text_are_a_loss(content: str) -> None:
    what = "the blanks or line ends of a text change"
    if not content.strip():
        what = "blank text was left out"
    assert losses(message("user", "fine"), message("user", content)) == [(1, what)]


@pytest.mark.parametrize("fence", ["```", "~~~~"])
def test_an_open_fence_is_closed_before_another_cell(fence: str) -> None:
    first, second = message("user", f"{fence}py\nx"), message("user", "y")
    text, after = write(conversation(first, second))
    assert [loss.message_index for loss in after] == [0]
    assert parts_again(text)[1] == [TextPart.of("y").to_wire()]
    assert f"x\n{fence}\n\n# %%" in text


def test_an_open_fence_in_a_list_ends_with_its_cell() -> None:
    rendered(message("user", "- ```\n  x"), message("user", "y"))


# -- ids, titles, agents, attributes


@pytest.mark.parametrize(
    "cell_id", ["a.b.c", "b c", "é", "a^b", "", "a..b", "\u2028", "d\\", "x`y", "m1"]
)
def test_an_id_that_a_header_can_hold_is_kept(cell_id: str) -> None:
    text = rendered(message("user", "x", meta={"id": cell_id}), message("user", "y"))
    assert f"[^{cell_id}]: [markdown]" in text


@pytest.mark.parametrize(
    ("cell_id", "told"),
    [("a]", "a]"), ("a[b", "a[b"), ("a\nb", '"a\\nb"'), (5, "5"), (["a"], '["a"]')],
)
def test_an_id_that_no_header_can_hold_is_replaced(cell_id: object, told: str) -> None:
    assert losses(message("user", "x", meta={"id": cell_id})) == [
        (0, f"the id `{told}` is not allowed in a header")
    ]


@pytest.mark.parametrize(
    "title", ["a [^b]", "`a`", "a\\", "[x](y)", "%%", "[^a] b", "a `", "# %% b", "\u2028x"]
)
def test_a_title_is_kept(title: str) -> None:
    text = rendered(message("user", "x", meta={"title": title}))
    [again] = read(opened(text)).messages
    assert again.meta is not None
    assert (again.meta["title"], again.meta["id"]) == (title, "m1")


@pytest.mark.parametrize("title", ["a\nb", " a", "a\t", 5])
def test_a_title_that_no_header_can_hold_is_a_loss(title: object) -> None:
    assert losses(message("user", "x", meta={"title": title})) == [
        (0, "this format cannot hold titles")
    ]


@pytest.mark.parametrize("name", ["bot", "gpt 4", "python", "é", "null", "a: b", "a#b", "x'y"])
def test_an_agent_is_registered_and_answers(name: str) -> None:
    text = rendered(message("assistant", "x", meta={"agent": name}))
    frontmatter = frontmatter_of(opened(text))
    assert frontmatter is not None
    assert [agent.name for agent in frontmatter.agents] == [name]
    assert frontmatter.problems == ()


@pytest.mark.parametrize("name", ["a]b", "[a", "a=b", 'a"b', "a\nb", "", 5, "tool"])
def test_an_agent_that_no_definition_can_name_becomes_the_default(name: object) -> None:
    text, after = write(conversation(message("assistant", "x", meta={"agent": name})))
    assert [loss.message_index for loss in after] == [0]
    assert f": [{DEFAULT_AGENT}]" in text


def test_an_agent_with_the_name_of_a_language_and_a_dotted_id_still_answers() -> None:
    meta = {"agent": "python", "title": "t"}
    text = rendered(message("assistant", "x", meta=meta))
    dotted = text.replace("m1", "a.1")
    assert read(opened(dotted)).messages[0].role == "assistant"


@pytest.mark.parametrize(
    "value", ['"', "'", "\\", '\\"', "a b", "=", "]", "", "\u2028", "#", "1", "x\\\\"]
)
def test_the_value_of_an_attribute_is_kept(value: str) -> None:
    text = rendered(message("user", "x", meta={"attributes": {"k": value}}))
    [again] = read(opened(text)).messages
    assert again.meta is not None
    assert again.meta["attributes"] == {"k": value}


@pytest.mark.parametrize("attributes", [{"k": "a\nb"}, {"a b": "x"}, {"k": 1}, "text", {"": "x"}])
def test_attributes_that_no_definition_can_hold_are_a_loss(attributes: object) -> None:
    [(index, what)] = losses(message("user", "x", meta={"attributes": attributes}))
    assert index == 0
    assert what.startswith("this format cannot hold `")


@pytest.mark.parametrize(
    ("kind", "attributes", "line"),
    [
        ("raw", {}, "[^1]: [raw]"),
        ("raw", {"a": "1", "b": "x y"}, '[^1]: [raw] a=1 b="x y"'),
        ("raw", {"a": 'x"\\'}, '[^1]: [raw] a="x\\"\\\\"'),
        ("raw", {"a": "x\r\n\ny"}, '[^1]: [raw] a="x y"'),
    ],
)
def test_a_definition_line(kind: str, attributes: dict[str, str], line: str) -> None:
    assert definition_line("1", kind, attributes) == line


# -- tools


@pytest.mark.parametrize("name", ["no name", "1st", "a<b", ""])
def test_a_tool_whose_name_is_not_an_xml_name_is_any_call(name: str) -> None:
    call = ToolCallPart.of("m1.x", name, {"q": 'a "b"'})
    text, after = write(conversation(message("assistant", call)))
    assert after == ()
    assert "<call>" in text
    assert parts_again(text)[0][0] == call.to_wire()


@pytest.mark.parametrize(
    "arguments",
    [
        {"n": 1},
        {"a": None},
        {"a": []},
        {"a b": "<x>"},
        {"a": ["x"]},
        {"a": "\0"},
        {"#text": '{"a": 1}'},
        {"a": {"b": [1.5, True, {"c": "]]>&"}]}},
    ],
)
def test_arguments_that_no_elements_say_are_json_in_the_root(arguments: dict[str, Any]) -> None:
    call = ToolCallPart.of("m1.x", "t", arguments)
    text, after = write(conversation(message("assistant", call)))
    assert after == ()
    assert "<t>\n{" in text
    assert parts_again(text)[0][0]["payload"] == call.payload.to_wire()


@pytest.mark.parametrize(
    "raw",
    ["text", "# %% x", "```", "```xml\n<t/>\n```", "<t>\n```\nx", "[^m1]: [raw]", "~~~\n````"],
)
def test_the_text_of_a_call_is_kept(raw: str) -> None:
    call = ToolCallPart.of("m1.x", "t", raw_args_text=raw)
    text = rendered(message("assistant", "x", call), message("user", "y"))
    assert parts_again(text)[0][1] == call.to_wire()


def test_a_text_that_does_not_say_the_arguments_gives_way_to_them() -> None:
    call = ToolCallPart.of("m1.x", "t", {"q": "new"}, raw_args_text="<t><q>old</q></t>")
    text, after = write(conversation(message("assistant", call)))
    assert [loss.message_index for loss in after] == [0]
    assert parts_again(text)[0][0]["payload"]["arguments"] == {"q": "new"}


def test_calls_of_other_makers_get_ids_of_their_answer_and_results_follow() -> None:
    text, after = write(
        conversation(
            message(
                "assistant", ToolCallPart.of("call_1", "t", {}), ToolCallPart.of("call 1", "t", {})
            ),
            message("tool", ToolResultPart.of("call 1", "b", is_error=True)),
            message("tool", ToolResultPart.of("call_1", "a")),
            message("tool", ToolResultPart.of("lost", "c")),
        )
    )
    assert [loss.message_index for loss in after] == [0, 0, 3]
    payloads = [part["payload"] for parts in parts_again(text) for part in parts]
    assert [payload["toolCallId"] for payload in payloads] == [
        "m1.call_1",
        "m1.call-1",
        "m1.call-1",
        "m1.call_1",
        "m2.lost",
    ]
    assert [payload.get("isError") for payload in payloads[2:]] == [True, False, False]


def test_an_answer_without_an_id_takes_that_of_its_calls() -> None:
    text = rendered(message("assistant", ToolCallPart.of("a.x", "t", {})))
    assert "# %%% [^a]\n" in text


def test_several_results_become_numbered_cells() -> None:
    result = ToolResultPart.of("a.x", [TextPart.of("one"), TextPart.of("")], is_error=True)
    text = rendered(message("tool", result))
    assert "# %%% [^a.x.1]" in text
    assert "# %%% [^a.x.2]" in text
    assert parts_again(text) == [[result.to_wire()]]


@pytest.mark.parametrize(
    ("given", "what"),
    [
        (message("user", "a", "b"), "separate texts are joined"),
        (message("user", FileRefPart.of("a.txt")), "the file `a.txt` becomes a link in the text"),
        (message("user", ImagePart.of("image/png", url="u")), "the type of an image is not kept"),
        (message("user", ThinkingPart.of("a")), "reasoning becomes part of the text"),
        (message("assistant", ThinkingPart.of("a"), "b"), "the answer becomes 2 cells"),
        (
            message("assistant", ToolCallPart.of("m2.x", "t", {}), "b"),
            "text after a tool call is moved before it",
        ),
        (message("tool", "a"), "a text becomes a message cell"),
        (message("tool"), "a tool message without a result becomes a message cell"),
        (
            message("tool", ToolResultPart.of("lost", "x")),
            "the result of `lost` becomes one of `m2.lost`",
        ),
        (
            message("tool", ToolResultPart.of("a.x", {"k": 1})),
            "a tool result that is an object becomes JSON text",
        ),
        (
            message("tool", ToolResultPart.of("a.x", [TextPart.of("x")])),
            "the result of `a.x`, a list, becomes text",
        ),
        (
            message("tool", ToolResultPart.of("a.x", [])),
            "the result of `a.x`, a list, becomes text",
        ),
        (
            message("tool", ToolResultPart.of("a.x", "1"), ToolResultPart.of("a.y", "2")),
            "the message becomes 2 messages",
        ),
        (message("user", "x", meta={"agent": "bot"}), "this format cannot hold names of agents"),
        (
            message("user", "x", meta={"k": float("nan")}),
            "its metadata is not JSON, or nested too deeply",
        ),
        (
            Message.from_wire(
                {"runId": "", "role": "user", "parts": [], "timestamp": EPOCH, "unknown": 1}
            ),
            "this format cannot hold `unknown`",
        ),
        (
            Message(run_id="a\nb", role="user", parts=(), timestamp=EPOCH),
            "this format cannot hold ids of runs",
        ),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else "",
)
def test_what_is_lost_is_named_with_its_message(given: Message, what: str) -> None:
    assert losses(message("user", "before"), given) == [(1, what)]


def test_meta_that_is_nested_without_end_is_a_loss() -> None:
    deep: list[Any] = []
    for _ in range(5_000):
        deep = [deep]
    given = message("user", "x", meta={"k": deep}).model_copy(update={"run_id": "r"})
    _, after = write(Conversation((given,), ((),)))
    assert [loss.message_index for loss in after] == [0]


# -- the file


def test_the_file_is_carried_by_any_message() -> None:
    file = {"frontmatter": "---\na: 1\n---", "preamble": "intro"}
    text = rendered(message("user", "x"), message("user", "y", meta={"file": file}))
    assert text.startswith("---\na: 1\n---\n\nintro\n\n# %% [^m1]\n")


@pytest.mark.parametrize("preamble", ["---\na: 1\n---", "---", "\ufefftext", "\ufeff# %% x"])
def test_a_preamble_is_not_taken_for_a_start(preamble: str) -> None:
    text = rendered(message("user", "x", meta={"file": {"preamble": preamble}}))
    assert text.startswith("\n" + preamble)


@pytest.mark.parametrize(
    ("frontmatter", "expected"),
    [
        ("---\na: 1\n---", "---\na: 1\nagents:\n  assistant: {}\n---"),
        ("---\n---", "---\nagents:\n  assistant: {}\n---"),
        (
            "---\nagents:\n    bot: # ours\n        models: [x]\na: 1\n---",
            "---\nagents:\n    bot: # ours\n        models: [x]\n    assistant: {}\na: 1\n---",
        ),
        ("---\nagents:\n  assistant: {}\n---", "---\nagents:\n  assistant: {}\n---"),
        (
            "---\nagents:\n  b: {models: [assistant]}\n---",
            "---\nagents:\n  b: {models: [assistant]}\n---",
        ),
        ("---\nagents: {bot: {}}\n---", "---\nagents: {bot: {}, assistant: {}}\n---"),
        # Where it cannot be done, nothing is done.
        ("---\n: [\n---", "---\n: [\n---"),
    ],
)
def test_the_default_agent_is_registered_in_a_frontmatter_that_is_there(
    frontmatter: str, expected: str
) -> None:
    file = {"frontmatter": frontmatter}
    text = rendered(message("assistant", "x", meta={"file": file}))
    assert text.startswith(expected + "\n\n# %%%")


# -- into a document

DOCUMENT = (
    "\ufeff---\nagents:\n  bot: {}\n---\n\nintro\n\n"
    "##  %%   One  [^1]  \n[^1]:   [markdown]   k='v'\nfirst\n\n\n"
    "# %%% [^2]\n\nsecond\n"
    "# %%% [^2.x]\n\n[^2.x]: [tool] name=t\n```xml\n<t/>\n```\n"
    "# %% [^3]\n\nthird\n\n[^2]: [bot]\n[^3]: [raw]"
)


def changed(text: str, *messages: Message, path: str = "a.msg.md") -> tuple[str, list[int | None]]:
    made = Conversation(messages, tuple(() for _ in messages))
    new_text, after = write(made, opened(text, path))
    return new_text, [loss.message_index for loss in after]


def edited(given: Message, text: str) -> Message:
    rest = [part for part in given.parts if isinstance(part, ToolCallPart)]
    return given.model_copy(update={"parts": (TextPart.of(text), *rest)})


def new(role: Role, text: str) -> Message:
    return message(role, text).model_copy(update={"run_id": "r"})


def test_an_edited_message_leaves_the_others_as_they_are() -> None:
    first, second, third = read(opened(DOCUMENT)).messages
    assert changed(DOCUMENT, edited(first, "FIRST"), second, third) == (
        DOCUMENT.replace(
            "##  %%   One  [^1]  \n[^1]:   [markdown]   k='v'\nfirst\n\n\n",
            '## %% One[^1]\n\n[^1]: [markdown] k="v"\n\nFIRST\n\n',
        ),
        [],
    )


def test_a_definition_goes_home_with_the_message_that_is_edited() -> None:
    first, second, third = read(opened(DOCUMENT)).messages
    text, lost = changed(DOCUMENT, first, edited(second, "SECOND"), third)
    assert lost == []
    assert text == DOCUMENT.replace(
        "# %%% [^2]\n\nsecond\n# %%% [^2.x]\n\n[^2.x]: [tool] name=t\n```xml\n<t/>\n```\n",
        "# %%% [^2]\n\n[^2]: [bot]\n\nSECOND\n\n"
        '# %%% [^2.x]\n\n[^2.x]: [tool] name="t"\n\n```xml\n<t/>\n```\n\n',
    ).replace("\n[^2]: [bot]\n[^3]", "\n[^3]")


def test_a_removed_message_takes_its_definition_along_and_leaves_that_of_others() -> None:
    first, second, third = read(opened(DOCUMENT)).messages
    text, lost = changed(DOCUMENT, first, third)
    assert lost == []
    assert "[^2" not in text
    text, lost = changed(DOCUMENT, first, second)
    assert lost == []
    assert text.endswith(
        "# %%% [^2]\n\n[^2]: [bot]\n\nsecond\n"
        "# %%% [^2.x]\n\n[^2.x]: [tool] name=t\n```xml\n<t/>\n```\n"
    )


def test_the_head_stays_when_the_first_message_goes() -> None:
    _, second, third = read(opened(DOCUMENT)).messages
    text, lost = changed(DOCUMENT, second, third)
    assert lost == []
    assert text.startswith("\ufeff---\nagents:\n  bot: {}\n---\n\nintro\n\n# %%% [^2]\n")


@pytest.mark.parametrize("number", [0, 1, 2, 3])
def test_an_added_message_stands_in_its_place(number: int) -> None:
    old = read(opened(DOCUMENT))
    messages = list(old.messages)
    messages.insert(number, new("user", "added"))
    text, lost = changed(DOCUMENT, *messages)
    assert lost == []
    cell = '# %% [^m1]\n\n[^m1]: [markdown] run="r"\n\nadded\n'
    before, after = text.split(cell)
    assert [before.count("\n# %% [^3]"), after.count("\n# %% [^3]")] == [number > 2, number < 3]
    assert DOCUMENT.startswith(before.rstrip("\n"))
    assert DOCUMENT.endswith(after.lstrip("\n"))
    assert len(before.rstrip("\n")) + len(after.lstrip("\n")) >= len(DOCUMENT.replace("\n", ""))
    for spans in old.sources:
        assert all(span.of(DOCUMENT) in text for span in spans)


def test_two_changes_far_apart_leave_what_is_between_them() -> None:
    first, second, third = read(opened(DOCUMENT)).messages
    text, lost = changed(DOCUMENT, edited(first, "FIRST"), second, edited(third, "THIRD"))
    assert lost == []
    assert "\nsecond\n# %%% [^2.x]\n\n[^2.x]: [tool] name=t\n```xml" in text


@pytest.mark.parametrize("break_", ["\n", "\r\n", "\r"])
def test_an_added_message_has_the_line_breaks_of_the_file(break_: str) -> None:
    text = break_.join(["# %% [^1]", "", "a", ""])
    [first] = read(opened(text)).messages
    expected = [
        "# %% [^1]",
        "",
        "a",
        "",
        "# %% [^m1]",
        "",
        '[^m1]: [markdown] run="r"',
        "",
        "b",
        "",
    ]
    assert changed(text, first, new("user", "b")) == (break_.join(expected), [])


def test_an_answer_that_is_added_registers_its_agent() -> None:
    [*messages] = read(opened(DOCUMENT)).messages
    text, lost = changed(DOCUMENT, *messages, new("assistant", "added"))
    assert lost == []
    assert text.startswith("\ufeff---\nagents:\n  bot: {}\n  assistant: {}\n---\n\nintro\n")


def test_an_open_fence_at_the_end_is_closed_before_a_message_is_added() -> None:
    text = "# %% [^1]\n\n[^1]: [raw]\n\n```py\ncut off"
    [first] = read(opened(text)).messages
    new_text, lost = changed(text, first, new("user", "b"))
    assert lost == [0]
    assert new_text.startswith(text + "\n```\n\n# %% [^m1]\n")


def test_ids_of_the_document_are_not_given_again() -> None:
    text = "# %% [^m1]\n\na\n\n[^m2]: [raw] orphan=1\n"
    [first] = read(opened(text)).messages
    new_text, lost = changed(text, first, new("user", "b"))
    assert lost == []
    assert "[^m3]: [markdown]" in new_text


SECTION = "---\nmessage_section: true\n---\n\n# Discussion\n\n"


def test_a_message_is_added_after_all_that_the_section_holds() -> None:
    text = SECTION + "# %% [^1]\n\na\n\n# Notes\n\nmore\n"
    [first] = read(opened(text, "a.md")).messages
    cell = '\n# %% [^m1]\n\n[^m1]: [markdown] run="r"\n\nb\n'
    assert changed(text, first, new("user", "b"), path="a.md") == (text + cell, [])


def test_a_section_that_is_missing_is_made() -> None:
    text = "---\nmessage_section: Talk\n---\n\nintro\n"
    new_text, lost = changed(text, new("user", "b"), path="a.md")
    assert lost == []
    assert "\nintro\n\n# Talk\n\n# %% [^m1]\n" in new_text


def test_a_heading_does_not_end_the_section() -> None:
    text = SECTION + "# %% [^1]\n\na\n"
    [first] = read(opened(text, "a.md")).messages
    assert changed(text, first, new("user", "b\n\n# End\n\nc"), path="a.md")[1] == []


@pytest.mark.parametrize(
    "text",
    [
        # What nothing defines stays so: a definition of the message would be the answer's too.
        "# %% [^1]\n\nx\n\n# %%% [^1]\n\ny\n",
        "# %% [^a[b]]\n\nx\n",
        "# %% [^a]b]\n\nx\n",
    ],
)
def test_a_cell_without_a_definition_is_written_without_one(text: str) -> None:
    conversation = read(opened(text))
    written, made = write(conversation)
    assert written == text
    assert not made


def test_a_message_without_a_definition_is_the_same_with_one() -> None:
    bare, defined = (read(opened(f"# %% [^1]\n\n{line}x\n")) for line in ("", "[^1]: [markdown]\n"))
    assert bare.messages == defined.messages


def test_an_unknown_key_that_is_null_is_a_loss() -> None:
    wire = {**message("user", "x").to_wire(), "other": None}
    [(index, what)] = losses(Message.model_validate(wire))
    assert (index, what) == (0, "this format cannot hold `other`")
