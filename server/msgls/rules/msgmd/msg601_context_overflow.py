"""The conversation does not fit into the context window of the default agent.

## What it does
Adds up what the model sees: the agent's system prompt, and every cell after the last
reset that is not excluded or virtual, with summaries where they replace a cell. Titles,
prose beside code and suppression comments are not sent, and not counted. In a
plain `.md` only what the section records is included. It compares the sum with
`context_window` minus `max_output_tokens` of the default agent. Tokens are estimated,
because the exact tables of the model are not available.

## Why it matters
What does not fit is cut off or refused by the provider, and an answer that runs out of
room breaks off in the middle.

## Example
An agent with `context_window: 8000` and `max_output_tokens: 1000`, and a conversation of
about 9,000 tokens:
```markdown
# %% An old question[^q1]

[^q1]: [markdown]
```
Use instead:
```markdown
# %% An old question[^q1]

[^q1]: [markdown] history=exclude
```

## Fix safety
Not safe: the fix sets `history=exclude` on the oldest cells, an answer together with its
calls and results, until the rest fits. What is excluded the model no longer sees.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgls.conversation.cell_visibility import last_reset, seen_text, sight_of
from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.formats.base import Meaning
from msgls.formats.msgmd.agents import default_agent
from msgls.formats.msgmd.edits import insert_definition, set_attribute
from msgls.formats.msgmd.meaning import next_free_id
from msgls.formats.msgmd.section import section_order
from msgls.rules.base import BudgetRule, Fix, Problem, Severity
from msgls.syntax.cells import CellKind
from msgls.syntax.ids import CellId
from msgls.text.spans import Edit, Span
from msgls.text.tokens import MOST_A_CHARACTER


class ContextOverflow(BudgetRule):
    """See the module."""

    code = "MSG601"
    name = "context-overflow"
    severity = Severity.WARNING
    texts = {
        "message": (
            "the model would see about {tokens} tokens (an estimate), but `{agent}` has room for "
            "{budget}: `context_window` minus `max_output_tokens`"
        ),
        "message.one": (
            "the model would see about 1 token (an estimate), but `{agent}` has room for "
            "{budget}: `context_window` minus `max_output_tokens`"
        ),
        "message.window": (
            "the model would see about {tokens} tokens (an estimate), but `{agent}` has room for "
            "{budget}: its `context_window`"
        ),
        "fix.exclude": "Exclude the oldest cell",
        "fix.exclude.many": "Exclude the {count} oldest cells",
    }

    def wants_tokens(self, snapshot: Snapshot) -> bool:
        """Only where the default agent says how much it can take, and it could be too much."""
        document = snapshot.document
        agent = default_agent(document)
        if agent is None:
            return False
        most = MOST_A_CHARACTER * (len(document.store) + len(agent.system_prompt))
        return most > agent.budget

    def check(self, snapshot: Snapshot, tokens: int) -> Iterator[Problem]:
        """The size of the window, where it is exceeded."""
        agent = default_agent(snapshot.document)
        if agent is None:
            return
        tokens += snapshot.tokens.count(agent.system_prompt)
        if tokens > agent.budget:
            args = {"agent": agent.name, "tokens": str(tokens), "budget": str(agent.budget)}
            order, span = agent.place
            # One token alone is too much only where the answers leave no room at all.
            key = "message.one" if tokens == 1 else "message"
            if not agent.max_output_tokens:
                key = "message.window"
            yield Problem(self.code, order, span, key, args)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        """Exclude the oldest cells, as few as will do; the last turn is never among them."""
        document = snapshot.document
        agent = default_agent(document)
        if agent is None:
            return
        turns = _turns(snapshot)
        left = snapshot.tokens.count(agent.system_prompt) + sum(turn.tokens for turn in turns)
        edits: dict[Span, Edit] = {}
        cells = 0
        excluding = _Excluding(document)
        for turn in turns[:-1]:
            if left <= agent.budget:
                break
            found = [excluding.edits(meaning) for meaning in turn.meanings]
            if turn.is_system or not all(found):
                continue
            edits |= {edit.span: edit for several in found for edit in several}
            left -= turn.tokens
            cells += len(turn.meanings)
        if left <= agent.budget and cells:
            key = "fix.exclude" if cells == 1 else "fix.exclude.many"
            yield Fix(key, tuple(edits.values()), False, {"count": str(cells)})


class _Turn:
    """Cells that are seen together or not at all: one id with what answers it."""

    def __init__(self) -> None:
        self.meanings: list[Meaning] = []
        self.tokens = 0

    @property
    def is_system(self) -> bool:
        return any(meaning.value("role") == "system" for meaning in self.meanings)


def _turns(snapshot: Snapshot) -> list[_Turn]:
    """What the model sees, the oldest first."""
    document = snapshot.document
    horizon = last_reset(document), section_order(document)
    by_root: dict[str, _Turn] = {}
    turns: list[_Turn] = []
    for placed in document.cells():
        meaning = snapshot.meaning(placed)
        sight = sight_of(document, meaning, *horizon)
        if not sight.is_sent:
            continue
        turn = _Turn()
        if placed.cell.id:
            turn = by_root.setdefault(CellId(placed.cell.id).root, turn)
        if not turn.meanings:
            turns.append(turn)
        turn.meanings.append(meaning)
        turn.tokens += snapshot.tokens.count(seen_text(meaning, sight))
    return turns


class _Excluding:
    """Makes the edits that exclude cells, with a new id for each that has none."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.number = 0

    def edits(self, meaning: Meaning) -> list[Edit]:
        """The edits; none where it cannot be said what the cell is."""
        placed = meaning.placed
        if meaning.definition is not None and meaning.holder is not None:
            edit = set_attribute(meaning.definition, "history", "exclude")
            return [Edit(edit.span.shift(meaning.holder.start_offset), edit.text)]
        header = placed.cell.header
        if placed.cell.kind is not CellKind.MESSAGE or header is None or header.id is not None:
            return []
        new_id = next_free_id(self.document, first=self.number + 1)
        self.number = int(new_id.removeprefix("m"))
        line = f"[^{new_id}]: [markdown] history=exclude"
        inserted = insert_definition(self.document, placed, line)
        return [Edit(inserted.span, f"[^{new_id}]{inserted.text}")]
