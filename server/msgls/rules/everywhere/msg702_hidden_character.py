r"""A character that nobody sees changes what is read.

## What it does
Looks for characters that are not shown, in files of every format. In ids, names,
headers, definitions, the frontmatter and code, it reports characters that reorder text
(bidirectional embeddings, overrides and isolates) and all that are invisible (such as a
zero-width space). In prose, it reports only those that no language needs: overrides,
tag characters and runs of variation selectors. Emoji made of several characters are
fine, and so are the marks and joiners that Arabic, Hebrew, Persian and Indic text
needs, and a byte order mark at the start of a file.

## Why it matters
Two ids that look the same may differ. Code that is shown in another order than it is
run in may do something other than what it seems to do ([Trojan
Source](https://trojansource.codes/)). Tag characters can contain a whole text that a
model reads and that you do not see.

## Example
```markdown
# %% Why does this fail?[^q1]

[^q1]: [markdown] place="far\u200b away"

It is a riddle.
```
Here `\u200b` stands for a zero-width space. Use instead:
```markdown
# %% Why does this fail?[^q1]

[^q1]: [markdown] place="far away"

It is a riddle.
```

## Fix safety
One fix writes the character as an escape, such as `\u202e`. It is safe in JSON, where
that is the same character; elsewhere it is not, because the escape becomes text. The
other fix, which removes the character, is not safe.
"""

import json
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from msgls.document.snapshot import Snapshot
from msgls.rules.base import CellRule, Fix, Problem, Severity, Subject
from msgls.syntax.cells import CellKind
from msgls.syntax.nodes import NodeKind
from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Edit, Span

_OVERRIDES = "\u202d\u202e"
_REORDERING = f"\u202a-\u202c{_OVERRIDES}\u2066-\u2069"
_TAGS = "\U000e0001\U000e0020-\U000e007f"
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_JOINERS = "\u200c\u200d"
_MARKS = "\u200e\u200f\u061c"
_INVISIBLE = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b\u2060-\u2064\u206a-\u206f\u3164\ufeff\uffa0"
    "\ufff9-\ufffb\U0001d173-\U0001d17a"
)
_HIDDEN = lazy_pattern(
    f"[{_REORDERING}]+|[{_TAGS}]+|[{_SELECTORS}]{{2,}}|[{_INVISIBLE}{_JOINERS}{_MARKS}]+"
)
_ANY_HIDDEN = lazy_pattern(f"[{_REORDERING}{_TAGS}{_SELECTORS}{_INVISIBLE}{_JOINERS}{_MARKS}]")
_ASCII = bytes(range(128))
_IS_REORDERING = lazy_pattern(f"[{_REORDERING}]")
_IS_TEXT = lazy_pattern(f"[{_TAGS}{_SELECTORS}]")
# Flags of countries without a state of their own end so: a black flag and tags.
_FLAG = "\U0001f3f4"
_END_OF_FLAG = "\U000e007f"
# Letters of scripts that are written from the right, and of those that need joiners.
_RIGHT_TO_LEFT = lazy_pattern("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff]")
_JOINING = lazy_pattern(
    "[\u0590-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u18af\ufb50-\ufdff\ufe70-\ufefc]"
)
_PICTURE = lazy_pattern("[\u00a9\u00ae\u203c-\u3299\ufe0f\U0001f000-\U0001faff]")
# Strings of JSON that are names rather than prose, where one word from the right may be prose;
# and code in the prose of JSON and STF.
_WORD_IN_JSON = lazy_pattern(r'"[^"\\\s\u0590-\u08ff]*"')
_CODE_IN_JSON = lazy_pattern(r'```(?:[^`"\\]|\\.|`(?!``))*(?:```|(?=")|\Z)')
_CODE_IN_TEXT = lazy_pattern(r"^[ \t]{0,3}```.*?(?:^[ \t]{0,3}```|\Z)", re.MULTILINE | re.DOTALL)
# A mark belongs to right-to-left text that is at most so far away.
_NEAR = 40
_SYNTAX = frozenset(
    {
        *(NodeKind.FRONTMATTER, NodeKind.HEADER, NodeKind.ID, NodeKind.TYPE, NodeKind.FIELD),
        *(NodeKind.DEFINITIONS, NodeKind.COMMAND, NodeKind.CALL, NodeKind.KEY),
    }
)


