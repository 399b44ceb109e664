"""YAML to a tree that knows its places, within bounds, without raising.

Owns the composing of YAML into nodes, the data that goes with them, and the
problems of the YAML itself. Knows nothing of agents or sections: ``frontmatter``
reads those. PyYAML is imported on first use.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from msgls.text.patterns import lazy_pattern
from msgls.text.phrases import Phrase
from msgls.text.spans import Span

if TYPE_CHECKING:
    import yaml


MAX_NODES = 10_000
"""How many values a block may hold, each alias counted as all that it stands for."""
MAX_DEPTH = 50
"""How deep values may nest, seen through aliases."""
MAX_TYPED_LENGTH = 1_000
"""A longer scalar is text: PyYAML's reading of numbers like ``1:59:59`` is quadratic."""

NodeKind = Literal["scalar", "mapping", "sequence"]
ProblemKind = Literal["invalid-yaml", "not-a-mapping", "not-closed", "duplicate-key"]


@dataclass(frozen=True, slots=True)
class YamlNode:
    """One YAML value and its place.

    The span of a block ends with its last value, not where the next token starts.
    An alias has the span of the alias and the contents of what it stands for, so
    its members lie elsewhere.
    """

    kind: NodeKind
    span: Span
    text: str = ""
    """A scalar's text, before it is taken for a number, a date, …"""
    value: object = None
    """A scalar's value by YAML's safe rules."""
    items: tuple[tuple[YamlNode, YamlNode], ...] = ()
    """A mapping's keys and values as written, without the merge keys."""
    merges: tuple[YamlNode, ...] = ()
    """The values of a mapping's merge keys (``<<``)."""
    elements: tuple[YamlNode, ...] = ()
    """A sequence's values."""
    is_alias: bool = False
    is_cut: bool = False
    """Whether the YAML breaks inside of it, so that it may lack something."""

    @property
    def is_null(self) -> bool:
        """Whether this is YAML's null, or nothing at all."""
        return self.kind == "scalar" and self.value is None

    def plain(self) -> object:
        """The value as lists, dicts and scalars; of equal keys the last one counts."""
        if self.kind == "scalar":
            return self.value
        if self.kind == "sequence":
            return [element.plain() for element in self.elements]
        pairs = [*merged_items(self), *self.items]
        return {key.value: value.plain() for key, value in pairs if key.kind == "scalar"}


@dataclass(frozen=True, slots=True)
class FrontmatterProblem:
    """A problem of the YAML itself."""

    kind: ProblemKind
    span: Span
    detail: str = ""
    """The reason, for ``invalid-yaml``; the key for ``duplicate-key``."""
    related: Span | None = None
    """The first of two equal keys."""


# ---------------------------------------------------------------------------
# YAML to a tree


class Reading(NamedTuple):
    """What a block says: the tree, the data, and what is wrong with it."""

    root: YamlNode | None
    data: object
    problems: list[FrontmatterProblem]
    complete: bool


def read_mapping(source: str, base: int) -> Reading:
    """Read ``source``, which starts ``base`` code points into the block, as a mapping."""
    if not source.strip(" \t\r\n"):
        return Reading(None, None, [], complete=True)
    from frontmatter.default_handlers import YAMLHandler

    composer = _Composer(source, base)
    data = YAMLHandler().load(composer.source, Loader=lambda _stream: composer)
    root, problems = composer.root, composer.problems
    if root is not None and root.kind != "mapping":
        if not root.is_null and composer.complete:
            problems.append(FrontmatterProblem("not-a-mapping", root.span))
        root = None
    problems.sort(key=lambda problem: problem.span)
    return Reading(root, data, problems, composer.complete)


