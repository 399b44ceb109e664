import math
import random
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, count
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.text.tree import _FILL, _MOST_KIDS, Found, SumTree, _Node

DIMENSIONS = 4


# Equal measures, and yet no two items are the same.
_names = count()


class Item(NamedTuple):
    measure: tuple[int, ...]
    label: int
    name: int = 0


def _item(chars: int, breaks: int, heads: int, label: int = 0) -> Item:
    return Item((1, chars, breaks, heads), label, next(_names))


def _tree(items: Sequence[Item]) -> SumTree[Item]:
    return SumTree(items, dimensions=DIMENSIONS)


def _numbered(count: int) -> list[Item]:
    """Items with labels that grow by ten, some of them empty in some dimensions."""
    return [_item(n % 5, n % 3 == 0, n % 2, label=10 * n) for n in range(count)]


def _naive_seek(items: Sequence[Item], dimension: int, target: int) -> int:
    reached = 0
    for number, item in enumerate(items):
        reached += item.measure[dimension]
        if reached > target:
            return number
    return len(items) - 1


def _sum(items: Sequence[Item]) -> tuple[int, ...]:
    total = [0] * DIMENSIONS
    for item in items:
        total = [a + b for a, b in zip(total, item.measure, strict=True)]
    return tuple(total)


def _assert_same(tree: SumTree[Item], items: Sequence[Item]) -> None:
    assert list(tree) == list(items)
    assert len(tree) == len(items)
    assert tree.total == _sum(items)


def _assert_found(found: Found[Item], items: Sequence[Item], number: int) -> None:
    assert found.item == items[number]
    assert found.before == _sum(items[:number])


def _nodes(node: "_Node[Item]") -> list["_Node[Item]"]:
    found = [node]
    for kid in node.kids:
        if isinstance(kid, _Node):
            found += _nodes(kid)
    return found


def _assert_balanced(tree: SumTree[Item]) -> None:
    """All items lie equally deep, and no node but the root is thin or too wide."""
    root = tree._root
    if root is None:
        return
    for node in _nodes(root):
        heights = {kid.height if isinstance(kid, _Node) else -1 for kid in node.kids}
        assert heights == {node.height - 1}
        assert len(node.kids) <= _MOST_KIDS
        if node is not root:
            assert len(node.kids) >= _FILL // 2
    assert root.height <= 1 + math.log(max(len(tree), _FILL // 2), _FILL // 2)


def test_an_empty_tree() -> None:
    tree = _tree([])
    _assert_same(tree, [])
    assert list(tree.items_from(0)) == []
    with pytest.raises(IndexError):
        tree[0]
    with pytest.raises(IndexError):
        tree.seek(0, 0)
    with pytest.raises(IndexError):
        tree.seek_label(0)
    item = _item(1, 1, 1)
    _assert_same(tree.replace(0, 0, [item]), [item])


@pytest.mark.parametrize("count", [1, 2, 23, 47, 48, 49, 64, 65, 2_303, 2_304, 2_305, 5_000])
def test_any_size(count: int) -> None:
    items = _numbered(count)
    tree = _tree(items)
    _assert_same(tree, items)
    _assert_balanced(tree)
    for number in {0, 1, count // 2, count - 1} & set(range(count)):
        assert tree[number] is items[number]
        assert list(tree.items_from(number)) == items[number:]
    assert list(tree.items_from(count)) == []
    for number in (-1, count, count + 1):
        with pytest.raises(IndexError):
            tree[number]


@pytest.mark.parametrize("dimension", range(DIMENSIONS))
def test_seeking_in_each_dimension(dimension: int) -> None:
    items = _numbered(2_000)
    tree = _tree(items)
    reached = list(accumulate(item.measure[dimension] for item in items))
    for target in [*range(0, reached[-1], 37), reached[-1] - 1]:
        _assert_found(tree.seek(dimension, target), items, bisect_right(reached, target))
    for target in (reached[-1], reached[-1] + 1, 10**9):
        _assert_found(tree.seek(dimension, target), items, len(items) - 1)


def test_seeking_by_label() -> None:
    items = _numbered(2_000)
    tree = _tree(items)
    for number in range(0, 2_000, 13):
        _assert_found(tree.seek_label(10 * number), items, number)
        _assert_found(tree.seek_label(10 * number - 9), items, number)
    _assert_found(tree.seek_label(10**9), items, 1_999)
    _assert_found(tree.seek_label(-5), items, 0)


_items = st.builds(_item, st.integers(0, 3), st.integers(0, 2), st.integers(0, 1))
_splices = st.lists(
    st.tuples(st.integers(0, 200), st.integers(0, 40), st.lists(_items, max_size=40)), max_size=12
)


@given(st.lists(_items, max_size=120), _splices)
def test_splices_are_those_of_a_list(
    items: list[Item], splices: list[tuple[int, int, list[Item]]]
) -> None:
    tree = _tree(items)
    for start, length, new in splices:
        start = min(start, len(items))
        stop = min(start + length, len(items))
        before, kept = tree, list(items)
        tree = tree.replace(start, stop, new)
        items = items[:start] + new + items[stop:]
        _assert_same(tree, items)
        _assert_balanced(tree)
        assert list(before) == kept
    for dimension in range(DIMENSIONS):
        for target in range(0, tree.total[dimension] + 2, 3):
            if items:
                number = _naive_seek(items, dimension, target)
                _assert_found(tree.seek(dimension, target), items, number)
    for number in range(0, len(items), 7):
        assert list(tree.items_from(number)) == items[number:]


def test_thousands_of_splices_leave_the_tree_flat() -> None:
    chance = random.Random(0)
    items = [_item(1, 0, 0) for _ in range(3_000)]
    tree = _tree(items)
    for number in range(2_000):
        start = chance.randrange(len(items) + 1)
        removed = chance.choice((0, 1, 1, 1, 2, 40))
        stop = min(start + removed, len(items))
        new = [_item(chance.randrange(9), 1, 0) for _ in range(chance.choice((0, 1, 1, 2, 40)))]
        tree = tree.replace(start, stop, new)
        items[start:stop] = new
        if number % 500 == 499:
            assert list(tree) == items
            _assert_same(tree, items)
            _assert_balanced(tree)
            target = chance.randrange(tree.total[1])
            _assert_found(tree.seek(1, target), items, _naive_seek(items, 1, target))


@pytest.mark.parametrize("place", ["front", "back", "middle"])
def test_thousands_of_insertions_at_one_place(place: str) -> None:
    tree = _tree([])
    items: list[Item] = []
    for number in range(3_000):
        at = {"front": 0, "back": number, "middle": number // 2}[place]
        item = _item(1, 0, 0)
        tree = tree.replace(at, at, [item])
        items.insert(at, item)
    _assert_same(tree, items)
    _assert_balanced(tree)
    for _ in range(2_990):
        at = {"front": 0, "back": len(items) - 1, "middle": len(items) // 2}[place]
        tree = tree.replace(at, at + 1, [])
        del items[at]
    _assert_same(tree, items)
    _assert_balanced(tree)


def test_replacing_one_item_shares_all_other_leaves() -> None:
    tree = _tree(_numbered(2_000))
    changed = tree.replace(1_000, 1_001, [_item(9, 9, 1, label=10_000)])
    assert tree._root is not None
    assert changed._root is not None
    before = {id(node) for node in _nodes(tree._root)}
    new = [node for node in _nodes(changed._root) if id(node) not in before]
    assert len(new) == changed._root.height + 1
