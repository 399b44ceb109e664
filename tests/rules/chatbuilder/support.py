"""What the tests of these rules share."""

import pytest

from msgls.formats.chatbuilder import fields

PATH = "messages/notes/1.md"

UUID = "32d9afc7-aeac-4a67-ba94-0c92678604a1"
NEW_UUID = "8f14e45f-ceea-467f-a9d5-1c7a3b2e9d10"
NOW = "2025-04-21T18:15:00.000Z"

FIELDS = f"""\
; Block-UUID: {UUID}
; Component: UserMessage
; Version: 1.0.0
; Description: A question
; Language: markdown
; Created-at: 2025-04-22T00:56:02.060Z
; Authors: Model 2.5 (v1.0.0), Other (v1.1.0)
"""
WHOLE = FIELDS + ";\n; role: user\n\n\nHello\n"
"""A message that nothing is wrong with."""


def pin(monkeypatch: pytest.MonkeyPatch, *modules: object) -> None:
    """Let every new UUID and the time be known ones."""
    for module in (fields, *modules):
        monkeypatch.setattr(module, "new_uuid", lambda: NEW_UUID, raising=False)
        monkeypatch.setattr(module, "now", lambda: NOW, raising=False)
