"""The table of attributes, and the reading of their values."""

import pytest

from msgls.formats.base import CellRole
from msgls.formats.msgmd.attributes import (
    ATTRIBUTES,
    CELLS,
    MESSAGES,
    OUTPUTS,
    as_written,
    attributes_on,
    known_keys_near,
    mime_type_of,
    parse_time,
    value_inside,
)
from msgls.formats.msgmd.definitions import parse_definition
from msgls.syntax.cells import Attribute, Definition

SECOND = 1_000_000_000


def definition(rest: str) -> Definition:
    line = f"[^a]: [x] {rest}"
    parsed = parse_definition(line, 0, len(line))
    assert parsed is not None
    return parsed


def attribute(rest: str) -> Attribute:
    (only,) = definition(rest).attributes
    return only


@pytest.mark.parametrize(
    ("key", "roles"),
    [
        ("history", CELLS),
        ("summary", CELLS),
        ("role", MESSAGES),
        ("time", OUTPUTS),
        ("reasoning", {CellRole.ANSWER}),
        ("name", MESSAGES | {CellRole.CALL}),
        ("status", {CellRole.RESULT, CellRole.RUN}),
        ("duration", {CellRole.RESULT, CellRole.RUN}),
        ("mime_type", {CellRole.RUN}),
        ("output_file", {CellRole.RUN}),
        ("definition", MESSAGES),
        ("virtual", OUTPUTS),
        ("boot", OUTPUTS),
        ("reset", OUTPUTS),
    ],
)
def test_where_each_attribute_means_something(key: str, roles: set[CellRole]) -> None:
    assert ATTRIBUTES[key].roles == roles
    for role in CellRole:
        assert (ATTRIBUTES[key] in attributes_on(role)) == (role in roles)


def test_what_is_required() -> None:
    plain, agent = definition(""), definition("definition=agent")
    required = {
        (key, role, what is agent)
        for key, spec in ATTRIBUTES.items()
        for role in CellRole
        for what in (plain, agent)
        if spec.is_required(role, what)
    }
    assert required == {
        ("name", CellRole.CALL, False),
        ("name", CellRole.CALL, True),
        ("name", CellRole.MESSAGE, True),
        ("name", CellRole.CODE, True),
        ("status", CellRole.RUN, False),
        ("status", CellRole.RUN, True),
    }


def test_every_attribute_accepts_what_the_table_lists() -> None:
    for spec in ATTRIBUTES.values():
        listed = [*spec.values, *spec.read_as, *([] if spec.default is None else [spec.default])]
        assert all(spec.accepts(value) for value in listed)
        assert all(spec.accepts(value) for value in spec.slips.values())
        assert not any(spec.accepts(value) for value in spec.slips)
        assert spec.description


@pytest.mark.parametrize(
    ("earlier", "later", "seconds"),
    [
        ("2025-05-30T10:00:00+08:00", "2025-05-30T02:00:00Z", 0),
        ("2025-05-30T10:00:00+08:00", "2025-05-30T02:00:01Z", 1),
        ("2025-05-30T23:30:00-01:00", "2025-05-31T00:30:00Z", 0),
        ("20250530T100000+0530", "2025-05-30T04:30Z", 0),
        ("2025-12-31T24:00:00Z", "2026-01-01T00:00:00Z", 0),
        ("2016-12-31T23:59:59Z", "2016-12-31T23:59:60Z", 1),
        ("2025-05-30T10:00:00,5Z", "2025-05-30T10:00:01.5Z", 1),
        ("0001-01-01T00:00:00+14:00", "0001-01-01T00:00:00-10:00", 24 * 3600),
        ("2025-05-30T10:00:00\u22121", "2025-05-30T10:00:00Z", None),
    ],
)
def test_times_are_instants(earlier: str, later: str, seconds: int | None) -> None:
    first, second = parse_time(earlier), parse_time(later)
    assert second is not None
    if seconds is None:
        assert first is None
    else:
        assert first is not None
        assert second - first == seconds * SECOND


def test_fractions_count_to_the_nanosecond() -> None:
    first, second = (
        parse_time("2025-05-30T10:00:00Z"),
        parse_time("2025-05-30T10:00:00.0000000019Z"),
    )
    assert first is not None
    assert second is not None
    assert second - first == 1


@pytest.mark.parametrize(
    ("rest", "inside"),
    [('a="x y"', "x y"), ("a='x'", "x"), ("a=x", "x"), ('a=""', '""'), ("a='x\\'y'", "x\\'y")],
)
def test_the_value_inside_its_quotes(rest: str, inside: str) -> None:
    line = f"[^a]: [x] {rest}"
    assert value_inside(attribute(rest)).of(line) == inside


@pytest.mark.parametrize(
    ("rest", "value", "written"),
    [
        ("a=x", "y", "y"),
        ("a=x", "y z", '"y z"'),
        ("a=x", "", '""'),
        ('a="x"', "y", '"y"'),
        ("a='x'", "it's", "'it\\'s'"),
        ("a=x", 'a "b" \\', '"a \\"b\\" \\\\"'),
    ],
)
def test_a_value_is_written_as_the_old_one_is(rest: str, value: str, written: str) -> None:
    assert as_written(attribute(rest), value) == written
    assert attribute(f"a={written}").value == value


@pytest.mark.parametrize(
    ("key", "near"),
    [("histroy", ("history",)), ("TIME", ("time",)), ("model", ()), ("meta", ()), ("run", ())],
)
def test_keys_that_are_nearly_known(key: str, near: tuple[str, ...]) -> None:
    assert known_keys_near(key) == near


@pytest.mark.parametrize(
    ("rest", "names_streams", "is_binary"),
    [
        ("", True, False),
        ("mime_type=TEXT/HTML", False, False),
        ("mime_type='text/plain; charset=utf-8'", True, False),
        ("mime_type=application/json", False, False),
        ("mime_type=application/ld+json", False, False),
        ("mime_type=application/xml", False, False),
        ("mime_type=image/svg+xml", False, False),
        ("mime_type=image/png", False, True),
        ("mime_type=application/octet-stream", False, True),
    ],
)
def test_what_a_type_makes_of_the_content(rest: str, names_streams: bool, is_binary: bool) -> None:
    mime_type = mime_type_of(definition(rest))
    assert mime_type is not None
    assert (mime_type.names_streams, mime_type.is_binary) == (names_streams, is_binary)


@pytest.mark.parametrize("rest", ["mime_type=png", "mime_type=''", "mime_type=/", "mime_type="])
def test_a_type_that_cannot_be_read_is_none(rest: str) -> None:
    assert mime_type_of(definition(rest)) is None
