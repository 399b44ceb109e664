"""Equal lines of two texts: right for any texts, and as git and patch read them."""

import difflib
import subprocess
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from msgls.text.linediff import line_edits, matching_blocks, unified_diff
from msgls.text.spans import Edit, Span, apply_edits

TEXTS = st.lists(
    st.sampled_from(["a\n", "b\n", "c\n", "d\n", "e\n", "\n", "f\n", "g\n"]), max_size=30
)


@given(TEXTS, TEXTS)
def test_blocks_are_equal_lines_in_order(a: list[str], b: list[str]) -> None:
    end_a = end_b = 0
    for start_a, start_b, size in matching_blocks(a, b):
        assert size > 0
        assert start_a >= end_a
        assert start_b >= end_b
        end_a, end_b = start_a + size, start_b + size
        assert a[start_a:end_a] == b[start_b:end_b]
    assert (end_a, end_b) <= (len(a), len(b))


@given(TEXTS)
def test_a_text_is_equal_to_itself(lines: list[str]) -> None:
    assert matching_blocks(lines, lines) == ([(0, 0, len(lines))] if lines else [])


PIECES = st.text(st.sampled_from("ab\n\r"), max_size=14)


@given(PIECES, PIECES)
def test_edits_by_line_make_one_text_of_the_other(before: str, after: str) -> None:
    edits = line_edits(before, after)
    assert apply_edits(before, edits) == after
    assert bool(edits) == (before != after)


def test_edits_by_line_leave_alone_what_lies_between() -> None:
    before = "first\none\nlast\n"
    edits = line_edits(before, "firSt\none\nlast\n\nmore\n")
    assert edits == [Edit(Span(3, 4), "S"), Edit(Span(15, 15), "\nmore\n")]


def test_a_few_edits_are_shown_as_difflib_shows_them() -> None:
    before = [f"line {number}\n" for number in range(40)]
    after = [*before[:5], "new\n", *before[5:20], "other\n", *before[21:]]
    assert list(unified_diff(before, after, "f")) == [
        "--- f\n+++ f\n",
        *list(difflib.unified_diff(before, after, "f", "f"))[2:],
    ]


@given(TEXTS, TEXTS)
def test_patch_makes_the_other_text_of_it(a: list[str], b: list[str]) -> None:
    assert _patched(a, list(unified_diff(a, b, "f"))) == b


def _patched(lines: list[str], diff: list[str]) -> list[str]:
    """What a unified diff makes of lines, by its own numbers."""
    made: list[str] = []
    at = 0
    for line in diff[1:]:
        if line.startswith("@@"):
            start, _, length = line.split()[1][1:].partition(",")
            first = int(start) - (length != "0")
            made += lines[at:first]
            at = first
        elif line[0] == "+":
            made.append(line[1:])
        else:
            assert lines[at] == line[1:]
            at += 1
            if line[0] == " ":
                made.append(line[1:])
    return made + lines[at:]


def test_git_applies_it(tmp_path: Path) -> None:
    before = [f"line {number % 7}\n" for number in range(60)]
    after = [line for number, line in enumerate(before) if number % 9] + ["end\n"]
    Path(tmp_path, "f").write_text("".join(before), "utf-8")
    diff = "".join(unified_diff(before, after, "f"))
    command = ["git", "apply", "-p0", "-"]
    subprocess.run(command, cwd=tmp_path, input=diff, encoding="utf-8", check=True)
    assert Path(tmp_path, "f").read_text("utf-8") == "".join(after)