# YAML 1.1, which PyYAML reads, ends lines at these; for us they are ordinary. And
# libyaml swallows a leading U+FEFF without counting it.
_REINTERPRETED = r"\x85\u2028\u2029\ufeff"
_REFUSED = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff"
_REFUSED_CHARACTER = lazy_pattern(f"[{_REFUSED}]")
_NEEDS_STAND_IN = lazy_pattern(f"[{_REINTERPRETED}{_REFUSED}]")
_PRIVATE_USE = (range(0xF0000, 0xFFFFE), range(0x100000, 0x10FFFE))
_REPLACEMENT = 0xFFFD


def _stand_ins(source: str) -> dict[int, int]:
    """Private-use characters, not in ``source``, for those that PyYAML misreads or refuses.

    One for one, so that every position stays what it is.
    """
    wanted = set(_NEEDS_STAND_IN.findall(source))
    if not wanted:
        return {}
    used = set(source)
    free = (code for plane in _PRIVATE_USE for code in plane if chr(code) not in used)
    return {ord(character): next(free, _REPLACEMENT) for character in sorted(wanted)}


class _RefusedError(Exception):
    """The block goes beyond a limit, or is not one document of sound aliases."""

    def __init__(self, span: Span, text: Phrase) -> None:
        super().__init__(text)
        self.span = span
        self.text = text


class _Made(NamedTuple):
    """A finished value: PyYAML's node, from which data is made, and ours."""

    raw: yaml.Node
    tree: YamlNode
    size: int
    height: int


@dataclass(slots=True)
class _Open:
    """A collection whose end is yet to come."""

    event: Any
    is_mapping: bool
    members: list[_Made] = field(default_factory=list)


_TAG = "tag:yaml.org,2002:"
_TEXT_TAG = _TAG + "str"
_MERGE_TAG = _TAG + "merge"
_KEY_TAGS = (_MERGE_TAG, _TAG + "value")
# What PyYAML's constructors let through on a value that its tag does not fit.
_VALUE_ERRORS = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


_UNFIT = {
    "int": Phrase("this is not a whole number"),
    "float": Phrase("this is not a number"),
    "bool": Phrase("this must be true or false"),
    "timestamp": Phrase("there is no such date"),
    "binary": Phrase("this is not base64"),
}


def _too_deep() -> Phrase:
    return Phrase("nested deeper than {count} levels", count=str(MAX_DEPTH))


