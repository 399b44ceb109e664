"""The fields of a header: which there are, what their values look like, and new ones.

Owns the one list of fields and roles. Whatever makes a value that is unique, a
UUID or the time, is made here, so that a test can put its own in place.
"""

from collections.abc import Callable
from datetime import UTC, datetime

from msgls.text.patterns import lazy_pattern

ROLE = "role"
ROLES = ("user", "assistant", "system")

UUID = "Block-UUID"
CREATED = "Created-at"
REQUIRED = (UUID, "Component", "Version", "Description", "Language", CREATED, "Authors")
PARENT = "Parent-UUID"
EXTRA = (PARENT, "visibility")
KNOWN = (*REQUIRED, *EXTRA, ROLE)

FIRST_VERSION = "1.0.0"
LANGUAGE = "markdown"
NOBODY = "Unknown"

_HEX = "[0-9A-Fa-f]"
UUID_SHAPE = rf"{_HEX}{{8}}(?:-{_HEX}{{4}}){{3}}-{_HEX}{{12}}"
_UUID = lazy_pattern(UUID_SHAPE)
_NUMBER = r"(?:0|[1-9][0-9]*)"
_IDENTIFIER = rf"(?:{_NUMBER}|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
_CORE = rf"{_NUMBER}\.{_NUMBER}\.{_NUMBER}"
_VERSION = lazy_pattern(
    rf"{_CORE}(?:-{_IDENTIFIER}(?:\.{_IDENTIFIER})*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?"
)
_TIME = lazy_pattern(
    r"(\d{4})-(\d{2})-(\d{2})"
    r"(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?(?:Z|[+-]\d{2}(?::?\d{2})?)?)?"
)
# What the writers of these files put where a message has no parent.
_NO_PARENT = ("N/A", "n/a", "none", "None")


def is_uuid(value: str) -> bool:
    """Whether a value is a UUID as it is usually written."""
    return _UUID.fullmatch(value) is not None


def is_version(value: str) -> bool:
    """Whether a value is a semantic version."""
    return _VERSION.fullmatch(value) is not None


def is_time(value: str) -> bool:
    """Whether a value is a date of ISO 8601, with a time or without."""
    match = _TIME.fullmatch(value)
    if match is None or not value.isascii():
        return False
    year, month, day, hour, minute, second = [int(group or 0) for group in match.groups()]
    try:
        datetime(year, month, day, hour, minute, second, tzinfo=UTC)
    except ValueError:
        return False
    return True


def are_authors(value: str) -> bool:
    """Whether a value is ``Name (vX.Y.Z)``, or several of them with commas between."""
    return all(_is_author(author.strip(" \t")) for author in value.split(","))


def _is_author(author: str) -> bool:
    name, _, version = author.partition("(v")
    has_name = name.strip(" \t") and "(" not in name and ")" not in name
    return bool(has_name) and version.endswith(")") and is_version(version[:-1])


def _is_parent(value: str) -> bool:
    return is_uuid(value) or value in _NO_PARENT


_CHECKS: dict[str, Callable[[str], bool]] = {
    UUID: is_uuid,
    PARENT: _is_parent,
    "Version": is_version,
    CREATED: is_time,
    "Authors": are_authors,
}


def is_valid(key: str, value: str) -> bool:
    """Whether a field may have that value; an unknown field may have any value."""
    if not value:
        return key not in KNOWN
    check = _CHECKS.get(key)
    return check is None or check(value)


def new_uuid() -> str:
    """A new UUID."""
    import uuid

    return str(uuid.uuid4())


def now() -> str:
    """The time, as these files write it."""
    moment = datetime.now(UTC).isoformat(timespec="milliseconds")
    return moment.replace("+00:00", "Z")


def derived_uuid(said: str) -> str:
    """A UUID that follows from a text: the same text gives the same files."""
    import uuid

    return str(uuid.uuid5(uuid.NAMESPACE_OID, said.encode("utf-8", "replace").decode()))


def author(name: str) -> str:
    """An author as these files write one."""
    plain = " ".join(name.replace("(", " ").replace(")", " ").replace(",", " ").split())
    return f"{plain or NOBODY} (v{FIRST_VERSION})"


def new_value(key: str, role: str, description: str) -> str:
    """The value that a required field of a new message has."""
    if key == UUID:
        return new_uuid()
    if key == CREATED:
        return now()
    return {
        "Component": f"{role.capitalize()}Message",
        "Version": FIRST_VERSION,
        "Description": description,
        "Language": LANGUAGE,
        "Authors": f"{NOBODY} (v{FIRST_VERSION})",
    }[key]
