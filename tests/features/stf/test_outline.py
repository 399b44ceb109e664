"""The outline: messages by role and name, with their calls, files and blocks."""

from collections.abc import Iterable, Iterator

from msgls.features.outline import OutlineNode, outline
from tests.features.stf.sample import CONVERSATION, SEMICOLONS, opened
from tests.notation import table
from tests.snapshots import snapshot_of


def lines(nodes: Iterable[OutlineNode], depth: int = 0) -> Iterator[str]:
    for node in nodes:
        detail = f" [{node.detail}]" if node.detail else ""
        yield f"{'  ' * depth}{node.kind.value} {node.name}{detail}"
        yield from lines(node.children, depth + 1)


OUTLINES = {
    "a conversation": (
        CONVERSATION,
        [
            "message system [Be brief. 🦊]",
            "message user · visitor [m1 · What is the weather?]",
            "  file notes/packing list.txt [embed]",
            "answer assistant · guide [m2 · I will look.]",
            "  call get_weather [call_1]",
            "  call get_time [call 2]",
            "result tool · get_weather [Saturday: sunny.]",
            "result tool [Noon.]",
            "result tool [@guide starts a line.]",
            "answer assistant [raw]",
            "  call look [call_3]",
            "result tool [raw · Found.]",
            "message user [Thanks.]",
        ],
    ),
    "the other dialect": (
        SEMICOLONS,
        [
            "frontmatter meta [title]",
            "message system [Be brief.]",
            "message user [m1 · Hello]",
            "  frontmatter extra [mood]",
            "answer assistant · guide [;) Hi.]",
        ],
    ),
    "no role": ("@msg\nHi\n", ["message no role [Hi]"]),
    "a role of somebody's own": ("@msg role=boss\n@msg\n", ["message boss", "message boss"]),
    "a role from a raw message": (
        "@raw\n{role: 'tool'}\n@end\n@msg\n",
        ["result tool [raw]", "result tool"],
    ),
    "half a call": ("@ai\n@call\n", ["answer assistant", "  call (call)"]),
    "a call without a name": ("@ai\n@call id=c1\n\u2028\n", ["answer assistant", "  call c1"]),
    "half a block": ("@raw\n{role: 'user', cont", ["message no role [raw]"]),
    "a raw message takes no role from the one before": (
        "@ai\n@call\nf {}\n@tool\n1\n@raw\n{role: 'ai', cont\n@end\n@msg\n",
        [
            "answer assistant",
            "  call f",
            "result tool [1]",
            "message no role [raw]",
            "message no role",
        ],
    ),
    "only comments": ("@# x\n", []),
    "nothing": ("", []),
}


@table("text, expected", OUTLINES)
def test_outline(text: str, expected: list[str]) -> None:
    assert list(lines(outline(snapshot_of(opened(text))))) == expected


def test_what_is_selected_and_where_it_ends() -> None:
    document = opened("@# x\n@user id=1\nHi\n@ai\n@call id=c\nf {}\nx\n")
    user, answer = outline(snapshot_of(document))
    assert user.selection.shift(user.placed.start_offset).of(document.text) == "@user id=1"
    (call,) = answer.children
    assert call.selection.shift(call.placed.start_offset).of(document.text) == "@call id=c"
    assert document.text[: call.end[0].start_offset + call.end[1]].endswith("f {}")
