"""What a cell shows of itself: header, near misses, headings, fences, references, lines."""

import gc
import weakref
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.document.document import Document
from msgls.formats.msgmd.cells import parse_cell
from msgls.formats.msgmd.lexer import NORMAL, lex
from msgls.formats.registry import detect
from msgls.rules.checker import Checker
from msgls.rules.registry import RULES
from msgls.syntax.cells import Cell, CellKind, Facts, Header
from msgls.syntax.ids import CellId
from msgls.text.spans import Span
from tests.formats.msgmd.reading import documents, only_cell, with_every_line_end
from tests.notation import each, mark, normal, table, unmark
from tests.snapshots import snapshot_of

# -- 1.3: the header ---------------------------------------------------------------------

HEADERS = {
    "nothing but the marker": "«header|«hashes|#» «percents|%%»«title|»»",
    "an output marker": "«header|«hashes|#» «percents|%%%»«title|»»",
    "five deep": "«header|«hashes|#####» «percents|%%»«title|»»",
    "title and id": (
        "«header|«hashes|##» «percents|%%» «title|Hello there» «brackets|[^«id|a1»]»»"
    ),
    "no blank before the id": (
        "«header|«hashes|#» «percents|%%%» «title|Call»«brackets|[^«id|a1.x9»]»»"
    ),
    "an id alone": "«header|«hashes|#» «percents|%%» «title|»«brackets|[^«id|a»]»»",
    "an id right after the marker": (
        "«header|«hashes|#» «percents|%%%»«title|»«brackets|[^«id|a»]»»"
    ),
    "a title alone": "«header|«hashes|#» «percents|%%» «title|Hello»»",
    "tabs are blanks": (
        "«header|«hashes|#»\t \t«percents|%%»\t«title|Hel\tlo»\t«brackets|[^«id|a»]»\t»"
    ),
    "blanks around everything": (
        "«header|«hashes|#»   «percents|%%»   «title|a  b»   «brackets|[^«id|a»]»   »"
    ),
    "blanks after the marker": "«header|«hashes|#» «percents|%%»  «title|»»",
    "the last brackets count": (
        "«header|«hashes|#» «percents|%%» «title|as in [^a]» «brackets|[^«id|b»]»»"
    ),
    "the last brackets, back to back": (
        "«header|«hashes|#» «percents|%%» «title|[^a]»«brackets|[^«id|b»]»»"
    ),
    "brackets in the title": (
        "«header|«hashes|#» «percents|%%» «title|[optional] [x]»«brackets|[^«id|a»]»»"
    ),
    "a link in the title": (
        "«header|«hashes|#» «percents|%%» «title|see [x](https://e.org/[b])» «brackets|[^«id|a»]»»"
    ),
    "code in the title": (
        "«header|«hashes|#» «percents|%%» «title|use `x[0]`» «brackets|[^«id|a»]»»"
    ),
    "text after the brackets": "«header|«hashes|#» «percents|%%» «title|a [^a] b»»",
    "brackets in a code span": "«header|«hashes|#» «percents|%%» «title|a `[^a]`»»",
    "brackets that open in a code span": "«header|«hashes|#» «percents|%%» «title|a `[^a` b]»»",
    "brackets after a code span with brackets": (
        "«header|«hashes|#» «percents|%%» «title|`[^a]`» «brackets|[^«id|b»]»»"
    ),
    "brackets after a backtick that nothing closes": (
        "«header|«hashes|#» «percents|%%» «title|`a» «brackets|[^«id|b»]»»"
    ),
    "escaped brackets": r"«header|«hashes|#» «percents|%%» «title|a \[^a]»»",
    "brackets that a formatter escaped": r"«header|«hashes|#» «percents|%%» «title|a\[^a\]»»",
    "brackets after an escaped backslash": (
        r"«header|«hashes|#» «percents|%%» «title|a \\»«brackets|[^«id|a»]»»"
    ),
    "an empty id": "«header|«hashes|#» «percents|%%» «title|a» «brackets|[^«id|»]»»",
    "an id with a blank": "«header|«hashes|#» «percents|%%» «title|a» «brackets|[^«id|a b»]»»",
    "an id with a bracket": "«header|«hashes|#» «percents|%%» «title|a» «brackets|[^«id|a[b»]»»",
    "an id with brackets": "«header|«hashes|#» «percents|%%» «title|a» «brackets|[^«id|a[b]»]»»",
    "an id with one closed": "«header|«hashes|#» «percents|%%» «title|a» «brackets|[^«id|a]b»]»»",
    "a footnote and a link": "«header|«hashes|#» «percents|%%» «title|see [^1] in [list]»»",
    "a footnote in brackets": "«header|«hashes|#» «percents|%%» «title|[see[^1]b]»»",
    "an id with empty segments": (
        "«header|«hashes|#» «percents|%%%» «title|»«brackets|[^«id|.a..b.»]»»"
    ),
    "an id in another script": (
        "«header|«hashes|#» «percents|%%» «title|标题»«brackets|[^«id|消息😀»]»»"
    ),
    "two closing brackets": "«header|«hashes|#» «percents|%%» «title|a [^a]]»»",
    "no caret": "«header|«hashes|#» «percents|%%» «title|a [b]»»",
    "half-written: an open bracket": "«header|«hashes|#» «percents|%%» «title|a [»»",
    "half-written: bracket and caret": "«header|«hashes|#» «percents|%%» «title|a [^»»",
    "half-written: no closing bracket": "«header|«hashes|#» «percents|%%» «title|a [^a1»»",
    "half-written: right after the marker": "«header|«hashes|#» «percents|%%»«title|[^a1»»",
    "per cent signs in the title": (
        "«header|«hashes|#» «percents|%%» «title|50%%% of it» «brackets|[^«id|a»]»»"
    ),
    "hashes in the title": "«header|«hashes|#» «percents|%%» «title|C# ##»»",
    "after a byte-order mark": (
        "\ufeff«header|«hashes|#» «percents|%%» «title|a» «brackets|[^«id|a»]»»"
    ),
}


