"""What is read and written is the same again, or a loss says that it is not."""

from collections.abc import Mapping
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from msgls.conversation.conversation import Conversation, Written
from msgls.conversation.losses import is_unplaced
from msgls.conversation.messages import Message, Role, TextPart
from msgls.conversation.readers.msgmd import read
from msgls.conversation.writers.msgmd import write
from msgls.document.document import Document
from msgls.formats.msgmd import MSGMD, SECTIONED_MSGMD
from tests import strategies
from tests.formats.msgmd.made_up import message_files, sound_files


def opened(text: str, path: str = "a.msg.md") -> Document:
    return Document.open(path, text, MSGMD if path.endswith(".msg.md") else SECTIONED_MSGMD)


@given(st.text(max_size=60) | message_files())
def test_lowering_never_raises(text: str) -> None:
    for path in ("a.msg.md", "a.md"):
        original = read(opened(text, path))
        for sources in original.sources:
            assert sources
            assert all(0 <= span.start < span.end <= len(text) for span in sources)


@given(message_files())
@example("# %%% [^]\n\n[^]: [bot]\n\nx\n\n# %%% [^1]\n\n[^1]: [tool]\n")
def test_messages_of_a_file_survive_a_whole_rendering(text: str) -> None:
    original = read(opened(text))
    rendered, losses = write(original)
    again = read(opened(rendered))
    assert losses == ()
    assert again.messages == original.messages
    # What was written once is written the same again.
    assert write(again)[0] == rendered


@given(message_files())
def test_messages_of_a_section_survive_a_whole_rendering(text: str) -> None:
    head = "---\nmessage_section: Discussion\n---\n\n# Discussion\n\n"
    original = read(opened(head + text, "a.md"))
    rendered, losses = write(original)
    if losses:
        return
    assert read(opened(rendered, "a.md")).messages == original.messages


@given(message_files())
def test_an_unchanged_document_is_given_back_as_it_is(text: str) -> None:
    document = opened(text)
    original = read(document)
    assert write(original, document) == (text, ())


def says(found: Message, wanted: Message) -> bool:
    """Whether ``found`` says all that ``wanted`` does: role and parts the same, meta or more."""
    wanted_meta = {k: v for k, v in (wanted.meta or {}).items() if not is_file_meta(k, v)}
    if isinstance(wanted_meta.get("attributes"), Mapping):
        # Whether it is a thought, its part says.
        others = {k: v for k, v in wanted_meta["attributes"].items() if k != "reasoning"}
        wanted_meta["attributes"] = others
    found_meta = dict(found.meta or {})
    same = {**found.to_wire(), "meta": 0, "runId": 0, "timestamp": 0} == {
        **wanted.to_wire(),
        "meta": 0,
        "runId": 0,
        "timestamp": 0,
    }
    return same and covers({"attributes": {}} | found_meta, wanted_meta)


def is_file_meta(key: str, value: object) -> bool:
    """What belongs to the file, and goes with whichever message is its first."""
    return key == "file" and isinstance(value, Mapping)


def covers(found: Any, wanted: Any) -> bool:
    if isinstance(wanted, Mapping):
        return isinstance(found, Mapping) and all(
            key in found and covers(found[key], wanted[key]) for key in wanted
        )
    if isinstance(wanted, list):
        return (
            isinstance(found, list)
            and len(found) == len(wanted)
            and all(covers(f, w) for f, w in zip(found, wanted, strict=True))
        )
    return bool(found == wanted) and type(found) is type(wanted)


def known(message: Message) -> list[Any]:
    """The parts, without keys that their kinds do not have."""
    return [
        (part.kind, part.payload.model_dump(exclude=set(part.payload.model_extra or ())))
        for part in message.parts
    ]


def check(conversation: Conversation, written: Written) -> None:
    """Every message is there again, or a loss names it."""
    lost = {loss.message_index for loss in written.losses}
    found = list(read(opened(written.text)).messages)
    if not lost:
        assert len(found) == len(conversation.messages)
    missing = [
        index
        for index, wanted in enumerate(conversation.messages)
        if not any(says(message, wanted) for message in found)
    ]
    # What messages say of themselves and has no place is told once, at the first of them.
    told = any(is_unplaced(loss) for loss in written.losses)
    parts = [known(message) for message in found]
    missing = [n for n in missing if not (told and known(conversation.messages[n]) in parts)]
    assert set(missing) <= lost


@st.composite
def changes(draw: st.DrawFn, original: Conversation) -> tuple[list[Message], set[int]]:
    """Messages with one of them edited, removed or added, and the old ones that are untouched."""
    messages = list(original.messages)
    untouched = set(range(len(messages)))
    kind = draw(st.sampled_from(("edit", "remove", "add")))
    if kind == "add" or not messages:
        number = draw(st.integers(0, len(messages)))
        roles: list[Role] = ["user", "assistant", "system"]
        role = draw(st.sampled_from(roles))
        parts = [TextPart.of("something\n\n```py\nnew\n```")]
        new = Message(run_id="r", role=role, parts=tuple(parts), timestamp="2030-01-01T00:00:00Z")
        messages.insert(number, new)
        return messages, untouched
    number = draw(st.integers(0, len(messages) - 1))
    untouched.discard(number)
    if kind == "remove":
        del messages[number]
    else:
        messages[number] = with_text(
            messages[number], draw(st.sampled_from(("new", "# %% \n[^1]: [x]")))
        )
    return messages, untouched


def with_text(message: Message, text: str) -> Message:
    wire = message.to_wire()
    if message.role == "tool":
        wire["parts"][0]["payload"]["content"] = text
        wire["meta"]["results"] = wire["meta"]["results"][:1]
    else:
        calls = [part for part in wire["parts"] if part["kind"] == "tool_call"]
        wire["parts"] = [{"kind": "text", "payload": {"text": text}}, *calls]
    return Message.from_wire(wire)


@given(message_files(), st.data())
def test_a_changed_conversation_is_written_into_its_document(
    text: str, data: st.DataObject
) -> None:
    document = opened(text)
    original = read(document)
    messages, _ = data.draw(changes(original))
    conversation = Conversation(tuple(messages), tuple(() for _ in messages))
    check(conversation, write(conversation, document))


@given(sound_files(), st.data())
def test_a_change_leaves_every_byte_of_the_other_cells(text: str, data: st.DataObject) -> None:
    document = opened(text)
    original = read(document)
    messages, untouched = data.draw(changes(original))
    conversation = Conversation(tuple(messages), tuple(() for _ in messages))
    rendered, losses = write(conversation, document)
    assert losses == ()
    found = read(opened(rendered)).messages
    assert len(found) == len(messages)
    assert all(says(f, w) for f, w in zip(found, messages, strict=True))
    kept = sorted(span for index in untouched for span in original.sources[index])
    place = 0
    for span in kept:
        place = rendered.index(span.of(text), place) + span.end - span.start


@given(st.lists(strategies.messages(), max_size=4))
def test_any_messages_are_rendered_or_a_loss_names_them(messages: list[Message]) -> None:
    conversation = Conversation(tuple(messages), tuple(() for _ in messages))
    check(conversation, write(conversation))
