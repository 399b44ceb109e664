"""A persistent sequence that adds up measures: what the text of a document is kept in.

An immutable B+ tree. Every node knows the sum of its items' measures (how many
items, characters, line breaks, …), so "which item holds line 90,000" and
"replace that item" take time in the logarithm of the length, and the old tree
stays as it was: a snapshot of a version costs nothing.

Two things are generic on purpose: an item is anything with ``measure`` and
``label``, and a measure is any tuple of integers whose first is 1 (the count).
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from msgls.text.work import Work, done, gathered

Measure = tuple[int, ...]

# Wide enough for three levels at 100,000 items, narrow enough that copying a node is cheap.
_MOST_KIDS = 64
_LEAST_KIDS = _MOST_KIDS // 2
_FILL = 48


class Measured(Protocol):
    """What the tree needs from an item."""

    @property
    def measure(self) -> Measure:
        """What the item adds to each sum; the first number is 1."""

    @property
    def label(self) -> int:
        """A label that grows along the sequence."""


T = TypeVar("T", bound=Measured)


class _Node(Generic[T]):
    """An inner node or, at height 0, a leaf whose kids are items."""

    __slots__ = ("_sums", "height", "kids", "last_label", "measure")

    def __init__(self, height: int, kids: tuple[_Kid[T], ...], measure: Measure) -> None:
        self.height = height
        self.kids = kids
        self.measure = measure
        last = kids[-1]
        self.last_label: int = last.last_label if isinstance(last, _Node) else last.label
        self._sums: tuple[array[int], ...] | None = None

    @property
    def sums(self) -> tuple[array[int], ...]:
        """For each dimension, the sum of everything before each kid. Made when first sought in."""
        if self._sums is None:
            columns = zip(*[kid.measure for kid in self.kids[:-1]], strict=True)
            sums = [array("q", accumulate(column, initial=0)) for column in columns]
            self._sums = tuple(sums) or (_NOTHING_BEFORE,) * len(self.measure)
        return self._sums


_Kid: TypeAlias = "_Node[T] | T"
_NOTHING_BEFORE = array("q", [0])


def _last_label(kid: _Kid[Any]) -> int:
    return kid.last_label if isinstance(kid, _Node) else kid.label


class Found(Generic[T]):
    """An item and the sums of everything before it."""

    __slots__ = ("before", "item")

    def __init__(self, item: T, before: Measure) -> None:
        self.item = item
        self.before = before


def _sum(kids: Sequence[_Kid[T]]) -> Measure:
    return tuple(map(sum, zip(*[kid.measure for kid in kids], strict=True)))


def _node(height: int, kids: tuple[_Kid[T], ...]) -> _Node[T]:
    return _Node(height, kids, _sum(kids))


class SumTree(Generic[T]):
    """The sequence. Every method that changes returns a new tree."""

    __slots__ = ("_root", "_zero")

    def __init__(self, items: Iterable[T] = (), *, dimensions: int) -> None:
        self._zero: Measure = (0,) * dimensions
        self._root: _Node[T] | None = done(_building(list(items)))

    def building(self, items: list[T]) -> Work[SumTree[T]]:
        """A sequence of other items, made with pauses."""
        return self._with_root((yield from _building(items)))

    def _with_root(self, root: _Node[T] | None) -> SumTree[T]:
        tree: SumTree[T] = SumTree.__new__(SumTree)
        tree._zero = self._zero
        tree._root = root
        return tree

    @property
    def total(self) -> Measure:
        """The sums over the whole sequence."""
        return self._zero if self._root is None else self._root.measure

    def __len__(self) -> int:
        return self.total[0]

    def __iter__(self) -> Iterator[T]:
        return _items(self._root, 0) if self._root is not None else iter(())

    def items_from(self, index: int) -> Iterator[T]:
        """The items from number ``index`` on, one at a time."""
        if self._root is None or index >= self._root.measure[0]:
            return iter(())
        return _items(self._root, index)

    def __getitem__(self, index: int) -> T:
        if self._root is None or not 0 <= index < self._root.measure[0]:
            raise IndexError(index)
        return self.seek(0, index).item

    def seek(self, dimension: int, target: int) -> Found[T]:
        """The first item with which the sum along ``dimension`` exceeds ``target``.

        Past the end it is the last item. The tree must not be empty.
        """
        node, before = self._start()
        while True:
            sums = node.sums
            sought = target - before[dimension]
            # The last sum is that of the whole node: a search beyond it finds the last child.
            number = bisect_right(sums[dimension], sought, 0, len(node.kids)) - 1
            kid = node.kids[max(number, 0)]
            if number > 0:
                before = tuple([a + column[number] for a, column in zip(before, sums, strict=True)])
            if not isinstance(kid, _Node):
                return Found(kid, before)
            node = kid

    def seek_label(self, label: int) -> Found[T]:
        """The first item whose label is not below ``label`` (past the end, the last one)."""
        node, before = self._start()
        while True:
            kids = node.kids
            number = min(bisect_left(kids, label, key=_last_label), len(kids) - 1)
            kid = kids[number]
            if number > 0:
                sums = node.sums
                before = tuple([a + column[number] for a, column in zip(before, sums, strict=True)])
            if not isinstance(kid, _Node):
                return Found(kid, before)
            node = kid

    def _start(self) -> tuple[_Node[T], Measure]:
        if self._root is None:
            raise IndexError("an empty sequence holds nothing")
        return self._root, self._zero

    def replace(self, start: int, stop: int, items: Sequence[T]) -> SumTree[T]:
        """The sequence with ``items`` where ``[start:stop]`` was."""
        root = self._root
        if root is None:
            return self._with_root(done(_building(list(items))))
        if stop - start == len(items) == 1:
            return self._with_root(_replace_one(root, start, items[0]))
        left, rest = _split(root, start)
        _, right = _split(rest, stop - start) if rest is not None else (None, None)
        middle = done(_building(list(items)))
        return self._with_root(_join(_join(left, middle), right))


def _items(root: _Node[T], index: int) -> Iterator[T]:
    """Walk with a stack of iterators: deep recursion of generators would cost at every item."""
    stack: list[Iterator[_Kid[T]]] = []
    node = root
    while True:
        at = 0
        while index >= node.kids[at].measure[0]:
            index -= node.kids[at].measure[0]
            at += 1
        stack.append(iter(node.kids[at + (node.height > 0) :]))
        if node.height == 0:
            break
        kid = node.kids[at]
        assert isinstance(kid, _Node)
        node = kid
    while stack:
        for kid in stack[-1]:
            if isinstance(kid, _Node):
                stack.append(iter(kid.kids))
                break
            yield kid
        else:
            stack.pop()


def _building(items: list[T]) -> Work[_Node[T] | None]:
    if not items:
        return None
    height = 0
    level: list[_Kid[T]] = list(items)
    while True:
        groups = -(-len(level) // _FILL)
        # Even groups: a last group of one would be a thin node from the start.
        bounds = [len(level) * number // groups for number in range(groups + 1)]
        nodes = yield from gathered(_node(height, tuple(level[a:b])) for a, b in pairwise(bounds))
        if len(nodes) == 1:
            return nodes[0]
        level = list(nodes)
        height += 1


def _replace_one(node: _Node[T], index: int, item: T) -> _Node[T]:
    """Path copy. The sums change by the difference; nothing else is added up again."""
    at = 0
    if node.height == 0:
        at = index
        old: _Kid[T] = node.kids[at]
        new: _Kid[T] = item
    else:
        while index >= node.kids[at].measure[0]:
            index -= node.kids[at].measure[0]
            at += 1
        old = node.kids[at]
        assert isinstance(old, _Node)
        new = _replace_one(old, index, item)
    measure = tuple(
        [a - b + c for a, b, c in zip(node.measure, old.measure, new.measure, strict=True)]
    )
    return _Node(node.height, (*node.kids[:at], new, *node.kids[at + 1 :]), measure)


def _wrap(height: int, kids: tuple[_Kid[T], ...]) -> _Node[T] | None:
    """A node over ``kids``; a single inner kid stands for itself, one level lower."""
    if not kids:
        return None
    if len(kids) == 1 and isinstance(kids[0], _Node):
        return kids[0]
    return _node(height, kids)


def _split(node: _Node[T], index: int) -> tuple[_Node[T] | None, _Node[T] | None]:
    """The first ``index`` items, and the others."""
    if index <= 0:
        return None, node
    if index >= node.measure[0]:
        return node, None
    if node.height == 0:
        return _node(0, node.kids[:index]), _node(0, node.kids[index:])
    at = 0
    while index >= node.kids[at].measure[0]:
        index -= node.kids[at].measure[0]
        at += 1
    kid = node.kids[at]
    assert isinstance(kid, _Node)
    left, right = _split(kid, index)
    return (
        _join(_wrap(node.height, node.kids[:at]), left),
        _join(right, _wrap(node.height, node.kids[at + 1 :])),
    )


def _join(left: _Node[T] | None, right: _Node[T] | None) -> _Node[T] | None:
    if left is None or right is None:
        return right if left is None else left
    nodes = _concat(left, right)
    return nodes[0] if len(nodes) == 1 else _node(nodes[0].height + 1, nodes)


def _concat(left: _Node[T], right: _Node[T]) -> tuple[_Node[T], ...]:
    """One or two nodes, as high as the higher of the two, with the items of both."""
    if left.height == right.height:
        if len(left.kids) >= _LEAST_KIDS and len(right.kids) >= _LEAST_KIDS:
            return left, right
        kids = left.kids + right.kids
    elif left.height > right.height:
        last = left.kids[-1]
        assert isinstance(last, _Node)
        kids = (*left.kids[:-1], *_concat(last, right))
    else:
        first = right.kids[0]
        assert isinstance(first, _Node)
        kids = (*_concat(left, first), *right.kids[1:])
    height = max(left.height, right.height)
    if len(kids) <= _MOST_KIDS:
        return (_node(height, kids),)
    half = len(kids) // 2
    return _node(height, kids[:half]), _node(height, kids[half:])
