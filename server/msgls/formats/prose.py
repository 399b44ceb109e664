"""Links, headings and code spans in Markdown that may be in any format."""

from collections.abc import Iterator, Sequence

from msgls.syntax.cells import Cell, Heading
from msgls.text.lines import line_bounds
from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Span

_LINK = lazy_pattern(
    r"\]\((?:<(?P<angled>[^<>\r\n]+)>|(?P<target>[^()\s<>\\]+))(?:[ \t]+\"[^\"\r\n]*\")?\)"
)
_HEADING = lazy_pattern(r"^ {0,3}(?:(#{1,6})[ \t]+(\S[^\r\n]*)|(`{3,}|~{3,})[^\r\n]*)")
_MARKER = lazy_pattern(r"%%%?(?!%)[ \t]*")
_NOT_IN_SLUGS = lazy_pattern(r"[^\w\- ]+")
_LINE = lazy_pattern(r"[^\r\n]+")
_BACKTICKS = lazy_pattern(r"`+")
_SCHEME = lazy_pattern(r"[A-Za-z][A-Za-z0-9+.-]*:")


def linked(cell: Cell) -> Iterator[tuple[Span, str]]:
    """The targets of the relative links and images of a cell's body."""
    text = cell.text
    if "](" not in text:
        return
    fences = iter([*cell.fences])
    fence = next(fences, None)
    for match in _LINK.finditer(text, cell.body.start):
        while fence is not None and fence.span.end <= match.start():
            fence = next(fences, None)
        if fence is not None and fence.span.start <= match.start():
            continue
        group = "target" if match.group("target") else "angled"
        if is_relative(match.group(group)) and not is_code(text, match.start()):
            yield Span(*match.span(group)), match.group(group)


def is_relative(target: str) -> bool:
    """Whether a target is a relative path: not a URL, not absolute, not a place in the file."""
    return bool(target) and not target.startswith(("#", "/", "\\")) and not _SCHEME.match(target)


def is_code(text: str, offset: int) -> bool:
    """Whether an offset lies in a code span of its line."""
    start, end = line_bounds(text, offset)
    if "`" not in text[start:offset]:
        return False
    return any(first <= offset < last for first, last in code_spans(text, start, end))


def is_fenced(cell: Cell, offset: int) -> bool:
    """Whether an offset of a cell lies in a fenced block, also where its format knows of none."""
    # A block that nothing closes reaches beyond the end of the cell.
    fences = cell.fences
    if fences:
        return any(f.span.start <= offset < f.span.end + (f.close is None) for f in fences)
    fence, start = "", cell.text.rfind("\n", 0, offset) + 1
    for line in _LINE.finditer(cell.text, 0, start):
        match = _HEADING.match(line.group())
        opens = match.group(3) if match else None
        fence = _fence_after(fence, opens, line.group()) if opens else fence
    return fence != ""


def _fence_after(fence: str, opens: str, line: str) -> str:
    """The fence that is open after a line which begins with one; empty where none is."""
    is_closed = opens.startswith(fence) and not line.strip(" \t" + fence[:1])
    return opens if not fence else "" if is_closed else fence


def section_ends(headings: Sequence[Heading], length: int) -> list[int]:
    """Where each section ends: a heading reaches to the next one of its level or a higher one."""
    ends = [length] * len(headings)
    opened: list[int] = []
    for number, heading in enumerate(headings):
        while opened and headings[opened[-1]].level >= heading.level:
            ends[opened.pop()] = heading.span.start
        opened.append(number)
    return ends


def headings(text: str) -> list[str]:
    """The titles of the headings of a Markdown text, those of cells among them, in order."""
    found = []
    fence = ""
    for line in _LINE.finditer(text):
        match = _HEADING.match(line.group())
        if match is None:
            continue
        opens = match.group(3)
        if opens:
            fence = _fence_after(fence, opens, line.group())
        elif not fence:
            title = title_of(match.group(2))
            found += [title] if title else []
    return found


def title_of(heading: str) -> str:
    """A heading's title, without the marks that a cell's header has."""
    text = heading.rstrip(" \t").rstrip("#").rstrip(" \t")
    marker = _MARKER.match(text)
    return _without_footnote(text if marker is None else text[marker.end() :])


def _without_footnote(text: str) -> str:
    """A line without the reference that it ends in."""
    start = text.find("[^", text.rfind("]", 0, -1) + 1) if text.endswith("]") else -1
    return text if start < 0 else text[:start].rstrip(" \t")


def slug(title: str) -> str:
    """The slug of a heading in a link, as in GitHub and VS Code."""
    return _NOT_IN_SLUGS.sub("", title.casefold()).strip(" ").replace(" ", "-")


def is_escaped(text: str, offset: int) -> bool:
    """Whether a backslash is before ``offset`` that no other one escapes."""
    start = offset
    while start and text[start - 1] == "\\":
        start -= 1
    return (offset - start) % 2 == 1


def code_spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The code spans of a line: a run of backticks to the next run of equal length.

    A backslash takes the first backtick from the run that would open one; it closes all the
    same, because there are no escapes inside.
    """
    runs = [match.span() for match in _BACKTICKS.finditer(text, start, end)]
    # The next run of each length, from the right: linear however many runs there are.
    partners = [-1] * len(runs)
    latest: dict[int, int] = {}
    for number in range(len(runs) - 1, -1, -1):
        opening, after = runs[number]
        partners[number] = latest.get(after - opening - is_escaped(text, opening), -1)
        latest[after - opening] = number
    number = 0
    while number < len(runs):
        partner = partners[number]
        if partner >= 0:
            yield runs[number][0] + is_escaped(text, runs[number][0]), runs[partner][1]
        number = partner + 1 if partner >= 0 else number + 1
