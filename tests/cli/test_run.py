"""``msgls run``: code that is executed by real kernels."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from tests.cli.support import Runner
from tests.conversation.corpus import PIXEL
from tests.conversation.notebooks import differences
from tests.lsp.test_asking import is_gone


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own folders, with a kernel for bash in one of them."""
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
    monkeypatch.setenv("JUPYTER_PATH", str(folder / "jupyter"))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(folder / "runtime"))
    spec = folder / "jupyter" / "kernels" / "bash"
    spec.mkdir(parents=True)
    argv = [sys.executable, "-m", "bash_kernel", "-f", "{connection_file}"]
    said = {"argv": argv, "display_name": "Bash", "language": "bash", "env": {"PS1": "$"}}
    (spec / "kernel.json").write_text(json.dumps(said), "utf-8")
    return folder


def cell(code: str, cell_id: str = "c1", language: str = "python") -> str:
    return f"# %% [^{cell_id}]\n\n[^{cell_id}]: [code]\n\n```{language}\n{code}\n```\n"


MANY = "\n".join(
    [
        "import sys",
        "from IPython.display import HTML, clear_output, display",
        "for number in range(3):",
        "    clear_output(wait=True)",
        "    print(number)",
        r"print('\x1b[31mred\x1b[0m', '10%\r20%')",
        r"print('\udcff')",
        "print('# %% [^c1]')",
        "display(HTML('<b>bold</b>'))",
        "x = 41",
    ]
)


def test_cells_share_a_kernel_and_show_all_that_they_say(msgls: Runner) -> None:
    source = "\n".join(
        [
            cell(MANY),
            cell("x + 1", "c2", "py"),
            cell("echo $((6 * 7)); pwd", "c3", "bash"),
            cell("input('name? ')", "c4"),
            cell("print('never')", "c5"),
        ]
    )
    path = msgls.write("a.msg.md", source)
    found = msgls("run", "a.msg.md", "--all")
    assert found.code == 1
    text = path.read_text("utf-8")
    assert re.search(r"duration=\S+\n\nstdout> 2\nstdout> 20% 10%\nstdout> .\nstdout> # %%", text)
    assert "\x1b" not in text
    assert 'mime_type="text/html"' in text
    assert re.search(r'\[\^c2\.2\]: \[py\] .*output="result"\n\nstdout> 42\n', text)
    assert f"stdout> 42\nstdout> {path.parent.resolve()}\n" in text
    assert "stderr> EOFError" in text
    assert "[^c5." not in text
    assert "42" in found.out
    assert "c4.3: failure" in found.err
    assert msgls("check", "a.msg.md").code == 0


LONG_LINE = """\
import sys, time
for n in range(30):
    sys.stdout.write('x' * 9_999 + ' ')
    sys.stdout.flush()
print()
raise ValueError('y' * 200_000)"""


def test_of_what_is_too_long_the_beginning_or_the_end_is_shown(msgls: Runner) -> None:
    path = msgls.write("a.msg.md", cell(LONG_LINE))
    found = msgls("run", "a.msg.md")
    assert found.code == 1
    assert "msgls: this is only the beginning: there is more in a.c1.1.txt" in found.err
    text = path.read_text("utf-8")
    line = f"{'x' * 9_999} "
    assert f"stdout> {line * 10}\nstderr> msgls: this is only the beginning" in text
    # Not broken where it was too long to keep.
    assert (msgls.folder / "a.c1.1.txt").read_text("utf-8") == line * 30 + "\n"
    assert 'output_file="a.c1.1-2.txt"\n' in text
    assert text.endswith("\nstderr> …" + "y" * 99_999 + "\n")
    whole = (msgls.folder / "a.c1.1-2.txt").read_text("utf-8")
    assert whole.startswith("-----")
    assert whole.endswith("ValueError: " + "y" * 200_000)
    assert msgls("check", "a.msg.md").code == 0


# No faster than a kernel gets rid of it.
SHOWN = """\
import time
from IPython.display import HTML, display
for n in range(3_000):
    display(HTML(f"{n} " + "x" * 50_000))
    if n % 50 == 0: time.sleep(0.05)
"""


