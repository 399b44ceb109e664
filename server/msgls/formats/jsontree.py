r"""JSON with positions: where each key and value of a text is, however broken it is.

Owns the way from a *path* (``("agents", 0, "name")``) to spans and back, and the places where a
text is not strict JSON. A text that ``json`` accepts has no errors; one that it refuses has at
least one, and a tree of all that can be made out anyway.

Spans are code points of the text that was given. Of keys that are there twice the last
one counts, as ``json`` has it, and both are listed. What is nested deeper than
``DEEPEST`` is one opaque value. Lone surrogates and a byte-order mark at the start are
no errors.

tree-sitter reads the text, in time linear in it as long as it is JSON; how it mends what is
not takes longer the more there is. Of a long text, therefore, it is given what is before
the first error and some way after it; what follows is not looked at until that is mended.
It takes time to load, which is done for the first tree; a valid text needs none.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from msgls.formats.strictjson import NoConstant, json_reason, strict_loads
from msgls.text.patterns import HALVES, lazy_pattern
from msgls.text.phrases import Phrase
from msgls.text.spans import Span

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

DEEPEST = 500
_MOST_ERRORS = 100
_BOM = "\ufeff"
_LONG = 32_768
_BEHIND_ERROR = 8_192
_EDGE = 64
_BLANKS = " \t\r\n"

Path = tuple[str | int, ...]

_BEYOND_ASCII = lazy_pattern("[^\0-\x7f]")
_SIGNED_EXPONENT = lazy_pattern(r"[0-9][eE]\+[0-9]")
_STRING_OR_NUMBER = lazy_pattern(r'"(?:[^"\\]|\\.)*"|(?<![0-9])-?[0-9]+(?:\.[0-9]+)?[eE]\+[0-9]+')
_WORD = lazy_pattern(r"[\w.+\-]+")
_ESCAPE = lazy_pattern(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\."
)


class JsonError(NamedTuple):
    """A place where a text is not strict JSON."""

    span: Span
    reason: str


class JsonValue:
    """A value and where it is. An object has ``members``, an array has ``items``."""

    __slots__ = ("items", "kind", "members", "span")

    def __init__(self, kind: str, span: Span) -> None:
        self.kind = kind
        """``object``, ``array``, ``string``, ``number``, ``true``, ``false``, ``null``;
        ``missing`` where one is expected and none is there."""
        self.span = span
        self.members: list[Member] = []
        self.items: list[JsonValue] = []

    def __repr__(self) -> str:
        return f"JsonValue({self.kind}, {self.span})"

    @property
    def inside(self) -> Span:
        """A string without its quotes; all else as it is."""
        start, end = self.span
        return Span(start + 1, end - 1) if self.kind == "string" and end - start > 1 else self.span

    def member(self, key: str) -> Member | None:
        """The member of that name; of two, the last one."""
        for member in reversed(self.members):
            if member.key == key:
                return member
        return None

    def walk(self) -> Iterator[JsonValue]:
        """This value and all in it, the outer ones first."""
        todo = [self]
        while todo:
            value = todo.pop()
            yield value
            todo += [member.value for member in reversed(value.members)]
            todo += reversed(value.items)


class Member(NamedTuple):
    """A key of an object with its value."""

    key: str
    key_span: Span
    """With its quotes."""
    value: JsonValue

    @property
    def span(self) -> Span:
        """Key, colon and value."""
        return Span(self.key_span.start, max(self.value.span.end, self.key_span.end))


class Found(NamedTuple):
    """The value at a path."""

    value: JsonValue
    key_span: Span | None
    """The key before it, where it is a member of an object."""


class JsonTree:
    """The values of a text; there may be several at the top, as in JSONL."""

    def __init__(
        self, text: str, roots: Sequence[JsonValue], syntax_errors: Sequence[JsonError]
    ) -> None:
        self.text = text
        self.roots = tuple(roots)
        self.syntax_errors = tuple(syntax_errors)
        """The errors that tree-sitter found."""

    @property
    def root(self) -> JsonValue | None:
        """The first value."""
        return self.roots[0] if self.roots else None

    @property
    def errors(self) -> tuple[JsonError, ...]:
        """Where the text is not strict JSON, in order; nothing where it is."""
        strict = strict_error(self.text)
        if strict is None:
            return ()
        near = [e for e in self.syntax_errors if e.span.start <= strict.span.start <= e.span.end]
        others = [error for error in self.syntax_errors if error not in near]
        # The strict reader knows best where it begins; what comes later only the tree knows.
        later = [error for error in others if error.span.start > strict.span.end]
        return (strict, *later)

    def find(self, path: Path) -> Found | None:
        """The value at ``path``, from the first value on; ``None`` if there is none."""
        value = self.root
        key_span = None
        if value is None:
            return None
        for step in path:
            key_span = None
            if isinstance(step, int):
                if not 0 <= step < len(value.items):
                    return None
                value = value.items[step]
            else:
                member = value.member(step)
                if member is None:
                    return None
                value, key_span = member.value, member.key_span
        return Found(value, key_span)

    def nearest(self, path: Path) -> tuple[Found, Path] | None:
        """What the longest part of ``path`` that leads somewhere leads to, and that part."""
        for length in range(len(path), -1, -1):
            found = self.find(path[:length])
            if found is not None:
                return found, path[:length]
        return None

    def span_of(self, path: Path) -> Span:
        """Where to point for ``path``: its value; for a missing key, the object's opening."""
        near = self.nearest(path)
        if near is None:
            start = len(self.text) - len(self.text.lstrip(_BLANKS + _BOM))
            return Span(start, len(self.text.rstrip(_BLANKS)) or start)
        found, reached = near
        span = found.value.span
        return span if reached == path else Span(span.start, min(span.start + 1, span.end))

    def path_at(self, offset: int) -> Path:
        """The path of the innermost value, or of the key's value, that a cursor is in."""
        value = next((root for root in self.roots if root.span.contains(offset)), None)
        path: list[str | int] = []
        while value is not None:
            inner: JsonValue | None = None
            for member in value.members:
                if member.span.contains(offset):
                    path.append(member.key)
                    inner = member.value
                    break
            for index, item in enumerate(value.items):
                if item.span.contains(offset):
                    path.append(index)
                    inner = item
                    break
            value = inner
        return tuple(path)

    def walk(self) -> Iterator[JsonValue]:
        """Every value, the outer ones first."""
        for root in self.roots:
            yield from root.walk()


