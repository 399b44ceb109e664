"""Lines of a message file: markers, fences, frontmatter, and what hides what."""

import pytest

from msgls.formats.msgmd.cells import parse_cell
from msgls.formats.msgmd.lexer import FRONTMATTER, NORMAL, START, lex, split
from msgls.formats.prose import code_spans
from msgls.syntax.cells import CellKind
from msgls.text.lines import PIECE_LIMIT
from msgls.text.spans import Span
from tests.formats.msgmd.reading import documents, with_every_line_end
from tests.measure import seconds
from tests.notation import mark, table, unmark

LAYOUTS = {
    # 1.1
    "an empty file": "",
    "a file with no cell": "«preamble|Just text.\n»",
    "only a frontmatter": "«preamble|«frontmatter|---\na: 1\n---»\n»",
    "only blank lines": "«preamble|\n\n»",
    "only a cell": "«message|# %%»",
    "a cell at once": "«message|# %% a\ntext\n»«output|# %%% b\ntext\n»",
    "a preamble before the cells": "«preamble|# Title\n\nText.\n\n»«message|# %%\n»",
    "frontmatter, preamble, cells": (
        "«preamble|«frontmatter|---\na: 1\n---»\nText.\n»«message|# %%\n»«output|# %%%\n»"
    ),
    "frontmatter and cells": "«preamble|«frontmatter|---\na: 1\n---»\n»«message|# %%\n»",
    "an empty frontmatter": "«preamble|«frontmatter|---\n---»\n»«message|# %%\n»",
    "dashes with blanks after": ("«preamble|«frontmatter|--- \na: 1\n---\t»\n»«message|# %%\n»"),
    "four dashes open none": "«preamble|----\nNotes\n----\n»«message|# %%\n»",
    "four dashes close none": "«preamble|«frontmatter|---\na: 1\n----\n---»\n»«message|# %%\n»",
    "frontmatter stands at the very start": "«preamble|\n---\na: 1\n---\n»«message|# %%\n»",
    "two dashes open none": "«preamble|--\na: 1\n---\n»",
    "indented dashes open none": "«preamble| ---\na: 1\n---\n»",
    "indented dashes close none": "«preamble|«frontmatter|---\na: |\n  ---\n---»\n»",
    "dashes with text close none": "«preamble|«frontmatter|---\n--- a\n---»\n»",
    "an unclosed frontmatter runs to the end": "«preamble|«frontmatter|---\na: 1\n»»",
    "an unclosed frontmatter ends before the first marker": (
        "«preamble|«frontmatter|---\na: 1\n\n»»«message|# %% a\n---\n»"
    ),
    "a fence in the frontmatter is none": (
        "«preamble|«frontmatter|---\na: |\n```\n---»\n»«message|# %%\n»"
    ),
    "a heading in the frontmatter is a comment": (
        "«preamble|«frontmatter|---\n# Note\na: 1\n---»\n»«message|# %%\n»"
    ),
    "dashes further down are not frontmatter": "«message|# %%\n---\na: 1\n---\n»«message|# %%\n»",
    # A byte-order mark
    "a marker after a byte-order mark": "«message|\ufeff# %% a\n»«output|# %%%\n»",
    "frontmatter after a byte-order mark": (
        "«preamble|«frontmatter|\ufeff---\na: 1\n---»\n»«message|# %%\n»"
    ),
    "a fence after a byte-order mark": "«preamble|\ufeff```\n# %% a\n```\n»«message|# %% b\n»",
    "a marker after a second byte-order mark": "«preamble|\ufeff\ufeff# %%\n»",
    "a marker after a byte-order mark further down": "«message|# %%\n\ufeff# %%\n»",
    "a fence after a byte-order mark further down": (
        "«message|# %%\n\ufeff```\n»«message|# %% b\n»"
    ),
    "a byte-order mark and a marker in the frontmatter": (
        "«preamble|«frontmatter|---\n\ufeff# %%\na: 1\n---»\n»«message|# %%\n»"
    ),
    "a byte-order mark and a marker in a fence": (
        "«message|# %%\n```\n\ufeff# %%\n```\n»«message|# %%\n»"
    ),
    # 1.3
    "one to five hashes": (
        "«message|# %%\n»«message|## %%\n»«output|### %%%\n»«message|#### %%\n»«output|##### %%%\n»"
    ),
    "six hashes": "«preamble|###### %%\n»",
    "no blank": "«preamble|#%%\n»",
    "several blanks and tabs": "«message|#  \t %% a\n»«output|#\t%%%\tb\n»",
    "a no-break space is not a blank": "«preamble|#\u00a0%%\n# %%\u00a0a\n»",
    "a marker at the end of the file": "«preamble|a\n»«output|# %%%»",
    "an id right after": "«message|# %%[^a]\n»«output|# %%%[^b]\n»",
    "a title right after": "«preamble|# %%title\n# %%%title\n»",
    "another bracket right after": "«preamble|# %%[a]\n»",
    "a caret without its bracket right after": "«preamble|# %%^a\n»",
    "four per cent signs": "«preamble|# %%%% a\n»",
    "one per cent sign": "«preamble|# % a\n»",
    "three per cent signs in the title": "«message|# %% at 100%%% [^a]\n»",
    "one to four blanks before it": "«preamble| # %%\n  # %%\n   # %%\n    # %%\n»",
    "a tab before it": "«preamble|\t# %%\n»",
    "escaped": "«message|# %%\n\\# %% no\n\\## %%% no\n»",
    "quoted": "«message|# %%\n> # %% no\n»",
    "in a list": "«message|# %%\n- # %% no\n»",
    "not at the start of a line": "«message|# %%\na # %% no\n»",
    "half-written": "«message|# %% a [^a1»",
}