def test_more_than_can_be_shown_goes_to_files_and_what_is_not_kept_is_told(msgls: Runner) -> None:
    path = msgls.write("a.msg.md", cell(SHOWN))
    assert msgls("run", "a.msg.md").code == 0
    text = path.read_text("utf-8")
    assert len(text) < 6_000_000
    files = list(msgls.folder.glob("a.c1.1*.html"))
    assert text.count("output_file=") == len(files) > 1_000
    assert sum(file.stat().st_size for file in files) <= 64_000_000
    assert "stderr> msgls: 1,000 outputs were not kept\n" in text
    assert re.search(r"^stderr> msgls: [\d,]+ characters were not kept$", text, re.MULTILINE)
    assert msgls("check", "a.msg.md").code == 0


BIG = "from IPython.display import HTML, clear_output, display\n"
FRAMES = f"""{BIG}
for n in range(3):
    clear_output(wait=True)
    display(HTML(f"{{n}}" * 300_000))
    for m in range(30_000): print(n, m)
"""
UPDATES = f"""{BIG}
handle = display(HTML("0" * 300_000), display_id=True)
for n in range(3): handle.update(HTML(f"{{n}}" * 300_000))
"""
CLEARED = f"{BIG}handle.update(HTML('3' * 300_000))\ndisplay(HTML('4' * 300_000))\nclear_output()"


@pytest.mark.parametrize(
    ("codes", "last"),
    [
        ([FRAMES], {".html": "2" * 300_000, ".txt": "".join(f"2 {m}\n" for m in range(30_000))}),
        ([UPDATES], {".html": "2" * 300_000}),
        ([UPDATES, CLEARED], {".html": "3" * 300_000}),
    ],
    ids=["cleared", "updated", "updated and cleared"],
)
def test_files_of_what_is_shown_no_more_are_used_again_or_go(
    msgls: Runner, codes: list[str], last: dict[str, str]
) -> None:
    cells = [cell(code, f"c{number}") for number, code in enumerate(codes)]
    path = msgls.write("a.msg.md", "\n".join(cells))
    assert msgls("run", "a.msg.md", "--all").code == 0
    names = re.findall('output_file="([^"]+)"', path.read_text("utf-8"))
    assert {Path(name).suffix: (msgls.folder / name).read_text("utf-8") for name in names} == last
    made = [path.name for path in msgls.folder.glob(f"a.c{len(cells) - 1}.*")]
    assert sorted(made) == sorted(names)


def test_of_many_cells_the_ids_of_the_first_and_the_last_are_told(msgls: Runner) -> None:
    msgls.write("a.msg.md", cell("for n in range(9): display(n)"))
    found = msgls("run", "a.msg.md")
    assert found.err.endswith("msgls: c1.1, c1.1.2, …, c1.1.9: success\n")


def test_what_went_to_a_file_is_in_the_notebook(msgls: Runner) -> None:
    code = """\
for n in range(30_000): print(n)
from IPython.display import display
display({'application/javascript': 'f()\\n' * 50_000}, raw=True)
'y' * 200_000"""
    path = msgls.write("a.msg.md", cell(code))
    assert msgls("run", "a.msg.md").code == 0
    assert path.read_text("utf-8").count("output_file=") == 3
    done = msgls("convert", "--strict", "a.msg.md", "--to", "notebook", "-o", "a.ipynb")
    assert done.code == 0, done.err
    outputs = json.loads((msgls.folder / "a.ipynb").read_text("utf-8"))["cells"][0]["outputs"]
    assert "".join(outputs[0]["text"]) == "".join(f"{n}\n" for n in range(30_000))
    assert outputs[1]["data"] == {"application/javascript": "f()\n" * 50_000}
    assert outputs[2]["data"] == {"text/plain": [repr("y" * 200_000)]}


