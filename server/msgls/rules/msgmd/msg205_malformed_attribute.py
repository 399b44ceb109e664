"""Something on a definition line is not an attribute.

## What it does
Reads what follows the type on the line that defines a cell. Only `key="value"`,
`key='value'` and `key=value` are allowed, separated by spaces: no spaces around `=`, no
brackets around a pair, no unclosed quote, no repeated key, no other text. A value without
quotes must not run into another known attribute, as in `title=Plan,history=none`.

## Why it matters
What cannot be read is lost, and an unclosed quote takes the rest of the line with it. So
does a comma without a space: what follows is part of the value. Only what hides the cell
still counts. Other programs may read such a line differently.

## Example
```markdown
# %%% An answer[^a1]

[^a1]: [assistant] time = "2025-05-30T09:30:00+08:00" [reasoning=1]
```
Use instead:
```markdown
# %%% An answer[^a1]

[^a1]: [assistant] time="2025-05-30T09:30:00+08:00" reasoning=1
```

## Fix safety
Safe where the line means the same afterwards: spaces around `=`, brackets and commas
between pairs are removed, a missing space is inserted, and of two equal keys the
earlier one, which has no effect, is removed. A quote is closed at the end of the line,
which is safe if the value is then valid and no other attribute seems to follow. Not
safe is to close it before such an attribute, to split a value at a comma, or to remove
text that cannot be read; text that hides the cell, such as `history: none`, is
corrected instead.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from msgls.document.snapshot import Snapshot
from msgls.formats.msgmd.attributes import ATTRIBUTES
from msgls.formats.msgmd.definitions import marks_in
from msgls.rules.base import CellRule, Fix, Problem, Related, Severity, Subject
from msgls.rules.definitions import definition_at, problem_at, reported_definition
from msgls.rules.topics import Topic
from msgls.syntax.cells import Attribute, AttributeFault, AttributeProblem, Definition
from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Edit, Span

_SEPARATORS = lazy_pattern(r"[,;\uff0c\uff1b\u3001]+")
_KNOWN_PAIR = lazy_pattern(rf"(?<![ \t])[ \t]+(?:{'|'.join(ATTRIBUTES)})[ \t]*=")
_PAIR = lazy_pattern(r"[^\W\d][\w-]*=")
_ANY_PAIR = lazy_pattern(rf"[ \t]{_PAIR.pattern}")


class _Overridden(NamedTuple):
    """An attribute that a later one with the same key overrides."""

    key: str
    key_span: Span
    span: Span
    """All of it, with brackets around it."""
    certain: bool
    """Whether the line reads the same without it."""


class _Fault(NamedTuple):
    """What a fix needs to know of a fault."""

    found: AttributeProblem
    earlier: _Overridden | None
    """What a duplicate key overrides."""


class MalformedAttribute(CellRule):
    code = "MSG205"
    name = "malformed-attribute"
    severity = Severity.ERROR
    texts = {
        "message.unclosed-quote": "the value of `{name}` has no closing quote",
        "message.blanks-around-equals": "`{name}` has spaces around `=`: write `{name}=…`",
        "message.bracketed-pair": "`{text}` must not be in brackets: only the type is",
        "message.duplicate-key": "duplicate attribute `{name}`: the last one is used",
        "message.missing-value": "`{name}` has no value",
        "message.missing-blank": "a space is missing before this attribute",
        "message.joined-pair": (
            "`{text}` is part of the value of `{name}`: separate attributes by a space"
        ),
        "message.unreadable": "`{text}` is not an attribute: write `key=value`",
        "related": "the earlier `{name}`",
        "fix.close": "Close the quote at the end of the line",
        "fix.close-before": "Close the quote before the next attribute",
        "fix.close-up": "Remove the spaces around `=`",
        "fix.unwrap": "Change to `{pair}`",
        "fix.part": "Insert a space",
        "fix.split": "Change the separator to a space",
        "fix.remove": "Remove `{pair}`",
    }
    wants = Topic.FAULTS

    def check(self, subject: Subject) -> Iterable[Problem]:
        """Each fault; words that cannot be read are one fault together."""
        if subject.definition is None or not subject.definition.problems:
            return ()
        definition = reported_definition(subject)
        if definition is None:
            return ()
        label = subject.definition_label
        text = subject.document.cell(label).cell.text
        earlier = _overridden(definition)
        return [
            problem_at(
                self,
                subject,
                _visible(fault, definition),
                f"message.{fault.fault.value}",
                _related(earlier.get(fault), label),
                data=_Fault(fault, earlier.get(fault)),
                text=fault.span.of(text),
                name=fault.key or "",
            )
            for fault in _joined(definition.problems, text)
        ]

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        definition, holder = definition_at(snapshot.document, problem)
        fault: _Fault = problem.data
        if fault.earlier is not None:
            ways = _remove_earlier(holder.cell.text, fault.earlier)
        else:
            ways = _FIXES[fault.found.fault](holder.cell.text, definition, fault.found)
        for fix in ways:
            edits = [Edit(edit.span.shift(holder.start_offset), edit.text) for edit in fix.edits]
            yield fix._replace(edits=tuple(edits))


def _joined(faults: Iterable[AttributeProblem], text: str) -> list[AttributeProblem]:
    """One fault for what is one mistake: text that cannot be read, with the spaces in it."""
    joined: list[AttributeProblem] = []
    for fault in faults:
        before = joined[-1] if joined else None
        if fault.fault is AttributeFault.UNREADABLE and before is not None:
            between = text[before.span.end : fault.span.start]
            if before.fault is AttributeFault.UNREADABLE and not between.strip(" \t"):
                joined[-1] = before._replace(span=Span(before.span.start, fault.span.end))
                continue
            if before.fault is AttributeFault.MISSING_BLANK and before.span.end == fault.span.start:
                joined.pop()
        joined.append(fault)
    return joined


def _visible(fault: AttributeProblem, definition: Definition) -> Span:
    """Where the fault shows: a space that is missing, on what it is missing before."""
    if fault.fault is not AttributeFault.MISSING_BLANK:
        return fault.span
    at = fault.span.start
    starts = [a.key_span for a in definition.attributes if a.span.start >= at]
    return Span(at, starts[0].end) if starts else Span(at, at + 1)


def _related(earlier: _Overridden | None, label: int) -> tuple[Related, ...]:
    if earlier is None:
        return ()
    return (Related(label, earlier.key_span, "related", {"name": earlier.key}),)


def _overridden(definition: Definition) -> dict[AttributeProblem, _Overridden]:
    """For each duplicate key, the attribute before it that has the same key."""
    last: dict[str, Attribute] = {}
    earlier = {}
    duplicates = {
        fault.span.start: fault
        for fault in definition.problems
        if fault.fault is AttributeFault.DUPLICATE_KEY
    }
    if not duplicates:
        return {}
    faults = {fault.fault for fault in definition.problems}
    brackets = sorted(
        fault.span for fault in definition.problems if fault.fault is AttributeFault.BRACKETED_PAIR
    )
    for attribute in definition.attributes:
        if attribute.key_span.start in duplicates and attribute.key in last:
            before = last[attribute.key]
            earlier[duplicates[attribute.key_span.start]] = _Overridden(
                before.key,
                before.key_span,
                _around(before.span, brackets),
                # A key without a value may take what follows for one, once the pair is gone.
                AttributeFault.MISSING_VALUE not in faults,
            )
        last[attribute.key] = attribute
    return earlier


def _around(span: Span, brackets: Sequence[Span]) -> Span:
    """The attribute, with the brackets around it."""
    at = bisect_right(brackets, span.start, key=lambda bracket: bracket.start)
    return brackets[at - 1] if at and brackets[at - 1].covers(span) else span


# -- the fixes, by fault: edits are relative to the cell


def _close_quote(text: str, definition: Definition, fault: AttributeProblem) -> Iterator[Fix]:
    quote = text[fault.span.start]
    inner_start = fault.span.start + 1
    # A pair that is in the open value most likely stood after it.
    known = _KNOWN_PAIR.search(text, inner_start, fault.span.end)
    if known is not None:
        at = known.start()
        edit = Edit(Span(at, at), _closing(text, inner_start, at, quote))
        yield Fix.of("fix.close-before", edit)
    at = inner_start + len(text[inner_start : fault.span.end].rstrip(" \t"))
    spec = ATTRIBUTES.get(fault.key or "")
    certain = at > inner_start and (spec is None or spec.accepts(text[inner_start:at]))
    certain = certain and _ANY_PAIR.search(text, inner_start, fault.span.end) is None
    edit = Edit(Span(at, at), _closing(text, inner_start, at, quote))
    yield Fix.of("fix.close", edit, safe=certain)


def _closing(text: str, start: int, end: int, quote: str) -> str:
    """The closing quote; after a lone backslash, which would escape it, with another one."""
    inner = text[start:end]
    backslashes = len(inner) - len(inner.rstrip("\\"))
    return "\\" + quote if backslashes % 2 else quote


def _close_up(text: str, definition: Definition, fault: AttributeProblem) -> Iterator[Fix]:
    yield Fix.of("fix.close-up", Edit(fault.span, "="), safe=True)


def _unwrap(text: str, definition: Definition, fault: AttributeProblem) -> Iterator[Fix]:
    inside = [a for a in definition.attributes if fault.span.covers(a.span)]
    if not inside or inside[0].value_span.start == inside[0].value_span.end:
        return
    pair = f"{inside[0].key}={inside[0].value_span.of(text)}"
    before = "" if text[fault.span.start - 1] in " \t" else " "
    at_end = fault.span.end >= definition.span.end or text[fault.span.end] in " \t"
    edit = Edit(fault.span, before + pair + ("" if at_end else " "))
    yield Fix.of("fix.unwrap", edit, safe=True, pair=pair)


def _part(text: str, definition: Definition, fault: AttributeProblem) -> Iterator[Fix]:
    yield Fix.of("fix.part", Edit(fault.span, " "), safe=True)


def _split(text: str, definition: Definition, fault: AttributeProblem) -> Iterator[Fix]:
    separators = _SEPARATORS.match(text, fault.span.start, fault.span.end)
    assert separators is not None, "the fault starts with them"
    # The attribute takes effect, and the value before it is another one.
    yield Fix.of("fix.split", Edit(Span(*separators.span()), " "))


def _remove_earlier(text: str, earlier: _Overridden) -> Iterator[Fix]:
    edit = Edit(_with_spaces(text, earlier.span), "")
    yield Fix.of("fix.remove", edit, safe=earlier.certain, pair=earlier.span.of(text))


def _remove(text: str, definition: Definition, fault: AttributeProblem) -> Iterator[Fix]:
    separators = _SEPARATORS.match(text, fault.span.start, fault.span.end)
    if separators is not None and _PAIR.match(text, separators.end(), fault.span.end):
        yield Fix.of("fix.part", Edit(Span(*separators.span()), " "), safe=True)
        return
    # What hides the cell, though it is not an attribute, is not taken away.
    hides = {k: v for k, v in marks_in(fault.span.of(text)).items() if k not in definition.values}
    if hides:
        pair = " ".join(f'{key}="{value}"' for key, value in hides.items())
        yield Fix.of("fix.unwrap", Edit(fault.span, pair), pair=pair)
        return
    certain = separators is not None and separators.end() == fault.span.end
    edit = Edit(_before_with_spaces(text, fault.span), "")
    yield Fix.of("fix.remove", edit, safe=certain, pair=fault.span.of(text))


def _with_spaces(text: str, span: Span) -> Span:
    """``span`` with the spaces after it."""
    end = span.end
    while end < len(text) and text[end] in " \t":
        end += 1
    return Span(span.start, end)


def _before_with_spaces(text: str, span: Span) -> Span:
    """``span`` with the spaces before it."""
    start = span.start
    while start > 0 and text[start - 1] in " \t":
        start -= 1
    return Span(start, span.end)


_FIXES = {
    AttributeFault.UNCLOSED_QUOTE: _close_quote,
    AttributeFault.BLANKS_AROUND_EQUALS: _close_up,
    AttributeFault.BRACKETED_PAIR: _unwrap,
    AttributeFault.MISSING_BLANK: _part,
    AttributeFault.JOINED_PAIR: _split,
    AttributeFault.MISSING_VALUE: _remove,
    AttributeFault.UNREADABLE: _remove,
}
