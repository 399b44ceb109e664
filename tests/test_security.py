"""What a hostile file, workspace or client cannot do. The model of threats is in SECURITY.md."""

import ast
import importlib
import json
import logging
import os
import pkgutil
import re
import sys
import sysconfig
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

import msgls
from msgls.conversation.readers import read_document
from msgls.document.document import Document
from msgls.host.unsaved import journals_folder
from msgls.rules.checker import Checker
from msgls.rules.registry import rules_of
from msgls.text.patterns import _LazyPattern
from msgls.text.spans import Edit, Span
from tests.lsp.client import BARE, VSCODE, Client, Refused
from tests.measure import seconds
from tests.snapshots import snapshot_of

# -- what the system is asked for ---------------------------------------------------------

_heard: list[tuple[str, str]] | None = None
_hooked = False
_FORBIDDEN = (
    *("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.forkpty"),
    *("socket.connect", "socket.bind", "socket.getaddrinfo", "urllib.Request", "webbrowser.open"),
    *("pickle.find_class", "ctypes.dlopen", "os.remove", "os.rename", "os.mkdir", "os.chmod"),
)
_LOOKED = ("open", "os.listdir", "os.scandir")


def _hear(event: str, arguments: tuple[Any, ...]) -> None:
    if _heard is None:
        return
    if event in _FORBIDDEN:
        _heard.append((event, repr(arguments)))
    elif event in _LOOKED and isinstance(arguments[0], str | bytes | Path):
        writes = event == "open" and isinstance(arguments[1], str) and set("wax+") & {*arguments[1]}
        _heard.append(("write" if writes else "look", os.fsdecode(arguments[0])))


@contextmanager
def heard() -> Iterator[list[tuple[str, str]]]:
    """What is opened, started or connected to inside."""
    global _heard, _hooked
    if not _hooked:
        # It can never be taken off again; so it listens only when somebody wants to know.
        sys.addaudithook(_hear)
        _hooked = True
    found: list[tuple[str, str]] = []
    _heard = found
    try:
        yield found
    finally:
        _heard = None


def _is_program(path: str) -> bool:
    """Whether it belongs to Python, its libraries or to us: code that is loaded late."""
    roots = {*sysconfig.get_paths().values(), sys.base_prefix, sys.prefix, *msgls.__path__}
    return any(path.startswith(root) for root in roots) or path.startswith(
        ("/proc/", "/usr/share/")
    )


OUTSIDE = "secret-outside"
HOSTILE_PATHS = (
    *(f"../{OUTSIDE}/a.txt", f"../../{OUTSIDE}/a.txt", "/etc/passwd", "file:///etc/passwd"),
    *("link/a.txt", "link.txt", "..%2F..%2Fetc%2Fpasswd", "\\\\server\\share\\a.txt", "C:\\a.txt"),
    *("http://evil.example/x.png", "//evil.example/x", "~/.ssh/id_rsa", "$HOME/x", "`id`", "\0x"),
)


