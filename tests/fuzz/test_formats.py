"""All formats alike: edits, fixes and formatting, on texts that are drawn from their words."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from msgls.document.document import Document
from msgls.text.spans import Span
from tests.document.test_incremental import edits_of
from tests.document.tracked import JSON_FILES, Tracked
from tests.fuzz import oracles
from tests.fuzz.vocabularies import AGENT_FILES, ALL, CHATBUILDER_FILES, files
from tests.text.naive import ENCODINGS

FORMATS = sorted(ALL)

# Of two formats these machines run beside their tests of every day; here are the others.
_settings = settings(stateful_step_count=12)
TestJsonEdits = edits_of(JSON_FILES).TestCase
TestJsonEdits.settings = _settings
TestChatbuilderEdits = edits_of(CHATBUILDER_FILES).TestCase
TestChatbuilderEdits.settings = _settings
TestAgentEdits = edits_of(AGENT_FILES).TestCase
TestAgentEdits.settings = _settings


@pytest.mark.parametrize("format", FORMATS)
@given(data=st.data())
def test_an_edit_in_any_encoding_is_a_fresh_parse(format: str, data: st.DataObject) -> None:
    path, text = data.draw(files(format))
    tracked = Tracked(path, text)
    for _ in range(3):
        encoding = data.draw(st.sampled_from(ENCODINGS))
        line, units = data.draw(st.integers(0, 12)), data.draw(st.integers(0, 30))
        more, end = data.draw(st.integers(0, 2)), data.draw(st.integers(0, 30))
        typed = data.draw(st.sampled_from(ALL[format].fragments))
        tracked.edit_at((line, units), (line + more, end), typed, encoding)
        tracked.check()


@pytest.mark.parametrize("format", FORMATS)
@given(data=st.data())
def test_problems_follow_an_edit(format: str, data: st.DataObject) -> None:
    path, text = data.draw(files(format))
    document = Document.open(path, text)
    watched = oracles.Watched(document)
    start = data.draw(st.integers(0, len(text)))
    span = Span(start, min(start + data.draw(st.integers(0, 9)), len(text)))
    watched.check(document.edit(span, data.draw(st.sampled_from(ALL[format].fragments))))


@pytest.mark.parametrize("format", FORMATS)
@given(data=st.data())
def test_formatting_keeps_what_is_said_and_is_done_once(format: str, data: st.DataObject) -> None:
    path, text = data.draw(files(format))
    oracles.formatting_is_sound(path, text)


@pytest.mark.parametrize("unsafe", [False, True], ids=["safe", "unsafe"])
@pytest.mark.parametrize("format", FORMATS)
@given(data=st.data())
def test_fixes_come_to_an_end_and_bring_no_error(
    format: str, unsafe: bool, data: st.DataObject
) -> None:
    path, text = data.draw(files(format))
    oracles.fixing_is_sound(path, text, unsafe)


@pytest.mark.parametrize("format", FORMATS)
@given(data=st.data())
def test_each_fix_by_itself(format: str, data: st.DataObject) -> None:
    oracles.each_fix_is_sound(*data.draw(files(format)))


@pytest.mark.parametrize("format", FORMATS)
@given(data=st.data())
def test_what_is_written_again_says_the_same(format: str, data: st.DataObject) -> None:
    oracles.conversion_is_sound(*data.draw(files(format)))
