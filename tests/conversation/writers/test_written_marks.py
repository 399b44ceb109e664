"""The marks of every boot message are written, whoever made the message."""

import json
from typing import Any

import pytest

from msgls.conversation.conversation import EPOCH, Conversation
from msgls.conversation.messages import Message, TextPart
from msgls.conversation.readers.agentsjson import read
from msgls.conversation.writers.agentsjson import write
from msgls.document.document import Document

MARKS = {"isBootMessage": True, "isVirtual": True}


@pytest.mark.parametrize(
    ("boot", "meta"),
    [
        (None, MARKS),
        ({}, MARKS),
        ({"meta": {}}, MARKS),
        ({"meta": {"a": 1}}, {**MARKS, "a": 1}),
        ({"meta": {"isVirtual": False}}, {**MARKS, "isVirtual": False}),
        ({"meta": 7}, MARKS),
    ],
)
def test_marks(boot: object, meta: dict[str, Any]) -> None:
    about = {**MARKS, "agent": "A", "path": "./a.js", "bootMessage": boot}
    parts = (TextPart.of("Hello"),)
    message = Message(run_id="r", role="assistant", parts=parts, timestamp=EPOCH, meta=about)
    text, _ = write(Conversation((message,), ((),)))
    (agent,) = json.loads(text)["agents"]
    assert agent["metadata"]["bootMessage"] == {"message": "Hello", "meta": meta}


def test_text_in_any_script_is_written_as_it_is() -> None:
    text = '{"agents": [{"name": "A", "metadata": {"bootMessage": {"message": "Hi"}}}]}'
    like = Document.open("agents.json", text)
    (old,) = read(like).messages
    new = old.model_copy(update={"parts": (TextPart.of("你好 \U0001f642"),)})
    for view in (like, None):
        written, _ = write(Conversation((new,), ((),)), view)
        assert '"你好 \U0001f642"' in written