class HiddenCharacter(CellRule):
    code = "MSG702"
    name = "hidden-character"
    severity = Severity.WARNING
    texts = {
        "message.order": "{shown} changes the order in which the text around it is shown",
        "message.invisible": "{shown} is not visible",
        "message.text": (
            "{count} invisible characters, from {shown} on, can hold text that a model reads"
        ),
        "fix.show": "Show as `{escaped}`",
        "fix.remove": "Remove what is not visible",
    }

    def screen(self, texts: Sequence[str]) -> set[int]:
        """Nearly no text has any."""
        if not _has_hidden("\n".join(texts)):
            return set()
        return {number for number, text in enumerate(texts) if _has_hidden(text)}

    def check(self, subject: Subject) -> Iterable[Problem]:
        text = subject.cell.text
        return self._find(subject, text) if _has_hidden(text) else ()

    def _find(self, subject: Subject, text: str) -> Iterator[Problem]:
        zones = _Zones(subject)
        for found in _HIDDEN.finditer(text):
            start, end = found.span()
            run = found.group()
            is_first = subject.placed.start_offset + start == 0
            if (run == "\ufeff" and is_first) or _is_flag(text, start, run):
                continue
            key = _key_anywhere(run) if zones.is_looked_at(start) else None
            if key is None and zones.is_name(start) and run[0] in _MARKS:
                key = "message.invisible"
            elif key is None and zones.is_syntax(start) and not _belongs(text, start, end):
                key = "message.order" if _IS_REORDERING.match(run) else "message.invisible"
            if key is not None:
                shown, count = f"U+{ord(run[0]):04X}", str(end - start)
                yield self.problem(subject.label, Span(start, end), key, shown=shown, count=count)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        placed = snapshot.document.cell(problem.label)
        span = problem.span.shift(placed.start_offset)
        is_json = snapshot.document.format.is_json
        hidden = problem.span.of(placed.cell.text)
        escaped = "".join([_escape(character, is_json) for character in hidden])
        shorter = escaped if len(escaped) <= _NEAR else escaped[:_NEAR] + "…"
        yield Fix.of("fix.show", Edit(span, escaped), safe=is_json, escaped=shorter)
        yield Fix.of("fix.remove", Edit(span, ""))


def _has_hidden(text: str) -> bool:
    """Whether a text has a run of hidden characters; nearly none has."""
    if text.isascii():
        return False
    # Most of most texts is ASCII, and leaving that out takes much less time than looking at it.
    rest = text.encode("utf-8", "surrogatepass").translate(None, _ASCII)
    if _ANY_HIDDEN.search(rest.decode("utf-8", "surrogatepass")) is None:
        return False
    return _HIDDEN.search(text) is not None


class _Zones:
    """Which places of a cell are names, and which are syntax or code."""

    def __init__(self, subject: Subject) -> None:
        cell, format = subject.cell, subject.document.format
        is_before_cells = format.has_agents and cell.kind is CellKind.PREAMBLE
        self._prose = cell.body if is_before_cells else Span(0, 0)
        names = [name.span for name in cell.names]
        syntax = [node.span for node in cell.nodes if node.kind in _SYNTAX]
        syntax += [definition.span for definition in cell.definitions if definition.is_typed]
        syntax += [fence.span for fence in cell.fences]
        text = cell.text
        if format.is_json:
            syntax += [Span(*match.span()) for match in _WORD_IN_JSON.finditer(text)]
            syntax += [Span(*match.span()) for match in _CODE_IN_JSON.finditer(text)]
        elif not cell.fences:
            syntax += [Span(*match.span()) for match in _CODE_IN_TEXT.finditer(text)]
        self._names, self._syntax = _merged(names), _merged(names + syntax)

    def is_looked_at(self, at: int) -> bool:
        """What is before the first cell is prose that is not ours."""
        return not self._prose.start <= at < self._prose.end

    def is_name(self, at: int) -> bool:
        """Whether a name is there."""
        return _covers(self._names, at)

    def is_syntax(self, at: int) -> bool:
        """Whether a name, syntax or code is there."""
        return self.is_looked_at(at) and _covers(self._syntax, at)


def _merged(spans: list[Span]) -> list[Span]:
    """The same places, in order, none inside another."""
    merged: list[Span] = []
    for span in sorted(spans):
        if merged and span.start <= merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end))
        else:
            merged.append(span)
    return merged


def _covers(spans: list[Span], at: int) -> bool:
    number = bisect_right(spans, at, key=lambda span: span.start) - 1
    return number >= 0 and at < spans[number].end


def _is_flag(text: str, start: int, run: str) -> bool:
    return text[start - 1 : start] == _FLAG and run.find(_END_OF_FLAG) == len(run) - 1


def _key_anywhere(run: str) -> str | None:
    """What is wrong with hidden characters wherever they are, prose included."""
    if any(override in run for override in _OVERRIDES):
        return "message.order"
    return None if _IS_TEXT.match(run) is None else "message.text"


def _belongs(text: str, start: int, end: int) -> bool:
    """Whether marks and joiners are what the letters or pictures around them need."""
    run = text[start:end]
    if run[0] in _MARKS:
        return _RIGHT_TO_LEFT.search(text, max(start - _NEAR, 0), end + _NEAR) is not None
    if len(run) > 1 or run not in _JOINERS or start == 0:
        return False
    if _JOINING.match(text, start - 1) is not None:
        return True
    is_between = _PICTURE.match(text, start - 1) and _PICTURE.match(text, end)
    return run == "\u200d" and bool(is_between)


def _escape(character: str, is_json: bool) -> str:
    code = ord(character)
    if code <= 0xFFFF:
        return f"\\u{code:04x}"
    if is_json:
        return json.dumps(character)[1:-1]
    return f"\\u{{{code:x}}}"
