"""What each cell of a message file becomes."""

import random
import sys
from itertools import pairwise
from types import FrameType
from typing import Any

import pytest

from msgls.conversation.conversation import EPOCH, Conversation
from msgls.conversation.readers.msgmd import read
from msgls.document.document import Document
from msgls.formats.msgmd import MSGMD, SECTIONED_MSGMD
from msgls.text.spans import Edit, Span

Wire = dict[str, Any]


def conversation_of(text: str, path: str = "a.msg.md") -> Conversation:
    return read(Document.open(path, text, MSGMD if path.endswith(".msg.md") else SECTIONED_MSGMD))


def wires(text: str, path: str = "a.msg.md") -> list[Wire]:
    """The messages without what is the same for all of them."""
    found = [message.to_wire() for message in conversation_of(text, path).messages]
    for wire in found:
        del wire["runId"], wire["timestamp"]
    return found


def one(text: str) -> Wire:
    [wire] = wires(text)
    return wire


def text_of(wire: Wire) -> str:
    [part] = wire["parts"]
    assert part["kind"] in ("text", "thinking")
    text = part["payload"]["text"]
    assert isinstance(text, str)
    return text


# -- content


@pytest.mark.parametrize(
    ("body", "content"),
    [
        pytest.param("[^1]: [markdown]\n\nHello\n", "Hello", id="definition-at-home"),
        pytest.param("Hello\n\n[^1]: [markdown]\n", "Hello", id="definition-at-the-end"),
        pytest.param("a\n[^1]: [markdown]\nb\n", "a\nb", id="definition-in-the-middle"),
        pytest.param("a\n  [^1]: [raw] x=1\nb\n", "a\nb", id="definition-indented"),
        pytest.param("a\r\n[^1]: [raw]\r\nb\r\n", "a\r\nb", id="definition-with-crlf"),
        pytest.param("a\r[^1]: [raw]\rb\r", "a\rb", id="definition-with-cr"),
        pytest.param("a\n[^2]: [markdown]\nb", "a\n[^2]: [markdown]\nb", id="orphan-definition"),
        pytest.param(
            "[^1]: [markdown]\na\n[^1]: [raw]", "a\n[^1]: [raw]", id="second-definition-is-content"
        ),
        pytest.param("[^1]: a footnote", "[^1]: a footnote", id="footnote-of-prose"),
        pytest.param("```\n[^1]: [raw]\n```", "```\n[^1]: [raw]\n```", id="definition-in-a-fence"),
        pytest.param("\n \n\t\n a \n\n \n", " a ", id="blank-lines-around"),
        pytest.param("\r\n\r\na\r\nb\r\n\r\n", "a\r\nb", id="crlf-inside-is-kept"),
        pytest.param("\u2028\n\na\n\x85\n", "\u2028\n\na\n\x85", id="other-breaks-are-no-blanks"),
        pytest.param("stdout> a\nstderr> b", "stdout> a\nstderr> b", id="streams-stay"),
        pytest.param("\\# %% a", "# %% a", id="escaped-marker"),
        pytest.param("\\####### %%% a", "####### %%% a", id="escaped-marker-any-depth"),
        pytest.param("\\\\# %% a", "\\# %% a", id="one-backslash-of-two"),
        pytest.param("\\[^1]: [raw]", "[^1]: [raw]", id="escaped-definition"),
        pytest.param("  \\[^x]: y", "  [^x]: y", id="escaped-definition-indented"),
        pytest.param(
            "a\r\\# %% b\r\n\\# %% c", "a\r# %% b\r\n# %% c", id="escapes-after-any-break"
        ),
        pytest.param("a \\# %% b", "a \\# %% b", id="no-escape-inside-a-line"),
        pytest.param("\\# heading", "\\# heading", id="no-escape-of-other-headings"),
        pytest.param("\\[^1\\]: [raw]", "\\[^1\\]: [raw]", id="damage-is-no-escape"),
        pytest.param("```\n\\# %% a\n```", "```\n\\# %% a\n```", id="no-escape-in-a-fence"),
        pytest.param("```\na\n```\n\\# %% b", "```\na\n```\n# %% b", id="escape-after-a-fence"),
        pytest.param("```\nopen\n\\# %% b", "```\nopen\n\\# %% b", id="open-fence"),
        pytest.param("## Plan\n\na", "## Plan\n\na", id="heading-is-content"),
    ],
)
def test_content(body: str, content: str) -> None:
    wire = one(f"# %% [^1]\n{body}")
    assert (wire["role"], text_of(wire)) == ("user", content)


