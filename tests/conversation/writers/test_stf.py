"""What each message is written as, in both dialects, and what is said to be lost."""

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
from msgls.conversation.readers import read_document
from msgls.conversation.writers import write_as
from msgls.formats.stf import STF, SimpleTextFile
from tests.formats.stf.reading import opened


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
    made = tuple([m.model_copy(update={"run_id": run_id}) for m in messages])
    return Conversation(made, tuple([() for _ in made]))


def rendered(*messages: Message, dialect: str = "@") -> str:
    """The text, of which nothing may be lost."""
    text, after = write_as(SimpleTextFile(dialect), conversation(*messages))
    assert after == ()
    return text


def losses(*messages: Message, dialect: str = "@") -> list[tuple[int | None, str]]:
    _, after = write_as(SimpleTextFile(dialect), conversation(*messages))
    return [(loss.message_index, loss.what) for loss in after]


CALL = ToolCallPart.of("c1", "ls", {"path": "."})


def test_a_conversation_in_the_words_of_the_format() -> None:
    text = rendered(
        message("system", "Be brief."),
        message("system", "No jokes.", meta={"role": "developer"}),
        message("user", "What is here?\n\n@me", meta={"id": "u1", "name": "Ann Lee"}),
        message("assistant", "I look.", CALL, "So."),
        message("tool", ToolResultPart.of("c1", "a\nb")),
        message("user", FileRefPart.of("a.csv")),
    )
    assert text == (
        "@system\nBe brief.\n"
        "@developer\nNo jokes.\n"
        '@user id=u1 name="Ann Lee"\nWhat is here?\n\n@@me\n'
        '@assistant\nI look.\n@call id=c1\nls {"path": "."}\nSo.\n'
        "@tool call_id=c1\na\nb\n"
        "@user\n@embed\na.csv\n"
    )


def test_the_other_dialect_says_calls_in_raw_messages() -> None:
    text = rendered(message("assistant", "I look.", CALL), message("user", ";x\n@y"), dialect=";")
    assert text.startswith(';raw\n{\n  "role": "assistant",\n  "content": "I look.",\n')
    assert text.endswith("\n;end\n;user\n;;x\n@y\n")


def test_a_raw_message_goes_on_after_its_object() -> None:
    given = message("assistant", "a", "b", CALL, FileRefPart.of("a.csv"), "c")
    text = rendered(given)
    assert text.endswith("\n@end\n@embed\na.csv\nc\n")
    text = rendered(message("assistant", CALL, "after"), dialect=";")
    assert text.endswith("\n;end\nafter\n")


def test_extra_and_the_file() -> None:
    meta = {"extra": {"a": 1}, "file": {"dialect": ";", "meta": {"b": 2}}}
    text, after = write_as(STF, conversation(message("user", "x", meta=meta)))
    assert text == ';meta\n{\n  "b": 2\n}\n;end\n;user\n;extra\n{\n  "a": 1\n}\n;end\nx\n'
    assert after == ()


def test_no_messages_give_an_empty_text() -> None:
    assert rendered() == ""


@pytest.mark.parametrize("dialect", ["@", ";"])
@pytest.mark.parametrize(
    "parts",
    [
        (),
        ("",),
        ("\n",),
        ("x\n",),
        ("\r",),
        ("a\r\nb",),
        ("@user\n;user",),
        ("@@",),
        ("a", "b"),
        (ImagePart.of("image/png", data="aGk="),),
        (ThinkingPart.of("hm"),),
        (ThinkingPart.of("hm"), "x"),
        ("see", ImagePart.of("image/*", url="https://example.org/a")),
    ],
)
def test_content_that_is_awkward_is_said(dialect: str, parts: tuple[MessagePart | str]) -> None:
    given = message("user", *parts)
    text = rendered(given, dialect=dialect)
    [found] = read_document(opened(text)).messages
    assert found.to_wire()["parts"] == given.to_wire()["parts"]


@pytest.mark.parametrize(
    ("dialect", "given", "lost"),
    [
        ("@", message("user", "x", meta={"title": "T"}), "this format cannot hold titles"),
        ("@", message("user", "x", meta={"extra": {"a": 1}}), "this format cannot hold `extra`"),
        (";", message("assistant", CALL, "after", CALL), "its content is in another order"),
        (
            "@",
            message("tool", ToolResultPart.of("c", {"a": 1})),
            "the result of `c`, an object, becomes JSON text",
        ),
    ],
)
def test_what_cannot_be_said_is_a_loss(dialect: str, given: Message, lost: str) -> None:
    assert losses(message("user", "before"), given, dialect=dialect) == [(1, lost)]


