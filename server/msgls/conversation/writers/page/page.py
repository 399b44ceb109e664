"""The structure of the page: its head, its table of contents, its messages.

Text inside messages is converted in ``prose`` and ``elements``.
"""

import base64
import hashlib
import json
import re
from collections.abc import Generator, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from msgls.conversation.conversation import EPOCH
from msgls.conversation.messages import (
    FileRefPart,
    ImagePart,
    MessagePart,
    TextPart,
    ThinkingPart,
    ToolCall,
    ToolCallPart,
    ToolResult,
    ToolResultPart,
)
from msgls.conversation.notebook_outputs import stream_runs
from msgls.conversation.writers.msgmd_cells import is_suppression
from msgls.conversation.writers.page.calls import arguments, as_json, summary_of
from msgls.conversation.writers.page.elements import (
    Safe,
    Say,
    code_block,
    element,
    image,
    image_at,
    joined,
    plain_block,
)
from msgls.conversation.writers.page.entries import Entry, entries_of, seen
from msgls.conversation.writers.page.prose import prose
from msgls.conversation.writers.page.style import style_sheet
from msgls.document.document import Document
from msgls.formats.msgmd.frontmatter import parse_frontmatter
from msgls.text.phrases import Phrase

_ROLES = {
    "system": Phrase("System"),
    "user": Phrase("User"),
    "assistant": Phrase("Assistant"),
    "tool": Phrase("Tool"),
}
_SIMPLE_ID = re.compile(r"[\w.-]{1,100}")
_IMAGE = re.compile(r"\s*!\[([^\]\n]*)\]\((data:image/[^()\s]+)\)\s*")
_MARKS = re.compile(r"[#>*`_~|]+|\[\^[^\[\]]*\]|\s+")
_ISO_TIME = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)")
_EXCERPT = 60
_MOST_LISTED = 400
_LINES_SHOWN = 30
_DEEPEST_RESULT = 8
# As many messages are written in a few milliseconds.
_STEP = 20
_TOO_DEEP = Phrase("… nested too deeply to be shown")


_ENDINGS = (".msg.md", ".messages.json", ".messages.jsonl", ".deltas.jsonl", ".session.jsonl")


def page_title(name: str, documents: Sequence[Document]) -> str:
    """The title of a page: from the frontmatter, or else the file's name without its ending."""
    first = documents[0].first_cell() if documents else None
    frontmatter = None if first is None else first.cell.frontmatter
    if first is not None and frontmatter is not None:
        title = parse_frontmatter(frontmatter.of(first.cell.text)).data.get("title")
        if isinstance(title, str) and title.strip():
            return title
    for ending in _ENDINGS:
        if name.endswith(ending):
            return name.removesuffix(ending)
    return name.rpartition(".")[0] or name


def page(
    title: str, documents: Sequence[Document], say: Say = str, everything: bool = False
) -> str:
    """A self-contained HTML page; ``say`` translates its own words.

    It shows what the model sees, or ``everything``.
    """
    entries = entries_of(documents)
    return page_of(title, entries if everything else seen(entries), say)


def page_of(title: str, entries: Sequence[Entry], say: Say = str) -> str:
    """The page for these entries."""
    return _Page(title, entries, say).write()


class Shown(NamedTuple):
    """A page in pieces, for a program that updates it while the document is edited."""

    header: Safe
    contents: Safe
    articles: list[tuple[int, Safe]]
    """Each with its line in the document, from 0."""


def preview(title: str, document: Document, say: Say) -> Generator[None, None, Shown]:
    """The pieces of a page for a document, with a pause after some messages."""
    shown = _Page(title, entries_of([document]), say)
    articles = []
    for number, article in enumerate(shown.articles()):
        articles.append(article)
        if number % _STEP == _STEP - 1:
            yield
    return Shown(shown.header(), shown.contents(), articles)


