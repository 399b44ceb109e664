"""Text to messages to text to messages; and messages of any kind, with every loss named."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from msgls.conversation.conversation import Conversation
from msgls.conversation.messages import Message
from msgls.conversation.readers import read_document
from msgls.conversation.writers import write_as
from msgls.formats.stf import STF, SimpleTextFile
from tests.document.tracked import SIMPLE_TEXT_FILES
from tests.formats.stf.reading import opened
from tests.strategies import messages

_texts = st.sampled_from(SIMPLE_TEXT_FILES.starts) | st.lists(
    st.sampled_from(SIMPLE_TEXT_FILES.fragments), max_size=20
).map("".join)


@given(_texts)
def test_text_to_messages_and_back(text: str) -> None:
    document = opened(text)
    first = read_document(document)
    written, after = write_as(STF, first)
    assert after == ()
    assert read_document(opened(written)).messages == first.messages
    assert write_as(STF, first, document)[0] == text


@pytest.mark.parametrize("dialect", ["@", ";"])
@settings(suppress_health_check=[HealthCheck.too_slow])
@given(given_messages=st.lists(messages(by_role=True), max_size=4))
def test_what_is_not_the_same_is_a_loss(dialect: str, given_messages: list[Message]) -> None:
    conversation = Conversation(tuple(given_messages), tuple([() for _ in given_messages]))
    written, after = write_as(SimpleTextFile(dialect), conversation)
    found = read_document(opened(written, dialect)).messages
    if not after:
        assert [(m.role, m.parts) for m in found] == [(m.role, m.parts) for m in given_messages]
    # What was written once is said in full.
    again, later = write_as(SimpleTextFile(dialect), read_document(opened(written, dialect)))
    assert later == ()
    assert read_document(opened(again, dialect)).messages == found


@given(_texts, st.integers(0, 10), st.integers(0, 10))
def test_messages_that_change_places(text: str, first: int, second: int) -> None:
    document = opened(text)
    found = list(read_document(document).messages)
    if not found:
        return
    first, second = first % len(found), second % len(found)
    found[first], found[second] = found[second], found[first]
    wanted = Conversation(tuple(found), tuple([() for _ in found]))
    written, after = write_as(STF, wanted, document)
    again = read_document(opened(written)).messages
    if not after:
        assert [(m.role, m.parts) for m in again] == [(m.role, m.parts) for m in found]
