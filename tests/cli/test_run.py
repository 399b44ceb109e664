"""``msgls run``: code that is executed by real kernels."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from tests.cli.support import Runner
from tests.conversation.corpus import PIXEL
from tests.conversation.test_notebook import canonical


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


def test_a_kernel_that_dies_hangs_or_floods_leaves_a_valid_file(msgls: Runner) -> None:
    path = msgls.write("a.msg.md", cell("print('before', flush=True)\nimport os\nos._exit(3)"))
    assert msgls("run", "a.msg.md").code == 1
    assert "stderr> msgls: the kernel died, with exit code 3\n" in path.read_text("utf-8")
    path.write_text(cell("while True: pass"), "utf-8")
    assert msgls("run", "a.msg.md", "--timeout", "0.5").code == 1
    text = path.read_text("utf-8")
    assert "stderr> KeyboardInterrupt" in text
    assert "stderr> msgls: stopped: the time was up\n" in text
    path.write_text(cell("for n in range(20_000): print(n, 'x' * 40)\nprint('the end')"), "utf-8")
    assert msgls("run", "a.msg.md").code == 0
    text = path.read_text("utf-8")
    assert len(text) < 200_000
    assert 'output_file="a.c1.1.txt"' in text
    assert "the end" not in text.partition("# %%%")[2]
    whole = (msgls.folder / "a.c1.1.txt").read_text("utf-8")
    assert whole.startswith("0 xxx")
    assert whole.endswith("\nthe end\n")
    assert msgls("check", "a.msg.md").code == 0


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
        (DEAF, "python", ("--timeout", "1"), 1, "stopped: the time was up"),
        (FLOOD, "python", (), 0, "characters were not kept"),
        (BYTES, "bash", (), 0, "stdout> a\ufffdb"),
        ("no-such-program", "bash", (), 1, "no-such-program: command not found"),
    ],
    ids=["killed", "deaf", "flood", "bytes", "bash fails"],
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
from IPython.display import HTML, JSON, Image, clear_output, display, update_display
handle = display(HTML('<b>1</b>'), display_id='d')
print('\\nx\\n\\ny')
update_display(HTML('<i>2</i>'), display_id='d')
display(JSON({{'a': [1, None]}}))
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
    for cell in notebook["cells"]:
        del cell["metadata"]["execution"]
    theirs = json.loads(nbformat.writes(notebook))  # type: ignore[no-untyped-call]
    for cell, expected in zip(ours["cells"], canonical(theirs)["cells"], strict=True):
        # When it ran is written otherwise.
        cell["metadata"].pop("msgls")
        assert canonical({"cells": [cell]})["cells"] == [expected]


@pytest.mark.parametrize(
    ("source", "options", "said"),
    [
        (cell("1", language="cobol"), (), "no Jupyter kernel is installed for `cobol`"),
        (cell("1"), ("--kernel", "nope"), "there is no kernel `nope`; there are: bash (bash), pyt"),
        (cell("1"), ("--cell", "c7"), "there is no cell `c7`"),
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


def test_the_user_alone_chooses_kernels(msgls: Runner, home: Path) -> None:
    folder = home / "config" / "msgls"
    folder.mkdir(parents=True)
    (folder / "kernels.toml").write_text('[kernels]\nweird = "bash"\n', "utf-8")
    # Neither a project's file of that name nor a key of its configuration counts.
    msgls.write("kernels.toml", '[kernels]\nweird = "python3"\n')
    path = msgls.write("a.msg.md", cell("echo $((1 + 1))", language="weird"))
    assert msgls("run", "a.msg.md").code == 0
    assert "stdout> 2\n" in path.read_text("utf-8")
    (folder / "kernels.toml").write_text("kernels = 1\n", "utf-8")
    assert "must be a table" in msgls("run", "a.msg.md").err


def test_ctrl_c_interrupts_the_code_and_keeps_what_came(msgls: Runner) -> None:
    path = msgls.write("a.msg.md", cell("print('up', flush=True)\nimport time\ntime.sleep(600)"))
    command = [sys.executable, "-m", "msgls", "run", "a.msg.md"]
    process = subprocess.Popen(
        command, cwd=msgls.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"up\n"
    process.send_signal(signal.SIGINT)
    _, complaints = process.communicate(timeout=60)
    assert process.returncode == 130, complaints
    text = path.read_text("utf-8")
    assert "stdout> up\n" in text
    assert "stderr> KeyboardInterrupt" in text
    assert "incomplete" not in text
