"""The addresses of read-only documents that the server writes.

Apart from what they show, because a client is told of them before anything is loaded.
"""

from __future__ import annotations

from urllib.parse import quote

VIEW_SCHEME = "msgls-view"
RULE_SCHEME = "msgls-rule"


def view_address(source: str, title: str, agent: str | None = None) -> str:
    """The URI of the document that shows what an agent sees of ``source``.

    Its path is what an editor calls it, and says that it is Markdown.
    """
    fragment = "" if agent is None else "#" + quote(agent, safe="")
    return f"{VIEW_SCHEME}:/{quote(title, safe='')}.md?{quote(source, safe='')}{fragment}"


def rule_address(code: str) -> str:
    """The URI of the document that is the page of a rule."""
    return f"{RULE_SCHEME}:/{code}.md"
