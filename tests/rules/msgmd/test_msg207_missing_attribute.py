"""MSG207: an attribute that must be there and is not."""

import pytest

from tests.notation import each
from tests.rules.support import expect, expect_fix, expect_follows, expect_nothing, fixes

CODE = "MSG207"


def call(rest: str = "", body: str = "<read_file/>", header: str = "Read it") -> str:
    return f"# %%% {header}[^a1.9f3d]\n\n[^a1.9f3d]: [tool]{rest}\n\n{body}\n"


def run(rest: str = "") -> str:
    return f"# %%% R[^c1.1]\n\n[^c1.1]: [python]{rest}\n\nstdout> 1\n"


def agent(rest: str = "", title: str = " Helper") -> str:
    return f'# %%{title} [^d1]\n\n[^d1]: [markdown]{rest} definition="agent"\n'


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (
            call().replace("[tool]", "[«tool»]"),
            "tool call `a1.9f3d` does not name a tool: `name` is missing",
        ),
        (call(' «name=""»'), "tool call `a1.9f3d` does not name a tool: `name` is missing"),
        (
            call(' summary="open').replace("[tool]", "[«tool»]"),
            "tool call `a1.9f3d` does not name a tool: `name` is missing",
        ),
        (
            run().replace("[python]", "[«python»]"),
            "execution output `c1.1` has no result status: `status` is missing",
        ),
        (
            agent().replace("[markdown]", "[«markdown»]"),
            "`d1` defines an agent without a name: `name` is missing",
        ),
        (
            "# %%% 🙂[^文.n]\r\n\r\n[^文.n]: [«tool»]\r\n",
            "tool call `文.n` does not name a tool: `name` is missing",
        ),
        (
            "# %%% C[^a.n]\n\n<x/>\n\n# %% Q[^q]\n\n[^q]: [raw]\n\n[^a.n]: [«tool»] x=1",
            "tool call `a.n` does not name a tool: `name` is missing",
        ),
    ],
)
def test_what_is_missing_is_found(source: str, text: str) -> None:
    expect(CODE, source, text)


@pytest.mark.parametrize(
    "source",
    [
        call(' name="x"'),
        run(" status=success"),
        run(" status=whatever"),
        agent(" name=x"),
        # Not required: on a result, an answer, a message.
        "# %%% R[^a1.9f3d.1]\n\n[^a1.9f3d.1]: [tool]\n",
        "# %%% A[^a1]\n\n[^a1]: [gpt]\n",
        "# %% Q[^q1]\n\n[^q1]: [markdown]\n",
        "# %% Q[^q1]\n\n[^q1]: [code] definition=other\n",
        # Other rules' business: no definition, no sound id, a slip, an open quote, no value.
        "# %%% C[^a1.9f3d]\n\n<x/>\n",
        "# %%% C[^a1]\n\n[^a1]: [tool]\n",
        call(" naem=x"),
        call(' summary="x name=y'),
        call(" name="),
        "# %%% C[^a1.9f3d]\n\n[^a1.9f3d]: [too",
        "```\n" + call() + "```\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


@pytest.mark.parametrize(
    ("source", "fixed"),
    [
        (call(), call(' name="read_file"')),
        (call(" x=1"), call(' name="read_file" x=1')),
        (call(' name="" x=1'), call(' name="read_file" x=1')),
        (call(body="```xml\n<search>\n```"), call(' name="search"', body="```xml\n<search>\n```")),
        (call(body="", header="list_files"), call(' name="list_files"', "", "list_files")),
        (call(body="please"), call(' name="tool"', body="please")),
        (run(" x=1"), run(' status="success" x=1')),
        (run(), run(' status="failure"')),
        (agent(), agent(' name="Helper"')),
        (agent(title=""), agent(' name="d1"', title="")),
    ],
)
@each("newline", ["\n", "\r\n"])
def test_the_fix_inserts_a_likely_value(source: str, fixed: str, newline: str) -> None:
    expect_fix(CODE, source.replace("\n", newline), fixed.replace("\n", newline), safe=False)


def test_both_ends_are_offered() -> None:
    assert [name for name, _, _ in fixes(CODE, run())] == [
        'Insert `status="success"`',
        'Insert `status="failure"`',
    ]


def test_it_follows_what_the_cell_is() -> None:
    counts = expect_follows(
        CODE,
        "---\nagents: {python: {}}\n---\n" + run(),
        ("python: {}", "x: {}"),
        ("x: {}", "python: {}"),
    )
    assert counts == [0, 1, 0]
