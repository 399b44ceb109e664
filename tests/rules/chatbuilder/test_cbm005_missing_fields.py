"""CBM005: what a header should say."""

import pytest

from tests.rules.chatbuilder.support import FIELDS, NEW_UUID, NOW, PATH, UUID, WHOLE, pin
from tests.rules.support import expect, expect_fix, expect_follows, expect_nothing, fixes

CODE = "CBM005"
ALL = "`Block-UUID`, `Component`, `Version`, `Description`, `Language`, `Created-at`, `Authors`"


@pytest.fixture(autouse=True)
def known_values(monkeypatch: pytest.MonkeyPatch) -> None:
    pin(monkeypatch)


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("«; role: user»\n\n\nHello\n", ALL),
        ("«;»\n\n\nHello\n", ALL),
        ("«; Version: 1.0.0»\n; role: user\n\n\nHello\n", ALL.replace("`Version`, ", "")),
        ("«; version: 1.0.0»\n; role: user\n\n\nHello\n", ALL),
    ],
)
def test_one_problem_names_them_all(source: str, names: str) -> None:
    expect(CODE, source, f"the header has no {names}", path=PATH)


@pytest.mark.parametrize("line", FIELDS.splitlines())
def test_each_of_them(line: str) -> None:
    source = WHOLE.replace(line + "\n", "")
    name = line.split(": ")[0][2:]
    first = source.split("\n")[0]
    expect(CODE, source.replace(first, f"«{first}»"), f"the header has no `{name}`", path=PATH)


@pytest.mark.parametrize(
    "source",
    [
        WHOLE,
        WHOLE.replace("\n", "\r\n"),
        # That a value is missing is CBM006.
        WHOLE.replace("A question", ""),
        f"{UUID}\n" + "\n".join(WHOLE.split("\n")[1:]),
        # What has no header needs one first.
        "Hello\n; x\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source, path=PATH)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_all_are_inserted_with_a_new_uuid_and_the_time(newline: str) -> None:
    before = "; role: assistant\n\n\n# **Hello** you\n"
    after = (
        f"; Block-UUID: {NEW_UUID}\n; Component: AssistantMessage\n; Version: 1.0.0\n"
        f"; Description: Hello** you\n; Language: markdown\n; Created-at: {NOW}\n"
        "; Authors: Unknown (v1.0.0)\n;\n; role: assistant\n\n\n# **Hello** you\n"
    )
    name = f"Insert {ALL}"
    before, after = before.replace("\n", newline), after.replace("\n", newline)
    expect_fix(CODE, before, after, safe=False, name=name, path=PATH)


def test_each_goes_where_it_belongs() -> None:
    before = "; Component: X\n; Language: de\n;\n; role: user\n\n\n\n"
    after = (
        f"; Block-UUID: {NEW_UUID}\n; Component: X\n; Version: 1.0.0\n"
        f"; Description: A message from the user\n; Language: de\n; Created-at: {NOW}\n"
        "; Authors: Unknown (v1.0.0)\n;\n; role: user\n\n\n\n"
    )
    expect_fix(CODE, before, after, safe=False, path=PATH)


def test_a_long_first_line_is_cut() -> None:
    ((_, _, text),) = fixes(CODE, "; role: user\n\n\n" + "word " * 100 + "\n", path=PATH)
    line = text.split("\n")[3]
    assert line.startswith("; Description: word word")
    assert line.endswith(" word …")
    assert len(line) < 90


def test_it_follows_edits() -> None:
    edits = [("; Version", "; Verson"), ("; Verson", "; Version"), ("; Authors", ";")]
    assert expect_follows(CODE, WHOLE, *edits, path=PATH) == [0, 1, 0, 1]