def _layout(text: str) -> set[str]:
    found = set()
    for document in documents(text):
        ranges = []
        for placed in document.cells():
            ranges.append((placed.cell.kind.value, placed.span))
            if placed.cell.frontmatter is not None:
                ranges.append(("frontmatter", placed.cell.frontmatter))
        found.add(mark(text, ranges))
    return found


@with_every_line_end
@table("source", LAYOUTS)
def test_layout(source: str, line_end: str) -> None:
    source = source.replace("\n", line_end)
    assert _layout(unmark(source).text) == {source}


@table("source", {name: row for name, row in LAYOUTS.items() if "frontmatter|" in row})
def test_whether_the_frontmatter_is_closed(source: str) -> None:
    text, ranges, _ = unmark(source)
    (frontmatter,) = (span for name, span in ranges if name == "frontmatter")
    last_line = frontmatter.of(text).rsplit("\n", 1)[-1]
    for document in documents(text):
        first = document.first_cell()
        assert first is not None
        assert first.cell.frontmatter_closed == last_line.startswith("---")


FENCES = {
    # 1.2
    "backticks": "«message|# %%\n```\n# %% in\n```\n»«message|# %% out\n»",
    "tildes": "«message|# %%\n~~~\n# %% in\n~~~\n»«message|# %% out\n»",
    "in the preamble": "«preamble|```\n# %% in\n```\n»«message|# %% out\n»",
    "an output marker": "«message|# %%\n```\n# %%% in\n```\n»«output|# %%% out\n»",
    "two backticks are none": "«message|# %%\n``\n»«message|# %% out\n``\n»",
    "two tildes are none": "«message|# %%\n~~\n»«message|# %% out\n»",
    "four backticks": "«message|# %%\n````\n```\n# %% in\n````\n»«message|# %% out\n»",
    "a closing fence may be longer": "«message|# %%\n```\n# %% in\n`````\n»«message|# %% out\n»",
    "a closing fence may not be shorter": (
        "«message|# %%\n~~~~~\n# %% in\n~~~~\n# %% in\n~~~~~\n»«message|# %% out\n»"
    ),
    "tildes do not close backticks": (
        "«message|# %%\n```\n~~~\n# %% in\n```\n»«message|# %% out\n»"
    ),
    "backticks do not close tildes": (
        "«message|# %%\n~~~\n```\n# %% in\n~~~\n»«message|# %% out\n»"
    ),
    "an info string": "«message|# %%\n```python title=x\n# %% in\n```\n»«message|# %% out\n»",
    "a closing fence has no info string": (
        "«message|# %%\n```\n# %% in\n```python\n# %% in\n```\n»«message|# %% out\n»"
    ),
    "blanks after a closing fence": ("«message|# %%\n```\n# %% in\n``` \t\n»«message|# %% out\n»"),
    "an info string with a backtick opens none": "«message|# %%\n``` a`b\n»«message|# %% out\n»",
    "code in a line opens none": "«message|# %%\n```a```\n»«message|# %% out\n»",
    "an info string with a backtick after tildes": (
        "«message|# %%\n~~~ a`b\n# %% in\n~~~\n»«message|# %% out\n»"
    ),
    "one to three blanks before either fence": (
        "«message|# %%\n ```\n# %% in\n   ```\n»«message|# %% out\n»"
        "«message|# %%\n   ~~~\n# %% in\n ~~~\n»«message|# %% out\n»"
    ),
    "four blanks open none": "«message|# %%\n    ```\n»«message|# %% out\n»",
    "four blanks close none": ("«message|# %%\n```\n    ```\n# %% in\n```\n»«message|# %% out\n»"),
    "a tab opens none": "«message|# %%\n\t```\n»«message|# %% out\n»",
    "a quoted fence is none": "«message|# %%\n> ```\n»«message|# %% out\n»",
    "one right after the header": "«message|# %% a\n```\n# %% in\n```\n»",
    "two in a row": ("«message|# %%\n```\n# %% in\n```\n```\n# %% in\n```\n»«message|# %% out\n»"),
    "an unclosed one runs to the end": (
        "«message|# %%\n```\n«hidden|# %% in»\n«hidden|# %%% in»\n»"
    ),
    "an unclosed one in the preamble": "«preamble|~~~\n«hidden|# %% in»\n»",
    "only the unclosed one hides": (
        "«message|# %%\n```\n# %% in\n```\n\n```\ntext\n«hidden|## %% in [^a]»\ntext\n»"
    ),
    "a near miss in an unclosed one is not hidden": "«message|# %%\n```\n#%% a\n»",
    "an unclosed one at the end of the file": "«message|# %%\n```»",
    # In list items
    "in a list item": "«message|# %%\n- ```py\n  x\n  ```\n»«message|# %% out\n»",
    "a list item ends at a marker, and its fence with it": (
        "«message|# %%\n- ```py\n  x\n»«message|# %% out\n»"
    ),
    "a list item ends at a line further out": (
        "«message|# %%\n- ```py\n  x\ntext\n```\n# %% in\n```\n»«message|# %% out\n»"
    ),
    "blank lines do not end a list item": (
        "«message|# %%\n- ```py\n\n \n  x\n  ```\n»«message|# %% out\n»"
    ),
    "a fence further out opens another": ("«message|# %%\n- ```\n  x\n```\n«hidden|# %% in»\n»"),
    "a numbered item": "«message|# %%\n12) ```py\n    x\n    ```\n»«message|# %% out\n»",
    "an item in an item": (
        "«message|# %%\n- 1. ```py\n     x\n     ```\n```\n# %% in\n```\n»«message|# %% out\n»"
    ),
    "a nested item": (
        "«message|# %%\n- a\n  - ```py\n    x\n    ```\n```\n# %% in\n```\n»«message|# %% out\n»"
    ),
    "five blanks make indented code of it": (
        "«message|# %%\n-     ```\n\n```\n# %% in\n```\n»«message|# %% out\n»"
    ),
    "a list item does not close a fence": (
        "«message|# %%\n```\n- ```\n# %% in\n```\n»«message|# %% out\n»"
    ),
    "code in a line of a list item opens none": (
        "«message|# %%\n- ```a```\n  text\n»«message|# %% out\n»"
    ),
}