def _header_parts(header: Header) -> Iterator[tuple[str, Span]]:
    yield "header", header.span
    yield "hashes", header.hashes
    yield "percents", header.percents
    yield "title", header.title
    if header.id is not None and header.id_brackets is not None:
        yield "brackets", header.id_brackets
        yield "id", header.id.span


@pytest.mark.parametrize("rest", ["", "\n", "\r\n", "\r", "\n\ntext [^z]\n"], ids=repr)
@table("source", HEADERS)
def test_headers(source: str, rest: str) -> None:
    marked = unmark(source)
    text = marked.text + rest
    for cell in only_cell(text):
        assert cell.header is not None
        assert mark(text, _header_parts(cell.header)) == normal(source + rest)
        hashes, percents = marked.span("hashes"), marked.span("percents")
        assert cell.header.depth == len(hashes.of(text))
        assert cell.header.marker == Span(hashes.start, percents.end)
        is_output = len(percents.of(text)) == 3
        assert cell.kind is (CellKind.OUTPUT if is_output else CellKind.MESSAGE)
        assert cell.title == marked.span("title").of(text)
        ids = [span.of(text) for span in marked.spans("id")]
        assert cell.id == (ids[0] if ids else None)
        assert cell.header.id is None or cell.header.id.text == cell.id


def test_the_segments_of_an_id() -> None:
    (placed,) = next(documents("# %%% x [^a1.n-0.12]")).cells()
    assert placed.cell.header is not None
    found = placed.cell.header.id
    assert found is not None
    assert CellId(found.text).segments == ["a1", "n-0", "12"]


def test_empty_segments_stay() -> None:
    (placed,) = next(documents("# %%% x [^.a..b]")).cells()
    assert placed.cell.header is not None
    found = placed.cell.header.id
    assert found is not None
    assert CellId(found.text).segments == ["", "a", "", "b"]


def test_a_preamble_has_no_header() -> None:
    for cell in only_cell("# Title\n[^a]: [markdown]\n"):
        assert cell.header is None
        assert cell.title == ""
        assert cell.id is None
        assert cell.home is None


# -- 1.3: near misses --------------------------------------------------------------------

# The line as it stands, and mended.
NEAR_MISSES = {
    "no blank": ("#%%", "# %%"),
    "no blank, with a title": ("##%% a [^a]", "## %% a [^a]"),
    "no blank, an output": ("#%%% a", "# %%% a"),
    "no blank, an id after": ("#%%[^a]", "# %%[^a]"),
    "six hashes": ("###### %% a", "##### %% a"),
    "nine hashes": ("######### %%% a", "##### %%% a"),
    "four per cent signs": ("# %%%% a", "# %%% a"),
    "five per cent signs": ("# %%%%% a [^a]", "# %%% a [^a]"),
    "one blank before it": (" # %% a", "# %% a"),
    "two blanks before it": ("  ## %%% a", "## %%% a"),
    "three blanks before it": ("   # %%", "# %%"),
    "the title right after": ("# %%title", "# %% title"),
    "the title right after, an output": ("# %%%title [^a]", "# %%% title [^a]"),
    "another bracket right after": ("# %%[a]", "# %% [a]"),
    "a tab between": ("#\t%%a", "# %% a"),
    "all at once": ("  ######%%title [^a]", "##### %% title [^a]"),
    "trailing blanks stay": ("#%% a  ", "# %% a  "),
    "half-written": ("#%% a [^a", "# %% a [^a"),
    "a character that is not a blank after": ("# %%\u2028a", "# %% \u2028a"),
}


