"""What counts towards the size of a block of YAML: every value, and what an alias stands for."""

import pytest

from msgls.formats.msgmd import yamltree
from tests.formats.msgmd.test_frontmatter import read


@pytest.mark.parametrize(
    ("body", "values"),
    [
        ("a: 1\n", 3),
        ("a: []\n", 3),
        ("a: [[], [], {}]\n", 6),
        ("a: {b: {c: d}}\n", 7),
        ("a: &x [1, 2]\nb: *x\n", 9),
    ],
)
def test_how_many_values_a_block_has(
    body: str, values: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(yamltree, "MAX_NODES", values)
    assert read(body).problems == ()
    monkeypatch.setattr(yamltree, "MAX_NODES", values - 1)
    # Another text: what was read is remembered.
    assert [str(problem.detail) for problem in read(body + "# more\n").problems] == [
        f"more than {values - 1} values, with aliases expanded"
    ]