class _Composer:
    """Composes the tree from parser events, without recursion, and makes the data from it.

    It has the methods that ``yaml.load`` requires of a loader. Where the YAML breaks, what was read
    so far stays, closed as it is.
    """

    def __init__(self, source: str, base: int) -> None:
        import yaml

        # libyaml's event marks count code points, as the pure parser's do.
        loader_class: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        stand_ins = _stand_ins(source)
        self.source = source.translate(stand_ins) if stand_ins else source
        self.root: YamlNode | None = None
        self.problems: list[FrontmatterProblem] = []
        self.complete = True
        self._yaml = yaml
        self._originals = {s: c for c, s in stand_ins.items() if s != _REPLACEMENT}
        self._base = base
        self._loader = loader_class(self.source)
        self._frames: list[_Open] = []
        self._anchors: dict[str, _Made | None] = {}
        self._size = 0
        if stand_ins:
            self._refuse_characters(source)

    def get_single_data(self) -> object:
        """The data, or ``None`` where there is a problem with the YAML."""
        made = self._compose()
        if made is None:
            return None
        self.root = made.tree
        if any(problem.kind == "invalid-yaml" for problem in self.problems):
            return None
        try:
            return self._loader.construct_document(made.raw)
        except self._yaml.YAMLError as error:
            self._report(error)
        except _VALUE_ERRORS:
            self._invalid(made.tree.span, Phrase("a value does not fit its tag"))
        return None

    def dispose(self) -> None:
        """Release the parser."""
        self._loader.dispose()

    # -- events to nodes

    def _compose(self) -> _Made | None:
        root: _Made | None = None
        try:
            for made in self._finished_nodes():
                root = made
        except _RefusedError as refused:
            self._invalid(refused.span, refused.text)
        except self._yaml.YAMLError as error:
            self._report(error)
        except UnicodeDecodeError:
            # libyaml lets a surrogate pass in an escaped tag, and does not say where.
            self._invalid(self._span(0, len(self.source.rstrip())), Phrase("a tag is not UTF-8"))
        else:
            return root
        self.complete = False
        return self._close_all() or root

    def _close_all(self) -> _Made | None:
        """What there is of the root, where the rest of it cannot be read."""
        made: _Made | None = None
        while self._frames:
            made = self._close(None)
            if self._frames:
                self._frames[-1].members.append(made)
        return made

    def _finished_nodes(self) -> Iterator[_Made]:
        """The root of each document, as soon as it is complete."""
        events, frames, next_event = self._yaml.events, self._frames, self._loader.get_event
        scalar, mapping_start = events.ScalarEvent, events.MappingStartEvent
        ends = (events.MappingEndEvent, events.SequenceEndEvent)
        seen_document = False
        # The event that ends the stream is the only one that is followed by none.
        while (event := next_event()) is not None:
            kind = type(event)
            if kind is scalar:
                made = self._scalar(event)
            elif kind is mapping_start or kind is events.SequenceStartEvent:
                self._open(event, kind is mapping_start)
                continue
            elif kind in ends:
                made = self._close(event)
            elif kind is events.AliasEvent:
                made = self._alias(event)
            elif kind is events.DocumentStartEvent and seen_document:
                where = self._place(event.start_mark.index)
                raise _RefusedError(where, Phrase("`---` starts a second document"))
            else:
                seen_document = seen_document or kind is events.DocumentStartEvent
                continue
            if frames:
                frames[-1].members.append(made)
            else:
                yield made

    def _scalar(self, event: Any) -> _Made:
        text: str = event.value
        if self._originals:
            text = text.translate(self._originals)
        tag = self._scalar_tag(event, text)
        start, end = event.start_mark.index, event.end_mark.index
        if event.style in ("|", ">"):
            # The mark is after the blank lines that follow.
            end = start + len(self.source[start:end].rstrip(" \t\r\n"))
        span = Span(self._base + start, self._base + end)
        raw = self._yaml.ScalarNode(tag, text, event.start_mark, event.end_mark, event.style)
        is_text = tag == _TEXT_TAG or tag in _KEY_TAGS
        value = text if is_text else self._construct_scalar(raw, span)
        made = _Made(raw, YamlNode("scalar", span, text, value), 1, 1)
        self._count(1, span)
        if event.anchor is not None:
            self._anchors[event.anchor] = made
        return made

    def _scalar_tag(self, event: Any, text: str) -> str:
        tag: str | None = event.tag
        if len(text) > MAX_TYPED_LENGTH:
            return _TEXT_TAG
        if tag is None or tag == "!":
            if not event.implicit[0]:
                return _TEXT_TAG
            tag = self._loader.resolve(self._yaml.ScalarNode, text, event.implicit)
        # `<<` and `=` mean something as a key only.
        return _TEXT_TAG if tag in _KEY_TAGS and not self._expects_key() else tag

    def _expects_key(self) -> bool:
        frame = self._frames[-1] if self._frames else None
        return frame is not None and frame.is_mapping and len(frame.members) % 2 == 0

    def _construct_scalar(self, raw: yaml.ScalarNode, span: Span) -> object:
        """The scalar's value; its text, and a problem, where its tag does not fit it."""
        try:
            value: object = self._loader.construct_object(raw)
        except self._yaml.YAMLError as error:
            self._invalid(span, explain(self.source, error).text)
            return raw.value
        except _VALUE_ERRORS:
            tag = raw.tag.removeprefix(_TAG)
            self._invalid(span, _UNFIT.get(tag) or Phrase("a value does not fit its tag"))
            return raw.value
        # A collection's tag on a scalar: constructing the document will refuse it.
        return raw.value if isinstance(value, (list, dict, set)) else value

    def _alias(self, event: Any) -> _Made:
        span = self._span(event.start_mark.index, event.end_mark.index)
        if event.anchor not in self._anchors:
            text = Phrase(
                "unknown alias `*{name}`: there is no `&{name}` before it", name=event.anchor
            )
            raise _RefusedError(span, text)
        target = self._anchors[event.anchor]
        if target is None:
            text = Phrase(
                "the alias `*{name}` refers to a value that contains it", name=event.anchor
            )
            raise _RefusedError(span, text)
        self._count(target.size, span)
        if len(self._frames) + target.height > MAX_DEPTH:
            raise _RefusedError(span, _too_deep())
        return target._replace(tree=replace(target.tree, span=span, is_alias=True))

    def _open(self, event: Any, is_mapping: bool) -> None:
        span = self._place(event.start_mark.index)
        if len(self._frames) >= MAX_DEPTH:
            raise _RefusedError(span, _too_deep())
        self._count(1, span)
        if event.anchor is not None:
            self._anchors[event.anchor] = None
        self._frames.append(_Open(event, is_mapping))

    def _close(self, end_event: Any) -> _Made:
        """The innermost open collection; with no event, as far as it came."""
        frame = self._frames.pop()
        start_event, members = frame.event, frame.members
        if frame.is_mapping and len(members) % 2:
            # The YAML breaks after a colon: the key is there, and its value is not.
            nothing = YamlNode("scalar", Span(members[-1].tree.span.end, members[-1].tree.span.end))
            members.append(members[-1]._replace(tree=nothing))
        start = self._base + start_event.start_mark.index
        end = members[-1].tree.span.end if members else start
        if end_event is not None and start_event.flow_style:
            end = self._base + end_event.end_mark.index
        span = Span(start, end)
        build = self._mapping if frame.is_mapping else self._sequence
        raw, tree = build(start_event, members, span)
        if end_event is None:
            tree = replace(tree, is_cut=True)
        size = 1 + sum(member.size for member in members)
        height = 1 + max((member.height for member in members), default=0)
        made = _Made(raw, tree, size, height)
        if start_event.anchor is not None:
            self._anchors[start_event.anchor] = made
        return made

    def _sequence(self, event: Any, members: list[_Made], span: Span) -> tuple[yaml.Node, YamlNode]:
        tag = _TAG + "seq" if event.tag in (None, "!") else event.tag
        raw = self._yaml.SequenceNode(
            tag, [member.raw for member in members], event.start_mark, event.end_mark
        )
        return raw, YamlNode("sequence", span, elements=tuple(m.tree for m in members))

    def _mapping(self, event: Any, members: list[_Made], span: Span) -> tuple[yaml.Node, YamlNode]:
        tag = _TAG + "map" if event.tag in (None, "!") else event.tag
        pairs = list(zip(members[::2], members[1::2], strict=True))
        raw = self._yaml.MappingNode(
            tag, [(key.raw, value.raw) for key, value in pairs], event.start_mark, event.end_mark
        )
        items = tuple((k.tree, v.tree) for k, v in pairs if k.raw.tag != _MERGE_TAG)
        merges = tuple(v.tree for k, v in pairs if k.raw.tag == _MERGE_TAG)
        self._find_duplicates(items)
        return raw, YamlNode("mapping", span, items=items, merges=merges)

    def _find_duplicates(self, items: tuple[tuple[YamlNode, YamlNode], ...]) -> None:
        first_keys: dict[object, YamlNode] = {}
        for key, _ in items:
            if key.kind == "scalar":
                first = first_keys.setdefault(key.value, key)
                if first is not key:
                    self.problems.append(
                        FrontmatterProblem("duplicate-key", key.span, key.text, first.span)
                    )

    # -- limits, places and problems

    def _count(self, nodes: int, span: Span) -> None:
        self._size += nodes
        if self._size > MAX_NODES:
            text = Phrase("more than {count} values, with aliases expanded", count=str(MAX_NODES))
            raise _RefusedError(span, text)

    def _span(self, start: int, end: int) -> Span:
        return Span(self._base + start, self._base + end)

    def _place(self, index: int) -> Span:
        """The character at ``index``, also a tab, or else the last visible one before it."""
        at = self.source[index : index + 1]
        if at != "\t" and not at.strip():
            index = max(0, len(self.source[:index].rstrip()) - 1)
        return self._span(index, min(index + 1, len(self.source)))

    def _invalid(self, span: Span, text: Phrase) -> None:
        if self._originals:
            args = {key: str(arg).translate(self._originals) for key, arg in text.args.items()}
            text = Phrase(text.template, **args)
        self.problems.append(FrontmatterProblem("invalid-yaml", span, text))

    def _report(self, error: yaml.YAMLError) -> None:
        explained = explain(self.source, error)
        self._invalid(self._place(explained.offset), explained.text)

    def _refuse_characters(self, source: str) -> None:
        match = _REFUSED_CHARACTER.search(source)
        if match:
            name = f"U+{ord(match.group()):04X}"
            text = Phrase("the character {name} is not allowed in YAML", name=name)
            self._invalid(self._span(match.start(), match.end()), text)


