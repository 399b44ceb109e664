"""Where a list may open by itself: where something of ours can stand, and never in prose."""

import pytest

from msgls.document.document import Document
from msgls.features.completion import complete, opens
from msgls.features.legend import COMPLETION_TRIGGERS
from tests.editors.pages import PAGES
from tests.notation import table, unmark
from tests.snapshots import snapshot_of

ASK = "# %% T[^m1]\n\n[^m1]: [markdown]\n\n"
HEAD = "---\nagents:\n  ada:\n    models: [a]\n"
MESSAGE = "; role: user\n"


def asked(source: str, path: str = "chat.msg.md") -> bool:
    """Whether a list opens when the character before the cursor was the last one to be typed."""
    marked = unmark(source)
    document = Document.open(path, marked.text)
    character = marked.text[marked.cursor - 1]
    if character not in COMPLETION_TRIGGERS or not opens(
        snapshot_of(document), marked.cursor, character
    ):
        return False
    return bool(complete(snapshot_of(document), marked.cursor).items)


@table(
    "path, source",
    {
        "a reference": ("a.msg.md", ASK + "see [^¦"),
        "an id in a header": ("a.msg.md", ASK + "# %% U[^¦"),
        "a segment of an id": ("a.msg.md", ASK + "# %%% U[^m1.¦"),
        "a definition": ("a.msg.md", "# %% T[^m1]\n\n[^¦"),
        "after the head of a definition": ("a.msg.md", "# %% T[^m1]\n\n[^m1]: ¦"),
        "the type": ("a.msg.md", "# %% T[^m1]\n\n[^m1]: [¦"),
        "an attribute": ("a.msg.md", "# %% T[^m1]\n\n[^m1]: [markdown] ¦"),
        "another attribute": ("a.msg.md", "# %% T[^m1]\n\n[^m1]: [markdown] a=b ¦"),
        "a value": ("a.msg.md", "# %% T[^m1]\n\n[^m1]: [markdown] role=¦"),
        "a value in quotes": ("a.msg.md", '# %% T[^m1]\n\n[^m1]: [markdown] role="¦'),
        "a message cell": ("a.msg.md", ASK + "# %%¦"),
        "an output cell": ("a.msg.md", ASK + "## %%%¦"),
        "a key of the frontmatter": ("a.msg.md", HEAD + "¦\n---\n"),
        "a key of an agent": ("a.msg.md", HEAD + "    ¦\n---\n"),
        "a value of the frontmatter": ("a.msg.md", HEAD + "default_agent: ¦\n---\n"),
        "a command": ("a.stf", "@user\nHi\n@¦"),
        "a command of the other dialect": ("a.stf", ";user\nHi\n;¦"),
        "an argument": ("a.stf", "@user ¦"),
        "a value of an argument": ("a.stf", "@msg role=¦"),
        "a field": ("1.md", MESSAGE + ";¦\n"),
        "a field after a blank": ("1.md", MESSAGE + "; ¦\n"),
        "a value of a field": ("1.md", "; role: ¦\n"),
        "a key of a delta": ("a.deltas.jsonl", '{"¦'),
        "a key of an agent as JSON": ("agents.json", '{"agents": [{"¦'),
    },
)
def test_something_of_ours_can_stand_here(path: str, source: str) -> None:
    assert asked(source, path)


@table(
    "path, source",
    {
        "a word": ("a.msg.md", ASK + "so ¦"),
        "a sentence": ("a.msg.md", ASK + "So it is.¦"),
        "a new line": ("a.msg.md", ASK + "So it is.\n¦"),
        "a heading": ("a.msg.md", ASK + "# ¦"),
        "a title": ("a.msg.md", ASK + "# %% ¦"),
        "a fraction": ("a.msg.md", ASK + "100 %¦"),
        "a bracket": ("a.msg.md", ASK + "[¦"),
        "a task": ("a.msg.md", ASK + "- [¦"),
        "a quote": ("a.msg.md", ASK + 'he said "¦'),
        "an equation": ("a.msg.md", ASK + "role=¦"),
        "a footnote": ("a.msg.md", ASK + "[^1]: See ¦"),
        "in a fence": ("a.msg.md", ASK + "```\n[^¦\n```\n"),
        "a marker in a fence": ("a.msg.md", ASK + "```\n# %%¦\n```\n"),
        "after the frontmatter": ("a.msg.md", HEAD + "---\n¦"),
        "a prompt in the frontmatter": ("a.msg.md", HEAD + "    system_prompt: You are ¦\n---\n"),
        "an address": ("a.stf", "@user\nme@¦"),
        "words in STF": ("a.stf", "@user\nso ¦"),
        "a line of the body": ("1.md", MESSAGE + "\n\nHi\n; ¦"),
        "a bracket in JSON": ("agents.json", '{"agents": [¦'),
        "a colon in JSON": ("agents.json", '{"agents": ¦'),
        "a new line in JSON": ("agents.json", '{"agents": [\n¦'),
        "a file of nobody's": ("notes.txt", "see [^¦"),
    },
)
def test_a_person_is_left_alone_here(path: str, source: str) -> None:
    assert not asked(source, path)


@pytest.mark.parametrize("name", ["words", "stf words", "chatbuilder words"])
def test_no_list_opens_in_prose(name: str) -> None:
    page = PAGES[name]
    document = Document.open(page.file, page.whole)
    prose = page.whole.index("\na\n") + 1
    opened = [
        offset
        for offset in range(prose, len(page.whole) + 1)
        for character in page.whole[offset - 1]
        if character in COMPLETION_TRIGGERS and opens(snapshot_of(document), offset, character)
    ]
    assert opened == []


def test_a_word_of_json_that_is_being_typed_is_left_alone() -> None:
    # VS Code asks at every letter of JSON, and Enter takes the first row.
    source = '{"agents": [{"name": "a", "path": "b", "metadata": {"bootMessage": {"isHtml": ¦'
    marked = unmark(source)
    for typed in ("t", "true"):
        document = Document.open("agents.json", marked.text + typed)
        assert complete(snapshot_of(document), len(document.text)).items == ()
    assert complete(snapshot_of(Document.open("agents.json", marked.text)), marked.cursor).items
