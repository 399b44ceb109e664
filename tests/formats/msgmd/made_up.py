"""Made-up message files for property tests: fragments that mean something, in any order."""

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

IDS = ("1", "2", "a", "a.x", "a.x.1", "a.x.2", "c", "c.1", "c.2", "é", "", "b c", "d\\", "a..b")
TYPES = ("markdown", "code", "raw", "tool", "python", "bot", "gpt-4", "x y", "Python")
ATTRIBUTES = (
    "",
    " role=system",
    " reasoning=1",
    " status=failure",
    " status=success duration=0.5s",
    ' time="2025-05-30T00:00:00+08:00"',
    ' name="t"',
    ' name="t" title="a \\"b\\" \\\\ c"',
    " mime_type=image/png",
    ' mime_type="text/html"',
    ' definition="agent" name="bot"',
    ' run="r1"',
    ' meta="{\\"k\\": [1, null]}"',
    ' meta="{\\"id\\": 1}"',
    ' meta="{"',
    ' a = 1 [b=2] junk k="unclosed',
    " a=1 a=2 time=",
)
TITLES = ("", " Title", " a [^x] b", " `code`", " back\\", " [link](u)", " \u2028 é 😀")
LINES = (
    "text",
    "",
    "  ",
    "text with blanks  ",
    "```",
    "```py",
    "````",
    "~~~",
    "~~~ ~x",
    "- ```py",
    "  x",
    "  ```",
    "<t><q>x</q></t>",
    "<t>",
    "</t>",
    "<q a='1'>y &amp; z</q>",
    "<!-- c -->",
    "\\# %% escaped",
    "\\\\# %%% twice",
    "###### %% six",
    "  # %% indented",
    "\\[^1]: [markdown] escaped",
    "  \\[^a]: indented",
    "\\[^1\\]: [markdown] damaged",
    "[^1]: a footnote",
    "[^zz]: [raw] orphan=1",
    "[^zz]: another footnote",
    "stdout> out",
    "stderr> err",
    "aGVsbG8=",
    "## Heading",
    "# Discussion",
    "Discussion",
    "===",
    "---",
    "\ufeff# %% not a cell",
    "\ufeff",
    "\u2028",
    "\x85\f\v",
    "\ud800 lone",
    "<<<<<<< ours",
)
BREAKS = ("\n", "\n", "\n", "\n\n", "\r\n", "\r")
FRONTMATTERS = (
    "---\nagents:\n  bot: {}\n---\n",
    "---\nagents:\n  python:\n    models: [gpt-4]\n---\n\n",
    "---\r\nagents: {x y: {}}\r\n---\r\n",
    "---\nmessage_section: true\n---\n",
    "---\nunclosed: true\n",
    "---\n: [\n---\n",
    "------\na: 1\n---  \n",
)


def definitions() -> SearchStrategy[str]:
    """Definition lines, at any indentation."""
    return st.builds(
        "{}[^{}]: [{}]{}".format,
        st.sampled_from(("", "", "", " ")),
        st.sampled_from(IDS),
        st.sampled_from(TYPES),
        st.sampled_from(ATTRIBUTES),
    )


def headers() -> SearchStrategy[str]:
    """Header lines, with or without an id."""
    return st.builds(
        "{} {}{}{}".format,
        st.sampled_from(("#", "#", "#", "##", "#####")),
        st.sampled_from(("%%", "%%%", "%%%")),
        st.sampled_from(TITLES),
        st.sampled_from(["", *(f" [^{cell_id}]" for cell_id in IDS)]),
    )


def _cell(parts: tuple[str, str, str, str, str]) -> str:
    percents, cell_id, kind, attributes, content = parts
    return f"# {percents} [^{cell_id}]\n\n[^{cell_id}]: [{kind}]{attributes}\n\n{content}\n\n"


def sound_cells() -> SearchStrategy[str]:
    """Cells as they are meant to be: with a definition at home."""
    content = st.lists(st.sampled_from(LINES), max_size=4).map("\n".join)
    return st.tuples(
        st.sampled_from(("%%", "%%%", "%%%")),
        st.sampled_from(IDS),
        st.sampled_from(TYPES),
        st.sampled_from(ATTRIBUTES),
        content,
    ).map(_cell)


def message_files(*, frontmatters: bool = True) -> SearchStrategy[str]:
    """Texts that look like message files, most of them broken in some way."""
    line = st.sampled_from(LINES) | headers() | definitions()
    written = st.builds(str.__add__, line, st.sampled_from(BREAKS))
    body = st.lists(written | sound_cells(), max_size=12).map("".join)
    starts = st.sampled_from(("", "", "\ufeff"))
    heads = st.sampled_from(("", "", *FRONTMATTERS)) if frontmatters else st.just("")
    ends = st.sampled_from(("", "", "no break at the end"))
    return st.builds("{}{}{}{}".format, starts, heads, body, ends)


def sound_files() -> SearchStrategy[str]:
    """Message files as they are meant to be: any content, but ids and definitions in order."""
    line = st.sampled_from([line for line in LINES if "```" not in line and "~~~" not in line])
    contents = st.lists(line, max_size=3).map("\n".join)
    closed = st.builds("{}\n```py\n# %% quoted\n```".format, contents)
    turns = st.lists(st.tuples(contents | closed, contents, st.integers(0, 2)), max_size=4)
    breaks = st.sampled_from(("\n", "\r\n"))
    return st.builds(_sound_file, st.sampled_from(("", FRONTMATTERS[0])), turns, breaks)


def _sound_file(head: str, turns: list[tuple[str, str, int]], newline: str) -> str:
    cells = []
    for number, (question, answer, calls) in enumerate(turns):
        cells.append(_cell(("%%", f"u{number}", "markdown", " k='v'", question)))
        cells.append(_cell(("%%%", f"a{number}", "bot", "", answer)))
        for call in range(calls):
            nonce = f"a{number}.n{number}x{call}"
            cells.append(_cell(("%%%", nonce, "tool", ' name="t"', "<t><q>x</q></t>")))
            cells.append(_cell(("%%%", f"{nonce}.1", "tool", " status=success", answer)))
    return (head + "".join(cells)).replace("\n", newline)
