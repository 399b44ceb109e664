"""What is written below a new header, a moment after Enter."""

from msgls.document.document import Document
from msgls.features.language import language_of
from msgls.text.spans import Edit, Span
from tests.notation import table, unmark
from tests.snapshots import snapshot_of

AGENT = "---\nagents:\n  ada: {}\n---\n\n"
CODE = "# %% C[^c1]\n\n[^c1]: [code]\n\n```julia\n1\n```\n\n"
ANSWER = AGENT + "# %%% A[^a1]\n\n[^a1]: [ada]\n\n"


def written(source: str) -> str:
    marked = unmark(source)
    document = Document.open("chat.msg.md", marked.text)
    text = language_of(document).missing_definition(snapshot_of(document), marked.cursor) or ""
    return document.apply([Edit(Span(marked.cursor, marked.cursor), text)]).text


@table(
    "before, after",
    {
        "a message": ("# %% T[^m1]\n¦", "# %% T[^m1]\n\n[^m1]: [markdown]\n"),
        "with a blank line below": (
            "# %% [^m1]\n¦\n\nHi\n",
            "# %% [^m1]\n\n[^m1]: [markdown]\n\nHi\n",
        ),
        "with text below": ("# %% [^m1]\n¦\nHi\n", "# %% [^m1]\n\n[^m1]: [markdown]\n\nHi\n"),
        "before another cell": (
            "# %% [^m1]\n¦\n# %% B\n",
            "# %% [^m1]\n\n[^m1]: [markdown]\n\n# %% B\n",
        ),
        "in a file of Windows": ("# %% [^m1]\r\n¦", "# %% [^m1]\r\n\r\n[^m1]: [markdown]\r\n"),
        "an answer": (AGENT + "# %%% [^a1]\n¦", AGENT + "# %%% [^a1]\n\n[^a1]: [ada]\n"),
        "a run": (CODE + "# %%% [^c1.1]\n¦", CODE + "# %%% [^c1.1]\n\n[^c1.1]: [julia]\n"),
        "a call": (ANSWER + "# %%% [^a1.9f]\n¦", ANSWER + "# %%% [^a1.9f]\n\n[^a1.9f]: [tool]\n"),
    },
)
def test_a_new_cell_gets_its_definition(before: str, after: str) -> None:
    assert written(before) == after


@table(
    "source",
    {
        "it has one": "# %% T[^m1]\n¦\n[^m1]: [markdown]\n",
        "it has one further down": "# %% T[^m1]\n¦\nHi\n\n# %% U\n\n[^m1]: [raw]\n",
        "no id": "# %% T\n¦",
        "an id without an end": "# %% T[^m1\n¦",
        "a malformed id": "# %% T[^m..1]\n¦",
        "a heading": "# T[^m1]\n¦",
        "in a fence": "```\n# %% T[^m1]\n¦\n```\n",
        "further down": "# %% T[^m1]\n\n¦",
        "where something stands": "# %% T[^m1]\n¦text\n",
        "nothing at all": "¦",
    },
)
def test_else_nothing_is_written(source: str) -> None:
    assert written(source) == unmark(source).text
