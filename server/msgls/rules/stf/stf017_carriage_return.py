r"""Lines end with a carriage return.

## What it does
Looks for line ends other than `\n`. It is reported once for a file, at the first one.

## Why it matters
Such files are read, but `\n` is strongly recommended: other programs may keep the carriage
returns as part of what is said.

## Example
```text
@user␍␊Hello␍␊
```
Use instead:
```text
@user␊Hello␊
```

## Fix safety
Safe: all line ends become `\n`, which is what they are read as.
"""

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.rules.base import DocumentRule, Fix, Problem, Severity
from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Edit, Span

_RETURN = lazy_pattern(r"\r\n?")


class CarriageReturn(DocumentRule):
    code = "STF017"
    name = "carriage-return"
    severity = Severity.HINT
    texts = {
        "message": "lines end with a carriage return: line feeds are strongly recommended",
        "fix.convert": "Convert all line ends to line feeds",
    }
    depends = ("carriage-return",)
    # Another one may be typed before the first one of the same cell.
    on_cells = True

    def check(self, snapshot: Snapshot) -> Iterator[Problem]:
        document = snapshot.document
        for entry in document.entries("carriage-return", "")[:1]:
            start = 0
            # Part by part: a key in a long cell does not join them all.
            for part in document.cell(entry.label).cell.parts:
                match = _RETURN.search(part)
                if match is not None:
                    yield self.problem(entry.label, Span(*match.span()).shift(start))
                    return
                start += len(part)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        document = snapshot.document
        edits = [
            Edit(Span(*match.span()).shift(placed.start_offset), "\n")
            for entry in document.entries("carriage-return", "")
            for placed in (document.cell(entry.label),)
            for match in _RETURN.finditer(placed.cell.text)
        ]
        yield Fix.of("fix.convert", *edits, safe=True)
