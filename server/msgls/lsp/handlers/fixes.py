"""Fixes as code actions, and ``codeAction/resolve`` for those that are sent without edits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lsprotocol import types as lsp
from pygls.capabilities import get_capability

from msgls.features import actions as feature
from msgls.lsp.applying import workspace_edit
from msgls.lsp.convert import span_of
from msgls.lsp.params import RequestError
from msgls.lsp.session import OpenDocument, Session
from msgls.text.phrases import Phrase
from msgls.text.spans import Span


def resolves(session: Session) -> bool:
    """Whether the client can ask for the edit later."""
    support = get_capability(
        session.capabilities, "text_document.code_action.resolve_support.properties"
    )
    keeps_data = get_capability(session.capabilities, "text_document.code_action.data_support")
    return bool(keeps_data) and "edit" in (support or ())


def fixes(
    session: Session, opened: OpenDocument, span: Span, diagnostics: Sequence[lsp.Diagnostic]
) -> Iterator[dict[str, Any]]:
    """The ways out of the problems in a span."""
    document = opened.document
    problems = feature.problems_at(opened.checker, span)
    language = session.language(opened)
    for fix in feature.fix_actions(opened.snapshot, problems, language):
        problem = fix.problem
        place = problem.span.shift(document.cell(problem.order).start_offset)
        same = [
            diagnostic
            for diagnostic in diagnostics
            if diagnostic.code == problem.code
            and span_of(document, diagnostic.range, session.encoding) == place
        ]
        action: dict[str, Any] = {"title": fix.title, "kind": "quickfix"}
        action |= {"isPreferred": True} if fix.is_preferred else {}
        action |= {"diagnostics": same} if same else {}
        if fix.is_large and resolves(session):
            # A label has more digits than some clients' numbers.
            which = [str(problem.order), problem.code, problem.key, *problem.span, fix.number]
            action["data"] = {"uri": opened.uri, "version": opened.version, "which": which}
        else:
            action["edit"] = workspace_edit(session, opened, fix.edits)
        yield action


def fix_all(session: Session, opened: OpenDocument, tells: bool) -> dict[str, Any]:
    """All safe fixes at once; a person who has asked for them is told what is left and why."""
    edits, left = feature.fix_all_edits(opened.snapshot, opened.rules)
    if tells and left is not None:
        session.tell(left, opened, is_warning=False)
    return workspace_edit(session, opened, edits)


def resolve(session: Session, action: Mapping[str, Any]) -> dict[str, Any]:
    """An action with the edit that it was sent without."""
    data = action.get("data")
    if not isinstance(data, Mapping) or not isinstance(data.get("uri"), str):
        return dict(action)
    opened = session.get(data["uri"])
    if data.get("version") != opened.version:
        reason = Phrase("the document has changed since this was offered")
        raise RequestError(reason, lsp.LSPErrorCodes.ContentModified)
    if "which" not in data:
        return {**action, "edit": fix_all(session, opened, data.get("tells") is True)}
    try:
        order, code, key, start, end, number = data["which"]
        label, index = int(order), int(number)
    except (TypeError, ValueError) as error:
        reason = Phrase("this action was not offered by this server")
        raise RequestError(reason, lsp.ErrorCodes.InvalidParams) from error
    place = (code, key, start, end)
    edits = feature.find_fix(opened.checker, label, place, index)
    if edits is None:
        raise RequestError(Phrase("there is no such fix"))
    return {**action, "edit": workspace_edit(session, opened, edits)}