# -- strict JSON ----------------------------------------------------------------------------


def strict_error(text: str) -> JsonError | None:
    """The first place where a text is not strict JSON, and why."""
    try:
        strict_loads(text)
    except json.JSONDecodeError as error:
        offset = error.pos + text.startswith(_BOM)
        return JsonError(_token_span(text, offset), json_reason(error))
    except NoConstant as error:
        offset = _constant_offset(text, error.name)
        return JsonError(Span(offset, offset + len(error.name)), json_reason(error))
    except ValueError as error:
        match = re.search("[0-9]{4300,}", text)
        span = Span(*match.span()) if match else Span(0, len(text))
        return JsonError(span, json_reason(error))
    except RecursionError as error:
        return JsonError(_token_span(text, 0), json_reason(error))
    return None


def _constant_offset(text: str, name: str) -> int:
    """Where a constant is outside of strings."""
    for match in re.finditer(r'"(?:[^"\\]|\\.)*"|' + re.escape(name), text):
        if match.group() == name:
            return match.start()
    return 0


def _token_span(text: str, offset: int) -> Span:
    """The word or character at ``offset``; at the end of a text, its last visible character."""
    if not text[offset:].strip(_BLANKS):
        end = len(text.rstrip(_BLANKS))
        return Span(max(end - 1, 0), end)
    word = _WORD.match(text, offset)
    return Span(offset, word.end() if word else offset + 1)


# -- strings --------------------------------------------------------------------------------


def source_offset(literal: str, index: int) -> int:
    """Where character ``index`` of a string is in its literal, which has quotes."""
    at = 1
    for match in _ESCAPE.finditer(literal, 1, max(len(literal) - 1, 1)):
        plain = match.start() - at
        if index < plain:
            break
        if index == plain:
            return match.start()
        index -= plain + 1
        at = match.end()
    return min(at + index, max(len(literal) - 1, 0))


# -- reading --------------------------------------------------------------------------------


