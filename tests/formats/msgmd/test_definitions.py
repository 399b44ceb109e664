"""One definition line: its head, its type, its attributes, and what of it cannot be read."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.formats.msgmd.definitions import TYPED_LINE, parse_definition, quote_value
from msgls.syntax.cells import AttributeFault, Definition, DefinitionHead
from msgls.text.spans import Span
from tests.formats.msgmd.reading import only_cell, with_every_line_end
from tests.notation import mark, normal, table, unmark

# -- 1.4: the head -----------------------------------------------------------------------

HEADS: dict[str, tuple[DefinitionHead | None, str]] = {
    "typed": (DefinitionHead.TYPED, "[^«id|a»]: [«type|markdown»]"),
    "typed, with attributes": (DefinitionHead.TYPED, "[^«id|a»]: [«type|tool»] name=x"),
    "no blank before the type": (DefinitionHead.TYPED, "[^«id|a»]:[«type|code»]"),
    "tabs": (DefinitionHead.TYPED, "[^«id|a»]:\t[«type|code»]\tk=1"),
    "a dotted id": (DefinitionHead.TYPED, "[^«id|a.n.1»]: [«type|tool»]"),
    "an id with a blank": (DefinitionHead.TYPED, "[^«id|a b»]: [«type|code»]"),
    "an empty id": (DefinitionHead.TYPED, "[^«id|»]: [«type|code»]"),
    "an agent with a blank in its name": (DefinitionHead.TYPED, "[^«id|a»]: [«type|My agent»]"),
    "another script": (DefinitionHead.TYPED, "[^«id|消息»]: [«type|助手»]"),
    "one to three blanks before it": (DefinitionHead.TYPED, "   [^«id|a»]: [«type|code»]"),
    "four blanks before it": (None, "    [^a]: [code]"),
    "a tab before it": (None, "\t[^a]: [code]"),
    "quoted": (None, "> [^a]: [code]"),
    "in a list": (None, "- [^a]: [code]"),
    "text before it": (None, "see [^a]: [code]"),
    "escaped": (None, r"\[^a]: [code]"),
    "no colon": (None, "[^a] [code]"),
    "a blank before the colon": (None, "[^a] : [code]"),
    "no caret": (None, "[a]: [code]"),
    # Ordinary footnotes
    "prose": (DefinitionHead.PROSE, "[^«id|a»]: Some text."),
    "nothing after": (DefinitionHead.PROSE, "[^«id|a»]:"),
    "blanks after": (DefinitionHead.PROSE, "[^«id|a»]:  \t"),
    "a link": (DefinitionHead.PROSE, "[^«id|1»]: [Title](https://example.org)"),
    "a link by reference": (DefinitionHead.PROSE, "[^«id|1»]: [some title][ref] and more"),
    "a bracket further along": (DefinitionHead.PROSE, "[^«id|1»]: See [this]."),
    "an attribute without a type": (DefinitionHead.PROSE, "[^«id|a»]: history=none"),
    "something right after the type": (DefinitionHead.PROSE, "[^«id|a»]: [code]k=1"),
    "an empty type": (DefinitionHead.PROSE, "[^«id|a»]: [] k=1"),
    "a pair in brackets for a type": (DefinitionHead.PROSE, "[^«id|a»]: [reasoning=1]"),
    "a bracketed word and prose": (DefinitionHead.TYPED, "[^«id|1»]: [«type|Smith»] 2020, p. 3"),
    # Unclosed brackets
    "an unclosed id": (DefinitionHead.UNCLOSED_ID, "[^«id|a»: [code] k=1"),
    "an unclosed id and nothing else": (None, "[^a"),
    "an unclosed id and prose": (None, "[^a: some text"),
    "an unclosed id and a link": (None, "[^a: [b](c)"),
    "an unclosed type": (DefinitionHead.UNCLOSED_TYPE, "[^«id|a»]: [«type|code»"),
    "an unclosed type with attributes": (
        DefinitionHead.UNCLOSED_TYPE,
        '[^«id|a»]: [«type|tool» name="x" k=1',
    ),
    "a type that is closed too late": (
        DefinitionHead.UNCLOSED_TYPE,
        '[^«id|a»]: [«type|tool» name="x"]',
    ),
    # What formatters leave behind
    "damaged": (DefinitionHead.DAMAGED, r"\[^«id|a»\]: [code] k=1"),
    "damaged, with escapes in the id": (DefinitionHead.DAMAGED, r"\[^«id|a\_b\.1»\]: [tool]"),
    "damaged, type and all": (DefinitionHead.DAMAGED, r"\[^«id|a»\]: \[code\] k=1"),
    "damaged and indented": (DefinitionHead.DAMAGED, r"  \[^«id|a»\]: [code]"),
    "damaged, but no definition": (None, r"\[^a\] is a footnote"),
}


def _head_parts(definition: Definition) -> Iterator[tuple[str, Span]]:
    yield "id", definition.id.span
    if definition.type_span is not None:
        yield "type", definition.type_span


@with_every_line_end
@pytest.mark.parametrize("before", ["", "text\n", "# %% [^a]\n\n"], ids=repr)
@table("row", HEADS)
def test_heads(row: tuple[DefinitionHead | None, str], before: str, line_end: str) -> None:
    head, line = row
    source = f"{before}{line}\n\ntext".replace("\n", line_end)
    text = unmark(source).text
    for cell in only_cell(text):
        if head is None:
            assert cell.definitions == ()
            continue
        (definition,) = cell.definitions
        assert definition.head is head
        assert definition.is_typed == (head is DefinitionHead.TYPED)
        assert mark(text, _head_parts(definition)) == source
        assert definition.span.of(text) == unmark(line).text
        if definition.type_span is not None:
            assert definition.type == definition.type_span.of(text)
        else:
            assert definition.type is None


def test_the_id_of_a_damaged_definition_is_the_one_that_was_meant() -> None:
    definition = _read(r"\[^m\_1.n\-2\.1\]: [tool]")
    assert definition.id.text == "m_1.n-2.1"


DEFINITIONS_OF_A_CELL = {
    "at home and away": "# %% [^a]\n\n«[^a]: [code]»\n\ntext\n\n«[^b]: [code]»\n",
    "not in a fence": "# %% [^a]\n```\n[^a]: [code]\n```\n«[^b]: [code]»\n",
    "not in an unclosed fence": "# %% [^a]\n```\n[^a]: [code]\n",
    "not in a list item's fence": "# %% [^a]\n- ```\n  [^a]: [code]\n\n«[^b]: [code]»\n",
    "in the preamble": "«[^a]: [code]»\n",
    "not in the frontmatter": "---\n[^a]: [code]\n---\n«[^b]: [code]»\n",
    "there is no continuation": "# %% [^a]\n«[^a]: [code]»\n    k=1\n",
    "after a byte-order mark": "\ufeff«[^a]: [code]»\n",
    "after a byte-order mark further down": "text\n\ufeff[^a]: [code]\n",
}


@with_every_line_end
@table("source", DEFINITIONS_OF_A_CELL)
def test_definitions_of_a_cell(source: str, line_end: str) -> None:
    source = source.replace("\n", line_end)
    text = unmark(source).text
    for cell in only_cell(text):
        assert mark(text, [("", found.span) for found in cell.definitions]) == source


# -- 1.5: attributes ---------------------------------------------------------------------

# The line after `[type]`, and the values that are read in it, in order.
ATTRIBUTES: dict[str, tuple[str, list[tuple[str, str]]]] = {
    "none": ("", []),
    "blanks": (" \t ", []),
    "double quotes": (' «key|k»=«value|"v w"»', [("k", "v w")]),
    "single quotes": (" «key|k»=«value|'v w'»", [("k", "v w")]),
    "bare": (" «key|k»=«value|0.5s»", [("k", "0.5s")]),
    "several": (
        " «key|a»=«value|1» «key|b»=«value|\"2\"»\t «key|c»=«value|'3'»",
        [("a", "1"), ("b", "2"), ("c", "3")],
    ),
    "blanks after": (" «key|k»=«value|v»  ", [("k", "v")]),
    "keys with digits, dashes and underscores": (
        " «key|_a-1»=«value|1» «key|B_2»=«value|2»",
        [("_a-1", "1"), ("B_2", "2")],
    ),
    "an empty value": (' «key|k»=«value|""»', [("k", "")]),
    "an escaped quote": (r' «key|k»=«value|"a \"b\" c"»', [("k", 'a "b" c')]),
    "an escaped backslash": (
        r' «key|k»=«value|"a\\"» «key|l»=«value|1»',
        [("k", "a\\"), ("l", "1")],
    ),
    "an escaped backslash and a quote": (r' «key|k»=«value|"\\\""»', [("k", '\\"')]),
    "other backslashes stay": (r' «key|k»=«value|"C:\new\x"»', [("k", r"C:\new\x")]),
    "an escaped single quote": (r" «key|k»=«value|'it\'s'»", [("k", "it's")]),
    "the other quote": (""" «key|k»=«value|'"'» «key|l»=«value|"'"»""", [("k", '"'), ("l", "'")]),
    "another quote is not escaped": (r""" «key|k»=«value|'a\"b'»""", [("k", r"a\"b")]),
    "equal signs in a value": (
        ' «key|k»=«value|a=b=c» «key|l»=«value|"d=e"»',
        [("k", "a=b=c"), ("l", "d=e")],
    ),
    "brackets in a value": (
        ' «key|k»=«value|[a]» «key|l»=«value|"[b]"»',
        [("k", "[a]"), ("l", "[b]")],
    ),
    "a time": (
        " «key|time»=«value|2025-05-30T00:00:00+08:00»",
        [("time", "2025-05-30T00:00:00+08:00")],
    ),
    "another script": (" «key|k»=«value|中文😀»", [("k", "中文😀")]),
    "what is not a blank": (
        ' «key|k»=«value|a\u00a0b\u2028c\fd» «key|l»=«value|"\u0085"»',
        [("k", "a\u00a0b\u2028c\fd"), ("l", "\u0085")],
    ),
    # Faults
    "blanks around the equal sign": (' «key|k»«blanks-around-equals| = »«value|"v"»', [("k", "v")]),
    "a blank before it": (" «key|k»«blanks-around-equals| =»«value|v»", [("k", "v")]),
    "a blank after it": (" «key|k»«blanks-around-equals|=\t»«value|v»", [("k", "v")]),
    "a bracketed pair": (
        " «key|a»=«value|1» «bracketed-pair|[«key|reasoning»=«value|1»]»",
        [("a", "1"), ("reasoning", "1")],
    ),
    "a bracketed pair with quotes": (
        ' «bracketed-pair|[«key|k»=«value|"a ] b"»]» «key|l»=«value|1»',
        [("k", "a ] b"), ("l", "1")],
    ),
    "a bracketed pair with blanks": (" «bracketed-pair|[ «key|k» = «value|1» ]»", [("k", "1")]),
    "a bracketed pair without a value": (" «bracketed-pair|[«key|k»=«value|»]»", [("k", "")]),
    "two pairs in brackets": (" «unreadable|[a=1» «key|b»=«value|2]»", [("b", "2]")]),
    "a bracket that nothing closes": (" «unreadable|[k=1»", []),
    "a bracketed word": (" «unreadable|[word]»", []),
    "a duplicate key": (
        " «key|k»=«value|1» «key|l»=«value|2» «key|«duplicate-key|k»»=«value|3»",
        [("k", "1"), ("l", "2"), ("k", "3")],
    ),
    "a duplicate key in brackets": (
        " «key|k»=«value|1» «bracketed-pair|[«key|«duplicate-key|k»»=«value|2»]»",
        [("k", "1"), ("k", "2")],
    ),
    "three times the same": (
        " «key|k»=«value|1» «key|«duplicate-key|k»»=«value|2» «key|«duplicate-key|k»»=«value|3»",
        [("k", "1"), ("k", "2"), ("k", "3")],
    ),
    "a missing value at the end": (" «missing-value|«key|k»=»«value|»", [("k", "")]),
    "a missing value and blanks": (" «missing-value|«key|k»=»«value|»  ", [("k", "")]),
    "a missing value before the next pair": (
        " «missing-value|«key|a»=»«value|» «key|b»=«value|1»",
        [("a", ""), ("b", "1")],
    ),
    "a missing value after a blank": (" «missing-value|«key|k» =»«value|»", [("k", "")]),
    "a missing blank": (
        ' «key|a»=«value|"1"»«missing-blank|»«key|b»=«value|"2"»',
        [("a", "1"), ("b", "2")],
    ),
    "a missing blank after a bracket": (
        " «bracketed-pair|[«key|a»=«value|1»]»«missing-blank|»«key|b»=«value|2»",
        [("a", "1"), ("b", "2")],
    ),
    "a quote in a bare value": (' «key|k»=«value|a»«missing-blank|»«unreadable|"b"»', [("k", "a")]),
    "an unclosed quote": (
        ' «key|a»=«value|1» «key|k»=«unclosed-quote|«value|"v w=1»»',
        [("a", "1"), ("k", "v w=1")],
    ),
    "an unclosed single quote": (" «key|k»=«unclosed-quote|«value|'v»»", [("k", "v")]),
    "only a quote": (' «key|k»=«unclosed-quote|«value|"»»', [("k", "")]),
    "a quote that is escaped away": (r' «key|k»=«unclosed-quote|«value|"v\"»»', [("k", r"v\"")]),
    "a closing quote of the other kind": (
        """ «key|k»=«unclosed-quote|«value|"v'»»""",
        [("k", "v'")],
    ),
    "dots": (' «key|k»=«value|"v"» «unreadable|...»', [("k", "v")]),
    "words": (" «unreadable|2020,» «unreadable|p.» «unreadable|3»", []),
    "a word before a pair": (" «unreadable|word» «key|k»=«value|1»", [("k", "1")]),
    "a key that starts with a digit": (" «unreadable|1k=2»", []),
    "a key in another script": (" «key|ключ»=«value|1»", [("ключ", "1")]),
    "a key in Chinese": (" «key|来源»=«value|'网页'»", [("来源", "网页")]),
    "an equal sign alone": (" «unreadable|=1»", []),
    "a quoted word": (' «unreadable|"word"»', []),
    "a comma after a pair": (
        ' «key|a»=«value|"1"»«missing-blank|»«unreadable|,» «key|b»=«value|2,»',
        [("a", "1"), ("b", "2,")],
    ),
    "two faults of one pair": (
        " «key|a»=«value|1» «key|«duplicate-key|a»»«blanks-around-equals| = »«value|2»",
        [("a", "1"), ("a", "2")],
    ),
}


