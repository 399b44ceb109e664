"""``msgls view``: what the model sees of a file."""

import argparse
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from msgls.cli import redacting
from msgls.cli.exits import OK, UsageProblem, note, tell
from msgls.cli.opening import Part, not_ours, open_any, open_conversation
from msgls.cli.speaking import said
from msgls.cli.streams import write_out
from msgls.cli.terminal import columns, harmless, painter, print_table, table, width
from msgls.conversation.agents import SeeingAgent, agent_in
from msgls.conversation.blocks import Block, message_block
from msgls.conversation.cell_visibility import CellSight, message_sights
from msgls.conversation.context import context_of
from msgls.conversation.model_view import Entry, ModelView
from msgls.conversation.parts import Wire
from msgls.conversation.requests import NO_MODEL, has_no_model, json_text
from msgls.conversation.sources import Incoming, Unreadable, read, read_folder
from msgls.conversation.targets import REQUESTS, traced, write_request
from msgls.conversation.visibility import Sight
from msgls.document.snapshot import Snapshot
from msgls.features.agents import involved_agents
from msgls.formats.plain import PLAIN
from msgls.rules.settings import did_you_mean
from msgls.text.phrases import Phrase, about, as_phrase, joined
from msgls.text.tokens import TokenCounter

TARGETS = ("text", "messages", *REQUESTS)

_BREAK = re.compile(r"\r\n|\n|\r")
_STYLES = {
    "system": "bold magenta",
    "user": "bold cyan",
    "assistant": "bold green",
    "tool": "bold yellow",
}
_ID_WIDTH = 24
_HEADINGS = (Phrase("line"), Phrase("id"), Phrase("role"), Phrase("tokens"), Phrase("seen"))
_YES = Phrase("yes")
_NAMES_NONE = Phrase("it names no agent at all")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add = parser.add_argument
    file = Phrase("a message file, any other that holds a conversation, or a folder of messages")
    add("file", metavar="FILE", help=file)
    agent = Phrase("the agent whose view is shown (default: the default agent)")
    add("--agent", metavar="NAME", help=agent)
    add(
        "--to",
        dest="target",
        choices=TARGETS,
        metavar="FORMAT",
        help=Phrase("{formats} (default: text)", formats=joined(TARGETS)),
    )
    redacting.add_arguments(parser)
    add(
        "--explain",
        action="store_true",
        help=Phrase("list the cells, and why the model does or does not see each"),
    )


def run(options: argparse.Namespace) -> int:
    """Show what the model sees."""
    if options.explain and options.target is not None:
        raise UsageProblem(Phrase("--explain cannot be used with --to"))
    hiding = redacting.Redacting(options, is_shared=options.target in REQUESTS)
    parts = open_conversation(options.file, hiding.text, open_any)
    if len(parts) > 1:
        _view_folder(options, parts, hiding)
        return OK
    if parts[0].document.format is PLAIN:
        _view_foreign(options, parts[0], hiding)
        return OK
    if options.agent is not None:
        check_agent(options, parts[0].snapshot)
    view = ModelView(parts[0].document, parts[0].snapshot.tokens, options.agent)
    if options.explain:
        _explain(view)
    elif options.target in (None, "text"):
        _print_text(view.store.tree)
    else:
        hiding.tell()
        _print_json(view, options)
    return OK


def check_agent(options: argparse.Namespace, snapshot: Snapshot) -> None:
    """Refuse an agent that the file does not involve."""
    if not snapshot.document.format.has_agents:
        what = Phrase("files of this format have no agents: --agent")
        raise UsageProblem(about(options.file, what))
    agents = involved_agents(snapshot)
    names = dict.fromkeys([agent.name for agent in agents])
    names |= dict.fromkeys([model for agent in agents for model in agent.models])
    if options.agent not in names:
        known = Phrase("there are: {names}", names=joined(names)) if names else _NAMES_NONE
        guess = did_you_mean(options.agent, list(names), known)
        what = Phrase("there is no agent `{agent}`{guess}", agent=options.agent, guess=guess)
        raise UsageProblem(about(options.file, what))


def _view_folder(
    options: argparse.Namespace, parts: Sequence[Part], hiding: redacting.Redacting
) -> None:
    """The messages of a folder, as one conversation."""
    if options.agent is not None:
        check_agent(options, parts[0].snapshot)
    views = [ModelView(part.document, part.snapshot.tokens) for part in parts]
    if options.explain:
        names = [Path(part.file).name for part in parts]
        rows = [[name, *row[1:]] for name, v in zip(names, views, strict=True) for row in _rows(v)]
        _print_table(
            rows, _sum(sum(view.tokens for view in views), views[0].counter, views[0].context.agent)
        )
        return
    if options.target in (None, "text"):
        _print_text([block for view in views for block in view.store.tree])
        return
    hiding.tell()
    _print_incoming(options, read_folder(options.file, [(p.file, p.document) for p in parts]))


def _view_foreign(options: argparse.Namespace, part: Part, hiding: redacting.Redacting) -> None:
    """A conversation that another program has written."""
    if options.agent is not None:
        check_agent(options, part.snapshot)
    document = part.document
    try:
        found = read(options.file, document.text)
    except Unreadable:
        raise not_ours(options.file) from None
    if len(found) > 1:
        what = Phrase(
            "it contains {count} conversations: `msgls convert` writes all of them",
            count=len(found),
        )
        raise UsageProblem(about(options.file, what))
    incoming = found[0]
    conversation = incoming.conversation
    context = context_of(conversation, agent_in(conversation))
    if options.explain:
        counter = part.snapshot.tokens
        cells = message_sights(document, conversation, counter)
        _print_table(
            _cell_rows(cells), _sum(sum(cell.tokens for cell in cells), counter, context.agent)
        )
    elif options.target in (None, "text"):
        sent = zip(context.conversation.messages, context.conversation.sources, strict=True)
        _print_text([message_block(document, n, *one) for n, one in enumerate(sent)])
    else:
        hiding.tell()
        _print_incoming(options, incoming)