@pytest.mark.parametrize("break_", ["\n", "\r\n", "\r"])
def test_definitions_at_the_end_of_the_file_are_honoured_and_no_content(break_: str) -> None:
    lines = ["# %% [^1]", "a", "# %%% [^2]", "b", "[^1]: [raw] x=1", "[^2]: [bot]", "[^9]: [bot]"]
    first, second = wires(break_.join(lines))
    assert text_of(first) == "a"
    assert (first["meta"]["type"], first["meta"]["attributes"]) == ("raw", {"x": "1"})
    assert text_of(second) == f"b{break_}[^9]: [bot]"
    assert second["meta"]["agent"] == "bot"


def test_a_definition_in_the_preamble_is_honoured_and_no_preamble() -> None:
    wire = one("intro\n\n[^1]: [raw]\n\n# %% [^1]\n\na\n")
    assert wire["meta"] == {"id": "1", "type": "raw", "file": {"preamble": "intro"}}


def test_an_empty_cell_has_no_part() -> None:
    assert one("# %% [^1]\n\n[^1]: [markdown]\n\n \n")["parts"] == []


# -- roles, types and meta


@pytest.mark.parametrize(
    ("header", "definition", "role", "meta"),
    [
        ("# %% [^1]", "[^1]: [markdown]", "user", {"id": "1", "type": "markdown"}),
        ("# %%", "", "user", {"id": None, "type": "markdown", "definition": False}),
        ("# %% [^1]", "", "user", {"id": "1", "type": "markdown"}),
        (
            "### %% A *title* `x`[^1]",
            "[^1]: [raw] a=1 b='x y' a=2",
            "user",
            {
                "id": "1",
                "title": "A *title* `x`",
                "depth": 3,
                "type": "raw",
                "attributes": {"a": "2", "b": "x y"},
            },
        ),
        (
            "# %% [^1]",
            "[^1]: [markdown] role=system",
            "system",
            {"id": "1", "type": "markdown", "attributes": {"role": "system"}},
        ),
        (
            "# %% [^1]",
            "[^1]: [markdown] role=user",
            "user",
            {"id": "1", "type": "markdown", "attributes": {"role": "user"}},
        ),
        ("# %% [^a.b.c]", "[^a.b.c]: [odd]", "user", {"id": "a.b.c", "type": "odd"}),
        ("# %%% [^1]", "[^1]: [bot]", "assistant", {"id": "1", "agent": "bot"}),
        ("# %%% [^1]", "", "assistant", {"id": "1", "definition": False}),
        ("# %%%", "", "assistant", {"id": None, "definition": False}),
        (
            "# %%% [^1]",
            '[^1]: [bot] time="2025-05-30T00:00:00+08:00" history=none',
            "assistant",
            {
                "id": "1",
                "agent": "bot",
                "time": "2025-05-30T00:00:00+08:00",
                "attributes": {"time": "2025-05-30T00:00:00+08:00"},
                "history": "none",
            },
        ),
        # A language answers only where the id has two segments.
        ("# %%% [^1]", "[^1]: [python]", "assistant", {"id": "1", "agent": "python"}),
        ("# %%% [^a.b]", "[^a.b]: [bot]", "assistant", {"id": "a.b", "agent": "bot"}),
    ],
)
def test_role_and_meta(header: str, definition: str, role: str, meta: Wire) -> None:
    wire = one(f"{header}\n\n{definition}\n\ntext\n")
    assert (wire["role"], text_of(wire), wire["meta"]) == (role, "text", meta)


@pytest.mark.parametrize(
    ("attribute", "kind"),
    [
        ("reasoning=1", "thinking"),
        ("reasoning=true", "thinking"),
        ('reasoning="1"', "thinking"),
        ("reasoning=0", "text"),
        ("reasoning=false", "text"),
        ("reasoning=yes", "text"),
    ],
)
def test_an_answer_is_text_or_thinking(attribute: str, kind: str) -> None:
    wire = one(f"# %%% [^1]\n\n[^1]: [bot] {attribute}\n\na\n")
    assert wire["parts"] == [{"kind": kind, "payload": {"text": "a"}}]