@with_every_line_end
@table("source", FENCES)
def test_fences_hide_markers(source: str, line_end: str) -> None:
    source = source.replace("\n", line_end)
    text = unmark(source).text
    for document in documents(text):
        ranges = []
        for placed in document.cells():
            ranges.append((placed.cell.kind.value, placed.span))
            hidden = [span.shift(placed.start_offset) for span in placed.cell.hidden_markers]
            ranges += [("hidden", span) for span in hidden]
        assert mark(text, ranges) == source


# Characters that `str.splitlines` takes for line ends.
NO_LINE_ENDS = ("\u2028", "\u2029", "\u0085", "\f", "\v", "\x1c", "\x1d", "\x1e")


@pytest.mark.parametrize("character", NO_LINE_ENDS, ids=ascii)
def test_nothing_else_ends_a_line(character: str) -> None:
    text = (
        f"# %% a{character}# %% b [^i{character}d]\n"
        f"text{character}# %% c\n"
        f"{character}# %% d\n"
        f"```{character}x\n# %% in\n{character}```\n# %% in\n```\n"
        f"[^x]: [markdown] a={character}1 b=2\n"
    )
    for document in documents(text):
        (placed,) = document.cells()
        cell = placed.cell
        assert cell.title == f"a{character}# %% b"
        assert cell.id == f"i{character}d"
        assert cell.near_misses == ()
        (fence,) = cell.fences
        assert fence.info.of(text) == f"{character}x"
        assert fence.content.of(text) == f"# %% in\n{character}```\n# %% in\n"
        (definition,) = cell.definitions
        assert definition.value("a") == f"{character}1"
        assert definition.value("b") == "2"


