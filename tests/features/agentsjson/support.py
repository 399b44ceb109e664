"""What the tests of these features share: a file with one of everything."""

from msgls.document.document import Document
from tests.notation import Marked, unmark

PATH = "/host/agents.json"

HOST = """{
  "agents": [
    {
      "name": "guide",
      "path": "./agents/guide.js",
      "metadata": {
        "bootMessage": {
          "message": "Where would you like to *go*? 🦊\\nSay it.",
          "isHtml": false,
          "meta": { "isBootMessage": true, "isVirtual": true },
          "availableTasks": [
            {
              "name": "Plan a weekend",
              "task": { "name": "Plan", "type": "ACTION", "message": "Two days, on foot" }
            },
            { "task": { "name": "Plan" } }
          ],
          "nextTasks": [{ "name": "ShowMap", "type": "message" }]
        },
        "initTask": 1
      },
      "operations": [{ "name": "Start again", "task": { "name": "ResetContext" } }]
    },
    { "name": "translator", "path": "/opt/translator.js" }
  ]
}
"""
MINIFIED = (
    '{"agents":[{"name":"a","path":"b/c.js","metadata":{"bootMessage":{"message":"Hi",'
    '"availableTasks":[{"name":"T","task":{"name":"t","type":"action"}}]}}},{"name":"a"}]}'
)


def opened(text: str = HOST) -> Document:
    """A document of that text, which may be broken."""
    from msgls.formats.agentsjson import AGENTS

    return Document.open(PATH, text, AGENTS)


def at(cursor: str, text: str = HOST) -> tuple[Document, Marked]:
    """The document, and what is marked in the one piece of it that ``cursor`` is."""
    plain = unmark(cursor).text
    assert text.count(plain) == 1, f"{plain!r} must occur once"
    marked = unmark(text.replace(plain, cursor))
    return opened(marked.text), marked