def test_no_other_file_is_put_into_a_notebook(msgls: Runner) -> None:
    msgls.write("secret.txt", "SECRET\n")
    msgls.write("a.c2.1.txt", "SECRET\n")
    (msgls.folder / "a.c1.7.txt").symlink_to("secret.txt")
    (msgls.folder / "a.c1.8.txt").mkdir()
    run = '[python] status="success" output_file='
    names = ("secret.txt", "a.c2.1.txt", "../a.c1.1.txt", "a.c1.7.txt", "a.c1.8.txt", "a.c1.9.txt")
    for name in names:
        msgls.write("a.msg.md", cell("1") + f'\n# %%% [^c1.1]\n\n[^c1.1]: {run}"{name}"\n')
        done = msgls("convert", "a.msg.md", "--to", "notebook", "-o", "a.ipynb", "--force")
        assert f"the content of the file `{name}` is not in the notebook" in done.err
        assert "SECRET" not in (msgls.folder / "a.ipynb").read_text("utf-8")


DEAF = """
import signal, time
signal.signal(signal.SIGINT, signal.SIG_IGN)
print('deaf', flush=True)
while True: time.sleep(1)
"""
FLOOD = """
import sys
for n in range(1_000): sys.stdout.write('x' * 99_999 + '\\n')
"""
BYTES = "printf 'a\\xff\\033[31mb\\033[0m\\n'; echo oops >&2"


@pytest.mark.parametrize(
    ("code", "language", "options", "code_of", "said"),
    [
        (
            "import os\nos.kill(os.getpid(), 9)",
            "python",
            (),
            1,
            "the kernel died, with exit code -9",
        ),
        ("while True: pass", "python", ("--timeout", "0.5"), 1, "stderr> KeyboardInterrupt"),
        (DEAF, "python", ("--timeout", "1"), 1, "stopped: the time limit was reached"),
        (FLOOD, "python", (), 0, "characters were not kept"),
        (BYTES, "bash", (), 0, "stdout> a\ufffdb"),
        ("no-such-program", "bash", (), 1, "no-such-program: command not found"),
    ],
    ids=["killed", "hangs", "deaf", "flood", "bytes", "bash fails"],
)
def test_whatever_a_kernel_does_the_file_is_valid_and_says_so(
    msgls: Runner, code: str, language: str, options: tuple[str, ...], code_of: int, said: str
) -> None:
    path = msgls.write("a.msg.md", cell(code.strip(), language=language))
    assert msgls("run", "a.msg.md", *options).code == code_of
    text = path.read_text("utf-8")
    assert said in text
    assert "\x1b" not in text
    assert "incomplete" not in text
    assert len(text) < 300_000
    assert msgls("check", "a.msg.md").code == 0


NOTEBOOK = f"""
import sys
print('a  ')
print('b', file=sys.stderr)
sys.stdout.flush()
sys.stderr.flush()
print('c', end='', flush=True)
print('d', file=sys.stderr)
6 * 7
# ---
from IPython.display import (
    HTML, JSON, SVG, Image, Latex, Markdown, clear_output, display, update_display)
handle = display(HTML('\\n<b>1</b>'), display_id='d')
print('\\nx\\n\\ny')
update_display(HTML('<i>2</i>\\n\\n'), display_id='d')
display({{'application/javascript': 'f()\\n'}}, raw=True)
display(JSON({{'a': [1, None]}}))
display(Markdown('# A\\n'), Latex('$x$'), SVG('<svg xmlns="http://www.w3.org/2000/svg"/>'))
display({{'text/plain': 'two\\nlines', 'text/html': '<p>', 'text/latex': '$y$'}}, raw=True)
later = display('text first', display_id=True)
again = display(HTML('again'), display_id=later.display_id)
empty, never = display(display_id=True), display(display_id=True)
print('between')
empty.update(HTML('no more'))
# ---
print('gone')
display(HTML('gone, too'))
clear_output()
update_display(HTML('text no more'), display_id=later.display_id)
update_display('a text', display_id='d')
print('stays')
# ---
for n in range(3):
    clear_output(wait=True)
    print(n)
clear_output(wait=True)
display(Image(data=__import__('base64').b64decode('{PIXEL}'), width=4))
# ---
x = 1
# ---
class Odd(Exception):
    pass
print('# %% [^c1]')
raise Odd('two\\nlines')
"""


