r"""The arguments of a tool call are not a JSON object.

## What it does
Joins the arguments of every tool call of a stream and reads them at its
`tool_call_end`. If that fails, it reports the character that cannot be read, in
whichever delta it is, or the end of the call if something is missing.

## Why it matters
The assembled message keeps the text in `rawArgsText` and names the call in
`meta.parseErrors`; the tool cannot be called with such arguments.

## Example
```json
{"seq": 1, "kind": "tool_call_start", "payload": {"toolCallId": "c1", "toolName": "find"}, …}
{"seq": 2, "kind": "tool_call_args",
  "payload": {"toolCallId": "c1", "argsTextDelta": "{'a': 1}"}, …}
{"seq": 3, "kind": "tool_call_end", "payload": {"toolCallId": "c1"}, …}
```
Use instead:
```json
{"seq": 1, "kind": "tool_call_start", "payload": {"toolCallId": "c1", "toolName": "find"}, …}
{"seq": 2, "kind": "tool_call_args",
  "payload": {"toolCallId": "c1", "argsTextDelta": "{\"a\": 1}"}, …}
{"seq": 3, "kind": "tool_call_end", "payload": {"toolCallId": "c1"}, …}
```

## Fix safety
There is no fix: the model wrote it that way.
"""

from collections.abc import Iterator, Sequence

from msgls.conversation.assembler import parse_arguments
from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.formats.jsontree import source_offset
from msgls.formats.msgjson.cells import CALLED, MENTIONED
from msgls.formats.msgjson.records import MentionKind
from msgls.rules.base import NameRule, Problem, Severity
from msgls.rules.msgjson.streams import (
    PlacedMention,
    by_run,
    call_span,
    cell_at,
    related_call,
)
from msgls.text.phrases import as_phrase
from msgls.text.spans import Span


class ToolArgumentsUnparsable(NameRule):
    code = "DLT007"
    name = "tool-arguments-unparsable"
    severity = Severity.WARNING
    texts = {
        "message": "the arguments of the tool call `{call}` cannot be read: {reason}",
        "related": "the tool call ends here",
    }
    relations = (CALLED, MENTIONED)

    def check(self, snapshot: Snapshot, name: str) -> Iterator[Problem]:
        """The deltas of one call."""
        document = snapshot.document
        kinds = MentionKind.START, MentionKind.ARGS, MentionKind.END
        for mentions in by_run(document, name, *kinds).values():
            args: list[PlacedMention] | None = None
            for placed in mentions:
                if placed.mention.kind is MentionKind.START:
                    args = []
                elif args is not None and placed.mention.kind is MentionKind.ARGS:
                    args.append(placed)
                elif args is not None:
                    yield from self._problems(document, args, placed)
                    args = None

    def _problems(
        self, document: Document, args: Sequence[PlacedMention], end: PlacedMention
    ) -> Iterator[Problem]:
        text = "".join([placed.text for placed in args])
        arguments, why, offset = parse_arguments(text)
        reason = as_phrase(why)
        if arguments is not None:
            return
        call = end.mention.call
        for placed in args:
            if offset < len(placed.text):
                span = _character_span(document, placed, offset)
                problem = self.problem(placed.label, span, call=call, reason=reason)
                yield problem._replace(related=(related_call(document, end),))
                return
            offset -= len(placed.text)
        yield self.problem(end.label, call_span(document, end), call=call, reason=reason)


def _character_span(document: Document, placed: PlacedMention, offset: int) -> Span:
    """Where a character of some arguments is, however it is escaped."""
    cell = cell_at(document, placed.label)
    path = (*placed.mention.path[:-1], "argsTextDelta")
    literal, span = cell.literal(placed.segment, path)
    start = source_offset(literal, offset)
    end = max(source_offset(literal, offset + 1), start + 1)
    return Span(span.start + start, min(span.start + end, span.end))
