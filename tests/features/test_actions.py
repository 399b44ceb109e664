"""Code actions: which are offered where, and what fixes and comments do to the text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.document.document import Document
from msgls.features.actions import (
    CommandAction,
    cell_actions,
    cells_in,
    differences,
    file_actions,
    find_fix,
    fix_actions,
    fix_all_edits,
    ignoring,
    problems_at,
    range_actions,
)
from msgls.features.command_table import CONVERT_TO
from msgls.features.commands import Call, RefusedError, run
from msgls.rules.checker import Checker
from msgls.rules.registry import BY_CODE, RULES
from msgls.text.spans import Span, apply_edits
from msgls.text.work import done
from tests.document.tracked import FRAGMENTS
from tests.features.msgmd.sample import CONVERSATION
from tests.formats.msgmd.made_up import message_files
from tests.notation import table, unmark
from tests.snapshots import snapshot_of


def offered(source: str, *codes: str) -> dict[str, tuple[str, bool]]:
    """The titles of the fixes at the mark: the text after each, and whether it is the best."""
    marked = unmark(source)
    document = Document.open("chat.msg.md", marked.text)
    checker = Checker(snapshot_of(document), [BY_CODE[code] for code in codes] or RULES)
    span = marked.span() if marked.ranges else Span(marked.cursor, marked.cursor)
    problems = problems_at(checker, span)
    found = list(fix_actions(snapshot_of(document), problems))
    return {f.title: (apply_edits(marked.text, f.edits), f.is_preferred) for f in found}


RESULT = (
    "# %%% [^a1]\n\n[^a1]: [bot]\n\n# %%% [^a1.x]\n\n[^a1.x]: [tool] name=t\n\n"
    "# %%% [^a1.y]\n\n[^a1.y]: [tool] name=t\n\n# %%% [^a1.z.¦1]\n\n[^a1.z.1]: [tool]\n\nhi\n"
)


def test_every_way_out_is_offered_and_how_to_be_silent() -> None:
    text = unmark(RESULT).text
    found = offered(RESULT, "MSG302")
    assert list(found)[-1] == "Ignore MSG302 in this cell"
    after = {title: text for title, (text, _) in found.items()}
    assert text.replace("a1.z", "a1.x") in after.values()
    assert text.replace("a1.z", "a1.y") in after.values()
    comment = "[^a1.z.1]: [tool]\n\n<!-- msgls: ignore MSG302 -->\n\nhi\n"
    assert after["Ignore MSG302 in this cell"] == text.replace("[^a1.z.1]: [tool]\n\nhi\n", comment)
    # Which of the two is meant, only a person knows.
    assert not any(best for _, best in found.values())


def test_a_safe_fix_is_the_preferred_one() -> None:
    found = offered("# %% [^m¦1]\n\nHi\n", "MSG101")
    text, best = found["Insert `[^m1]: [markdown]`"]
    assert best
    assert text == "# %% [^m1]\n\n[^m1]: [markdown]\n\nHi\n"


def test_only_problems_in_the_range_count() -> None:
    source = "# %% [^m1]\n\nH{}i\n\n# %% [^m2{}]\n\nYo\n"
    assert not offered(source.format("¦", ""), "MSG101")
    assert len(offered(source.format("", "¦"), "MSG101")) == 2
    assert len(offered("«" + source.format("", "") + "»", "MSG101")) == 3


def test_an_offered_fix_can_be_found_again() -> None:
    marked = unmark(RESULT)
    document = Document.open("chat.msg.md", marked.text)
    checker = Checker(snapshot_of(document), RULES)
    (problem,) = [p for p in checker.problems() if p.code == "MSG302"]
    place = (problem.code, problem.key, *problem.span)
    first, second = (find_fix(checker, problem.label, place, n) for n in (0, 1))
    assert first is not None
    assert first != second
    assert find_fix(checker, problem.label, place, 2) is None
    assert find_fix(checker, problem.label, ("MSG302", "other", 0, 0), 0) is None


@table(
    "before, after",
    {
        "below the definition": (
            "# %% [^1]¦\n\n[^1]: [raw]\n\nHi\n",
            "# %% [^1]\n\n[^1]: [raw]\n\n{}\n\nHi\n",
        ),
        "no blank line": ("# %% [^1]¦\n[^1]: [raw]\nHi\n", "# %% [^1]\n[^1]: [raw]\n\n{}\n\nHi\n"),
        "below the header": ("# %% [^1]¦\r\n\r\nHi\r\n", "# %% [^1]\r\n\r\n{}\r\n\r\nHi\r\n"),
        "at the end": ("# %% [^1]¦", "# %% [^1]\n\n{}"),
        "in the file": ("¦Words\n\n# %% [^1]\n", "{}\n\nWords\n\n# %% [^1]\n"),
        "after the frontmatter": (
            "---\na: 1¦\n---\n\n# %% [^1]\n",
            "---\na: 1\n---\n\n{}\n\n# %% [^1]\n",
        ),
    },
)
def test_where_the_comment_goes(before: str, after: str) -> None:
    marked = unmark(before)
    document = Document.open("chat.msg.md", marked.text)
    placed = document.cell_at_offset(marked.cursor)
    assert placed is not None
    edit = ignoring(snapshot_of(document), placed, "MSG302")
    assert edit is not None
    silent = document.apply([edit])
    assert silent.text == after.format("<!-- msgls: ignore MSG302 -->")
    now = silent.cell_number(document.number_of(placed.label))
    assert [s.codes for s in now.cell.suppressions] == [("MSG302",)]


def test_an_open_frontmatter_takes_no_comment() -> None:
    document = Document.open("chat.msg.md", "---\na: 1\n")
    assert ignoring(snapshot_of(document), document.cell_number(0), "MSG001") is None


_texts = message_files() | st.lists(st.sampled_from(FRAGMENTS), max_size=25).map("".join)


@given(_texts)
def test_ignoring_silences_every_problem(text: str) -> None:
    document = Document.open("chat.msg.md", text)
    for problem in Checker(snapshot_of(document), RULES).problems()[:3]:
        label = problem.label if problem.subject is None else problem.subject
        edit = ignoring(snapshot_of(document), document.cell(label), problem.code)
        if edit is None:
            continue
        silent = document.apply([edit])
        number = document.number_of(label)
        for left in Checker(snapshot_of(silent), [BY_CODE[problem.code]]).problems():
            about = left.label if left.subject is None else left.subject
            assert silent.number_of(about) != number or silent.cell_count != document.cell_count


# -- fix all --------------------------------------------------------------------------------


def test_all_safe_fixes_at_once_touch_little() -> None:
    text = "# %% [^1]\n\nHi\n\n" + CONVERSATION.partition("words.\n\n")[2] + "# %% [^2]\r\n\r\nYo"
    document = Document.open("chat.msg.md", text)
    edits, _ = fix_all_edits(snapshot_of(document), RULES)
    fixed = apply_edits(text, edits)
    assert "[^1]: [markdown]" in fixed
    assert "[^2]: [markdown]" in fixed
    assert sum(edit.span.end - edit.span.start for edit in edits) < 10
    assert not fix_all_edits(snapshot_of(Document.open("chat.msg.md", fixed)), RULES)[0]


def test_what_is_left_is_told_and_why() -> None:
    # What is misspelt last decides nothing, and draws a hint.
    text = (
        "# %% [^1]\n\nHi\n\n# %% [^1]\n\n[^1]: [markdwn] histroy=none sumary=x duratoin=1s\n\nHo\n"
    )
    _, left = fix_all_edits(snapshot_of(Document.open("chat.msg.md", text)), RULES)
    assert left is not None
    why = "4 fixes may change the meaning (MSG103, MSG201, MSG206)"
    assert left == f"4 problems are left: {why}"
    fine = "# %% [^1]\n\n[^1]: [raw]\n\nHi\n"
    assert fix_all_edits(snapshot_of(Document.open("chat.msg.md", fine)), RULES) == ([], None)


@given(_texts, _texts, st.lists(st.tuples(st.integers(0, 99), st.sampled_from(FRAGMENTS))))
def test_differences_lead_from_one_text_to_the_other(
    text: str, other: str, edits: list[tuple[int, str]]
) -> None:
    before = after = Document.open("chat.msg.md", text)
    for place, new in edits:
        at = place * len(after.store) // 100
        after = after.edit(Span(at, at + place % 3), new)
    assert apply_edits(text, differences(before, after)) == after.text
    fresh = Document.open("chat.msg.md", other)
    assert apply_edits(text, differences(before, fresh)) == other


# -- cells ----------------------------------------------------------------------------------


def titles(source: str, path: str = "chat.msg.md") -> list[str]:
    marked = unmark(source)
    document = Document.open(path, marked.text)
    return [action.title for action in cell_actions(snapshot_of(document), marked.cursor)]


def test_what_is_offered_for_a_message() -> None:
    assert titles("# %% A\n\n# %% [^1]\n\n[^1]: [code]\n\nH¦i\n\n# %% B\n") == [
        "Ask assistant",
        "Insert execution cell",
        "Insert message cell below",
        "Insert output cell below",
        "Exclude cell from history",
        "Split cell",
        "Insert message cell above",
        "Insert output cell above",
        "Merge cell with next",
        "Move cell down",
        "Move cell up",
        "Duplicate cell",
        "Fork from here",
        "Delete cell",
        "Change cell type to `markdown`",
        "Change cell type to `raw`",
        "Summarize cell in history",
        "Exclude from here",
        "Summarize from here",
        "Reset context below this cell",
        "Reset context",
    ]


def test_what_is_offered_for_outputs() -> None:
    answer = titles(RESULT.replace("¦", "").replace("[bot]", "[bot]¦ history=none"))
    assert "Insert tool call cell" in answer
    assert "Insert tool result cell" not in answer
    assert "Make `bot` the default agent" in answer
    assert "Include cell in history" in answer
    assert "Exclude cell from history" not in answer
    assert "Go to the first tool call" in answer
    assert "Split cell" not in answer
    result = titles(RESULT.replace("a1.z", "a1.y"))
    assert "Insert tool result cell" in result
    assert "Renumber results" not in result
    skipped = RESULT.replace("a1.z", "a1.y").replace("y.¦1", "y.¦3").replace("y.1]", "y.3]")
    assert "Renumber results" in titles(skipped)
    assert "Go to the cell that this one belongs to" in result
    # Nothing is offered that would be refused.
    assert "Merge cell with next" not in answer
    assert "Move cell up" not in result
    assert "Move cell down" not in answer
    followed = RESULT.replace("¦", "").replace("[bot]", "[bot]¦") + "\n# %% B\n"
    assert "Move cell down" in titles(followed)
    assert not [title for title in result if title.startswith("Change cell type")]


def test_what_is_offered_elsewhere() -> None:
    outside = ["Insert message cell below", "Insert output cell below"]
    assert titles("Wor¦ds\n") == outside
    assert titles("¦") == outside
    assert titles("# %% A¦\n", "notes.md") == []


def test_what_is_offered_for_several_cells() -> None:
    text = "# %% A\n\n# %% [^1]\n\n[^1]: [raw] history=exclude\n\n# %% B\n"
    document = Document.open("chat.msg.md", text)

    def offered(start: str, end: str) -> list[tuple[str, str]]:
        span = Span(text.index(start), text.index(end))
        return [
            (action.title, action.command) for action in range_actions(snapshot_of(document), span)
        ]

    assert offered("A", "history") == [
        ("Include 2 cells in history", "msgls.history.include"),
        ("Exclude 2 cells from history", "msgls.history.exclude"),
        ("Summarize 2 cells in history", "msgls.history.summarize"),
    ]
    # An editor that selects a cell selects up to the start of the next one.
    assert offered("# %% A", "# %% [^1]") == []
    assert offered("A", "A") == []


def test_what_a_document_can_be_converted_to() -> None:
    actions = list(file_actions(snapshot_of(Document.open("chat.msg.md", "# %% A\n"))))
    assert actions[0][:3] == (CONVERT_TO, "Convert to Simple Text Format (@)", {"target": "stf"})
    assert [action.arguments["target"] for action in actions] == [
        *("stf", "stf-semicolon", "messages", "openai", "anthropic", "notebook", "markdown")
    ]
    stf = [
        action.arguments["target"]
        for action in file_actions(snapshot_of(Document.open("a.stf", "@user\n")))
    ]
    assert stf[:3] == ["msgmd", "stf", "stf-semicolon"]
    assert list(file_actions(snapshot_of(Document.open("notes.md", "# %% A\n")))) == []


def refusal(document: Document, offset: int, action: CommandAction) -> str:
    try:
        run(action.command, Call(snapshot_of(document), offset, action.arguments))
    except RefusedError as reason:
        return str(reason)
    return ""


def test_what_is_offered_can_nearly_always_be_done() -> None:
    document = Document.open("chat.msg.md", CONVERSATION)
    refusals: set[str] = set()
    for offset in range(0, len(CONVERSATION), 3):
        for action in cell_actions(snapshot_of(document), offset):
            if action.command.startswith(("msgls.ask.", "msgls.run.")):
                # Whoever has the document does these, bit by bit.
                continue
            refusals.add(refusal(document, offset, action))
    refusals.discard("")
    assert refusals == set()


@given(_texts, st.floats(0, 1))
def test_offering_never_fails(text: str, place: float) -> None:
    document = Document.open("chat.msg.md", text)
    offset = int(place * len(text))
    for action in cell_actions(snapshot_of(document), offset):
        refusal(document, offset, action)


def test_the_cost_follows_the_range() -> None:
    document = Document.open("chat.msg.md", "# %% [^1]\n\nHi\n\n" * 1_000)
    assert [p.start_offset for p in cells_in(document, Span(20, 21))] == [15]
    assert len(list(cells_in(document, Span(20, 31)))) == 2
    checker = Checker(snapshot_of(document), [BY_CODE["MSG101"]])
    labels = {placed.label for placed in cells_in(document, Span(20, 31))}
    everything = [problem for problem in checker.problems() if problem.label in labels]
    assert done(checker.problems_in(labels)) == everything != []


@pytest.mark.parametrize("code", ["MSG104", "MSG302", "MSG601"])
def test_problems_in_a_cell_are_those_that_stand_there(code: str) -> None:
    text = (
        "---\nagents: {bot: {context_window: 9}}\n---\n\n# %% [^1]\n\n"
        + RESULT.replace("¦", "")
        + "\n[^1]: [raw]\n\n"
        + "words " * 50
    )
    document = Document.open("chat.msg.md", text)
    checker = Checker(snapshot_of(document), RULES)
    (problem,) = [p for p in checker.problems() if p.code == code]
    assert problem in done(checker.problems_in({problem.label}))
    assert problem not in done(checker.problems_in({problem.label + 1}))