def test_what_is_shown_is_what_nbclient_shows(msgls: Runner) -> None:
    cells = [nbformat.v4.new_code_cell(code.strip()) for code in NOTEBOOK.split("# ---")]  # type: ignore[no-untyped-call]
    notebook = nbformat.v4.new_notebook(cells=cells)  # type: ignore[no-untyped-call]
    msgls.write("a.ipynb", nbformat.writes(notebook))  # type: ignore[no-untyped-call]
    for command in (
        ("convert", "a.ipynb", "--to", "msgmd", "-o", "a.msg.md"),
        ("run", "a.msg.md", "--all"),
        ("convert", "a.msg.md", "--to", "notebook", "-o", "b.ipynb"),
    ):
        assert msgls(*command).code == (command[0] == "run")
    ours = json.loads((msgls.folder / "b.ipynb").read_text("utf-8"))
    NotebookClient(notebook, allow_errors=True).execute()
    theirs = json.loads(nbformat.writes(notebook))  # type: ignore[no-untyped-call]
    for cell, other in zip(ours["cells"], theirs["cells"], strict=True):
        # When it ran: each says it in its own words, and no two runs take the same time.
        assert cell["metadata"].pop("msgls")["run"]["outputs"][0]["attributes"]["time"]
        assert other["metadata"].pop("execution")
    found = [(each.cell, each.where, each.kind) for each in differences(theirs, ours)]
    # A file to read has no colours, and of all outputs, only the traceback had some.
    assert found == [(None, "metadata.language_info", "content"), (5, "outputs.1", "colours")]


@pytest.mark.parametrize(
    ("source", "options", "said"),
    [
        (cell("1", language="cobol"), (), "no Jupyter kernel is installed for `cobol`"),
        (cell("1"), ("--kernel", "nope"), "there is no kernel `nope`; there are: bash (bash), pyt"),
        (cell("1"), ("--cell", "c7"), "there is no cell `c7`"),
        (cell("1"), ("--cell", "c1", "--all"), "--all: not allowed with argument --cell"),
        (cell("1"), ("--timeout", "0"), "a number of seconds greater than 0 is needed"),
        (cell("1"), ("--timeout", "soon"), "a number of seconds greater than 0 is needed"),
        ("# %% [^m]\n\n[^m]: [markdown]\n\nHi.\n", (), "there is no code cell to run"),
        (cell("1") + "\n```\nopen\n", (), "is not closed"),
    ],
)
def test_what_cannot_be_run_is_said_and_the_file_stays(
    msgls: Runner, source: str, options: tuple[str, ...], said: str
) -> None:
    path = msgls.write("a.msg.md", source)
    found = msgls("run", "a.msg.md", *options)
    assert found.code == 2
    assert said in found.err
    assert path.read_text("utf-8") == source


