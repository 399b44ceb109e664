"""Open as message file: of a whole file, and of a stream that may still be growing."""

from typing import Any

import pytest

from msgls.conversation.readers import read_document
from msgls.document.document import Document
from msgls.features.actions import cell_actions
from msgls.features.commands import Call, InvalidArgument, RefusedError, ShownText, run
from tests.features.msgjson.sample import ARRAY, DELTAS, FILES, opened
from tests.formats.msgjson.made_up import delta, done, dump, error, message, said, start, text
from tests.snapshots import snapshot_of

COMMAND = "msgls.message.openAs"


def shown(source: str, name: str = "a.deltas.jsonl", offset: int = 0, **more: Any) -> ShownText:
    result = run(COMMAND, Call(snapshot_of(opened(source, name)), offset, more))
    assert isinstance(result, ShownText)
    return result


def texts_in(found: ShownText) -> list[str]:
    """What the messages of a message file say."""
    document = Document.open(found.name, found.text)
    assert document.format.name == found.language_id == "msgmd"
    return [
        part.payload.text
        for message in read_document(document).messages
        for part in message.parts
        if part.kind == "text"
    ]


@pytest.mark.parametrize("name", FILES)
def test_every_kind_of_file_is_opened_as_a_message_file(name: str) -> None:
    found = shown(FILES[name], name)
    assert found.name == "a.msg.md"
    assert texts_in(found)


def test_of_a_file_only_what_is_complete_is_taken() -> None:
    found = shown(DELTAS)
    assert texts_in(found) == ["Hello 🦊 world"]
    assert ("the stream of run `other` has not ended and yields no message", 11) in found.losses


def test_a_stream_is_opened_by_itself_and_as_far_as_it_is() -> None:
    at = DELTAS.index("Still")
    found = shown(DELTAS, offset=at, stream=True)
    assert texts_in(found) == ["Still "]
    assert any("has not ended" in loss.what for loss in found.losses)
    assert texts_in(shown(DELTAS, offset=0, stream=True)) == ["Hello 🦊 world"]


def test_a_stream_that_broke_off_is_opened_with_a_word_on_it() -> None:
    found = shown(dump(start(), text(1, "Half"), error(2)), stream=True)
    assert texts_in(found) == ["Half"]
    assert found.losses[0] == ("the stream of run `r` ends in an error", 0)


def test_streams_of_other_runs_and_before_are_left_out() -> None:
    source = dump(
        start(), text(1, "one"), done(2), start(0, "q2"), text(1, "two"), text(1, "x", "s"), done(2)
    )
    assert texts_in(shown(source, offset=source.index("two"), stream=True)) == ["two"]
    assert texts_in(shown(source, offset=source.index("one"), stream=True)) == ["one"]


@pytest.mark.parametrize(
    ("source", "more", "reason"),
    [
        (dump(start(), text(1)), {}, "has not ended"),
        (dump(start()), {"stream": True}, "has not ended"),
        ("", {}, "it contains none"),
        ("{", {}, "not valid JSON"),
        (dump(message("user", said("Hi"))), {"stream": True}, "there is no stream here"),
        (dump(text(1)), {"stream": True}, "there is no stream here"),
        (dump(delta(1, "text")), {}, "not a delta"),
    ],
)
def test_what_makes_no_message_is_refused(source: str, more: dict[str, Any], reason: str) -> None:
    with pytest.raises(RefusedError, match=reason):
        shown(source, **more)


def test_a_switch_that_is_none_is_refused() -> None:
    with pytest.raises(InvalidArgument):
        shown(ARRAY, "a.messages.json", stream="yes")


@pytest.mark.parametrize(
    ("name", "titles"),
    [
        ("a.deltas.jsonl", ["Open this stream as message file", "Open as message file"]),
        ("a.messages.json", ["Open as message file"]),
    ],
)
def test_every_lens_has_its_action(name: str, titles: list[str]) -> None:
    document = opened(FILES[name], name)
    found = [
        action for action in cell_actions(snapshot_of(document), 0) if action.command == COMMAND
    ]
    assert [action.title for action in found] == titles
    for action in found:
        assert run(action.command, Call(snapshot_of(document), 0, action.arguments))
