"""Outline, folding, lenses and links of messages and deltas."""

import pytest

from msgls.features.folding import folding
from msgls.features.lenses import lens_text, lenses
from msgls.features.links import links
from msgls.features.outline import OutlineNode, outline
from msgls.syntax.nodes import FoldKind
from tests.features.msgjson.sample import ARRAY, DELTAS, FILES, LINES, SESSION, opened
from tests.formats.msgjson.made_up import (
    call_start,
    delta,
    done,
    dump,
    error,
    message,
    part,
    result,
    said,
    start,
    text,
)
from tests.snapshots import snapshot_of


def drawn(nodes: list[OutlineNode], depth: int = 0) -> list[str]:
    """The nodes as lines: name, detail, first and last line."""
    lines = []
    for node in nodes:
        placed, end = node.end
        last = placed.start_line + placed.cell.text[:end].count("\n")
        first = node.placed.start_line + node.placed.cell.text[: node.selection.start].count("\n")
        shown = f"{'  ' * depth}{node.kind.value} {node.name} ({node.detail}) {first}-{last}"
        lines += [shown, *drawn(node.children, depth + 1)]
    return lines


MESSAGES = [
    "message user (What is the weather?)",
    "  file notes/a b.txt (file)",
    "answer assistant (I will look.)",
    "  call find (c1)",
    "  call find (c2)",
    "result tool (Sunny.)",
    "  result result of c1 ()",
    "result tool (1 part)",
    "  result result of c2 ()",
]


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        (
            DELTAS,
            [
                "answer stream · r (m · stop) 0-10",
                "  call find (c1) 5-9",
                "answer stream · other (m) 11-12",
            ],
        ),
        ("", []),
        ("\n\n", []),
        ('{"kind": \n', []),
        (dump(text(1), done(2)), []),
        (dump(start(), error(1)), ["answer stream · r (m · error: overloaded) 0-1"]),
        (
            dump(start(), start(1, "q2"), done(2)),
            ["answer stream · r (m) 0-0", "answer stream · r (m · stop) 1-2"],
        ),
        (
            dump(start(), start(run="s"), text(1), text(1, run="s"), done(2), done(2, "s")),
            ["answer stream · r (m · stop) 0-4", "answer stream · s (m · stop) 1-5"],
        ),
    ],
)
def test_streams_and_calls(source: str, lines: list[str]) -> None:
    assert drawn(outline(snapshot_of(opened(source)))) == lines


@pytest.mark.parametrize("name", ["a.messages.json", "a.messages.jsonl"])
def test_messages_and_what_is_in_them(name: str) -> None:
    found = [
        line.rpartition(" ")[0] for line in drawn(outline(snapshot_of(opened(FILES[name], name))))
    ]
    assert found == MESSAGES


def test_an_element_of_an_array_has_its_lines() -> None:
    (user, *_) = drawn(outline(snapshot_of(opened(ARRAY, "a.messages.json"))))
    lines = ARRAY.split("\n")
    assert user.endswith(f" 1-{lines.index('  },')}")


def test_a_session_shows_messages_and_streams_over_several_entries() -> None:
    assert drawn(outline(snapshot_of(opened(SESSION, "a.session.jsonl")))) == [
        "message user (What is the weather?) 1-1",
        "  file notes/a b.txt (file) 1-1",
        "answer stream · r (m · error: overloaded) 2-3",
        "  call find (c1) 3-3",
    ]


@pytest.mark.parametrize(
    "wire",
    [
        {"role": 1, "parts": 2},
        {"role": "user", "parts": [1, {"kind": "tool_call"}, {"kind": "text", "payload": 3}]},
        {"parts": [{"kind": "tool_call", "payload": {"toolCallId": 7, "toolName": []}}]},
    ],
)
def test_what_has_not_its_shape_has_a_name_all_the_same(wire: object) -> None:
    nodes = outline(snapshot_of(opened(dump(wire), "a.messages.jsonl")))
    assert all(node.name for node in [*nodes, *nodes[0].children])


def test_long_names_are_cut() -> None:
    (node,) = outline(
        snapshot_of(opened(dump(message("user", said("word " * 1000))), "a.messages.jsonl"))
    )
    assert len(node.detail) <= 60
    assert node.detail.endswith("…")


# -- folding ------------------------------------------------------------------------------------


