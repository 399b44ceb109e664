"""Opening equals editing equals from scratch: one path, whatever the file looks like.

A text that is typed piece by piece, or damaged by one edit after the other, has the problems
and the tokens that it has when it is opened as it is.
"""

import random
from collections.abc import Iterator
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from msgls.document.document import Document
from msgls.rules.checker import Checker
from msgls.rules.registry import RULES
from msgls.text.spans import Span
from tests.bench.corpora import FRONTMATTER, SHAPES, Shape
from tests.rules.support import PATH
from tests.snapshots import snapshot_of

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


def damaged(source: random.Random) -> Iterator[str]:
    """A conversation, and the same after each of some small accidents."""
    cells = [cell.format(n=n) for n in range(1, source.randint(2, 4)) for cell in TURN]
    yield FRONTMATTER + "".join(cells)
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
        yield source.choice((FRONTMATTER, FRONTMATTER, "")) + "".join(cells)


def found(checker: Checker) -> list[tuple[object, ...]]:
    """What a person sees: labels differ from one way to another, places do not."""
    start_of = {placed.label: placed.start_offset for placed in checker.document.cells()}
    problems = [
        (
            *(problem.code, start_of[problem.label], problem.span, problem.key, problem.args),
            *[(start_of[r.label], r.span, r.key, r.args) for r in problem.related],
        )
        for problem in checker.problems()
    ]
    return [*problems, (checker.tokens,)]


def follow(checker: Checker, span: Span, text: str) -> None:
    """Edit the document, and compare with opening what it is then."""
    document = checker.document.edit(span, text)
    checker.update(document)
    opened = Checker(snapshot_of(Document.open(document.path, document.text)), RULES)
    assert found(checker) == found(opened), document.text


@given(st.integers(0, 2**32))
def test_accidents(seed: int) -> None:
    texts = list(damaged(random.Random(seed)))
    checker = Checker(snapshot_of(Document.open(PATH, texts[0])), RULES)
    for before, after in pairwise(texts):
        start = next((n for n, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), 0)
        follow(checker, Span(start, len(before)), after[start:])


@given(shape=st.sampled_from(SHAPES), seed=st.integers(0, 2**32))
def test_a_file_that_is_written_and_changed(shape: Shape, seed: int) -> None:
    source = random.Random(seed)
    text = shape.text(1_500, seed)
    cut = source.randrange(len(text))
    checker = Checker(snapshot_of(Document.open(shape.file, text[:cut])), RULES)
    follow(checker, Span(cut, cut), text[cut:])
    for _ in range(3):
        at = source.randrange(len(text))
        other = source.randrange(len(text))
        piece = text[other : other + source.choice((1, 8, 200))]
        follow(checker, Span(at, at + source.choice((0, 1, 8, 200))), piece)


def test_an_id_in_a_title_is_free_once_no_other_cell_has_it() -> None:
    text = '# %%% [^a1]"\n\nHi\n\n# %%% [^a1]\n\n[^a1]: [gpt]\n\nHo\n'
    checker = Checker(snapshot_of(Document.open(PATH, text)), RULES)
    at = text.rindex("# %%% [^a1]")
    follow(checker, Span(at, at + len("# %%% [^a1]")), "Text")
