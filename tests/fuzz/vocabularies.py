"""What files of each format are made of, well and badly, for fuzzers that try all formats."""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

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


@cache
def files(format: str) -> SearchStrategy[tuple[str, str]]:
    """Paths and texts of a format: whole ones, soup, and whole ones with soup in them."""
    vocabulary = ALL[format]
    soup = st.lists(st.sampled_from(vocabulary.fragments) | st.text(max_size=4), max_size=20)
    starts = st.sampled_from(vocabulary.starts)
    places = st.floats(0, 1)

    def mixed(start: str, place: float, end: float, words: list[str]) -> str:
        at = sorted((int(place * len(start)), int(end * len(start))))
        return start[: at[0]] + "".join(words) + start[at[1] :]

    texts = soup.map("".join) | starts | st.builds(mixed, starts, places, places, soup)
    return st.tuples(st.sampled_from(vocabulary.paths), texts)


@cache
def soups() -> SearchStrategy[str]:
    """Text that means something to some parser or other."""
    words = sorted({word for vocabulary in ALL.values() for word in vocabulary.fragments})
    return st.lists(st.sampled_from(words) | st.text(max_size=4), max_size=12).map("".join)
