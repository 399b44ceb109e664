"""What the program says to people can be said in every language: nothing is plain English.

The checkers are plain functions from source text to findings. The first part of the tests runs
them over the command line, the server and what is around them; the second shows on made-up
sources that each of them can fail.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import msgls

PACKAGE = Path(msgls.__file__).parent
SOURCES = [
    *sorted(PACKAGE.glob("cli/**/*.py")),
    *[path for path in sorted(PACKAGE.glob("lsp/**/*.py")) if path.name != "transport.py"],
    *sorted(PACKAGE.glob("host/**/*.py")),
    PACKAGE / "rules/settings.py",
]

# What makes a phrase of its first argument.
MAKERS = frozenset({"Phrase", "FileProblem", "ProviderProblem", "RunnerProblem", "Unreadable"})
# Who reads these is the one who mends the program, or what it talks to.
TECHNICAL = frozenset({"TypeError", "OSError"})
# What `OpenDocument.complain` is told goes to the log, too.
LOGS = frozenset({"log", "opened"})
LOGGED = frozenset({"debug", "info", "warning", "error", "exception", "complain"})
# What a person is told by: each argument that is a text must be a phrase.
SAYING = frozenset(
    {
        *("print", "note", "said", "about", "UsageProblem", "ArgumentTypeError", "TextColumn"),
        *("complain", "tell", "_tell", "_problem", "_complain"),
        *("RequestError", "invalid", "Progress", "_answer_error"),
    }
)
SHOWN_IN_HELP = frozenset({"help", "description", "title", "epilog"})

EXCEPTIONS = {
    "msgls: ": "the name of the program",
    "msgls ": "the name of the program",
    # What programs read.
    "msgls listens on ": "an editor that chose port 0 reads the port from it",
    "there is a client already": "the reason of a closed WebSocket, for the client",
    "only pages of this machine may connect\n": "the answer to a page, for whoever made it",
    "\n\\ No newline at end of file\n": "part of a diff, for `patch`",
    '<?xml version="1.0" encoding="utf-8"?>\n': "the start of a file",
    "What it does": "the heading of a page by which its text is found",
    r"(.*) \(at line (\d+), column (\d+)\)": "what the reader of TOML says",
    " (at end of document)": "what the reader of TOML says",
    # What goes to the log.
    "a client without a name": "in the log",
    "the range from ": "in the log",
    " is not in the document": "in the log",
    "git config merge.msgls.": "a command to copy",
    "by cell": "the name of git's merge driver, in git's configuration",
    # What a provider is asked when it is checked.
    "a key that later versions may add": "a key",
    "You are terse.": "for a model",
    "Which files are here? 有哪些文件？ 📄": "for a model",
    "I look first.": "for a model",
    "Say hello.": "for a model",
    # What is written into files of a project, which are not only the reader's.
    "# Settings of msgls. What is commented out is the default.": "in a configuration",
    # What looks like words.
    "bold blue": "a style",
    "bold cyan": "a style",
    "bold green": "a style",
    "bold magenta": "a style",
    "bold red": "a style",
    "bold yellow": "a style",
}
# A file that is read for practice only.
_PRACTICE = "[^b.9f3c.1]: [tool]"
_PROSE = re.compile(r"[A-Za-z]{2,} [a-z]{2,}")
_WORD = re.compile(r"[A-Za-z]{2,}")
# What a rule says is found by its code and a key.
_KEY = re.compile(r"[A-Z]{3}\d{3}|message(\.[\w-]+)?")


def called(call: ast.Call) -> str:
    """The name of what is called, without what it belongs to."""
    function = call.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def is_silent(node: ast.AST) -> bool:
    """Whether what stands in a node reaches no person: docstrings, the log, faults of ours."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        owner = node.func.value
        return isinstance(owner, ast.Name) and owner.id in LOGS and node.func.attr in LOGGED
    return isinstance(node, ast.Call) and called(node) in TECHNICAL


def prose(tree: ast.AST) -> Iterator[str]:
    """English sentences that are not phrases, wherever they stand."""
    for node in ast.iter_child_nodes(tree):
        if is_silent(node):
            continue
        if isinstance(node, ast.Call) and called(node) in MAKERS:
            for child in [*node.args[1:], *node.keywords]:
                yield from prose(ast.Expression(child) if isinstance(child, ast.expr) else child)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            if _PROSE.search(node.value) and _PRACTICE not in node.value:
                yield node.value
        else:
            yield from prose(node)


def plain_words(tree: ast.AST) -> Iterator[str]:
    """Texts that are given to what tells people something, and are not phrases."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or is_silent(node):
            continue
        given = list(node.args) if called(node) in SAYING else []
        given += [word.value for word in node.keywords if word.arg in SHOWN_IN_HELP]
        for argument in given:
            direct = argument.values if isinstance(argument, ast.JoinedStr) else [argument]
            texts = [piece.value for piece in direct if isinstance(piece, ast.Constant)]
            for text in texts:
                if isinstance(text, str) and _WORD.search(text) and not _KEY.fullmatch(text):
                    yield text


# What stands here is documentation: of the settings, in the schema and in the docs.
DOCUMENTED = {"settings.py": ("SWITCHES", "OPTIONS")}


def spoken_part(path: Path) -> ast.Module:
    """A module without what documents it."""
    tree = ast.parse(path.read_text("utf-8"))
    names = DOCUMENTED.get(path.name, ())
    tree.body = [
        statement
        for statement in tree.body
        if not (
            isinstance(statement, ast.AnnAssign)
            and isinstance(statement.target, ast.Name)
            and statement.target.id in names
        )
    ]
    return tree


def test_what_people_read_is_a_phrase() -> None:
    found = {path: [*prose(tree := spoken_part(path)), *plain_words(tree)] for path in SOURCES}
    said = [(path, text) for path in found for text in found[path] if text not in EXCEPTIONS]
    assert said == []
    # Every exception is one.
    assert EXCEPTIONS.keys() - {text for texts in found.values() for text in texts} == set()


# -- the checkers themselves --------------------------------------------------------------------


@pytest.mark.parametrize(
    "source",
    [
        'print("it is done")',
        'x = {"a": "it is done"}',
        'raise UsageProblem(f"{name}: there is none")',
        'what = "one" if x else "there are more"',
        'Phrase("{a}", a="it is done")',
        'log("it is done")',
        'raise RuntimeError("it is done")',
    ],
)
def test_prose_is_found(source: str) -> None:
    assert len(list(prose(ast.parse(source)))) == 1


@pytest.mark.parametrize(
    "source",
    [
        '"""It is done."""',
        'def f():\n    """It is done."""',
        'print(Phrase("it is done"))',
        'raise FileProblem("it is done: {why}", why=why)',
        'log.info("it is done: %s", x)',
        'raise TypeError("it is not done")',
        'x = "one"',
    ],
)
def test_what_is_not_prose(source: str) -> None:
    assert list(prose(ast.parse(source))) == []


@pytest.mark.parametrize(
    "source",
    [
        'print("done")',
        'note(f"{name}: done")',
        'add("--x", help="count")',
        'RequestError("refused", code)',
        'about(path, "gone")',
        'self.tell("gone")',
    ],
)
def test_words_are_found(source: str) -> None:
    assert len(list(plain_words(ast.parse(source)))) == 1


@pytest.mark.parametrize(
    "source",
    [
        'print(Phrase("done"))',
        'print(f"{a}: {b}")',
        'add("--x", help=Phrase("count"))',
        "note(what)",
        'other("done")',
    ],
)
def test_what_is_not_a_word(source: str) -> None:
    assert list(plain_words(ast.parse(source))) == []
