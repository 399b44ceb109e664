"""MSG605: a link to a file that is not there."""

from collections.abc import Sequence

import pytest

from msgls.document.snapshot import Surroundings
from tests.rules.support import expect, expect_fix, expect_nothing, fixes

CODE = "MSG605"
HEAD = "# %% Q[^q]\n\n[^q]: [markdown]\n\n"
FILES = {"": ("a b.md", "notes.md", "pics/"), "pics": ("garden.png", "Größe.png")}


def _exists(path: str) -> bool | None:
    if path.startswith("../"):
        return None
    folder, _, name = path.rstrip("/").rpartition("/")
    return name in FILES.get(folder, ()) or f"{name}/" in FILES.get(folder, ())


def _listing(folder: str) -> Sequence[str]:
    return FILES.get(folder, ())


AROUND = Surroundings(exists=_exists, listing=_listing)


@pytest.mark.parametrize(
    ("marked", "path"),
    [
        ("See [it](«nowhere.md»).\n", "nowhere.md"),
        ('🙂猫 ![it](«pics/nowhere.png» "title")\n', "pics/nowhere.png"),
        ("[it](«nowhere.md#a-heading»)\n", "nowhere.md"),
        ("[it](<«no where.md»>)\n", "no where.md"),
        ("[it](«no%20where.md»)\n", "no where.md"),
        ("`code` [it](«nowhere.md») `code`\r\n", "nowhere.md"),
        ("- [ ] [it](«nowhere.md»)\n", "nowhere.md"),
    ],
)
def test_a_link_that_leads_nowhere_is_found(marked: str, path: str) -> None:
    expect(CODE, HEAD + marked, f"there is no file `{path}`", surroundings=AROUND)


def test_a_file_of_a_run_is_looked_for_too() -> None:
    source = (
        "# %% C[^c1]\n\n[^c1]: [code]\n\n```python\n1\n```\n\n# %%% [^c1.1]\n\n"
        '[^c1.1]: [python] status="success" mime_type="image/png" output_file="«pics/no.png»"\n'
    )
    expect(CODE, source, "there is no file `pics/no.png`", surroundings=AROUND)


@pytest.mark.parametrize(
    "text",
    [
        "[it](notes.md) ![it](pics/garden.png) [it](pics/) [it](a%20b.md) [it](<a b.md>)\n",
        "[it](#a-heading) [it](https://example.org/x.md) [it](/abs.md) [it](mailto:a@b.c)\n",
        "[it](notes.md#a-heading) [it](../elsewhere.md)\n",
        "`[it](nowhere.md)` and ``a ` [it](nowhere.md)``\n",
        "```\n[it](nowhere.md)\n```\n",
        "[it]() ](nowhere [it](nowhere.md\n",
        "[^n]: a footnote\n",
    ],
)
def test_what_is_there_or_cannot_be_known_is_left_alone(text: str) -> None:
    expect_nothing(CODE, HEAD + text, surroundings=AROUND)


def test_the_preamble_is_plain_markdown() -> None:
    expect_nothing(CODE, "[it](nowhere.md)\n\n" + HEAD, surroundings=AROUND)


def test_nothing_is_known_without_a_folder() -> None:
    expect_nothing(CODE, HEAD + "[it](nowhere.md)\n")


@pytest.mark.parametrize(
    ("broken", "fixed"),
    [
        ("[it](note.md#top)\n", "[it](notes.md#top)\n"),
        ("[it](pics/gardn.png)\n", "[it](pics/garden.png)\n"),
        ("[it](ab.md)\n", "[it](a%20b.md)\n"),
        ("[it](pics/Grösse.png)\n", "[it](pics/Größe.png)\n"),
    ],
)
def test_a_similar_name_is_offered_and_is_never_safe(broken: str, fixed: str) -> None:
    expect_fix(CODE, HEAD + broken, HEAD + fixed, safe=False, surroundings=AROUND)


def test_nothing_similar_is_not_a_fix() -> None:
    assert fixes(CODE, HEAD + "[it](zzz.zip)\n", surroundings=AROUND) == []
