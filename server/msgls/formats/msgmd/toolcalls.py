"""The XML of a tool call: to arguments, and back.

Owns the mapping between an element and a dict of arguments, and the finding of what
is wrong with the XML. It works on expat's events and on the bare XML: which cell it
came from, and whether a fence stood around it, is the caller's business.

Nothing raises, whatever the text. A document type, and so every entity declaration,
is refused before it is read; nesting is bounded.

The mapping: an element with neither attributes nor child elements is its text. Any
other is a dict: attributes as ``@name``, child elements by their tag (a list where
the tag repeats), and text that is not blank as ``#text``. The root is always a dict, and its
attributes are arguments like its elements. Where its text is a JSON object and there is
nothing else in it, it is that object: numbers, nulls and keys that are not names of elements
can be said so. Two shapes that models write name the tool inside: ``<invoke name="ls">`` with
a ``<parameter name="path">`` for each argument, alone or in ``<function_calls>``, and
``<tool_call>`` around a JSON object with ``name`` and ``arguments``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from xml.parsers import expat

from msgls.formats.strictjson import strict_loads
from msgls.text.patterns import lazy_pattern
from msgls.text.phrases import Phrase
from msgls.text.spans import Span

MAX_DEPTH = 100
"""How deep elements may nest, the root included."""

TEXT_KEY = "#text"
ATTRIBUTE_PREFIX = "@"

# XML's own white space; what else Python strips is content.
_BLANK = " \t\r\n"


@dataclass(frozen=True, slots=True)
class XmlProblem:
    """Why the XML cannot be read, and where in it."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class ToolXml:
    """What the XML of a tool call says."""

    root: str | None
    """The tag of the root element, as far as there is one."""
    arguments: dict[str, object] | None
    """``None`` where there is a problem."""
    exact: bool
    """Whether rendering the arguments says all that the source says, but for spaces."""
    problem: XmlProblem | None = None
    name: str | None = field(default=None, compare=False)
    """The tool that the XML names: by its root, unless that is a word for any call."""


def plain_root(xml: str) -> str | None:
    """The tag of the root, where plain elements are all that it holds; found without a parser.

    Nearly every call is so. Others may be well-formed, too: ``parse_tool_xml`` reads them.
    """
    found = _PLAIN_XML.fullmatch(xml)
    return None if found is None else found.group(1)


def parse_tool_xml(xml: str) -> ToolXml:
    """Read the one element that ``xml`` is."""
    reader = _Reader(xml)
    problem = reader.read()
    if problem is not None or reader.arguments is None:
        return ToolXml(reader.root, None, exact=False, problem=problem)
    return ToolXml(reader.root, reader.arguments, reader.exact, name=reader.name)


def render_tool_xml(root: str, arguments: Mapping[str, object]) -> str | None:
    """The XML that reads as exactly these arguments, or ``None`` where there is none.

    Elements say texts, dicts and lists of two or more of these; for all else, a JSON object
    is in the root.
    """
    for xml in _writings(root, arguments):
        # What XML makes of names and of spaces is expat's to say.
        parsed = parse_tool_xml(xml)
        if parsed.exact and parsed.root == root and parsed.arguments == dict(arguments):
            return xml
    return None


# ---------------------------------------------------------------------------
# Reading


class _ProblemError(Exception):
    """Raised by a handler to stop expat."""

    def __init__(self, span: Span, message: str) -> None:
        super().__init__(message)
        self.problem = XmlProblem(span, message)


@dataclass(slots=True)
class _Element:
    tag: str
    start_byte: int
    attributes: dict[str, str]
    texts: list[str] = field(default_factory=list)
    children: list[tuple[str, object]] = field(default_factory=list)
    elements: list[_Element] = field(default_factory=list)
    """The child elements themselves, where they name the tool and its arguments."""