def _read(line: str) -> Definition:
    definition = parse_definition(line, 0, len(line))
    assert definition is not None
    return definition


def _attribute_parts(definition: Definition) -> Iterator[tuple[str, Span]]:
    # A missing value, and a fault of a whole pair, start with the key: the fault goes around.
    for problem in definition.problems:
        if problem.fault is not AttributeFault.DUPLICATE_KEY:
            yield problem.fault.value, problem.span
    for attribute in definition.attributes:
        yield "key", attribute.key_span
        yield "value", attribute.value_span
    for problem in definition.problems:
        if problem.fault is AttributeFault.DUPLICATE_KEY:
            yield problem.fault.value, problem.span


@pytest.mark.parametrize("head", ["[^a]: [code]", "  [^a.1]:\t[My agent]"])
@table("row", ATTRIBUTES)
def test_attributes(row: tuple[str, list[tuple[str, str]]], head: str) -> None:
    source, values = row
    source = head + source
    text = unmark(source).text
    definition = _read(text)
    assert mark(text, _attribute_parts(definition)) == normal(source)
    assert [(found.key, found.value) for found in definition.attributes] == values
    for found in definition.attributes:
        assert found.key_span.of(text) == found.key
        assert found.span == Span(found.key_span.start, found.value_span.end)
        assert found.quote == (found.value_span.of(text)[:1] if found.quote else "")
        assert found.quote or not found.value_span.of(text).startswith(('"', "'"))