def test_a_lone_carriage_return_ends_a_line_among_others() -> None:
    text = "# %% a\r# %% b\r\n```\r# %% in\n```\r\r\n# %% c\n"
    assert split(text) == ["# %% a\r", "# %% b\r\n```\r", "# %% in\n```\r\r\n", "# %% c\n"]
    assert _layout(text) == {
        "«message|# %% a\r»«message|# %% b\r\n```\r# %% in\n```\r\r\n»«message|# %% c\n»"
    }


# From every state: does the piece start a cell, and in which state is it left?
STATES: dict[str, tuple[str, str, bool, str]] = {
    "text": ("a\n", NORMAL, False, NORMAL),
    "the start of a file": ("a\n", START, True, NORMAL),
    "a marker at the start": ("# %%\n", START, True, NORMAL),
    "a marker": ("# %%\n", NORMAL, True, NORMAL),
    "a marker in a fence": ("# %%\n", "```", False, "```"),
    "a marker in a list item's fence": ("# %%\n", "  ```", True, NORMAL),
    "a marker in the frontmatter": ("# %%\n", FRONTMATTER, True, NORMAL),
    "a byte-order mark and a marker at the start": ("\ufeff# %%\n", START, True, NORMAL),
    "a byte-order mark and a marker": ("\ufeff# %%\n", NORMAL, False, NORMAL),
    "a byte-order mark and a marker in a fence": ("\ufeff# %%\n", "```", False, "```"),
    "a byte-order mark and a marker in the frontmatter": (
        "\ufeff# %%\n",
        FRONTMATTER,
        False,
        FRONTMATTER,
    ),
    "a fence opens": ("a\n````py\n", NORMAL, False, "````"),
    "a fence opens below a marker": ("# %%\n~~~\n", NORMAL, True, "~~~"),
    "a fence closes": ("a\n```\n", "```", False, NORMAL),
    "a fence closes and another opens": ("```\n~~~\n", "```", False, "~~~"),
    "a fence is too short to close": ("```\n", "````", False, "````"),
    "a fence after a byte-order mark, at the start": ("\ufeff```\n", START, True, "```"),
    "a fence after a byte-order mark": ("\ufeff```\n", NORMAL, False, NORMAL),
    "a fence after a byte-order mark, in a fence": ("\ufeff```\n", "```", False, "```"),
    "a list item opens a fence": ("1. ```\n", NORMAL, False, "   ```"),
    "a list item goes on": ("  a\n\n", "  ```", False, "  ```"),
    "a list item ends": ("a\n", "  ```", False, NORMAL),
    "a list item ends further down": ("  a\n b\n", "  ```", False, NORMAL),
    "a list item ends, and a fence opens": ("```\n", "  ```", False, "```"),
    "a list item's fence closes": ("  ```\n", "  ```", False, NORMAL),
    "a list item's fence closes three blanks in": ("     ```\n", "  ```", False, NORMAL),
    "a list item's fence does not close four blanks in": ("      ```\n", "  ```", False, "  ```"),
    "the frontmatter opens": ("---\na: 1\n", START, True, FRONTMATTER),
    "the frontmatter opens after a byte-order mark": ("\ufeff---\n", START, True, FRONTMATTER),
    "the frontmatter opens nowhere else": ("---\na: 1\n", NORMAL, False, NORMAL),
    "the frontmatter goes on": ("a: 1\n```\n", FRONTMATTER, False, FRONTMATTER),
    "the frontmatter closes": ("a: 1\n---\n", FRONTMATTER, False, NORMAL),
    "the frontmatter closes, and a fence opens": ("---\n```\n", FRONTMATTER, False, "```"),
    "a line of equal signs does not close it": ("===\n", FRONTMATTER, False, FRONTMATTER),
}


