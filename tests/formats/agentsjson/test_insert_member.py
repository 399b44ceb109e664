"""A new member is spaced as those around it."""

import pytest

from msgls.formats.agentsjson.edits import insert_member
from msgls.formats.jsontree import parse
from msgls.text.spans import apply_edits


@pytest.mark.parametrize(
    ("text", "last", "after"),
    [
        ("{}", True, '{"k": 1}'),
        ("{ }", True, '{"k": 1}'),
        ("{\n\t}\n", True, '{"k": 1}\n'),
        ("{", True, '{"k": 1'),
        ("{ ", True, '{"k": 1 '),
        ('{"a":1}', True, '{"a":1,"k":1}'),
        ('{"a":1}', False, '{"k":1,"a":1}'),
        ('{"a": 1}', True, '{"a": 1, "k": 1}'),
        ('{"a": 1}', False, '{"k": 1, "a": 1}'),
        ('{"a": 1,  "b": 2}', True, '{"a": 1,  "b": 2,  "k": 1}'),
        ('{\n  "a": 1\n}', True, '{\n  "a": 1,\n  "k": 1\n}'),
        ('{\r\n  "a":\t1\r\n}', False, '{\r\n  "k": 1,\r\n  "a":\t1\r\n}'),
    ],
)
def test_a_member_is_inserted(text: str, last: bool, after: str) -> None:
    tree = parse(text)
    assert tree.root is not None
    edit = insert_member(tree, tree.root, "k", 1, last)
    assert apply_edits(text, [edit]) == after


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ('{"a":{}}', '{"a":{"k":[1,2]}}'),
        ('{"a": {}}', '{"a": {"k": [1, 2]}}'),
        ('{"a": { } }', '{"a": {"k": [1, 2]} }'),
    ],
)
def test_an_empty_object_is_written_as_the_file_is(text: str, after: str) -> None:
    tree = parse(text)
    found = tree.find(("a",))
    assert found is not None
    edit = insert_member(tree, found.value, "k", [1, 2], last=True)
    assert apply_edits(text, [edit]) == after
