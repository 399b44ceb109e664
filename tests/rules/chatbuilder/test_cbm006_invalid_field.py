"""CBM006: what the values of fields look like."""

import pytest

from tests.rules.chatbuilder.support import PATH, UUID, WHOLE
from tests.rules.support import expect, expect_follows, expect_nothing, fixes

CODE = "CBM006"

INVALID = [
    ("Block-UUID", "x", "`x` is not a UUID"),
    ("Block-UUID", UUID[:-1], None),
    ("Block-UUID", UUID.replace("-", ""), None),
    ("Block-UUID", "{" + UUID + "}", None),
    ("Block-UUID", "N/A", None),
    ("Block-UUID", UUID.replace("a", "g"), None),
    ("Parent-UUID", "none of them", None),
    ("Version", "1.0", "`1.0` is not a semantic version, such as `1.0.0`"),
    ("Version", "v1.0.0", None),
    ("Version", "1.0.0.0", None),
    ("Version", "01.0.0", None),
    ("Version", "1.0.0-", None),
    ("Created-at", "yesterday", None),
    ("Created-at", "2025-13-01T00:00:00Z", None),
    ("Created-at", "2025-02-30", None),
    ("Created-at", "22.4.2025", None),
    ("Created-at", "2025-04-22T25:00:00Z", None),
    ("Created-at", "٢٠٢٥-04-22", None),
    ("Authors", "Model", "write authors as `Name (v1.0.0)`, separated by commas"),
    ("Authors", "Model (1.0.0)", None),
    ("Authors", "Model (v1.0)", None),
    ("Authors", "Model (v1.0.0), Other", None),
    ("Authors", "Model (v1.0.0),", None),
    ("Authors", "(v1.0.0)", None),
    ("Authors", "One (v1.0.0) Two (v1.0.0)", None),
]

VALID = [
    ("Block-UUID", UUID),
    ("Block-UUID", UUID.upper()),
    ("Parent-UUID", UUID),
    ("Parent-UUID", "N/A"),
    ("Version", "0.0.1"),
    ("Version", "10.20.30-rc.1+build.5"),
    ("Created-at", "2025-04-22T00:56:02.060Z"),
    ("Created-at", "2025-04-22T00:56:02+08:00"),
    ("Created-at", "2025-04-22T00:56"),
    ("Created-at", "2025-04-22"),
    ("Authors", "Model 2.5 (v1.0.0)"),
    ("Authors", "Model-4.7 (v1.0.0),Other Model (v1.1.0-rc.1) , 見 (v2.0.0)"),
    ("Component", "Chat - NotesUserMessage"),
    ("Language", "Markdown"),
    ("visibility", "human-public"),
    ("Anything", "x"),
    ("Anything", ""),
    # What is wrong with a role is CBM001 or CBM002.
    ("role", ""),
    ("role", "nobody"),
]


@pytest.mark.parametrize(("key", "value", "message"), INVALID)
def test_found(key: str, value: str, message: str | None) -> None:
    messages = [message] if message else []
    expect(CODE, f"; {key}: «{value}»\n; role: user\n\n\nHello\n", *messages, path=PATH)
    expect(CODE, f";\r\n;{key} :\t«{value}»\t\r\n\r\n\r\nHello\r\n", *messages, path=PATH)


@pytest.mark.parametrize(("key", "value"), VALID)
def test_nothing_is_found(key: str, value: str) -> None:
    expect_nothing(CODE, f"; {key}: {value}\n; x\n\n\nHello\n", path=PATH)


@pytest.mark.parametrize("key", ["Block-UUID", "Description", "Authors", "visibility"])
def test_a_known_field_has_some_value(key: str) -> None:
    expect(CODE, f"«; {key}:»\n\n\nHello\n", f"`{key}` has no value", path=PATH)


def test_whole_messages() -> None:
    expect_nothing(CODE, WHOLE, path=PATH)
    expect_nothing(CODE, "; role: user\n\n\n; Version: x\n", path=PATH)


def test_no_fix_knows_what_was_meant() -> None:
    assert fixes(CODE, "; Version: 1.0\n\n\nHello\n", path=PATH) == []


def test_it_follows_edits() -> None:
    edits = [("1.0.0", "1.0"), (UUID, "x"), ("Hello", "World"), ("1.0\n", "1.0.0\n")]
    assert expect_follows(CODE, WHOLE, *edits, path=PATH) == [0, 1, 2, 2, 1]