def merged_items(mapping: YamlNode) -> Iterator[tuple[YamlNode, YamlNode]]:
    """What merge keys bring in, in the order in which a later one replaces an earlier one."""
    for merge in mapping.merges:
        sources = reversed(merge.elements) if merge.kind == "sequence" else (merge,)
        for source in sources:
            yield from merged_items(source)
            yield from source.items


# -- What is wrong with YAML, in our words.
# Owns the way from an error of PyYAML, whose two parsers say the same thing in different words,
# to a sentence that a person can act on, and to the place where it helps most: a quote that is
# never closed is shown where it opens.

_LINE_BREAKS = "\r\n"
_QUOTES = "'\""
_CLOSING = "]}"
_PAIRS = {"[": "]", "{": "}"}
_NOT_YAML = Phrase("this is not allowed here")


class Explained(NamedTuple):
    """An error in our words, and the offset that it is shown at."""

    offset: int
    text: Phrase


class _Error(NamedTuple):
    """What a parser says, without the differences between the parsers."""

    source: str
    problem: str
    context: str
    at: int
    """Where the parser stopped."""
    opened: int
    """Where the thing begins that it was reading."""

    @property
    def character(self) -> str:
        return self.source[self.at : self.at + 1]

    @property
    def line_before(self) -> str:
        """What is before it on its line."""
        before = self.source[: self.at]
        return before[max(before.rfind("\n"), before.rfind("\r")) + 1 :]

    @property
    def is_at_end(self) -> bool:
        return not self.source[self.at :].strip()

    def has(self, *words: str) -> bool:
        return any(word in self.problem for word in words)


