"""Writes what a release is made of: a software bill of materials in CycloneDX 1.5.

    python tools/sbom.py [FILE]

Lists what ``pip install msgls`` brings along, with the versions that are installed here and the
dependencies of each, and what the VS Code client bundles, by its lock file.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
_IN_CLIENT = "vscode-languageclient"


def sbom() -> dict[str, Any]:
    """The bill of materials, as JSON."""
    needed = _needed("msgls")
    packages = [_python(name) for name in needed if name != "msgls"]
    own = _python("msgls")
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": {**own, "type": "application"}},
        "components": [*packages, *_bundled()],
        "dependencies": [
            {"ref": _purl(name), "dependsOn": [_purl(other) for other in others]}
            for name, others in needed.items()
        ],
    }


def _needed(name: str) -> dict[str, list[str]]:
    """What a package needs here, and what that needs, by name."""
    found: dict[str, list[str]] = {}
    waiting = [name]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = sorted(set(_requirements(name)))
            waiting += found[name]
    return dict(sorted(found.items()))


def _requirements(name: str) -> Iterator[str]:
    for line in distribution(name).requires or ():
        requirement = Requirement(line)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            try:
                yield _normal(distribution(requirement.name).name)
            except PackageNotFoundError:
                sys.exit(f"{name} needs {requirement.name}, which is not installed here")


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _purl(name: str) -> str:
    return f"pkg:pypi/{name}@{distribution(name).version}"


def _python(name: str) -> dict[str, Any]:
    made = distribution(name)
    component = {"type": "library", "name": name, "version": made.version}
    component |= {"purl": _purl(name), "bom-ref": _purl(name)}
    stated = made.metadata.json.get("license_expression")
    return component | ({"licenses": [{"expression": stated}]} if stated else {})


def _bundled() -> Iterator[dict[str, Any]]:
    """What the build of the VS Code client puts into its one file."""
    lock = json.loads((ROOT / "client-vscode/package-lock.json").read_text("utf-8"))["packages"]
    waiting, found = [_IN_CLIENT], set()
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += lock[f"node_modules/{name}"].get("dependencies", ())
    for name in sorted(found):
        package = lock[f"node_modules/{name}"]
        purl = f"pkg:npm/{name.replace('@', '%40')}@{package['version']}"
        component = {"type": "library", "name": name, "version": package["version"]}
        component |= {"purl": purl, "bom-ref": purl}
        yield component | {"licenses": [{"expression": package["license"]}]}


def main() -> None:
    """Write it to a file, or print it."""
    text = json.dumps(sbom(), indent=2, ensure_ascii=False) + "\n"
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(text, "utf-8")
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
