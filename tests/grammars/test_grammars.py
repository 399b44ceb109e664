"""The TextMate grammars: assertions, snapshots, and that they see what the server sees.

The grammars run in the engine of VS Code, by Node. What that needs is pinned in
``package-lock.json`` and installed into this folder, by ``make grammars`` or by the
first test that finds it missing.
"""

import fcntl
import json
import os
import random
import re
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import pytest

from msgls.document.document import Document
from msgls.syntax.cells import CellKind
from tests.grammars.hostile import HOSTILE

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
GRAMMARS = sorted((ROOT / "syntaxes").glob("*.tmLanguage.json"))
SNAPSHOTS = sorted(path for path in (HERE / "snapshots").iterdir() if path.suffix != ".snap")
CASES = sorted((HERE / "cases").iterdir())

MSGMD = "text.html.markdown.msgmd"
STF = "source.stf"
CHATBUILDER = "text.html.markdown.chatbuilder"

# Nothing here takes more than seconds. This is for a pattern that never comes to an end.
HANGS_AFTER_SECONDS = 300


class Token(NamedTuple):
    """A piece of a line, and what the grammar says of it, the outermost first."""

    start: int
    end: int
    scopes: tuple[str, ...]


Lines = list[list[Token]]


@pytest.fixture(scope="session")
def node() -> str:
    """Where Node is, with all that it needs here."""
    program = shutil.which("node")
    if program is None:
        not_tested("`node` is not installed")
    npm = shutil.which("npm") or not_tested("`npm` is not installed")
    # Test processes that start at the same time wait for the one that installs.
    with (HERE / "package-lock.json").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (HERE / "node_modules" / ".package-lock.json").is_file():
            command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
            run = subprocess.run(command, cwd=HERE, capture_output=True, text=True, check=False)
            if run.returncode:
                not_tested(f"`npm ci` failed: {run.stderr.strip()}")
    return program


def not_tested(missing: str) -> NoReturn:
    """Skip out loud; on a machine that is there to test, fail."""
    reason = f"THE GRAMMARS ARE NOT TESTED: {missing}; try `make grammars`"
    if os.environ.get("CI"):
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


