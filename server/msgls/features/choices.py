"""Questions to the user before a command runs, one after the other.

Owns which arguments of a command the user is asked for, in which words, and with which choices. An
editor shows a question and requests the next one with the answer, until there is none left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from msgls.features import command_table as table
from msgls.features.commands import Call, RefusedError, run
from msgls.features.converting import targets_of
from msgls.features.counting import plural
from msgls.features.language import language_of
from msgls.text.phrases import Phrase, joined

_LIST = table.LIST_AGENTS.id
_NEW_AGENT = Phrase("Add an agent")
CHOOSE_VIEW = "msgls.view.chooseAgent"
"""A command of the editor: it shows the view of the agent that is chosen."""


class Choice(NamedTuple):
    """A row of a list."""

    value: Any
    label: str
    description: str = ""
    detail: str = ""
    is_typed: bool = False
    """Whether the user types the value when this is chosen."""


class Question(NamedTuple):
    """An argument that is missing: chosen from a list, or typed where there is none."""

    title: Phrase
    choices: tuple[Choice, ...] = ()
    prompt: Phrase | None = None
    is_optional: bool = False
    """Whether the answer may be empty."""
    name: str = ""
    """The name of the argument."""


def next_question(command: str, call: Call) -> Question | None:
    """The next question; ``None`` if the command can run. May raise ``RefusedError``."""
    for name, ask in _QUESTIONS.get(command, {}).items():
        question = None if name in call.arguments else ask(call)
        if question is not None:
            return question._replace(name=name)
    return None


def _type(call: Call) -> Question:
    language = language_of(call.document)
    rows = [Choice(name, name, what) for name, what in language.cell_types().items()]
    if language.other_types is not None:
        rows.append(Choice(None, Phrase("another type…"), language.other_types, is_typed=True))
    return Question(Phrase("Change the type of this cell to"), tuple(rows))


def _default_agent(call: Call) -> Question:
    agents = tuple(_agents(call))
    if not agents:
        raise RefusedError("no agent is registered here")
    return Question(Phrase("The agent that answers by default"), agents)


def _known_agent(call: Call) -> Question:
    """The agents to go to: the value is the agent's line, ``None`` if it is in another file."""
    lines = {agent["name"]: agent["line"] for agent in run(_LIST, call)}
    if not lines:
        raise RefusedError("no agents are involved here")
    rows = tuple(row._replace(value=lines[row.label]) for row in _agents(call))
    return Question(Phrase("Agents of this conversation"), rows)


def _new_name(call: Call) -> Question:
    return Question(_NEW_AGENT, prompt=Phrase("The name that it answers by"))


def _new_model(call: Call) -> Question | None:
    prompt = Phrase("Its model; empty: its name is its model")
    if "temporary" in call.arguments:
        return None
    return Question(_NEW_AGENT, prompt=prompt, is_optional=True)


def _new_place(call: Call) -> Question:
    below = Phrase("In a cell below this one, for this conversation")
    rows = Choice(False, Phrase("In the frontmatter")), Choice(True, below)
    return Question(_NEW_AGENT, rows)


def _greeter(call: Call) -> Question | None:
    """Ask for the greeting agent only if there are several."""
    greeting = {found.agent for found in call.snapshot.surroundings.greetings}
    agents = tuple(row for row in _agents(call) if row.value in greeting)
    title = Phrase("The agent whose boot message is inserted")
    return Question(title, agents) if len(agents) > 1 else None


def _viewer(call: Call) -> Question:
    rows = Choice(None, Phrase("The default agent")), *_agents(call)
    return Question(Phrase("The agent whose view is shown"), rows)


def _part(call: Call) -> Question:
    rows = tuple(Choice(part, part) for part in ("patch", "minor", "major"))
    return Question(Phrase("The part of the version to bump"), rows)


def _place(call: Call) -> Question | None:
    """Ask where the context is reset, only if the cursor is in a cell before the last one."""
    document = call.document
    number = document.number_at_offset(call.offset)
    is_last = number is None or number == document.cell_count - 1
    if is_last or "position" not in call.arguments:
        return None
    end = Phrase("At the end of the conversation")
    rows = Choice(True, Phrase("Below this cell")), Choice(False, end)
    return Question(Phrase("Where the context is reset"), rows)


def _target(call: Call) -> Question:
    rows = tuple(Choice(target, name) for target, name in targets_of(call.document).items())
    return Question(Phrase("Convert to"), rows)


def _agents(call: Call) -> Iterator[Choice]:
    """The agents that a document involves, each with its details."""
    for agent in run(_LIST, call):
        answers = plural(agent["answers"], Phrase("1 answer"), Phrase("{count} answers"))
        facts = [Phrase("default")] if agent["isDefault"] else []
        detail = joined([*facts, agent["origin"], answers], " · ")
        yield Choice(agent["name"], agent["name"], ", ".join(agent["models"]), detail)


_QUESTIONS: Mapping[str, Mapping[str, Callable[[Call], Question | None]]] = {
    table.CHANGE_TYPE.id: {"type": _type},
    table.SET_DEFAULT_AGENT.id: {"name": _default_agent},
    _LIST: {"line": _known_agent},
    table.ADD_AGENT.id: {"name": _new_name, "model": _new_model, "temporary": _new_place},
    table.INSERT_BOOT.id: {"agent": _greeter},
    table.BUMP_VERSION.id: {"part": _part},
    table.RESET_CONTEXT.id: {"here": _place},
    table.CONVERT_TO.id: {"target": _target},
    CHOOSE_VIEW: {"agent": _viewer},
}
"""By command, the arguments that the user is asked for, and what asks for each."""