def _files(root: Path) -> dict[Path, str]:
    links = "".join(f"[x]({path})\n![y]({path})\n" for path in HOSTILE_PATHS)
    outputs = "".join(
        f'# %%% [^q1.{n}]\n\n[^q1.{n}]: [python] output_file="{path}"\n\nstdout> 1\n\n'
        for n, path in enumerate(HOSTILE_PATHS, start=1)
    )
    code = "import os; os.system('touch pwned')"
    cell = f"# %% Run[^q1]\n\n[^q1]: [code]\n\n```python\n{code}\n```\n\n"
    return {
        root / "a.msg.md": cell + links + outputs,
        root / "a.stf": "@user\n" + "".join(f"@embed\n{path}\n" for path in HOSTILE_PATHS),
        root / "messages/user/1.md": f"; Block-UUID: x\n; role: user\n\n\n{links}",
        root / "agents.json": '{"agents": [{"name": "A", "path": "../../x", "metadata": {}}]}',
        root / "a.messages.jsonl": '{"runId": "r", "role": "user", "parts": [{"kind": "file_ref", '
        '"payload": {"path": "/etc/passwd"}}], "timestamp": "2026-01-02T03:04:05Z"}\n',
    }


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A workspace whose files point out of it in every way, and lie beside what they want."""
    root, outside = tmp_path / "workspace", tmp_path / OUTSIDE
    outside.mkdir()
    (outside / "a.txt").write_text("TOP SECRET", "utf-8")
    (outside / "agents.json").write_text('{"agents": [{"name": "spy"}]}', "utf-8")
    for path, text in _files(root).items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    if os.name == "posix":
        (root / "link").symlink_to(outside)
        (root / "link.txt").symlink_to(outside / "a.txt")
        (root / "messages/user/2.md").symlink_to(outside / "a.txt")
    return root


_REQUESTS = (
    *("documentSymbol", "documentLink", "foldingRange", "codeLens", "diagnostic"),
    *("semanticTokens/full", "formatting"),
)


def _ask_everything(client: Client, uri: str, text: str) -> None:
    document = {"textDocument": {"uri": uri}}
    for name in _REQUESTS:
        params = {**document, "options": {"tabSize": 4, "insertSpaces": True}}
        client.request(f"textDocument/{name}", params)
    everything = client.range(Span(0, len(text)), uri)
    context: dict[str, list[Any]] = {"diagnostics": []}
    client.request("textDocument/codeAction", {**document, "range": everything, "context": context})
    client.request("textDocument/inlayHint", {**document, "range": everything})
    for offset in range(0, len(text), max(len(text) // 60, 1)):
        for name in ("hover", "definition", "completion", "references", "documentHighlight"):
            more = {"context": {"includeDeclaration": True}} if name == "references" else {}
            client.at(f"textDocument/{name}", offset, uri, **more)


def test_nothing_outside_is_read_and_nothing_is_run_or_fetched(hostile: Path) -> None:
    client = Client(VSCODE, rootUri=hostile.as_uri())
    # Once before, so that what is loaded late is loaded.
    for path, text in _files(hostile).items():
        _ask_everything(client, client.open(text, path.as_uri(), ""), text)
    with heard() as found:
        for path, text in _files(hostile).items():
            client.close(path.as_uri())
            client.open(text, path.as_uri(), "")
            client.change(Edit(Span(0, 0), " "), uri=path.as_uri())
            client.change(Edit(Span(0, 1), ""), uri=path.as_uri())
            _ask_everything(client, path.as_uri(), text)
        client.request("workspace/diagnostic", {"previousResultIds": []})
        client.request("workspace/symbol", {"query": ""})
    assert [entry for entry in found if entry[0] != "look"] == []
    strange = {
        path
        for _, path in found
        if not _is_program(path) and not os.path.realpath(path).startswith(str(hostile))
    }
    # Whether an editor left something unsaved.
    assert strange == {str(journals_folder())}
    assert any(path.startswith(str(hostile)) for _, path in found)
    assert not list(hostile.rglob("pwned"))


def test_links_out_of_the_workspace_are_neither_there_nor_missing(hostile: Path) -> None:
    """To say which files there are elsewhere would tell whoever wrote the transcript."""
    client = Client(BARE, rootUri=hostile.as_uri())
    around = client.server.session.surroundings(str(hostile / "a.stf"))
    assert around.exists("a.msg.md") is True
    assert around.exists("nowhere.txt") is False
    for path in (f"../{OUTSIDE}/a.txt", f"../{OUTSIDE}/none.txt", "/etc/passwd"):
        assert around.exists(path) is None
    if os.name == "posix":
        for path in ("link/a.txt", "link/none.txt", "link.txt"):
            assert around.exists(path) is None


# -- YAML, JSON5, XML, base64 -------------------------------------------------------------

BOMBS = {
    "objects in YAML": "---\nx: !!python/object/apply:os.system ['touch pwned']\n---\n# %%\n",
    "names in YAML": "---\nagents: !!python/name:os.system\n---\n# %%\n",
    "objects of an agent": '# %% [^a]\n[^a]: [markdown] definition="agent" name="A"\n'
    "---\nmodels: !!python/object/new:os.system ['touch pwned']\n---\n",
    "entities in XML": "# %%% [^a]\n[^a]: [x]\n# %%% [^a.b]\n[^a.b]: [tool] name=x\n"
    '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>\n',
    "templates": "# %%\n{{ ''.__class__ }} ${7*7} #{7*7} <%= 7*7 %> `touch pwned` $(touch pwned)\n",
}


@pytest.mark.parametrize("text", BOMBS.values(), ids=BOMBS)
def test_what_looks_like_code_is_text(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def work() -> None:
        document = Document.open("a.msg.md", text)
        list(Checker(snapshot_of(document), rules_of("msgmd")).problems())
        read_document(document)

    work()
    with heard() as found:
        work()
    assert [entry for entry in found if not _is_program(entry[1])] == []


# -- regular expressions ------------------------------------------------------------------

_UNITS = (
    *(
        "a",
        "1",
        " ",
        "\t",
        "\n",
        "\r",
        "#",
        "%",
        "[",
        "]",
        "[^",
        "(",
        ")",
        "`",
        "~",
        '"',
        "'",
        "\\",
    ),
    *(
        "=",
        ":",
        ".",
        "-",
        "_",
        "/",
        "*",
        ";",
        "@",
        "<",
        ">",
        "|",
        "&",
        "{",
        "}",
        ",",
        "+",
        "!",
        "é",
    ),
    *("a ", "a=", "a.", "- ", "> ", "# ", "a,", "\\a", "](", "a-", "1.", "1:", "a\n", " \n", "[a"),
    *("eyJ", "sk-", "AKIA", "Bearer ", "-----BEGIN ", "a=b ", "(v1.", "a (v1), ", "```\n", "1-"),
)
_SHORT, _LONG = 4_000, 16_000
# Sixteen is what a square gives; a cube gives sixty-four.
_MOST = 8.0
_NOTICEABLE_SECONDS = 0.02


def _patterns() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for module in pkgutil.walk_packages(msgls.__path__, "msgls."):
        if module.name.endswith("__main__"):
            continue
        values = vars(importlib.import_module(module.name))
        for name, value in values.items():
            held = value.values() if isinstance(value, dict) else (value,)
            for number, one in enumerate(held):
                if isinstance(one, re.Pattern | _LazyPattern):
                    found.setdefault(f"{module.name}.{name}.{number}", one)
    return found


def _is_linear(act: Callable[[Any], object], make: Callable[[int], Any]) -> bool:
    def taken(length: int) -> float:
        text = make(length)
        return seconds(lambda: act(text))

    long = taken(_LONG)
    if long < _NOTICEABLE_SECONDS:
        return True
    # The best of some: another process may have been in the way.
    long = min(long, *(taken(_LONG) for _ in range(2)))
    short = min(taken(_SHORT) for _ in range(3))
    return long < _MOST * max(short, _NOTICEABLE_SECONDS / _MOST)


PATTERNS = _patterns()


def test_there_are_patterns() -> None:
    assert len(PATTERNS) > 100


@cache
def _uses() -> dict[tuple[str, str], set[str]]:
    """By module and name, the methods that are called; an empty one where it is handed on."""
    uses: dict[tuple[str, str], set[str]] = {}
    package = Path(msgls.__file__).parent
    for path in package.rglob("*.py"):
        module = ".".join(("msgls", *path.relative_to(package).with_suffix("").parts))
        tree = ast.parse(path.read_text("utf-8"))
        called = {
            node.value: node.attr
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                key = module.removesuffix(".__init__"), node.id
                uses.setdefault(key, set()).add(called.get(node, ""))
    return uses


def _ways(name: str) -> set[str]:
    """How a pattern is used; one that is handed on may be looked for anywhere."""
    module, held, _ = name.rsplit(".", 2)
    ways = _uses().get((module, held), set())
    return {"finditer" if way in ("", "search", "findall", "sub", "split") else way for way in ways}


def _user(name: str) -> Callable[[Any], None]:
    """Uses a pattern as the code does."""
    pattern, ways = PATTERNS[name], _ways(name)

    def use(text: Any) -> None:
        if "finditer" in ways:
            list(pattern.finditer(text))
        if "match" in ways:
            pattern.match(text)
        if "fullmatch" in ways:
            pattern.fullmatch(text)

    return use


def _texts(name: str) -> dict[tuple[str, str], Callable[[int], Any]]:
    """Makers of texts of a length, by the unit that is repeated and the tail."""
    is_bytes = isinstance(PATTERNS[name].pattern, bytes)

    def make(unit: str, tail: str, length: int) -> Any:
        text = (unit * length)[:length] + tail
        return text.encode() if is_bytes else text

    return {(unit, tail): partial(make, unit, tail) for unit in _UNITS for tail in ("", "!", "\n")}


def test_no_pattern_is_exponential() -> None:
    """One that is would not come to an end, and the test would be stopped after minutes."""
    for name in sorted(PATTERNS):
        use = _user(name)
        for (unit, _), make in _texts(name).items():
            use(make(40 * len(unit)))


@pytest.mark.fuzz
@pytest.mark.parametrize("name", sorted(PATTERNS))
def test_no_pattern_takes_more_than_its_share(name: str) -> None:
    use = _user(name)
    assert [given for given, make in _texts(name).items() if not _is_linear(use, make)] == []


# -- the log ------------------------------------------------------------------------------

KEY = "sk-" + "proj-4fZq9Xw2Lk8Vb3Nn7Rt1Yc6Hd5Js0Pm"


def test_a_secret_is_never_logged(caplog: pytest.LogCaptureFixture, hostile: Path) -> None:
    caplog.set_level(logging.DEBUG)
    client = Client(BARE, rootUri=hostile.as_uri())
    text = f"# %% Key {KEY}[^q1]\n\n[^q1]: [markdown] key={KEY} history={KEY}\n\n{KEY}\n"
    uri = client.open(text)
    broken: list[Any] = [
        {"text": KEY, "range": {"start": {"line": KEY, "character": 0}, "end": {}}},
        {"text": [KEY]},
        {KEY: KEY},
        {"text": KEY, "range": {"start": {"line": 99, "character": 0}, "end": {"line": 99}}},
        {"text": KEY, "range": KEY},
    ]
    for number, change in enumerate(broken, start=2):
        document = {"uri": uri, "version": number}
        params = {"textDocument": document, "contentChanges": [change]}
        client.notify("textDocument/didChange", params)
        client.close(uri)
        client.open(text)
    item = {"uri": uri, "languageId": "msgmd", "version": "x", "text": KEY}
    client.notify("textDocument/didOpen", {"textDocument": item})
    client.notify("textDocument/didOpen", {"textDocument": KEY})
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}, "text": KEY})
    for method in ("textDocument/hover", "textDocument/rename", "workspace/executeCommand"):
        wrong: list[Any] = [
            {"textDocument": {"uri": uri}, "position": KEY, "newName": KEY},
            {"textDocument": {"uri": uri}, "position": {"line": KEY, "character": 0}},
            [KEY],
        ]
        for nonsense in wrong:
            with pytest.raises(Refused):
                client.request(method, nonsense)
    client.send({"id": "msgls-1", "error": {"code": 1, "message": "no"}})
    client.settle()
    lossy = client.open(f"# %% Q[^q1]\n\n[^q1]: [markdown] {KEY}\n\nText\n", f"{uri}.msg.md")
    place = {"uri": lossy, "position": {"line": 0, "character": 0}}
    where = {**place, "target": "openai", "asText": True}
    into = {"command": "msgls.convert.to", "arguments": [where]}
    converted = client.request("workspace/executeCommand", into)
    assert converted["losses"]
    assert KEY not in json.dumps(converted)
    assert caplog.records
    assert KEY not in caplog.text
