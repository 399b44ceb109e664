"""``msgls import``: what is listed, what is written, and what happens while a session runs."""

import argparse
import json
import os
import shutil
import sqlite3
import time
import tracemalloc
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from msgls.cli import importing
from msgls.cli.importing import follow
from msgls.conversation.readers.sessions import reader_of
from msgls.conversation.readers.transcripts import records_of
from msgls.conversation.writers.transcript import CellWriter, head_of
from msgls.host.transcripts import Found, write_import
from tests.cli.support import Runner
from tests.conversation.test_sessions import CLAUDE, CODEX, DATA, EVERY, LINES, LISTED, compacted
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
    assert lines[-1] == "To import one, run `msgls import 20260105T120000 -o talk.msg.md`"


def test_what_is_listed_can_be_imported_by_how_its_id_begins(msgls: Runner, home: Path) -> None:
    assert msgls("import", SESSION[:8], "-o", OUT).code == 0
    assert f'session: "{SESSION}"' in msgls.read(OUT)
    run = msgls("import", "nothing-like-it", "-o", OUT)
    assert (run.code, run.err) == (
        2,
        (
            "msgls: nothing-like-it: there is no such file, and no session whose id starts with "
            "this\n"
        ),
    )


def test_one_session_of_a_history_can_be_imported(msgls: Runner, home: Path) -> None:
    listed = msgls("import", "--output-format", "json").json
    first, second = [one for one in listed if one["from"] == "aider"]
    assert msgls("import", first["session"], "-o", OUT).code == 0
    assert f"session: {json.dumps(first['session'])}" in msgls.read(OUT)
    name = first["path"]
    assert msgls("import", name, "--session", second["session"], "-o", "two.msg.md").code == 0
    assert f"session: {json.dumps(second['session'])}" in msgls.read("two.msg.md")
    run = msgls("import", name, "--session", "1999", "-o", "three.msg.md")
    error = f"msgls: {name}: it contains no session whose id starts with 1999\n"
    assert (run.code, run.err) == (2, error)


def database(path: Path) -> Path:
    """The session of the export, as newer versions of opencode keep it."""
    stored = json.loads((DATA / "opencode" / "session.json").read_text("utf-8"))
    path.parent.mkdir(parents=True, exist_ok=True)
    info = stored["info"]
    with closing(sqlite3.connect(path)) as made:
        made.executescript(
            "create table session (id, parent_id, title, directory, revert, time_created, "
            "time_updated); create table message (id, session_id, time_created, data); "
            "create table part (id, message_id, session_id, data);"
        )
        times = info["time"]["created"], 1_800_000_000_000
        values: tuple[object, ...] = (info["id"], None, info["title"], info["directory"], None)
        made.execute("insert into session values (?, ?, ?, ?, ?, ?, ?)", (*values, *times))
        for number, message in enumerate(stored["messages"]):
            own = message["info"]
            values = own["id"], info["id"], number, json.dumps(own)
            made.execute("insert into message values (?, ?, ?, ?)", values)
            for place, part in enumerate(message["parts"]):
                values = f"{number}-{place:03}", own["id"], info["id"], json.dumps(part)
                made.execute("insert into part values (?, ?, ?, ?)", values)
        made.commit()
    return path


def test_opencode_keeps_sessions_in_a_database(msgls: Runner, home: Path) -> None:
    path = database(home / ".local" / "share" / "opencode" / "opencode.db")
    newest = msgls("import", "--output-format", "json").json[0]
    assert (newest["title"], newest["path"]) == ("Fix the cart", str(path))
    for name, target in (
        (str(path), "a.msg.md"),
        (str(DATA / "opencode/session.json"), "b.msg.md"),
    ):
        run = msgls("import", name, "--session", newest["session"][:8], "-o", target)
        assert run.code == 0
    assert msgls.read("a.msg.md") == msgls.read("b.msg.md")
    path.write_bytes(path.read_bytes()[:100])
    run = msgls("import", str(path), "-o", OUT)
    assert run.code == 2
    assert f"msgls: {path}: the database cannot be read" in run.err


