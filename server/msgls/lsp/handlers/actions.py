"""``textDocument/codeAction``: fixes, and what can be done with the cell there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lsprotocol import types as lsp

from msgls.features.actions import FIX_ALL_TITLE, cell_actions
from msgls.lsp.convert import span_of
from msgls.lsp.handlers.fixes import fix_all, fixes, resolves
from msgls.lsp.session import OpenDocument, Session
from msgls.lsp.wishes import wish

FIX, REFACTOR, FIX_ALL, GO = "quickfix", "refactor", "source.fixAll.msgls", "navigate"


def code_action(session: Session, params: lsp.CodeActionParams) -> list[dict[str, Any]]:
    """What can be done about a range."""
    opened = session.get(params.text_document.uri)
    context = params.context
    is_rich = wish(session, "text_document", "code_action", "code_action_literal_support")
    found: list[dict[str, Any]] = []
    if is_rich and _is_wanted(context, FIX):
        span = span_of(opened.document, params.range, session.encoding)
        found += fixes(session, opened, span, context.diagnostics)
    if is_rich and _is_wanted(context, FIX_ALL) and (context.only or found):
        found += _fix_all(session, opened, is_asked=bool(context.only))
    found += _cell_actions(session, opened, params)
    return found if is_rich else [action["command"] for action in found]


def _is_wanted(context: lsp.CodeActionContext, kind: str) -> bool:
    if context.only is None:
        # An editor that asks by itself would show its lamp in every cell.
        is_automatic = context.trigger_kind == lsp.CodeActionTriggerKind.Automatic
        return kind == FIX or not is_automatic
    only = [getattr(wanted, "value", wanted) for wanted in context.only]
    return any(not wanted or f"{kind}.".startswith(f"{wanted}.") for wanted in only)


def _fix_all(session: Session, opened: OpenDocument, is_asked: bool) -> Iterator[dict[str, Any]]:
    """To be made later; where that cannot be, only for those who ask for just that."""
    action = {"title": session.say(opened, FIX_ALL_TITLE), "kind": FIX_ALL}
    if resolves(session):
        yield {**action, "data": {"uri": opened.uri, "version": opened.version}}
    elif is_asked:
        yield {**action, "edit": fix_all(session, opened)}


def _cell_actions(
    session: Session, opened: OpenDocument, params: lsp.CodeActionParams
) -> Iterator[dict[str, Any]]:
    if not any(_is_wanted(params.context, kind) for kind in (REFACTOR, GO)):
        return
    offset = span_of(opened.document, params.range, session.encoding).start
    place = {"line": params.range.start.line, "character": params.range.start.character}
    base = {"uri": opened.uri, "position": place, "version": opened.version}
    for action in cell_actions(opened.document, offset, opened.checker.surroundings):
        kind = GO if action.is_going else REFACTOR
        if _is_wanted(params.context, kind):
            title = session.say(opened, action.title)
            arguments = [{**base, **action.arguments}]
            command = {"title": title, "command": action.command, "arguments": arguments}
            yield {"title": title, "kind": kind, "command": command}
