"""Every source to every target: it comes back the same, or each loss is named."""

import json
from collections.abc import Sequence
from difflib import SequenceMatcher

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.conversation.agents import SeeingAgent
from msgls.conversation.context import context_of
from msgls.conversation.conversation import EPOCH, Conversation, derive_run_id
from msgls.conversation.messages import Message
from msgls.conversation.sources import Incoming, read, read_folder
from msgls.conversation.targets import ENDINGS, REQUESTS, Output, write
from msgls.document.document import Document
from tests.conversation.corpus import CORPUS
from tests.conversation.services import problems, validated
from tests.strategies import messages

ALL_TARGETS = tuple(ENDINGS)
READABLE = tuple(target for target in ALL_TARGETS if target != "markdown")
LOSSLESS = {
    ("message file", "msgmd"),
    ("stf @", "stf"),
    ("stf ;", "stf-semicolon"),
    ("chatbuilder", "chatbuilder"),
    ("openai", "openai"),
}
"""Pairs that must lose nothing; every source loses nothing as messages."""


def source(name: str) -> Incoming:
    file, text = CORPUS[name]
    return read(file, text)[0]


def opened(written: Output, target: str) -> Incoming:
    """What was written, as a source."""
    if written.files is not None:
        files = [(name, Document.open(name, text)) for name, text in written.files.items()]
        return read_folder("folder", files)
    kind = {"stf-semicolon": "stf"}.get(target, target)
    return read(f"1{ENDINGS[target]}", written.text, kind)[0]


def read_back(written: Output, target: str) -> Conversation:
    return opened(written, target).conversation


def key(message: Message) -> str:
    """What a message says; what it remembers of its file is that file's business.

    That a call gets another id is told at the call, and not again at its results. That texts which
    arguments were read from are lost is told once for all calls.
    """
    parts = message.to_wire()["parts"]
    for one in parts:
        if one["payload"].get("arguments") is not None:
            one["payload"].pop("rawArgsText", None)
    for one in parts if message.role == "tool" else ():
        one["payload"].pop("toolCallId", None)
    return json.dumps([message.role, parts], sort_keys=True)


def unmatched(before: Sequence[Message], after: Sequence[Message]) -> set[int]:
    """The messages that do not come back."""
    matcher = SequenceMatcher(None, [*map(key, before)], [*map(key, after)], autojunk=False)
    blocks = matcher.get_matching_blocks()
    return {*range(len(before))} - {block.a + n for block in blocks for n in range(block.size)}


def gone_of(written: Output, before: Sequence[Message], after: Sequence[Message]) -> set[int]:
    """The messages that do not come back, but for those that are only joined with others.

    That is told once, at the first of them, and all that they say is there.
    """
    gone = unmatched(before, after)
    if any("are sent as one" in loss.what for loss in written.losses):
        said = [json.dumps(part) for one in after for part in one.to_wire()["parts"]]
        parts = {n: map(json.dumps, before[n].to_wire()["parts"]) for n in gone}
        gone = {n for n in gone if not all(part in said for part in parts[n])}
    return gone


@pytest.mark.parametrize("target", ALL_TARGETS)
@pytest.mark.parametrize("name", CORPUS)
def test_what_does_not_come_back_is_named(name: str, target: str) -> None:
    assert unnamed(source(name), target) == set()


@pytest.mark.parametrize("first", READABLE)
@pytest.mark.parametrize("name", CORPUS)
def test_what_does_not_come_back_the_second_time_is_named(name: str, first: str) -> None:
    """Every source, and any two targets."""
    incoming = opened(write(source(name), first), first)
    found = {second: unnamed(incoming, second) for second in ALL_TARGETS}
    assert not any(found.values()), found