class _Page:
    def __init__(self, title: str, entries: Sequence[Entry], say: Say) -> None:
        self._title = title
        self._say = say
        self._entries = entries
        self._anchor_of = dict(_anchors(entries))
        self._anchors: dict[str, str] = {}
        self._times = dict(_times(entries))
        self._tools: dict[str, str] = {}
        self._results: dict[tuple[int, str], list[tuple[ToolResult, Entry]]] = {}
        """The results that are shown with their call, by message number and call id."""
        self._shown = list(self._without_results(entries))
        for entry in entries:
            for cell_id in _ids(entry):
                self._anchors.setdefault(cell_id, self._anchor_of[entry.number])

    def _without_results(self, entries: Sequence[Entry]) -> Iterator[Entry]:
        """The messages, without results that are shown with their calls."""
        callers: dict[str, Entry] = {}
        for entry in entries:
            found: list[tuple[int, str]] = []
            for part in entry.message.parts:
                if isinstance(part, ToolCallPart):
                    self._tools[part.payload.tool_call_id] = part.payload.tool_name
                    callers.setdefault(part.payload.tool_call_id, entry)
                elif isinstance(part, ToolResultPart):
                    caller = callers.get(part.payload.tool_call_id)
                    # A result is shown with its call only if both have the same visibility.
                    if caller is not None and caller.mark == entry.mark:
                        found.append((caller.number, part.payload.tool_call_id))
            if not found or len(found) < len(entry.message.parts):
                yield entry
                continue
            for key, part in zip(found, entry.message.parts, strict=True):
                if isinstance(part, ToolResultPart):
                    self._results.setdefault(key, []).append((part.payload, entry))
            self._anchor_of[entry.number] = self._anchor_of[found[0][0]]

    def write(self) -> str:
        """The whole page."""
        style = style_sheet()
        head = element(
            "head",
            element("meta", charset="utf-8"),
            element("meta", http_equiv="Content-Security-Policy", content=_policy(style)),
            element("meta", name="referrer", content="no-referrer"),
            element("meta", name="viewport", content="width=device-width, initial-scale=1"),
            element("meta", name="color-scheme", content="light dark"),
            element("meta", name="generator", content="msgls"),
            element("title", self._title),
            element("style", Safe(style)),
        )
        contents = self.contents()
        main = element("main", *[article for _, article in self.articles()])
        body = element("body", self.header(), contents, main, class_=None if contents else "single")
        language = self._say(Phrase("en"))
        return f"<!DOCTYPE html>\n{element('html', head, body, lang=language)}\n"

    # -- around the messages

    def header(self) -> Safe:
        """The title, and the numbers of messages and agents."""
        agents = {agent for entry in self._entries if (agent := entry.text("agent"))}
        counts = [self._count(len(self._entries))]
        if agents:
            several = Phrase("{count:,} agents", count=len(agents))
            one = Phrase("{count:,} agent", count=1)
            counts.append(self._say(one if len(agents) == 1 else several))
        title = element("h1", self._title, dir="auto", lang="")
        return element("header", title, element("p", " · ".join(counts)))

    def contents(self) -> Safe:
        """A table of contents; empty if there are fewer than two messages.

        In a long transcript, answers are not listed; messages of sub-agents never are.
        """
        listed = [entry for entry in self._shown if _is_listed(entry)]
        if len(listed) > _MOST_LISTED:
            listed = [entry for entry in listed if entry.kind != "assistant"]
        if len(listed) < 2:
            return Safe()
        items = joined([element("li", self._contents_link(entry)) for entry in listed])
        heading = element("h2", self._say(Phrase("Contents")), id="contents")
        return element(
            "nav", heading, element("ol", items), aria_labelledby="contents", tabindex="0"
        )

    def _contents_link(self, entry: Entry) -> Safe:
        words = entry.text("title") or _excerpt(entry)
        who = element("span", self._who(entry), class_=entry.kind)
        text = element("bdi", words, lang="") if words else Safe()
        between = " " if words else ""
        return element("a", who, between, text, href=f"#{self._anchor_of[entry.number]}")

    def articles(self) -> Iterator[tuple[int, Safe]]:
        """The preamble and the messages, each with its line."""
        for entry in self._entries[:1]:
            text = _preamble(entry)
            if text:
                prose = self._prose(text, below=1)
                yield 0, element("section", prose, class_="content", dir="auto", lang="")
        for level, run in groupby(self._shown, key=lambda entry: entry.level):
            if level:
                inner = list(run)
                yield inner[0].line, self._agents(inner, 1)
                continue
            for entry in run:
                yield entry.line, self._article(entry)
        if not self._entries:
            yield 0, element("p", self._say(Phrase("There are no messages.")), class_="about")

    def _agents(self, entries: Sequence[Entry], level: int) -> Safe:
        """The messages of a sub-agent, folded; those of its own sub-agents are nested in it."""
        agents = [entry.text("agent") for entry in entries if entry.level == level]
        name = next(filter(None, agents), "")
        title = entries[0].text("title")
        words: list[str] = [self._say(Phrase("Agent {name}", name=name)), " "] if name else []
        words += [element("bdi", title, class_="title", lang=""), " "] if title else []
        words.append(element("span", self._count(len(entries)), class_="about"))
        inside: list[Safe] = []
        for is_deeper, run in groupby(entries, key=lambda entry: entry.level > level):
            if is_deeper:
                inside.append(self._agents(list(run), level + 1))
            else:
                inside += [self._article(entry) for entry in run]
        return self._folded(words, joined(inside), "agents")

    def _count(self, messages: int) -> str:
        several = Phrase("{count:,} messages", count=messages)
        return self._say(Phrase("{count:,} message", count=1) if messages == 1 else several)

    # -- a message

    def _article(self, entry: Entry) -> Safe:
        anchor = self._anchor_of[entry.number]
        classes = entry.kind + (" unseen" if entry.mark else "")
        content = joined(self._content(entry))
        return element(
            "article",
            self._head(entry, anchor),
            element("div", content, class_="content", dir="auto", lang=""),
            id=anchor,
            class_=classes,
            aria_labelledby=f"{anchor}-head",
        )

    def _head(self, entry: Entry, anchor: str) -> Safe:
        title = entry.text("title")
        named = element("bdi", title, class_="title", lang="") if title else Safe()
        role = element("bdi", self._who(entry), class_="role")
        heading = element("h2", role, " " if title else "", named, id=f"{anchor}-head")
        name = entry.text("id") or str(entry.number)
        about = [element("a", f"#{name}", href=f"#{anchor}", class_="about anchor")]
        time = self._times.get(entry.number)
        if time:
            about.append(_time(time))
        if entry.mark:
            about.append(element("span", self._mark(entry.mark), class_="mark"))
        return element("div", heading, *about, class_="head")

    def _content(self, entry: Entry) -> Iterator[Safe]:
        reasoning = entry.text("reasoning")
        if reasoning:
            yield self._prose(reasoning)
        for part in entry.message.parts:
            yield self._part(part, entry)

    def _part(self, part: MessagePart, entry: Entry, depth: int = 0) -> Safe:
        match part:
            case TextPart():
                return self._text(part.payload.text, entry, depth)
            case ThinkingPart():
                words = [self._say(Phrase("Reasoning"))]
                return self._folded(words, self._prose(part.payload.text))
            case ToolCallPart():
                return self._call(part.payload, entry)
            case ImagePart():
                alt = self._alt(entry)
                source = part.payload
                if source.data is not None:
                    return element("p", image(source.mime_type, source.data, alt, self._say))
                return element("p", image_at(source.url or "", alt, self._say))
            case FileRefPart():
                label = self._say(Phrase("File:"))
                return element("p", label, " ", element("code", part.payload.path))
            case _:
                return self._result(part.payload, entry, depth)

    def _call(self, call: ToolCall, entry: Entry) -> Safe:
        """A call with its results: folded, with a summary in one line."""
        results = self._results.get((entry.number, call.tool_call_id), [])
        words: list[str] = [element("code", call.tool_name)]
        about = summary_of(call)
        words += [" ", element("bdi", about, class_="gist", lang="")] if about else []
        words += self._outcome(results)
        inside, images = [arguments(call)], list[Safe]()
        for result, owner in results:
            content, pictures = self._result_content(result, owner, 0)
            inside += [element("p", self._say(Phrase("Result")), class_="label"), content]
            images += pictures
        return joined([self._folded(words, joined(inside)), *images])

    def _outcome(self, results: Sequence[tuple[ToolResult, Entry]]) -> Iterator[str]:
        """Whether a call failed, and how long it took."""
        if any(result.is_error for result, _ in results):
            yield element("span", " ", self._say(Phrase("failed")), class_="failed")
        for _, entry in results:
            duration = entry.text("duration")
            if duration:
                yield f" · {duration}"

    def _result(self, result: ToolResult, entry: Entry, depth: int) -> Safe:
        """A result whose call is not on the page, or has another visibility."""
        name = self._tools.get(result.tool_call_id)
        call = element("code", name) if name else result.tool_call_id
        words = [self._say(Phrase("Result of")), " ", call, *self._outcome([(result, entry)])]
        content, images = self._result_content(result, entry, depth)
        return joined([self._folded(words, content), *images])

    def _result_content(
        self, result: ToolResult, entry: Entry, depth: int
    ) -> tuple[Safe, list[Safe]]:
        """The content of a result: what is folded, and the images, which are not."""
        content = result.content
        if isinstance(content, str):
            return code_block(content, "json" if _is_json(content) else ""), []
        if isinstance(content, Mapping):
            return code_block(as_json(content), "json"), []
        if depth >= _DEEPEST_RESULT:
            return element("p", self._say(_TOO_DEEP), class_="inert"), []
        folded, images = list[Safe](), list[Safe]()
        for part in content:
            # In a message file, an image in a result is Markdown.
            written = _IMAGE.fullmatch(part.payload.text) if isinstance(part, TextPart) else None
            if written is not None:
                images.append(element("p", image_at(written[2], written[1], self._say)))
            elif isinstance(part, ImagePart):
                images.append(self._part(part, entry))
            else:
                folded.append(self._part(part, entry, depth=depth + 1))
        return joined(folded), images

    def _text(self, text: str, entry: Entry, depth: int) -> Safe:
        if entry.meta.get("executionOf") is not None:
            return self._output(text)
        if entry.defined_agent:
            return code_block(text, "yaml")
        if entry.text("type") == "raw" or entry.message.role == "tool" or depth:
            return plain_block(text, self._say(Phrase("Text")), "wrapped")
        # Line breaks are kept in what was typed into a chat; a message file is Markdown.
        is_typed = entry.message.role in ("user", "system") and "type" not in entry.meta
        return self._prose(text, breaks=is_typed)

    def _prose(self, text: str, breaks: bool = False, below: int = 2) -> Safe:
        return prose(text, self._anchors, self._say, breaks=breaks, below=below)

    # -- words

    def _who(self, entry: Entry) -> str:
        run = entry.meta.get("executionOf")
        if run is not None:
            number = entry.meta.get("n", "")
            return self._say(Phrase("Output {number} of {code}", number=number, code=run))
        if entry.defined_agent:
            return self._say(Phrase("Agent {name}", name=entry.defined_agent))
        agent = entry.text("agent") or entry.text("name")
        if entry.message.role == "assistant" and agent:
            return agent
        own_role = entry.text("role")
        return own_role.capitalize() if own_role else self._say(_ROLES[entry.message.role])

    def _alt(self, entry: Entry) -> str:
        name = entry.text("title")
        who = self._who(entry)
        return f"{who}: {name}" if name else self._say(Phrase("Image, {who}", who=who))

    def _mark(self, mark: str) -> str:
        return self._say(mark).replace("`", "")

    # -- blocks

    def _folded(self, words: Sequence[str], content: Safe, class_: str | None = None) -> Safe:
        inside = element("div", content, class_="content")
        return element("details", element("summary", *words), inside, class_=class_)

    def _output(self, text: str) -> Safe:
        """The output of a run, by stream; folded if it is long."""
        runs = stream_runs(text) or [("stdout", [""])]
        blocks = joined([self._stream(stream, "\n".join(lines)) for stream, lines in runs])
        count = sum(len(lines) for _, lines in runs)
        if count <= _LINES_SHOWN:
            return blocks
        return self._folded([self._say(Phrase("{count:,} lines", count=count))], blocks)

    def _stream(self, stream: str, text: str) -> Safe:
        if stream == "stdout":
            return plain_block(text, self._say(Phrase("Standard output")))
        label = element("p", "stderr", class_="label stderr-label")
        return joined([label, plain_block(text, self._say(Phrase("Standard error")), "stderr")])


