"""What the tests with VS Code need, and what happens where it is missing.

Each function gives what is there. Where it is not, the test is left out with a loud line, or
fails where ``CI`` is set: there it has to be there.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import NoReturn

import pytest

import msgls

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def node() -> str:
    return shutil.which("node") or _not_tested("there is no Node")


def vscode() -> str:
    """The oldest VS Code that is supported, or with ``VSCODE_RELEASE=newest`` the newest."""
    folder = {"oldest": "vscode", "newest": "newest"}[os.environ.get("VSCODE_RELEASE", "oldest")]
    return _file(ROOT / ".vscode-test" / folder, "VS Code")


def driver() -> str:
    return _file(HERE / "node_modules/playwright-core", "what drives the browser")


def vsix() -> str:
    return _file(ROOT / f"dist/msgls-{msgls.__version__}.vsix", "the packaged extension")


def browser() -> str:
    """Chromium, or what ``CHROMIUM`` names."""
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    return found or _not_tested("there is no Chromium")


def _file(path: Path, name: str) -> str:
    return str(path) if path.exists() else _not_tested(f"{name} is not there")


def _not_tested(reason: str) -> NoReturn:
    message = f"VS CODE IS NOT TESTED: {reason}; try `make editors vscode vsix`"
    if os.environ.get("CI"):
        pytest.fail(message, pytrace=False)
    pytest.skip(message)