def explain(source: str, error: yaml.YAMLError) -> Explained:
    """An error of either parser on ``source``."""
    mark = getattr(error, "problem_mark", None)
    opened = getattr(error, "context_mark", None)
    at = mark.index if mark else 0
    found = _Error(
        source,
        getattr(error, "problem", None) or str(error),
        getattr(error, "context", None) or "",
        at,
        opened.index if opened else at,
    )
    for look in (_tabs, _quotes, _brackets, _keys, _starts, _others):
        explained = look(found)
        if explained is not None:
            return explained
    return Explained(at, _NOT_YAML)


def _tabs(error: _Error) -> Explained | None:
    if error.character == "\t" and error.has("token", "tab"):
        text = Phrase("a tab is not allowed here: indent YAML with spaces")
        return Explained(error.at, text)
    return None


def _quotes(error: _Error) -> Explained | None:
    if "quoted scalar" not in error.context:
        return None
    if error.has("end of stream", "document indicator"):
        return Explained(error.opened, Phrase("this quote is never closed"))
    if error.has("unknown escape"):
        at = error.at - (error.character != "\\")
        escape = error.source[at : at + 2]
        text = Phrase(
            "`{escape}` is not an escape: in single quotes it is kept as written", escape=escape
        )
        return Explained(at, text)
    if error.has("hexdecimal", "hexadecimal"):
        text = Phrase("hexadecimal digits are missing in this escape")
        return Explained(error.at, text)
    return None


