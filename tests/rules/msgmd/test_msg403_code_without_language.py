"""MSG403: code that does not say its language."""

import pytest

from tests.rules.support import expect, expect_follows, expect_nothing

CODE = "MSG403"


def cell(body: str, kind: str = "code") -> str:
    return f"# %% C[^c1]\n\n[^c1]: [{kind}]\n\n{body}"


@pytest.mark.parametrize(
    "source",
    [
        cell("«```»\na\n```\n"),
        cell("Words\n\n  «~~~~»  \na\n  ~~~~\n"),
        # The first one runs; the language of others does not matter.
        cell("«```»\na\n```\n\n```python\nb\n```\n"),
        cell("🙂 文\n\n«```»\n文").replace("\n", "\r\n"),
        cell("«```»"),
    ],
)
def test_a_fence_without_a_language_is_found(source: str) -> None:
    expect(CODE, source, "this code has no language: add it after the fence")


@pytest.mark.parametrize(
    "source",
    [
        cell("```python\na\n```\n"),
        cell("~~~ {.python}\na\n~~~\n"),
        cell("```python\na\n```\n\n```\nb\n```\n"),
        cell("Words\n"),
        cell("```\na\n```\n", "markdown"),
        "# %%% A[^a]\n\n[^a]: [gpt]\n\n```\na\n```\n",
        "```\na\n```\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


def test_it_follows_a_definition_that_stands_elsewhere() -> None:
    source = "# %% C[^c1]\n\n```\nx\n```\n\n# %% Q[^q]\n\n[^q]: [raw]\n\n[^c1]: [raw]\n"
    counts = expect_follows(CODE, source, ("[^c1]: [raw]", "[^c1]: [code]"), ("```", "```sh"))
    assert counts == [0, 1, 0]
