"""MSG601: more than the default agent can take."""

import pytest

from msgls.document.document import Document
from msgls.document.snapshot import Surroundings
from msgls.rules.checker import Checker
from msgls.rules.registry import BY_CODE
from msgls.text.spans import Span
from msgls.text.tokens import ESTIMATE, TokenCounter
from tests.rules.support import (
    expect,
    expect_fix,
    expect_follows,
    expect_nothing,
    find,
    fixes,
    message,
)
from tests.snapshots import snapshot_of

CODE = "MSG601"
WORDS = "word " * 100
TOKENS = ESTIMATE.count(WORDS.strip())


def head(window: str, rest: str = "", name: str = "a") -> str:
    return f"---\nagents:\n  {name}:\n    context_window: {window}\n{rest}---\n"


def cell(cell_id: str, percents: str = "%%", kind: str = "markdown", more: str = "") -> str:
    return f"# {percents} T[^{cell_id}]\n\n[^{cell_id}]: [{kind}]{more}\n\n{WORDS}\n\n"


@pytest.mark.parametrize(
    "marked",
    [
        head("«100»") + cell("q1"),
        head("«1000»", "    max_output_tokens: 900\n") + cell("q1"),
        # No room at all.
        head("«10»", "    max_output_tokens: 900\n") + cell("q1"),
        # The system prompt counts.
        head(f"«{TOKENS + 2}»", "    system_prompt: Be as kind as you can.\n") + cell("q1"),
        # A summary counts as far as it goes.
        head("«20»") + cell("q1", more=' history=summary summary="' + "word " * 30 + '"'),
        # Only the name is there, for the number is merged in.
        "---\nb: &b {context_window: 9}\nagents:\n  «a»:\n    <<: *b\n---\n" + cell("q1"),
        # By the name of a model.
        "---\ndefault_agent: m\nagents: {x: {}, a: {models: [m], context_window: «9»}}\n---\n"
        + cell("q1"),
        # A temporary agent.
        "---\ndefault_agent: t\n---\n"
        '# %% T[^t1]\n\n[^t1]: [markdown] definition="agent" name="t"\n\n'
        "---\ncontext_window: «9» # 🙂\n---\n\n" + cell("q1"),
        head("«100»").replace("\n", "\r\n") + cell("猫").replace("\n", "\r\n"),
    ],
)
def test_what_is_too_long_is_found_on_the_window(marked: str) -> None:
    expect(CODE, marked)


def test_the_message() -> None:
    expect(
        CODE,
        head("«110»", "    max_output_tokens: 10\n") + cell("q1"),
        f"the model would see about {TOKENS} tokens (an estimate), but `a` has room for 100: "
        "`context_window` minus `max_output_tokens`",
    )
    expect(
        CODE,
        head("«100»") + cell("q1"),
        f"the model would see about {TOKENS} tokens (an estimate), but `a` has room for 100: "
        "its `context_window`",
    )
    expect(
        CODE,
        head("«9»", "    max_output_tokens: 10\n") + "# %% Q[^q1]\n\n[^q1]: [markdown]\n\nHi\n",
        "the model would see about 1 token (an estimate), but `a` has room for 0: "
        "`context_window` minus `max_output_tokens`",
    )


def test_what_a_tokenizer_has_counted_is_not_an_estimate() -> None:
    surroundings = Surroundings(tokens=TokenCounter(lambda text: len(text.split())))
    _, problems = find(CODE, head("99") + cell("q1"), surroundings=surroundings)
    assert [message(problem) for problem in problems] == [
        "the model would see 100 tokens, but `a` has room for 99: its `context_window`"
    ]