_PLAIN_NAME = "[A-Za-z_][A-Za-z0-9_.-]*"
_PLAIN_TEXT = r"[^<>&\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]*"
_PLAIN_XML = lazy_pattern(
    rf"[ \t\r\n]*<({_PLAIN_NAME})>"
    rf"(?:[ \t\r\n]*<({_PLAIN_NAME})>{_PLAIN_TEXT}</\2>)*"
    r"[ \t\r\n]*</\1>[ \t\r\n]*"
)
_NOT_XML = lazy_pattern("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_UNDEFINED_ENTITY = lazy_pattern(rb"&(?!#|(?:amp|lt|gt|quot|apos);)[^;\s<&]*;?")
_END_TAG = lazy_pattern(rb"</([^\s>]*)[^>]*>?")


class _Reader:
    """One run of expat; byte offsets become code points where a problem is made."""

    def __init__(self, xml: str) -> None:
        self.root: str | None = None
        self.name: str | None = None
        self.arguments: dict[str, object] | None = None
        self.exact = not xml.startswith("\ufeff")
        self._xml = xml
        # Only a text with lone surrogates needs a handler, and such a text is refused.
        self._bytes = xml.encode("utf-8", "replace")
        self._open: list[_Element] = []
        # The text is UTF-8 by now, whatever its XML declaration says.
        self._parser = expat.ParserCreate("utf-8")

    def read(self) -> XmlProblem | None:
        """Fill in the results, or say what is wrong."""
        refused = _NOT_XML.search(self._xml)
        if refused:
            name = f"U+{ord(refused.group()):04X}"
            return XmlProblem(
                Span(*refused.span()),
                Phrase("the character {name} is not allowed in XML", name=name),
            )
        parser = self._parser
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.StartDoctypeDeclHandler = self._doctype
        parser.CommentHandler = self._lossy
        parser.ProcessingInstructionHandler = self._lossy
        parser.XmlDeclHandler = self._lossy
        try:
            parser.Parse(self._bytes, True)
        except _ProblemError as error:
            return error.problem
        except expat.ExpatError as error:
            return self._explain(error)
        return None

    # -- handlers

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        start_byte = self._parser.CurrentByteIndex
        if len(self._open) >= MAX_DEPTH:
            span = self._span(start_byte, start_byte + 1)
            raise _ProblemError(
                span, Phrase("elements nest deeper than {levels} levels", levels=MAX_DEPTH)
            )
        if self.root is None:
            self.root = tag
        self._open.append(_Element(tag, start_byte, attributes))

    def _end(self, tag: str) -> None:
        element = self._open.pop()
        if self._open:
            self._open[-1].children.append((tag, self._value(element)))
            if self._open[-1].tag in _NAMING:
                self._open[-1].elements.append(element)
        else:
            self._read_root(element)

    def _read_root(self, element: _Element) -> None:
        named = _invoked(element) or _named_in_json(element)
        if named is not None:
            self.name, self.arguments, self.exact = *named, False
            return
        self.name = None if element.tag in ANY_CALL else element.tag
        said = _json_object(element)
        if said is not None:
            self.arguments = said
            return
        tags = {tag for tag, _ in element.children}
        bare = {ATTRIBUTE_PREFIX + name: name for name in element.attributes if name not in tags}
        self.exact = self.exact and not bare
        members = self._members(element)
        self.arguments = {bare.get(key, key): value for key, value in members.items()}

    def _text(self, text: str) -> None:
        self._open[-1].texts.append(text)

    def _doctype(self, *_details: object) -> None:
        # Its handler runs before anything is declared; expat is past the name by then.
        end_byte = self._parser.CurrentByteIndex
        start_byte = max(0, self._bytes.rfind(b"<!DOCTYPE", 0, end_byte))
        span = self._span(start_byte, start_byte + len(b"<!DOCTYPE"))
        raise _ProblemError(span, Phrase("a document type or an entity declaration is not allowed"))

    def _lossy(self, *_details: object) -> None:
        self.exact = False

    # -- elements to values

    def _value(self, element: _Element) -> object:
        if element.attributes or element.children:
            return self._members(element)
        return "".join(element.texts)

    def _members(self, element: _Element) -> dict[str, object]:
        members: dict[str, object] = {
            ATTRIBUTE_PREFIX + name: value for name, value in element.attributes.items()
        }
        repeated: dict[str, list[object]] = {}
        previous: str | None = None
        for tag, value in element.children:
            if tag not in members:
                members[tag] = value
            else:
                if tag not in repeated:
                    members[tag] = repeated[tag] = [members[tag]]
                repeated[tag].append(value)
                if tag != previous:
                    self.exact = False  # A dict cannot say which of the others came between.
            previous = tag
        text = "".join(element.texts)
        if text.strip(_BLANK):
            if element.children:
                self.exact = False
                text = text.strip(_BLANK)
            members[TEXT_KEY] = text
        return members

    # -- problems

    def _span(self, start_byte: int, end_byte: int) -> Span:
        start = len(self._bytes[:start_byte].decode("utf-8", "ignore"))
        piece = self._bytes[start_byte:end_byte].decode("utf-8", "ignore")
        return Span(start, start + len(piece))

    def _explain(self, error: expat.ExpatError) -> XmlProblem:
        codes = expat.errors.codes
        at_byte = min(max(self._parser.ErrorByteIndex, 0), len(self._bytes))
        if error.code == codes[expat.errors.XML_ERROR_NO_ELEMENTS]:
            return self._explain_missing_end()
        if error.code == codes[expat.errors.XML_ERROR_TAG_MISMATCH]:
            return self._explain_mismatch(at_byte)
        if error.code == codes[expat.errors.XML_ERROR_UNDEFINED_ENTITY]:
            # For one in an attribute expat points at the start of the tag.
            match = _UNDEFINED_ENTITY.search(self._bytes, at_byte)
            if match:
                name = match.group().decode("utf-8", "replace")
                text = Phrase("XML has no `{name}`: write the character itself", name=name)
                return XmlProblem(self._span(*match.span()), text)
        if error.code == codes[expat.errors.XML_ERROR_INVALID_TOKEN]:
            before = self._bytes[max(0, at_byte - 1) : at_byte]
            if before in _LONE_CHARACTERS:
                return XmlProblem(self._span(at_byte - 1, at_byte), _LONE_CHARACTERS[before])
            if before == b"=":
                text = Phrase("the value of an attribute needs quotes")
                return XmlProblem(self._character_at(at_byte), text)
        if error.code == codes[expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION]:
            start = max(self._bytes.rfind(_CDATA, 0, at_byte), 0)
            text = Phrase("this `<![CDATA[` is never closed")
            return XmlProblem(self._span(start, start + len(_CDATA)), text)
        words = {codes[name]: text for name, text in _WORDS.items()}
        return XmlProblem(self._character_at(at_byte), words.get(error.code, _UNEXPECTED))

    def _explain_missing_end(self) -> XmlProblem:
        if not self._open:
            return XmlProblem(Span(0, len(self._xml)), Phrase("it has no element"))
        element = self._open[-1]
        end_byte = element.start_byte + len(b"<") + len(element.tag.encode())
        return XmlProblem(
            self._span(element.start_byte, end_byte),
            Phrase("<{tag}> is never closed", tag=element.tag),
        )

    def _explain_mismatch(self, at_byte: int) -> XmlProblem:
        # expat points at the name, after the `</`.
        match = _END_TAG.match(self._bytes, at_byte - len(b"</"))
        if match is None:
            return XmlProblem(self._character_at(at_byte), _UNEXPECTED)
        found = match.group(1).decode("utf-8", "replace")
        message = Phrase(
            "found </{found}> where </{expected}> is expected",
            found=found,
            expected=self._open[-1].tag,
        )
        return XmlProblem(self._span(*match.span()), message)

    def _character_at(self, byte_index: int) -> Span:
        """The character there; at the end of the text the last one, so that it shows."""
        start = min(self._span(byte_index, byte_index).start, max(0, len(self._xml) - 1))
        return Span(start, min(start + 1, len(self._xml)))


_CDATA = b"<![CDATA["
_UNEXPECTED = Phrase("this is not allowed here")
_WORDS = {
    expat.errors.XML_ERROR_INVALID_TOKEN: _UNEXPECTED,
    expat.errors.XML_ERROR_DUPLICATE_ATTRIBUTE: Phrase("duplicate attribute"),
    expat.errors.XML_ERROR_UNCLOSED_TOKEN: Phrase("this is never closed"),
    expat.errors.XML_ERROR_PARTIAL_CHAR: Phrase("this is never closed"),
    expat.errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT: Phrase("only one element is allowed here"),
    expat.errors.XML_ERROR_SYNTAX: Phrase("a tag is expected here"),
    expat.errors.XML_ERROR_MISPLACED_XML_PI: Phrase("`<?xml` is only allowed at the start"),
    expat.errors.XML_ERROR_BAD_CHAR_REF: Phrase("there is no such character"),
}
"""Our messages, by those of expat."""

_LONE_CHARACTERS = {
    b"&": Phrase("write & as &amp;"),
    b"<": Phrase("write < as &lt;"),
}


ANY_CALL = frozenset(
    {"tool", "call", "tool_call", "function", "function_call", "function_calls", "invoke"}
    | {"arguments", "args", "parameters", "params", "input"}
)
"""Roots that stand for any call, and name no tool."""


_NAMING = ("function_calls", "invoke")


def _invoked(element: _Element) -> tuple[str, dict[str, object]] | None:
    """The tool and the arguments of ``<invoke name="…">``, alone or in ``<function_calls>``."""
    if element.tag == "function_calls" and len(element.elements) == 1 and not _has_text(element):
        element = element.elements[0]
    name = element.attributes.get("name")
    if element.tag != "invoke" or not name or _has_text(element):
        return None
    arguments: dict[str, object] = {}
    for parameter in element.elements:
        key = parameter.attributes.get("name")
        if parameter.tag != "parameter" or not key or parameter.elements or key in arguments:
            return None
        arguments[key] = "".join(parameter.texts)
    return name, arguments


def _has_text(element: _Element) -> bool:
    """Whether there is text in an element, besides its children."""
    return bool("".join(element.texts).strip(_BLANK))


def _named_in_json(element: _Element) -> tuple[str, dict[str, object]] | None:
    """The tool and the arguments of ``<tool_call>{"name": …, "arguments": {…}}</tool_call>``."""
    said = _json_object(element) if element.tag == "tool_call" else None
    if said is None or said.keys() != {"name", "arguments"}:
        return None
    name, arguments = said["name"], said["arguments"]
    if not isinstance(name, str) or not name or not isinstance(arguments, dict):
        return None
    return name, arguments


def _json_object(element: _Element) -> dict[str, object] | None:
    """The JSON object that is all that an element holds."""
    text = "".join(element.texts).strip(_BLANK)
    if element.attributes or element.children or not text.startswith("{"):
        return None
    try:
        value = strict_loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


# ---------------------------------------------------------------------------
# Rendering

# Whatever could end a name and start something else; expat judges the rest.
_NAME = lazy_pattern(r"[^\s<>&'\"/=!?@#.\-0-9][^\s<>&'\"/=!?@#]*")
_ESCAPES = {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;", ord("\r"): "&#13;"}
# In an attribute a line break or a tab would come back as a space.
_ATTRIBUTE_ESCAPES = _ESCAPES | {
    ord('"'): "&quot;",
    ord("\n"): "&#10;",
    ord("\t"): "&#9;",
}


class _NotWritableError(Exception):
    """The arguments hold something that no XML of this shape says."""


def _writings(root: str, arguments: Mapping[str, object]) -> Iterator[str]:
    """The ways to write arguments, the plainest first."""
    with suppress(_NotWritableError):
        yield "\n".join(_element_lines(root, arguments, depth=0))
    if not _NAME.fullmatch(root):
        return
    # What XML has no character for, JSON can escape.
    for ensure_ascii in (False, True):
        with suppress(ValueError, TypeError, RecursionError):
            text = json.dumps(dict(arguments), ensure_ascii=ensure_ascii, indent=2, allow_nan=False)
            yield f"<{root}>\n{text.translate(_ESCAPES)}\n</{root}>"


def _element_lines(tag: str, value: object, depth: int) -> Iterator[str]:
    """The lines of one element, indented; a text in it may hold line breaks of its own."""
    if depth >= MAX_DEPTH or not _NAME.fullmatch(tag):
        raise _NotWritableError
    indent = "  " * depth
    if isinstance(value, str):
        yield f"{indent}{_leaf(tag, value)}"
        return
    if not isinstance(value, Mapping):
        raise _NotWritableError
    attributes, children, text = _sorted_members(value)
    start = tag + "".join(f' {name}="{content}"' for name, content in attributes)
    if not children:
        yield f"{indent}{_leaf(tag, text, start)}"
        return
    if text:
        raise _NotWritableError  # Mixed text does not keep its place among the children.
    yield f"{indent}<{start}>"
    for child_tag, child in children:
        yield from _element_lines(child_tag, child, depth + 1)
    yield f"{indent}</{tag}>"


def _leaf(tag: str, text: str, start: str | None = None) -> str:
    escaped = _escaped(text, _ESCAPES)
    opening = tag if start is None else start
    return f"<{opening}>{escaped}</{tag}>" if escaped else f"<{opening}/>"


def _sorted_members(
    members: Mapping[str, object],
) -> tuple[list[tuple[str, str]], list[tuple[str, object]], str]:
    """Attributes with escaped values, children one by one, and the text."""
    attributes: list[tuple[str, str]] = []
    children: list[tuple[str, object]] = []
    text = ""
    for key, value in members.items():
        if not isinstance(key, str):
            raise _NotWritableError
        if key == TEXT_KEY:
            text = _require_text(value)
        elif key.startswith(ATTRIBUTE_PREFIX):
            attributes.append(_attribute(key.removeprefix(ATTRIBUTE_PREFIX), value))
        elif isinstance(value, list):
            children += ((key, element) for element in value)
        else:
            children.append((key, value))
    return attributes, children, text


def _attribute(name: str, value: object) -> tuple[str, str]:
    if not _NAME.fullmatch(name):
        raise _NotWritableError
    return name, _escaped(_require_text(value), _ATTRIBUTE_ESCAPES)


def _require_text(value: object) -> str:
    if not isinstance(value, str):
        raise _NotWritableError
    return value


def _escaped(text: str, escapes: dict[int, str]) -> str:
    if _NOT_XML.search(text):
        raise _NotWritableError
    return text.translate(escapes)