def folded(source: str, name: str = "a.deltas.jsonl") -> list[tuple[int, int]]:
    return [(fold.start_line, fold.end_line) for fold in folding(snapshot_of(opened(source, name)))]


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        (DELTAS, [(0, 10), (11, 12)]),
        (dump(start(), done(1)), [(0, 1)]),
        (dump(start()), []),
        (dump(text(1), text(2)), []),
        # Interleaved streams cross: the first one is folded.
        (dump(start(), start(run="s"), done(1), done(1, "s")), [(0, 2)]),
        (dump(start(), start(run="s"), done(1, "s"), done(1)), [(0, 3), (1, 2)]),
        (dump(start(), text(1), start(2, "q2"), text(3)), [(0, 1), (2, 3)]),
    ],
)
def test_streams_are_folded(source: str, lines: list[tuple[int, int]]) -> None:
    assert folded(source) == lines


def test_a_stream_is_a_region() -> None:
    assert {fold.kind for fold in folding(snapshot_of(opened(DELTAS)))} == {FoldKind.REGION}


def test_objects_and_lists_are_folded_up_to_their_closing_bracket() -> None:
    source = '[\n  {\n    "parts": [\n      {\n        "a": "}"\n      }\n    ]\n  },\n  {}\n]\n'
    assert folded(source, "a.messages.json") == [(1, 6), (2, 5), (3, 4)]


def test_a_broken_object_folds_what_is_closed() -> None:
    source = '[\n  {\n    "a": {\n      "b": 1,\n      "c": [\n        1\n      ]\n'
    assert folded(source, "a.messages.json") == [(4, 5)]


# -- lenses -------------------------------------------------------------------------------------


def lens_lines(source: str, name: str = "a.deltas.jsonl") -> list[tuple[int, str, str]]:
    document = opened(source, name)
    found: list[tuple[int, str, str]] = []
    for lens in lenses(snapshot_of(document)):
        said = lens_text(snapshot_of(document), document.cell(lens.label), lens.what)
        found.append((lens.line, said.title, f"{said.command} {dict(said.arguments)}".strip()))
    return found


OPEN = "msgls.message.openAs"


@pytest.mark.parametrize(
    ("source", "name", "lines"),
    [
        (
            DELTAS,
            "a.deltas.jsonl",
            [
                (0, "stop · 42 tokens · 1 thought · 1 text · 1 tool call", "{}"),
                (0, "Open as message file", f"{OPEN} {{'stream': True}}"),
                (11, "has not ended · 1 text", "{}"),
                (11, "Open as message file", f"{OPEN} {{'stream': True}}"),
            ],
        ),
        (LINES, "a.messages.jsonl", [(0, "Open as message file", f"{OPEN} {{}}")]),
        ('{"half', "a.messages.jsonl", []),
        ("", "a.messages.jsonl", []),
        (
            dump(start(), error(1)),
            "a.deltas.jsonl",
            [
                (0, "error: overloaded · no parts yet", "{}"),
                (0, "Open as message file", f"{OPEN} {{'stream': True}}"),
            ],
        ),
    ],
)
def test_lenses_tell_of_a_stream_and_open_it(
    source: str, name: str, lines: list[tuple[int, str, str]]
) -> None:
    assert lens_lines(source, name) == lines


def test_a_lens_on_an_end_without_its_shape_says_how_it_ended() -> None:
    broken = delta(1, "done")
    assert lens_lines(dump(start(), broken))[0][1] == "done · no parts yet"


def test_a_call_that_is_open_is_a_part() -> None:
    assert lens_lines(dump(start(), call_start(1)))[0][1] == "has not ended · 1 tool call"


# -- links --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "is_link"),
    [
        ("notes/a b.txt", True),
        ("../up.md", True),
        ("", False),
        ("/etc/passwd", False),
        ("https://example.com/a", False),
        ("C:/a.txt", False),
    ],
)
def test_relative_paths_of_files_are_links(path: str, is_link: bool) -> None:
    source = dump(message("user", part("file_ref", path=path), said('"file_ref"')))
    document = opened(source, "a.messages.jsonl")
    found = [
        (link.target, link.span.shift(placed.start_offset).of(source))
        for placed, link in links(snapshot_of(document))
    ]
    assert found == ([(path, path)] if is_link else [])


def test_files_in_results_and_escapes_are_links() -> None:
    inner = result(content=[part("file_ref", path="caf\u00e9/b.txt")])
    source = dump(message("tool", inner)).replace("é", "\\u00e9")
    ((_, link),) = links(snapshot_of(opened(source, "a.messages.jsonl")))
    assert link.target == "café/b.txt"
    assert link.span.of(source) == "caf\\u00e9/b.txt"
