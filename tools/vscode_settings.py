"""Writes the settings of the VS Code client from the server's own table of options.

Owns one section of ``client-vscode/package.json``, the one with the id ``msgls.settings``, and
the version there. All else in that file is written by hand, and stays as it is.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgls import __version__
from msgls.rules.settings import OPTIONS, Option, option_schema

ROOT = Path(__file__).resolve().parent.parent
MANIFEST = Path("client-vscode/package.json")
SECTION = "msgls.settings"


def setting_name(key: str) -> str:
    """The key of an option as VS Code's settings spell it: ``msgls.lint.perFileIgnores``."""
    return "msgls." + re.sub(r"-(\w)", lambda match: match[1].upper(), key)


def setting(option: Option, order: int) -> dict[str, Any]:
    """What VS Code is told of an option."""
    schema = option_schema(option)
    description = schema.pop("description")
    if "enum" in schema:
        schema = {"type": "string", **schema}
    default = schema.pop("default", option.default)
    return {
        **schema,
        "default": list(default) if isinstance(default, tuple) else default,
        "markdownDescription": description,
        "scope": "resource",
        "order": order,
    }


def properties() -> dict[str, Any]:
    """Every setting that the server knows."""
    return {
        setting_name(option.key): setting(option, order)
        for order, option in enumerate(OPTIONS, start=1)
    }


def with_settings(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """The manifest with the server's settings and its version."""
    contributes = dict(manifest["contributes"])
    contributes["configuration"] = [
        {**section, "properties": properties()} if section.get("id") == SECTION else section
        for section in contributes["configuration"]
    ]
    return {**manifest, "version": __version__, "contributes": contributes}


def written(manifest: Mapping[str, Any]) -> str:
    """A manifest as it stands in its file."""
    return json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"


def main() -> int:
    """Write the file, or with ``--check`` only say whether it is fresh."""
    path = ROOT / MANIFEST
    before = path.read_text("utf-8")
    after = written(with_settings(json.loads(before)))
    if before == after:
        return 0
    if "--check" in sys.argv[1:]:
        print(f"{MANIFEST} is stale: make docs")
        return 1
    path.write_text(after, "utf-8")
    print(f"wrote {MANIFEST}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
