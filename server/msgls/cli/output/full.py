"""For people: each finding with its source line, the range underlined, and the fix."""

from collections.abc import Iterable, Iterator
from typing import TextIO

from msgls.cli.checking import Finding, Report
from msgls.cli.terminal import Paint, columns, harmless, painter, underlined, width, wrapped
from msgls.rules.base import Severity
from msgls.rules.everywhere.msg701_secret import Secret
from msgls.text.phrases import Phrase
from msgls.text.secrets import starred
from msgls.text.translation import ENGLISH, say

STYLES = {
    Severity.ERROR: "bold red",
    Severity.WARNING: "bold yellow",
    Severity.INFORMATION: "bold blue",
    Severity.HINT: "bold cyan",
}

_SEE, _FIX, _NOT_SAFE = Phrase("= see"), Phrase("= fix:"), Phrase(" (not safe)")


def write(reports: Iterable[Report], out: TextIO) -> None:
    """One block for each finding, with an empty line after it."""
    paint: Paint | None = None
    room = columns(out)
    for report in reports:
        for finding in report.findings:
            # Made late: without findings, nothing has to be imported for colours.
            paint = paint or painter(out)
            lines = block(finding, paint, room, out.isatty(), report.language)
            out.write("\n".join(lines) + "\n\n")


def block(
    finding: Finding,
    paint: Paint,
    room: int,
    is_terminal: bool = False,
    language: str = ENGLISH,
) -> Iterator[str]:
    """The lines that show one finding."""
    style = STYLES[finding.severity]
    label = paint(f"{finding.severity.label}[{finding.code}]", style)
    head = f"{finding.severity.label}[{finding.code}] "
    message = harmless(finding.message)
    if is_terminal:
        # In a file or a pipe, a message stays on one line, so that it can be searched for.
        message = wrapped(head + message, room)[len(head) :]
    yield f"{label} {paint(message, 'bold')}"
    number = str(finding.start.line)
    margin = " " * len(number)
    bar = paint("|", "bold blue")
    arrow = paint("-->", "bold blue")
    place = f"{harmless(finding.path)}:{finding.start.line}:{finding.start.column}"
    yield f"{margin}{arrow} {place}"
    start = finding.start.column - 1
    one_line = finding.start.line == finding.end.line
    number_of_end = str(finding.end.line)
    end = finding.end.column - 1 if one_line else len(finding.line)
    line = _without_secrets(finding, start, end)
    shown, before, marked = underlined(line, start, end, room - len(number) - 3)
    yield f"{margin} {bar}"
    yield f"{paint(number, 'bold blue')} {bar} {shown}".rstrip()
    more = "" if one_line else say(Phrase(" … to line {line}", line=number_of_end), language)
    yield f"{margin} {bar} {' ' * before}{paint('^' * marked + more, style)}"
    for related in finding.related:
        where = f"{related.start.line}:{related.start.column}"
        said = f"{where}: {harmless(related.message)}"
        label = say(_SEE, language)
        yield _note(margin, label, "bold blue", said, paint, room if is_terminal else None)
    if finding.fix is not None:
        how = "" if finding.fix.safe else say(_NOT_SAFE, language)
        said = f"{harmless(finding.fix.title)}{how}"
        label = say(_FIX, language)
        yield _note(margin, label, "bold green", said, paint, room if is_terminal else None)


def _without_secrets(finding: Finding, start: int, end: int) -> str:
    """The line of a finding: who reads a log must not read a key."""
    line = starred(finding.line)
    if finding.code == Secret.code and line[start:end] == finding.line[start:end]:
        # Other lines show that it is one.
        return line[:start] + "*" * (end - start) + line[end:]
    return line


def _note(margin: str, label: str, style: str, text: str, paint: Paint, room: int | None) -> str:
    if room is not None:
        indent = " " * (width(label) + 1)
        lines = wrapped(f"{label} {text}", room - len(margin) - 1, indent)
        text = lines[len(label) + 1 :].replace("\n", f"\n{margin} ")
    return f"{margin} {paint(label, style)} {text}"
