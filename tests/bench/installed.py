"""msgls as an installation leaves it, for benchmarks that start processes.

pip compiles what it installs; a checkout is compiled on the first run, or never where
``PYTHONDONTWRITEBYTECODE`` is set, and then every process that is measured would compile it.
"""

from __future__ import annotations

import compileall
from pathlib import Path

import msgls


def compile_package() -> None:
    """Compile what has changed."""
    compileall.compile_dir(str(Path(msgls.__file__).parent), quiet=2)