def _policy(style: str) -> str:
    """The content security policy: only this style sheet, and images in ``data:`` URLs."""
    digest = base64.b64encode(hashlib.sha256(style.encode("utf-8")).digest()).decode("ascii")
    return (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


# -- names ----------------------------------------------------------------------------------


def _anchors(entries: Sequence[Entry]) -> Iterator[tuple[int, str]]:
    """An anchor for every message: made from its id, if that is suitable and unused."""
    taken: set[str] = set()
    for entry in entries:
        own = entry.text("id")
        anchor = f"cell-{own}" if _SIMPLE_ID.fullmatch(own) else ""
        if not anchor or anchor in taken:
            anchor = f"message-{entry.number}"
        taken.add(anchor)
        yield entry.number, anchor


def _ids(entry: Entry) -> Iterator[str]:
    """The ids of the cells of a message."""
    yield entry.text("id")
    for part in entry.message.parts:
        if isinstance(part, ToolCallPart):
            yield part.payload.tool_call_id


def _is_listed(entry: Entry) -> bool:
    """Whether a message is in the table of contents: not if it is only calls and thoughts."""
    if entry.kind == "tool" or entry.level:
        return False
    parts = entry.message.parts
    has_content = any(not isinstance(part, ToolCallPart | ThinkingPart) for part in parts)
    return has_content or bool(entry.text("title"))


def _excerpt(entry: Entry) -> str:
    for part in entry.message.parts:
        if isinstance(part, TextPart):
            text = part.payload.text
            if entry.text("type") == "code":
                text = text.partition("\n")[2]
            words = _MARKS.sub(" ", text[: _EXCERPT * 4]).strip()
            return words if len(words) <= _EXCERPT else words[:_EXCERPT].rstrip() + "…"
        if isinstance(part, ToolCallPart):
            return part.payload.tool_name
    return ""


def _times(entries: Sequence[Entry]) -> Iterator[tuple[int, str]]:
    """The times of messages, except where it is that of the message above."""
    before = EPOCH
    for entry in entries:
        if entry.message.timestamp not in (before, EPOCH):
            yield entry.number, entry.message.timestamp
        before = entry.message.timestamp


def _time(written: str) -> Safe:
    """A time as people read it, in the zone that it was written in."""
    found = _ISO_TIME.fullmatch(written)
    if found is None:
        return element("span", written, class_="about")
    day, minute, zone = found.groups()
    shown = f"{day} {minute} {'UTC' if zone == 'Z' else zone}"
    return element("time", shown, datetime=written, class_="about")


def _preamble(entry: Entry) -> str:
    about = entry.meta.get("file")
    text = about.get("preamble") if isinstance(about, Mapping) else None
    if not isinstance(text, str):
        return ""
    return "\n".join([line for line in text.split("\n") if not is_suppression(line)]).strip("\n")


def _is_json(text: str) -> bool:
    if not text.lstrip().startswith(("{", "[")):
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
