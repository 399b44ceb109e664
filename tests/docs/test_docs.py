"""The documentation: every command in it runs and prints what is said, every link leads somewhere.

Commands are run page by page, in a copy of ``examples/``. What installs something, or opens a
window, is not run: of those lines it is checked that they could be.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from msgls.cli.main import COMMANDS, main
from msgls.formats.msgmd.attributes import ATTRIBUTES
from tests.docs.pages import (
    ROOT,
    Block,
    agrees,
    anchors,
    blocks,
    commands,
    links,
    markdown_files,
    prose,
)

PAGES = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in markdown_files()}
WITH_COMMANDS = [
    name for name, text in PAGES.items() if any(b.language == "console" for b in blocks(text))
]
# Beside msgls itself, what commands may be made of.
HARMLESS = {"msgls", "cat", "head", "git", "python"}
INSTALLERS = {"make", "pip", "pipx", "uv", "uvx", "npx", "python", "git", "cp", "code", "man", "cd"}
# An address of somewhere else, or of the page's own site.
ELSEWHERE = ("http://", "https://", "mailto:", "command:")


def test_there_are_pages_to_look_at() -> None:
    wanted = {"README.md", "README.zh-CN.md", "docs/README.md", "docs/getting-started.md"}
    assert wanted <= set(PAGES)
    assert len(WITH_COMMANDS) >= 5


# -- commands ---------------------------------------------------------------------------------


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "examples"
    shutil.copytree(ROOT / "examples", folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


SHELL = frozenset("|;&<>$`*~=")


def run_here(
    command: str, capsys: pytest.CaptureFixture[str]
) -> subprocess.CompletedProcess[str] | None:
    """Call a plain ``msgls …`` in this process; nothing for what needs a shell."""
    words = shlex.split(command)
    if words[0] != "msgls" or set(command) & SHELL:
        return None
    capsys.readouterr()
    code = main(words[1:])
    said = capsys.readouterr()
    return subprocess.CompletedProcess(words, code, said.out, said.err)


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command by the shell."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("GIT_", "LC_", "LANG"))}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={**kept, "PATH": path, "LC_ALL": "C.UTF-8", "NO_COLOR": "1", "HOME": str(folder)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize("name", WITH_COMMANDS)
def test_commands_print_what_the_page_says(
    name: str, workspace: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(workspace)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("HOME", str(workspace))
    for block in blocks(PAGES[name]):
        if block.file:
            (workspace / block.file).parent.mkdir(parents=True, exist_ok=True)
            (workspace / block.file).write_text(block.text, "utf-8")
        for line, command, said in commands(block) if block.language == "console" else ():
            parts = [re.sub(r"^\s*([A-Z_]+=\S+\s+)*", "", p) for p in re.split(r"[|;&]+", command)]
            programs = {part.split()[0] for part in parts if part.split()}
            assert programs <= HARMLESS, f"{name}:{line}: {programs}"
            done = run_here(command, capsys) or run(command, workspace)
            shown = done.stdout + done.stderr
            assert done.returncode in (0, 1), f"{name}:{line}: {command}\n{shown}"
            assert agrees(said, shown), f"{name}:{line}: $ {command}\nprints\n{shown}"


def shell_lines() -> list[tuple[str, str]]:
    return [
        (name, line.strip())
        for name, text in PAGES.items()
        for block in blocks(text)
        if block.language in ("sh", "bash")
        for line in block.text.replace("\\\n", " ").splitlines()
        if line.strip() and not line.startswith("#")
    ]


def make_targets() -> set[str]:
    text = (ROOT / "Makefile").read_text("utf-8")
    return set(re.findall(r"(?m)^([a-z-]+):(?!=)", text))


@pytest.mark.parametrize(("name", "line"), shell_lines())
def test_what_is_not_run_could_be(name: str, line: str) -> None:
    words = shlex.split(line, comments=True)
    if words[0] == "msgls":
        check_call(words[1:])
    elif words[0] == "make":
        assert {w for w in words[1:] if "=" not in w} <= make_targets(), f"{name}: {line}"
    else:
        assert words[0].rpartition("/")[2] in INSTALLERS | {"pytest"}, f"{name}: {line}"


def check_call(words: list[str]) -> None:
    """Fail where ``msgls`` would not even read its arguments."""
    from msgls.cli.main import make_parser

    make_parser(words[:1]).parse_args(words)


def inline_commands() -> list[tuple[str, str]]:
    found = set()
    for name, text in PAGES.items():
        for span in re.findall(r"`(msgls [a-z][^`]*)`", text):
            found.add((name, span.split()[1]))
    return sorted(found)


@pytest.mark.parametrize(("name", "command"), inline_commands())
def test_a_command_that_is_spoken_of_is_one(name: str, command: str) -> None:
    assert command.rstrip("…,") in COMMANDS


def test_a_misspelt_command_would_be_found(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        check_call(["check", "--outptu-format", "json"])
    assert main(["chek"]) == 2
    assert "did you mean `check`" in capsys.readouterr().err


# -- links ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(name: str) -> None:
    broken = []
    for link in links(PAGES[name]):
        if link.startswith(ELSEWHERE):
            continue
        path, _, anchor = link.partition("#")
        target = (ROOT / name).parent / path if path else ROOT / name
        if not target.exists() or (anchor and anchor not in anchors(target.read_text("utf-8"))):
            broken.append(link)
    assert broken == []


@pytest.mark.parametrize("name", [name for name in PAGES if name.startswith("docs/")])
def test_every_page_of_the_docs_can_be_found(name: str) -> None:
    if name == "docs/README.md":
        return
    page = Path(name)
    index = page.parent.parent if page.name == "README.md" else page.parent
    assert page.relative_to(index).as_posix() in links(PAGES[f"{index.as_posix()}/README.md"])


# -- the notation -----------------------------------------------------------------------------

PAGE = """\
# A page, with `code`

<!-- file: a.txt -->
```text
Hello [no](link.md)
```

~~~console
$ cat a.txt
Hello
…
$ cat b.txt
~~~

[One](one.md "title"), [`two`](two.md#a-page), ![three](three.png), `[four](four.md)`.
"""


def test_blocks_are_read() -> None:
    first, second = blocks(PAGE)
    assert first == Block("text", "Hello [no](link.md)\n", 4, "a.txt")
    assert [(c.line, c.text, c.output) for c in commands(second)] == [
        (9, "cat a.txt", ("Hello", "…")),
        (12, "cat b.txt", ()),
    ]


def test_links_and_anchors_are_read() -> None:
    assert links(PAGE) == ["one.md", "two.md#a-page", "three.png"]
    assert anchors(PAGE) == {"a-page-with-code"}
    assert "Hello" not in prose(PAGE)


@pytest.mark.parametrize(
    ("said", "printed", "agreed"),
    [
        ((), "anything", True),
        (("a", "b"), "a\nb\n", True),
        (("a", "b"), "a\nc\nb\n", False),
        (("a", "…", "b"), "a\nc\nb\n", True),
        (("a", "…"), "a\nc\n", True),
        (("a", "…"), "b\na\n", False),
        (("a.c",), "abc", False),
    ],
)
def test_output_is_compared(said: tuple[str, ...], printed: str, agreed: bool) -> None:
    assert agrees(said, printed) is agreed


def test_every_attribute_is_described() -> None:
    page = (ROOT / "docs/formats.md").read_text("utf-8")
    section = page.partition("## Message file")[2].partition("## Simple Text Format")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    assert set(ATTRIBUTES) <= {key for row in rows for key in re.findall("`([a-z_]+)`", row)}