@with_every_line_end
@each("before", ["", "# %%\n", "# %%\n```\n```\n"])
@table("row", NEAR_MISSES)
def test_near_misses(row: tuple[str, str], before: str, line_end: str) -> None:
    line, mended = row
    before = before.replace("\n", line_end)
    text = f"{before}{line}{line_end}text"
    for cell in only_cell(text):
        (found,) = cell.near_misses
        assert mark(text, [("", found.span)]) == f"{before}«{line}»{line_end}text"
        assert found.mended == mended
        assert cell.headings == ()
    for cell in only_cell(mended):
        assert cell.header is not None


def test_a_marker_after_a_stray_byte_order_mark_is_a_near_miss() -> None:
    text = "# %%\n\ufeff# %% a\n"
    for cell in only_cell(text):
        (found,) = cell.near_misses
        assert mark(text, [("", found.span)]) == "# %%\n«\ufeff# %% a»\n"
        assert found.mended == "# %% a"


NO_NEAR_MISSES = {
    "decoration": "# %%%%%%%%%%",
    "decoration with a title": "# %%%%%%%%%% Part %%%%%%%%%%",
    "four per cent signs and text right after": "# %%%%a",
    "four blanks before it": "    # %% a",
    "a tab before it": "\t# %% a",
    "escaped": "\\# %% a",
    "escaped, no blank": "\\#%% a",
    "quoted": "> # %% a",
    "in a list": "- # %% a",
    "one per cent sign": "# % a",
    "further along": "# a %% b",
    "without a hash": "%% a",
    "text before it": "a #%%",
    "a heading": "## 100%%",
    "in a fence": "```\n#%% a\n```",
    "in an unclosed fence": "```\n#%% a",
    "in the frontmatter": "---\n#%% a\n---",
}


@table("text", NO_NEAR_MISSES)
def test_no_near_misses(text: str) -> None:
    for cell in only_cell(text):
        assert cell.near_misses == ()


@table("row", NEAR_MISSES)
def test_the_mended_line_is_not_a_near_miss(row: tuple[str, str]) -> None:
    for cell in only_cell(row[1]):
        assert cell.near_misses == ()


# -- 1.3: headings -----------------------------------------------------------------------

HEADINGS = {
    "levels one to six": (
        "«1|# «text|a»»\n«2|## «text|b»»\n«3|### «text|c»»\n"
        "«4|#### «text|d»»\n«5|##### «text|e»»\n«6|###### «text|f»»\n"
    ),
    "seven hashes": "####### a\n",
    "no blank": "#a\n",
    "a hashtag": "#1 fan\n",
    "a tab": "«2|##\t«text|a»»\n",
    "nothing after": "«2|##«text|»»\n",
    "blanks after": "«2|##  «text|»»\n",
    "blanks around the text": "«2|##   «text|a b»   »\n",
    "closing hashes": "«2|## «text|a» ##»\n",
    "other closing hashes, and blanks": "«2|## «text|a»  ##### »\n",
    "closing hashes need a blank": "«2|## «text|a##»»\n",
    "closing hashes with text after": "«2|## «text|a ## b»»\n",
    "closing hashes, one escaped": "«2|## «text|a \\#»»\n",
    "only closing hashes": "«3|### «text|»###»\n",
    "up to three blanks before it": "«2|   ## «text|a»»\n",
    "four blanks before it": "    ## a\n",
    "in a fence": "```\n## a\n```\n«2|## «text|b»»\n",
    "in a list item's fence": "- ```\n  ## a\n\n«2|## «text|b»»\n",
    "in a quote": "> ## a\n",
    "escaped": "\\## a\n",
    "decoration with per cent signs": "«1|# «text|%%%%%%%%%%»»\n",
    "per cent signs further along": "«2|## «text|100 %%»»\n",
    "markup stays as it is": "«2|## «text|**a** `b` [c](d)»»\n",
    # Setext
    "underlined once": "«1|«text|Title»\n===»\n",
    "underlined with dashes": "«2|«text|Title»\n---»\n",
    "underlined with one character": "«1|«text|Title»\n=»\n\n«2|«text|Title»\n-»\n",
    "underlined with exactly seven": "«1|«text|Title»\n=======»\n",
    "blanks around the underline": "«1|«text|Title»\n   === »\n",
    "four blanks before the underline": "Title\n    ===\n",
    "text after the underline": "Title\n=== a\n",
    "blanks around the title": "«1|  «text|Title»  \n===»\n",
    "a title of two lines": "«2|«text|a\n  b»\n---»\n",
    "a title of many lines": "«2|«text|a\nb\nc\nd\ne\nf\ng\nh\ni\nj»\n---»\n",
    "a title with an indented line": "«2|«text|a\n    b»\n---»\n",
    "indented code above": "    a\n---\n",
    "indented code above the title": "    a\n«2|«text|b»\n---»\n",
    "nothing above": "\n---\n\n===\n",
    "a blank line between": "Title\n\n---\n",
    "a heading above": "«1|# «text|a»»\n---\n",
    "an underlined heading above": "«1|«text|Title»\n===»\n---\n",
    "a thematic break above": "---\n---\n",
    "other thematic breaks above": "***\n---\n_ _ _\n---\n- - -\n---\n",
    "a title right below a break": "---\n«2|«text|a»\n---»\n",
    "a fence above": "```\na\n```\n---\n",
    "a title right below a fence": "```\na\n```\n«2|«text|b»\n---»\n",
    "a list item above": "- a\n---\n",
    "a numbered item above": "1. a\n---\n",
    "a line that a list item swallows": "- a\nb\n---\n",
    "a quote above": "> a\n===\n",
    "a line that a quote swallows": "> a\nb\n===\n",
    "a paragraph after a list": "- a\n\n«2|«text|b»\n---»\n",
    "a table above": "| a |\n---\n",
    "a comment above": "<!-- a -->\n---\n",
    "in a comment": "<!--\n## a\n\nb\n---\n-->\n«2|## «text|c»»\n<!-- d -->\n«2|## «text|e»»\n",
    "a comment that nothing closes": "<!--\n«2|## «text|a»»\n",
    "a comment in a fence": "```\n<!--\n```\n«2|## «text|a»»\n-->\n",
    "a comment after words": "a <!--\n«2|## «text|a»»\n-->\n",
    "a definition above": "[^x]: [markdown]\n---\n",
    "a title right below a definition": "[^x]: [markdown]\n«2|«text|b»\n---»\n",
    "an underline in a fence": "```\na\n---\n```\n",
    "a conflict's middle": "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n",
    "a conflict with its base": "<<<<<<< a\nx\n||||||| b\ny\n=======\nz\n>>>>>>> c\n",
    "a title in a conflict": ("<<<<<<< a\n«1|# «text|x»»\n=======\n«2|«text|y»\n---»\n>>>>>>> c\n"),
    "underlined after a conflict": ("<<<<<<< a\n=======\n>>>>>>> c\n\n«1|«text|Title»\n=======»\n"),
}


