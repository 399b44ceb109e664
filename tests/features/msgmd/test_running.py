"""Runs that are written while they come: valid at any moment, whatever a program prints."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from msgls.api import check_text
from msgls.document.document import Document
from msgls.features.commands import RefusedError
from msgls.features.msgmd.running import (
    Displays,
    LiveRun,
    clear_outputs,
    code_at,
    code_cells,
    code_of,
)
from msgls.formats.base import CellRole
from msgls.text.spans import Edit, Span, difference, sorted_edits
from tests.snapshots import snapshot_of

TIME = "2025-01-01T00:00:00+00:00"
FILE = "# %% [^c1]\n\n[^c1]: [code]\n\nFirst:\n\n```python\nprint(1)\n```\n"
NEXT = "\n# %% [^m9]\n\n[^m9]: [markdown]\n\nNext.\n"
HEAD = f'[python] time="{TIME}"'
DONE = {"event": "done", "status": "ok", "seconds": 0.012}


def started(count: int = 1) -> dict[str, Any]:
    return {"event": "started", "count": count}


def text(*lines: str, rest: str = "", stream: str = "stdout") -> dict[str, Any]:
    return {"event": "text", "stream": stream, "lines": list(lines), "rest": rest}


def data(kind: str = "display", id: str | None = None, **ways: str) -> dict[str, Any]:
    names = {"plain": "text/plain", "html": "text/html", "png": "image/png"}
    return {
        "event": "data",
        "kind": kind,
        "id": id,
        "data": [(names[name], content, None, {}) for name, content in ways.items()],
    }


def written(document: Document, live: LiveRun) -> Document:
    edits = live.edits(document)
    assert edits is not None
    after = document.apply(edits)
    for edit in reversed(sorted_edits(edits)):
        live.follow(edit)
    assert live.settle(after)
    return after


def run(
    source: str,
    events: Sequence[dict[str, Any]],
    *,
    replaces: bool = False,
    path: str = "a.msg.md",
    displays: Displays | None = None,
) -> str:
    """What a file says after a run, each event written as it comes."""
    document = Document.open(path, source)
    live = code_of(snapshot_of(document), "c1").run(
        TIME, {} if displays is None else displays, replaces=replaces
    )
    for event in events:
        live.take(event)
        document = written(document, live)
    assert live.is_written
    return document.text


def test_what_a_code_cell_says() -> None:
    snapshot = snapshot_of(Document.open("a.msg.md", FILE + NEXT))
    assert code_at(snapshot, 3)[:3] == ("c1", "python", "print(1)\n")
    assert code_cells(snapshot) == ["c1"]
    with pytest.raises(RefusedError, match="not a code cell"):
        code_of(snapshot, "m9")
    with pytest.raises(RefusedError, match="no cell `x`"):
        code_of(snapshot, "x")


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("text", "no code"),
        ("```\n1\n```", "name the language"),
        ("```Ada\n1\n```", "is an agent here"),
        ("```tool\n1\n```", "would be a call"),
        ("```py]x\n1\n```", "`py]x` cannot be run"),
        ('```py"history=none\n1\n```', "not allowed as the type"),
        ("```[^c1]:\n1\n```", "not allowed as the type"),
        ("```python\n1\n```\n\n# %% [^c1]\n", "several cells have the id `c1`"),
    ],
)
def test_what_cannot_be_run_is_said(body: str, why: str) -> None:
    source = (
        f"---\nagents:\n  Ada:\n    models: [m]\n---\n\n# %% [^c1]\n\n[^c1]: [code]\n\n{body}\n"
    )
    with pytest.raises(RefusedError, match=why):
        code_of(snapshot_of(Document.open("a.msg.md", source)), "c1")


def test_code_whose_runs_could_not_be_told_from_answers_is_not_run() -> None:
    document = Document.open("a.msg.md", FILE.replace("c1", "c1.2"))
    with pytest.raises(RefusedError, match="has a dot"):
        code_of(snapshot_of(document), "c1.2")


def test_the_lines_of_a_program_stand_after_its_code() -> None:
    after = run(
        FILE + NEXT, [started(4), text(rest="a"), text("a", "b"), text("x", stream="stderr"), DONE]
    )
    run_cell = (
        f'\n# %%% [^c1.4]\n\n[^c1.4]: {HEAD} status="success" duration=12ms\n\n'
        "stdout> a\nstdout> b\nstderr> x\n"
    )
    assert after == FILE + run_cell + NEXT


def test_a_run_stands_as_deep_as_its_code() -> None:
    events = [started(), text("a"), data(plain="1"), DONE]
    after = run(FILE.replace("# %% [^c1]", "## %% Title[^c1]"), events)
    assert "\n## %%% [^c1.1]\n" in after
    assert "\n## %%% [^c1.1.2]\n" in after


def test_headings_of_an_output_do_not_end_the_section() -> None:
    head = "---\nmessage_section: Lab\n---\n\n# Notes\n\n## Lab\n\n"
    source = head + FILE.replace("# %%", "### %%")
    after = run(source, [started(), data(html="# Big\n\n## Lab"), DONE], path="notes.md")
    assert after.endswith("\n\n#### Big\n\n##### Lab\n")
    assert check_text(after, path="notes.md") == []


def test_a_run_says_that_it_has_not_ended() -> None:
    after = run(FILE, [started(), text(rest="half")])
    assert after.endswith(f'{HEAD} status="failure" incomplete=1\n\nstdout> half\n')


def test_results_in_several_ways_are_cells_of_their_own() -> None:
    after = run(
        FILE,
        [
            started(),
            text("a"),
            data("result", plain="1", html="<b>1</b>"),
            data(plain="<Figure>", png="iVBO"),
            DONE,
        ],
    )
    assert after.partition("stdout> a\n")[2] == (
        '\n# %%% [^c1.1.2]\n\n[^c1.1.2]: [python] status="success" output="result"\n\nstdout> 1\n'
        '\n# %%% [^c1.1.3]\n\n[^c1.1.3]: [python] status="success" mime_type="text/html" '
        'output="alternative"\n\n<b>1</b>\n'
        '\n# %%% [^c1.1.4]\n\n[^c1.1.4]: [python] status="success" mime_type="image/png" '
        'alt="<Figure>"\n\niVBO\n'
    )


def test_what_is_cleared_goes_and_what_is_updated_changes() -> None:
    clear = {"event": "clear"}
    events = [started(), text("a"), data(html="<b>x</b>"), clear, text("b"), DONE]
    assert run(FILE, events).endswith("duration=12ms\n\nstdout> b\n")
    update = data("update", id="d", html="<i>2</i>")
    events = [started(), data(id="d", html="<b>1</b>"), text("a"), update, DONE]
    after = run(FILE, events)
    assert "<i>2</i>\n\n# %%% [^c1.1.2]" in after
    assert "<b>1</b>" not in after


FIGURE = data(id="d", plain="<Figure>", html="<b>1</b>")


@pytest.mark.parametrize(
    ("ways", "wanted"),
    [
        (
            {"plain": "<Table>", "html": "<b>2</b>"},
            'mime_type="text/html" alt="<Table>"\n\n<b>2</b>\n',
        ),
        # A cell for each way is there from the beginning.
        ({"plain": "two\nlines", "html": "<b>2</b>"}, 'mime_type="text/html"\n\n<b>2</b>\n'),
        ({"plain": "2"}, 'output="display"\n\nstdout> 2\n'),
    ],
)
def test_what_is_shown_twice_is_updated_twice_and_also_by_a_later_run(
    ways: dict[str, str], wanted: str
) -> None:
    update = data("update", id="d", **ways)
    once = run(FILE, [started(), FIGURE, text("a"), FIGURE, update, DONE])
    assert once.count(f" {wanted}") == 2
    assert "<b>1</b>" not in once
    displays: Displays = {}
    before = run(FILE, [started(), FIGURE, text("a"), FIGURE, DONE], displays=displays)
    assert before.count("<b>1</b>") == 2
    later = run(before, [started(2), text("b"), update, DONE], displays=displays)
    assert later == once + later[later.index("\n# %%% [^c1.2]") :]
    last = data("update", id="d", html="<i>3</i>")
    assert run(later, [started(3), last, DONE], displays=displays).count("<i>3</i>") == 2


def test_what_shows_nothing_yet_has_its_place() -> None:
    displays: Displays = {}
    events = [started(), data(id="d"), text("x"), data("update", "d", html="<b>1</b>")]
    once = run(FILE, [*events[:3], DONE], displays=displays)
    assert 'duration=12ms output="display"\n\n# %%% [^c1.1.2]' in once
    for after in (
        run(FILE, [*events, DONE]),
        run(once, [started(2), events[3], DONE], displays=displays),
    ):
        shown = 'duration=12ms mime_type="text/html"\n\n<b>1</b>\n\n# %%% [^c1.1.2]'
        assert shown in after
    assert run(FILE, [started(), data(), DONE]).count("# %%%") == 1


def test_what_a_file_holds_is_updated_too() -> None:
    def shown(kind: str, content: str | None, file: str | None) -> dict[str, Any]:
        return {**data(kind, "d"), "data": [("text/html", content, file, {})]}

    updates = [("1", None), (None, "a.c1.1.html"), (None, "a.c1.1-2.html"), ("2", None)]
    events = [started(), shown("display", None, "a.html"), text("x")]
    about = '[^c1.1]: [python] time="2025-01-01T00:00:00+00:00" status="failure" incomplete=1'
    for content, file in updates:
        events.append(shown("update", content, file))
        says = f' output_file="{file}"' if file else f"\n\n{content}"
        assert f'{about} mime_type="text/html"{says}\n\n# %%%' in run(FILE, events)
    displays: Displays = {}
    once = run(FILE, [*events[:2], DONE], displays=displays)
    assert 'mime_type="text/html" output_file="a.html"\n' in once
    twice = run(once, [started(2), *events[3:-1], DONE], displays=displays)
    assert 'mime_type="text/html" output_file="a.c1.1-2.html"\n' in twice
    assert "a.html" not in twice


def test_what_somebody_wrote_into_an_output_is_not_updated() -> None:
    displays: Displays = {}
    before = run(FILE, [started(), FIGURE, DONE], displays=displays).replace("<b>1", "<b>mine 1")
    update = data("update", id="d", plain="<Figure>", html="<b>2</b>")
    after = run(before, [started(2), update, text("b"), DONE], displays=displays)
    assert after.startswith(before)
    assert "<b>2" not in after


def test_an_update_that_an_editor_refused_is_given_again() -> None:
    displays: Displays = {}
    document = Document.open("a.msg.md", run(FILE, [started(), FIGURE, DONE], displays=displays))
    live = code_of(snapshot_of(document), "c1").run(TIME, displays)
    for event in (started(2), data("update", id="d", plain="<Figure>", html="<b>2</b>"), DONE):
        live.take(event)
    assert live.edits(document)
    typed = Edit(Span(0, 0), "typed\n\n")
    document = document.apply([typed])
    live.follow(typed)
    assert not live.settle(document)
    document = written(document, live)
    assert "<b>2</b>" in document.text
    assert "<b>1</b>" not in document.text
    assert document.text.count("[^c1.2]:") == 1


def test_what_somebody_wrote_into_an_output_is_not_cleared() -> None:
    document = Document.open("a.msg.md", FILE)
    live = code_of(snapshot_of(document), "c1").run(TIME, {})
    for event in (started(), text("a", "b")):
        live.take(event)
        document = written(document, live)
    at = document.text.index("stdout> b")
    edit = Edit(Span(at, at), "mine\n")
    document = document.apply([edit])
    live.follow(edit)
    for event in ({"event": "clear"}, text("c"), DONE):
        live.take(event)
        document = written(document, live)
    assert "mine\n" in document.text
    assert document.text.endswith("stdout> c\n")


def test_numbers_grow_though_a_new_kernel_counts_from_one() -> None:
    once = run(FILE, [started(5), text("a"), DONE])
    twice = run(once, [started(1), text("b"), DONE])
    assert '[^c1.6]: [python] time="' in twice
    assert "execution_count=1\n" in twice
    assert run(twice, [started(9), DONE]).count("[^c1.9]") == 2


def test_a_run_can_replace_the_last_one() -> None:
    once = run(FILE + NEXT, [started(1), text("a"), DONE])
    twice = run(once, [started(2), text("b"), data(html="x"), DONE])
    after = run(twice, [started(3), text("c"), DONE], replaces=True)
    assert "[^c1.1]" in after
    assert "[^c1.2" not in after
    assert after.endswith("stdout> c\n" + NEXT)


@pytest.mark.parametrize(
    ("last", "said"),
    [
        ({"status": "died", "code": -9}, "the kernel died, with exit code -9"),
        ({"status": "timeout"}, "stopped: the time limit was reached"),
        ({"status": "restarted"}, "stopped: the kernel was restarted"),
        ({"status": "broken", "said": "the runner ended"}, "the runner ended"),
    ],
)
def test_a_failure_says_what_happened(last: dict[str, Any], said: str) -> None:
    after = run(FILE, [started(), text("a"), {"event": "done", **last}])
    assert 'status="failure"' in after
    assert after.endswith(f"stdout> a\nstderr> msgls: {said}\n")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"dropped": 1_234}, "1,234 characters were not kept"),
        ({"left_out": 1_234}, "1,234 outputs were not kept"),
        ({"lost": True}, "some of the output may be missing: its end did not arrive"),
    ],
)
def test_what_is_missing_in_a_run_is_said(more: dict[str, Any], said: str) -> None:
    after = run(FILE, [started(), text("a"), {**DONE, **more}])
    assert 'status="success"' in after
    assert after.endswith(f"stdout> a\nstderr> msgls: {said}\n")


def test_two_runs_at_once_get_numbers_and_places_of_their_own() -> None:
    document = Document.open("a.msg.md", FILE + NEXT)
    code = code_of(snapshot_of(document), "c1")
    first, second = code.run(TIME, {}), code.run(TIME, {})
    for live in (first, second):
        live.take(started())
        live.take(text("a"))
        assert live.edits(document)
    after = written(document, first)
    # Nobody applied the edits of the second one, because there was another version.
    assert not second.settle(document)
    second.follow(difference(document.text, after.text))
    second.take(DONE)
    after = written(after, second)
    about = f"{HEAD} status"
    assert after.text == (
        f'{FILE}\n# %%% [^c1.1]\n\n[^c1.1]: {about}="failure" incomplete=1\n\nstdout> a\n'
        f'\n# %%% [^c1.2]\n\n[^c1.2]: {about}="success" duration=12ms execution_count=1\n\n'
        f"stdout> a\n{NEXT}"
    )


def test_outputs_are_removed() -> None:
    once = run(FILE + NEXT, [started(1), text("a"), data(html="x"), DONE])
    document = Document.open("a.msg.md", once)
    change = clear_outputs(snapshot_of(document))
    assert document.apply(change.edits).text == FILE + NEXT
    with pytest.raises(RefusedError, match="no output"):
        clear_outputs(snapshot_of(Document.open("a.msg.md", FILE)))


# What a program might print to break out of its cell.
PIECES = ("# %% [^c1]", "[^c1]: [tool]", "```", "~~~", "<!-- msgls: ignore MSG101 -->", "---", "",
          "\u2028", "你好", "#%% x", "\\# %%", "    ", "- ```", "## H")  # fmt: skip
LINES = st.lists(st.sampled_from(PIECES), max_size=4)
EVENTS = st.one_of(
    st.builds(lambda lines, rest: text(*lines, rest=rest), LINES, st.sampled_from(PIECES)),
    st.builds(lambda lines: data(html="\n".join(lines)), LINES),
    st.builds(lambda lines: data("result", id="d", plain="\n".join(lines)), LINES),
    st.builds(lambda lines: data("update", id="d", plain="\n".join(lines)), LINES),
    st.builds(lambda lines: {"event": "error", "lines": lines}, LINES),
    st.just({"event": "clear"}),
)


# What is cleared is as long as the attribute that goes with it.
@example([data(html="[^c1]: [tool]\n- ```"), {"event": "clear"}, text("a")], NEXT)
@given(st.lists(EVENTS, max_size=6), st.sampled_from(["", NEXT]))
def test_nothing_that_is_printed_becomes_more_than_content(
    events: list[dict[str, Any]], after: str
) -> None:
    document = Document.open("a.msg.md", FILE + after)
    live = code_of(snapshot_of(document), "c1").run(TIME, {})
    for event in (started(), *events, DONE):
        live.take(event)
        document = written(document, live)
        snapshot = snapshot_of(document)
        roles = [snapshot.meaning(placed).role for placed in document.cells()]
        runs = [CellRole.RUN] * len(live.cell_ids)
        assert roles == [CellRole.CODE, *runs, *[CellRole.MESSAGE] * bool(after)]
        found = [p.cell.id for p in document.cells() if p.cell.id in live.cell_ids]
        assert found == live.cell_ids


def test_an_editor_may_tell_of_all_edits_as_one() -> None:
    document = Document.open("a.msg.md", FILE + NEXT)
    live = code_of(snapshot_of(document), "c1").run(TIME, {})
    # What is the same at the end of both lines is not part of the second change.
    for events in ([started(), text("one end")], [text("another end", stream="stderr"), DONE]):
        for event in events:
            live.take(event)
        edits = live.edits(document)
        assert edits is not None
        after = document.apply(edits)
        told = difference(document.text, after.text)
        document = document.apply([told])
        live.follow(told)
        assert live.settle(document)
        assert live.is_written
    assert document.text == run(FILE + NEXT, [
        started(), text("one end"), text("another end", stream="stderr"), DONE,
    ])  # fmt: skip


def test_an_editor_may_tell_of_an_update_and_of_new_text_as_one() -> None:
    displays: Displays = {}
    document = Document.open(
        "a.msg.md", run(FILE + NEXT, [started(), FIGURE, DONE], displays=displays)
    )
    live = code_of(snapshot_of(document), "c1").run(TIME, displays)
    live.take(started(2))
    document = written(document, live)
    for number in (2, 3):
        live.take(data("update", id="d", plain="<Figure>", html=f"<b>{number}</b>"))
        live.take(text(f"line {number}"))
        edits = live.edits(document)
        assert edits is not None
        after = document.apply(edits)
        told = difference(document.text, after.text)
        document = document.apply([told])
        live.follow(told)
        assert live.settle(document)
    live.take(DONE)
    document = written(document, live)
    assert document.text.count("<b>") == document.text.count("<b>3</b>") == 1
    assert document.text.endswith(f"\n\nstdout> line 2\nstdout> line 3\n{NEXT}")


TYPED = st.tuples(st.sampled_from(["First:", "Next."]), st.sampled_from(["a", "é ", "\n", "你"]))


@given(st.lists(st.tuples(EVENTS, st.lists(TYPED, max_size=2)), max_size=6))
def test_what_is_typed_meanwhile_changes_nothing_of_a_run(
    steps: list[tuple[dict[str, Any], list[tuple[str, str]]]],
) -> None:
    source = FILE + NEXT
    document = Document.open("a.msg.md", source)
    live = code_of(snapshot_of(document), "c1").run(TIME, {})
    for event, typed in ((started(), []), *steps, (DONE, [])):
        live.take(event)
        for before, letters in typed:
            # The edit that was made for an older version is refused, as by an editor.
            assert live.edits(document) is not None
            find = document.text.index if before == "First:" else document.text.rindex
            edit = Edit(Span(find(before), find(before)), letters)
            document = document.apply([edit])
            live.follow(edit)
            live.settle(document)
            head, word, tail = source.partition(before)
            source = head + letters + word + tail
        document = written(document, live)
    # As if all of it had been typed first.
    assert document.text == run(source, [started(), *[event for event, _ in steps], DONE])
