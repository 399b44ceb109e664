"""CBM008: slips of the names of fields."""

import pytest

from tests.rules.chatbuilder.support import PATH, WHOLE
from tests.rules.support import expect, expect_fix, expect_follows, expect_nothing

CODE = "CBM008"


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("Verison", "Version"),
        ("version", "Version"),
        ("Compnent", "Component"),
        ("Block-UID", "Block-UUID"),
        ("BlockUUID", "Block-UUID"),
        ("Created_at", "Created-at"),
        ("Author", "Authors"),
        ("Parent-UUIDs", "Parent-UUID"),
        ("Visibility", "visibility"),
    ],
)
def test_found_and_renamed(name: str, near: str) -> None:
    message = f"unknown field `{name}`: did you mean `{near}`?"
    expect(CODE, f"; «{name}»: x\n; role: user\n\n\nHello\n", message, path=PATH)
    before, after = [f"; {word}: x\n;\n; role: user\n\n\nHello\n" for word in (name, near)]
    expect_fix(CODE, before, after, safe=False, name=f"Change to `{near}`", path=PATH)


def test_a_second_role() -> None:
    expect(CODE, "; role: user\n; «Role»: user\n\n\nHello\n", path=PATH)


@pytest.mark.parametrize(
    "source",
    [
        WHOLE,
        "; Mine: 1\n; Note: this\n; see https://example.com\n; https://example.com\n\n\nHello\n",
        "; Verrrrsion: 1.0.0\n; role: user\n\n\nHello\n",
        "; role: user\n\n\n; Verison: 1.0.0\n",
        # The role is missing: CBM001 names the slip.
        "; Role: user\n\n\nHello\n",
        "; msgls: ignore CBM005\n; role: user\n\n\nHello\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source, path=PATH)


def test_it_follows_edits() -> None:
    edits = [("Version", "Versin"), ("Versin", "Mine"), ("; Mine", ";")]
    assert expect_follows(CODE, WHOLE, *edits, path=PATH) == [0, 1, 0, 0]