@pytest.mark.parametrize(
    "source",
    [
        cell("q1"),
        "---\nagents: {a: {}}\n---\n" + cell("q1"),
        head(str(TOKENS)) + cell("q1"),
        # Only the default agent counts.
        "---\ndefault_agent: b\nagents: {a: {context_window: 1}, b: {}}\n---\n" + cell("q1"),
        # What the model does not see does not count.
        head("100") + cell("q1", more=" history=exclude"),
        head("100") + cell("q1", "%%%", "a", " virtual=1"),
        head("100") + cell("q1") + cell("r", "%%%", "a", " reset=1"),
        head("100") + cell("q1", more=' history=summary summary="short"'),
        # Half-written.
        "---\nagents: {a: {context_window: \n---\n" + cell("q1"),
        head("many") + cell("q1"),
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


def test_cells_outside_the_section_do_not_count() -> None:
    source = head("100").replace("---\nagents", "---\nmessage_section: true\nagents", 1)
    expect_nothing(CODE, source + cell("q1") + "# Discussion\n", path="notes.md")
    _, problems = find(CODE, source + "# Discussion\n\n" + cell("q1"), "notes.md")
    assert len(problems) == 1


def test_what_stands_below_a_heading_in_a_cell_counts() -> None:
    source = head(str(TOKENS)).replace("---\nagents", "---\nmessage_section: true\nagents", 1)
    source += "# Discussion\n\n" + cell("q1")
    expect_nothing(CODE, source, path="notes.md")
    inside = source + f"# Appendix\n\n{WORDS}\n"
    counts = expect_follows(CODE, inside, (f"# Appendix\n\n{WORDS}\n", ""), path="notes.md")
    assert counts == [1, 0]


def test_definitions_at_the_end_do_not_count() -> None:
    away = "".join(f"[^x{number}]: [markdown] title=words\n" for number in range(20))
    cells = "".join(f"# %% [^x{number}]\n" for number in range(20))
    expect_nothing(CODE, head(str(TOKENS)) + cells + cell("q1") + away)


def test_a_fenced_block_stands_in_as_a_whole() -> None:
    fence = "```\nshort\n\n" + WORDS + "\n```\n\nMore.\n"
    source = "# %% Q[^q1]\n\n[^q1]: [markdown] history=summary\n\n" + fence
    assert len(find(CODE, head(str(TOKENS)) + source)[1]) == 1
    expect_nothing(CODE, head(str(TOKENS + 4)) + source)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_the_fix_excludes_the_oldest(newline: str) -> None:
    source = head(str(2 * TOKENS)) + cell("q1") + cell("q2") + cell("q3")
    fixed = head(str(2 * TOKENS)) + cell("q1", more=" history=exclude") + cell("q2") + cell("q3")
    expect_fix(
        CODE,
        source.replace("\n", newline),
        fixed.replace("\n", newline),
        safe=False,
        name="Exclude the oldest cell",
    )


def test_an_answer_goes_with_its_calls_and_results() -> None:
    def turn(more: str) -> str:
        return (
            cell("a1", "%%%", "a", more)
            + cell("a1.n", "%%%", "tool", more)
            + cell("a1.n.1", "%%%", "tool", more)
        )

    first = head(str(TOKENS))
    expect_fix(
        CODE,
        first + turn("") + cell("q2"),
        first + turn(" history=exclude") + cell("q2"),
        safe=False,
        name="Exclude the 3 oldest cells",
    )


def test_what_the_fix_leaves_and_how_it_writes() -> None:
    source = (
        head(str(2 * TOKENS + 20))
        + cell("s", more=" role=system")
        + cell("v", more=" virtual=1 history=include")
        + cell("q1", more=' history="include"')
        + f"# %% No id\n\n{WORDS}\n\n"
        + f"# %% Away[^x]\n\n{WORDS}\n\n"
        + cell("q9")
        + "[^x]: [markdown]\n"
    )
    ((_, _, fixed),) = fixes(CODE, source)
    assert fixed == (
        head(str(2 * TOKENS + 20))
        + cell("s", more=" role=system")
        + cell("v", more=" virtual=1 history=include")
        + cell("q1", more=" history=exclude")
        + f"# %% No id[^m1]\n\n[^m1]: [markdown] history=exclude\n\n{WORDS}\n\n"
        + f"# %% Away[^x]\n\n{WORDS}\n\n"
        + cell("q9")
        + "[^x]: [markdown] history=exclude\n"
    )


def test_the_last_turn_is_never_excluded() -> None:
    assert fixes(CODE, head("10") + cell("q1") + cell("q2")) == []


def test_it_follows_other_cells() -> None:
    counts = expect_follows(
        CODE,
        head(str(TOKENS + 10)) + cell("q1") + cell("q2", more=" history=exclude"),
        ("history=exclude", "history=include"),
        ("history=include", "history=summary summary=x"),
        ("\n\n" + WORDS, "\n\n" + WORDS * 2),
        ("context_window", "context_windou"),
        ("context_windou", "context_window"),
        ("[^q2]: [markdown]", "[^q2]: [markdown] reset=1"),
    )
    assert counts == [0, 1, 0, 1, 0, 1, 0]


def test_nothing_is_counted_where_nobody_asks() -> None:
    document = Document.open("chat.msg.md", cell("q1"))
    checker = Checker(snapshot_of(document), [BY_CODE[CODE]])
    assert checker.tokens == 0
    # So large a window cannot overflow, however many tokens a character may have.
    document = document.edit(Span(0, 0), head("5000"))
    checker.update(document)
    assert checker.tokens == 0
    at = document.text.index("5000")
    document = document.edit(Span(at, at + 4), "200")
    checker.update(document)
    assert checker.tokens == TOKENS
    document = document.edit(Span(at, at + 3), "5000").edit(Span(at + 4, at + 4), "\n" + "#" * 6000)
    checker.update(document)
    assert checker.tokens == Checker(snapshot_of(document), [BY_CODE[CODE]]).tokens > 0
