"""Break the core in small ways, one at a time, and see which of them no test notices.

    python tools/mutate.py [HOW_MANY [SEED]]

Takes a sample of all the places in ``text`` and ``formats`` where a comparison, a number, an
``and`` or the like could be another, makes a copy of the program with that one change, and runs
the tests of that package on it. What survives is printed: each is a test that is missing, or a
change that makes no difference.
"""

from __future__ import annotations

import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PROGRAM = ROOT / "server" / "msgls"
DEFAULT = 40
_SECONDS = 180.0

# What tests each part of the program; the first that fails is enough.
_TESTS = {
    "text": ("tests/text", "tests/document"),
    "formats/msgmd": ("tests/formats/msgmd", "tests/document"),
    "formats/stf": ("tests/formats/stf", "tests/rules/stf"),
    "formats/chatbuilder": ("tests/formats/chatbuilder", "tests/rules/chatbuilder"),
    "formats/msgjson": ("tests/formats/msgjson", "tests/rules/msgjson"),
    "formats/agentsjson": ("tests/formats/agentsjson", "tests/rules/agentsjson"),
    "formats": ("tests/formats",),
}

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


class Mutant(NamedTuple):
    """One change: the file, which of its places, the line, and what it does."""

    path: Path
    number: int
    line: int
    what: str


class _Mutator(ast.NodeTransformer):
    """Numbers the places of a file, and changes the one that is wanted."""

    def __init__(self, wanted: int = -1) -> None:
        self._wanted = wanted
        self.found: list[tuple[int, str]] = []

    def _is_it(self, node: ast.expr, what: str) -> bool:
        self.found.append((node.lineno, what))
        return len(self.found) - 1 == self._wanted

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        other = _COMPARED.get(type(node.ops[0]))
        if other is not None and self._is_it(node, f"comparison becomes {other.__name__}"):
            node.ops[0] = other()
        return self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        if self._is_it(node, "`and` and `or` are exchanged"):
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        return self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        if isinstance(node.op, ast.Not) and self._is_it(node, "`not` is left out"):
            return self.generic_visit(node.operand)
        return self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        other = _COUNTED.get(type(node.op))
        is_text = any(isinstance(side, ast.JoinedStr) for side in (node.left, node.right))
        if other is not None and not is_text and self._is_it(node, f"becomes {other.__name__}"):
            node.op = other()
        return self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if isinstance(node.value, bool):
            if self._is_it(node, f"{node.value} becomes {not node.value}"):
                return ast.Constant(not node.value)
        elif isinstance(node.value, int) and self._is_it(node, f"{node.value} becomes one more"):
            return ast.Constant(node.value + 1)
        return node


def mutants() -> Iterator[Mutant]:
    """Every place that can be changed."""
    for folder in ("text", "formats"):
        for path in sorted((PROGRAM / folder).rglob("*.py")):
            mutator = _Mutator()
            mutator.visit(ast.parse(path.read_text("utf-8")))
            for number, (line, what) in enumerate(mutator.found):
                yield Mutant(path.relative_to(PROGRAM), number, line, what)


def survives(mutant: Mutant) -> bool:
    """Whether all tests of its package pass with it."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "msgls"
        shutil.copytree(PROGRAM, copy, ignore=shutil.ignore_patterns("__pycache__"))
        tree = ast.parse((PROGRAM / mutant.path).read_text("utf-8"))
        changed = ast.fix_missing_locations(_Mutator(mutant.number).visit(tree))
        (copy / mutant.path).write_text(ast.unparse(changed), "utf-8")
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-m", "not fuzz"]
        command += ["-p", "no:cacheprovider", *_tests_of(mutant.path)]
        environment = {**os.environ, "PYTHONPATH": folder, "HYPOTHESIS_PROFILE": "quick"}
        try:
            done = subprocess.run(
                command, cwd=ROOT, env=environment, capture_output=True, timeout=_SECONDS
            )
        except subprocess.TimeoutExpired:
            # It never ends: that is noticed, too.
            return False
        return done.returncode == 0


def _tests_of(path: Path) -> tuple[str, ...]:
    below = path.as_posix()
    return next(tests for part, tests in _TESTS.items() if below.startswith(part))


def main(count: int = DEFAULT, seed: int = 0) -> int:
    """Try a sample; print what survived."""
    everything = list(mutants())
    sample = random.Random(seed).sample(everything, min(count, len(everything)))
    survivors = 0
    for number, mutant in enumerate(sample, start=1):
        if survives(mutant):
            survivors += 1
            print(f"survived: {mutant.path}:{mutant.line}: {mutant.what}", flush=True)
        elif sys.stderr.isatty():
            print(f"{number} of {len(sample)}", end="\r", file=sys.stderr)
    print(f"{len(sample) - survivors} of {len(sample)} noticed; {len(everything):,} places in all")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(*map(int, sys.argv[1:])))
