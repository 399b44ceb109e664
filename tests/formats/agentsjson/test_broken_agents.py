"""What is told of an agent whose text is broken: only what is surely missing."""

import pytest

from msgls.formats.agentsjson.cells import read_agent

MISSING = [("metadata", "bootMessage", "message")]


@pytest.mark.parametrize(
    ("metadata", "missing"),
    [
        ('{"bootMessage": {}}', MISSING),
        ('{"bootMessage": {"message": "x"}}', []),
        # Broken somewhere else.
        ('{"x": , "bootMessage": {}}', MISSING),
        ('{"bootMessage": {}}, "x": ', MISSING),
        # Broken where it may stand.
        ('{"bootMessage": {,}}', []),
        ('{"bootMessage": {"mess}}', []),
    ],
)
def test_a_text_that_is_missing(metadata: str, missing: list[tuple[str, ...]]) -> None:
    agent = read_agent(f'{{"name": "A", "path": "p", "metadata": {metadata}}}')
    assert [problem.path for problem in agent.shape_problems] == missing
