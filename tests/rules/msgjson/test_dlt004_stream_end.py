"""DLT004: a stream without an end, with two, or one that goes on after it."""

import json

from msgls.document.document import Document
from msgls.document.snapshot import Settings
from msgls.rules.base import Severity
from msgls.rules.registry import BY_CODE
from msgls.rules.settings import severity_of
from tests.formats.msgjson.made_up import call_start, done, dump, error, message, start, text
from tests.rules.msgjson.marked import DELTAS, at, expect_lines, expect_no_lines
from tests.rules.support import absolute, expect_follows, find
from tests.rules.support import message as words

CODE = "DLT004"


def test_a_delta_after_the_end_is_found_once() -> None:
    expect_lines(CODE, at(start()), at(done(1)), at(text(2), "text"), at(text(3)))
    expect_lines(CODE, at(start()), at(error(1)), at(call_start(2), "tool_call_start"))


def test_a_second_end_is_found() -> None:
    expect_lines(CODE, at(start()), at(done(1)), at(error(2), "error"), at(done(3), "done"))


def test_a_stream_that_the_next_one_breaks_off_is_found() -> None:
    expect_lines(CODE, at(start(0, "q1")), at(start(1, "q2"), "start"), at(done(2)))


def test_an_open_stream_at_the_end_of_the_file_is_information() -> None:
    source = dump(start(), text(1), start(0, "q", "other"), done(1, "other"), message("user"))
    for path, written in ((DELTAS, source), ("a.messages.json", _array(source))):
        document, problems = find(CODE, written, path)
        assert [problem.severity for problem in problems] == [Severity.INFORMATION]
        assert absolute(document, problems[0]).of(written) == '"start"'
        assert words(problems[0]) == "the stream of run `r` has not ended yet"


def _array(source: str) -> str:
    return json.dumps([json.loads(line) for line in source.split("\n") if line], indent=2)


def test_a_configured_severity_counts_more() -> None:
    _, problems = find(CODE, dump(start()), DELTAS)
    own = problems[0].severity
    rule = BY_CODE[CODE]
    assert severity_of(Settings(), rule, own) is Severity.INFORMATION
    assert severity_of(Settings(severity={CODE: "warning"}), rule, own) is Severity.WARNING
    assert severity_of(Settings(), rule) is Severity.ERROR


def test_other_ends_are_related() -> None:
    source = dump(start(), done(1), done(2))
    document, problems = find(CODE, source, DELTAS)
    (related,) = problems[0].related
    assert document.cell(related.label).start_line == 1


def test_streams_that_end_are_not_found() -> None:
    expect_no_lines(CODE, start(), text(1), done(2), start(0, "q2"), error(1))
    expect_no_lines(CODE, text(1), text(2))


def test_it_follows_a_file_that_grows() -> None:
    document = Document.open(DELTAS, dump(start()))
    assert document.text
    counts = expect_follows(
        CODE,
        dump(start()),
        (dump(start()), dump(start(), text(1))),
        (dump(text(1)), dump(text(1), done(2))),
        (dump(done(2)), dump(done(2), text(3))),
        path=DELTAS,
    )
    assert counts == [1, 1, 0, 1]
