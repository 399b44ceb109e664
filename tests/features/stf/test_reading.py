"""What is shown beside the text: links, selections, lenses, hints, actions and the hierarchy."""

import pytest

from msgls.document.document import Document
from msgls.features.actions import cell_actions, ignoring
from msgls.features.hierarchy import HierarchyItem, incoming, item_at, outgoing
from msgls.features.hints import hints
from msgls.features.lenses import lens_text, lenses
from msgls.features.links import links
from msgls.features.moving import moved_links, mover
from msgls.features.selection import selection_spans
from msgls.rules.checker import Checker
from msgls.rules.registry import RULES
from msgls.text.spans import Span
from msgls.text.work import done
from tests.features.stf.sample import CONVERSATION, opened
from tests.notation import table, unmark
from tests.snapshots import snapshot_of

LINKS = {
    "a file": "@user\n@embed\n «a/b c.txt» \n",
    "with a doubled prefix": "@user\n@embed\n@«@x.txt»\n",
    "after a comment": "@user\n@embed\n@# x\n«../x.txt»\n",
    "an address": "@user\n@embed\nhttps://x.org/a.png\n",
    "an absolute path": "@user\n@embed\n/a.png\n",
    "nothing": "@user\n@embed\n@ai\na.txt\n",
    "in the other dialect": ";user\n;embed\na.txt\n",
}


@table("source", LINKS)
def test_links(source: str) -> None:
    marked = unmark(source)
    found = [
        link.span.shift(placed.start_offset)
        for placed, link in links(snapshot_of(opened(marked.text)))
    ]
    assert found == marked.spans()


def test_a_file_that_moves() -> None:
    document = opened("@user\n@embed\nnotes/a.txt\n@embed\nb.txt\n")
    move = mover([("/chats/notes", "/chats/old")])
    edits = list(moved_links(snapshot_of(document), "/chats/chat.stf", move))
    assert document.apply(edits).text == "@user\n@embed\nold/a.txt\n@embed\nb.txt\n"


def test_growing_selections() -> None:
    text = "@sys\n@user\na bee\nc\n\nd\n@ai\nx\n"
    spans = selection_spans(snapshot_of(opened(text)), text.index("bee") + 1)
    assert [span.of(text) for span in spans] == [
        "bee",
        "a bee",
        "a bee\nc",
        "a bee\nc\n\nd\n",
        "@user\na bee\nc\n\nd\n",
        "@user\na bee\nc\n\nd\n@ai\nx\n",
        text,
    ]
    text = "@user id='a b' name=x\n"
    spans = selection_spans(snapshot_of(opened(text)), text.index("a b"))
    assert [span.of(text) for span in spans][:4] == ["a", "a b", "'a b'", "id='a b'"]
    text = ";user\n;extra\n{a: 1}\n;end\n"
    spans = selection_spans(snapshot_of(opened(text)), text.index("1"))
    assert [span.of(text) for span in spans][1:4] == ["{a: 1}", "{a: 1}\n", ";extra\n{a: 1}\n;end"]


# -- lenses and hints -------------------------------------------------------------------------


def lens_titles(text: str) -> list[tuple[int, str]]:
    document = opened(text)
    return [
        (lens.line, lens_text(snapshot_of(document), document.cell(lens.label), lens.what).title)
        for lens in lenses(snapshot_of(document))
    ]


def test_lenses() -> None:
    text = (
        "@# x\n@user\nHello there\n@ai\n@call id=a\nf {}\n@call id=b\ng {}\n@tool call_id=a\n@ai\n"
    )
    assert lens_titles(text) == [
        (1, "≈ 3 tokens"),
        (3, "≈ 2 tokens · 2 calls, 1 unanswered"),
        (8, "≈ 0 tokens"),
        (9, "≈ 0 tokens"),
    ]


HINTS = {
    "tokens": ("@user\nHello there\n", ["@user", "~3 tokens"]),
    "a role that is taken over": ("@ai\n@msg id=x\n", ["@msg", "role=assistant"]),
    "the call that is answered": (
        "@ai\n@call id=c\nf {}\n@tool call_id=c\n",
        ["@tool call_id=c", "← f"],
    ),
    "the nearest call": ("@ai\n@call id=c\nf {}\n@tool\n", ["@tool", "← f c"]),
}


@table("text, expected", HINTS)
def test_hints(text: str, expected: list[str]) -> None:
    after, label = expected
    found = hints(snapshot_of(opened(text)), Span(0, len(text)))
    assert (text.index(after) + len(after), label) in [(h.offset, h.label) for h in found]


def test_only_what_is_seen_has_hints() -> None:
    text = "@user\na\n@user\nb\n@user\nc\n"
    found = [hint.offset for hint in hints(snapshot_of(opened(text)), Span(8, 14))]
    assert found == [13]


