"""The content of a tool call cannot be read, or names another tool.

## What it does
Reads the content of every tool call: one XML element, bare or inside one fence, and
nothing else. Arguments are elements or attributes of the root, or one JSON object in
it; the shapes `<invoke name="…">` and `<tool_call>{"name": …}</tool_call>` are read
too. Document types and entity declarations are refused, and never expanded. The tool
that the XML names must be the one that the definition names.

## Why it matters
The tool cannot read the call. A call that is cut off or not escaped does something
other than what it says, or nothing. If the XML and the definition name different tools,
the definition counts: what the model wrote is not what is run.

## Example
```markdown
# %%% Find[^a1.9f3d]

[^a1.9f3d]: [tool] name="find"

<find><text>a < b</text></find>
```
Use instead:
```markdown
# %%% Find[^a1.9f3d]

[^a1.9f3d]: [tool] name="find"

<find><text>a &lt; b</text></find>
```

## Fix safety
There is no fix: only the author knows what the call was meant to say.
"""

from collections.abc import Iterable

from msgls.formats.base import CellRole
from msgls.formats.msgmd.mapped import MappedText, mapped_call
from msgls.rules.base import CellRule, Problem, Severity, Subject
from msgls.syntax.cells import Held
from msgls.text.patterns import lazy_pattern
from msgls.text.phrases import as_phrase
from msgls.text.spans import Span

# As a number: an operation on flags makes an object each time.
_OPEN_FENCE = int(Held.OPEN_FENCE)
_ELEMENT_NAME = lazy_pattern(r"[^\W\d][\w.-]*")


class MalformedToolCall(CellRule):
    code = "MSG306"
    name = "malformed-tool-call"
    severity = Severity.ERROR
    texts = {
        "message.name": (
            "the XML calls `{written}`, but the definition names the tool `{name}`, which is used"
        ),
        "message": "the XML of this tool call is not well-formed: {reason}",
        "message.fence": "a tool call must be one fenced block and nothing else, or bare XML",
        "message.empty": "tool call `{id}` is empty: its XML is missing",
    }
    roles = (CellRole.CALL,)

    def check(self, subject: Subject) -> Iterable[Problem]:
        """The first thing that keeps the XML from being read; an empty call on its id."""
        if (subject.cell.id or "").count(".") != 1:
            return ()  # Whether it is a call at all is MSG111's.
        may_be_open = subject.cell.holds & _OPEN_FENCE
        if may_be_open and any(fence.close is None for fence in subject.cell.fences):
            return ()  # A fence that nothing closes is MSG110's.
        body = mapped_call(subject.document, subject.placed)
        if not body.text:
            header = subject.cell.header
            if header is None or header.id is None:
                return ()
            return (
                self.problem(subject.label, header.id.span, "message.empty", id=header.id.text),
            )
        from msgls.formats.msgmd.toolcalls import ANY_CALL, parse_tool_xml, plain_root

        name, root = subject.value("name"), plain_root(body.text)
        # Where the root is not a word for any call, it is the tool's name.
        if root is not None and (root == name or not name) and root not in ANY_CALL:
            return ()
        xml = parse_tool_xml(body.text)
        problem = xml.problem
        if problem is None:
            return self._named(subject, xml.name, body)
        span = body.in_cell(problem.span)
        start = body.in_cell(Span(0, len(body.text))).start
        has_fence = any(fence.span.start >= start for fence in subject.cell.fences)
        if has_fence and not body.text.startswith("<"):
            # Words beside a fence, or a second one: what is wrong is not the XML.
            return (self.problem(subject.label, span, "message.fence"),)
        return (self.problem(subject.label, span, reason=as_phrase(problem.message)),)

    def _named(self, subject: Subject, written: str | None, body: MappedText) -> Iterable[Problem]:
        """The tool that the XML names, where the definition names another one."""
        name = (subject.value("name") or "").strip(" \t")
        # A name that no element can have is written with other characters.
        if not written or not name or written == name or not _ELEMENT_NAME.fullmatch(name):
            return ()
        at = max(body.text.find(written), 0)
        span = body.in_cell(Span(at, at + len(written)))
        return (self.problem(subject.label, span, "message.name", name=name, written=written),)