@pytest.mark.parametrize("dialect", ["@", ";"])
@pytest.mark.parametrize(
    "given",
    [
        message("user", ThinkingPart.of("hm"), "x", ThinkingPart.of("hm")),
        message("user", FileRefPart.of("a.txt")),
        message("user", "see", ImagePart.of("image/png", data="aGk="), FileRefPart.of("a.txt")),
        message("assistant", ThinkingPart.of("hm"), "I remove it.", CALL),
        message("tool", ToolResultPart.of("c", "x", is_error=True)),
        message(
            "tool",
            ToolResultPart.of(
                "c", [TextPart.of("no"), ImagePart.of("image/png", data="aGk=")], is_error=True
            ),
        ),
    ],
)
def test_what_commands_cannot_say_is_a_raw_block(dialect: str, given: Message) -> None:
    asked = message("assistant", ToolCallPart.of("c", "f", {}))
    text = rendered(asked, given, dialect=dialect)
    embeds = dialect == "@" and given.role == "user" and given.parts[-1].kind == "file_ref"
    assert f"{dialect}raw" in text or embeds or given.parts[0].kind == "file_ref"
    assert read_document(opened(text)).messages[1].parts == given.parts


def test_two_results_become_two_messages() -> None:
    results = ToolResultPart.of("c1", "x"), ToolResultPart.of("c2", "y")
    assert losses(message("tool", *results)) == [(0, "the message becomes 2 messages")]


def test_the_meta_of_a_file_has_no_place_in_the_first_dialect() -> None:
    meta = {"file": {"meta": {"a": 1}, "frontmatter": "---\n---"}}
    assert losses(message("user", "x", meta=meta)) == [
        (None, "this format cannot hold `meta` of the file, the frontmatter")
    ]


def test_runs_and_times_are_losses() -> None:
    given = Message(
        run_id="r", role="user", parts=(TextPart.of("x"),), timestamp="2025-01-01T00:00:00Z"
    )
    _, after = write_as(STF, Conversation((given,), ((),)))
    [loss] = after
    assert loss.what == "this format cannot hold ids of runs, times"


# -- into a document that is there

SOURCE = "\ufeff@# note\n@user id=u1\r\nHello\n\n@ai\n@# kept\nHi\n@user\nBye"


def changed(text: str, edit: Any) -> tuple[str, list[str]]:
    document = opened(text)
    old = read_document(document)
    messages = list(old.messages)
    edit(messages)
    new = Conversation(tuple(messages), tuple([() for _ in messages]))
    written, after = write_as(document.format, new, document)
    return written, [loss.what for loss in after]


@pytest.mark.parametrize(
    "text",
    [SOURCE, "", "x", ";meta\n{}\n", "@raw\n{\n@user\n@end", "@/*\n@user", "@user\r\nx\r\n\r\n"],
)
def test_an_unchanged_document_keeps_its_bytes(text: str) -> None:
    assert changed(text, lambda messages: None) == (text, [])


def test_a_changed_message_leaves_the_others_alone() -> None:
    def edit(messages: list[Message]) -> None:
        messages[2] = messages[2].model_copy(update={"parts": (TextPart.of("So long"),)})

    written, lost = changed(SOURCE, edit)
    assert written == SOURCE.replace("@user\nBye", "@user\nSo long\n")
    assert lost == []


def test_an_added_message_starts_on_its_own_line() -> None:
    written, lost = changed("@user\nx", lambda messages: messages.append(messages[0].model_copy()))
    assert (written, lost) == ("@user\nx\n@user\nx\n", [])


def test_a_removed_message_is_gone_with_its_comments() -> None:
    written, lost = changed(SOURCE, lambda messages: messages.pop(1))
    assert (written, lost) == (SOURCE.replace("@ai\n@# kept\nHi\n", ""), [])


def test_the_byte_order_mark_stays_in_front() -> None:
    written, lost = changed("\ufeff@user\nx\n@ai\ny\n", lambda messages: messages.reverse())
    assert (written, lost) == ("\ufeff@assistant\ny\n@user\nx\n", [])


def test_a_role_that_was_taken_over_is_written_out() -> None:
    written, lost = changed("@user\nx\n@msg\ny\n", lambda messages: messages.pop(0))
    assert (written, lost) == ("@user\ny\n", [])
