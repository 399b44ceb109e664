"""The result of ``initialize``, without the protocol's libraries.

Loading them takes three quarters of the startup time, and the client need not wait for that.
``capabilities.json`` is what pygls makes of the routes (``tools/capabilities.py``).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from msgls import __version__

_ENCODINGS = ("utf-8", "utf-16", "utf-32")
_CAPABILITIES = Path(__file__).with_name("capabilities.json")


def greeting_of(params: Any) -> dict[str, Any]:
    """The result for these params. Raises ``TypeError`` where they are not those of a client."""
    if not isinstance(params, dict) or not isinstance(params.get("capabilities"), dict):
        raise TypeError("params and their capabilities must be objects")
    offered = json.loads(_CAPABILITIES.read_text("utf-8"))
    offered["positionEncoding"] = _encoding(params)
    # As the specification requires: what a client does not know is not offered.
    if not _at(params, "capabilities", "textDocument", "rename", "prepareSupport"):
        offered["renameProvider"] = True
    known = _at(params, "capabilities", "workspace", "fileOperations") or {}
    operations = offered["workspace"]["fileOperations"]
    offered["workspace"]["fileOperations"] = {
        name: options for name, options in operations.items() if _at(known, name)
    }
    return {"capabilities": offered, "serverInfo": {"name": "msgls", "version": __version__}}


def _encoding(params: dict[str, Any]) -> str:
    """The unit of columns: the first encoding in the client's list that we support.

    Some clients count bytes whatever was negotiated, and do not announce it. Their configuration
    can: ``initializationOptions.positionEncoding``.
    """
    named = _at(params, "capabilities", "general", "positionEncodings")
    if named is None:
        named = [_at(params, "initializationOptions", "positionEncoding")]
    if not isinstance(named, list):
        return "utf-16"
    return next((name for name in named if name in _ENCODINGS), "utf-16")


def _at(value: Any, *keys: str) -> Any:
    """The value at the end of a path of keys; ``None`` if one of them is missing."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value