def _named(source: str) -> str:
    """Levels as names: a name starts with a letter."""
    for level in "123456":
        source = source.replace(f"«{level}|", f"«h{level}|")
    return source


@with_every_line_end
@pytest.mark.parametrize("before", ["Text.\n\n", "# %% a [^a]\n", "---\na: 1\n---\n"], ids=repr)
@table("source", HEADINGS)
def test_headings(source: str, before: str, line_end: str) -> None:
    source = _named((before + source).replace("\n", line_end))
    text = unmark(source).text
    for cell in only_cell(text):
        parts = []
        for heading in cell.headings:
            parts += [(f"h{heading.level}", heading.span), ("text", heading.text_span)]
            assert heading.setext == (heading.span.of(text).lstrip(" ")[0] != "#")
            words = [line.strip() for line in heading.text_span.of(text).split(line_end)]
            assert heading.text == " ".join(words)
        assert mark(text, parts) == normal(source)


def test_a_heading_after_a_byte_order_mark() -> None:
    text = "\ufeff# Title\n"
    for cell in only_cell(text):
        (heading,) = cell.headings
        assert mark(text, [("", heading.span)]) == "\ufeff«# Title»\n"
        assert cell.body == Span(1, len(text))


AGENT_CELL = '# %% [^a]\n\n[^a]: [markdown] definition="agent" name="x"\n'

AGENT_BLOCKS = {
    "right below the definition": AGENT_CELL + "---\n«models: [m]\n»---\n\nText.\n",
    "below blank lines": AGENT_CELL + "\n \n---\n«models: [m]\n»---\n",
    "empty": AGENT_CELL + "---\n«»---\n",
    "with a comment": AGENT_CELL + "---\n«# Note\nmodels: [m]\n»---\n",
    "blanks after the dashes": AGENT_CELL + "---\t\n«models: [m]\n»--- \n",
    "up to the second line of dashes": AGENT_CELL + "---\n«a: 1\n»---\n\n---\n",
}


@with_every_line_end
@table("source", AGENT_BLOCKS)
def test_the_block_of_a_temporary_agent(source: str, line_end: str) -> None:
    source = source.replace("\n", line_end)
    text = unmark(source).text
    for cell in only_cell(text):
        assert cell.agent_block is not None
        assert mark(text, [("", cell.agent_block)]) == normal(source)
        assert cell.headings == ()


def test_headings_below_the_block_of_a_temporary_agent() -> None:
    text = AGENT_CELL + "---\nmodels: [m]\n---\nTitle\n---\n"
    for cell in only_cell(text):
        assert [heading.text for heading in cell.headings] == ["Title"]


