"""``python -m msgls``."""

from __future__ import annotations

import sys

from msgls.cli.main import main

sys.exit(main())
