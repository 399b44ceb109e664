"""What is passed over at a glance: nothing that a rule would have something to say of."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.document.document import Document
from msgls.rules.base import CellRule, FamilyRule, Surroundings
from msgls.rules.checker import Checker
from msgls.rules.msgmd.glance import COVERED, Glance
from msgls.rules.registry import RULES
from msgls.text.spans import Span
from tests.rules.support import PATH

HEAD = "---\nagents:\n  gpt:\n    models: [m-1]\n    context_window: 4000\n---\n\nBefore.\n\n"
TURN = (
    "# %% Question {n}[^q{n}]\n\n[^q{n}]: [markdown]\n\nSome words.\n\n",
    (
        '# %%% Answer[^a{n}]\n\n[^a{n}]: [gpt] time="2025-05-30T10:0{n}:00+08:00"\n\n## Plan\n\n'
        "```py\n  # %% no cell\n```\n\n- one\n- two\n\n"
    ),
    '## %%% Read[^a{n}.9f{n}]\n\n[^a{n}.9f{n}]: [tool] name="f"\n\n<f>\n  <p>x</p>\n</f>\n\n',
    '## %%% Done[^a{n}.9f{n}.1]\n\n[^a{n}.9f{n}.1]: [tool] status="success" duration=2s\n\nyes\n\n',
    "# %% Code[^c{n}]\n\n[^c{n}]: [code]\n\n```python\nprint(1)\n```\n\n",
    '# %%% Out[^c{n}.1]\n\n[^c{n}.1]: [python] status="success"\n\nstdout> 1\n\n',
)
CHARACTERS = "#% \t\n\r`[]^:.\"'=\\-<>a1é😀_"
SNIPPETS = (
    " history=none", " reset=1", ' definition="agent" name="gpt"', "[^q1]", "[^q1]: x\n", "```\n",
    "<!-- msgls: ignore MSG101 -->\n", "#%% near\n", "sk-ant-api03-Zx81kQp2vBn7LmT4wYcR9dHs\n",
    "<<<<<<< a\n", "---\n", ' time="2025-05-29T10:00:00Z"', ' status="success"', ' name="x"',
    "[m-1]", "[tool]", "[python]", "[code]", "\r\n", "Bearer Zx81kQp2vBn7LmT4wYcR9dHs\n", "\ufeff",
)  # fmt: skip


def _cells(source: random.Random) -> list[str]:
    return [cell.format(n=n) for n in range(1, source.randint(2, 4)) for cell in TURN]


def _damaged(source: random.Random) -> Iterator[str]:
    """A conversation, and the same after each of some small accidents."""
    cells = _cells(source)
    yield HEAD + "".join(cells)
    for _ in range(source.randint(1, 3)):
        at, other = source.randrange(len(cells)), source.randrange(len(cells))
        accident = source.randrange(7)
        if accident == 0:
            cells[at], cells[other] = cells[other], cells[at]
        elif accident == 1:
            cells.insert(other, cells[at])
        elif accident == 2 and len(cells) > 1:
            del cells[at]
        else:
            cell = cells[at]
            start = source.randrange(len(cell) + 1)
            end = min(start + source.choice((0, 0, 1, 1, 2, 9)), len(cell))
            new = source.choice(SNIPPETS if accident > 4 else CHARACTERS)
            cells[at] = cell[:start] + new + cell[end:]
        yield source.choice((HEAD, HEAD, "")) + "".join(cells)


def _found(document: Document, at_a_glance: bool) -> tuple[object, ...]:
    agents = Surroundings(other_agents=frozenset({"other"}))
    checker = Checker(document, RULES, agents, at_a_glance=at_a_glance)
    return checker.problems(), checker.tokens


@given(st.integers(0, 2**32))
def test_the_problems_are_the_same_without_it(seed: int) -> None:
    for text in _damaged(random.Random(seed)):
        document = Document.open(PATH, text)
        assert _found(document, True) == _found(document, False), text


@given(st.integers(0, 2**32))
def test_a_checker_that_began_at_a_glance_follows_edits(seed: int) -> None:
    source = random.Random(seed)
    document = Document.open(PATH, next(_damaged(source)))
    checker = Checker(document, RULES)
    for text in list(_damaged(source))[1:]:
        before, after = document.text, text
        start = next((n for n, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), 0)
        document = document.edit(_rest(before, start), after[start:])
        checker.update(document)
        slow = Checker(document, RULES, at_a_glance=False)
        assert checker.problems() == slow.problems()
        assert checker.tokens == slow.tokens or "context_window" not in text


def _rest(text: str, start: int) -> Span:
    return Span(start, len(text))


def test_an_ordinary_conversation_is_sound_as_a_whole() -> None:
    document = Document.open(PATH, HEAD + "".join(_cells(random.Random(1))))
    glance = Glance(document, (), -1)
    verdicts = [glance.look(placed) for placed in document.cells()]
    assert [verdict is None for verdict in verdicts] == [True] + [False] * (len(verdicts) - 1)
    assert glance.doubtful_roots() == set()


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_line_ends_make_no_difference(ends: str) -> None:
    text = (HEAD + "".join(_cells(random.Random(1)))).replace("\n", ends)
    glance = Glance(document := Document.open(PATH, text), (), -1)
    assert sum(glance.look(placed) is None for placed in document.cells()) == 1


def test_it_stands_for_every_rule_on_cells_and_families() -> None:
    close = {
        rule.code
        for rule in RULES
        if isinstance(rule, CellRule | FamilyRule) and "msgmd" in rule.formats
    }
    assert close == COVERED
