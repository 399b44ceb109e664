"""The content of a binary output is not base64.

## What it does
Looks at the output of code whose `mime_type` is binary: neither `text/*` nor JSON nor
XML. The content must be base64 without a fence around it; line breaks are allowed.

## Why it matters
The image cannot be shown, and the model gets bytes that mean nothing.

## Example
```markdown
# %%% A plot[^c1.1]

[^c1.1]: [python] status="success" mime_type="image/png"

iVBORw0KGgo-AAAA
```
Use instead:
```markdown
# %%% A plot[^c1.1]

[^c1.1]: [python] status="success" mime_type="image/png"

iVBORw0KGgoAAAA=
```

## Fix safety
There is no fix: what is lost cannot be restored.
"""

import string
from collections.abc import Iterable

from msgls.formats.base import CellRole
from msgls.formats.msgmd.attributes import mime_type_of
from msgls.formats.msgmd.content import BLANK
from msgls.formats.msgmd.mapped import mapped_content
from msgls.rules.base import CellRule, Problem, Severity, Subject
from msgls.syntax.cells import Fence
from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Span

# Blanks at either end of a line go with its line break.
_UNKNOWN = lazy_pattern(r"[^A-Za-z0-9+/=\r\n \t]+|(?<=[^\r\n \t])[ \t]+(?=[^\r\n \t])")
_PADDING = lazy_pattern(r"=[=\r\n \t]*")
_USUAL = (string.ascii_letters + string.digits + "+/=\r\n").encode()
_LINE = lazy_pattern(r"[^\r\n]*")
_GROUP = 4
_MOST_PADDING = 2
_SHOWN = 20


class InvalidBase64(CellRule):
    code = "MSG406"
    name = "invalid-base64"
    severity = Severity.ERROR
    texts = {
        "message.character": "`{piece}` is not base64, which `{type}` must be encoded in",
        "message.padding": "`{piece}` is too much padding: base64 ends in two `=` at most",
        "message.after": "`{piece}` follows the end of the base64: nothing may follow `=`",
        "message.fence": "`{type}` must be base64 without a fence: remove the fence",
        "message.length": "the base64 is truncated: its length is not a multiple of four",
    }
    roles = (CellRole.RUN,)

    def check(self, subject: Subject) -> Iterable[Problem]:
        definition = subject.definition
        mime_type = None if definition is None else mime_type_of(definition)
        if mime_type is None or not mime_type.is_binary:
            return ()
        content = mapped_content(subject.document, subject.placed)
        bad = _first_bad_piece(content.text)
        if bad is None:
            return ()
        key, span = bad
        shown = span.of(content.text)
        if len(shown) > _SHOWN:
            shown = shown[:_SHOWN] + "…"
        in_cell = content.in_cell(span)
        if any(_bounds(fence, in_cell) for fence in subject.cell.fences):
            key = "message.fence"
        return (self.problem(subject.label, in_cell, key, piece=shown, type=mime_type.text),)


def _bounds(fence: Fence, piece: Span) -> bool:
    """Whether ``piece`` is in the first or the last line of ``fence``."""
    if fence.span.start <= piece.start < max(fence.info.end, fence.fence.end):
        return True
    return fence.close is not None and fence.close.covers(piece)


def _first_bad_piece(text: str) -> tuple[str, Span] | None:
    """What is wrong first, and where. Linear: each test looks at each character once."""
    # Nearly always nothing is left without them, and the closer look is not needed.
    left = text.encode("utf-8", "replace").translate(None, _USUAL)
    unknown = _UNKNOWN.search(text) if left else None
    padding = _PADDING.search(text)
    if unknown is not None and (padding is None or unknown.start() < padding.start()):
        return "message.character", Span(*unknown.span())
    if padding is not None:
        marks = padding.group().rstrip(BLANK)
        if marks.count("=") > _MOST_PADDING:
            return "message.padding", Span(padding.start(), padding.start() + len(marks))
        if padding.end() < len(text):
            rest = _LINE.match(text, padding.end())
            end = len(text) if rest is None else rest.end()
            return "message.after", Span(padding.end(), end)
    left_over = (len(text) - sum(map(text.count, BLANK))) % _GROUP
    if left_over:
        end = len(text.rstrip(BLANK))
        last_line = max(text.rfind("\n", 0, end), text.rfind("\r", 0, end)) + 1
        return "message.length", Span(max(end - left_over, last_line), end)
    return None