def run_node(node: str, *arguments: str | Path) -> str:
    """What a script of this folder prints; its complaints, where it fails."""
    run = subprocess.run(
        [node, *map(str, arguments)],
        cwd=HERE,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=HANGS_AFTER_SECONDS,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


def run_tool(node: str, script: str, *arguments: str) -> str:
    """Run one of the two programs of vscode-tmgrammar-test."""
    return run_node(node, f"node_modules/vscode-tmgrammar-test/dist/{script}.js", *arguments)


Tokenize = Callable[[str, Iterable[str]], list[Lines]]


@pytest.fixture(scope="session")
def tokenize(node: str) -> Iterator[Tokenize]:
    """The tokens of each line of each text, by one Node for all tests."""
    with subprocess.Popen(
        [node, "scopes.mjs"],
        cwd=HERE,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        stdin, stdout = process.stdin, process.stdout
        assert stdin is not None
        assert stdout is not None

        def ask(scope: str, texts: Iterable[str]) -> list[Lines]:
            question = [{"scope": scope, "text": text} for text in texts]
            print(json.dumps(question), file=stdin, flush=True)
            # A pattern that never comes to an end is stopped, and the answer is empty.
            guard = threading.Timer(HANGS_AFTER_SECONDS, process.kill)
            guard.start()
            try:
                answer = json.loads(stdout.readline())
            finally:
                guard.cancel()
            return [
                [[Token(start, end, tuple(scopes)) for start, end, scopes in line] for line in text]
                for text in answer
            ]

        yield ask
        stdin.close()


def lines_with(lines: Lines, *prefixes: str) -> list[int]:
    """The numbers of the lines on which some piece has a scope that starts so."""
    return [
        number
        for number, tokens in enumerate(lines)
        if any(scope.startswith(prefixes) for token in tokens for scope in token.scopes)
    ]


def patterns(node: Any) -> Iterator[tuple[str, str]]:
    """Every pattern of a grammar, with its kind."""
    children = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    for child in children:
        yield from patterns(child)
    if isinstance(node, dict):
        for kind in ("match", "begin", "end", "while"):
            if isinstance(node.get(kind), str):
                yield kind, node[kind]


# Each grammar by itself.


@pytest.mark.parametrize("path", GRAMMARS, ids=lambda path: path.name)
def test_a_grammar_is_in_the_lists(path: Path) -> None:
    scope = json.loads(path.read_text("utf-8"))["scopeName"]
    package = json.loads((HERE / "package.json").read_text("utf-8"))
    contributed = {grammar["path"]: grammar for grammar in package["contributes"]["grammars"]}
    grammar = contributed[f"../../syntaxes/{path.name}"]
    assert grammar["scopeName"] == scope
    row = f"| `{path.name}` | `{grammar['language']}` | `{scope}` |"
    assert row in (ROOT / "syntaxes" / "README.md").read_text("utf-8")


def test_there_are_grammars() -> None:
    names = {path.name.partition(".")[0] for path in GRAMMARS}
    assert names == {"msgmd", "stf", "chatbuilder", "msgjson"}


@pytest.mark.parametrize("path", GRAMMARS, ids=lambda path: path.name)
def test_every_include_leads_somewhere(path: Path) -> None:
    text = path.read_text("utf-8")
    repository = json.loads(text).get("repository", {})
    used = set(re.findall(r'"include": "#([^"]+)"', text))
    assert used == set(repository)


def test_every_pattern_compiles(node: str) -> None:
    count = int(run_node(node, "patterns.mjs", *GRAMMARS).split()[0])
    texts = [json.loads(path.read_text("utf-8")) for path in GRAMMARS]
    assert count == sum(len(list(patterns(text))) for text in texts)


def test_what_ends_a_body_is_written_the_same_everywhere() -> None:
    grammar = json.loads((ROOT / "syntaxes" / "msgmd.tmLanguage.json").read_text("utf-8"))
    bodies = [text for kind, text in patterns(grammar) if kind == "while" and "[-*+]" in text]
    assert len(bodies) == 3
    assert len(set(bodies)) == 1
    marker = r"#{1,5}[ \t]+%%%?(?=[ \t]|\[\^|$)"
    around = [text for _, text in patterns(grammar) if "#{1,5}" in text]
    as_written = [text.replace("(#{1,5})", "#{1,5}").replace("(%%", "%%") for text in around]
    as_written = [re.sub(r"%%%?\??\)?\(\?=", "%%%?(?=", text) for text in as_written]
    assert [text for text in as_written if marker not in text] == []


# What it says of texts.


def test_assertions(node: str) -> None:
    said = run_tool(node, "unit", "cases/*")
    assert said.count("run successfuly") == len(CASES) > 0


def test_snapshots(node: str) -> None:
    # The program makes a snapshot that is missing, and calls that a success.
    assert [path.name for path in SNAPSHOTS if not Path(f"{path}.snap").is_file()] == []
    # Where this fails and the new colours are right: npm run update, in this folder.
    said = run_tool(node, "snapshot", "snapshots/*")
    assert said.count("run successfully") == len(SNAPSHOTS) > 0


def test_the_examples_hold_what_a_reader_looks_for(tokenize: Tokenize) -> None:
    example = (ROOT / "examples" / "good.msg.md").read_text("utf-8")
    (lines,) = tokenize(MSGMD, [example])
    scopes = {scope for tokens in lines for token in tokens for scope in token.scopes}
    assert {
        "keyword.other.marker.message.msgmd",
        "keyword.control.marker.output.msgmd",
        "entity.name.function.nonce.msgmd",
        "markup.inserted.stream.stdout.msgmd",
        "meta.embedded.block.frontmatter",
        "meta.embedded.block.python",
        "meta.embedded.block.xml",
    } <= scopes
    assert [scope for scope in scopes if scope.startswith("invalid")] == []


@pytest.mark.parametrize("scope", sorted(HOSTILE))
def test_a_long_line_is_read_to_its_end(tokenize: Tokenize, scope: str) -> None:
    texts = HOSTILE[scope]
    for text, lines in zip(texts, tokenize(scope, texts), strict=True):
        assert lines[-1][-1].end == len(text.rpartition("\n")[2])


# The grammar beside the server: the same cells, in texts made of whatever may confuse one.

CELL_LINES = [
    *["# %% a[^q1]", "## %%% b[^a1]", "# %%", "##### %%%[^a1.9f3d27c1.1]", "# %% ``` [^x]"],
    *["#%% near", "###### %% near", "# %%%% near", "# %%near", " # %% near", "\\# %% no", "> # %%"],
    *["```", "````", "```py", "~~~", "~~~~ `x`", "```x`y", "``` ", "   ```", "    ```", "  ~~~"],
    *[
        "- ```",
        "- ```sh",
        "  ```",
        "1. ~~~",
        "   ~~~",
        "   code",
        "  - ```py",
        "      ```",
        "- - ```",
    ],
    *["1234567. ````", "         ````", "            ````", " 10) ```", "     ```", "  text"],
    *["", "", "   ", "text", "- item", "    # %% code", "\t# %%", "---", "===", "--- ", "----"],
    *["<!-- open", "-->", "<script>", "<b>", "</b>", '<a href="', "| a | b |", "|---|---|", "$$"],
    *["[^q1]: [markdown]", "[^a1]: [guide] a=1", "[^a1.9f3d27c1]: [tool]", "[^c1.1]: [python]"],
    *['[^t1]: [markdown] definition="agent"', "[^1]: prose", "stdout> ```", 'key: "open', "key: |"],
    *["**bold", "`code", "[link](", "<!-- msgls: ignore MSG302 -->", "&", "* * *", "+ ~~~x"],
]
STF_LINES = [
    *["@user", "@ ai", "@msg role=user", "@raw", "@end", "@end2", "@ end .", "@call", "@embed"],
    *["@# c", "@// c", "@/*", "@ /* c", "@*/", "@ */ c", "@@user", "@@", "@", "@User", "@bogus"],
    *["@user{a:1}", "@user:", "@users", "@tool x", "@meta", "@dev", "@\tsys", " @user", "@ @user"],
    *["text", "", "```py", "```", "<!-- x", "{", '{ "a', "/* x", "- item", "    code", "// x", '"'],
]
CHATBUILDER_LINES = [
    *["; Version: 1.0.0", "; role: user", ";", "; text", ";text", "", "", "", " ", "role: user"],
    *["Block-UUID: x", "32d9afc7-aeac-4a67-ba94-0c92678604a1", "  ; role: user", "text", "# text"],
    *[
        "```",
        "\\```",
        "\\```py",
        "; msgls: ignore CBM005",
        "role: user and more",
        "role:",
        "Version: 1",
    ],
]


# A fence that a list item opens, by where a second one stands: it closes the first, is its
# content, or ends the item and opens another.
ITEMS = ("- ", "1. ", "10. ", "  - ", "- - ", "1.  - ", "   1) ", "1234567. ")
LIST_FENCES = [
    f"{item}{fence}\n{' ' * indent}{fence}{info}\n# %% a"
    for item in ITEMS
    for fence in ("```", "~~~")
    for info in ("", "x")
    for indent in range(0, 13, 2)
]


def made_of(lines: Sequence[str], seed: int, count: int = 80) -> list[str]:
    """Texts of a few of those lines, the same ones at every run."""
    source = random.Random(seed)
    return ["\n".join(source.choices(lines, k=source.randint(2, 14))) for _ in range(count)]


def test_it_finds_the_cells_of_a_message_file(tokenize: Tokenize) -> None:
    # Every third line or so is a marker, else fences would hide nearly all of them.
    lines_to_draw = CELL_LINES + CELL_LINES[:4] * 10
    texts = made_of(lines_to_draw, 1) + [f"---\n{text}" for text in made_of(lines_to_draw, 2)]
    texts += LIST_FENCES
    texts.append((ROOT / "tests" / "data" / "seed_message_file.md").read_text("utf-8"))
    found = 0
    for text, lines in zip(texts, tokenize(MSGMD, texts), strict=True):
        cells = list(Document.open("a.msg.md", text).cells())
        for kind, scope in (
            (CellKind.MESSAGE, "keyword.other.marker.message."),
            (CellKind.OUTPUT, "keyword.control.marker.output."),
        ):
            expected = [placed.start_line for placed in cells if placed.cell.kind is kind]
            assert lines_with(lines, scope) == expected, text
            found += len(expected)
    assert found > 400


def test_it_finds_the_ids_of_headers(tokenize: Tokenize) -> None:
    headers = [f"# %% {title}" for title in TITLES]
    for header, lines in zip(headers, tokenize(MSGMD, headers), strict=True):
        (placed,) = Document.open("a.msg.md", header).cells()
        assert placed.cell.header is not None
        pieces = [
            header[token.start : token.end]
            for token in lines[0]
            if not any(scope.startswith("entity.name.label.cell") for scope in token.scopes)
            if any(
                ".id." in scope or "nonce" in scope or "numeric" in scope for scope in token.scopes
            )
        ]
        written = "".join(pieces)
        expected = placed.cell.header.id
        assert written == (f"[^{expected.text}]" if expected else ""), header


TITLES = [
    *["a[^b]", "a [^b]  ", "[^b]", "[^b] c", "a[^b.c]", "a[^b.c.1]", "a `[^b]`", "a `b` [^c]"],
    *[
        "[a][^b]",
        "[a](b)[^c]",
        "[^a][^b]",
        "a\\[^b]",
        "a\\\\[^b]",
        "a[^]",
        "a[^b",
        "a^b]",
        "问[^答]",
    ],
    *["a[^b c]", "a[^.]", "a[^b.]", "a[^1.2]", "a[^b.12345678]", "", "a *b[^c]* d", "*a[^b]"],
]


def test_it_finds_the_messages_of_a_simple_text_file(tokenize: Tokenize) -> None:
    semicolons = [text.replace("@", ";") for text in made_of(STF_LINES, 4)]
    texts = made_of(STF_LINES, 3) + semicolons + made_of([*STF_LINES, ";user", ";flush"], 5)
    for text, lines in zip(texts, tokenize(STF, texts), strict=True):
        cells = Document.open("a.stf", text).cells()
        starts = [
            placed.start_line for placed in cells if placed.cell.kind is not CellKind.PREAMBLE
        ]
        found = lines_with(lines, "keyword.other.marker.", "keyword.control.marker.")
        blocks = lines_with(lines, "keyword.other.block.begin.")
        raw = [line for line in blocks if "raw" in text.split("\n")[line]]
        assert sorted(found + raw) == starts, text


def test_it_finds_the_body_of_a_chatbuilder_message(tokenize: Tokenize) -> None:
    texts = [f"; role: user\n{text}\n" for text in made_of(CHATBUILDER_LINES, 6)]
    for text, lines in zip(texts, tokenize(CHATBUILDER, texts), strict=True):
        header = next(iter(Document.open("messages/notes/1.md", text).cells())).cell
        start = text.count("\n", 0, header.message_header.body_start)  # type: ignore[attr-defined]
        in_body = [
            line for line in lines_with(lines, "meta.body.") if text.split("\n")[line].strip()
        ]
        below = [
            line for line, words in enumerate(text.split("\n")) if line >= start and words.strip()
        ]
        assert in_body == below, text