def test_without_jupyter_it_says_how_to_get_it(
    msgls: Runner, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "jupyter_client.py").write_text("raise ImportError\n", "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(home))
    path = msgls.write("a.msg.md", cell("1"))
    found = msgls("run", "a.msg.md")
    assert found.code == 2
    wanted = f"needs Jupyter's client: {sys.executable} -m pip install 'msgls[run]'"
    assert wanted in found.err.replace("\n", "")
    assert path.read_text("utf-8") == cell("1")


def test_a_kernel_that_does_not_start_says_why(msgls: Runner, home: Path) -> None:
    spec = home / "jupyter" / "kernels" / "gone"
    spec.mkdir(parents=True)
    argv = [sys.executable, "-m", "no_such_kernel", "-f", "{connection_file}"]
    said = {"argv": argv, "display_name": "Gone", "language": "gone"}
    (spec / "kernel.json").write_text(json.dumps(said), "utf-8")
    source = cell("1", language="gone")
    path = msgls.write("a.msg.md", source)
    found = msgls("run", "a.msg.md")
    assert found.code == 2
    assert "the kernel did not start" in found.err
    assert "No module named no_such_kernel" in found.err
    assert path.read_text("utf-8") == source


def test_no_file_of_a_project_is_loaded_or_names_a_kernel(msgls: Runner) -> None:
    """But for what the code itself imports."""
    modules = ("msgls", "jupyter_client", "jupyter_core", "zmq", "tornado", "traitlets", "pygments",
               "asyncio", "json", "sitecustomize", "usercustomize", "mine")  # fmt: skip
    for name in modules:
        loaded = msgls.folder / f"loaded.{name}"
        msgls.write(f"{name}.py", f"open({str(loaded)!r}, 'w').close()\nx = 42\n")
    for name in ("jupyter_config", "jupyter_client_config", "ipython_config"):
        loaded = msgls.folder / f"loaded.{name}"
        msgls.write(f"{name}.py", f"open({str(loaded)!r}, 'w').close()\n")
    spec = json.dumps({"argv": ["false"], "display_name": "Evil", "language": "python"})
    for folder in (".", ".jupyter", "jupyter", "share/jupyter", ".local/share/jupyter"):
        msgls.write(f"{folder}/kernels/python3/kernel.json", spec)
    path = msgls.write("a.msg.md", cell("import mine\nmine.x"))
    # As it is installed: `python -m` itself takes modules from where it is called.
    program = [sys.executable, "-P", "-m", "msgls", "run", "a.msg.md"]
    done = subprocess.run(program, cwd=msgls.folder, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "stdout> 42\n" in path.read_text("utf-8")
    assert [each.name for each in msgls.folder.glob("loaded.*")] == ["loaded.mine"]


def test_the_user_alone_chooses_kernels(msgls: Runner, home: Path) -> None:
    folder = home / "config" / "msgls"
    folder.mkdir(parents=True)
    (folder / "kernels.toml").write_text('[kernels]\nweird = "bash"\n', "utf-8")
    # Neither a project's file of that name nor a key of its configuration counts.
    msgls.write("kernels.toml", '[kernels]\nweird = "python3"\n')
    path = msgls.write("a.msg.md", cell("echo $((1 + 1))", language="weird"))
    assert msgls("run", "a.msg.md").code == 0
    assert "stdout> 2\n" in path.read_text("utf-8")
    # Whatever the language is called, there and in the file.
    (folder / "kernels.toml").write_text('[kernels]\npython3 = "bash"\n', "utf-8")
    path.write_text(cell("echo $((2 + 2))", language="py"), "utf-8")
    assert msgls("run", "a.msg.md").code == 0
    assert "stdout> 4\n" in path.read_text("utf-8")
    (folder / "kernels.toml").write_text("kernels = 1\n", "utf-8")
    assert "must be a table" in msgls("run", "a.msg.md").err


COMMAND = (sys.executable, "-m", "msgls", "run", "a.msg.md")


@pytest.mark.parametrize(
    ("number", "code_of", "said"),
    [
        (signal.SIGINT, 130, "stderr> KeyboardInterrupt"),
        (signal.SIGTERM, 143, "stderr> msgls: stopped"),
        (signal.SIGHUP, 129, "stderr> msgls: stopped"),
    ],
)
def test_a_signal_ends_the_code_and_keeps_what_came(
    msgls: Runner, number: int, code_of: int, said: str
) -> None:
    path = msgls.write("a.msg.md", cell("print('up', flush=True)\nimport time\ntime.sleep(600)"))
    process = subprocess.Popen(
        COMMAND, cwd=msgls.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"up\n"
    process.send_signal(number)
    _, complaints = process.communicate(timeout=60)
    assert process.returncode == code_of, complaints
    text = path.read_text("utf-8")
    assert "stdout> up\n" in text
    assert said in text
    assert "incomplete" not in text


WITH_CHILD = """\
import os, subprocess, time
print(os.getpid(), subprocess.Popen(["sleep", "600"]).pid, flush=True)
time.sleep(600)"""


def test_killed_it_leaves_a_valid_file_and_takes_all_processes_along(msgls: Runner) -> None:
    path = msgls.write("a.msg.md", cell(WITH_CHILD) + "\n" + cell("6 * 7", "c2"))
    command = [*COMMAND, "--cell", "c1"]
    with subprocess.Popen(command, cwd=msgls.folder, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        pids = process.stdout.readline().split()
        while f"stdout> {int(pids[0])}" not in path.read_text("utf-8"):
            time.sleep(0.05)
        process.kill()
    assert all(is_gone(int(pid)) for pid in pids)
    assert 'status="failure" incomplete=1\n\nstdout> ' in path.read_text("utf-8")
    assert msgls("check", "a.msg.md").code == 0
    assert msgls("run", "a.msg.md").code == 0
    assert path.read_text("utf-8").endswith("stdout> 42\n")


def test_where_nobody_reads_what_it_prints_the_run_ends(msgls: Runner) -> None:
    path = msgls.write("a.msg.md", cell("while True: print('x' * 1_000, flush=True)"))
    process = subprocess.Popen(
        COMMAND, cwd=msgls.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.wait(60) == 141
    text = path.read_text("utf-8")
    assert text.endswith("stderr> msgls: stopped\n")
    assert "incomplete" not in text
    assert re.search(r'status="failure" duration=[\d.]+m?s', text)


def wait_until_asleep(pid: int) -> None:
    """Until a process waits: Python notices no signal between a prompt and the read after it."""
    state = Path(f"/proc/{pid}/stat")
    while state.exists() and state.read_text("utf-8").rpartition(")")[2].split()[0] != "S":
        os.sched_yield()


def at_terminal(folder: Path, done: Mapping[bytes, bytes | int]) -> tuple[int, bytes]:
    """What is shown at a terminal where a person types, or sends a signal, when a text is shown."""
    ours, theirs = os.openpty()
    with subprocess.Popen(
        COMMAND, cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs
    ) as process:
        os.close(theirs)
        shown = b""
        for awaited, what in done.items():
            while awaited not in shown:
                shown += os.read(ours, 1_000)
            if isinstance(what, bytes):
                os.write(ours, what)
            else:
                wait_until_asleep(process.pid)
                process.send_signal(what)
        # Where nothing more can come, Linux fails to read.
        with suppress(OSError):
            while more := os.read(ours, 1_000):
                shown += more
        code = process.wait(60)
    os.close(ours)
    return code, shown


def test_at_a_terminal_a_person_types_what_is_read(msgls: Runner) -> None:
    path = msgls.write("a.msg.md", cell("print('Hello,', input('Your name? '))"))
    assert at_terminal(msgls.folder, {b"Your name? ": b"Ada\n"})[0] == 0
    assert "stdout> Hello, Ada\n" in path.read_text("utf-8")


def test_at_a_terminal_ctrl_c_interrupts_a_program_that_reads(msgls: Runner) -> None:
    path = msgls.write("a.msg.md", cell("input('Your name? ')"))
    assert at_terminal(msgls.folder, {b"Your name? ": signal.SIGINT})[0] == 130
    text = path.read_text("utf-8")
    assert "stderr> KeyboardInterrupt" in text
    assert "incomplete" not in text


BAR = """
import sys
sys.stdout.write('50% ' + '#' * 90)
sys.stdout.flush()
input()
print('\\r100%')
"""


def test_at_a_terminal_a_line_that_is_not_complete_is_written_over(msgls: Runner) -> None:
    msgls.write("a.msg.md", cell(BAR.strip()))
    code, shown = at_terminal(msgls.folder, {b"###": b"\n"})
    assert code == 0
    # No more than fits into one line of the terminal.
    before, found, after = shown.partition(b"50% " + b"#" * 74 + "…".encode())
    assert (before, bool(found)) == (b"", True)
    line = b"\x1b[K100%" + b"#" * 90
    assert after.split() == [line, b"msgls:", b"c1.1:", b"success"]
