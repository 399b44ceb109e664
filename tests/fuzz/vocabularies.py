"""What files of each format are made of, well and badly, for fuzzers that try all formats."""

import re
from functools import cache

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from msgls.rules.documentation import page_of
from msgls.rules.registry import rules_of
from tests.document.tracked import JSON_FILES, MESSAGE_FILES, SIMPLE_TEXT_FILES, Vocabulary

_UUID = "8e1fdb4c-5d6c-4dff-96ca-3ae8a39a4d34"

CHATBUILDER_FILES = Vocabulary(
    ("messages/user/1.md", "1.md"),
    (
        f"; Block-UUID: {_UUID}\n;\n; role: user\n\n\n# A\n\nHi\n\\```py\nx\n\\```\n",
        "role: user\n\nHi\n",
        ";\r\n; role: assistant\r\n\r\n\r\nHi\r\n",
        "\ufeff; role: system\n\n\n\n\nHi",
    ),
    (
        *(
            "\n",
            "\n\n",
            "\n\n\n",
            "\r\n",
            "\r",
            " ",
            "\t",
            "x",
            "😀",
            "\u2028",
            "\ufeff",
            ";",
            "; ",
        ),
        *("; role: user\n", "role: user\n", "; role: usr\n", ";role:assistant\n", "; role:\n"),
        *(f"; Block-UUID: {_UUID}\n", f"Block-UUID: {_UUID}\n", "; Block-UUID: x\n"),
        *("; Version: 1.2\n", "; Created-at: now\n", "; Authors: A (v1.0.0), B\n", "; Autors: A\n"),
        *(
            "; a: b\n",
            "# Part\n",
            "## Part\n",
            "```py\n",
            "\\```\n",
            "````\n",
            "~~~\n",
            "\\\\```\n",
        ),
        *("text\n===\n", "[^a]", "> q\n", "<!-- msgls: ignore CBM001 -->\n"),
    ),
)

_BOOT = '{"message": "m", "meta": {"isVirtual": true}, "availableTasks": [{"name": "t"}]}'
_RESET = '"operations": [{"type": "ResetContext", "skipBotMessage": true}]'
_MESSAGE = '"metadata": {"bootMessage": {"message": "m"}}'
AGENT_FILES = Vocabulary(
    ("agents.json",),
    (
        f'{{"agents": [{{"name": "A", "path": "p", "metadata": {{"bootMessage": {_BOOT}}}}}]}}',
        '{\n  "agents": [\n    {"name": "A", "metadata": {"bootMessage": {"text": "m"}}}\n  ]\n}\n',
        '{"agents": []}',
        f'{{"agents": [{{"name": "A", "path": "p", {_RESET}, {_MESSAGE}}}]}}',
    ),
    (
        *(
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            '"',
            "\\",
            " ",
            "\n",
            "\t",
            "null",
            "true",
            "1",
            "-",
            "é😀",
        ),
        *('"agents": [', '"name": "A"', '"path": "p"', '"metadata": {', '"bootMessage": {'),
        *('"message": "m"', '"text": "m"', '"meta": {"isVirtual": false}', '"nextTasks": [{}]'),
        *('{"name": "B", "path": "q"}', '"availableTasks": [{"name": "t"}]', "// c\n", "NaN"),
    ),
)

ALL = {
    "msgmd": MESSAGE_FILES,
    "stf": SIMPLE_TEXT_FILES,
    "msgjson": JSON_FILES,
    "chatbuilder": CHATBUILDER_FILES,
    "agentsjson": AGENT_FILES,
}


_PLACES = st.integers(0, 60)
_BLOCK = re.compile(r"^(`{3,}|~{3,})\w*\n(.*?)^\1$", re.MULTILINE | re.DOTALL)


@cache
def examples(format: str) -> tuple[str, ...]:
    """What the pages of the format's rules show, wrong and right."""
    pages = [page_of(rule).sections["Example"] + "\n" for rule in rules_of(format)]
    return tuple(block[2] for page in pages for block in _BLOCK.finditer(page))


def _rearranged(texts: list[str], moves: list[tuple[str, int, int]]) -> str:
    """Several texts as one, with some lines gone, twice, elsewhere or cut short."""
    lines = "\n".join(texts).split("\n")
    for how, one, other in moves:
        first, second = one % len(lines), other % len(lines)
        if how == "swap":
            lines[first], lines[second] = lines[second], lines[first]
        elif how == "again":
            lines.insert(second, lines[first])
        elif how == "cut":
            lines[first] = lines[first][: other % (len(lines[first]) + 1)]
        elif len(lines) > 1:
            del lines[first]
    return "\n".join(lines)


@cache
def rearranged(format: str) -> SearchStrategy[str]:
    """Examples of the rules' pages, mixed: near to what people write, and wrong in many ways."""
    move = st.tuples(st.sampled_from(["swap", "again", "cut", "gone"]), _PLACES, _PLACES)
    shown = st.lists(st.sampled_from(examples(format)), min_size=1, max_size=3)
    return st.builds(_rearranged, shown, st.lists(move, max_size=4))


@cache
def files(format: str) -> SearchStrategy[tuple[str, str]]:
    """Paths and texts of a format: whole ones, soup, both mixed, and what pages of rules show."""
    vocabulary = ALL[format]
    soup = st.lists(st.sampled_from(vocabulary.fragments) | st.text(max_size=4), max_size=20)
    starts = st.sampled_from(vocabulary.starts)
    places = st.floats(0, 1)

    def mixed(start: str, place: float, end: float, words: list[str]) -> str:
        at = sorted((int(place * len(start)), int(end * len(start))))
        return start[: at[0]] + "".join(words) + start[at[1] :]

    texts = soup.map("".join) | starts | st.builds(mixed, starts, places, places, soup)
    texts |= rearranged(format)
    return st.tuples(st.sampled_from(vocabulary.paths), texts)


@cache
def soups() -> SearchStrategy[str]:
    """Text that means something to some parser or other."""
    words = sorted({word for vocabulary in ALL.values() for word in vocabulary.fragments})
    return st.lists(st.sampled_from(words) | st.text(max_size=4), max_size=12).map("".join)
