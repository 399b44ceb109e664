"""What ``make coverage`` says of each part, and when it fails."""

import json
from pathlib import Path

import pytest

from tools import covered


def summary(lines: int, all_lines: int, branches: int, all_branches: int) -> dict[str, object]:
    return {
        "summary": {
            "covered_lines": lines,
            "num_statements": all_lines,
            "covered_branches": branches,
            "num_branches": all_branches,
        }
    }


REPORT = {
    "files": {
        "server/msgls/text/a.py": summary(9, 10, 0, 0),
        "server/msgls/text/b.py": summary(10, 10, 4, 4),
        "server/msgls/rules/msgmd/c.py": summary(10, 10, 3, 4),
    }
}


@pytest.mark.parametrize(("least", "code"), [("75", 0), ("76", 1), ("96", 1)])
def test_a_part_with_too_little_fails(
    least: str, code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "report.json"
    file.write_text(json.dumps(REPORT), encoding="utf-8")
    assert covered.main([str(file), least]) == code
    rules, text = capsys.readouterr().out.splitlines()
    assert "lines 100.00 % of 10, branches  75.00 % of 4" in rules
    assert "lines  95.00 % of 20, branches 100.00 % of 4" in text
    assert ("less than" in rules) == (least != "75")
    assert ("less than" in text) == (least == "96")
