"""``msgls/page``: a request of our own for the page of a conversation.

It takes ``{uri, whole?}``. By default, the result is what a preview needs that is updated while the
user types: the header, the contents, and each message with its line. With ``whole``, it is the file
that ``msgls render`` would write.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any

from msgls.features.converting import redacted
from msgls.lsp.params import uri_in
from msgls.lsp.session import Session


def shown(session: Session, params: Mapping[str, Any]) -> Generator[None, None, dict[str, Any]]:
    """The page of an open document."""
    # Imported late: it loads Markdown and the models of messages.
    from msgls.conversation.writers.page.page import page, page_title, preview
    from msgls.conversation.writers.page.style import vscode_style_sheet

    opened = session.get(uri_in(params))
    document, version, words = opened.document, opened.version, session.speaker(opened)
    name = opened.uri.rpartition("/")[2] if opened.place is None else opened.place.name
    title = page_title(name, [document])
    if params.get("whole") is True:
        yield
        document, _ = redacted(document)
        title = page_title(name, [document])
        return {"version": version, "html": page(title, [document], words)}
    pieces = yield from preview(title, document, words)
    return {
        "version": version,
        "title": title,
        "style": vscode_style_sheet(),
        "header": pieces.header,
        "contents": pieces.contents,
        "articles": [{"line": line, "html": html} for line, html in pieces.articles],
    }