def test_no_transcripts_at_all(msgls: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(msgls.folder / "nowhere"))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    run = msgls("import")
    assert (run.code, run.out) == (0, "")
    assert run.err == (
        "msgls: no transcript was found in the usual folders of Claude Code, Codex, Gemini "
        "CLI, opencode, aider\n"
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


CODEX_TASK = [
    {"ordinal": 0, "type": "session_meta", "payload": {
        "id": "t", "session_id": CODEX[-42:-6], "agent_path": "/lead/look", "agent_role": "scout",
        "source": {"subagent": {}}, "subagent_history_start_ordinal": 2}},
    {"ordinal": 1, "type": "response_item", "payload": {
        "type": "message", "role": "user", "content": "Inherited."}},
    {"ordinal": 2, "type": "response_item", "payload": {
        "type": "message", "role": "user", "content": "Look."}},
]  # fmt: skip
CODEX_SPAWN = [
    {"type": "function_call", "name": "spawn_agent", "call_id": "spawn111",
     "arguments": '{"task_name": "look", "message": "Look."}'},
    {"type": "function_call_output", "call_id": "spawn111",
     "output": '{"task_name": "/lead/look"}'},
]  # fmt: skip


def test_sub_agents_of_codex_are_found_by_their_task(msgls: Runner) -> None:
    folder = msgls.folder / "sessions"
    folder.mkdir()
    spawn = [{"type": "response_item", "payload": item} for item in CODEX_SPAWN]
    whole = (DATA / CODEX).read_text("utf-8") + "".join([json.dumps(one) + "\n" for one in spawn])
    (folder / Path(CODEX).name).write_text(whole, "utf-8")
    child = folder / "rollout-2026-03-04T10-00-00-019c0000-0000-7000-8000-000000000002.jsonl"
    child.write_text("".join([json.dumps(one) + "\n" for one in CODEX_TASK]), "utf-8")
    assert msgls("import", str(folder / Path(CODEX).name), "-o", OUT).code == 0
    behind = msgls.read(OUT).partition("spawn111.1]: ")[2]
    assert "### %% Look." in behind
    assert "Inherited" not in behind
    assert msgls("check", OUT).out == "No problems found.\n"


def test_sub_agents_of_gemini_cli_are_found_by_their_id(msgls: Runner) -> None:
    call = {"id": "c1", "name": "scout", "args": {}, "status": "success", "agentId": "scout-1",
            "result": "Seen.", "description": "Look around"}  # fmt: skip
    lines = [
        {"sessionId": "s1", "projectHash": "p"},
        {"id": "1", "type": "user", "content": "Go."},
        {"id": "2", "type": "gemini", "content": "Yes.", "toolCalls": [call]},
    ]
    inner = [
        {"sessionId": "scout-1", "projectHash": "p", "kind": "subagent"},
        {"id": "9", "type": "gemini", "content": "I look."},
    ]
    for name, records in (("session-x.jsonl", lines), ("s1/scout-1.jsonl", inner)):
        msgls.write(f"chats/{name}", "".join([json.dumps(one) + "\n" for one in records]))
    assert msgls("import", "chats/session-x.jsonl", "-o", OUT).code == 0
    text = msgls.read(OUT)
    assert text.index("Seen.") < text.index("### %%% Look around") < text.index("I look.")
    assert "[scout] history=none" in text
    assert msgls("check", OUT).out == "No problems found.\n"


def test_a_session_that_goes_on_with_another_is_called_as_its_file(msgls: Runner) -> None:
    name = "bbbbbbbb-0000-4000-8000-000000000002"
    msgls.write(f"{name}.jsonl", (DATA / CLAUDE).read_text("utf-8"))
    assert msgls("import", f"{name}.jsonl", "-o", OUT).code == 0
    assert f'session: "{name}"' in msgls.read(OUT)


def test_the_model_sees_neither_sub_agents_nor_what_was_taken_back(msgls: Runner) -> None:
    msgls("import", str(DATA / CLAUDE), "-o", OUT)
    seen = msgls("view", OUT).out
    assert "All tests pass." in seen
    assert "the cart was fixed" in seen
    for hidden in ("Describe cart.png", "Rust", "adds up now"):
        assert hidden not in seen


def test_the_model_sees_what_a_compaction_kept(msgls: Runner) -> None:
    records = compacted("s", LISTED)
    msgls.write("s.jsonl", "".join([json.dumps(record) + "\n" for record in records]))
    assert msgls("import", "s.jsonl", "-o", OUT).code == 0
    assert msgls("check", OUT).out == "No problems found.\n"
    seen = msgls("view", OUT).out
    for text in ("Summary.", "Three.", "cart.py", "Four."):
        assert seen.count(text) == 1
    assert "Two." not in seen


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


def test_what_a_person_deleted_stays_away(msgls: Runner) -> None:
    lines = (DATA / CLAUDE).read_text("utf-8").splitlines(keepends=True)
    msgls.write("s.jsonl", "".join(lines[:12]))
    msgls("import", "s.jsonl", "-o", OUT)
    before, header, rest = msgls.read(OUT).partition("# %%% [^00000003]\n")
    assert "I will look" in rest
    msgls.write(OUT, before + rest[rest.index("\n## %%%") + 1 :])
    msgls.write("s.jsonl", "".join(lines))
    assert msgls("import", "s.jsonl", "-o", OUT).code == 0
    now = msgls.read(OUT)
    assert header not in now
    assert "I will look" not in now
    assert "All tests pass." in now


def test_another_file_is_not_overwritten(msgls: Runner) -> None:
    msgls.write(OUT, "# %% [^q]\n\nMine.\n")
    run = msgls("import", str(DATA / CLAUDE), "-o", OUT)
    assert run.code == 2
    assert run.err == (
        f"msgls: {OUT}: it already exists, and was not imported from this session; "
        "--force replaces it\n"
    )
    assert msgls("import", str(DATA / CLAUDE), "-o", OUT, "--force").code == 0
    assert "Mine." not in msgls.read(OUT)


@pytest.mark.parametrize(
    ("name", "text", "error"),
    [
        ("a.jsonl", "", "it is empty"),
        (
            "a.jsonl",
            "{}\n",
            "this is not a transcript of Claude Code, Codex, Gemini CLI, opencode, aider",
        ),
    ],
)
def test_what_is_not_a_transcript_is_said(msgls: Runner, name: str, text: str, error: str) -> None:
    msgls.write(name, text)
    assert msgls("import", name, "-o", OUT) == (2, "", f"msgls: {name}: {error}\n")


@pytest.mark.parametrize(
    ("output", "error"),
    [
        ("talk.txt", "talk.txt: name a message file, FILE.msg.md, or a folder without a dot"),
        ("pipe.msg.md", "pipe.msg.md: it is not a regular file"),
        ("no/talk.msg.md", "{transcript}: no: there is no such folder"),
    ],
)
def test_where_nothing_can_be_written_is_said(msgls: Runner, output: str, error: str) -> None:
    os.mkfifo(msgls.folder / "pipe.msg.md")
    transcript = str(DATA / EVERY[1])
    run = msgls("import", transcript, "-o", output)
    assert run.code != 0
    assert run.err == f"msgls: {error.format(transcript=transcript)}\n"
    assert [path.name for path in msgls.folder.iterdir()] == ["pipe.msg.md"]


def test_a_pipe_is_not_a_transcript(msgls: Runner) -> None:
    os.mkfifo(msgls.folder / "pipe.jsonl")
    error = "msgls: pipe.jsonl: it is not a regular file\n"
    assert msgls("import", "pipe.jsonl", "-o", OUT) == (2, "", error)


def test_no_pipe_among_transcripts_is_waited_for(msgls: Runner, home: Path) -> None:
    storage = home / ".local" / "share" / "opencode" / "storage"
    wanted = msgls("import", "--all").out
    for pipe in (
        home / ".claude/projects/-srv-shop/pipe.jsonl",
        home / ".codex/sessions/rollout-pipe.jsonl",
        home / ".gemini/tmp/shop/.project_root",
        home / ".gemini/tmp/shop/chats/session-pipe.json",
        storage / "session/p/ses_02.json",
        next((storage / "message").iterdir()) / "pipe.json",
        next((storage / "part").iterdir()) / "pipe.json",
    ):
        os.mkfifo(pipe)
    for about in home.rglob("agent-*.meta.json"):
        about.unlink()
        os.mkfifo(about)
    run = msgls("import", "--all")
    assert (run.code, run.out, run.err) == (0, wanted, "")
    for transcript in (*(home / ".claude").rglob("*.jsonl"), storage / "session/p/ses_01.json"):
        if transcript.is_file():
            assert msgls("import", str(transcript), "-o", OUT, "--force").code == 0


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
    # Characters that nobody sees are told of, wherever they come from.
    assert msgls("check", OUT, "--ignore", "MSG702").out == "No problems found.\n"


def test_memory_follows_the_longest_line_and_not_the_transcript(msgls: Runner) -> None:
    record = json.loads((DATA / CLAUDE).read_text("utf-8").splitlines()[1])
    path = msgls.folder / "s.jsonl"

    def grow(numbers: range) -> None:
        with path.open("a", encoding="utf-8") as file:
            for number in numbers:
                record["uuid"] = f"{number:08x}-0000-4000-8000-000000000000"
                record["message"]["content"] = f"{number} " + "words " * 1500
                file.write(json.dumps(record) + "\n")

    def edit() -> None:
        text = msgls.read(OUT)
        msgls.write(OUT, text.replace("1000 words", "1000 better words"))

    # First; again; with more after; after an edit; with both; over another file.
    grow(range(1500))
    for change in (None, None, lambda: grow(range(1500, 2000)), edit, edit, "--force"):
        if callable(change):
            change()
        options = [change] if isinstance(change, str) else []
        tracemalloc.start()
        try:
            assert msgls("import", "s.jsonl", "-o", OUT, *options).code == 0
            assert tracemalloc.get_traced_memory()[1] < path.stat().st_size / 3
        finally:
            tracemalloc.stop()
    assert path.stat().st_size > 18_000_000
    assert msgls.read(OUT).count("better words") == 1


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


def following(
    msgls: Runner, steps: Sequence[Callable[[], object]], check: Callable[[], None]
) -> None:
    """Follow ``s.jsonl`` while each of the steps happens, with a look after each."""
    options = argparse.Namespace(output=OUT, force=False)
    todo = iter(steps)
    is_first = True

    def pause(took: float) -> None:
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


def test_what_an_editor_overwrote_is_appended_again(msgls: Runner) -> None:
    # An editor that has not seen the last cells yet saves without them.
    lines = (DATA / EVERY[1]).read_text("utf-8").splitlines(keepends=True)
    path = msgls.write("s.jsonl", "".join(lines[:3]))
    shown: list[str] = []

    def grow(end: int) -> Callable[[], None]:
        def step() -> None:
            shown.append(msgls.read(OUT))
            path.write_text("".join(lines[:end]), "utf-8")

        return step

    def save() -> None:
        (msgls.folder / OUT).write_text(shown[0].replace("How many", "How many more"), "utf-8")

    following(msgls, [grow(6), save, grow(len(lines))], lambda: None)
    now = msgls.read(OUT)
    msgls("import", "s.jsonl", "-o", "whole.msg.md")
    assert now.replace("How many more", "How many") == msgls.read("whole.msg.md")


def test_what_an_editor_overwrote_is_there_again_at_once(msgls: Runner) -> None:
    # The session says nothing more: nobody waits for it to.
    lines = (DATA / EVERY[1]).read_text("utf-8").splitlines(keepends=True)
    path = msgls.write("s.jsonl", "".join(lines[:3]))
    shown: list[str] = []

    def grow() -> None:
        shown.append(msgls.read(OUT))
        path.write_text("".join(lines), "utf-8")

    def save() -> None:
        shown.append(msgls.read(OUT))
        (msgls.folder / OUT).write_text(shown[0], "utf-8")

    following(msgls, [grow, save, lambda: None], lambda: None)
    assert msgls.read(OUT) == shown[1] != shown[0]


def test_what_comes_during_the_import_is_neither_lost_nor_doubled(
    msgls: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = (DATA / EVERY[1]).read_text("utf-8").splitlines(keepends=True)
    path = msgls.write("s.jsonl", "".join(lines[:3]) + lines[3][:-1])

    def write_while_it_grows(*arguments: Any) -> int:
        monkeypatch.setattr(importing, "write_import", write_import)
        with path.open("a", encoding="utf-8") as file:
            file.write("\n" + "".join(lines[4:]))
        return write_import(*arguments)

    monkeypatch.setattr(importing, "write_import", write_while_it_grows)
    following(msgls, [lambda: None], lambda: None)
    assert msgls.read(OUT) == msgls("import", "s.jsonl").out


def test_a_sub_agent_that_goes_on_behind_its_result(msgls: Runner) -> None:
    folder = msgls.folder / "s" / "subagents"
    shutil.copytree((DATA / CLAUDE).with_suffix("") / "subagents", folder)
    agent = folder / "agent-abc123.jsonl"
    lines = agent.read_text("utf-8").splitlines(keepends=True)
    agent.write_text(lines[0], "utf-8")
    msgls.write("s.jsonl", (DATA / CLAUDE).read_text("utf-8"))
    shown: list[str] = []

    def check() -> None:
        shown.append(msgls.read(OUT))
        assert shown[-1] == msgls("import", "s.jsonl").out

    steps: list[Callable[[], object]] = [
        lambda: None,
        lambda: agent.write_text("".join(lines), "utf-8"),
    ]
    following(msgls, steps, check)
    assert len(shown[0]) < len(shown[1])
    assert msgls("check", OUT).out == "No problems found.\n"


def grown(name: str, text: str) -> str:
    """A transcript in which one more thing was said."""
    if name.startswith("aider"):
        return text + "\n#### One more thing.  \n"
    value = json.loads(text)
    said: dict[str, object] = {"id": "more", "type": "user", "content": "One more thing."}
    if name.startswith("opencode"):
        part = {"type": "text", "text": "One more thing."}
        said = {"info": {"id": "more", "role": "user"}, "parts": [part]}
    value["messages"].append(said)
    return json.dumps(value)


@pytest.mark.parametrize("name", [EVERY[4], EVERY[7], EVERY[8]])
def test_following_what_is_written_anew_as_a_whole(msgls: Runner, name: str) -> None:
    text = (DATA / name).read_text("utf-8")
    path = msgls.write("s", text)
    options = argparse.Namespace(output="talk", force=False)
    written: list[str] = []

    def pause(took: float) -> None:
        (made,) = (msgls.folder / "talk").iterdir()
        written.append(made.read_text("utf-8"))
        if len(written) == 3:
            raise KeyboardInterrupt
        if len(written) == 1:
            path.write_text(grown(name, text), "utf-8")

    follow(Found(name.split("/")[0], path, 0.0), options, pause)
    assert written[1].startswith(written[0])
    assert "One more thing." in written[1][len(written[0]) :]
    assert written[2] == written[1]


def test_following_starts_over_where_the_transcript_does(msgls: Runner) -> None:
    lines = (DATA / EVERY[1]).read_text("utf-8").splitlines(keepends=True)
    path = msgls.write("s.jsonl", "".join(lines))
    following(msgls, [path.unlink, lambda: _keep(path, lines[:3])], lambda: None)
    assert "How many files" in msgls.read(OUT)


def _keep(path: Path, lines: list[str]) -> None:
    path.write_text("".join(lines), "utf-8")


def test_following_needs_one_transcript_and_a_file(msgls: Runner) -> None:
    error = "msgls: --follow needs one transcript, and -o for the message file\n"
    assert msgls("import", "--follow", str(DATA / CLAUDE)) == (2, "", error)


def test_records_of_one_value_over_many_lines() -> None:
    assert records_of('{\n"a": 1\n}\n') == [(0, {"a": 1})]
