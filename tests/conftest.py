"""Settings that every test shares: the profiles of the property tests, and the language.

``HYPOTHESIS_PROFILE`` picks a profile by name. A test that sets ``max_examples``
itself is not reached by the profiles, so let the profile say how many.
"""

import gc
import os
import shutil
import sys
import tempfile
from collections.abc import Generator, Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tools.compile_catalogue import compile_catalogues

# An assertion of a helper shows what it compares, as one of a test does.
pytest.register_assert_rewrite(
    *[f"tests.{path.stem}" for path in Path(__file__).parent.iterdir() if path.stem != "conftest"]
)

settings.register_profile(
    "default",
    # A shared machine is slow at times, and that is not a bug.
    deadline=None,
    # A CI run that fails must fail again when it is repeated.
    derandomize=os.environ.get("CI") == "true",
    # Enough to notice a law that was broken; `make fuzz` looks for the rare cases.
    max_examples=20,
)
settings.register_profile(
    "fuzz",
    deadline=None,
    derandomize=False,
    max_examples=int(os.environ.get("FUZZ_EXAMPLES") or 1_000),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or "default")

# Whoever works in another language has the same tests: only the encoding is kept.
if "LC_ALL" in os.environ:
    os.environ["LANG"] = os.environ.pop("LC_ALL")
os.environ["LC_MESSAGES"] = "C"


_STATE = Path(tempfile.gettempdir(), f"msgls-tests-{os.getpid()}")
_numbers = count()


@pytest.fixture(autouse=True)
def state(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What is kept from one start to the next is kept for each test by itself."""
    folder = _STATE / str(next(_numbers))
    monkeypatch.setenv("LOCALAPPDATA" if sys.platform == "win32" else "XDG_STATE_HOME", str(folder))
    yield
    if folder.exists():
        shutil.rmtree(folder)
        _STATE.rmdir()


def pytest_configure(config: pytest.Config) -> None:
    """Compile the translations, which an install compiled as they were then."""
    if not hasattr(config, "workerinput"):
        compile_catalogues(Path(__file__).parent.parent)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected stays: the garbage collector need not look at it, then or later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()
