"""``msgls import``: what is listed, what is written, and what happens while a session runs."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from msgls.cli.importing import follow
from msgls.conversation.readers.sessions import reader_of
from msgls.conversation.readers.transcripts import records_of
from msgls.conversation.writers.transcript import CellWriter, head_of
from msgls.host.transcripts import Found
from tests.cli.support import Runner
from tests.conversation.test_sessions import CLAUDE, CODEX, DATA, EVERY, LINES
from tests.measure import assert_linear_calls

SESSION = Path(CLAUDE).stem
OUT = "talk.msg.md"


@pytest.fixture
def home(msgls: Runner, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with one transcript of every program."""
    folder = msgls.folder / "home"
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    shutil.copytree(DATA / "claude-code", folder / ".claude" / "projects" / "-srv-shop")
    for source, target in (
        (CODEX, folder / ".codex" / "sessions" / "2026" / "03" / "04"),
        (EVERY[4], folder / ".gemini" / "tmp" / "shop" / "chats"),
        (EVERY[8], msgls.folder),
    ):
        target.mkdir(parents=True, exist_ok=True)
        shutil.copy(DATA / source, target)
    stored = json.loads((DATA / "opencode" / "session.json").read_text("utf-8"))
    storage = folder / ".local" / "share" / "opencode" / "storage"
    _write(storage / "session" / "p" / "ses_01.json", stored["info"])
    for message in stored["messages"]:
        own = message["info"]["id"]
        _write(storage / "message" / stored["info"]["id"] / f"{own}.json", message["info"])
        for part in message["parts"]:
            _write(storage / "part" / own / f"{part['id']}.json", part)
    for age, path in enumerate(sorted(folder.rglob("*.json*")), 1):
        os.utime(path, (1_700_000_000 + age, 1_700_000_000 + age))
    os.utime(msgls.folder / ".aider.chat.history.md", (1_700_009_999, 1_700_009_999))
    return folder


def _write(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), "utf-8")


# -- the list -------------------------------------------------------------------------------


def test_without_a_path_it_lists_what_there_is_newest_first(msgls: Runner, home: Path) -> None:
    run = msgls("import", "--output-format", "json")
    assert run.code == 0
    assert [(one["by"], one["title"], one["turns"], one["tokens"]) for one in run.json] == [
        ("aider", "Add the numbers up instead of taking the largest.", 2, 2620),
        ("aider", "What does this file do?", 1, 0),
        ("opencode", "Fix the cart", 1, 138),
        ("Gemini CLI", "What is in cart.py", 1, 535),
        ("Codex", "Which tests fail?", 3, 1200),
        ("Claude Code", "Count the files", 1, 339),
        ("Claude Code", "Fix the total of an empty cart", 4, 1057),
    ]
    assert run.json[-1]["project"] == "/srv/shop"
    assert run.json[-1]["path"].endswith(f"{SESSION}.jsonl")


def test_the_list_fits_into_80_columns(msgls: Runner, home: Path) -> None:
    run = msgls("import")
    assert (run.code, run.err) == (0, "")
    lines = run.out.splitlines()
    assert lines[-4:-2] == [
        "aaaaaaaa         2023-11-14 22:13  Claude Code  4 turns  1.1k tokens  shop",
        "    Fix the total of an empty cart",
    ]
    assert max(map(len, lines)) <= 80
    assert lines[-1] == "To import one: `msgls import 20260105T120000 -o talk.msg.md`"


def test_what_is_listed_can_be_imported_by_how_its_id_begins(msgls: Runner, home: Path) -> None:
    assert msgls("import", SESSION[:8], "-o", OUT).code == 0
    assert f'session: "{SESSION}"' in msgls.read(OUT)
    run = msgls("import", "nothing-like-it", "-o", OUT)
    assert (run.code, run.err) == (
        2,
        "msgls: nothing-like-it: there is no such file, and no session whose id begins so\n",
    )


def test_no_transcripts_at_all(msgls: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(msgls.folder / "nowhere"))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    run = msgls("import")
    assert (run.code, run.out) == (0, "")
    assert run.err == (
        "msgls: no transcript was found in the usual places of Claude Code, Codex, "
        "Gemini CLI, opencode, aider\n"
    )
    assert msgls("import", "--output-format", "json").json == []


