"""Code that is run from an editor, and what it shows while people type."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from msgls.api import check_text
from msgls.host import processes
from msgls.text.spans import Edit, Span
from tests.lsp.client import URI, Refused
from tests.lsp.test_asking import Editor, is_gone, shown_by, started_by
from tests.lsp.wire import Wire


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own folders."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "jupyter"))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "runtime"))
    return tmp_path


def cell(code: str, cell_id: str = "c1", language: str = "python") -> str:
    return f"# %% [^{cell_id}]\n\n[^{cell_id}]: [code]\n\n```{language}\n{code}\n```\n"


TWO = cell("x = 41") + "\n" + cell("x + 1", "c2")


def at(editor: Editor, text: str) -> dict[str, int]:
    found: dict[str, int] = editor.client.position(editor.text.index(text))
    return found


def end(editor: Editor) -> None:
    editor.client.server.session.stop_live()


# -- a real kernel ----------------------------------------------------------------------------


def test_cells_share_a_kernel_until_it_is_restarted() -> None:
    editor = Editor(TWO)
    with pytest.raises(Refused, match="no kernel runs"):
        editor.command("run.restart")
    editor.command("run.all")
    editor.wait()
    assert 'output="result"\n\nstdout> 42\n' in editor.text
    assert editor.text.count('status="success"') == 2
    editor.command("run.replace", position=at(editor, "x + 1"))
    editor.wait()
    assert "[^c2.2]" not in editor.text
    assert "# %%% [^c2.3]" in editor.text
    editor.command("run.restart")
    # The key that asks runs a code cell.
    editor.command("ask.answer", position=at(editor, "x + 1"), code="run")
    editor.wait()
    assert "stderr> NameError: name 'x' is not defined\n" in editor.text
    editor.command("run.fromHere", position=at(editor, "x = 41"))
    editor.wait()
    assert editor.text.count("stdout> 42\n") == 2
    editor.command("run.clear", position=at(editor, "x + 1"), here=True)
    assert editor.text.count("# %%%") == 2
    editor.command("run.clear")
    assert editor.text == TWO
    end(editor)


def test_interrupting_keeps_what_came_and_the_kernel() -> None:
    code = "y = 7\nprint('up', flush=True)\nimport time\ntime.sleep(600)"
    editor = Editor(cell(code) + "\n" + cell("y", "c2"))
    editor.command("run.all")
    editor.wait("stdout> up\n")
    with pytest.raises(Refused, match="already"):
        editor.command("run.cell", position=at(editor, "y = 7"))
    token = editor.client.notifications("$/progress")[0]["token"]
    editor.client.notify("window/workDoneProgress/cancel", {"token": token})
    editor.wait()
    assert "stderr> KeyboardInterrupt" in editor.text
    assert "[^c2.1" not in editor.text
    assert "[^c2.2" not in editor.text
    editor.command("run.cell", position=at(editor, "[^c2]: "))
    editor.wait()
    assert "stdout> 7\n" in editor.text
    with pytest.raises(Refused, match="nothing is being written"):
        editor.command("run.interrupt")
    end(editor)


def test_a_restart_while_code_runs_ends_it_and_all_that_was_known() -> None:
    editor = Editor(cell("x = 7\nprint('up', flush=True)\nimport time\ntime.sleep(600)"))
    editor.command("run.all")
    editor.wait("stdout> up\n")
    editor.command("run.restart")
    editor.wait()
    assert editor.text.endswith("stdout> up\nstderr> msgls: stopped: the kernel was restarted\n")
    assert 'status="failure"' in editor.text
    start = editor.text.index("x = 7")
    editor.client.change(Edit(Span(start, editor.text.index("\n```\n\n#")), "x"))
    editor.command("run.cell")
    editor.wait()
    # It counts from one again, and the run gets the next number.
    assert "# %%% [^c1.2]" in editor.text
    assert "execution_count=1" in editor.text
    assert "stderr> NameError: name 'x' is not defined\n" in editor.text
    end(editor)


def test_an_interrupt_stops_a_flood() -> None:
    # Without an end, but no faster than it is read: what was printed before is shown first.
    code = "import time\nwhile True:\n    print('x' * 10_000)\n    time.sleep(0.001)"
    editor = Editor(cell(code) + "\n" + cell("6 * 7", "c2"))
    editor.command("run.cell", position=at(editor, code))
    # No more goes into the cell by now, and the file grows.
    editor.wait("chat.c1.1.txt")
    editor.command("run.interrupt")
    editor.wait()
    assert 'status="failure"' in editor.text
    assert "stderr> KeyboardInterrupt" in editor.text
    goes_on(editor)
    end(editor)


def test_a_kernel_that_dies_while_nothing_runs_is_shown_no_more() -> None:
    code = cell("import os\nos.getpid()")
    editor = Editor(code, initializationOptions={"showsKernels": True})
    titles: list[list[str]] = []
    for number in (1, 2):
        editor.command("run.cell")
        editor.wait()
        pids = re.findall(r"^stdout> (\d+)$", editor.text, re.MULTILINE)
        assert len(pids) == number
        os.kill(int(pids[-1]), signal.SIGKILL)
        while len(titles) < 2 * number:
            editor.client.settle()
            told = editor.client.notifications("msgls/kernels")
            titles = [each["titles"] for each in told]
        assert titles[-1] == []
        assert len(titles[-2]) == 1
    end(editor)


KILLED = "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)"


@pytest.mark.parametrize(
    ("code", "status", "said"),
    [
        ("import os\nos._exit(3)", "failure", "the kernel died, with exit code 3\n"),
        (KILLED, "failure", "the kernel died, with exit code -9\n"),
        ("for n in range(1_000): print('x' * 99_999)", "success", "chat.c1.1.txt"),
        ("print('\\x1b[31mred\\x1b[0m \\udcff')", "success", "stdout> red "),
    ],
    ids=["dies", "is killed", "floods", "bytes and colours"],
)
def test_whatever_a_kernel_does_the_server_goes_on(
    home: Path, code: str, status: str, said: str
) -> None:
    editor = Editor(cell(code) + "\n" + cell("6 * 7", "c2"))
    editor.command("run.cell", position=at(editor, code))
    editor.wait()
    assert f'status="{status}"' in editor.text
    assert said in editor.text
    # There is no folder of this document, so the file is in the user's own.
    assert (home / "chat.c1.1.txt").exists() is ("txt" in said)
    goes_on(editor)
    end(editor)


def goes_on(editor: Editor) -> None:
    """Whether the file is valid, the server answers, and more code can be run."""
    assert len(editor.text) < 300_000
    assert "\x1b" not in editor.text
    assert check_text(editor.text, path="talk.msg.md") == []
    symbols = editor.client.request("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
    assert symbols
    editor.command("run.cell", position=at(editor, "6 * 7"))
    editor.wait()
    assert editor.text.endswith("stdout> 42\n")


WITH_CHILD = """\
import os, subprocess, time
print("processes", os.getpid(), subprocess.Popen(["sleep", "600"]).pid, flush=True)
time.sleep(600)"""


def test_a_server_that_is_killed_takes_the_kernel_along_and_what_it_started() -> None:
    with Wire() as wire:
        started_by(wire, "msgls.run.cell", cell(WITH_CHILD))
        shown = next(each for each in shown_by(wire, cell(WITH_CHILD)) if "stdout> " in each)
        wire.process.kill()
        wire.process.wait()
    assert 'status="failure" incomplete=1\n\nstdout> processes ' in shown
    assert check_text(shown, path="talk.msg.md") == []
    assert all(is_gone(int(pid)) for pid in shown.split()[-2:])


def test_code_that_hangs_and_catches_every_interrupt_is_ended() -> None:
    code = """\
