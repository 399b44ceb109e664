"""What ``embed`` names: a file beside this one, or something further away."""

from __future__ import annotations

from msgls.text.patterns import lazy_pattern

# A scheme, or the letter of a drive.
_SCHEME = lazy_pattern(r"[A-Za-z][A-Za-z0-9+.-]*:")


def relative_path(target: str) -> str | None:
    """The path relative to the file; nothing for an address or an absolute path."""
    if not target or _SCHEME.match(target) or target[0] in "/\\~":
        return None
    return target