def test_a_folder_that_cannot_be_read_is_named(
    msgls: Runner, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked = home / ".claude" / "projects" / "-srv-shop"
    scandir = os.scandir

    def refuse(path: str) -> object:
        if Path(path) == locked:
            raise PermissionError(13, "Permission denied", str(locked))
        return scandir(path)

    # Whoever runs the tests may read everything.
    monkeypatch.setattr(os, "scandir", refuse)
    run = msgls("import")
    assert run.code == 2
    assert run.err == f"msgls: {locked}: permission denied\n"
    assert "Which tests fail?" in run.out


def test_only_the_newest_are_listed(msgls: Runner, home: Path) -> None:
    text = (DATA / EVERY[1]).read_text("utf-8")
    for number in range(20):
        (home / ".claude" / "projects" / f"s{number}.jsonl").write_text(text, "utf-8")
    run = msgls("import")
    assert len(run.out.splitlines()) == 2 * 20 + 2
    assert run.err == "msgls: 6 older ones are not shown; --all lists them\n"
    assert len(msgls("import", "--all").out.splitlines()) == 2 * 27 + 2


# -- what is written ------------------------------------------------------------------------


@pytest.mark.parametrize("name", EVERY)
def test_every_imported_file_passes_the_check(msgls: Runner, name: str) -> None:
    assert msgls("import", str(DATA / name), "-o", "talks").code == 0
    assert msgls("check", "talks").out == "No problems found.\n"


def test_sub_agents_nest_below_the_call_that_started_them(msgls: Runner) -> None:
    msgls("import", str(DATA / CLAUDE), "-o", OUT)
    headers = [line for line in msgls.read(OUT).splitlines() if line.startswith("#")]
    start = headers.index("## %%% [^00000010.DDDD4444]")
    assert headers[start + 1 : start + 8] == [
        "### %% Look at the picture[^00000065]",
        "### %%% [^00000066]",
        "#### %%% [^00000066.EEEE5555]",
        "#### %%% [^00000066.EEEE5555.1]",
        "### %%% [^00000068]",
        "## %%% [^00000010.DDDD4444.1]",
        "## %%% [^00000010.DDDD4444.2]",
    ]


def test_the_model_sees_neither_sub_agents_nor_what_was_taken_back(msgls: Runner) -> None:
    msgls("import", str(DATA / CLAUDE), "-o", OUT)
    seen = msgls("view", OUT).out
    assert "All tests pass." in seen
    assert "the cart was fixed" in seen
    for hidden in ("Describe cart.png", "Rust", "adds up now"):
        assert hidden not in seen


def test_without_an_output_it_goes_to_standard_output(msgls: Runner) -> None:
    run = msgls("import", str(DATA / EVERY[1]))
    msgls("import", str(DATA / EVERY[1]), "-o", OUT)
    assert run.out == msgls.read(OUT)


def test_importing_again_changes_nothing(msgls: Runner) -> None:
    msgls("import", str(DATA / CLAUDE), "-o", OUT)
    first, stamp = msgls.read(OUT), (msgls.folder / OUT).stat()
    assert msgls("import", str(DATA / CLAUDE), "-o", OUT).code == 0
    assert (msgls.read(OUT), (msgls.folder / OUT).stat()) == (first, stamp)


@pytest.mark.parametrize("name", LINES)
def test_importing_again_updates(msgls: Runner, name: str) -> None:
    lines = (DATA / name).read_text("utf-8").splitlines(keepends=True)
    msgls.write("whole.jsonl", "".join(lines))
    msgls("import", "whole.jsonl", "-o", "whole.msg.md")
    for end in range(2, len(lines) + 1):
        msgls.write("growing.jsonl", "".join(lines[:end]))
        msgls("import", "growing.jsonl", "-o", OUT)
    assert msgls.read(OUT) == msgls.read("whole.msg.md")


def test_what_a_person_changed_stays(msgls: Runner) -> None:
    lines = (DATA / CLAUDE).read_text("utf-8").splitlines(keepends=True)
    msgls.write("s.jsonl", "".join(lines[:12]))
    msgls("import", "s.jsonl", "-o", OUT)
    mine = "# %% [^mine]\n\n[^mine]: [markdown]\n\nMy note.\n"
    text = msgls.read(OUT).replace("I will look", "It said that it would look")
    text = (
        text.replace("default_agent: claude\n", "default_agent: claude\nmood: good\n") + "\n" + mine
    )
    msgls.write(OUT, text)
    msgls.write("s.jsonl", "".join(lines))
    assert msgls("import", "s.jsonl", "-o", OUT).code == 0
    now = msgls.read(OUT)
    for kept in ("It said that it would look", "mood: good", mine):
        assert kept in now
    assert now.count("[^00000003]:") == 1
    assert now.endswith("All tests pass.\n") or now.rstrip().endswith("My note.")
    assert "All tests pass." in now
    assert msgls("check", OUT).out == "No problems found.\n"


def test_another_file_is_not_overwritten(msgls: Runner) -> None:
    msgls.write(OUT, "# %% [^q]\n\nMine.\n")
    run = msgls("import", str(DATA / CLAUDE), "-o", OUT)
    assert run.code == 2
    assert run.err == (
        f"msgls: {OUT}: it is there already, and was not imported from this session; "
        "--force replaces it\n"
    )
    assert msgls("import", str(DATA / CLAUDE), "-o", OUT, "--force").code == 0
    assert "Mine." not in msgls.read(OUT)


@pytest.mark.parametrize(
    ("name", "text", "error"),
    [
        (
            "a.jsonl",
            "",
            "this is not a transcript of Claude Code, Codex, Gemini CLI, opencode, aider",
        ),
        (
            "a.jsonl",
            "{}\n",
            "this is not a transcript of Claude Code, Codex, Gemini CLI, opencode, aider",
        ),
    ],
)
def test_what_is_no_transcript_is_said(msgls: Runner, name: str, text: str, error: str) -> None:
    msgls.write(name, text)
    assert msgls("import", name, "-o", OUT) == (2, "", f"msgls: {name}: {error}\n")


def test_a_last_line_that_is_half_written_is_waited_for(msgls: Runner) -> None:
    text = (DATA / CLAUDE).read_text("utf-8")
    lines = text.splitlines(keepends=True)
    msgls.write("s.jsonl", "".join(lines[:3]) + lines[3][:100])
    run = msgls("import", "s.jsonl", "-o", OUT)
    assert (run.code, run.err) == (0, "")
    assert "I will look" not in msgls.read(OUT)


# Texts that look like everything a message file is made of.
PIECES = st.sampled_from([
    "# %% x[^a]", "#%% y", "%%", "[^a]: [tool] name=x", "[^00000001]: [claude]", "```", "~~~py",
    "````", "- ```", "   ```", "<<<<<<< ours", "=======", ">>>>>>> theirs", "[a](b.md)",
    "\\[^a\\]:", "---", "<a>", "&", "]]>", "\u2028", "\r", "\x00", "\ud800", "# x",
    "\\# %% z", "text", "", "<!-- msgls: ignore MSG110 -->", "\t", "＃ ％％", "    # %% in code",
    "![i](x.png)",
])  # fmt: skip
TEXTS = st.lists(PIECES | st.text(max_size=6), max_size=6).map("\n".join)


@given(
    st.lists(st.tuples(st.sampled_from(["said", "answer", "call", "result"]), TEXTS), max_size=6)
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_said_the_file_passes_the_check(
    msgls: Runner, turns: list[tuple[str, str]]
) -> None:
    lines = [{"type": "summary", "summary": "s", "leafUuid": "x", "sessionId": "s"}]
    for number, (what, text) in enumerate(turns):
        block: dict[str, object] = {"type": "text", "text": text}
        if what == "call":
            block = {
                "type": "tool_use",
                "id": f"t{number}",
                "name": text or "x",
                "input": {text: text},
            }
        elif what == "result":
            block = {"type": "tool_result", "tool_use_id": f"t{number - 1}", "content": text}
        kind = "assistant" if what in ("answer", "call") else "user"
        message = {"role": kind, "id": f"g{number}", "content": [block]}
        lines.append({"type": kind, "sessionId": "s", "uuid": f"u{number}", "message": message})  # type: ignore[dict-item]
    records = list(enumerate(map(dict, lines)))
    reader = reader_of("claude-code", records)
    cells = CellWriter(reader.ids)
    body = [cells.cells(draft) for line, record in records for draft in reader.feed(record, line)]
    msgls.write(OUT, "".join([head_of("claude-code", reader.about), *body]))
    assert msgls("check", OUT).out == "No problems found.\n"


def test_memory_follows_the_longest_line_and_not_the_transcript(msgls: Runner) -> None:
    record = json.loads((DATA / CLAUDE).read_text("utf-8").splitlines()[1])
    with (msgls.folder / "s.jsonl").open("w", encoding="utf-8") as file:
        for number in range(2000):
            record["uuid"] = f"{number:08x}-0000-4000-8000-000000000000"
            record["message"]["content"] = f"{number} " + "words " * 1500
            file.write(json.dumps(record) + "\n")
    size = (msgls.folder / "s.jsonl").stat().st_size
    assert size > 18_000_000
    tracemalloc.start()
    try:
        assert msgls("import", "s.jsonl", "-o", OUT).code == 0
        assert tracemalloc.get_traced_memory()[1] < size / 3
    finally:
        tracemalloc.stop()


def test_work_is_linear_in_the_transcript() -> None:
    def imported(count: int) -> None:
        reader = reader_of("claude-code")
        cells = CellWriter(reader.ids)
        for number in range(count):
            message = {"role": "user", "content": "Hi."}
            record = {"type": "user", "sessionId": "s", "uuid": f"u{number}", "message": message}
            for draft in reader.feed(record, number):
                cells.cells(draft)

    assert_linear_calls(lambda count: lambda: imported(count), 2000)


# -- while a session runs -------------------------------------------------------------------


class _Enough(Exception):
    pass


def following(msgls: Runner, steps: list[Callable[[], None]], check: Callable[[], None]) -> None:
    """Follow ``s.jsonl`` while each of the steps happens, with a look behind each."""
    options = argparse.Namespace(output=OUT, force=False)
    todo = iter(steps)
    is_first = True

    def pause() -> None:
        nonlocal is_first
        if not is_first:
            check()
        is_first = False
        step = next(todo, None)
        if step is None:
            raise KeyboardInterrupt
        step()

    follow(Found("claude-code", msgls.folder / "s.jsonl", 0.0), options, pause)


def test_following_appends_whole_cells(msgls: Runner) -> None:
    lines = (DATA / CLAUDE).read_text("utf-8").splitlines(keepends=True)
    shutil.copytree((DATA / CLAUDE).with_suffix(""), msgls.folder / "s")
    path = msgls.write("s.jsonl", "".join(lines[:2]))

    def add(text: str) -> Callable[[], None]:
        def step() -> None:
            with path.open("a", encoding="utf-8") as file:
                file.write(text)

        return step

    def check() -> None:
        now = msgls.read(OUT)
        assert now == msgls("import", "s.jsonl").out

    halves = [add(piece) for line in lines[2:] for piece in (line[:50], line[50:])]
    following(msgls, halves, check)
    assert msgls("check", OUT).out == "No problems found.\n"


def test_following_appends_to_the_very_file(msgls: Runner) -> None:
    # An editor that shows it has it open: what is appended to is the same file, and what a
    # person has changed above stays.
    lines = (DATA / EVERY[1]).read_text("utf-8").splitlines(keepends=True)
    path = msgls.write("s.jsonl", "".join(lines[:5]))
    inode: list[int] = []

    def change() -> None:
        inode.append((msgls.folder / OUT).stat().st_ino)
        text = msgls.read(OUT).replace("How many files", "How many small files")
        (msgls.folder / OUT).write_text(text, "utf-8")

    def grow() -> None:
        with path.open("a", encoding="utf-8") as file:
            file.write("".join(lines[5:]))

    following(msgls, [change, grow], lambda: None)
    assert (msgls.folder / OUT).stat().st_ino == inode[0]
    assert "How many small files" in msgls.read(OUT)
    assert msgls.read(OUT).endswith("\n3.\n")


def test_following_starts_over_where_the_transcript_does(msgls: Runner) -> None:
    lines = (DATA / EVERY[1]).read_text("utf-8").splitlines(keepends=True)
    path = msgls.write("s.jsonl", "".join(lines))
    following(msgls, [path.unlink, lambda: _keep(path, lines[:3])], lambda: None)
    assert "How many files" in msgls.read(OUT)


def _keep(path: Path, lines: list[str]) -> None:
    path.write_text("".join(lines), "utf-8")


def test_following_needs_one_transcript_and_a_file(msgls: Runner) -> None:
    error = "msgls: --follow takes one transcript, and -o names the message file\n"
    assert msgls("import", "--follow", str(DATA / CLAUDE)) == (2, "", error)


def test_records_of_one_value_over_many_lines() -> None:
    assert records_of('{\n"a": 1\n}\n') == [(0, {"a": 1})]