def _brackets(error: _Error) -> Explained | None:
    bracket = error.source[error.opened : error.opened + 1]
    if error.context.startswith("while parsing a flow") and bracket in _PAIRS:
        is_later_line = any(b in error.source[error.opened : error.at] for b in _LINE_BREAKS)
        if error.is_at_end or (error.character == ":" and is_later_line):
            return Explained(error.opened, Phrase("`{bracket}` is never closed", bracket=bracket))
        closing = _PAIRS[bracket]
        text = Phrase("a comma or `{closing}` is missing before this", closing=closing)
        return Explained(error.at, text)
    if error.has("node content"):
        if error.is_at_end:
            return Explained(error.at, Phrase("a bracket is never closed"))
        return Explained(error.at, _needs_quotes(error.character))
    return None


def _keys(error: _Error) -> Explained | None:
    if error.context == "while scanning a simple key":
        # The parser notices on a later line that this one lacks its colon.
        return Explained(error.opened, Phrase("`:` is missing after this key"))
    if error.has("mapping values are not allowed"):
        if ": " in error.line_before:
            return Explained(error.at, Phrase("a value that contains `: ` needs quotes"))
        text = Phrase("a key is not allowed here: check its indentation and the line above")
        return Explained(error.at, text)
    if error.context in ("while parsing a block mapping", "while parsing a block collection"):
        before = error.line_before.rstrip(" \t")[-1:]
        if before and before in _QUOTES:
            text = Phrase("this follows the closing quote: write a quote inside twice")
        elif before and before in _CLOSING:
            text = Phrase("this follows the closing bracket")
        elif error.context.endswith("collection"):
            text = Phrase("`- ` is missing here, or the indentation is wrong")
        else:
            text = Phrase("a key is expected here: check the indentation")
        return Explained(error.at, text)
    if error.has("sequence entries are not allowed"):
        return Explained(error.at, Phrase("a list must start on its own line"))
    return None


def _starts(error: _Error) -> Explained | None:
    """Characters that mean something at the start of a value, and were not meant to."""
    if error.has("cannot start any token"):
        return Explained(error.at, _needs_quotes(error.character))
    if error.context.endswith((" alias", " anchor", " tag", " directive", " %TAG directive")):
        opening = error.source[error.opened : error.opened + 1]
        return Explained(error.opened, _needs_quotes(opening))
    if "block scalar" in error.context:
        text = Phrase("only `+`, `-`, a digit or a comment may follow `|` or `>`")
        return Explained(error.at, text)
    if error.source[error.at : error.at + 1] == "%" or error.source.startswith("%"):
        return Explained(error.at, _needs_quotes("%"))
    return None


def _others(error: _Error) -> Explained | None:
    if error.has("constructor for the tag"):
        tag = error.problem.partition("'")[2].rstrip("'").replace("tag:yaml.org,2002:", "!!")
        return Explained(error.at, Phrase("the tag `{tag}` is not known", tag=tag))
    if error.has("unhashable key"):
        return Explained(error.at, Phrase("a list or a mapping cannot be a key"))
    if error.has("for merging"):
        return Explained(error.at, Phrase("`<<` takes a mapping, or a list of mappings"))
    if error.has("document start"):
        return Explained(error.at, Phrase("this follows the end of the document"))
    if error.has("node, but found", "a sequence, but found", "a mapping of length", "ordered map"):
        return Explained(error.at, Phrase("the tag does not fit its value"))
    return None


def _needs_quotes(character: str) -> Phrase:
    return Phrase("`{character}` cannot begin a value: put it in quotes", character=character)
