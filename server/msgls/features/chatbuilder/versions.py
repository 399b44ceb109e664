"""Semantic versions: the next one."""

from __future__ import annotations

from msgls.text.phrases import Phrase

PARTS = (Phrase("patch"), Phrase("minor"), Phrase("major"))


def bumped(version: str, part: str) -> str:
    """The version after ``version``, which is valid. A pre-release leads to its release first."""
    core, _, _ = version.partition("+")
    core, _, pre_release = core.partition("-")
    major, minor, patch = map(int, core.split("."))
    is_pre_release = bool(pre_release)
    if part == "major":
        major, minor, patch = major + (not is_pre_release or bool(minor or patch)), 0, 0
    elif part == "minor":
        minor, patch = minor + (not is_pre_release or bool(patch)), 0
    else:
        patch += not is_pre_release
    return f"{major}.{minor}.{patch}"
