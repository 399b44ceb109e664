"""``msgls fork``: everything up to a cell, and what the new file has in common with the old."""

from tests.cli.support import Runner

HEAD = "---\nagents:\n  Ada: {}\n---\n\n"
FIRST = "# %% [^q1]\n\n[^q1]: [markdown]\n\nHi.\n"
SECOND = "\n# %%% [^a1]\n\n[^a1]: [Ada]\n\nHello.\n"
THIRD = "\n# %% [^q2]\n\n[^q2]: [markdown]\n\nAnd now?\n"


def test_everything_up_to_a_cell_comes_along(msgls: Runner) -> None:
    msgls.write("talk.msg.md", HEAD + FIRST + SECOND + THIRD)
    assert msgls("fork", "talk.msg.md", "a1") == (0, HEAD + FIRST + SECOND, "")
    assert msgls("fork", "talk.msg.md", "a1", "-o", "other.msg.md") == (0, "", "")
    assert msgls.read("other.msg.md") == HEAD + FIRST + SECOND
    assert msgls("check", "other.msg.md").out == "No problems found.\n"
    # Both are known by their ids: what was left behind is all that differs.
    assert msgls("diff", "talk.msg.md", "other.msg.md").err == "1 cell differs: 1 removed.\n"


def test_a_definition_that_stands_further_down_comes_along(msgls: Runner) -> None:
    first = "# %% [^q1]\n\nHi.\n"
    msgls.write("talk.msg.md", HEAD + first + SECOND + "\n[^q1]: [markdown] history=none\n")
    run = msgls("fork", "talk.msg.md", "q1")
    assert run.out == HEAD + first + "\n[^q1]: [markdown] history=none\n"


def test_a_cell_that_is_not_there(msgls: Runner) -> None:
    msgls.write("talk.msg.md", HEAD + FIRST + SECOND)
    run = msgls("fork", "talk.msg.md", "a2")
    assert run.code == 2
    assert "talk.msg.md: there is no cell `a2`" in run.err
    assert "`a1`" in run.err


def test_nothing_is_overwritten(msgls: Runner) -> None:
    msgls.write("talk.msg.md", HEAD + FIRST)
    msgls.write("other.msg.md", "Mine.\n")
    run = msgls("fork", "talk.msg.md", "q1", "-o", "other.msg.md")
    assert run.err == "msgls: other.msg.md: it already exists; --force overwrites it\n"
    run = msgls("fork", "talk.msg.md", "q1", "-o", "talk.msg.md", "--force")
    assert run.err == "msgls: talk.msg.md: this is the input file\n"
    assert msgls("fork", "talk.msg.md", "q1", "-o", "other.msg.md", "--force").code == 0
    assert msgls.read("other.msg.md") == HEAD + FIRST


def test_only_message_files(msgls: Runner) -> None:
    msgls.write("a.stf", "@user\nHi\n")
    run = msgls("fork", "a.stf", "q1")
    assert (run.code, run.err) == (2, "msgls: a.stf: only a message file can be forked\n")
