"""The bill of materials of a release names all that it is made of."""

import re
import tomllib
from pathlib import Path

from tools.sbom import ROOT, sbom

ARCHITECTURE = (ROOT / "server/ARCHITECTURE.md").read_text("utf-8")


def _declared() -> set[str]:
    project = tomllib.loads(Path(ROOT, "pyproject.toml").read_text("utf-8"))["project"]
    names = [re.match(r"[\w.-]+", line) for line in project["dependencies"]]
    return {name.group().lower() for name in names if name is not None}


def test_every_dependency_and_what_it_needs_is_named_with_its_version() -> None:
    bill = sbom()
    names = {component["name"] for component in bill["components"]}
    assert _declared() <= names
    # By way of others: pygls needs cattrs, pydantic its core, the client its language client.
    assert {"cattrs", "pydantic-core", "vscode-languageclient"} <= names
    assert all(component["version"] for component in bill["components"])
    assert "pytest" not in names
    assert "esbuild" not in names


def test_every_reference_leads_to_a_component() -> None:
    bill = sbom()
    known = {component["bom-ref"] for component in bill["components"]}
    known.add(bill["metadata"]["component"]["bom-ref"])
    for dependency in bill["dependencies"]:
        assert {dependency["ref"], *dependency["dependsOn"]} <= known


def test_every_dependency_has_its_reason_in_the_architecture() -> None:
    table = ARCHITECTURE.partition("## Dependencies at run time")[2].partition("\n## ")[0].lower()
    assert [name for name in sorted(_declared()) if name not in table] == []
