"""BOOT001: strict JSON."""

import pytest

from tests.rules.agentsjson.support import PATH, STYLES, agent, expect, expect_nothing, text_of
from tests.rules.support import absolute, find

CODE = "BOOT001"
HEAD = '{"agents": [{"metadata": {"bootMessage": {"message": "見"'


@pytest.mark.parametrize(
    "source",
    [
        HEAD + "}}}«]»",
        HEAD + ", «'»a': 1}}}]}",
        HEAD + ', "x": «NaN»}}}]}',
        HEAD + "}}}]} «x»",
        HEAD + "} «/»/ no comments\n}}]}",
        '{\n\t"agents": [\n\t\t{"metadata": {"bootMessage": {}} «"»path": 1}\n\t]\n}\n',
    ],
)
def test_found(source: str) -> None:
    expect(CODE, source)


@pytest.mark.parametrize("end", [", }}}]}", "}}}, ]}"])
def test_a_comma_too_much(end: str) -> None:
    """On the comma or on the bracket after it: Python's own reader changed its mind."""
    source = HEAD + end
    document, (problem,) = find(CODE, source, PATH)
    comma = source.rindex(",")
    assert absolute(document, problem).start in (comma, comma + 2)


def test_the_reason_is_told() -> None:
    reason = "this is not valid JSON: JSON has no `NaN`"
    expect(CODE, HEAD + ', "x": «NaN»}}}]}', reason)


@STYLES
def test_nothing_is_found(style: dict[str, object]) -> None:
    expect_nothing(CODE, text_of(agent(), style=style))
    expect_nothing(CODE, "\ufeff" + text_of(agent(), style=style))


def test_without_a_boot_message_it_is_none_of_our_business() -> None:
    expect_nothing(CODE, '{"agents": [{"name": "A",}]}')
    expect_nothing(CODE, '{"agents": [// bootMessage\n]}')


def test_another_file_of_that_name() -> None:
    expect_nothing(CODE, '{"agents": {"a": {"bootMessage": 1,}}}')
