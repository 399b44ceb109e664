"""``textDocument/codeAction``: fixes, and the commands for the cell there.

An action is sent with its edit, with a command, or with ``data`` from which
``codeAction/resolve`` makes the edit. ``_edits`` is the one way from that data to the edits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from lsprotocol import types as lsp

from msgls.features import actions as feature
from msgls.features.actions import CommandAction, FixAction
from msgls.features.command_table import SHOW_VIEW, Command
from msgls.features.commands import Call, CellChange, RefusedError, run
from msgls.lsp.applying import workspace_edit
from msgls.lsp.convert import position_at, span_of
from msgls.lsp.handlers.commands import call_of
from msgls.lsp.params import Encoded, RequestError, invalid
from msgls.lsp.progress import listed, unchanged
from msgls.lsp.publisher import checking
from msgls.lsp.session import OpenDocument, Session
from msgls.text.phrases import Phrase
from msgls.text.spans import Edit, Span
from msgls.text.work import Work, gathered

FIX, REFACTOR, FIX_ALL, GO = "quickfix", "refactor", "source.fixAll.msgls", "navigate"
CONVERT = "source.convert.msgls"
# Edits of up to so many cells are fast enough to be made before the user has chosen the action.
_MOST_CELLS = 500


def code_action(session: Session, params: lsp.CodeActionParams) -> Work[Encoded]:
    """The code actions for a range."""
    opened = session.get(params.text_document.uri)
    return unchanged(session, opened, _code_action(session, opened, params))


def _code_action(
    session: Session, opened: OpenDocument, params: lsp.CodeActionParams
) -> Work[Encoded]:
    context = params.context
    is_rich = session.capability("text_document.code_action.code_action_literal_support")
    found: list[dict[str, Any]] = []
    if is_rich and _is_wanted(context, FIX):
        span = span_of(opened.document, params.range, session.encoding)
        yield from checking(opened)
        problems = yield from feature.problems_at.work(opened.checker, span)
        language = session.language(opened)
        is_asked = not _is_automatic(context)
        fixes = yield from feature.fix_actions.work(opened.snapshot, problems, language, is_asked)
        found += yield from gathered(_encoded(session, opened, fixes, context.diagnostics))
    if is_rich and _is_wanted(context, FIX_ALL) and (context.only or found):
        found += _fix_all(session, opened, context)
    if is_rich and _is_wanted(context, FIX):
        for row in session.recovery_commands(opened):
            found.append(_by_command(session, opened, CommandAction(row), FIX, {"uri": opened.uri}))
    found += yield from _cell_actions(session, opened, params)
    if not (is_rich and session.capability("text_document.code_action.disabled_support")):
        found = [action for action in found if "disabled" not in action]
    if is_rich and not session.capability("workspace.apply_edit"):
        is_one = _asks_for_one_fix(session, opened, params)
        found = _preferred_fix(found) if is_one else list(_as_edits(session, opened, found))
    shown = found if is_rich else [action["command"] for action in found]
    return (yield from listed(shown))


def _as_edits(
    session: Session, opened: OpenDocument, actions: Iterable[dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Actions for a client without ``workspace/applyEdit``: each with its edit in it.

    Actions that show a place or create a file are left out: they need a command. So are those that
    would change very many cells: making their edits would delay the response.
    """
    for action in actions:
        command = action.get("command")
        if command is None:
            yield action
        elif action["kind"] == REFACTOR:
            edits = _edits(session, opened, command)
            if edits:
                edit = workspace_edit(session, opened, edits)
                yield {"title": action["title"], "kind": REFACTOR, "edit": edit}


def _reach(command: str, call: Call) -> int:
    """How many cells a command changes, besides the first one."""
    document, end = call.document, call.end
    if command.endswith("FromHere"):
        end = len(document.store)
    if end is None:
        return 0
    first, last = (document.number_at_offset(at) or 0 for at in (call.offset, end))
    return last - first


