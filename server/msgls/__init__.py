"""msgls: a language server and command-line tool for message files.

Owns the version, and the names of the library. This file is run before any part of the package, so
it must not import one: the library is loaded on demand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from msgls.api import (
        Assembled,
        Assembler,
        ConversionError,
        Converted,
        Failure,
        Finding,
        Lost,
        Message,
        MessageDelta,
        SettingsError,
        Severity,
        check_text,
        convert_all,
        convert_text,
        delta_from_wire,
    )

__version__ = "0.1.0"

__all__ = [
    "Assembled",
    "Assembler",
    "ConversionError",
    "Converted",
    "Failure",
    "Finding",
    "Lost",
    "Message",
    "MessageDelta",
    "SettingsError",
    "Severity",
    "__version__",
    "check_text",
    "convert_all",
    "convert_text",
    "delta_from_wire",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from msgls import api

    value = globals()[name] = getattr(api, name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
