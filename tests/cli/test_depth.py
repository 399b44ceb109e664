"""However deep an input nests, no parser takes the process down, those in C included."""

import subprocess
import sys
from pathlib import Path

import pytest

_CALL = '# %%% x[^a1.ab]\n\n[^a1.ab]: [tool] name="x"\n\n'
DEEP = {
    "a.messages.json": "[" * 200_000,
    "b.messages.json": '{"a":' * 100_000,
    "agents.json": '{"agents":' + "[" * 200_000,
    "a.stf": "@user x=" + "[" * 200_000 + "\n",
    "yaml.msg.md": "---\na: " + "[" * 100_000 + "\n---\n",
    "xml.msg.md": _CALL + "<a>" * 100_000 + "\n",
}


@pytest.mark.parametrize("name", DEEP)
def test_depth_ends_no_process(name: str, tmp_path: Path) -> None:
    # A process of its own: a fault in C would take the tests along.
    file = tmp_path / name
    file.write_text(DEEP[name], "utf-8")
    command = [sys.executable, "-m", "msgls", "check", str(file), "--exit-zero"]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