def unnamed(incoming: Incoming, target: str) -> set[int]:
    """The messages that do not come back from a target, and of which no loss tells."""
    written = write(incoming, target)
    messages = incoming.conversation.messages
    named = {loss.message_index for loss in written.losses}
    if target == "markdown":
        assert all(text in written.text for text in _plain_texts(incoming.conversation))
        return set()
    back = read_back(written, target).messages
    gone = gone_of(written, messages, back)
    if any("in the order of their calls" in loss.what for loss in written.losses):
        # It is told once, at the calls, that results stand in another order.
        gone = {n for n in gone if key(messages[n]) not in [*map(key, back)]}
    return {n for n in gone if n not in named}


def _plain_texts(conversation: Conversation) -> list[str]:
    shown = context_of(conversation, SeeingAgent()).conversation.messages
    return [p.payload.text for m in shown for p in m.parts if p.kind == "text"]


@pytest.mark.parametrize("name", CORPUS)
def test_messages_lose_nothing(name: str) -> None:
    incoming = source(name)
    written = write(incoming, "messages")
    assert read_back(written, "messages").messages == incoming.conversation.messages
    if name == "messages":
        assert written.losses == ()
    else:
        assert written.losses == incoming.conversation.losses


@pytest.mark.parametrize(("name", "target"), sorted(LOSSLESS))
def test_the_way_to_itself_loses_nothing(name: str, target: str) -> None:
    incoming = source(name)
    written = write(incoming, target)
    assert written.losses == ()
    assert read_back(written, target).messages == incoming.conversation.messages
    if incoming.document is not None:
        assert written.text == incoming.document.text


def test_a_request_of_anthropic_comes_back() -> None:
    incoming = source("anthropic")
    written = write(incoming, "anthropic")
    assert written.losses == ()
    assert read_back(written, "anthropic").messages == incoming.conversation.messages


@pytest.mark.parametrize("target", READABLE)
@pytest.mark.parametrize("name", CORPUS)
def test_the_second_time_nothing_changes(name: str, target: str) -> None:
    """Text, messages, text, messages: what was written once is written so again."""
    once = write(source(name), target)
    messages = read_back(once, target)
    again = write(Incoming(target, messages, "again", ()), target)
    assert read_back(again, target).messages == messages.messages


@pytest.mark.parametrize("service", REQUESTS)
@pytest.mark.parametrize("name", CORPUS)
def test_requests_are_what_the_services_want(name: str, service: str) -> None:
    written = write(source(name), service, "model")
    request = json.loads(written.text)
    assert validated(service, request) == request
    assert problems(service, request) == []


# -- any messages at all ----------------------------------------------------------------------


def conversation_of(made_up: Sequence[Message]) -> Conversation:
    """Messages of one run that say nothing of themselves: whatever is lost is lost of the parts."""
    bare = {"meta": None, "timestamp": EPOCH}
    made_up = [message.model_copy(update=bare) for message in made_up]
    wires = [message.to_wire() for message in made_up]
    for wire in wires:
        del wire["runId"], wire["timestamp"]
    run_id = derive_run_id(wires)
    same_run = [message.model_copy(update={"run_id": run_id}) for message in made_up]
    return Conversation(tuple(same_run), tuple([()] * len(same_run)))


ANY = st.one_of(
    st.lists(messages(unknown_keys=False), max_size=5),
    st.lists(messages(unknown_keys=False, by_role=True), max_size=5),
).map(conversation_of)


@pytest.mark.parametrize("target", READABLE)
@given(conversation=ANY)
def test_any_messages_come_back_or_are_named(target: str, conversation: Conversation) -> None:
    written = write(Incoming("", conversation, "made-up", ()), target)
    back = read_back(written, target).messages
    gone = gone_of(written, conversation.messages, back)
    assert gone <= {loss.message_index for loss in written.losses}


@pytest.mark.parametrize("service", REQUESTS)
@given(conversation=ANY)
def test_any_request_is_what_the_service_wants(service: str, conversation: Conversation) -> None:
    written = write(Incoming("", conversation, "made-up", ()), service)
    request = json.loads(written.text)
    assert validated(service, request) == request
    assert problems(service, request) == []