def parse(text: str) -> JsonTree:
    """The tree of a text. Never raises."""
    plain = HALVES.sub("\ufffd", text)
    if plain.startswith(_BOM):
        plain = " " + plain[1:]
    if _SIGNED_EXPONENT.search(plain):
        # The grammar does not know `1e+9`; any number of that length is as good.
        plain = _STRING_OR_NUMBER.sub(_as_digits, plain)
    error = strict_error(text) if len(text) > _LONG else None
    if error is None:
        return _Reader(text, plain).run()
    end = min(error.span.start + _BEHIND_ERROR, len(text))
    tree = _Reader(text[:end], plain[:end]).run()
    # What is not closed where it was cut is not an error of the text.
    errors = [found for found in tree.syntax_errors if found.span.end < end - _EDGE]
    return JsonTree(text, tree.roots, errors)


def _as_digits(match: re.Match[str]) -> str:
    token = match.group()
    return token if token.startswith('"') else "1" * len(token)


@cache
def _parser() -> Parser:
    import tree_sitter_json
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_json.language()))


class _Offsets:
    """Byte offsets in UTF-8 to code points; asks only for what lies beyond ASCII."""

    def __init__(self, text: str) -> None:
        self._starts: list[int] = []
        self._extra: list[int] = []
        if text.isascii():
            return
        matches = list(_BEYOND_ASCII.finditer(text))
        more = [len(match.group().encode("utf-8")) - 1 for match in matches]
        self._extra = list(accumulate(more))
        before = [0, *self._extra]
        # Where the next character starts, in bytes.
        self._starts = [
            match.start() + before[number] + more[number] + 1
            for number, match in enumerate(matches)
        ]

    def code_point(self, byte: int) -> int:
        number = bisect_right(self._starts, byte)
        return byte - (self._extra[number - 1] if number else 0)


_Todo = tuple["Node", JsonValue | None, int]

_SCALARS = frozenset({"string", "number", "true", "false", "null"})
_VALUES = _SCALARS | {"object", "array"}


