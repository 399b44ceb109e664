"""``msgls diff``: how it is shown, and how it ends."""

import pytest

from msgls.cli.terminal import width
from tests.cli.support import GOOD, Runner

CHANGED = GOOD.replace("Hi.", "Hi there.").replace("[markdown]", "[markdown] history=0")
LONGER = CHANGED + "\n# %%% [^a1]\n\n[^a1]: [bot]\n\n" + "An answer.\n\n" * 5


def test_equal_files_are_nothing_to_tell(msgls: Runner) -> None:
    msgls.write("a.msg.md", GOOD)
    msgls.write("b.msg.md", GOOD)
    assert msgls("diff", "a.msg.md", "b.msg.md") == (0, "", "")
    assert msgls("diff", "a.msg.md", "b.msg.md", "--output-format", "json").json == []


def test_changes_are_told_by_cell(msgls: Runner) -> None:
    msgls.write("a.msg.md", GOOD)
    msgls.write("b.msg.md", LONGER)
    run = msgls("diff", "a.msg.md", "b.msg.md")
    assert run.code == 1
    assert run.out == (
        "--- a.msg.md\n"
        "+++ b.msg.md\n"
        "~ edited: message q1 “Hello” (line 1)\n"
        "    history: (none) → 0\n"
        "    -Hi.\n"
        "    +Hi there.\n"
        "+ added: answer of bot a1 (line 7)\n"
        "    +An answer.\n"
        "    +An answer.\n"
        "    +An answer.\n"
        "    … 2 more lines\n"
    )
    assert run.err == "2 cells differ: 1 added, 1 edited.\n"


def test_the_same_in_json(msgls: Runner) -> None:
    msgls.write("a.msg.md", GOOD)
    msgls.write("b.msg.md", CHANGED)
    run = msgls("diff", "a.msg.md", "b.msg.md", "--output-format", "json")
    assert run.code == 1
    assert run.json == [
        {
            "change": "edited",
            "moved": False,
            "id": "q1",
            "what": "message",
            "title": "Hello",
            "before": {"line": 1, "content": "Hi."},
            "after": {"line": 1, "content": "Hi there."},
            "metadata": {"history": {"before": None, "after": "0"}},
        }
    ]


def test_no_time_is_made_up_where_a_format_has_none(msgls: Runner) -> None:
    msgls.write("a.msg.md", '# %%% [^a1]\n\n[^a1]: [bot] time="2025-05-30T09:00:00+08:00"\n\nHi.\n')
    msgls.write("b.stf", "@ai\nHi.\n")
    run = msgls("diff", "a.msg.md", "b.stf")
    assert "    time: 2025-05-30T09:00:00+08:00 → (none)\n" in run.out
    assert "1970" not in run.out


def test_blank_lines_are_a_difference_of_no_cell(msgls: Runner) -> None:
    msgls.write("a.msg.md", GOOD)
    msgls.write("b.msg.md", GOOD + "\n\n")
    run = msgls("diff", "a.msg.md", "b.msg.md")
    assert run.code == 1
    assert run.err == "No cell differs, only the text outside the cells.\n"


def test_no_line_is_wider_than_the_terminal_and_none_plays_tricks(msgls: Runner) -> None:
    long = "很长的一行 " * 40
    msgls.write("a.msg.md", GOOD)
    msgls.write("b.msg.md", GOOD.replace("Hi.", f"\x1b[31m{long}").replace("Hello", long))
    out = msgls("diff", "a.msg.md", "b.msg.md").out
    assert max(map(width, out.split("\n"))) <= 80
    assert "\x1b" not in out


def test_it_is_coloured_where_that_is_wanted(
    msgls: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    msgls.write("a.msg.md", GOOD)
    msgls.write("b.msg.md", CHANGED)
    out = msgls("diff", "a.msg.md", "b.msg.md").out
    assert "\x1b[31m    -Hi.\x1b[0m\n\x1b[32m    +Hi there.\x1b[0m\n" in out


@pytest.mark.parametrize("missing", ["a", "b"])
def test_a_file_that_is_not_there_is_a_failure(msgls: Runner, missing: str) -> None:
    for name in {"a", "b"} - {missing}:
        msgls.write(f"{name}.msg.md", GOOD)
    run = msgls("diff", "a.msg.md", "b.msg.md")
    assert (run.code, run.err) == (2, f"msgls: {missing}.msg.md: no such file or directory\n")


ANSWERS = (
    "# %% [^q]\n\n[^q]: [markdown]\n\nHow many?\n\n"
    "# %%% [^a]\n\n[^a]: [bot] history=exclude\n\nSame.\nTwo.\n\n"
    "# %%% [^t]\n\n[^t]: [bot] reasoning=1\n\nHm.\n\n"
    "# %%% [^b]\n\n[^b]: [bot]\n\nSame.\nThree.\n\n"
    "# %% [^q2]\n\n[^q2]: [markdown]\n\nSure?\n\n"
    "# %%% [^c]\n\n[^c]: [bot]\n\nYes.\n"
)


@pytest.mark.parametrize("cell", ["q", "a", "t", "b"])
def test_two_answers_to_one_message(msgls: Runner, cell: str) -> None:
    msgls.write("a.msg.md", ANSWERS)
    run = msgls("diff", "a.msg.md", "--cell", cell)
    wanted = "--- a\n+++ b\n@@ -1,2 +1,2 @@\n Same.\n-Two.\n+Three.\n"
    assert (run.code, run.out) == (1, wanted)


def test_answers_that_are_the_same(msgls: Runner) -> None:
    msgls.write("a.msg.md", ANSWERS.replace("Three", "Two"))
    run = msgls("diff", "a.msg.md", "--cell", "a")
    assert (run.code, run.out) == (0, "--- a\n+++ b\n Same.\n Two.\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--cell", "c"], "there is no other answer to compare with"),
        (["--cell", "aa"], "there is no cell `aa` (did you mean `a`?)"),
        ([], "name two files, or one file and --cell"),
        (["a.msg.md", "--cell", "a"], "name two files, or one file and --cell"),
    ],
)
def test_what_cannot_be_compared(msgls: Runner, arguments: list[str], said: str) -> None:
    msgls.write("a.msg.md", ANSWERS)
    run = msgls("diff", "a.msg.md", *arguments)
    assert run.code == 2
    assert said in run.err