def test_two_cells_with_one_id_are_two_messages() -> None:
    first, second = wires("# %% [^1]\n[^1]: [raw] a=1\nx\n# %% [^1]\ny\n")
    assert [text_of(first), text_of(second)] == ["x", "y"]
    assert first["meta"]["attributes"] == second["meta"]["attributes"] == {"a": "1"}


def test_the_meta_attribute_adds_to_the_meta() -> None:
    wire = one('# %% [^1]\n\n[^1]: [raw] meta="{\\"k\\": [1, null]}" a=1\n\nx\n')
    assert wire["meta"] == {"id": "1", "type": "raw", "attributes": {"a": "1"}, "k": [1, None]}


@pytest.mark.parametrize(
    "value",
    [
        "{",
        "[1]",
        "text",
        '{"id": "other"}',
        '{"executionOf": "c"}',
        '{"k": NaN}',
        '{"k": 1e999}',
        '{"k": ' + "[" * 150 + "]" * 150 + "}",
        '{"k": ' + "[" * 100_000 + "]" * 100_000 + "}",
        '{"k": ' + "1" * 5_000 + "}",
    ],
    ids=lambda value: value[:20],
)
def test_a_meta_attribute_of_another_sort_is_an_attribute(value: str) -> None:
    quoted = value.replace('"', '\\"')
    wire = one(f'# %% [^1]\n\n[^1]: [raw] meta="{quoted}"\n\nx\n')
    assert wire["meta"] == {"id": "1", "type": "raw", "attributes": {"meta": value}}


def test_what_a_definition_line_says_beside_attributes_is_a_loss() -> None:
    text = "# %%\n\n# %% [^1]\n\n[^1]: [raw] junk a=1 a=2\n\nx\n"
    assert [(loss.what, loss.line) for loss in conversation_of(text).losses] == [
        ("`junk` on the definition line is not kept", 2),
        ("only the last of two attributes `a` is kept", 2),
    ]


# -- code


@pytest.mark.parametrize(
    ("body", "text", "language", "reasoning"),
    [
        ("```py\nx\n```", "```py\nx\n```", "py", None),
        ("why\n\n```py\nx\n```\n\nso\n", "```py\nx\n```", "py", "why\n\nso"),
        ("```py title=a\nx\n```\n~~~\ny\n~~~", "```py title=a\nx\n```", "py", "~~~\ny\n~~~"),
        ("```\nx\n```", "```\nx\n```", None, None),
        ("why\n\n````py\r\n```\r\nx\r\n````\r\n", "````py\r\n```\r\nx\r\n````", "py", "why"),
        ("```py\nopen\n\n", "```py\nopen", "py", None),
        ("no block", "no block", None, None),
        ("\\# %% why\n\n```\n\\# %% x\n```", "```\n\\# %% x\n```", None, "# %% why"),
    ],
)
def test_a_code_cell(body: str, text: str, language: str | None, reasoning: str | None) -> None:
    wire = one(f"# %% [^c]\n\n[^c]: [code]\n\n{body}")
    expected = {"id": "c", "type": "code"}
    expected |= {} if language is None else {"language": language}
    expected |= {} if reasoning is None else {"reasoning": reasoning}
    assert (wire["role"], text_of(wire), wire["meta"]) == ("user", text, expected)


# -- tool calls

ANSWER = "# %%% [^a]\n\n[^a]: [bot]\n\nI look.\n\n"


def call(body: str, definition: str = '[^a.x]: [tool] name="t"') -> str:
    return f"# %%% [^a.x]\n\n{definition}\n\n{body}\n\n"


def call_of(wire: Wire) -> Wire:
    payload = wire["parts"][-1]["payload"]
    assert isinstance(payload, dict)
    return payload


def test_a_call_is_appended_to_its_answer() -> None:
    text = ANSWER + "# %% [^u]\n\n[^u]: [markdown]\n\nwait\n\n" + call("<t><q>x</q></t>")
    answer, user = wires(text)
    assert answer == {
        "role": "assistant",
        "parts": [
            {"kind": "text", "payload": {"text": "I look."}},
            {
                "kind": "tool_call",
                "payload": {"toolCallId": "a.x", "toolName": "t", "arguments": {"q": "x"}},
            },
        ],
        "meta": {"id": "a", "agent": "bot"},
    }
    assert text_of(user) == "wait"


