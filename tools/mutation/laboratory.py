"""The tests, loaded once with the program they test; what is done to it is done in forks.

A change is first made to the functions as they are loaded, which costs next to nothing and is
noticed nearly always. What no test notices then is tried once more in full: the program and the
tests are imported anew, and the changed module is what ``import`` finds. So it is with what
happens while a module is imported.
"""

from __future__ import annotations

import ast
import gc
import importlib.util
import inspect
import json
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import _lru_cache_wrapper
from importlib.machinery import ModuleSpec, SourceFileLoader
from itertools import zip_longest
from pathlib import Path
from types import CodeType, FunctionType
from typing import TypeVar

import hypothesis
import pytest
from coverage import Coverage

from tools.mutation.places import PARTS, PROGRAM, Place

# Processor time that a change may cost. What takes longer never ends, and is noticed.
_LEAST_SECONDS, _TIMES_SLOWER = 10.0, 2
_MOST_MEMORY = 4 << 30
_GONE_WRONG = 70

Task = TypeVar("Task")


def run_pytest(plugin: object, *arguments: str) -> int:
    """Run pytest in this process; nothing of the project is loaded before."""
    options = ["-q", "-s", "-m", "not fuzz", "-p", "no:cacheprovider", "--assert=plain"]
    return int(pytest.main([*options, *arguments], plugins=[plugin]))


class Laboratory:
    """A plugin of pytest that loads all tests, and calls ``work`` instead of running them."""

    def __init__(self, work: Callable[[Laboratory], None]) -> None:
        self._work = work
        self._items: dict[str, pytest.Item] = {}
        self._cached: list[_lru_cache_wrapper[object]] = []
        self._functions: list[FunctionType] = []

    def pytest_configure(self) -> None:
        """Hook: the settings of the tests are loaded."""
        _stop_at_the_first_example()

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Hook: on a busy machine, a test that measures time fails whatever is changed."""
        items[:] = [item for item in items if not _measures_time(item)]

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Hook: everything is loaded."""
        self._items = {item.nodeid: item for item in session.items}
        things = [t for t in gc.get_objects() if isinstance(t, FunctionType | _lru_cache_wrapper)]
        ours = [thing for thing in things if (thing.__module__ or "").startswith("msgls.")]
        self._functions = [thing for thing in ours if isinstance(thing, FunctionType)]
        self._cached = [thing for thing in ours if isinstance(thing, _lru_cache_wrapper)]
        # The forks share what is there; the collector would touch, and so copy, all of it.
        gc.freeze()
        self._work(self)
        return True

    def watch(self, file: str, result: Path) -> int:
        """Write down what each test of a file reaches; the exit status is 0 if all of them pass."""
        folders = [f"{PROGRAM / folder}/*" for folder in PARTS]
        coverage = Coverage(data_file=None, config_file=False, include=folders, messages=False)
        watcher = _Watcher(coverage)
        coverage.start()
        self._run([test for test in self._items if test.startswith(f"{file}::")], watcher)
        coverage.stop()
        data = coverage.get_data()
        reached = {
            Path(path).relative_to(PROGRAM).as_posix(): data.contexts_by_lineno(path)
            for path in data.measured_files()
        }
        seconds = {test: s for test, s in watcher.seconds.items() if test not in watcher.failed}
        result.write_text(json.dumps([seconds, reached]), "utf-8")
        return int(bool(watcher.failed))

    def try_change(self, place: Place, tests: Sequence[str], seconds: float) -> int:
        """Run tests on a program with a change; the exit status is 0 if all of them pass."""
        import resource  # Not everywhere, as `fork` is not; the rest of this file is.

        limit = _LEAST_SECONDS + seconds * _TIMES_SLOWER
        signal.setitimer(signal.ITIMER_PROF, limit)
        signal.setitimer(signal.ITIMER_REAL, limit * 10)
        resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))
        file = PROGRAM / place.path
        before = _compiled(place.tree, file)
        place.make()
        after = _compiled(place.tree, file)
        if place.lines and self._change_functions(str(file), dict(_differing(before, after))):
            self._run(tests, _Stopper())
        return _try_anew(place.path, after, tests)

    def _change_functions(self, file: str, changed: dict[CodeType, CodeType]) -> bool:
        ours = [f for f in self._functions if f.__code__.co_filename == file]
        found = [(f, changed[f.__code__]) for f in ours if f.__code__ in changed]
        if any(len(f.__code__.co_freevars) != len(code.co_freevars) for f, code in found):
            return False
        for function, code in found:
            function.__code__ = code
        return bool(found)

    def _run(self, tests: Sequence[str], plugin: object) -> None:
        items = [self._items[test] for test in tests if test in self._items]
        for item, following in zip_longest(items, items[1:]):
            if item is items[0]:
                item.config.pluginmanager.register(plugin)
            # What a test finds in a cache, it does not reach.
            for cached in self._cached:
                cached.cache_clear()
            item.ihook.pytest_runtest_protocol(item=item, nextitem=following)