def _print_incoming(options: argparse.Namespace, incoming: Incoming) -> None:
    conversation = incoming.conversation
    context = context_of(conversation, agent_in(conversation))
    if options.target == "messages":
        text = json_text([message.to_wire() for message in context.conversation.messages])
    else:
        text, losses = write_request(context.conversation, options.target, context.agent.options)
        for loss in losses:
            place = incoming.place_of(traced(loss, context))
            where = place.file if place.line is None else f"{place.file}:{place.line + 1}"
            tell(about(where, as_phrase(loss.what)))
    _print_request(text, options)


# -- text -----------------------------------------------------------------------------------


def _print_text(blocks: Iterable[Block]) -> None:
    paint = painter(sys.stdout)
    number = -1
    for number, block in enumerate(blocks):
        heading, *lines = _BREAK.split(block.text.rstrip("\r\n"))
        role = heading.removeprefix("## ").partition(" ")[0]
        # Cut to one line, so that headings are easy to find.
        shown = table([[heading]], columns(sys.stdout))[0]
        print(("\n" if number else "") + paint(shown, _STYLES.get(role, "bold")))
        for line in lines:
            print(harmless(line))
    if number < 0:
        note(Phrase("the model sees nothing of this file; --explain says why"))


# -- JSON -----------------------------------------------------------------------------------


def _print_json(view: ModelView, options: argparse.Namespace) -> None:
    context, entries = view.context, view.entries
    if options.target == "messages":
        text = json_text(list(_wires(entries)))
    else:
        text, losses = write_request(context.conversation, options.target, context.agent.options)
        for loss in losses:
            entry = None if loss.message_index is None else entries[loss.message_index]
            where = options.file if entry is None else f"{options.file}:{entry.first_line + 1}"
            tell(about(where, as_phrase(loss.what)))
    _print_request(text, options)


def _print_request(text: str, options: argparse.Namespace) -> None:
    if options.target in REQUESTS and has_no_model(text):
        what = Phrase("no agent names a model: `{model}` is used", model=NO_MODEL)
        note(about(options.file, what))
    write_out(text)


def _wires(entries: Iterable[Entry]) -> Iterator[Wire]:
    """Messages with the lines of the file that they come from, in their metadata."""
    for entry in entries:
        wire = entry.message.to_wire()
        # Text outside of the cells is not sent.
        meta = {key: value for key, value in wire.pop("meta", {}).items() if key != "file"}
        lines = [entry.first_line + 1, entry.last_line + 1]
        yield {**wire, "meta": {**meta, "sourceLines": lines}}


# -- the table ------------------------------------------------------------------------------


def _explain(view: ModelView) -> None:
    _print_table(_rows(view), _sum(view.tokens, view.counter, view.context.agent))


def _print_table(found: Iterable[list[str]], total: Phrase) -> None:
    rows = [[*map(said, _HEADINGS)], *found]
    for column in (0, 3):
        wide = max(width(row[column]) for row in rows)
        for row in rows:
            row[column] = " " * (wide - width(row[column])) + row[column]
    print_table(rows)
    print()
    print(said(total))


def _rows(view: ModelView) -> Iterator[list[str]]:
    agent, document = view.context.agent, view.document
    if agent.system_prompt:
        span = agent.prompt_span
        line = "" if span is None else str(document.position_of(span.start).line + 1)
        tokens = f"{view.counter.count(agent.system_prompt):,}"
        yield [line, harmless(agent.name or ""), said(Phrase("system prompt")), tokens, said(_YES)]
    yield from _cell_rows(view.cells)


def _cell_rows(cells: Iterable[CellSight]) -> Iterator[list[str]]:
    for cell in cells:
        name = harmless(cell.id or "-")
        name = name if len(name) <= _ID_WIDTH else f"{name[: _ID_WIDTH - 1]}…"
        seen = _YES
        if cell.sight is Sight.SUMMARY:
            seen = Phrase("yes: {why}", why=cell.why)
        elif not cell.sight.is_sent:
            seen = Phrase("no: {why}", why=cell.why)
        role = said(cell.role)
        yield [str(cell.line + 1), name, role, f"{cell.tokens:,}", said(seen)]


def _sum(tokens: int, counter: TokenCounter, agent: SeeingAgent) -> Phrase:
    total = Phrase("About {tokens:,} tokens in all, an estimate", tokens=tokens)
    if counter.is_exact:
        total = Phrase("{tokens:,} tokens in all", tokens=tokens)
    if agent.name is None:
        return Phrase("{total}.", total=total)
    name = harmless(agent.name)
    if agent.budget is None:
        return Phrase("{total}; the limit of {agent} is not known.", total=total, agent=name)
    words: dict[str, str | int] = {"total": total, "budget": agent.budget, "agent": name}
    if tokens > agent.budget:
        return Phrase("{total}; {agent} has room for only {budget:,}.", **words)
    return Phrase("{total}; {agent} has room for {budget:,}.", **words)
