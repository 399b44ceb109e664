"""Links, selections and pasting in the body of a message."""

from msgls.features.language import language_of
from msgls.features.links import links
from msgls.features.selection import selection_spans
from tests.features.chatbuilder.support import opened
from tests.notation import mark, table, unmark
from tests.snapshots import snapshot_of

HEAD = "; role: user\n\n\n"


@table(
    "source",
    {
        "relative links": HEAD + '[a](«b.md») ![c](«img/d.png#x» "title")\n',
        "in a section": HEAD + "Hi\n\n# A\n\n[a](«../b.md»)\n",
        "not in a fence": HEAD + "\\```\n[a](b.md)\n\\```\n[a](«c.md»)\n",
        "no address": HEAD + "[a](https://example.com) [b](#c) [d](/e)\n",
        "not in the header": "; Description: [a](b.md)\n" + HEAD + "Hi\n",
    },
)
def test_links(source: str) -> None:
    marked = unmark(source)
    found = [
        ("", link.span.shift(placed.start_offset))
        for placed, link in links(snapshot_of(opened(marked.text)))
    ]
    assert mark(marked.text, found) == source


@table(
    "source, expected",
    {
        "a value": (
            "; Authors: Some¦ Body (v1.0.0)\n; role: user\n\n\nHi\n",
            [
                "Some",
                "Some Body (v1.0.0)",
                "Authors: Some Body (v1.0.0)",
                "; Authors: Some Body (v1.0.0)",
                "; Authors: Some Body (v1.0.0)\n; role: user",
                "; Authors: Some Body (v1.0.0)\n; role: user\n\n\nHi\n",
            ],
        ),
        "a fence": (
            HEAD + "One\n\n# A\n\n\\```\nco¦de\n\\```\n\n## B\n\ntext\n\n# C\n",
            [
                "code",
                "code\n",
                "\\```\ncode\n\\```",
                "# A\n\n\\```\ncode\n\\```\n\n",
                "# A\n\n\\```\ncode\n\\```\n\n## B\n\ntext\n\n",
                "One\n\n# A\n\n\\```\ncode\n\\```\n\n## B\n\ntext\n\n# C\n",
                HEAD + "One\n\n# A\n\n\\```\ncode\n\\```\n\n## B\n\ntext\n\n# C\n",
            ],
        ),
        "a paragraph": (
            HEAD + "one\ntwo thr¦ee\n\nfour\n",
            ["three", "two three", "one\ntwo three", "one\ntwo three\n\nfour\n", None],
        ),
        "between the two": ("; role: user\n¦\n\nHi\n", ["", None]),
    },
)
def test_selections_grow(source: str, expected: list[str | None]) -> None:
    marked = unmark(source)
    found = [
        span.of(marked.text)
        for span in selection_spans(snapshot_of(opened(marked.text)), marked.cursor)
    ]
    assert found == [marked.text if text is None else text for text in expected]


FENCED = "```py\nx\n```\n"


@table(
    "source, pasted, expected",
    {
        "at the start of a line": (HEAD + "¦", FENCED, "\\```py\nx\n\\```\n"),
        "in a line": (HEAD + "See ¦", FENCED, "```py\nx\n\\```\n"),
        "one line in a line": (HEAD + "See ¦", "```", "```"),
        "in a fence": (HEAD + "\\````\n¦\n\\````\n", FENCED, "\\```py\nx\n\\```\n"),
        "other line ends": (HEAD + "¦", "```\r\nx\r```", "\\```\r\nx\r\\```"),
        "nothing to escape": (HEAD + "¦", "`x` ~~~\n ```\n", "`x` ~~~\n ```\n"),
        "in the header": ("; Description: ¦\n" + HEAD, FENCED, FENCED),
    },
)
def test_pasting(source: str, pasted: str, expected: str) -> None:
    marked = unmark(source)
    snapshot = snapshot_of(opened(marked.text))
    language = language_of(snapshot.document)
    assert language.as_content(snapshot, marked.cursor, pasted) == expected