print("up", flush=True)
while True:
    try:
        while True: pass
    except BaseException: pass"""
    editor = Editor(cell(code) + "\n" + cell("6 * 7", "c2"))
    editor.command("run.cell", position=at(editor, "while"))
    editor.wait("stdout> up\n")
    symbols = editor.client.request("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
    assert symbols
    editor.command("run.interrupt")
    editor.command("run.interrupt")
    editor.wait()
    assert "stderr> msgls: stopped: the kernel was ended\n" in editor.text
    assert re.search(r'\[python\] time="[^"]+" status="failure" duration=[\d.]+m?s\n', editor.text)
    goes_on(editor)
    end(editor)


def test_a_language_without_a_kernel_is_told_and_nothing_is_written() -> None:
    text = cell("1", language="cobol")
    editor = Editor(text)
    editor.command("run.cell")
    editor.wait()
    (told,) = editor.client.notifications("window/showMessage")
    assert "no Jupyter kernel is installed for `cobol`" in told["message"]
    assert editor.text == text


# -- a kernel that does what a test wants -----------------------------------------------------

HEAD = """
import json, sys
def say(event, **more): print(json.dumps({"event": event, **more}), flush=True)
def text(line): say("text", stream="stdout", lines=[line], rest="")
def hear(): return json.loads(sys.stdin.readline())
begun = hear(); say("kernel", name="fake", title="Fake"); hear(); say("started", count=1)
"""


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """The processes of runners, each of which does what its code cell says."""
    found: list[subprocess.Popen[bytes]] = []
    start = processes.start

    def other(command: Sequence[str]) -> subprocess.Popen[bytes]:
        code = HEAD + FAKE["code"]
        found.append(start((sys.executable, "-c", code)))
        return found[-1]

    monkeypatch.setattr(processes, "start", other)
    return found


FAKE = {"code": ""}
Started = list[subprocess.Popen[bytes]]


def run_fake(code: str, **params: Any) -> Editor:
    FAKE["code"] = code
    return Editor(cell("pass"), **params)


def test_whoever_types_meanwhile_is_not_overtaken(started: Started) -> None:
    editor = run_fake("text('a'); text('b'); say('done', status='ok', seconds=1); hear()")
    top = editor.text.index("pass")
    editor.types = [Edit(Span(top, top), f"t{number} ") for number in range(3)]
    editor.command("run.cell")
    editor.wait()
    assert editor.refused == 3
    assert "t2 t1 t0 pass" in editor.text
    assert editor.text.endswith("duration=1.00s\n\nstdout> a\nstdout> b\n")
    end(editor)


SHOWN = """
def show(kind, html): say('data', kind=kind, id='d', data=[['text/html', html, None, {}]], meta={})
def done(): say('done', status='ok', seconds=1); hear()
show('display', '<b>1</b>'); done()
say('started', count=2); show('update', '<b>2</b>'); text('a'); done()
"""


def test_what_one_cell_shows_another_one_can_update(started: Started) -> None:
    FAKE["code"] = SHOWN
    editor = Editor(TWO)
    editor.command("run.all")
    editor.wait()
    assert editor.text.count("<b>") == editor.text.count("\n\n<b>2</b>\n\n# %% [^c2]") == 1
    assert editor.text.endswith("\n\nstdout> a\n")
    end(editor)


def test_a_runner_that_ends_leaves_a_failure_and_the_next_run_starts_anew(started: Started) -> None:
    editor = run_fake("text('a'); sys.exit(3)")
    for number in (1, 2):
        editor.command("run.cell")
        editor.wait()
        assert editor.text.count("stderr> msgls: the runner failed with exit code 3\n") == number
    assert len(started) == 2
    assert "incomplete" not in editor.text


def test_code_that_ignores_an_interrupt_is_ended_by_a_second_one(started: Started) -> None:
    editor = run_fake("text('up')\nwhile True: hear()")
    editor.command("run.cell")
    editor.wait("stdout> up\n")
    editor.command("run.interrupt")
    editor.command("run.interrupt")
    editor.wait()
    assert editor.text.endswith("stdout> up\nstderr> msgls: stopped: the kernel was ended\n")
    assert started[0].wait(60) is not None


@pytest.mark.parametrize(("can", "typed"), [(True, "Ada"), (False, None)])
def test_a_program_that_reads_is_given_what_is_typed_or_the_end(
    started: Started, can: bool, typed: str | None
) -> None:
    code = "say('input', prompt='name?', password=False); text(repr(hear()['text']))"
    editor = run_fake(
        f"{code}; say('done', status='ok', seconds=1); hear()",
        initializationOptions={"readsInput": can},
    )
    asked: list[Any] = []

    def answer(params: Any) -> str:
        asked.append(params)
        return "Ada"

    editor.client.answers["msgls/input"] = answer
    editor.command("run.cell")
    editor.wait()
    assert f"stdout> {typed!r}\n" in editor.text
    assert asked == ([{"prompt": "name?", "password": False}] if can else [])
    end(editor)


def test_whoever_gives_the_command_chooses_the_kernel_and_no_workspace(started: Started) -> None:
    editor = run_fake(
        "text(str(begun['kernel']))\nwhile True: say('done', status='ok', seconds=1); hear()",
        initializationOptions={"kernels": {"python": "evil"}},
    )
    said = {"run": {"kernels": {"python": "evil"}}}
    editor.client.answers["workspace/configuration"] = lambda params: [said] * len(params["items"])
    editor.client.notify("workspace/didChangeConfiguration", {"settings": {}})
    chosen: list[dict[str, str]] = [
        {},
        {"bash": "b"},
        {"bash": "b", "py": "mine"},
        {"Python3": "mine"},
        {},
    ]
    for kernels in chosen:
        editor.command("run.cell", kernels=kernels)
        editor.wait()
    # A kernel ends where another one is wanted, and else goes on.
    assert re.findall("^stdout> (.*)$", editor.text, re.MULTILINE) == ["None", "mine", "None"]
    with pytest.raises(Refused, match="must be a table of strings"):
        editor.command("run.cell", kernels={"python": ["mine"]})
    end(editor)


def test_a_client_that_shows_kernels_is_told_of_them(started: Started) -> None:
    editor = run_fake(
        "text('a'); say('done', status='ok', seconds=1); hear()",
        initializationOptions={"showsKernels": True},
    )
    editor.command("run.cell")
    editor.wait()
    editor.client.close()
    assert editor.client.notifications("msgls/kernels") == [
        {"uri": URI, "titles": ["Fake"]},
        {"uri": URI, "titles": []},
    ]


TWICE = """
for number in (1, 2):
    text(f"up {number}"); hear(); say("done", status="ok", seconds=1)
    hear(); say("started", count=number + 1)