@table("row", ATTRIBUTES)
def test_attributes_anywhere_in_a_text(row: tuple[str, list[tuple[str, str]]]) -> None:
    """Spans count from the start of the text, and nothing beyond the line is looked at."""
    before, line = "# %% [^a]\n\n", f"[^a]: [code]{row[0]}"
    for after in ("", "\n", "\r\nk=2", '\r"x"'):
        source = before + line + after
        text = unmark(source).text
        (definition,) = next(only_cell(text)).definitions
        assert mark(text, _attribute_parts(definition)) == normal(source)


PROBLEM_KEYS = {
    "blanks": ("a = 1", [(AttributeFault.BLANKS_AROUND_EQUALS, "a")]),
    "brackets": ("[a=1]", [(AttributeFault.BRACKETED_PAIR, "a")]),
    "duplicate": ("a=1 a=2", [(AttributeFault.DUPLICATE_KEY, "a")]),
    "missing value": ("a=", [(AttributeFault.MISSING_VALUE, "a")]),
    "unclosed quote": ('a="', [(AttributeFault.UNCLOSED_QUOTE, "a")]),
    "missing blank": ('a="1"b=2', [(AttributeFault.MISSING_BLANK, None)]),
    "unreadable": ("...", [(AttributeFault.UNREADABLE, None)]),
}