@pytest.mark.parametrize(
    ("body", "arguments", "raw", "fence"),
    [
        ("<t><q>x</q></t>", {"q": "x"}, None, None),
        ("<t>\n  <q>x</q>\n</t>", {"q": "x"}, None, None),
        ("```xml\n<t><q>x</q></t>\n```", {"q": "x"}, None, "```xml"),
        ("  ~~~~ ~odd\n\n<t/>\n\n~~~~~  ", {}, None, "~~~~ ~odd"),
        ("<t><q>\n\\# %% x\n</q></t>", {"q": "\n# %% x\n"}, None, None),
        ("<t><!-- c --><q>x</q></t>", {"q": "x"}, "<t><!-- c --><q>x</q></t>", None),
        ("<other><q>x</q></other>", {"q": "x"}, "<other><q>x</q></other>", None),
        ("<t><q>x</t>", None, "<t><q>x</t>", None),
        ("text", None, "text", None),
        ("", None, "", None),
        ("```xml\n<t/>\n```\nmore", None, "```xml\n<t/>\n```\nmore", None),
        ("```xml\n<t/>\n```\n```\n```", None, "```xml\n<t/>\n```\n```\n```", None),
        ("```xml\n<t/>", None, "```xml\n<t/>", None),
        ("<!DOCTYPE t [<!ENTITY e 'x'>]><t>&e;</t>", None, ..., None),
    ],
)
def test_the_arguments_of_a_call(body: str, arguments: Any, raw: Any, fence: str | None) -> None:
    [wire] = wires(ANSWER + call(body))
    payload = call_of(wire)
    assert payload.get("arguments") == arguments
    assert payload.get("rawArgsText") == (body if raw is ... else raw)
    expected = None if fence is None else [{"id": "a.x", "fence": fence}]
    assert wire["meta"].get("calls") == expected


def test_a_call_remembers_its_cell() -> None:
    cell = '## %%% Look[^a.x]\n\n[^a.x]: [tool] name="t" k=1 run=r\n\n<t/>\n\n'
    [wire] = wires(ANSWER + call("<t/>") + cell)
    assert wire["meta"]["calls"] == [
        {"id": "a.x"},
        {"id": "a.x", "title": "Look", "depth": 2, "attributes": {"k": "1", "run": "r"}},
    ]


@pytest.mark.parametrize(
    "text",
    [
        call("<t/>"),
        call("<t/>") + ANSWER,
        "# %% [^a]\n\n[^a]: [markdown]\n\nno answer\n\n" + call("<t/>"),
    ],
    ids=["no-answer", "answer-comes-later", "a-message-is-no-answer"],
)
def test_an_orphan_call_is_a_message_of_its_own(text: str) -> None:
    [orphan] = [wire for wire in wires(text) if wire["meta"].get("orphan")]
    assert orphan["role"] == "assistant"
    assert [part["kind"] for part in orphan["parts"]] == ["tool_call"]


def test_a_call_belongs_to_the_nearest_answer_before_it() -> None:
    first, second = wires(ANSWER + ANSWER + call("<t/>"))
    assert [len(first["parts"]), len(second["parts"])] == [1, 2]


# -- tool results


def result(number: str, body: str, attributes: str = "status=success") -> str:
    return f"# %%% [^a.x.{number}]\n\n[^a.x.{number}]: [tool] {attributes}\n\n{body}\n\n"


def test_one_result_is_text() -> None:
    answer, tool = wires(ANSWER + call("<t/>") + result("1", "fine", "status=success duration=2s"))
    assert len(answer["parts"]) == 2
    assert tool == {
        "role": "tool",
        "parts": [
            {
                "kind": "tool_result",
                "payload": {"toolCallId": "a.x", "isError": False, "content": "fine"},
            }
        ],
        "meta": {
            "results": [{"n": 1, "attributes": {"status": "success", "duration": "2s"}}],
            "duration": "2s",
        },
    }


def test_several_results_are_one_message_in_the_order_of_their_numbers() -> None:
    text = (
        ANSWER
        + call("<t/>")
        + result("1", "one")
        + result("x", "odd")
        + result("10", "ten", "status=error")
        + "# %% [^u]\n\n[^u]: [markdown]\n\nwait\n\n"
        + result("2", "two", "duration=1s")
    )
    _, tool, user = wires(text)
    assert text_of(user) == "wait"
    payload = tool["parts"][0]["payload"]
    assert [part["payload"]["text"] for part in payload["content"]] == ["one", "two", "ten", "odd"]
    assert [about["n"] for about in tool["meta"]["results"]] == [1, 2, 10, "x"]
    assert tool["meta"]["duration"] == "1s"


