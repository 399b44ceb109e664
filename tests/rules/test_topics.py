"""What rules declare to be about: they are called for that, and it leaves nothing out."""

import copy
import random
from collections import Counter
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.document.document import Document
from msgls.document.snapshot import Surroundings
from msgls.formats.base import CellRole
from msgls.formats.msgmd import definitions
from msgls.rules.base import CellRule, FamilyRule, Problem, Rule
from msgls.rules.checker import Checker
from msgls.rules.registry import RULES, rules_of
from tests.bench.corpora import MESSAGE_FILES, Shape
from tests.fuzz.vocabularies import files
from tests.rules.support import PATH
from tests.rules.test_opening import damaged
from tests.snapshots import snapshot_of

AROUND = Surroundings(other_agents=frozenset({"other"}))


def _everywhere(rule: Rule) -> Rule:
    """The same rule, called for every cell or family."""
    greedy = copy.copy(rule)
    greedy.wants = None  # type: ignore[attr-defined]
    return greedy


EVERYWHERE = [_everywhere(rule) for rule in RULES]


def assert_nothing_is_left_out(path: str, text: str) -> None:
    document = Document.open(path, text)
    called = Checker(snapshot_of(document, AROUND), RULES).problems()
    assert called == Checker(snapshot_of(document, AROUND), EVERYWHERE).problems(), text


@given(st.integers(0, 2**32))
def test_accidents(seed: int) -> None:
    for text in damaged(random.Random(seed)):
        assert_nothing_is_left_out(PATH, text)


@pytest.mark.parametrize("shape", MESSAGE_FILES, ids=lambda shape: shape.name)
@given(seed=st.integers(0, 2**32))
def test_every_shape(shape: Shape, seed: int) -> None:
    assert_nothing_is_left_out(shape.file, shape.text(2_000, seed))


@given(files("msgmd"))
def test_anything(file: tuple[str, str]) -> None:
    assert_nothing_is_left_out(*file)


class _Counting:
    """Counts how often a rule is called."""

    def __init__(self, rule: CellRule | FamilyRule, calls: Counter[str]) -> None:
        self._check, self._calls, self._code = rule.check, calls, rule.code

    def __call__(self, subject: object) -> Iterable[Problem | None]:
        self._calls[self._code] += 1
        return self._check(subject)  # type: ignore[arg-type]


def _calls(text: str) -> Counter[str]:
    calls: Counter[str] = Counter()
    rules: list[Rule] = []
    for rule in RULES:
        counted = copy.copy(rule)
        if isinstance(counted, CellRule | FamilyRule):
            counted.check = _Counting(counted, calls)  # type: ignore[method-assign]
        rules.append(counted)
    Checker(snapshot_of(Document.open(PATH, text)), rules)
    return calls


def test_a_rule_that_nothing_concerns_is_not_called() -> None:
    question = "# %% Question[^q{0}]\n\n[^q{0}]: [markdown]\n\nSome words.\n\n"
    text = "".join(question.format(number) for number in range(5))
    # Only a rule without ``wants`` is called for a plain message.
    unselective = [rule for rule in rules_of("msgmd") if isinstance(rule, CellRule)]
    unselective = [rule for rule in unselective if rule.wants is None]
    # Those that screen have looked at all of them together.
    expected = {
        rule.code: 5
        for rule in unselective
        if (not rule.roles or CellRole.MESSAGE in rule.roles)
        and type(rule).screen is CellRule.screen
    }
    assert _calls(text) == expected
    assert _calls(text + question.format(5) + f"AK{'IA'}Q3EXBZ7TNWK4RD6V\n")["MSG701"] == 1


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("# %% Question[^q1]\n\n[^q1]: [markdown] history=none\n", "MSG203"),
        ("# %% Question[^q1]\n\n[^q1]: [markdown] x=1\n", "MSG206"),
        ("# %% Question[^q1]\n", "MSG101"),
        ("# %% Question\n", "MSG107"),
        ("# %% Question[^q1]\n\n[^q1]: [markdown]\n\nSee [^x].\n", "MSG105"),
        ("# %% Question[^q1]\n\n[^q1]: [markdown]\n\n#%% Near\n", "MSG106"),
        ("# %% Question[^q1]\n\n[^q1]: [markdown]\n\n```\n", "MSG110"),
        ("# %% Question[^q1]\n\n[^q1]: [markdown]\n\n[^q2]: [markdown]\n", "MSG102"),
    ],
)
def test_a_rule_is_called_for_what_it_is_about(text: str, code: str) -> None:
    assert _calls(text)[code] == 1


def test_attributes_are_read_with_their_places_only_for_what_is_wrong(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read = []
    parse = definitions.parse_attributes

    def counted(text: str, start: int, end: int) -> object:
        read.append(text[start:end])
        return parse(text, start, end)

    monkeypatch.setattr(definitions, "parse_attributes", counted)
    cell = "# %%% [^a{0}]\n\n[^a{0}]: [assistant] time=2025-01-0{0}T10:00Z {1}\n\nYes.\n\n"
    question = "# %% [^q1]\n\n[^q1]: [markdown] history=include\n\nWell?\n\n"
    sound = question + "".join(cell.format(number, "reasoning=0") for number in range(1, 5))
    Checker(snapshot_of(Document.open(PATH, sound)), RULES)
    assert read == []
    Checker(snapshot_of(Document.open(PATH, sound + cell.format(5, "reasoning=maybe"))), RULES)
    assert read == [" time=2025-01-05T10:00Z reasoning=maybe"]