"""


def test_the_progress_tells_which_kernel_is_at_work(started: Started) -> None:
    editor = run_fake(TWICE)

    def reports() -> list[str]:
        told = [each["value"] for each in editor.client.notifications("$/progress")]
        return [value["message"] for value in told if value["kind"] == "report"]

    for number in (1, 2):
        before = len(reports())
        editor.command("run.cell")
        editor.wait(f"up {number}\n")
        while len(reports()) == before:
            editor.client.settle()
        editor.command("run.interrupt")
        editor.wait()
    assert reports()[before].startswith("Fake, ")
    end(editor)


def test_closing_the_document_ends_its_kernel(started: Started) -> None:
    editor = run_fake("text('up')\nwhile True: hear()")
    editor.command("run.cell")
    editor.wait("stdout> up\n")
    editor.client.close()
    assert started[0].wait(60) is not None


def test_nothing_runs_in_an_untrusted_workspace_or_unasked(started: Started) -> None:
    editor = run_fake("", initializationOptions={"trusted": False})
    with pytest.raises(Refused, match="do not trust"):
        editor.command("run.cell")
    editor = run_fake("")
    place = editor.client.range(Span(3, 3))
    params = {"textDocument": {"uri": URI}, "range": place, "context": {"diagnostics": []}}
    titles = [a["title"] for a in editor.client.request("textDocument/codeAction", params)]
    assert "Run cell" in titles
    assert not started


def test_opening_saving_hovering_and_looking_start_nothing(started: Started) -> None:
    editor = run_fake("")
    client = editor.client
    document = {"textDocument": {"uri": URI}}
    asked = [client.at("textDocument/hover", at) for at in range(0, len(editor.text), 7)]
    assert any(asked)
    whole = client.range(Span(0, len(editor.text)))
    lenses = client.request("textDocument/codeLens", document)
    shown = [client.request("codeLens/resolve", lens)["command"]["command"] for lens in lenses]
    assert "msgls.run.cell" in shown
    for method in ("documentSymbol", "foldingRange", "semanticTokens/full", "formatting"):
        options = {"options": {"tabSize": 4, "insertSpaces": True}}
        client.request(f"textDocument/{method}", {**document, **options})
    client.request("textDocument/inlayHint", {**document, "range": whole})
    client.change(Edit(Span(len(editor.text), len(editor.text)), "\n"))
    client.notify("textDocument/didSave", {**document, "text": editor.text})
    client.notify("workspace/didChangeConfiguration", {"settings": {}})
    client.settle()
    client.close()
    client.open(cell("pass"), version=9)
    client.settle()
    assert not started
    # So it would have been seen.
    editor.command("run.cell")
    assert len(started) == 1
    end(editor)