def _asks_for_one_fix(session: Session, opened: OpenDocument, params: lsp.CodeActionParams) -> bool:
    """Whether a client asks for the fix of one problem, and will apply every action that it gets.

    Kate's *Quick Fix* does so: it sends one diagnostic, and the whole document as the range.
    """
    span = span_of(opened.document, params.range, session.encoding)
    is_whole = (span.start, span.end) == (0, len(opened.document.store))
    return is_whole and len(params.context.diagnostics) == 1


def _preferred_fix(actions: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The preferred fix of a problem that the client has named, if there is one."""
    meant = [action for action in actions if "diagnostics" in action and "isPreferred" in action]
    return meant[:1]


def _is_wanted(context: lsp.CodeActionContext, kind: str) -> bool:
    if context.only is None:
        # An editor that asks by itself would show its lamp in every cell.
        return kind == FIX or not _is_automatic(context)
    only = [getattr(wanted, "value", wanted) for wanted in context.only]
    return any(not wanted or f"{kind}.".startswith(f"{wanted}.") for wanted in only)


def _is_automatic(context: lsp.CodeActionContext) -> bool:
    return context.trigger_kind == lsp.CodeActionTriggerKind.Automatic


def _fix_all(
    session: Session, opened: OpenDocument, context: lsp.CodeActionContext
) -> Iterator[dict[str, Any]]:
    """The action that applies all safe fixes, resolved later.

    A client that cannot resolve it gets it with its edit, but only if it asks for this kind.
    """
    action = {"title": session.say(opened, feature.FIX_ALL_TITLE), "kind": FIX_ALL}
    # An editor that asks by itself does so at every save.
    tells = context.trigger_kind == lsp.CodeActionTriggerKind.Invoked
    if _resolves(session):
        yield {**action, "data": {"uri": opened.uri, "version": opened.version, "tells": tells}}
    elif context.only:
        yield {
            **action,
            "edit": workspace_edit(session, opened, _all_fixes(session, opened, tells)),
        }


def _cell_actions(
    session: Session, opened: OpenDocument, params: lsp.CodeActionParams
) -> Work[list[dict[str, Any]]]:
    """The actions that run a command: for the selection, the cell and the file."""
    kinds = [kind for kind in (REFACTOR, GO, CONVERT) if _is_wanted(params.context, kind)]
    found: list[dict[str, Any]] = []
    if not kinds:
        return found
    snapshot = opened.snapshot
    document = snapshot.document
    span = span_of(document, params.range, session.encoding)
    base = {
        "uri": opened.uri,
        "position": position_at(document, span.start, session.encoding),
        "version": opened.version,
    }
    selected = {**base, "end": position_at(document, span.end, session.encoding)}
    for_all = yield from feature.range_actions.work(snapshot, span)
    several = [(action, selected) for action in for_all]
    one = [(action, base) for action in feature.cell_actions(snapshot, span.start)]
    changes = [pair for pair in (*several, *one) if not pair[0].row.is_going]
    menu = session.cell_menu
    if (
        menu is not None
        and params.context.only is None
        and len(changes) > feature.MOST_CELL_ACTIONS
    ):
        # The others, and the places to go to, are in the menu.
        changes, one = changes[: feature.MOST_CELL_ACTIONS], []
        changes.append((CommandAction(Command(menu, feature.MENU_TITLE, ())), selected))
    if REFACTOR in kinds:
        for action, place in changes:
            found.append(_by_command(session, opened, action, REFACTOR, place))
    if GO in kinds:
        for action, place in one:
            if action.row.is_going:
                found.append(_by_command(session, opened, action, GO, place))
    # Only on the first line: elsewhere, seven conversions would hide the actions of a cell.
    if CONVERT in kinds and (params.context.only or not params.range.start.line):
        found += [
            _by_command(session, opened, action, CONVERT, base)
            for action in feature.file_actions(snapshot)
        ]
    # An editor with a menu of its own for cells has a button for this.
    if GO in kinds and menu is None and session.shows_content:
        found.append(_by_command(session, opened, CommandAction(SHOW_VIEW), GO, base))
    return found


def _by_command(
    session: Session,
    opened: OpenDocument,
    action: CommandAction,
    kind: str,
    place: Mapping[str, Any],
) -> dict[str, Any]:
    title = session.say(opened, action.title)
    if action.obstacle is not None:
        reason = session.say(opened, action.obstacle)
        return {"title": title, "kind": kind, "disabled": {"reason": reason}}
    arguments = [{**place, **action.arguments}]
    command = {"title": title, "command": action.command, "arguments": arguments}
    return {"title": title, "kind": kind, "command": command}


# -- edits ----------------------------------------------------------------------------------


def _resolves(session: Session) -> bool:
    """Whether the client can ask for the edit later."""
    support = session.capability("text_document.code_action.resolve_support.properties")
    keeps_data = session.capability("text_document.code_action.data_support")
    return bool(keeps_data) and "edit" in (support or ())


def _encoded(
    session: Session,
    opened: OpenDocument,
    fixes: Iterable[FixAction],
    diagnostics: Sequence[lsp.Diagnostic],
) -> Iterator[dict[str, Any]]:
    document = opened.document
    named: dict[tuple[Any, Span], list[lsp.Diagnostic]] = {}
    for diagnostic in diagnostics:
        where = span_of(document, diagnostic.range, session.encoding)
        named.setdefault((diagnostic.code, where), []).append(diagnostic)
    for fix in fixes:
        problem = fix.problem
        place = problem.span.shift(document.cell(problem.label).start_offset)
        same = named.get((problem.code, place))
        action: dict[str, Any] = {"title": fix.title, "kind": FIX}
        action |= {"isPreferred": True} if fix.is_preferred else {}
        action |= {"diagnostics": same} if same else {}
        if fix.is_large and _resolves(session):
            # A label has more digits than some clients' numbers.
            which = [str(problem.label), problem.code, problem.key, *problem.span, fix.number]
            action["data"] = {"uri": opened.uri, "version": opened.version, "which": which}
        else:
            action["edit"] = workspace_edit(session, opened, fix.edits)
        yield action


def resolve(session: Session, action: Mapping[str, Any]) -> dict[str, Any]:
    """An action with the edit that it was sent without."""
    data = action.get("data")
    if not isinstance(data, Mapping) or not isinstance(data.get("uri"), str):
        return dict(action)
    opened = session.get(data["uri"])
    if data.get("version") != opened.version:
        reason = Phrase("the document has changed since this was offered")
        raise RequestError(reason, lsp.LSPErrorCodes.ContentModified)
    edits = _edits(session, opened, data)
    return {**action, "edit": workspace_edit(session, opened, edits)}


def _edits(session: Session, opened: OpenDocument, data: Mapping[str, Any]) -> Sequence[Edit]:
    """The edits of an action: of a command, of the fix of one problem, or of all safe fixes."""
    if "command" in data:
        return _edits_of_command(session, opened, data["command"], data["arguments"][0])
    if "which" not in data:
        return _all_fixes(session, opened, data.get("tells") is True)
    try:
        label, code, key, start, end, number = data["which"]
        label, index = int(label), int(number)
    except (TypeError, ValueError) as error:
        raise invalid(Phrase("this action was not offered by this server")) from error
    edits = feature.find_fix(opened.checker, label, (code, key, start, end), index)
    if edits is None:
        raise RequestError(Phrase("this fix does not exist"))
    return edits


def _edits_of_command(
    session: Session, opened: OpenDocument, name: str, argument: Mapping[str, Any]
) -> Sequence[Edit]:
    """The edits of a command that changes the document; none if it does not, or is refused."""
    call = call_of(session, opened, name, argument)
    if _reach(name, call) > _MOST_CELLS:
        return ()
    try:
        result = run(name, call)
    except RefusedError:
        return ()
    return result.edits if isinstance(result, CellChange) else ()


def _all_fixes(session: Session, opened: OpenDocument, tells: bool) -> Sequence[Edit]:
    """All safe fixes at once; a user who has asked for them sees what is left and why."""
    edits, left = feature.fix_all_edits(opened.snapshot, opened.rules)
    if tells and left is not None:
        session.tell(left, opened, is_warning=False)
    return edits
