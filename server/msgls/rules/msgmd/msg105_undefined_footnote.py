r"""The text refers to a footnote that does not exist.

## What it does
Looks for `[^x]` in the prose of messages and answers, if no footnote, definition or
cell is called `x`. Code, raw messages, tool calls, their results and the output of
programs are not prose, and neither is text before the first cell. Math, HTML, links and
what looks like a regular expression (`[^a-z]`) are not reported either: where it may be
something other than a footnote, the rule reports nothing.

## Why it matters
Markdown viewers show such a reference as plain text. Either the footnote was forgotten,
or the id of a cell was changed and this reference was not.

## Example
```markdown
# %% [^q1]

[^q1]: [markdown]

The effect is well known[^1].
```
Use instead:
```markdown
# %% [^q1]

[^q1]: [markdown]

The effect is well known[^1].

[^1]: Rayleigh, 1871.
```
Where the brackets mean something else, put them between back-quotes, or a backslash
before them: `\[^x]`.

## Fix safety
There is no fix: only the author knows what the footnote should say.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from msgls.formats.base import CellRole
from msgls.formats.msgmd.lexer import MARKS
from msgls.formats.prose import code_spans
from msgls.rules.base import CellRule, Problem, Severity, Subject
from msgls.rules.topics import Topic
from msgls.syntax.cells import Cell, Id
from msgls.text.lines import line_bounds
from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Span
from msgls.text.work import MANY, Work, chosen, gathered

_QUOTE = re.compile(r"[ \t>*+-]*(?:[0-9]{1,9}[.)][ \t]+)?")
# A header that is quoted: its id names nothing here.
_ESCAPED_HEADER = re.compile(r"\\+" + MARKS)
_DEFINED_BY = ("header", "definition", "footnote", "malformed")

# Ranges such as `a-zA-Z_` make a class of characters.
_FOOTNOTE_ID = lazy_pattern(r"(?!(?:\w-\w)+\w?\Z)[\w.-]+")
# After the bracket: a link, or how often a character of the class is wanted.
_NO_FOOTNOTE_BEHIND = ("](", "]+", "]*", "]{")
_PARAGRAPH_END = lazy_pattern(r"(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)")
_LONGEST_ADDRESS = 500
# What opens math or HTML. Of HTML only elements whose text is not prose; else the tag alone.
_OPENER = lazy_pattern(
    r"<!--|<(?P<element>pre|code|script|style|textarea|svg|math)\b|</?[a-z]"
    r"|\$\$|\\\(|\\\[|\$(?=[^\s$])",
    re.IGNORECASE,
)
_CLOSERS = {"<!--": "-->", "$$": "$$", "\\(": "\\)", "\\[": "\\]"}
_MATH_END = lazy_pattern(r"(?<=[^\s$\\])\$(?![0-9$])|[\r\n]|\Z")


class UndefinedFootnote(CellRule):
    code = "MSG105"
    name = "undefined-footnote"
    severity = Severity.INFORMATION
    texts = {
        "message": "undefined footnote `{id}`",
    }
    roles = (CellRole.MESSAGE, CellRole.ANSWER)
    wants = Topic.REFERENCE
    reads = ("references", "near_misses", "definitions")

    def check(self, subject: Subject) -> Iterator[Problem | None]:
        references = subject.cell.references
        if not references or subject.meaning.type == "raw":
            return
        entries = subject.document.entries
        missing = yield from chosen(
            references,
            lambda one: not any(entries(relation, one.text) for relation in _DEFINED_BY),
        )
        if not missing:
            return
        # What is nearly a header has an id, and no reference: it is MSG106's.
        headers = [near_miss.span for near_miss in subject.cell.near_misses]
        if headers:
            missing = yield from chosen(missing, lambda one: not _is_in(headers, one.span))
        left = yield from _in_prose(subject.cell, missing)
        for reference in left:
            yield self.problem(subject.label, reference.span, id=reference.text)


def _is_in(lines: Sequence[Span], span: Span) -> bool:
    """Whether one of some lines, which are in order, has all of a span."""
    number = bisect_right(lines, span.start, key=lambda line: line.start) - 1
    return number >= 0 and lines[number].covers(span)


def _in_prose(cell: Cell, references: Sequence[Id]) -> Work[Sequence[Id]]:
    """The references that are surely meant as such, and that nothing in the cell defines."""
    text = cell.text
    # Viewers take `[^Note]` for `[^note]`.
    defined = {definition.id.text.casefold() for definition in cell.definitions}
    quoted = yield from chosen(references, lambda one: _is_quoted_footnote(text, one))
    defined.update(reference.text.casefold() for reference in quoted)
    left = yield from chosen(
        references,
        lambda one: one.text.casefold() not in defined and _looks_like_footnote(text, one),
    )
    if not left:
        return ()
    others = yield from gathered(_math_and_html(text), MANY)
    others += yield from gathered(_code(text), MANY)
    others.sort(reverse=True)
    found: list[Id] = []
    reach = 0
    for reference in left:
        while others and others[-1][0] < reference.span.start:
            reach = max(reach, others.pop()[1])
        if reference.span.end > reach:
            found.append(reference)
    return found


def _is_quoted_footnote(text: str, reference: Id) -> bool:
    """Whether it is not a reference but a footnote, in a quote or a list: `> [^x]: Rayleigh`."""
    start, end = reference.span
    if not text.startswith("]:", end):
        return False
    return _QUOTE.fullmatch(text, line_bounds(text, start)[0], start - 2) is not None


def _looks_like_footnote(text: str, reference: Id) -> bool:
    start, end = reference.span
    if _FOOTNOTE_ID.fullmatch(reference.text) is None or text.startswith(_NO_FOOTNOTE_BEHIND, end):
        return False
    if text.startswith("][", end) and not text.startswith("][^", end):
        return False
    if _ESCAPED_HEADER.match(text, line_bounds(text, start)[0]):
        return False
    before = text[max(0, start - _LONGEST_ADDRESS) : start - 2]
    word = "" if before[-1:].isspace() or not before else before.split()[-1]
    destination = word.rpartition("](")[2] if "](" in word else ")"
    return "://" not in word and ")" in destination


def _code(text: str) -> Iterator[tuple[int, int]]:
    """Code spans that run over several lines too: the lexer looks at single lines."""
    if "`" not in text:
        return
    start = 0
    for gap in _PARAGRAPH_END.finditer(text):
        yield from code_spans(text, start, gap.start())
        start = gap.end()
    yield from code_spans(text, start, len(text))


def _math_and_html(text: str) -> Iterator[tuple[int, int]]:
    """Math and HTML, one after the other. What nothing closes is neither."""
    if not any(mark in text for mark in ("<", "$", "\\(", "\\[")):
        return
    folded = text.lower() if "<" in text else text
    if len(folded) != len(text):
        folded = text
    unclosed: set[str] = set()
    no_math_before = 0
    opener = _OPENER.search(text)
    while opener is not None:
        start, end = opener.span()
        mark = opener.group()
        stop = -1
        if mark == "$":
            found = _MATH_END.search(text, end) if end > no_math_before else None
            if found is not None and found.group() == "$":
                stop = found.end()
            elif found is not None:
                no_math_before = found.start()
        else:
            element = opener.group("element")
            closer = f"</{element.lower()}" if element else _CLOSERS.get(mark, ">")
            # Looked for without success once, it is not there for the rest either.
            if closer not in unclosed:
                stop = folded.find(closer, end)
                if stop < 0:
                    unclosed.add(closer)
                else:
                    stop += len(closer)
        if stop >= 0:
            yield start, stop
        opener = _OPENER.search(text, max(stop, end))