@table("row", PROBLEM_KEYS)
def test_a_problem_names_its_key(row: tuple[str, list[tuple[AttributeFault, str | None]]]) -> None:
    problems = _read(f"[^a]: [code] {row[0]}").problems
    assert [(problem.fault, problem.key) for problem in problems] == row[1]


def test_of_two_equal_keys_the_last_one_counts() -> None:
    definition = _read("[^a]: [code] k=1 l=2 k=3")
    assert definition.value("k") == "3"
    assert definition.value("l") == "2"
    assert definition.value("m") is None
    found = definition.get("k")
    assert found is not None
    assert found.value_span.start == 23
    assert definition.get("m") is None


LINE_PARTS = st.sampled_from(
    ["[^a]:", "[code]", "[", "]", "k", "=", " ", "\t", '"', "'", "\\", "v", "\u2028", "[^", ":"]
)


@given(st.lists(LINE_PARTS).map("".join))
def test_every_character_of_a_line_is_accounted_for(rest: str) -> None:
    """Blanks aside, all after the type is in a pair, or in a problem that names it."""
    line = "[^a]: [code] " + rest
    definition = _read(line)
    if not definition.is_typed:
        return
    assert definition.type_span is not None
    covered = set(range(definition.type_span.end + 1))
    for span in [found.span for found in definition.attributes]:
        covered.update(range(*span))
    for span in [problem.span for problem in definition.problems]:
        covered.update(range(*span))
    left = "".join(c for offset, c in enumerate(line) if offset not in covered)
    assert left.strip(" \t") == ""


