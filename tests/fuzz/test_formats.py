"""All formats alike: edits, fixes and formatting, on texts that are drawn from their words."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from msgls.document.document import Document
from msgls.features.formatting import format_document
from msgls.model.messages import Message
from msgls.rules.base import Rule, Surroundings
from msgls.rules.checker import Checker
from msgls.rules.fixing import fix_all
from msgls.rules.registry import rules_of
from msgls.text.spans import Span
from tests.document.test_incremental import edits_of
from tests.document.tracked import JSON_FILES, Tracked, index_of, parts_of
from tests.fuzz.vocabularies import AGENT_FILES, ALL, CHATBUILDER_FILES, files
from tests.text.naive import ENCODINGS

FORMATS = sorted(ALL)

# Of two formats these machines run beside their tests of every day; here are the others.
_settings = settings(stateful_step_count=12, max_examples=max(60, settings().max_examples // 4))
TestJsonEdits = edits_of(JSON_FILES).TestCase
TestJsonEdits.settings = _settings
TestChatbuilderEdits = edits_of(CHATBUILDER_FILES).TestCase
TestChatbuilderEdits.settings = _settings
TestAgentEdits = edits_of(AGENT_FILES).TestCase
TestAgentEdits.settings = _settings


def lowered(document: Document) -> tuple[Message, ...]:
    return tuple(document.format.lower(document).messages)


def rules_for(document: Document) -> list[Rule]:
    return list(rules_of(document.format.name))


def same(ours: Document, theirs: Document) -> None:
    assert [parts_of(cell) for cell in ours.cells()] == [parts_of(cell) for cell in theirs.cells()]
    assert index_of(ours) == index_of(theirs)


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
    failures: list[object] = []
    checker = Checker(
        document, rules_for(document), Surroundings(), lambda *why: failures.append(why)
    )
    start = data.draw(st.integers(0, len(text)))
    span = Span(start, min(start + data.draw(st.integers(0, 9)), len(text)))
    edited = document.edit(span, data.draw(st.sampled_from(ALL[format].fragments)))
    if edited.format is not document.format:
        return
    checker.update(edited)
    fresh = Document.open(path, edited.text)
    wanted = Checker(fresh, rules_for(fresh), Surroundings()).problems()

    def placed(of: Document, problems: object) -> list[tuple[object, ...]]:
        return [
            (p.code, of.number_of(p.order), p.span, p.key, p.args, p.severity)
            for p in problems  # type: ignore[attr-defined]
        ]

    assert placed(edited, checker.problems()) == placed(fresh, wanted)
    assert failures == []


@pytest.mark.parametrize("format", FORMATS)
@given(data=st.data())
def test_formatting_keeps_what_is_said_and_is_done_once(format: str, data: st.DataObject) -> None:
    path, text = data.draw(files(format))
    document = Document.open(path, text)
    once = document.apply(format_document(document))
    assert lowered(once) == lowered(document)
    assert once.apply(format_document(once)).text == once.text
    same(once, Document.open(path, once.text))


@pytest.mark.parametrize("unsafe", [False, True], ids=["safe", "unsafe"])
@pytest.mark.parametrize("format", FORMATS)
@given(data=st.data())
def test_fixes_come_to_an_end_and_bring_no_error(
    format: str, unsafe: bool, data: st.DataObject
) -> None:
    path, text = data.draw(files(format))
    document = Document.open(path, text)
    rules = rules_for(document)
    once = fix_all(document, rules, Surroundings(), lambda _: True, unsafe)
    twice = fix_all(once.document, rules, Surroundings(), lambda _: True, unsafe)
    assert twice.document.text == once.document.text
    assert not twice.applied
    same(once.document, Document.open(path, once.document.text))