def _measures_time(item: pytest.Item) -> bool:
    function = getattr(item, "function", None)
    source = "" if function is None else inspect.getsource(function)
    return "perf_counter" in source or "process_time" in source


def _stop_at_the_first_example() -> None:
    # Nobody reads it, so that it need not be small.
    quick = hypothesis.settings.get_profile("quick")
    phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
    hypothesis.settings.register_profile("mutants", quick, phases=phases)
    hypothesis.settings.load_profile("mutants")


def _compiled(tree: ast.Module, file: Path) -> CodeType:
    return compile(ast.fix_missing_locations(tree), str(file), "exec", dont_inherit=True)


def _differing(before: CodeType, after: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    """The code of each function that differs, before and after the change."""
    if before == after:
        return
    yield before, after
    inner = [[c for c in code.co_consts if isinstance(c, CodeType)] for code in (before, after)]
    if len(inner[0]) == len(inner[1]):
        for one, other in zip(*inner, strict=True):
            yield from _differing(one, other)


class _Watcher:
    """A plugin of pytest that tells coverage which test runs, and notes how long those take."""

    def __init__(self, coverage: Coverage) -> None:
        self._coverage = coverage
        self._started = 0.0
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._coverage.switch_context(nodeid)
        self._started = time.process_time()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.passed:
            self.failed.add(report.nodeid)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self.seconds[nodeid] = time.process_time() - self._started


class _Stopper:
    """A plugin of pytest that ends the process at the first test that fails."""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            os._exit(pytest.ExitCode.TESTS_FAILED)


class _Chooser:
    """A plugin of pytest that runs the chosen tests only, in the order they were chosen."""

    def __init__(self, tests: Iterable[str]) -> None:
        self._order = {test: number for number, test in enumerate(tests)}

    def pytest_configure(self) -> None:
        _stop_at_the_first_example()

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if item.nodeid in self._order]
        items.sort(key=lambda item: self._order[item.nodeid])


class _Loader(SourceFileLoader):
    """Finds and loads one module, from code that is not that of its file."""

    def __init__(self, path: str, code: CodeType) -> None:
        name = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        super().__init__(f"msgls.{name}", str(PROGRAM / path))
        self._code = code

    def get_code(self, fullname: str) -> CodeType:
        return self._code

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        if name != self.name:
            return None
        return importlib.util.spec_from_file_location(name, self.path, loader=self)


def _try_anew(path: str, code: CodeType, tests: Sequence[str]) -> int:
    for name in list(sys.modules):
        if name.partition(".")[0] in ("msgls", "tests"):
            del sys.modules[name]
    sys.meta_path.insert(0, _Loader(path, code))
    files = dict.fromkeys(test.partition("::")[0] for test in tests)
    return run_pytest(_Chooser(tests), "-x", *files)


def in_forks(
    tasks: Iterable[Task], run: Callable[[Task], int], jobs: int
) -> Iterator[tuple[Task, int]]:
    """Run each task in a fork of this process; give it and its exit status when it has ended."""
    running: dict[int, Task] = {}

    def ended() -> tuple[Task, int]:
        process, status = os.wait()
        code = os.waitstatus_to_exitcode(status)
        if code in (pytest.ExitCode.USAGE_ERROR, _GONE_WRONG):
            raise RuntimeError(f"cannot run the tests: {running[process]}")
        return running.pop(process), code

    for task in tasks:
        if len(running) == jobs:
            yield ended()
        process = os.fork()
        if process == 0:
            os._exit(_to_the_end(run, task))
        running[process] = task
    while running:
        yield ended()


def _to_the_end(run: Callable[[Task], int], task: Task) -> int:
    try:
        return run(task)
    except BaseException:  # Nothing of the process that was forked may go on here.
        traceback.print_exc()
        sys.stderr.flush()
        return _GONE_WRONG
