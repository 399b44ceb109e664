"""STF019: a result that answers no call."""

import pytest

from tests.rules.stf.support import expect, expect_fix, expect_follows, expect_nothing, fixes

CODE = "STF019"
CALL = "@ai\n@call id=c1\nf {}\n"
RAW_CALL = ";raw\n{role: 'assistant', tool_calls: [{id: 'c1', name: 'f'}]}\n;end\n"


@pytest.mark.parametrize(
    ("marked", "message"),
    [
        (CALL + "@tool call_id=«c2»\nx\n", "no call before this result has the id `c2`"),
        (CALL + "@tool call_id=«'c 2'»\nx\n", "no call before this result has the id `c 2`"),
        ("@tool call_id=«c1»\nx\n" + CALL, "no call before this result has the id `c1`"),
        (CALL + "@user call_id=«c2»\nx\n", "no call before this result has the id `c2`"),
        (
            RAW_CALL + ";raw\n{role: 'tool', tool_call_id: «'c2'»}\n;end\n",
            "no call before this result has the id `c2`",
        ),
        (
            RAW_CALL + ";raw\n{role: 'tool', call_id: «'c2'»}\n;end\n",
            "no call before this result has the id `c2`",
        ),
        ("«@tool»\nx\n", "no unanswered call is left for this result"),
        (CALL + "@tool\nx\n«@tool» name=f\ny\n", "no unanswered call is left for this result"),
        (CALL + "@tool call_id=c1\nx\n«@tool»\ny\n", "no unanswered call is left for this result"),
        (CALL + "@ai\nNo.\n«@tool»\nx\n", "no unanswered call is left for this result"),
        ("@tool call_id=«c1»\nx\n", "no call before this result has the id `c1`"),
        (
            RAW_CALL + ";raw\n{role: 'tool'}\n;end\n«;msg»\nx\n",
            "no unanswered call is left for this result",
        ),
    ],
)
def test_it_is_found(marked: str, message: str) -> None:
    expect(CODE, marked, message)


@pytest.mark.parametrize(
    "source",
    [
        CALL + "@tool\nx\n",
        CALL + "@tool call_id=c1\nx\n@tool call_id=c1\ny\n",
        "@ai\n@call\nf {}\n@call\ng {}\n@tool\nx\n@tool\ny\n",
        CALL + "@user\nWait.\n@tool\nx\n",
        RAW_CALL + ";tool\nx\n",
        RAW_CALL + ";raw\n{role: 'tool', call_id: 'c1'}\n;end\n",
        RAW_CALL + ";msg\n;raw\n{role: 'user'}\n;end\n;msg\nx\n",
        # A late result names the call of an earlier turn.
        CALL + "@ai\nWait.\n@tool call_id=c1\nx\n",
        "@user\nx\n@ai\ny\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


def test_each_open_call_is_offered() -> None:
    calls = "@ai\n@call id=c1\nf {}\n@call id='c 2'\ng {}\n@call id=c3\nh {}\n@tool\nx\n"
    source = calls + "@tool call_id=c9\ny\n"
    assert fixes(CODE, source) == [
        ("Make it a result of the call `c3`", False, source.replace("c9", "c3")),
        ("Make it a result of the call `c 2`", False, source.replace("c9", '"c 2"')),
    ]


def test_a_result_that_names_none_gets_a_name() -> None:
    source = CALL + "@ai\nWait.\n@tool name=f\nx\n"
    fixed = source.replace("@tool", "@tool call_id=c1")
    expect_fix(CODE, source, fixed, safe=False, name="Make it a result of the call `c1`")


def test_ids_in_json_stay_in_quotes() -> None:
    source = RAW_CALL + ";raw\n{role: 'tool', call_id: 'c2'}\n;end\n"
    expect_fix(CODE, source, source.replace("'c2'", '"c1"'), safe=False)


def test_it_follows_the_calls_before() -> None:
    edits = (
        ("id=c1", "id=c2"),
        ("call_id=c1", "call_id=c2"),
        ("@call id=c2\n", ""),
        ("@ai", "@msg"),
    )
    assert expect_follows(CODE, CALL + "@tool call_id=c1\nx\n", *edits) == [0, 1, 0, 1, 1]
