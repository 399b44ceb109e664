"""A Simple Text Format conversation with one of everything, for tests that ask at many places."""

from hypothesis import strategies as st

from msgls.conversation.readers import read_document
from msgls.document.document import Document
from tests.document.tracked import SIMPLE_TEXT_FILES
from tests.formats.stf.reading import conversation_of, opened

CONVERSATION = """@# A weekend
@// msgls: ignore STF013, STF018
@system
Be brief. 🦊
@user id=m1 name=visitor
What is the weather?
@embed
notes/packing list.txt
@assistant {id: 'm2', name: "guide"}
I will look.
@call id=call_1
get_weather {city: 'Hangzhou', days: 2}
@call id="call 2"
get_time {}
@tool name=get_weather call_id=call_1
Saturday: sunny.
@tool call_id='call 2'
Noon.
@msg
@@guide starts a line.

@/* What was tried.
@user
@/* Nested.
@*/
@*/
@raw
{
  role: 'assistant',
  tool_calls: [
    {id: 'call_3', type: 'function', function: {name: 'look', arguments: '{}'}},
  ],
}
@end
@raw
{role: 'tool', tool_call_id: "call_3", content: 'Found.'}
@end
@msg role=user
Thanks.
"""
SEMICOLONS = """;meta
{title: 'A weekend'}
;end
;sys
Be brief.
;user id=m1
Hello
;extra
{mood: 'curious'}
;end
;flush
;ai name=guide
;;) Hi.
"""

texts: st.SearchStrategy[str] = st.sampled_from(
    (*SIMPLE_TEXT_FILES.starts, CONVERSATION, SEMICOLONS)
) | st.lists(st.sampled_from(SIMPLE_TEXT_FILES.fragments), max_size=20).map("".join)
"""Files of every kind, most of them broken in some way."""


def said(document: Document) -> list[tuple[str, str]]:
    """Who says what, whichever call it answers."""
    found = []
    for message in read_document(document).messages:
        wire = message.to_wire()
        role = (wire.get("meta") or {}).get("role", wire["role"])
        texts = []
        for part in wire["parts"]:
            payload = part["payload"]
            if part["kind"] == "tool_result":
                content = payload["content"]
                inner = content if isinstance(content, list) else [content]
                texts += [p if isinstance(p, str) else str(p["payload"]) for p in inner if p]
            elif part["kind"] == "tool_call":
                texts.append(payload["toolName"])
            else:
                texts.append(str(payload.get("text", payload)))
        found.append((role, "|".join(texts)))
    return found


__all__ = ["CONVERSATION", "SEMICOLONS", "conversation_of", "opened", "said", "texts"]