# -- actions ----------------------------------------------------------------------------------


def titles(source: str) -> list[str]:
    marked = unmark(source)
    return [
        action.title for action in cell_actions(snapshot_of(opened(marked.text)), marked.cursor)
    ]


BELOW = ["Insert message cell below", "Insert output cell below"]
ABOVE = ["Insert message cell above", "Insert output cell above"]
INSERT = [*BELOW, *ABOVE]


def roles(*names: str) -> list[str]:
    return [f"Change cell type to `{name}`" for name in names]


ACTIONS = {
    "a message alone": (
        "@us¦er\n",
        [
            *INSERT,
            "Duplicate cell",
            "Delete cell",
            *roles("assistant", "system", "developer", "tool"),
            "Convert to the dialect `;`",
        ],
    ),
    "among others": (
        "@ai\n@call id=c\nf {}\n@ai\nx¦\n@ai\ny\n@tool call_id=c\n",
        [
            "Insert tool call cell",
            *BELOW,
            "Split cell",
            *ABOVE,
            "Merge cell with next",
            "Move cell down",
            "Move cell up",
            "Duplicate cell",
            "Delete cell",
            *roles("user", "system", "developer", "tool"),
            "Convert to the dialect `;`",
        ],
    ),
    "a result": (
        ";tool¦\n",
        [
            *INSERT,
            "Duplicate cell",
            "Delete cell",
            *roles("user", "assistant", "system", "developer"),
            "Convert to the dialect `@`",
        ],
    ),
    "a raw message": (
        "@raw\n{}¦\n@end\n@user\n",
        [*INSERT, "Move cell down", "Duplicate cell", "Delete cell", "Convert to the dialect `;`"],
    ),
    "before the first message": ("wo¦rds\n", BELOW),
    "nothing": ("¦", BELOW),
}


@table("source, expected", ACTIONS)
def test_actions(source: str, expected: list[str]) -> None:
    assert titles(source) == expected


def test_where_one_can_go() -> None:
    text = "@a¦i\n@call id=c\nf {}\n@tool call_id=c\n"
    assert "Go to the first result" in titles(text)
    assert "Insert tool result cell" in titles(text)
    text = "@ai\n@call id=c\nf {}\n@tool¦ call_id=c\n"
    assert "Go to the call that this one answers" in titles(text)


IGNORED = {
    "a message": ("@user mood=x\nHi\n", "STF013", "@user mood=x\n@# msgls: ignore STF013\nHi\n"),
    "without a line break": ("@user mood=x", "STF013", "@user mood=x\n@# msgls: ignore STF013"),
    "before the first": ("words\n@user\n", "STF004", "@# msgls: ignore STF004\nwords\n@user\n"),
    "the other dialect": (
        ";user mood=x\r\n",
        "STF013",
        ";user mood=x\r\n;# msgls: ignore STF013\r\n",
    ),
}


@table("text, code, after", IGNORED)
def test_a_rule_is_silenced(text: str, code: str, after: str) -> None:
    document = opened(text)
    assert code in codes(document)
    edit = ignoring(snapshot_of(document), document.cell_number(0), code)
    assert edit is not None
    fixed = document.apply([edit])
    assert fixed.text == after
    assert code not in codes(fixed)


def codes(document: Document) -> list[str]:
    checker = Checker(snapshot_of(document), RULES)
    labels = [placed.label for placed in document.cells()]
    return [problem.code for problem in done(checker.problems_in(labels))]


# -- hierarchy --------------------------------------------------------------------------------


def named(items: list[HierarchyItem]) -> list[str]:
    return [f"{item.symbol.kind.value} {item.symbol.name}" for item in items]


def test_the_hierarchy() -> None:
    document = opened(CONVERSATION)
    message = item_at(snapshot_of(document), CONVERSATION.index("I will look"))
    assert message is not None
    calls = list(outgoing(snapshot_of(document), message))
    assert named(calls) == ["call get_weather", "call get_time"]
    assert named(list(outgoing(snapshot_of(document), calls[0]))) == ["result tool · get_weather"]
    results = list(outgoing(snapshot_of(document), calls[1]))
    assert named(results) == ["result tool"]
    assert list(incoming(snapshot_of(document), results[0])) == [calls[1]]
    assert list(incoming(snapshot_of(document), calls[0])) == [message]
    raw = item_at(snapshot_of(document), CONVERSATION.index("'call_3'"))
    assert raw is not None
    assert named([raw, *outgoing(snapshot_of(document), raw)]) == ["call look", "result tool"]


@pytest.mark.parametrize("text", ["@user\nHi\n", "words\n", ""])
def test_what_is_in_no_hierarchy(text: str) -> None:
    assert item_at(snapshot_of(opened(text)), 0) is None
