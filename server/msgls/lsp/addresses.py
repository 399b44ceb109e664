"""The addresses of read-only documents that the server writes.

Kept apart from their content, because they are registered with the client before that is loaded.
"""

from __future__ import annotations

from urllib.parse import quote

VIEW_SCHEME = "msgls-view"
RULE_SCHEME = "msgls-rule"


def view_address(source: str, title: str, agent: str | None = None) -> str:
    """The URI of the document that shows what an agent sees of ``source``.

    Its path is the name that an editor shows, and ends in ``.md``: the content is Markdown.
    """
    fragment = "" if agent is None else "#" + quote(agent, safe="")
    return f"{VIEW_SCHEME}:/{quote(title, safe='')}.md?{quote(source, safe='')}{fragment}"


def rule_address(code: str) -> str:
    """The URI of the document that is the page of a rule."""
    return f"{RULE_SCHEME}:/{code}.md"
