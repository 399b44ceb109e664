"""Cells that define an agent, and those that only look like it."""

import pytest

from msgls.formats.msgmd.agents import agent_attribute, temporary_agents
from tests.conversation.writers.test_msgmd import opened

HEADER = "# %% A[^a]\n\n"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (HEADER + "[^a]: [markdown] definition=agent name=Al\n", "Al"),
        (HEADER + "[^a]: [markdown] name=Al\n", None),
        (HEADER + "[^a]: [markdown] definition=tool name=Al\n", None),
        (HEADER + "[^a]: [markdown] definition=agent\n", None),
        (HEADER + '[^a]: [markdown] definition=agent name=""\n', None),
        (HEADER, None),
        ("# %% A\n", None),
        ("Only text.\n", None),
    ],
)
def test_the_agent_that_a_cell_defines(text: str, name: str | None) -> None:
    document = opened(text)
    (placed,) = document.cells()
    found = agent_attribute(document, placed)
    assert (None if found is None else found.value) == name
    assert [cell.label for cell in temporary_agents(document, "Al")] == (
        [placed.label] if name == "Al" else []
    )
