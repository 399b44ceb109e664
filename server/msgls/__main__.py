"""``python -m msgls``."""

from __future__ import annotations

from msgls.cli.main import entry

entry()