class _Reader:
    """Turns the tree of tree-sitter into ours, without recursion."""

    def __init__(self, text: str, plain: str) -> None:
        self.text = text
        self.data = plain.encode("utf-8")
        self.offsets = _Offsets(plain)
        self.errors: list[JsonError] = []
        self.roots: list[JsonValue] = []
        self.broken: dict[int, JsonValue] = {}
        """What was put together from errors, each once: not all of it was read in order."""

    def span(self, node: Node) -> Span:
        convert = self.offsets.code_point
        return Span(convert(node.start_byte), convert(node.end_byte))

    def run(self) -> JsonTree:
        root = _parser().parse(self.data).root_node
        # Nodes with what their values go into, and how deep they lie.
        todo: list[_Todo] = [(root, None, 0)]
        if not root.is_error:
            todo = [(child, None, 0) for child in reversed(_inner(root))]
        while todo:
            node, parent, depth = todo.pop()
            todo += reversed(self.read(node, parent, depth))
        for value in self.broken.values():
            value.items.sort(key=lambda item: item.span)
            value.members.sort(key=lambda member: member.key_span)
        if self.broken:
            self.roots.sort(key=lambda root: root.span)
        self.errors.sort(key=lambda error: error.span)
        return JsonTree(self.text, self.roots, self.errors)

    def read(self, node: Node, parent: JsonValue | None, depth: int) -> list[_Todo]:
        """Take one node up; what is left to read of it."""
        if node.is_missing:
            self.note(self.span(node), Phrase("{what} is missing", what=_expected(node)))
            return []
        if node.type == "ERROR":
            self.note_error(node)
            return self.read_error(node, parent, depth)
        if node.type == "comment":
            self.note(self.span(node), Phrase("JSON has no comments"))
            return []
        if node.type == "pair":
            return self.read_pair(node, parent, depth)
        if node.type not in _VALUES:
            return []
        value = JsonValue(node.type, self.span(node))
        self.attach(value, parent)
        return self.below(node, value, depth)

    def attach(self, value: JsonValue, parent: JsonValue | None) -> None:
        if parent is None:
            self.roots.append(value)
        elif parent.kind == "array":
            parent.items.append(value)
        elif value.kind == "string":
            # A key that is being typed: nothing follows it yet.
            end = value.span.end
            self.add_member(parent, value.span, JsonValue("missing", Span(end, end)))

    def read_error(self, node: Node, parent: JsonValue | None, depth: int) -> list[_Todo]:
        """What an object or an array that is never closed holds anyway."""
        todo: list[_Todo] = []
        holders = [parent]
        if parent is not None:
            self.broken[id(parent)] = parent
        end = self.span(node).end
        children = node.children
        for number, child in enumerate(children):
            kind = child.type
            if kind in ("{", "[") and len(holders) + depth < DEEPEST:
                opened = JsonValue("object" if kind == "{" else "array", self.span(child))
                opened.span = Span(opened.span.start, end)
                key = _key_before(children, number) if _is_object(holders[-1]) else None
                if key is not None and holders[-1] is not None:
                    self.add_member(holders[-1], self.span(key), opened)
                else:
                    self.attach(opened, holders[-1])
                holders.append(opened)
                self.broken[id(opened)] = opened
            elif kind in ("}", "]") and len(holders) > 1:
                holders.pop()
            elif child.is_named or child.is_missing:
                key = _key_before(children, number) if _is_object(holders[-1]) else None
                if key is not None and kind in _VALUES and holders[-1] is not None:
                    value = JsonValue(kind, self.span(child))
                    self.add_member(holders[-1], self.span(key), value)
                    todo += self.below(child, value, depth + len(holders) - 1)
                elif not _is_key_of_next(children, number):
                    todo.append((child, holders[-1], depth + len(holders) - 1))
        return todo

    def below(self, node: Node, value: JsonValue, depth: int) -> list[_Todo]:
        if node.type in _SCALARS or depth >= DEEPEST:
            return []
        return [(child, value, depth + 1) for child in _inner(node)]

    def read_pair(self, node: Node, parent: JsonValue | None, depth: int) -> list[_Todo]:
        key = node.child_by_field_name("key")
        inner = node.child_by_field_name("value")
        if key is None or parent is None or parent.kind != "object":
            return []
        key_span = self.span(key)
        if inner is None or inner.is_missing or inner.type not in _VALUES:
            end = self.span(node).end
            self.add_member(parent, key_span, JsonValue("missing", Span(end, end)))
            self.note(Span(*key_span), Phrase("a value is missing"))
            return [(child, parent, depth) for child in _inner(node) if child.type == "ERROR"]
        value = JsonValue(inner.type, self.span(inner))
        self.add_member(parent, key_span, value)
        errors = [(child, value, depth) for child in _inner(node) if child.type == "ERROR"]
        return [*errors, *self.below(inner, value, depth)]

    def add_member(self, parent: JsonValue, key_span: Span, value: JsonValue) -> None:
        literal = key_span.of(self.text)
        key = literal[1:-1]
        # Nearly no key has escapes, and the reader costs more than all else here.
        if "\\" in literal or literal != f'"{key}"':
            try:
                key = json.loads(literal, strict=False)
            except ValueError:
                key = literal.strip('"')
        parent.members.append(Member(str(key), key_span, value))

    def note_error(self, node: Node) -> None:
        span = self.span(node)
        shown = span.of(self.text).partition("\n")[0].rstrip(_BLANKS)
        self.note(Span(span.start, span.start + len(shown)), Phrase("this is not valid JSON"))

    def note(self, span: Span, reason: str) -> None:
        if len(self.errors) < _MOST_ERRORS:
            self.errors.append(JsonError(span, reason))


def _is_object(value: JsonValue | None) -> bool:
    return value is not None and value.kind == "object"


def _key_before(children: Sequence[Node], number: int) -> Node | None:
    """The key that is before a value, with its colon, where no pair was made of them."""
    if number > 1 and children[number - 1].type == ":" and children[number - 2].type == "string":
        return children[number - 2]
    return None


def _is_key_of_next(children: Sequence[Node], number: int) -> bool:
    """Whether a string is the key of the value that is added with it."""
    after = [child.type for child in children[number + 1 : number + 3]]
    return (
        children[number].type == "string"
        and len(after) == 2
        and after[0] == ":"
        and (after[1] in _VALUES or after[1] in "{[")
    )


def _inner(node: Node) -> list[Node]:
    """The children that mean something: no brackets and commas, but all that is missing."""
    return [child for child in node.children if child.is_named or child.is_missing]


def _expected(node: Node) -> str:
    return Phrase("a value") if node.is_named else f"`{node.type}`"