NO_AGENT_BLOCKS = {
    "not closed": AGENT_CELL + "---\nmodels: [m]\n",
    "text before it": AGENT_CELL + "Text.\n\n---\nmodels: [m]\n---\n",
    "more dashes": AGENT_CELL + "-----\nmodels: [m]\n----\n",
    "indented": AGENT_CELL + " ---\nmodels: [m]\n ---\n",
    "no agent": "# %% [^a]\n\n[^a]: [markdown]\n---\nmodels: [m]\n---\n",
    "no definition": "# %% [^a]\n---\nmodels: [m]\n---\n",
    "another cell's definition": AGENT_CELL.replace("%% [^a]", "%% [^b]") + "---\na: 1\n---\n",
    "an output": AGENT_CELL.replace("%%", "%%%") + "---\na: 1\n---\n",
    "in a fence": AGENT_CELL + "```\n---\na: 1\n---\n```\n",
}


@table("text", NO_AGENT_BLOCKS)
def test_what_is_not_a_block_of_a_temporary_agent(text: str) -> None:
    for cell in only_cell(text):
        assert cell.agent_block is None


# -- 1.2: fenced blocks ------------------------------------------------------------------

BLOCKS = {
    "closed": "«block|«fence|```»«info|py»\n«content|x\n»«close|```»»\ntext",
    "empty": "«block|«fence|```»«info|»\n«content|»«close|```»»",
    "an info string with blanks": (
        "«block|«fence|~~~~» «info|py a=1» \n«content|x\n»«close|~~~~~ »»\n"
    ),
    "indented": "«block|  «fence|```»«info|»\n«content|  x\n»«close|   ```»»\n",
    "unclosed": "«block|«fence|```»«info|py»\n«content|x\n\ny»»",
    "unclosed, with nothing in it": "«block|«fence|```»«info|py»«content|»»",
    "two": (
        "«block|«fence|```»«info|a»\n«content|x\n»«close|```»»\n\n"
        "«block|«fence|~~~»«info|b»\n«content|y\n»«close|~~~»»\n"
    ),
    "around a marker": "«block|«fence|```»«info|»\n«content|# %% a\n\n# %%% b\n»«close|```»»\n",
    "in a list item": "«block|- «fence|```»«info|py»\n«content|  x\n»«close|  ```»»\n  y\n",
    "in a list item that ends": "«block|- «fence|```»«info|py»\n«content|  x\n\n»»text\n",
    "in a list item at the end": "«block|- «fence|```»«info|py»\n«content|  x\n»»",
    "in a nested item": "«block|  - «fence|```»«info|»\n«content|    x\n»«close|    ```»»\n",
    "in a list item, two": (
        "«block|- «fence|```»«info|»\n«content|  x\n»»"
        "«block|- «fence|```»«info|»\n«content|  y\n»»z\n"
    ),
}


@with_every_line_end
@pytest.mark.parametrize("before", ["text\n", "# %% a [^a]\n"], ids=["preamble", "cell"])
@table("source", BLOCKS)
def test_fenced_blocks(source: str, before: str, line_end: str) -> None:
    source = (before + source).replace("\n", line_end)
    text = unmark(source).text
    for cell in only_cell(text):
        parts = []
        for fence in cell.fences:
            parts += [("block", fence.span), ("fence", fence.fence)]
            parts += [("info", fence.info), ("content", fence.content)]
            if fence.close is not None:
                parts.append(("close", fence.close))
            assert fence.in_list == fence.span.of(text).lstrip(" ").startswith("-")
        assert mark(text, parts) == normal(source)


# -- 1.7: what the cell shows of its contents ----------------------------------------------


def test_the_first_block_is_the_body_of_a_code_cell() -> None:
    text = "# %% [^a]\n\n[^a]: [code]\n\nWhy.\n\n```python x\n1\n```\n\n~~~sh\n2\n~~~\n"
    for cell in only_cell(text):
        assert cell.code_block is not None
        assert cell.code_block.info.of(text) == "python x"
        assert cell.code_block.content.of(text) == "1\n"


def test_a_code_cell_without_a_block() -> None:
    for cell in only_cell("# %% [^a]\n\n[^a]: [code]\n\nx = 1\n"):
        assert cell.code_block is None


OUTPUT_LINES = {
    "both streams": "«stdout|stdout>« a»»\n«stderr|stderr>« b»»\n",
    "no blank after": "«stdout|stdout>«a»»\n",
    "nothing after": "«stdout|stdout>«»»\n",
    "blank lines": "\n \t\n«stdout|stdout>« a»»\n\n",
    "no prefix": "«none|«a»»\n«stdout|stdout>« b»»\n",
    "another prefix": "«none|«stdin> a»»\n",
    "a prefix further along": "«none|« stdout> a»»\n",
    "in capitals": "«none|«STDOUT> a»»\n",
    "at the end of the file": "«stdout|stdout>« a»»",
    "a typed definition away from home": "[^x]: [markdown]\n«stdout|stdout>« a»»\n",
    "a footnote": "«none|«[^x]: text»»\n",
    "a comment that silences a rule": "<!-- msgls: ignore MSG405 -->\n«stdout|stdout>« a»»\n",
    "another comment": "«none|«<!-- a -->»»\n",
    "what is not a line end": "«stdout|stdout>« a\u2028b\f\u0085»»\n",
}