@given(st.lists(LINE_PARTS).map("".join))
def test_the_cheap_reading_agrees(line: str) -> None:
    """The index reads a line by one expression; it must see what the definition says."""
    definition = parse_definition(line, 0, len(line))
    match = TYPED_LINE.match(line)
    assert (match is not None) == (definition is not None and definition.is_typed)
    if match is not None and definition is not None:
        assert match.group("id") == definition.id.text
        assert match.group("type") == definition.type


QUOTED_VALUES = {
    "a number": ("12", "12"),
    "a decimal number": ("0.5", "0.5"),
    "a duration": ("0.5s", "0.5s"),
    "a switch": ("true", "true"),
    "a history": ("exclude", "exclude"),
    "a word": ("success", '"success"'),
    "nothing": ("", '""'),
    "blanks": ("a b", '"a b"'),
    "a quote": ('say "a"', r'"say \"a\""'),
    "a backslash": ("a\\", r'"a\\"'),
}


@table("row", QUOTED_VALUES)
def test_values_as_they_are_written(row: tuple[str, str]) -> None:
    assert quote_value(row[0]) == row[1]


@given(st.text().filter(lambda value: "\n" not in value and "\r" not in value))
def test_a_value_that_is_written_is_read_again(value: str) -> None:
    definition = _read(f"[^a]: [code] k={quote_value(value)} l=1")
    assert definition.value("k") == value
    assert definition.value("l") == "1"
    assert definition.problems == ()
