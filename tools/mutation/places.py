"""Where the core can be changed in a small way: what ``make mutate`` tries.

A *place* is a comparison, a number, an ``and``, a condition or a call in ``text`` or ``formats``
that could be another, or be missing.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "server" / "msgls"
PARTS = ("text", "formats")

_COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_COUNTED: dict[type[ast.operator], type[ast.operator]] = {ast.Add: ast.Sub, ast.Sub: ast.Add}

# Where no change is of interest: types, sizes of caches and what is frozen; what only holds a
# promise (`assert`, `strict=`); when the collector runs; texts for people; what a hash is.
_NOT_ENTERED = ("annotation", "returns", "decorator_list")
_FILES_LEFT_OUT = ("text/garbage.py",)
_NAMES_LEFT_OUT = ("TYPE_CHECKING", "Phrase", "__repr__", "__hash__", "assert", "strict")
# Limits and sizes, for which one more or less makes no difference: constants of such a name,
# comparisons with them, and numbers from 20 on, unless they are written as code points.
_LIMIT = re.compile("_?[A-Z_]*(MAX|MOST|LEAST|LONG|DEEP|LIMIT|LARGE)[A-Z_]*")
_LEAST_LIMIT = 20


class Place(NamedTuple):
    """One change: which attribute of which node is set, and the lines that must run to see it.

    There are no such lines in what is done by an import: every test of the module sees that.
    """

    path: str
    function: str
    line: int
    lines: range
    tree: ast.Module
    node: ast.AST
    field: str
    value: object
    shown: ast.AST

    def make(self) -> object:
        """Change the tree; return what was there before."""
        before: object = getattr(self.node, self.field)
        setattr(self.node, self.field, self.value)
        return before

    def describe(self) -> str:
        """What is changed, in words that stay the same while the lines around it move."""
        old = _first_line(self.shown)
        before = self.make()
        new = _first_line(self.shown)
        setattr(self.node, self.field, before)
        return f"{self.path}: {self.function}: {old} -> {new}"


def _first_line(node: ast.AST) -> str:
    return ast.unparse(node).strip().partition("\n")[0]


class _Finder(ast.NodeVisitor):
    """Lists the places of a module in the order of its text."""

    def __init__(self, path: str, source: str) -> None:
        self._path = path
        self._lines = source.encode().splitlines()
        self._above: list[ast.AST] = []
        self._tree = ast.parse(source)
        self.found: list[Place] = []
        self.visit(self._tree)

    def visit(self, node: ast.AST) -> None:
        if _name_of(node) in _NAMES_LEFT_OUT or _is_limit(node):
            return
        for field, value in self._changes(node):
            self.found.append(self._place(node, field, value))
        self._above.append(node)
        for field, value in ast.iter_fields(node):
            if field not in _NOT_ENTERED:
                for child in value if isinstance(value, list) else [value]:
                    if isinstance(child, ast.AST):
                        self.visit(child)
        self._above.pop()

    def _changes(self, node: ast.AST) -> Iterator[tuple[str, object]]:
        match node:
            case ast.Compare(ops=[first, *others]) if not _is_bound(node):
                yield "ops", [_COMPARED[type(first)](), *others]
            case ast.BoolOp():
                yield "op", ast.Or() if isinstance(node.op, ast.And) else ast.And()
            case ast.UnaryOp(op=ast.Not()):
                yield "operand", ast.UnaryOp(ast.Not(), node.operand)
            case ast.BinOp() | ast.AugAssign() if type(node.op) in _COUNTED:
                yield "op", _COUNTED[type(node.op)]()
            case ast.If() | ast.IfExp() | ast.While():
                # The others are changed by what they are made of.
                if not isinstance(node.test, ast.Compare | ast.BoolOp | ast.UnaryOp | ast.Constant):
                    yield "test", ast.UnaryOp(ast.Not(), node.test)
            case ast.Expr(value=ast.Call()):
                yield "value", ast.Constant(None)
            case ast.Constant(value=bool(value)):
                yield "value", not value
            case ast.Constant(value=int(value)) if value < _LEAST_LIMIT or self._is_hex(node):
                yield "value", value + 1

    def _is_hex(self, node: ast.Constant) -> bool:
        return self._lines[node.lineno - 1].startswith(b"0x", node.col_offset)

    def _place(self, node: ast.AST, field: str, value: object) -> Place:
        around = [*self._above, node]
        scopes = [n for n in around if isinstance(n, ast.FunctionDef | ast.ClassDef)]
        where = next(n for n in reversed(around) if isinstance(n, ast.expr | ast.stmt))
        if isinstance(node, ast.If | ast.While):
            where = node.test
        shown = node
        if isinstance(node, ast.Constant):
            vague = ast.Constant | ast.Slice | ast.UnaryOp | ast.Tuple | ast.List
            shown = next(n for n in reversed(around) if not isinstance(n, vague))
        lines = range(where.lineno, (where.end_lineno or where.lineno) + 1)
        if not any(isinstance(scope, ast.FunctionDef) for scope in scopes):
            lines = range(0)
        name = ".".join(scope.name for scope in scopes) or "module"
        line = where.lineno
        return Place(self._path, name, line, lines, self._tree, node, field, value, shown)


def _is_limit(node: ast.AST) -> bool:
    match node:
        case ast.Assign(targets=[ast.Name(id=name)]):
            return _LIMIT.fullmatch(name) is not None
    return False


def _is_bound(node: ast.Compare) -> bool:
    names = [n.id for n in ast.walk(node) if isinstance(n, ast.Name)]
    is_order = isinstance(node.ops[0], ast.Lt | ast.LtE | ast.Gt | ast.GtE)
    return is_order and any(_LIMIT.fullmatch(name) for name in names)


def _name_of(node: ast.AST) -> str:
    match node:
        case ast.FunctionDef(name=name) | ast.Call(func=ast.Name(id=name)):
            return str(name)
        case ast.If(test=ast.Name(id=name)) | ast.keyword(arg=name):
            return str(name)
        case ast.Assert():
            return "assert"
    return ""


def places_of(path: str, source: str) -> list[Place]:
    """Every place of a module that is of interest."""
    return _Finder(path, source).found


def all_places() -> list[Place]:
    """Every place of the program that is of interest."""
    found: list[Place] = []
    for part in PARTS:
        for file in sorted((PROGRAM / part).rglob("*.py")):
            path = file.relative_to(PROGRAM).as_posix()
            if path not in _FILES_LEFT_OUT:
                found += places_of(path, file.read_text("utf-8"))
    return found
