"""``textDocument/completion`` and ``completionItem/resolve``."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp

from msgls.features.completion import Item, ItemKind, complete, documentation, opens
from msgls.features.linkcompletion import Nearby, complete_link, opens_link
from msgls.lsp.convert import content, text_edits
from msgls.lsp.session import OpenDocument, Session

_KINDS = {
    ItemKind.MARKER: lsp.CompletionItemKind.Keyword,
    ItemKind.CELL: lsp.CompletionItemKind.Snippet,
    ItemKind.ID: lsp.CompletionItemKind.Reference,
    ItemKind.TYPE: lsp.CompletionItemKind.Class,
    ItemKind.AGENT: lsp.CompletionItemKind.Interface,
    ItemKind.LANGUAGE: lsp.CompletionItemKind.Unit,
    ItemKind.KEY: lsp.CompletionItemKind.Property,
    ItemKind.VALUE: lsp.CompletionItemKind.Value,
    ItemKind.RULE: lsp.CompletionItemKind.Constant,
    ItemKind.FILE: lsp.CompletionItemKind.File,
    ItemKind.FOLDER: lsp.CompletionItemKind.Folder,
    ItemKind.HEADING: lsp.CompletionItemKind.Reference,
}
_ITEM = "text_document.completion.completion_item"
_SNIPPET = 2
_AS_IS = 1


def completion(session: Session, params: lsp.CompletionParams) -> dict[str, Any]:
    """The suggestions, each with an exact edit."""
    opened, offset = session.place(params)
    snapshot = opened.snapshot
    typed = _trigger(params)
    is_link = typed and opens_link(snapshot.document, offset, typed)
    if typed and not is_link and not opens(snapshot, offset, typed):
        return {"isIncomplete": False, "items": []}
    found = complete_link(snapshot.document, offset, _nearby(session, opened))
    if found is None:
        found = complete(snapshot, offset)
    with_snippets = bool(session.capability(f"{_ITEM}.snippet_support"))
    say = session.speaker(opened)
    items = [
        _encode(session, opened, _spoken(item, say), number, with_snippets)
        for number, item in enumerate(found.items)
        if not (item.is_plain and session.has_json_service)
    ]
    return {"isIncomplete": found.incomplete, "items": items}


def _nearby(session: Session, opened: OpenDocument) -> Nearby:
    workspace, path = session.workspace, Path(opened.document.path)
    return Nearby(
        listing=partial(workspace.listing, path),
        headings=partial(workspace.headings, path),
        all_headings=partial(workspace.all_headings, path),
    )


def _trigger(params: lsp.CompletionParams) -> str:
    """The trigger character of a request; empty if the user or a letter triggered it."""
    context = params.context
    if context is None or context.trigger_kind is not lsp.CompletionTriggerKind.TriggerCharacter:
        return ""
    return context.trigger_character or ""


def _spoken(item: Item, say: Callable[[str], str]) -> Item:
    """An item in the user's language; what is typed is still compared with the English words."""
    label = say(item.label)
    filter_text = item.filter_text
    if filter_text is None and label != item.label:
        filter_text = str(item.label)
    return item._replace(label=label, detail=say(item.detail), filter_text=filter_text)


def _encode(
    session: Session, opened: OpenDocument, item: Item, number: int, with_snippets: bool
) -> dict[str, Any]:
    (edit,) = text_edits(opened.document, [item.edit], session.encoding)
    data: dict[str, Any] = {
        "label": item.label,
        "kind": int(_KINDS[item.kind]),
        "sortText": f"{number:05}",
        "textEdit": edit,
    }
    if with_snippets and item.snippet is not None:
        edit["newText"] = item.snippet
        data.update(insertTextFormat=_SNIPPET, insertTextMode=_AS_IS)
    if item.detail:
        data["detail"] = item.detail
        # Shown beside every label, while `detail` is shown for the selected item alone.
        if session.capability(f"{_ITEM}.label_details_support"):
            data["labelDetails"] = {"description": item.detail}
    if item.filter_text is not None:
        data["filterText"] = item.filter_text
    if item.also:
        data["additionalTextEdits"] = text_edits(opened.document, item.also, session.encoding)
    if item.topic is not None:
        data["data"] = {"uri": opened.uri, "topic": list(item.topic)}
    return data


def resolve(session: Session, params: dict[str, Any]) -> dict[str, Any]:
    """The same item with its documentation; an item that is not ours comes back as it is."""
    data = params.get("data")
    opened = session.documents.get(data.get("uri", "")) if isinstance(data, dict) else None
    topic = data.get("topic") if isinstance(data, dict) else None
    if opened is None or not isinstance(topic, list) or len(topic) != 2:
        return params
    parts = documentation(opened.snapshot, (str(topic[0]), str(topic[1])))
    if not parts:
        return params
    said = content(
        parts,
        session.capability(f"{_ITEM}.documentation_format"),
        session.language(opened),
    )
    return {**params, "documentation": said}
