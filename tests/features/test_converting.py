"""Conversion in an editor: what it refuses."""

import pytest

from msgls.document.document import Document
from msgls.features.commands import Call, RefusedError
from msgls.features.converting import convert_to
from tests.snapshots import snapshot_of


def test_a_document_without_a_readable_message_is_refused_with_the_reason() -> None:
    snapshot = snapshot_of(Document.open("a.stf", "x\n"))
    with pytest.raises(RefusedError, match="no message can be read; line 1: text that belongs"):
        convert_to(Call(snapshot, 0, {"target": "markdown"}))