@with_every_line_end
@pytest.mark.parametrize(
    "before",
    [
        "# %%% [^a.1]\n\n[^a.1]: [python] status=success\n\n",
        "# %%% [^a.1]\n\\[^a.1\\]: [python] status=success\n",
        "# %%% [^a.1]\n[^a.1]: [python status=success\n",
        "# %%% [^a.1]\n",
    ],
    ids=["at home", "damaged", "unclosed", "nowhere"],
)
@table("source", OUTPUT_LINES)
def test_output_lines(source: str, before: str, line_end: str) -> None:
    source = (before + source).replace("\n", line_end)
    text = unmark(source).text
    for cell in only_cell(text):
        parts = []
        for line in cell.output_lines:
            parts += [(line.stream or "none", line.span), ("", line.content)]
        assert mark(text, parts) == normal(source)


# -- References, conflicts, suppressions ---------------------------------------------------

REFERENCES = {
    "in prose": "See [^«a»] and [^«b.c»].\n",
    "twice": "[^«a»][^«a»]\n",
    "in a heading": "## About [^«a»]\n",
    "in a list": "- one [^«a»]\n  two [^«b»]\n",
    "in a quote": "> [^«a»]\n",
    "in a code span": "`[^a]` ``b ` [^c]`` [^«d»]\n",
    "in an unclosed code span": "`[^«a»] b\n",
    "between code spans": "`a`[^«b»]`c`[^«d»]\n",
    "after an escaped backtick": "\\`[^«a»]\\`\n",
    "in indented code": "    [^a]\n\t[^b]\n[^«c»]\n",
    "in a fence": "```\n[^a]\n```\n[^«b»]\n",
    "in an unclosed fence": "```\n[^a]\n",
    "in a list item's fence": "- ```\n  [^a]\n\n[^«b»]\n",
    "escaped": "\\[^a] [^«b»]\n",
    "after an escaped backslash": "\\\\[^«a»]\n",
    "with a blank": "[^a b] [^]\n",
    "a definition": '[^a]: [markdown] summary="[^b]"\n',
    "a footnote": "[^a]: See [^«b»].\n",
    "an escaped definition": "\\[^a]: See [^«b»].\n",
    "a damaged definition": "\\[^a\\]: See [^b].\n",
    "in another script": "[^«消息»]\n",
}


@with_every_line_end
@pytest.mark.parametrize(
    "before", ["Text.\n", "# %% a\n", "# %% see [^«t»] [^id]\n"], ids=["preamble", "cell", "title"]
)
@table("source", REFERENCES)
def test_references(source: str, before: str, line_end: str) -> None:
    source = (before + source).replace("\n", line_end)
    text = unmark(source).text
    for cell in only_cell(text):
        assert mark(text, [("", reference.span) for reference in cell.references]) == source
        assert all(found.text == found.span.of(text) for found in cell.references)


def test_conflict_lines() -> None:
    source = "# %%\n«<<<<<<< HEAD»\na\n«||||||| base»\n«=======»\nb\n«>>>>>>> topic»\n"
    text = unmark(source).text
    for cell in only_cell(text):
        assert mark(text, [("", line.span) for line in cell.conflicts]) == source
        assert [line.mark for line in cell.conflicts] == list("<|=>")


NO_CONFLICTS = {
    "six": "<<<<<< a\n",
    "eight": "<<<<<<<< a\n>>>>>>>>\n========\n||||||||\n",
    "no blank": "<<<<<<<a\n",
    "indented": " <<<<<<< a\n",
    "in a fence": "```\n<<<<<<< a\n```\n",
}


@table("text", NO_CONFLICTS)
def test_what_is_not_a_conflict(text: str) -> None:
    for cell in only_cell(f"# %%\n{text}"):
        assert cell.conflicts == ()


SUPPRESSIONS: dict[str, tuple[str, tuple[str, ...] | None]] = {
    "one": ("<!-- msgls: ignore MSG302 -->", ("MSG302",)),
    "several": ("<!-- msgls: ignore MSG302 MSG101 -->", ("MSG302", "MSG101")),
    "with commas": ("<!-- msgls: ignore MSG302, MSG101,MSG103 -->", ("MSG302", "MSG101", "MSG103")),
    "blanks around": ("  <!--\tmsgls:ignore  MSG302  -->  ", ("MSG302",)),
    "by name": ("<!-- msgls: ignore nonce-mismatch, msg101-->", ("nonce-mismatch", "msg101")),
    "tight": ("<!--msgls:ignore MSG302-->", ("MSG302",)),
    "nothing named": ("<!-- msgls: ignore -->", None),
    "another word": ("<!-- msgls: fix MSG302 -->", None),
    "unclosed": ("<!-- msgls: ignore MSG302", None),
    "text after": ("<!-- msgls: ignore MSG302 --> text", None),
    "text before": ("text <!-- msgls: ignore MSG302 -->", None),
    "in a fence": ("```\n<!-- msgls: ignore MSG302 -->\n```", None),
}