@with_every_line_end
@table("row", STATES)
def test_states(row: tuple[str, str, bool, str], line_end: str) -> None:
    text, entry, starts, exit = row
    lexed = lex(text.replace("\n", line_end))
    assert lexed.starts_cell(entry) == starts
    assert lexed.exit(entry) == exit


def test_a_piece_is_read_once_for_each_state() -> None:
    lexed = lex("# %%\n```\n")
    assert lexed.walk(NORMAL) is lexed.walk(NORMAL)
    assert lexed.walk("~~~") is lexed.walk("~~~")
    assert lexed.walk("~~~") is not lexed.walk("```")


def test_a_long_cell_is_cut_between_lines() -> None:
    line = "word " * 20 + "\n"
    text = "# %% a\n" + line * 2_000 + "# %% b\n"
    pieces = split(text)
    assert "".join(pieces) == text
    assert pieces[-1] == "# %% b\n"
    assert len(pieces) > 3
    assert all(piece.endswith("\n") for piece in pieces)
    assert all(len(piece) <= PIECE_LIMIT + len(line) for piece in pieces)


CODE_SPANS = {
    "none": "a b",
    "one": "a «`b`» c",
    "two": "«`a`» «`b`»",
    "of two backticks": "«``a`b``» c",
    "an unmatched run": "`` a «`b`»",
    "unclosed": "a ` b",
    "an escaped backtick opens none": r"\`a «`b`»",
    "an escaped backslash escapes nothing": r"\\«`a`»",
    "a backslash inside escapes nothing": r"«`a\`» b`",
    "an escaped backtick before a run": r"\`«`a`» b",
}


@table("source", CODE_SPANS)
def test_code_spans(source: str) -> None:
    text = unmark(source).text
    spans = code_spans(text, 0, len(text))
    assert mark(text, [("", Span(*span)) for span in spans]) == source


# Each of these took time in the square of its length, or could.
LONG_LINES = {
    "blanks": " ",
    "tabs": "\t",
    "hashes": "#",
    "blanks in a heading": "# a" + " " * 50_000 + "b",
    "hashes in a heading": "# a " + "# " * 50_000 + "b",
    "backticks": "`",
    "runs of backticks": "` `` ",
    "code spans and references": "`a`[^b]",
    "references": "[^b]",
    "escaped brackets": "\\[^b]",
    "backslashes": "\\",
    "open brackets": "[^",
    "open brackets with colons": "[^a:",
    "list items": "- ",
    "numbers": "1. ",
    "dashes": "-",
    "dashes and blanks": "- - ",
    "underlines": "a\n-\n",
    "equal signs in lines": "=\n",
    "a long paragraph": "a\n",
    "fences": "```\n",
    "list fences": "- ```\n  a\n",
    "per cent signs": "# %%%% a\n",
    "unclosed quotes": '[^a]: [b] [c="',
    "pairs": "[^a]: [b] c = ",
    "duplicate keys": "[^a]: [b] c=1 d=2 ",
    "blanks in a comment": "<!-- msgls: ignore" + " " * 50_000 + "a -->",
    "codes in a comment": "<!-- msgls: ignore" + " A" * 50_000 + "a -->",
    "blanks in a marker": "#" + " " * 50_000 + "%%%%",
    "blanks in a pair": "[^a]: [b] c" + " " * 50_000 + "d",
    "blanks in a type": "[^a]: [b" + " " * 50_000 + "]c",
    "byte-order marks": "\ufeff",
    "byte-order marks and fences": "\ufeff```\n",
}


PARTS = ("definitions", "fences", "headings", "references", "near_misses", "suppressions")


def read_long_line(part: str) -> None:
    line = part * (50_000 // len(part)) if len(part) < 100 else part
    definition = "" if line.startswith("[^a]:") else "# %% [^a]\n"
    text = f"{definition}{line}\n---\n"
    lexed = lex(text)
    cell = parse_cell([(lexed, NORMAL)], with_headings=True)
    assert cell.kind in (CellKind.MESSAGE, CellKind.PREAMBLE)
    for part in PARTS:
        assert getattr(cell, part) is not None


@table("part", LONG_LINES)
def test_long_lines_are_read(part: str) -> None:
    read_long_line(part)


@pytest.mark.fuzz
@table("part", LONG_LINES)
def test_time_is_linear(part: str) -> None:
    assert seconds(lambda: read_long_line(part)) < 3
