"""No parser raises, whatever it is given, and what it says lies inside the text."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from msgls.formats import json5, jsontree
from msgls.formats.chatbuilder import escapes, fields, header
from msgls.formats.msgmd import attributes, definitions, frontmatter, toolcalls, yamltree
from msgls.formats.stf import arguments
from msgls.formats.strictjson import scan_value
from msgls.text import secrets
from tests.fuzz.oracles import assembly_is_sound
from tests.fuzz.vocabularies import soups
from tests.strategies import deltas

PARSERS: dict[str, Callable[[str], Any]] = {
    "frontmatter": frontmatter.parse_frontmatter,
    "an open frontmatter": lambda text: frontmatter.parse_frontmatter(text, closed=False),
    "a block of an agent": frontmatter.parse_agent_block,
    "a mapping of YAML": lambda text: yamltree.read_mapping(text, 0),
    "a definition": lambda text: definitions.parse_definition(text, 0, len(text)),
    "attributes": lambda text: definitions.parse_attributes(text, 0, len(text)),
    "a time": attributes.parse_time,
    "an impossible time": attributes.is_impossible_time,
    "XML of a tool": toolcalls.parse_tool_xml,
    "JSON5": json5.parse,
    "an object of JSON5": json5.parse_object,
    "members of JSON5": lambda text: list(json5.members(text)),
    "elements of JSON5": lambda text: list(json5.elements(text)),
    "arguments": arguments.parse_arguments,
    "a role": arguments.role_in,
    "a tree of JSON": jsontree.parse,
    "strict JSON": jsontree.strict_error,
    "the start of JSON": lambda text: scan_value(text, 0),
    "a header": lambda text: header.parse_header(text, True),
    "a header that goes on": lambda text: header.parse_header(text, False),
    "lines of a header": lambda text: header.scan(text, header.START),
    "authors": fields.are_authors,
    "a version": fields.is_version,
    "escaped fences": escapes.unescape,
    "secrets": secrets.find_secrets,
}

_SYNTAX = st.text(
    st.sampled_from("{}[]()<>\"'`\\:;,=#@&!*|-+.?%~ \t\n\r01aeE/_$é😀\u2028\ufeff\0"), max_size=40
)


@pytest.mark.parametrize("parse", PARSERS.values(), ids=PARSERS)
@given(text=soups() | _SYNTAX | st.text(max_size=40))
@example("")
@example("\ufeff")
@example("\ud800")
@example("[" * 3_000)
@example("{" * 3_000)
@example("a: " * 2_000)
@example("- " * 2_000)
@example("<a>" * 3_000)
@example('{"a":' * 3_000)
@example("'" * 99 + "\\")
@example("1" * 5_000)
@example("&a [*a]")
@example("? " * 2_000)
def test_a_parser_takes_anything(parse: Callable[[str], Any], text: str) -> None:
    parse(text)


@given(text=_SYNTAX | soups())
def test_fences_come_back(text: str) -> None:
    assert escapes.unescape(escapes.escape(text)) == text


@given(stream=st.lists(deltas(), max_size=25))
def test_the_assembler_takes_any_stream_and_can_be_asked_at_any_time(stream: list[Any]) -> None:
    assembly_is_sound([delta.model_dump(by_alias=True, exclude_none=True) for delta in stream])