@each("before", ["", "# %%\n"])
@table("row", SUPPRESSIONS)
def test_suppressions(row: tuple[str, tuple[str, ...] | None], before: str) -> None:
    line, codes = row
    text = f"{before}{line}\n"
    for cell in only_cell(text):
        expected = [] if codes is None else [(codes, Span(len(before), len(text) - 1))]
        assert list(cell.suppressions) == expected


# -- 1.4: home ---------------------------------------------------------------------------

HOMES = {
    "right below": "# %% [^a]\n«[^a]: [markdown]»\ntext\n",
    "below blank lines": "# %% [^a]\n\n \t\n«[^a]: [markdown]»\n",
    "at the end of the file": "# %% [^a]\n«[^a]: [markdown]»",
    "indented": "# %% [^a]\n«   [^a]: [markdown]»\n",
    "of another id": "# %% [^a]\n«[^b]: [markdown]»\n",
    "the first of two": "# %% [^a]\n«[^b]: [markdown]»\n[^a]: [markdown]\n",
    "damaged": "# %% [^a]\n«\\[^a\\]: [markdown]»\n",
    "unclosed": "# %% [^a]\n«[^a: [markdown]»\n",
    "a footnote": "# %% [^a]\n«[^a]: text»\n",
    "text before it": "# %% [^a]\ntext\n[^a]: [markdown]\n",
    "a fence before it": "# %% [^a]\n```\n```\n[^a]: [markdown]\n",
    "in a fence": "# %% [^a]\n```\n[^a]: [markdown]\n```\n",
    "escaped": "# %% [^a]\n\\[^a]: [markdown]\n",
    "indented code": "# %% [^a]\n    [^a]: [markdown]\n",
    "none": "# %% [^a]\ntext\n",
    "no text": "# %% [^a]",
}


@with_every_line_end
@table("source", HOMES)
def test_home(source: str, line_end: str) -> None:
    source = source.replace("\n", line_end)
    text = unmark(source).text
    for cell in only_cell(text):
        assert mark(text, [("", cell.home.span)] if cell.home else []) == source


# -- However the text is cut ----------------------------------------------------------------

LINES = (
    "",
    " ",
    "text",
    "text [^a] `b",
    "    indented",
    "# %% title [^a]",
    "# %%% [^a.b]",
    "#%% near",
    "\ufeff# %%",
    "\ufeff```",
    "## Heading",
    "===",
    "---",
    "=======",
    "<<<<<<< a",
    ">>>>>>> b",
    "```",
    "```py",
    "~~~~",
    "    ```",
    "- ```",
    "  1. ```x",
    "  text",
    "- item",
    "> quote",
    "[^a]: [markdown] definition=agent name=x",
    "[^b]: [Smith] p. 3",
    "\\[^a\\]: [markdown]",
    "\\# %% escaped",
    "<!-- msgls: ignore MSG101 -->",
    "stdout> a\u2028b",
)


def _everything(cell: Cell) -> tuple[object, ...]:
    return (
        cell.kind,
        cell.id,
        cell.text,
        cell.length,
        cell.header,
        cell.body,
        cell.frontmatter,
        cell.frontmatter_closed,
        cell.definitions,
        cell.fences,
        cell.headings,
        cell.agent_block,
        cell.references,
        cell.near_misses,
        cell.conflicts,
        cell.suppressions,
        cell.hidden_markers,
        cell.home,
        cell.output_lines,
        cell.facts,
    )


@given(
    st.sampled_from(["", "\ufeff", "---\na: 1\n---\n", "---\nmessage_section: true\n---\n"]),
    st.lists(st.tuples(st.sampled_from(LINES), st.sampled_from(["\n", "\n", "\r\n", "\r"]))),
    st.sampled_from(["a.msg.md", "a.md"]),
)
def test_cells_do_not_depend_on_where_the_text_is_cut(
    head: str, lines: list[tuple[str, str]], path: str
) -> None:
    text = head + "".join(line + end for line, end in lines)
    whole, cut = documents(text, path)
    found = list(whole.cells())
    assert "".join(placed.cell.text for placed in found) == text
    assert [_everything(placed.cell) for placed in found] == [
        _everything(placed.cell) for placed in cut.cells()
    ]


@given(st.text(st.sampled_from("#% `~-=[]^:\\ab.\"'<>!|\t\r\n\ufeff\u2028")))
def test_no_text_makes_a_cell_raise(text: str) -> None:
    whole, cut = documents(text)
    assert [_everything(placed.cell) for placed in whole.cells()] == [
        _everything(placed.cell) for placed in cut.cells()
    ]


