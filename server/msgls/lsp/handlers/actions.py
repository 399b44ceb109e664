"""``textDocument/codeAction``: fixes, and what can be done with the cell there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from lsprotocol import types as lsp

from msgls.features.actions import (
    FIX_ALL_TITLE,
    CommandAction,
    cell_actions,
    file_actions,
    range_actions,
)
from msgls.lsp.convert import position_at, span_of
from msgls.lsp.handlers.fixes import fix_all, fixes, resolves
from msgls.lsp.session import OpenDocument, Session
from msgls.lsp.wishes import wish

FIX, REFACTOR, FIX_ALL, GO = "quickfix", "refactor", "source.fixAll.msgls", "navigate"
CONVERT = "source.convert.msgls"


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
    """What can be done by a command: with all that is selected, with the cell, with the file."""
    kinds = [kind for kind in (REFACTOR, GO, CONVERT) if _is_wanted(params.context, kind)]
    if not kinds:
        return
    document, around = opened.document, opened.checker.surroundings
    span = span_of(document, params.range, session.encoding)
    base = {
        "uri": opened.uri,
        "position": position_at(document, span.start, session.encoding),
        "version": opened.version,
    }
    selected = {**base, "end": position_at(document, span.end, session.encoding)}
    if REFACTOR in kinds:
        for action in range_actions(document, span, around):
            yield _by_command(session, opened, action, REFACTOR, selected)
    for action in cell_actions(document, span.start, around):
        kind = GO if action.is_going else REFACTOR
        if kind in kinds:
            yield _by_command(session, opened, action, kind, base)
    # Seven more would be in the way where something is to be done with a cell.
    if CONVERT in kinds and (params.context.only or not params.range.start.line):
        for action in file_actions(document):
            yield _by_command(session, opened, action, CONVERT, base)


def _by_command(
    session: Session,
    opened: OpenDocument,
    action: CommandAction,
    kind: str,
    place: Mapping[str, Any],
) -> dict[str, Any]:
    title = session.say(opened, action.title)
    arguments = [{**place, **action.arguments}]
    command = {"title": title, "command": action.command, "arguments": arguments}
    return {"title": title, "kind": kind, "command": command}