@pytest.mark.parametrize(
    ("statuses", "is_error"),
    [
        (["success"], False),
        (["failure"], True),
        (["failed"], True),
        (["error"], True),
        (["odd"], False),
        ([None], False),
        (["failure", "success"], False),
        (["success", "failure"], True),
        (["failure", None], True),
    ],
)
def test_the_last_status_says_whether_it_is_an_error(
    statuses: list[str | None], is_error: bool
) -> None:
    cells = [
        result(str(number), "x", f"status={status}" if status else "k=1")
        for number, status in enumerate(statuses, start=1)
    ]
    [tool] = wires("".join(cells))
    assert tool["parts"][0]["payload"]["isError"] is is_error


def test_results_without_a_call_are_kept() -> None:
    [tool] = wires(result("1", "lonely"))
    assert tool["parts"][0]["payload"]["toolCallId"] == "a.x"


# -- execution outputs


def run_cell(attributes: str, body: str, kind: str = "python", cell_id: str = "c.2") -> str:
    return f"# %%% [^{cell_id}]\n\n[^{cell_id}]: [{kind}] {attributes}\n\n{body}\n"


def test_an_execution_output_is_text_with_its_streams() -> None:
    wire = one(run_cell("status=failure", "stdout> a\nstderr> b"))
    assert (wire["role"], text_of(wire)) == ("user", "stdout> a\nstderr> b")
    assert wire["meta"] == {
        "id": "c.2",
        "type": "python",
        "executionOf": "c",
        "n": 2,
        "status": "failure",
        "attributes": {"status": "failure"},
    }


@pytest.mark.parametrize(
    ("mime_type", "body", "part"),
    [
        ("image/png", "aGVs\nbG8=", {"mimeType": "image/png", "data": "aGVsbG8="}),
        ("IMAGE/PNG", "aGVsbG8=", {"mimeType": "IMAGE/PNG", "data": "aGVsbG8="}),
        ("image/png", "stdout> no", {"mimeType": "image/png", "data": "stdout> no"}),
        ("image/svg+xml", "<svg/>", {"text": "<svg/>"}),
        ("text/html", "stdout> <p>", {"text": "stdout> <p>"}),
        ("application/pdf", "aGVsbG8=", {"text": "aGVsbG8="}),
    ],
)
def test_an_execution_output_of_an_image_type_is_an_image(
    mime_type: str, body: str, part: Wire
) -> None:
    [found] = one(run_cell(f'mime_type="{mime_type}"', body))["parts"]
    assert found == {"kind": "text" if "text" in part else "image", "payload": part}


def test_a_language_that_is_an_agent_answers() -> None:
    text = "---\nagents:\n  python: {}\n---\n" + run_cell("k=1", "hi")
    wire = one(text)
    assert (wire["role"], wire["meta"]["agent"]) == ("assistant", "python")


# -- the file


def test_frontmatter_and_preamble_go_with_the_first_message() -> None:
    text = "\ufeff---\na: 1\n---\n\nintro\n\n# %%\nx\n\n# %%\ny\n"
    first, second = wires(text)
    assert first["meta"]["file"] == {"frontmatter": "---\na: 1\n---", "preamble": "intro"}
    assert "file" not in second["meta"]


@pytest.mark.parametrize("text", ["", "\n\n", "\ufeff"])
def test_a_file_without_anything_loses_nothing(text: str) -> None:
    assert conversation_of(text) == Conversation((), ())


@pytest.mark.parametrize("text", ["intro", "---\na: 1\n---\n", "---\nopen: 1"])
def test_a_file_without_a_cell_has_no_message_to_carry_its_text(text: str) -> None:
    conversation = conversation_of(text)
    assert conversation.messages == ()
    assert [loss.line for loss in conversation.losses] == [0]


SECTION = "---\nmessage_section: true\n---\n\nintro\n\n"


def test_a_plain_file_records_its_section() -> None:
    text = SECTION + "# %%\noutside\n\n## Discussion\n\nnotes\n\n# %%\ninside\n\n# Foot\n\nmore\n"
    conversation = conversation_of(text, "a.md")
    [message] = conversation.messages
    assert message.parts[0].to_wire()["payload"] == {"text": "inside\n\n# Foot\n\nmore"}
    assert message.meta is not None
    assert message.meta["file"] == {
        "frontmatter": "---\nmessage_section: true\n---",
        "preamble": "intro\n\n## Discussion\n\nnotes",
        "section": "Discussion",
    }
    assert [(loss.what, loss.line) for loss in conversation.losses] == [
        ("this cell is outside the section and is not recorded", 6)
    ]
    [[source]] = conversation.sources
    assert source.of(text) == "# %%\ninside\n\n# Foot\n\nmore\n"