def test_the_facts_of_a_cell_by_itself_are_gathered_once() -> None:
    lexed = lex("# %% [^a]\n")
    cell = parse_cell([(lexed, NORMAL)], with_headings=False)
    again = parse_cell([(lexed, NORMAL)], with_headings=False)
    assert again.facts is cell.facts
    assert _everything(again) == _everything(cell)


def test_a_document_is_freed_when_nobody_refers_to_it() -> None:
    """Without the collector: what is very large is put where that does not look."""
    document = Document.open("a.msg.md", "# %% [^a]\n\n[^a]: [markdown]\n\n# %%% [^b]\n" * 3)
    cells = [weakref.ref(placed.cell) for placed in document.cells()]
    for placed in document.cells():
        _everything(placed.cell)
    Checker(snapshot_of(document), RULES).problems()
    gc.disable()
    try:
        del document, placed
        assert [cell() for cell in cells] == [None] * len(cells)
    finally:
        gc.enable()


# -- What the index is told ------------------------------------------------------------------

FACTS: dict[str, tuple[str, dict[tuple[str, str], tuple[object, ...]]]] = {
    "a message": ("# %% [^a]\n", {("header", "a"): ("message",)}),
    "an output": ("# %%% [^a]\n", {("header", "a"): ("output",)}),
    "no id": ("# %% text\n", {}),
    "a call": (
        "# %%% [^a.n]\n",
        {("header", "a.n"): ("output",), ("child", "a"): ("n",), ("nonce", "n"): ("a.n",)},
    ),
    "a result": (
        "# %%% [^a.n.2]\n",
        {
            ("header", "a.n.2"): ("output",),
            ("child", "a.n"): ("2",),
            ("below", "a"): ("a.n.2",),
            ("nonce", "n"): ("a.n.2",),
        },
    ),
    "a dotted message": (
        "# %% [^a.n]\n",
        {("header", "a.n"): ("message",), ("child", "a"): ("n",)},
    ),
    "definitions": (
        "text\n[^a]: [x] k=1\n[^a]: [y]\n[^b]: text\n[^c]: [d](e)\n[^f: [g]\n\\[^h\\]: [i]\n",
        {
            ("definition", "a"): (("x", " k=1"), ("y", "")),
            ("footnote", "b"): (None,),
            ("footnote", "c"): (None,),
        },
    ),
    "references": (
        "[^a] [^b] [^a]\n[^a]\n",
        {("reference", "a"): (False, False, False), ("reference", "b"): (False,)},
    ),
    "conflicts": (
        "<<<<<<< a\n=======\n>>>>>>> b\n",
        {("conflict", "<"): (None,), ("conflict", "="): (None,), ("conflict", ">"): (None,)},
    ),
    "agents": (
        "---\nagents:\n  a: {models: [m]}\n  b:\n---\n",
        {("agent", "a"): (None,), ("model", "m"): ("a",), ("agent", "b"): (None,)},
    ),
    "agents of an unclosed frontmatter": (
        "---\nagents:\n  a: {models: [m]}\n",
        {("agent", "a"): (None,), ("model", "m"): ("a",)},
    ),
    "a temporary agent and its models": (
        "# %% [^a]\n[^a]: [raw] definition=agent name='x y'\n---\nmodels: [m, n]\n---\n",
        {
            ("header", "a"): ("message",),
            ("definition", "a"): (("raw", " definition=agent name='x y'"),),
            ("agent", "x y"): ("a",),
            ("model", "m"): ("x y",),
            ("model", "n"): ("x y",),
        },
    ),
    "a temporary agent without a name": (
        "# %% [^a]\n[^a]: [raw] definition=agent\n",
        {("header", "a"): ("message",), ("definition", "a"): (("raw", " definition=agent"),)},
    ),
    "no heading": ("## Plan\n", {}),
}


RELATIONS = {
    *("header", "child", "below", "nonce"),
    *("definition", "footnote", "reference", "conflict"),
}
RELATIONS |= {"agent", "model", "heading"}


def _known(facts: Facts) -> Facts:
    return {key: payloads for key, payloads in facts.items() if key[0] in RELATIONS}


@table("row", FACTS)
def test_facts(row: tuple[str, dict[tuple[str, str], tuple[object, ...]]]) -> None:
    text, facts = row
    for cell in only_cell(text):
        assert _known(cell.facts) == facts


def test_headings_are_facts_in_a_file_with_a_section() -> None:
    text = "---\nmessage_section: true\n---\n# A b\n\n## a  B \n\na b\n---\n```\n# a b\n```\n"
    assert detect("a.md", text).language_id == "msgmd"
    for cell in only_cell(text, "a.md"):
        assert _known(cell.facts) == {("heading", "ab"): (1, 2, 2)}
