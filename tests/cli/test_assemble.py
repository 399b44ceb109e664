"""``msgls assemble``: messages out of a stream, its problems, and a file that grows."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from msgls.cli.assemble import TARGETS, Assembly, follow_lines, read_lines
from msgls.conversation.assembler import Assembler
from msgls.conversation.messages import Message
from msgls.conversation.readers import read_document
from msgls.conversation.targets import ENDINGS
from msgls.document.document import Document
from msgls.rules.checker import Checker
from msgls.rules.registry import rules_of
from tests.cli.support import Runner
from tests.formats.msgjson.made_up import (
    call_args,
    call_end,
    call_start,
    delta,
    done,
    dump,
    entry,
    error,
    message,
    said,
    start,
    text,
)
from tests.snapshots import snapshot_of

STREAM = [start(), text(1, "Hé"), text(2, "llo 😀"), done(3)]
PARTS = [said("Héllo 😀")]
UNREADABLE = "warning[DLT007] the arguments of the tool call `c1` cannot be read:"


def parts(out: str) -> list[object]:
    return [json.loads(line)["parts"] for line in out.split("\n") if line]


def test_a_message_a_line(msgls: Runner) -> None:
    msgls.write("a.deltas.jsonl", dump(*STREAM, *STREAM))
    run = msgls("assemble", "a.deltas.jsonl")
    assert (run.code, run.err) == (0, "")
    assert parts(run.out) == [PARTS, PARTS]


def test_standard_input(msgls: Runner) -> None:
    run = msgls("assemble", "-", stdin=dump(*STREAM))
    assert (run.code, run.err) == (0, "")
    assert parts(run.out) == [PARTS]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r", "\n\n \n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_lines_end_as_anywhere(msgls: Runner, newline: str, mark: str) -> None:
    run = msgls("assemble", "-", stdin=mark + dump(*STREAM, newline=newline))
    assert (run.code, run.err) == (0, "")
    assert parts(run.out) == [PARTS]


def test_a_last_line_without_its_end_counts(msgls: Runner) -> None:
    run = msgls("assemble", "-", stdin=dump(*STREAM).rstrip("\n"))
    assert parts(run.out) == [PARTS]


def test_messages_pass_and_entries_are_unwrapped(msgls: Runner) -> None:
    user = message("user", said("Hi"))
    lines = [
        user,
        entry("message", user),
        entry("other", {"a": 1}),
        entry("message_delta_batch", STREAM[:2]),
        entry("message_delta_batch", {"deltas": STREAM[2:]}),
        # What was streamed and is stored as well is there once.
        entry("message", message("assistant", *PARTS)),
        [user, *STREAM],
    ]
    run = msgls("assemble", "-", stdin=dump(*lines))
    assert (run.code, run.err) == (0, "")
    hi = [said("Hi")]
    assert parts(run.out) == [hi, hi, PARTS, hi, PARTS]


SESSIONS: dict[str, list[Any]] = {
    "stored after its stream": [
        entry("message_delta_batch", STREAM),
        entry("message", message("tool", said("between"))),
        entry("message", message("assistant", *PARTS)),
    ],
    "stored before its stream": [
        entry("message", message("assistant", *PARTS)),
        entry("message_delta_batch", STREAM),
    ],
    "stored otherwise": [
        entry("message_delta_batch", STREAM),
        entry("message", message("assistant", said("Edited."))),
    ],
    "not stored": [
        entry("message", message("user", said("Hi"))),
        entry("message_delta_batch", STREAM),
        entry("message", message("user", said("And?"))),
    ],
    "an array of deltas": [entry("other", {}), [*STREAM]],
}


@pytest.mark.parametrize("name", SESSIONS)
@pytest.mark.parametrize("source", ["a.session.jsonl", "-"])
def test_a_session_gives_the_messages_that_converting_it_gives(
    msgls: Runner, name: str, source: str
) -> None:
    text = dump(*SESSIONS[name])
    msgls.write("a.session.jsonl", text)
    run = msgls("assemble", source, stdin=text)
    wanted = msgls("convert", "--to", "messages", "a.session.jsonl")
    assert parts(run.out) == [one["parts"] for one in wanted.json]
    assert ("no `message` entry holds it" in run.err) == (name == "stored otherwise")
    assert ("no `message` entry holds it" in wanted.err) == (name == "stored otherwise")


STEPS: list[Callable[[int], dict[str, Any]]] = [
    start,
    text,
    lambda seq: delta(seq, "thinking", textDelta="hm"),
    call_start,
    lambda seq: call_args(seq, '{"a"'),
    lambda seq: call_args(seq, ": 1}"),
    call_end,
    lambda seq: delta(seq, "usage", inputTokens=seq),
    done,
    error,
    lambda seq: {**text(seq), "seq": float(seq)},
    lambda seq: {**text(seq), "more": seq},
    lambda seq: {**text(seq), "seq": "x"},
]
OTHERS = [
    message("user", said("Hi")),
    message("assistant", said("x")),
    entry("message", message("assistant", said("x"))),
    entry("message", message("user", said("Hi"))),
    entry("note", {}),
    {"a": 1},
]


@given(
    lines=st.lists(
        st.one_of(
            st.tuples(st.sampled_from(STEPS), st.sampled_from(["r", "s"]), st.booleans()),
            st.sampled_from(OTHERS),
        ),
        max_size=20,
    )
)
def test_any_lines_give_the_messages_that_reading_the_file_gives(lines: list[Any]) -> None:
    wires = []
    for seq, line in enumerate(lines):
        if isinstance(line, dict):
            wires.append(line)
            continue
        step, run, is_batch = line
        wire = {**step(seq), "runId": run}
        wires.append(entry("message_delta_batch", [wire]) if is_batch else wire)
    source = dump(*wires)
    job = Assembly("a.session.jsonl", partial=False, follow=False)
    given = [Message.from_wire(one) for one in job.messages(source.encode().split(b"\n"))]
    read = read_document(Document.open("a.session.jsonl", source)).messages
    assert [[one.role, one.parts] for one in given] == [[one.role, one.parts] for one in read]


@pytest.mark.parametrize(
    ("source", "code", "err"),
    [
        (dump(start(), text(1)), 1, "1: info[DLT004] the stream of run `r` has not ended yet"),
        (
            dump(start()) + "\nbroken\n" + dump(done(1)),
            1,
            "3: error[DLT001] this is not valid JSON: a value is expected here (column 1)",
        ),
        (
            dump(*STREAM, text(4)),
            1,
            "5: error[DLT004] the stream of run `r` has ended before this delta",
        ),
        (dump(start(5), done(5)), 1, "2: error[DLT005] `seq` must increase: 5 follows 5"),
        (
            dump(start(), call_start(1), call_args(2, "x"), call_end(3), done(4)),
            1,
            f"3: {UNREADABLE} a value is expected here",
        ),
        (
            dump(start(), error(1)),
            1,
            "2: error: the stream of run `r` ends in an error and yields no message: overloaded",
        ),
        (
            dump({**text(1), "seq": "x"}),
            1,
            "1: error[DLT002] `seq`: input should be a valid integer",
        ),
        (dump({}), 1, "1: error[DLT002] this is neither a message nor a delta nor a session entry"),
        (dump(7), 1, "1: error[DLT002] this is not a valid delta: input should be an object"),
        ('{"a": NaN}\n', 1, "1: error[DLT001] this is not valid JSON: JSON has no `NaN`"),
    ],
)
def test_problems_go_beside_the_output(msgls: Runner, source: str, code: int, err: str) -> None:
    msgls.write("a.jsonl", source)
    run = msgls("assemble", "a.jsonl")
    assert run.code == code
    assert run.err == (f"a.jsonl:{err}\n" if err else "")


def test_an_error_is_told_in_its_own_words(msgls: Runner) -> None:
    payload: dict[str, Any]
    payload = {"errorCode": "rate_limit", "message": "Slow down.\x1b[2J", "retryable": True}
    source = dump(start(), text(1, "half"), delta(2, "error", **payload), *STREAM)
    run = msgls("assemble", "-", stdin=source)
    assert run.code == 1
    assert run.err == (
        "<stdin>:3: error: the stream of run `r` ends in an error and yields no message: "
        "rate_limit: Slow down.␛[2J (it can be retried)\n"
    )
    assert parts(run.out) == [PARTS]


def test_what_came_is_given_on_demand(msgls: Runner) -> None:
    source = dump(start(), text(1, "half"), error(2), start(), text(1, "open"))
    run = msgls("assemble", "--partial", "-", stdin=source)
    assert run.code == 1
    assert parts(run.out) == [[said("half")], [said("open")]]
    assert json.loads(run.out.split("\n")[0])["meta"]["error"] == {"errorCode": "overloaded"}
    assert msgls("assemble", "-", stdin=source).out == ""


def test_what_is_not_utf_8_is_a_problem_of_its_line(msgls: Runner) -> None:
    run = msgls("assemble", "-", stdin=b"\xff\n" + dump(*STREAM).encode())
    assert run.code == 1
    assert run.err == "<stdin>:1: error[DLT001] this is not valid JSON: it is not UTF-8\n"
    assert parts(run.out) == [PARTS]


@pytest.mark.parametrize("name", ["missing.jsonl", "."])
def test_a_file_that_cannot_be_read(msgls: Runner, name: str) -> None:
    run = msgls("assemble", name)
    assert run.code == 2
    assert run.err.startswith(f"msgls: {name}: ")


def test_an_array_over_many_lines_is_told_apart(msgls: Runner) -> None:
    run = msgls("assemble", "-", stdin=json.dumps(STREAM, indent=2))
    assert run.code == 2
    assert run.err == "msgls: <stdin>: this is an array over several lines, not JSONL\n"


def test_half_an_emoji_is_written_as_an_escape(msgls: Runner) -> None:
    run = msgls(
        "assemble",
        "-",
        stdin=json.dumps(start()) + "\n" + json.dumps(text(1, "\ud83d")) + "\n" + dump(done(2)),
    )
    assert "\\ud83d" in run.out
    assert parts(run.out) == [[said("\ud83d")]]


# -- other formats --------------------------------------------------------------------------


def test_to_an_array(msgls: Runner) -> None:
    run = msgls("assemble", "-", "--to", "messages", stdin=dump(*STREAM))
    assert [found["parts"] for found in run.json] == [PARTS]


def test_it_writes_what_convert_writes(msgls: Runner) -> None:
    assert set(TARGETS) == set(ENDINGS)
    for name in TARGETS:
        run = msgls("assemble", "-", "--to", name, stdin=dump(*STREAM))
        assert run.code == 0
        assert run.out


def test_a_folder_is_not_an_output(msgls: Runner) -> None:
    run = msgls("assemble", "-", "--to", "chatbuilder", stdin=dump(*STREAM, *STREAM))
    assert run.code == 2
    assert "msgls convert" in run.err


def test_to_a_message_file(msgls: Runner) -> None:
    run = msgls("assemble", "-", "--to", "msgmd", stdin=dump(*STREAM))
    assert run.code == 0
    assert "Héllo 😀" in run.out
    document = Document.open("a.msg.md", run.out)
    assert [m.role for m in read_document(document).messages] == ["assistant"]


def test_an_unknown_format_is_refused(msgls: Runner) -> None:
    assert msgls("assemble", "-", "--to", "pdf").code == 2


def test_follow_needs_lines(msgls: Runner) -> None:
    run = msgls("assemble", "-", "--follow", "--to", "msgmd")
    assert run.code == 2
    assert "--follow" in run.err


# -- reading --------------------------------------------------------------------------------


class Slow(io.BytesIO):
    """A pipe that gives a few bytes at a time."""

    def read1(self, size: int | None = -1, /) -> bytes:
        return super().read1(5)


def test_lines_are_the_same_however_they_come() -> None:
    data = b"ab\r\ncd\n\nlong line of words\ref\r\r\nlast"
    fast = list(read_lines(io.BytesIO(data)))
    assert [line for line in fast if line] == [b"ab", b"cd", b"long line of words", b"ef", b"last"]
    assert [line for line in read_lines(Slow(data)) if line] == [line for line in fast if line]


class Growing:
    """A file that something happens to whenever its reader waits."""

    def __init__(self, path: Path, *steps: Callable[[Path], object]) -> None:
        self.path = path
        self.steps = list(steps)
        self.notes: list[str] = []

    def pause(self) -> None:
        if not self.steps:
            raise KeyboardInterrupt
        self.steps.pop(0)(self.path)

    def lines(self) -> list[bytes]:
        with self.path.open("rb") as file:
            return list(follow_lines(self.path, file, self.notes.append, self.pause))


def append(data: bytes) -> Callable[[Path], object]:
    def step(path: Path) -> None:
        with path.open("ab") as file:
            file.write(data)

    return step


def test_a_file_that_grows_is_followed(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"one\ntw")
    growing = Growing(path, append(b"o"), append(b"\n\xc3"), append(b"\xa9\n"), append(b"rest"))
    assert growing.lines() == [b"one", b"two", b"\xc3\xa9"]
    assert growing.notes == []


def test_a_file_that_becomes_shorter_is_read_anew(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"one\ntwo\nthr")
    growing = Growing(path, lambda path: path.write_bytes(b"new\n"), append(b"more\n"))
    assert growing.lines() == [b"one", b"two", b"new", b"more"]
    assert growing.notes == ["the file became shorter"]


def test_a_file_that_is_replaced_is_read_anew(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"one\n")

    def replace(path: Path) -> None:
        other = path.with_suffix(".new")
        other.write_bytes(b"a longer new one\n")
        other.replace(path)

    growing = Growing(path, replace, lambda path: path.unlink(), append(b"two\n"))
    assert growing.lines() == [b"one", b"a longer new one", b"two"]
    assert growing.notes == ["it was replaced by another file"] * 2


def test_messages_of_a_file_that_grows_come_when_their_stream_ends(
    msgls: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = msgls.write("a.jsonl", dump(*STREAM[:2]))
    half = dump(*STREAM[2:])
    growing = Growing(path, append(half[:30].encode()), append(half[30:].encode()))
    monkeypatch.setattr("msgls.cli.assemble.time.sleep", lambda _: growing.pause())
    run = msgls("assemble", "--follow", "a.jsonl")
    assert run.code == 0
    assert parts(run.out) == [PARTS]


def test_a_file_that_starts_over_forgets_what_was_open(
    msgls: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = msgls.write("a.jsonl", dump(*STREAM[:3]))
    growing = Growing(path, lambda path: path.write_text(dump(text(1)), "utf-8"))
    monkeypatch.setattr("msgls.cli.assemble.time.sleep", lambda _: growing.pause())
    run = msgls("assemble", "--follow", "a.jsonl")
    assert run.code == 1
    assert "msgls: a.jsonl: the file became shorter, starting over\n" in run.err
    assert "a.jsonl:1: error[DLT003]" in run.err


# -- beside `check` -------------------------------------------------------------------------


_KINDS: tuple[Callable[..., object], ...]
_KINDS = (start, text, done, error, call_start, call_args, call_end)
_CHANCES = st.tuples(
    st.sampled_from(_KINDS), st.sampled_from((None, None, None, 3)), st.sampled_from("rrs")
)


@given(st.lists(_CHANCES, min_size=2, max_size=14), st.sampled_from(("{}", "{", "")))
def test_the_same_problem_has_the_same_line_in_both(
    chances: list[tuple[Callable[..., Any], int | None, str]], arguments: str
) -> None:
    # In a file, a stream that is silent while many others end is forgotten.
    assume(len([make for make, _, _ in chances if make in (done, error)]) <= 3)
    lines = []
    for number, (make, seq, run) in enumerate(chances):
        wire = make(number if seq is None else seq, run=run)
        if make is call_args:
            wire["payload"]["argsTextDelta"] = arguments
        lines.append(wire)
    document = Document.open("a.deltas.jsonl", dump(*lines))
    checked = {
        (problem.code, document.cell(problem.label).start_line + 1)
        for problem in Checker(snapshot_of(document), rules_of("msgjson")).problems()
    }
    assembler = Assembler()
    for line, wire in enumerate(lines, start=1):
        assembler.add(wire, line)
    problems = [*assembler.problems, *assembler.not_ended()]
    told = {(problem.kind.code, problem.place) for problem in problems}
    # Of a call that its stream did not start, nothing is read; a file is checked anyway.
    assert {found for found in checked - told if found[0] != "DLT007"} == set()
    assert told - checked == set()


def test_check_takes_a_stream_that_may_grow_for_information(msgls: Runner) -> None:
    msgls.write("a.deltas.jsonl", dump(*STREAM[:2]))
    quiet = msgls("check", "a.deltas.jsonl", "--output-format", "concise")
    assert (quiet.code, quiet.out) == (0, "No problems found.\n")
    run = msgls("check", "a.deltas.jsonl", "--min-severity", "info", "--output-format", "concise")
    assert "info[DLT004] the stream of run `r` has not ended yet" in run.out
    msgls.write("msgls.toml", '[lint.severity]\nDLT004 = "error"\n')
    run = msgls("check", "a.deltas.jsonl", "--output-format", "concise")
    assert run.code == 1
    assert "error[DLT004]" in run.out
