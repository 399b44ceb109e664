"""The conversation does not fit into the context window of the default agent.

## What it does
Adds up what the model sees: the agent's system prompt, and every cell after the last
reset that is not excluded, virtual or the definition of an agent, with summaries where
they replace a cell. Titles, prose beside code and suppression comments are not sent,
and not counted. In a plain `.md` only what the section records is included. It compares
the sum with `context_window` minus `max_output_tokens` of the default agent. Tokens are
estimated, unless a tokenizer is installed (`pip install msgls[tokens]`).

## Why it matters
What does not fit is cut off or refused by the provider, and an answer that runs out of
room breaks off in the middle.

## Example
An agent with `context_window: 8000` and `max_output_tokens: 1000`, and a conversation of
about 9,000 tokens:
```markdown
# %% An old question[^q1]

[^q1]: [markdown]

Why is the sky blue?
```
Use instead:
```markdown
# %% An old question[^q1]

[^q1]: [markdown] history=exclude

Why is the sky blue?
```

## Fix safety
Not safe: the fix sets `history=exclude` on the oldest cells, an answer together with
its calls and results, until the rest fits. The model no longer sees the excluded cells.
"""

from collections.abc import Iterator
from math import inf

from msgls.conversation.cell_visibility import seen_text, sight_of
from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.formats.base import Meaning
from msgls.formats.msgmd.agents import default_agent
from msgls.formats.msgmd.edits import insert_definition, set_attribute
from msgls.formats.msgmd.meaning import next_free_id
from msgls.rules.base import BudgetRule, Fix, Problem, Severity
from msgls.rules.msgmd.scope import checked_horizon
from msgls.syntax.cells import CellKind
from msgls.syntax.ids import CellId
from msgls.text.phrases import Phrase
from msgls.text.spans import Edit, Span
from msgls.text.tokens import MOST_A_CHARACTER, TokenCounter


class ContextOverflow(BudgetRule):
    code = "MSG601"
    name = "context-overflow"
    severity = Severity.WARNING
    texts = {
        "message": (
            "the model would see {tokens}, but `{agent}` has room for {budget}: "
            "`context_window` minus `max_output_tokens`"
        ),
        "message.window": (
            "the model would see {tokens}, but `{agent}` has room for {budget}: "
            "its `context_window`"
        ),
        "fix.exclude": "Exclude the oldest cell",
        "fix.exclude.many": "Exclude the {count} oldest cells",
    }

    def counts_above(self, snapshot: Snapshot) -> float:
        """Only where the default agent says how much it can take, and it could be too much."""
        agent = default_agent(snapshot.document)
        if agent is None:
            return inf
        return agent.budget / MOST_A_CHARACTER - len(agent.system_prompt)

    def check(self, snapshot: Snapshot, tokens: int) -> Iterator[Problem]:
        agent = default_agent(snapshot.document)
        if agent is None:
            return
        tokens += snapshot.tokens.count(agent.system_prompt)
        if tokens > agent.budget:
            said = _token_count(tokens, snapshot.tokens)
            args = {"agent": agent.name, "tokens": said, "budget": str(agent.budget)}
            label, span = agent.place
            key = "message" if agent.max_output_tokens else "message.window"
            yield Problem(self.code, label, span, key, args)

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
            yield Fix.of(key, *edits.values(), count=str(cells))


def _token_count(tokens: int, counter: TokenCounter) -> Phrase:
    """A number of tokens, and whether it is an estimate."""
    if counter.is_exact:
        return Phrase("{count:,} tokens", count=tokens) if tokens > 1 else Phrase("1 token")
    if tokens == 1:
        return Phrase("about 1 token (an estimate)")
    return Phrase("about {count} tokens (an estimate)", count=tokens)


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
    horizon = checked_horizon(document)
    by_root: dict[str, _Turn] = {}
    turns: list[_Turn] = []
    for placed in document.cells():
        meaning = snapshot.meaning(placed)
        sight = sight_of(document, meaning, horizon)
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
