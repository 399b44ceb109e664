"""MSG405: a line of output that does not name its stream."""

import pytest

from tests.notation import each
from tests.rules.support import expect, expect_fix, expect_follows, expect_nothing, fixes

CODE = "MSG405"
ONE = "this line does not name its stream: start it with `stdout>` or `stderr>`"
MANY = "these lines do not name their stream: start each with `stdout>` or `stderr>`"


def run(body: str, rest: str = "") -> str:
    return f"# %%% R[^c1.1]\n\n[^c1.1]: [python] status=success{rest}\n\n{body}"


@pytest.mark.parametrize(
    ("source", "texts"), [(run("«42»\n"), [ONE]), (run("«1\n\n2\n3»\nstdout> 4\n«5»"), [MANY, ONE])]
)
def test_lines_that_follow_each_other_are_one_problem(source: str, texts: list[str]) -> None:
    expect(CODE, source, *texts)


@pytest.mark.parametrize(
    "source",
    [
        run("stdout> 1\n«🙂 文»\nstderr> 2\n", " mime_type=text/plain"),
        run("stdout> 1\n« stdout> 2»\n"),
        run("«stdout: 1\nSTDOUT> 2»\n"),
        run("«a»\n```\n«# %% no cell\n~~~»\nstdout> b\n```\n«c»\n"),
        run("stdout> a\n«b»\nstdout> c\n").replace("\n", "\r\n"),
        run("stdout> a\n«b»\nstdout> c\n").replace("\n", "\r"),
        run("«## Plan\n[^1]: a footnote»\n"),
        # The comment, the conflict and the near miss are not output, or another rule's.
        run("«a\n<!-- msgls: ignore MSG207 -->\nb»\n"),
        run("«a»\n<<<<<<< ours\n«b»\n#%% x\n«c»\n"),
        # Right below the header; the definition stands elsewhere.
        "# %%% R[^c1.1]\n«x»\n\n# %% Q[^q]\n\n[^q]: [raw]\n\n[^c1.1]: [python]\n",
        "# %%% R[^c1.1]\n\n[^c1.1]: [python]\n\n«x»\n\n[^q]: [raw]\n\n# %% Q[^q]\n",
        run("«a\x85b\u2028c\x0cd»\n"),
    ],
)
def test_unmarked_lines_are_found(source: str) -> None:
    expect(CODE, source)


@pytest.mark.parametrize(
    "source",
    [
        run(""),
        run("stdout> 1\nstderr> 2\n\n  \t\nstdout>\n"),
        run("stdout> 1\r\n\r\nstderr> 2\r\n"),
        run("```text\nstdout> 1\n```\n"),
        run("```text\nstdout> 1\n"),
        run("stdout> a\x85b\u2028c\n"),
        "# %%% R[^c1.1]\n\n[^c1.1]: [python]",
        # Not text, or nobody knows.
        run("42\n", " mime_type=application/json"),
        run("<svg/>\n", " mime_type=image/svg+xml"),
        run("iVBO\n", " mime_type=image/png"),
        run("42\n", " mime_type=oops"),
        # Other cells.
        "# %%% A[^a]\n\n[^a]: [gpt]\n\n42\n",
        "# %%% R[^a.n.1]\n\n[^a.n.1]: [tool] status=success\n\n42\n",
        "```\n" + run("42\n") + "```\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


@pytest.mark.parametrize(
    ("source", "fixed", "name"),
    [
        (run("42"), run("stdout> 42"), "Insert `stdout>` before the line"),
        (
            run("  1\n\n文\n\nstderr> x\n"),
            run("stdout>   1\n\nstdout> 文\n\nstderr> x\n"),
            "Insert `stdout>` before each line",
        ),
    ],
)
@each("newline", ["\n", "\r\n", "\r"])
def test_the_fix_marks_each_line(source: str, fixed: str, name: str, newline: str) -> None:
    source, fixed = source.replace("\n", newline), fixed.replace("\n", newline)
    expect_fix(CODE, source, fixed, safe=False, name=name)


def test_the_fix_leaves_alone_what_is_not_output() -> None:
    source = run("a\n<!-- msgls: ignore MSG207 -->\nb\n")
    fixed = run("stdout> a\n<!-- msgls: ignore MSG207 -->\nstdout> b\n")
    expect_fix(CODE, source, fixed, safe=False)


def test_the_fix_leaves_the_fence() -> None:
    source = run("```\na\n\n# %% b\n```\n")
    expect_fix(CODE, source, run("```\nstdout> a\n\nstdout> # %% b\n```\n"), safe=False)


def test_the_fix_is_of_its_own_lines_only() -> None:
    source = run("a\nstdout> b\nc\n")
    assert fixes(CODE, source, 1)[0][2] == run("a\nstdout> b\nstdout> c\n")


def test_it_follows_what_the_cell_is() -> None:
    source = "---\nagents: {python: {}}\n---\n" + run("42\n")
    counts = expect_follows(CODE, source, ("python: {}", "x: {}"), ("42", "stdout> 42"))
    assert counts == [0, 1, 0]


@pytest.mark.parametrize(
    "mime_type", ["text/html", "text/markdown", "text/csv", "application/json", "image/svg+xml"]
)
def test_other_texts_stand_as_they_are(mime_type: str) -> None:
    head = f"# %%% R[^c1.1]\n\n[^c1.1]: [python] status=success mime_type={mime_type}\n\n"
    expect_nothing(CODE, head + "<table>\n<tr><td>1</td></tr>\n</table>\n")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("stdout: 1", "stdout> 1"),
        ("  stdout> 1", "stdout> 1"),
        ("STDERR>1", "stderr> 1"),
        ("stderr > 1", "stderr> 1"),
        ("stdout：1", "stdout> 1"),
        ("[stdout] > 1", "stdout> 1"),
        ("stdoutput 1", "stdout> stdoutput 1"),
    ],
)
def test_the_fix_does_not_double_a_prefix(before: str, after: str) -> None:
    head = "# %%% R[^c1.1]\n\n[^c1.1]: [python] status=success\n\nstdout> 0\n"
    expect_fix(CODE, head + before + "\n", head + after + "\n", safe=False)