def test_a_plain_file_without_its_section_records_nothing() -> None:
    conversation = conversation_of(SECTION + "# %%\nx\n", "a.md")
    assert conversation.messages == ()
    assert 6 in [loss.line for loss in conversation.losses]


def test_a_message_file_is_a_record_whatever_its_frontmatter_says() -> None:
    assert len(conversation_of(SECTION + "# %%\nx\n", "a.msg.md").messages) == 1


# -- runs, times and sources


def test_a_run_and_a_time_that_are_given_are_kept() -> None:
    [message] = conversation_of(
        '# %% [^1]\n\n[^1]: [raw] run=r7 time="2025-01-01T00:00:00Z"\n'
    ).messages
    assert (message.run_id, message.timestamp) == ("r7", "2025-01-01T00:00:00Z")


def test_a_message_without_a_time_does_not_take_that_of_its_neighbours() -> None:
    text = "# %%\n# %% [^1]\n[^1]: [raw] time=T1\n# %%\n# %% [^2]\n[^2]: [raw] time=T2\n# %%\n"
    assert [message.timestamp for message in conversation_of(text).messages] == [
        EPOCH,
        "T1",
        EPOCH,
        "T2",
        EPOCH,
    ]
    assert conversation_of("# %%\n").messages[0].timestamp == EPOCH


def test_the_run_follows_from_the_content() -> None:
    one_run = {message.run_id for message in conversation_of("# %%\na\n# %%\nb\n").messages}
    assert len(one_run) == 1
    # Layout that no message holds does not count, and what a message says does.
    assert {conversation_of("# %%\n\n\na\n\n# %%\nb").messages[0].run_id} == one_run
    assert {conversation_of("# %%\na\n# %%\nc\n").messages[0].run_id} != one_run


def test_the_messages_do_not_depend_on_how_the_text_came_to_be() -> None:
    text = (
        "---\nagents:\n  bot: {}\n---\n# %% [^1]\nq\n\n"
        + ANSWER
        + call("<t/>")
        + result("1", "fine")
        + "[^1]: [markdown] k=1\n"
    )
    chance = random.Random(7)
    for _ in range(20):
        cuts = sorted(chance.sample(range(len(text)), 6))
        document = Document.open(
            "a.msg.md", text[: cuts[0]] + "# %% [^z]\n```\n" + text[cuts[-1] :]
        )
        end = cuts[0] + len("# %% [^z]\n```\n")
        document = document.apply([Edit(Span(cuts[0], end), "")])
        for start, stop in pairwise(cuts):
            document = document.edit(Span(start, start), text[start:stop])
        assert document.text == text
        assert read(document) == conversation_of(text)


def test_every_message_knows_the_cells_that_it_came_from() -> None:
    text = ANSWER + call("<t/>") + result("2", "b") + result("1", "a")
    sources = conversation_of(text).sources
    assert [[span.of(text) for span in spans] for spans in sources] == [
        [ANSWER, call("<t/>")],
        [result("2", "b"), result("1", "a")],
    ]


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"# %% [^{n}]\n\nx\n\n" for n in range(300))
        + "".join(f"[^{n}]: [raw]\n" for n in range(300)),
        "# %% [^1]\n\n[^1]: [raw]\n\nx\n\n" * 300,
        "# %% [^1]\n\nx\n\n" * 300 + "[^1]: [raw]\n" * 300,
        "# %% [^1]\n\n" + "\\# %% x\n```\ny\n```\n" * 300,
    ],
    ids=["definitions-at-the-end", "one-id", "one-id-at-the-end", "escapes-and-fences"],
)
def test_the_cost_follows_the_length(text: str) -> None:
    """Counted and not timed: the lines that Python runs, for a text and for twice as much."""
    assert lines_run(text + "\n" + text) < 2.6 * lines_run(text)


def lines_run(text: str) -> int:
    document = Document.open("a.msg.md", text)
    count = 0

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        read(document)
    finally:
        sys.settrace(before)
    return count
