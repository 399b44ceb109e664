"""Inlay hints: what is shown where, and only inside of the asked span."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.document.document import Document
from msgls.features.hints import hints
from msgls.features.msgmd.hints import duration
from msgls.text.spans import Span
from tests.features.msgmd.sample import CONVERSATION
from tests.formats.msgmd.made_up import message_files
from tests.snapshots import snapshot_of


def shown(text: str, span: Span | None = None) -> str:
    """The text with the hints written into it."""
    document = Document.open("chat.msg.md", text)
    found = list(hints(snapshot_of(document), span or Span(0, len(text))))
    for hint in reversed(found):
        text = f"{text[: hint.offset]}⟨{hint.label}⟩{text[hint.offset :]}"
    return text


def test_tokens_and_parents() -> None:
    lines = shown(CONVERSATION).split("\n")
    assert [line for line in lines if line.startswith("# %%") and "not a cell" not in line] == [
        "# %% Question 🦊[^m1]⟨~0 of 19 tokens⟩",
        "# %%% Answer[^a1]⟨~3 tokens⟩",
        "# %%% Look[^a1.9f3d]⟨← Answer⟩⟨~9 tokens⟩",
        "# %%% Looked[^a1.9f3d.1]⟨← Look⟩⟨~1 token⟩",
        "# %% Code[^c1]⟨~11 tokens⟩",
        "# %%% Run[^c1.1]⟨← Code⟩⟨~2 tokens⟩",
        "# %% Critic[^t1]⟨~0 of 10 tokens⟩",
        "# %%% Verdict[^a2]⟨~1 token⟩",
    ]


def test_a_call_without_a_title_is_named_by_its_tool() -> None:
    text = '# %%% [^a.x]\n\n[^a.x]: [tool] name="look"\n\n# %%% [^a.x.1]\n\n[^a.x.1]: [tool]\n'
    assert "# %%% [^a.x.1]⟨← look⟩⟨~0 tokens⟩" in shown(text)


def test_a_long_title_is_cut() -> None:
    text = f"# %%% {'long ' * 20}[^a]\n\n# %%% [^a.x]\n\n[^a.x]: [tool]\n"
    (label,) = [
        hint.label
        for hint in hints(snapshot_of(Document.open("chat.msg.md", text)), Span(0, len(text)))
        if hint.label.startswith("←")
    ]
    assert label == "← " + ("long " * 20)[:39] + "…"


def test_time_that_passed() -> None:
    head = '# %%% [^{}]\n\n[^{}]: [bot] time="2025-01-01T{}+00:00"\n\n'
    times = ["10:00:00", "10:01:30", "10:01:30", "10:00:30"]
    text = "".join(head.format(n, n, time) for n, time in enumerate(times))
    lines = [line for line in shown(text).split("\n") if "time=" in line]
    assert [line.partition('+00:00"')[2] for line in lines] == [
        "",
        "⟨+1 min 30 s⟩",
        "⟨+0 s⟩",
        "⟨−1 min⟩",
    ]
    # Definitions that stand together at the end.
    apart = "".join(f"# %%% [^{n}]\n\n" for n in range(2))
    apart += "".join(
        head.format(n, n, time).partition("\n\n")[2] for n, time in enumerate(times[:2])
    )
    assert '"2025-01-01T10:01:30+00:00"⟨+1 min 30 s⟩' in shown(apart)


@pytest.mark.parametrize(
    ("nanoseconds", "said"),
    [
        (0, "0 s"),
        (1, "1 ms"),
        (250_000_000, "250 ms"),
        (59_000_000_000, "59 s"),
        (3_600_000_000_000, "1 h"),
        (3_605_000_000_000, "1 h"),
        (90_061_000_000_000, "1 d 1 h"),
        (-61_000_000_000, "−1 min 1 s"),
    ],
)
def test_durations(nanoseconds: int, said: str) -> None:
    assert duration(nanoseconds) == said


def test_other_files_have_none() -> None:
    assert not list(hints(snapshot_of(Document.open("notes.md", "# %% A\n")), Span(0, 7)))


@given(message_files(), st.floats(0, 1), st.floats(0, 1))
def test_a_span_has_the_hints_that_stand_in_it(text: str, one: float, other: float) -> None:
    document = Document.open("chat.msg.md", text)
    start, end = sorted((int(one * len(text)), int(other * len(text))))
    everything = list(hints(snapshot_of(document), Span(0, len(text))))
    assert [hint.offset for hint in everything] == sorted(hint.offset for hint in everything)
    inside = [hint for hint in everything if start <= hint.offset <= end]
    assert list(hints(snapshot_of(document), Span(start, end))) == inside
