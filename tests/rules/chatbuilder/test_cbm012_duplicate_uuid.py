"""CBM012: a UUID is one message's."""

import pytest

from msgls.document.snapshot import Surroundings
from msgls.rules.chatbuilder import cbm012_duplicate_uuid
from tests.rules.chatbuilder.support import NEW_UUID, PATH, UUID, WHOLE, pin
from tests.rules.support import expect, expect_nothing, fixes

CODE = "CBM012"
MARKED = WHOLE.replace(UUID, f"«{UUID}»")


def others(*paths: str, uuid: str = UUID) -> Surroundings:
    known = {("Block-UUID", uuid): paths}
    return Surroundings(others_with=lambda key, value: known.get((key, value), ()))


def test_found() -> None:
    expect(CODE, MARKED, "`a/2.md` has the same UUID", path=PATH, surroundings=others("a/2.md"))
    message = "2 other messages have the same UUID, `a/2.md` among them"
    expect(CODE, MARKED, message, path=PATH, surroundings=others("a/2.md", "b/2.md"))


def test_a_whole_path_is_shown_from_the_file_on() -> None:
    path, other = "/chats/messages/a/1.md", "/chats/messages/b/2.md"
    expect(CODE, MARKED, "`../b/2.md` has the same UUID", path=path, surroundings=others(other))


@pytest.mark.parametrize("uuid", [UUID.upper(), UUID])
def test_case_does_not_count(uuid: str) -> None:
    source = WHOLE.replace(UUID, f"«{uuid}»")
    expect(CODE, source, path=PATH, surroundings=others("2.md"))


def test_without_its_semicolon() -> None:
    expect(CODE, f"«{UUID}»\n; role: user\n\n\nx\n", path=PATH, surroundings=others("2.md"))


@pytest.mark.parametrize(
    "source",
    [
        WHOLE.replace(UUID, NEW_UUID),
        WHOLE.replace("Block-UUID", "Parent-UUID"),
        WHOLE.replace(UUID, ""),
        f"; role: user\n\n\n; Block-UUID: {UUID}\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source, path=PATH, surroundings=others("2.md"))


def test_nothing_is_known_of_others() -> None:
    expect_nothing(CODE, WHOLE, path=PATH)


def test_a_new_uuid_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    pin(monkeypatch, cbm012_duplicate_uuid)
    assert fixes(CODE, WHOLE, path=PATH, surroundings=others("2.md")) == [
        ("Give this message a new UUID", False, WHOLE.replace(UUID, NEW_UUID))
    ]
