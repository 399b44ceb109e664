"""Requests of our own about what the model sees: tokens, positions, and what is hidden.

All of them take ``{uri, agent?}``; without an agent the default one is meant. A view is a
text of its own: positions in it are positions in that text, in the encoding that was
negotiated. A request with a ``version`` is refused if that is not the current one any more,
because its position would be out of date.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from lsprotocol import types as lsp

from msgls.conversation.cell_visibility import hidden_cells
from msgls.conversation.model_view import ModelView
from msgls.features.counting import short_tokens
from msgls.features.folding import folding
from msgls.formats.base import Placed
from msgls.lsp.convert import position_at, range_of
from msgls.lsp.params import RequestError, name_in, position_in, uri_in, version_in
from msgls.lsp.session import OpenDocument, Session
from msgls.text.phrases import Phrase
from msgls.text.work import Work, gathered


def tokens(session: Session, params: Mapping[str, Any]) -> Work[dict[str, Any]]:
    """The token count of what the model sees and its limit, as numbers and in words.

    Takes as long as what has changed since the last request.
    """
    opened, agent = session.get(uri_in(params)), name_in(params, "agent")
    kept = session.views.of(opened, agent)
    say = session.speaker(opened)
    return kept.ready(lambda live: {"version": live.document.version, **_tokens(live, say)})


def _tokens(live: ModelView, say: Callable[[str], str]) -> dict[str, Any]:
    agent, count = live.agent, live.tokens
    is_over = agent.budget is not None and count > agent.budget
    is_estimate = not live.counter.is_exact
    who = agent.name or Phrase("the model")
    if is_estimate:
        what = Phrase("What {who} sees of this file, in tokens; an estimate.", who=who)
    else:
        what = Phrase("What {who} sees of this file, in tokens.", who=who)
    if agent.budget is None:
        limit = Phrase("No `context_window` says how many tokens the model can process.")
    elif is_over:
        limit = Phrase("That is more than {who} can process.", who=who)
    else:
        limit = Phrase("The limit is what {who} can process, minus its answer.", who=who)
    shown = short_tokens(count, live.counter)
    if agent.budget is not None:
        about = "≈ " if is_estimate else ""
        shown = Phrase("{count} tokens", count=f"{about}{count:,} / {agent.budget:,}")
    return {
        "agent": agent.name,
        "tokens": count,
        "budget": agent.budget,
        "isEstimate": is_estimate,
        "isOver": is_over,
        "text": say(shown),
        "tooltip": f"{say(what)}\n{say(limit)}",
    }


def view_of(session: Session, params: Mapping[str, Any]) -> Work[dict[str, Any]]:
    """From a ``position`` in the file to the view: its range there, or the reason why it is hidden.

    A cell that is shown in another form has both.
    """
    opened, agent = session.get(uri_in(params)), name_in(params, "agent")
    place, encoding = position_in(params), session.encoding
    _check_version(opened, params)

    def answer(live: ModelView) -> dict[str, Any]:
        offset = live.document.offset_of(place, encoding)
        shown, all_shown = live.view_of(offset), live.shown_span(offset)
        return {
            "version": live.document.version,
            "position": None if shown is None else position_at(live.store, shown, encoding),
            "range": None if all_shown is None else range_of(live.store, all_shown, encoding),
            "reason": session.say(opened, live.why_hidden(offset)) or None,
        }

    return session.views.of(opened, agent).ready(answer)


def source_of(session: Session, params: Mapping[str, Any]) -> Work[dict[str, Any]]:
    """From a ``position`` in the view to the file: the cell or message that is shown there."""
    opened, agent = session.get(uri_in(params)), name_in(params, "agent")
    place, encoding = position_in(params), session.encoding
    _check_version(opened, params)

    def answer(live: ModelView) -> dict[str, Any]:
        document = live.document
        found = live.source_of(live.store.offset_of(place, encoding))
        if found is None:
            return {"version": document.version, "position": None, "range": None}
        at = position_at(document, found.offset, encoding)
        whole = range_of(document, found.span, encoding)
        return {"version": document.version, "position": at, "range": whole}

    return session.views.of(opened, agent).ready(answer)


def hidden(session: Session, params: Mapping[str, Any]) -> Work[dict[str, Any]]:
    """The lines of the cells that the model does not see, and that can be folded.

    A cell with a deeper cell that is seen is not among them: folding it would hide that.
    """
    opened = session.get(uri_in(params))
    snapshot = opened.snapshot
    document = snapshot.document

    # A cell of one line has nothing to fold, and an editor would fold what is around it.
    folds = yield from folding.work(snapshot)
    starts = {fold.start_line for fold in folds}
    cells = yield from gathered(document.cells())
    unseen = {placed.label for placed in (yield from gathered(hidden_cells(document)))}
    found = [placed.start_line for placed in (yield from _wholly(cells, unseen))]
    return {"version": document.version, "lines": [line for line in found if line in starts]}


def _wholly(cells: list[Placed], unseen: set[int]) -> Work[list[Placed]]:
    """The unseen cells after which no deeper cell is seen."""
    found: list[Placed] = []
    after: list[tuple[int, bool]] = []
    """The depths of the branches that follow, the next one last; and whether each is seen."""
    for placed in reversed(cells):
        depth = 0 if placed.cell.header is None else placed.cell.header.depth
        is_seen = placed.label not in unseen
        while after and after[-1][0] > depth:
            is_seen |= after.pop()[1]
        after.append((depth, is_seen))
        if not is_seen:
            found.append(placed)
        yield
    return found[::-1]


def _check_version(opened: OpenDocument, params: Mapping[str, Any]) -> None:
    version = version_in(params)
    if version is not None and version != opened.version:
        code = lsp.LSPErrorCodes.ContentModified
        raise RequestError(opened.changed_since(version), code)
