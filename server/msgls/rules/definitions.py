"""What rules on a definition share: which cell reports it, and how to find it again.

A definition may be away from its cell, and two cells with one id share one. So
the cell that a problem is *about* is not always the one that it is *in*, and
only one of them may report it.
"""

from msgls.document.document import Document
from msgls.formats.base import Placed
from msgls.rules.base import NO_ARGS, Problem, Related, Rule, Subject
from msgls.syntax.cells import Attribute, AttributeFault, Definition
from msgls.text.spans import Span

_UNREAD = (
    AttributeFault.UNCLOSED_QUOTE,
    AttributeFault.MISSING_VALUE,
    AttributeFault.JOINED_PAIR,
)


def reported_definition(subject: Subject) -> Definition | None:
    """The definition that counts for a cell, if this cell is the one that reports on it."""
    definition, holder = subject.definition, subject.meaning.holder
    if definition is None or holder is None or holder.label == subject.label:
        return definition
    if holder.cell.id == definition.id.text:
        return None
    headers = subject.document.entries("header", definition.id.text)
    return definition if headers and headers[0].label == subject.label else None


def problem_at(
    rule: Rule,
    subject: Subject,
    span: Span,
    key: str = "message",
    related: tuple[Related, ...] = (),
    data: object = None,
    **args: str,
) -> Problem:
    """A problem on a piece of the definition of ``subject``."""
    label = subject.definition_label
    about = None if label == subject.label else subject.label
    return Problem(rule.code, label, span, key, args or NO_ARGS, related, about, data)


def definition_at(document: Document, problem: Problem) -> tuple[Definition, Placed]:
    """The definition that a problem is on, and the cell that holds it."""
    holder = document.cell(problem.label)
    for definition in holder.cell.definitions:
        if definition.span.covers(problem.span):
            return definition, holder
    raise LookupError(f"{problem.code} is not on a definition")


def cell_of(document: Document, problem: Problem) -> Placed:
    """The cell that a problem is about."""
    return document.cell(problem.label if problem.subject is None else problem.subject)


def is_read(definition: Definition, attribute: Attribute) -> bool:
    """Whether an attribute has a value of its own: else MSG205 reports it.

    Its quote is not closed, nothing is there, or the value holds another attribute.
    """
    if not definition.problems:
        return True
    return not any(
        problem.fault in _UNREAD and attribute.span.covers(problem.span)
        for problem in definition.problems
    )


def swallowed(definition: Definition) -> str:
    """What an open quote takes with it, to the end of the line; nothing where all are closed."""
    if any(p.fault is AttributeFault.UNCLOSED_QUOTE for p in definition.problems):
        return definition.attributes[-1].value
    return ""
