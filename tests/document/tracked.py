"""A document beside a plain string, and everything that must hold between the two.

The oracle of the incremental reparse: whatever edits came before, a document is what
a fresh parse of the same text gives. Only the labels of its cells may differ.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import NamedTuple

import pytest

from msgls.document import document as document_module
from msgls.document import index as index_module
from msgls.document.document import Document
from msgls.formats.base import Placed
from msgls.formats.msgjson.cells import JsonCell
from msgls.formats.stf.cells import StfCell
from msgls.syntax.cells import Cell, FactKey
from msgls.text import lines
from msgls.text.lines import Encoding, Position
from msgls.text.spans import Edit, Span
from tests.text.naive import naive_offset

_REAL_PIECE_LIMIT = lines.PIECE_LIMIT

# What real documents hold, what pasted model output holds, and what only a keyboard makes.
FRAGMENTS = (
    *("\n", "\n", "\n\n", "\r\n", "\r", " ", "    ", "\t", "x", "words and words\n"),
    *("😀", "e\u0301", "漢字", "\u2028", "\u0085", "\f", "\v", "\ufeff", "\0", "\ud83d", "\ude00"),
    *("```", "````", "```py\n", "~~~", "~~~~\n", "```\n", "\n```\n", "\n~~~\n", "\n`````\n"),
    *("- ```py\n", "  ```\n", "1. ~~~\n", "   ~~~\n", "* - ```\n", "    ```\n", "\n- ```\n  x\n"),
    *("# %%", "\n# %%\n", "\n# %% title [^m1]\n", "\n# %%% [^m1]\n", "\n## %%% [^m1.abc]\n"),
    *("\n##### %% [^m2]\n", "\n# %%% [^m1.abc.1]\n", "\n# %% `[^x]` [^m3]\n", "\r# %% [^m4]\r"),
    *("\r\n# %% [^m5]\r\n", "\n#\t%%%[^m6]\n", "\n\ufeff# %% [^m7]\n"),
    *("\n#%% near\n", "\n###### %% near\n", "\n# %%%% near\n", "\n  # %% near\n", "\n# %%near\n"),
    *("[^m1]", "[^m2]", " [^x] ", "\n[^x:] y\n", "`[^y]`", "\\[^z]", "``", "`"),
    *("\n[^m1]: [markdown]\n", '\n[^m1]: [gpt] time="now" reasoning=1\n', "\n[^m2]: [code]\n"),
    *(
        "\n[^m1.abc]: [tool] name=x\n",
        "\n[^n]: a note\n",
        "\n[^m1: [tool]\n",
        "\n[^m2]: [raw a=1\n",
    ),
    *(
        "\n\\[^m1\\]: [tool]\n",
        '\n[^a]: [markdown] definition="agent" name="Al"\n',
        "\n   [^m3]: [x]\n",
    ),
    *("---", "---\n", "\n---\n", "-", "---\nagents:\n  Al:\n    models: [m-1]\n---\n", "--- \r\n"),
    *("agents: {Bo: {models: [m-2]}}\n", "message_section: Talk\n", "default_agent: Al\n"),
    "---\nmessage_section: Talk\n---\n",
    *(
        "# Talk\n",
        "\n## Plan\n",
        "\n# Plan #\n",
        "\n######\n",
        "\nTalk\n====\n",
        "\nPlan\n---\n",
        "=\n",
    ),
    *("\n<<<<<<< ours\n", "\n=======\n", "\n>>>>>>> theirs\n", "\n||||||| base\n"),
    *("\n<!-- msgls: ignore MSG302 -->\n", "<!-- msgls: ignore MSG101, MSG102 -->\n"),
    *("\nstdout> 1\nstderr> 2\n", "> quote\n", "<tool><a>1</a></tool>\n", "\\# %%\n"),
    *("long " * 30 + "\n", "line\n" * 20, "é" * 70),
)


class Vocabulary(NamedTuple):
    """What documents of a format are made of, at random."""

    paths: Sequence[str]
    starts: Sequence[str]
    """Whole texts."""
    fragments: Sequence[str]


MESSAGE_FILES = Vocabulary(
    ("a.msg.md", "notes.md", "notes.md", "plain.txt"),
    (
        "",
        "# %% [^m1]\n[^m1]: [markdown]\nHello\n\n# %%% [^m1]\n[^m1]: [Al]\nHi\n",
        "---\nagents:\n  Al:\n    models: [m-1]\n---\npreamble\n# %% [^m1]\nx\n```\n# %% no\n```\n",
        "---\nmessage_section: Talk\n---\n# Top\ntext\n# Talk\n## %% [^m1]\nHello [^x]\n",
        '# %% [^m1]\n[^m1]: [markdown] definition="agent" name="Al"\nHello\n# %% [^m2]\nHi\n',
        "\ufeff# %% [^m1]\r\nHello\r\n\r\n# %% [^m2]\r\n- ```py\r\n  x\r\n",
    ),
    FRAGMENTS,
)

_DELTA = '{"runId": "r", "seq": 1, "kind": "%s", "payload": {%s}, "timestamp": "now"}'
_JSON_VALUES = (
    _DELTA % ("start", '"modelId": "m", "requestId": "q"'),
    _DELTA % ("text", '"textDelta": "é😀"'),
    _DELTA % ("tool_call_start", '"toolCallId": "c1", "toolName": "t"'),
    _DELTA % ("tool_call_args", '"toolCallId": "c1", "argsTextDelta": "{}"'),
    _DELTA % ("tool_call_end", '"toolCallId": "c1"'),
    _DELTA % ("done", '"finishReason": "stop"'),
    '{"runId": "r", "role": "user", "parts": [], "timestamp": "now"}',
)

JSON_FILES = Vocabulary(
    ("a.deltas.jsonl", "a.session.jsonl", "a.messages.json", "a.messages.json"),
    (
        "",
        "\n".join(_JSON_VALUES),
        "[\n  " + ",\n  ".join(_JSON_VALUES) + "\n]\n",
        '\ufeff[\r\n\t{\r\n\t\t"a": [\r\n\t\t\t{}\r\n\t\t]\r\n\t},\r\n\t{}\r\n]',
    ),
    (
        *("\n", "\n", "\r\n", "\r", " ", "  ", "\t", "x", "1", "😀", "\u2028", "\ufeff", "\ud83d"),
        *(
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            '"',
            "\\",
            "{}",
            "[]",
            "null",
            '"seq": 2',
            "\n  {",
            "\n    {",
        ),
        *(value + "\n" for value in _JSON_VALUES),
        *("\n  " + value + "," for value in _JSON_VALUES),
    ),
)

SIMPLE_TEXT_FILES = Vocabulary(
    ("a.stf",),
    (
        "",
        "@user\nHello\n@ai\nHi\n",
        ";meta\n{a: 1}\n;end\n;user id=u1\nHello\n;flush\n;raw\n{role: 'tool'}\n;end\n",
        "\ufeff@user\r\nHello\r\n@ai\r\n@call id=c1\r\nread {path: 'x'}\r\n@tool call_id=c1\r\nok",
        "words\n@/* one\n@/* two\n@user\n@*/\n@*/\n@msg\nx\n",
    ),
    (
        *("\n", "\n", "\n\n", "\r\n", "\r", " ", "\t", "x", "words and words\n", "😀", "\u2028"),
        *("\u0085", "\f", "\v", "\ufeff", "\0", "\ud83d", "long " * 30 + "\n", "line\n" * 20),
        *("@", ";", "@@", ";;", "@@ data\n", ";; data\n", "@ ", "#", "/", "*", "=", "{", "}", "'"),
        *("@user\n", "\n@user\n", "\n;user\n", "\n@ai\n", "\n;ai\n", "\n@ sys\n", "\r;dev\r"),
        *("\n@tool call_id=c1\n", "\n;tool call_id=c1\n", "\r\n@tool\r\n", "\n\ufeff@user\n"),
        *("\n@msg\n", "\n;msg\n", "\n@msg role=user\n", "\n@message {role: 'tool'}\n", " role=x"),
        *("\n@User\n", "\n@asistant\n", "\n@user2\n", "\n@user id=u1 name='a b'\n", " id=u2"),
        *("\n@call id=c1\n", "\n@call\n", "read {path: 'x'}\n", "\n@embed\na.png\n", "\n;call\n"),
        *("\n@raw\n", "\n;raw\n", "{role: 'user', content: 'x'}\n", "{role:'x', tool_calls: "),
        *("[{id: 'c2', function: {name: 'f'}}]}\n", "\n@end\n", "\n;end\n", "\n@ending\n"),
        *("\n;meta\n", "\n;extra\n", "\n;flush\n", "\n@flush\n", "\n@meta\n", "\n;meta {a: 1}\n"),
        *("\n@# note\n", "\n;// note\n", "\n@/* open\n", "\n;/* open\n", "\n@*/\n", "\n;*/ more\n"),
        *("\n@# msgls: ignore STF001\n", "\n;// msgls: ignore STF012, stray-end\n"),
    ),
)


class Tracked:
    """A document, the text that it should hold, and earlier versions of both."""

    def __init__(self, path: str, text: str) -> None:
        self.document = Document.open(path, text)
        self.text = text
        self._earlier: list[tuple[Document, str, list[Placed]]] = []
        self.check()

    def keep(self) -> None:
        """Remember this version: it must be the same at the end."""
        self._earlier.append((self.document, self.text, list(self.document.cells())))

    # -- what can be done to it -----------------------------------------------------------

    def edit(self, start: int, end: int, text: str) -> None:
        """Replace ``[start, end)``; out of range and turned around is allowed, as clients do."""
        before = self.document
        self.document = before.edit(Span(start, end), text)
        low, high = sorted(min(max(offset, 0), len(self.text)) for offset in (start, end))
        self.text = self.text[:low] + text + self.text[high:]
        self._check_change(before, exactly=True)

    def edit_at(
        self, start: tuple[int, int], end: tuple[int, int], text: str, encoding: Encoding
    ) -> None:
        """Replace what lies between two positions."""
        offsets = []
        for line, units in (start, end):
            offset = self.document.store.offset_of(Position(line, units), encoding)
            assert offset == naive_offset(self.text, line, units, encoding)
            offsets.append(offset)
        self.edit(offsets[0], offsets[1], text)

    def apply(self, edits: Sequence[tuple[int, int, str]]) -> None:
        """Several edits at once, in document order and without overlap."""
        before = self.document
        self.document = before.apply([Edit(Span(start, end), text) for start, end, text in edits])
        for start, end, text in reversed(edits):
            self.text = self.text[:start] + text + self.text[end:]
        self._check_change(before, exactly=False)

    def put(self, text: str) -> None:
        """A wholly new text."""
        before = self.document
        self.document = before.with_text(text)
        self.text = text
        self._check_change(before, exactly=False)

    # -- what must hold -------------------------------------------------------------------

    def check(self) -> None:
        """All that must hold of one version by itself."""
        document = self.document
        assert document.text == self.text
        assert len(document.store) == len(self.text)
        self._check_chunks()
        fresh = fresh_document(document.path, self.text)
        assert document.format is fresh.format
        placed = list(document.cells())
        expected = list(fresh.cells())
        assert [cell.cell.text for cell in placed] == [cell.cell.text for cell in expected]
        for ours, theirs in zip(placed, expected, strict=True):
            assert parts_of(ours) == parts_of(theirs)
        assert index_of(document) == index_of(fresh)
        self._check_lookups(placed)

    def check_earlier(self) -> None:
        """That nothing changed in the versions that were kept."""
        for document, text, cells in self._earlier:
            assert "".join([chunk.text for chunk in document.store.tree]) == text
            assert list(document.cells()) == cells
            fresh = fresh_document(document.path, text)
            assert [parts_of(cell) for cell in cells] == [parts_of(cell) for cell in fresh.cells()]
            assert index_of(document) == index_of(fresh)

    def _check_chunks(self) -> None:
        chunks = list(self.document.store.tree)
        state = self.document.format.start
        for chunk in chunks:
            assert chunk.entry == state
            assert chunk.starts == (chunk.cell is not None)
            state = chunk.leaves
        for before, after in pairwise(chunks):
            assert before.label < after.label
            assert before.text.endswith(("\n", "\r"))
            assert not (before.text.endswith("\r") and after.text.startswith("\n"))

    def _check_lookups(self, placed: list[Placed]) -> None:
        document = self.document
        assert document.cell_count == len(placed)
        assert document.first_cell() == (placed[0] if placed else None)
        for number, cell in enumerate(placed):
            assert document.cell_number(number) == cell
            assert document.cell(cell.label) == cell
            assert document.number_of(cell.label) == number
            last = number == len(placed) - 1
            for offset in {cell.span.start, (cell.span.start + cell.span.end) // 2, cell.span.end}:
                inside = last or offset < cell.span.end
                assert document.number_at_offset(offset) == (number if inside else number + 1)
                assert document.cell_at_offset(offset) == (cell if inside else placed[number + 1])
        if not placed:
            assert document.cell_at_offset(0) is None

    def _check_change(self, before: Document, *, exactly: bool) -> None:
        """That the change says what differs; ``exactly``, and no name more than that."""
        document, change = self.document, self.document.change
        cells = {placed.label: placed.cell for placed in document.cells()}
        assert list(change.added) == sorted(set(change.added))
        assert set(change.added) <= set(cells)
        if change.whole:
            assert set(change.added) == set(cells)
            return
        old = {placed.label: placed.cell for placed in before.cells()}
        for label, cell in cells.items():
            if label not in change.added:
                assert old[label] is cell
        for label, cell in old.items():
            if label not in change.removed:
                assert cells[label] is cell
        keys = {*before.index, *document.index}
        differing = {key for key in keys if before.index.get(key) != document.index.get(key)}
        assert differing == change.facts if exactly else differing <= change.facts


@contextmanager
def limits(
    *, piece: int, crumb: int, gap: int | None = None, recent: int | None = None
) -> Iterator[None]:
    """Other sizes, so that small texts are cut, joined and labelled as large ones are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "PIECE_LIMIT", piece)
        patch.setattr(document_module, "_CRUMB", crumb)
        if gap is not None:
            patch.setattr(document_module, "_GAP", gap)
            patch.setattr(document_module, "_STEP", max(gap // 8, 1))
        if recent is not None:
            patch.setattr(index_module, "_MOST_RECENT", recent)
        yield


def fresh_document(path: str, text: str) -> Document:
    """The parse to compare with: cut as little as real documents are."""
    with limits(piece=_REAL_PIECE_LIMIT, crumb=4_096):
        return Document.open(path, text)


def parts_of(placed: Placed) -> dict[str, object]:
    """Everything that can be asked of a cell, but for its label."""
    cell = placed.cell
    return {
        "kind": cell.kind,
        "id": cell.id,
        "text": cell.text,
        "length": cell.length,
        "start_offset": placed.start_offset,
        "start_line": placed.start_line,
        "header": cell.header,
        "title": cell.title,
        "body": cell.body,
        "frontmatter": cell.frontmatter,
        "frontmatter_closed": cell.frontmatter_closed,
        "definitions": cell.definitions,
        "home": cell.home,
        "fences": cell.fences,
        "code_block": cell.code_block,
        "headings": cell.headings,
        "references": cell.references,
        "near_misses": cell.near_misses,
        "conflicts": cell.conflicts,
        "suppressions": cell.suppressions,
        "hidden_markers": cell.hidden_markers,
        "output_lines": cell.output_lines,
        "facts": cell.facts,
        "own": own_parts_of(cell),
    }


def own_parts_of(cell: Cell) -> object:
    """What only cells of one format have."""
    if isinstance(cell, JsonCell):
        return cell.segments, cell.framing, cell.syntax_errors()
    if not isinstance(cell, StfCell):
        return None
    blocks = [cell.parsed_block(c) for c in cell.commands if c.spec and c.spec.has_block]
    arguments = [cell.arguments(command) for command in cell.commands]
    lines = [cell.call_line(command) for command in cell.commands]
    data = [list(cell.data_lines(data.span)) for data in cell.walk.data]
    # Where it stands in the role and in blocks; comments and blocks never reach into a cell.
    return cell.walk, cell.entry.role, cell.at_start, repr(blocks), arguments, lines, data


def index_of(document: Document) -> dict[FactKey, list[tuple[int, tuple[object, ...]]]]:
    """The index, with the numbers of cells in place of their labels."""
    numbers = {placed.label: number for number, placed in enumerate(document.cells())}
    return {
        key: [(numbers[entry.label], entry.payloads) for entry in document.index.get(key)]
        for key in document.index
    }
