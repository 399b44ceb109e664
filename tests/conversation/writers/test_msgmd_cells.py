"""Messages that do not fit their cells: what is written instead, and that it is said."""

from typing import Any

import pytest

from msgls.conversation.messages import Message, ToolCallPart, ToolResultPart
from msgls.conversation.readers.msgmd import read
from msgls.conversation.writers.msgmd import write
from tests.conversation.writers.test_msgmd import conversation, losses, message, opened


def written(*messages: Message) -> str:
    return write(conversation(*messages))[0]


def at(time: str, given: Message) -> Message:
    return given.model_copy(update={"timestamp": f"2026-01-{time}T00:00:00Z"})


@pytest.mark.parametrize(
    ("given", "header", "definition", "lost"),
    [
        pytest.param(
            message("user", "x", meta={"id": "a", "attributes": {"role": "system"}}),
            "# %% [^a]",
            "[^a]: [markdown]",
            [],
            id="a role of another time: the message's own counts",
        ),
        pytest.param(
            message("assistant", "x", meta={
                "agent": "Al", "id": "a", "attributes": {"reasoning": "1"},
            }),
            "# %%% [^a]",
            "[^a]: [Al]",
            [],
            id="marked as thought, and a text now",
        ),
        pytest.param(
            message("user", "x", meta={"id": 7}),
            "# %% [^m1]",
            "[^m1]: [markdown]",
            ["the id `7` is not allowed in a header"],
            id="an id that is not text",
        ),
        pytest.param(
            message("user", "x", meta={"executionOf": "a", "n": 2, "type": "py"}),
            "# %%% [^a.2]",
            "[^a.2]: [py]",
            [],
            id="a run without a status",
        ),
        pytest.param(
            message("user", "x", meta={"executionOf": "a\nb", "n": 1, "type": "py"}),
            "# %%% [^m1.1]",
            "[^m1.1]: [py]",
            ['the id `"a\\nb.1"` is not allowed in a header'],
            id="a run of what cannot be an id",
        ),
        pytest.param(
            message("assistant", ToolCallPart.of("a b.c.d", "f", {}), meta={"orphan": True}),
            "# %%% [^m1.a-b-c-d]",
            '[^m1.a-b-c-d]: [tool] name="f"',
            ["the tool call `a b.c.d` gets the id `m1.a-b-c-d`"],
            id="a call of nobody, with three segments",
        ),
    ],
)  # fmt: skip
def test_what_cannot_stand_there(
    given: Message, header: str, definition: str, lost: list[str]
) -> None:
    lines = written(given).split("\n")
    assert [lines[0], lines[2]] == [header, definition]
    assert losses(given) == [(0, what) for what in lost]


def test_an_output_that_is_not_an_image_any_more_loses_its_type() -> None:
    meta: dict[str, Any] = {"executionOf": "c", "n": 1, "type": "py", "status": "success"}
    run = message("user", "hello", meta=meta | {"attributes": {"mime_type": "image/png"}})
    assert '[^c.1]: [py] status="success"\n' in written(run)
    assert losses(run) == []


@pytest.mark.parametrize("given_id", ["a.b", None])
def test_an_answer_that_calls_needs_an_id_without_a_dot(given_id: str | None) -> None:
    answer = message(
        "assistant",
        "x",
        ToolCallPart.of("z.q", "f", {}),
        meta={"id": given_id, "agent": "Al", "title": "T"},
    )
    assert losses(answer) == [
        (0, "the tool call `z.q` gets the id `m1.z-q`"),
        (0, "it becomes `m1`, so that tool calls can follow it"),
    ]
    (again,) = read(opened(written(answer))).messages
    assert [part.kind for part in again.parts] == ["text", "tool_call"]


@pytest.mark.parametrize("is_error", [False, True])
def test_whether_a_result_failed_is_what_its_message_says(is_error: bool) -> None:
    """However the cell that it came from was marked."""
    before = "success" if is_error else "failure"
    said = (
        message("assistant", ToolCallPart.of("m1.q", "f", {}), meta={"id": "m1", "agent": "A"}),
        message(
            "tool",
            ToolResultPart.of("m1.q", "r", is_error=is_error),
            meta={"results": [{"attributes": {"status": before}}]},
        ),
    )  # fmt: skip
    again = read(opened(written(*said))).messages[1]
    assert again.parts == said[1].parts
    assert losses(*said) == [(1, "this format cannot hold `status`")]


def test_a_call_that_opens_a_fence_does_not_swallow_what_follows() -> None:
    said = (
        message(
            "assistant",
            "x",
            ToolCallPart.of("m1.q", "f", None, "<f>\n```\n</f>"),
            ToolCallPart.of("m1.r", "f", None, "<f>\n~~~\n</f>"),
            meta={"id": "m1", "agent": "Al"},
        ),
        message("tool", ToolResultPart.of("m1.q", "one"), ToolResultPart.of("m1.r", "two")),
        message("user", "y"),
    )
    again = read(opened(written(*said))).messages
    assert [m.role for m in again].count("user") == 1
    assert sum(isinstance(part, ToolCallPart) for m in again for part in m.parts) == 2
    assert sum(isinstance(part, ToolResultPart) for m in again for part in m.parts) == 2


@pytest.mark.parametrize("first", ["01", "02"])
def test_every_message_says_its_own_time(first: str) -> None:
    said = (
        at(first, message("user", "x", meta={"id": "a"})),
        at("02", message("assistant", "y", meta={
            "id": "b", "agent": "Al", "attributes": {"time": "2026-01-02T00:00:00Z"},
        })),
        at("03", message("user", "z", meta={"id": "c"})),
    )  # fmt: skip
    text = written(*said)
    assert losses(*said) == []
    assert [m.timestamp for m in read(opened(text)).messages] == [m.timestamp for m in said]
    assert '[^a]: [markdown] time="' in text


def test_a_title_may_end_in_a_backslash() -> None:
    """Without a blank after it the id would be text."""
    said = message("user", "x", meta={"id": "a", "title": "C:\\"})
    assert written(said).startswith("# %% C:\\ [^a]\n")
    assert losses(said) == []


def test_meta_that_is_not_json_is_a_loss() -> None:
    said = message("user", "x", meta={"id": "a", "more": float("nan")})
    assert losses(said)[0] == (0, "its metadata is not JSON, or nested too deeply")
