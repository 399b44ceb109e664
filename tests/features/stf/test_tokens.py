"""Semantic tokens: which piece has which meaning, and that they are remembered."""

from msgls.features.legend import MODIFIERS, TYPES
from msgls.features.tokens import tokens
from msgls.text.spans import Span
from tests.features.stf.sample import opened
from tests.notation import mark, table, unmark
from tests.snapshots import snapshot_of


def shown(text: str) -> str:
    ranges = []
    for placed, found in tokens(snapshot_of(opened(text))):
        for token in found:
            names = [name for bit, name in enumerate(MODIFIERS) if token.modifiers >> bit & 1]
            name = "-".join([TYPES[token.type].lower(), *[one[:3] for one in names]])
            ranges.append((name, Span(token.start, token.end).shift(placed.start_offset)))
    return mark(text, ranges)


TOKENS = {
    "who asks": "@«keyword|user»\nHi\n@ «keyword|sys»\n",
    "who answers": "@«keyword-mod|ai»\n@«keyword-mod|tool»\n@«keyword-mod|msg»\n",
    "arguments": (
        '@«keyword|user» «property|id»=«variable-dec|m1» «property|name»=«class|"a b"» '
        "«property|mood»=«string|x»\n"
    ),
    "an object": (
        "@«keyword-mod|msg» {role: «type|'tool'», call_id: «variable|'c'», n: «number|1»}\n"
    ),
    "a call": (
        "@«keyword-mod|ai»\n@«keyword|call» «property|id»=«variable-dec|c»\n"
        " «enummember|look» {x: 1}\n@«keyword|embed»\na.txt\n"
    ),
    "a raw message": (
        "@«keyword|raw»\n{role: 'user', tool_call_id: «variable|'c'»,\n"
        'tool_calls: [{id: «variable-dec|"d"»}]}\n@ «keyword|end» x\n'
    ),
    "the other dialect": (
        ";«keyword|meta»\n{}\n;«keyword|end»\n;«keyword|user»\n;«keyword|flush»\n"
    ),
    "nothing": "words\n@# user\n@usr\n@/*\n@user id=1\n@*/\n@@user\n",
    "nothing in a block": "@«keyword|raw»\n@call id=1\n@«keyword|end»\n",
    "a role of somebody's own": "@«keyword|msg» «property|role»=«string|boss»\n",
}


@table("source", TOKENS)
def test_tokens(source: str) -> None:
    assert shown(unmark(source).text) == source


def test_they_are_remembered() -> None:
    document = opened("@user\nHi\n@ai\nHo\n")
    first = list(tokens(snapshot_of(document)))
    after = document.edit(Span(len(document.text), len(document.text)), "x")
    second = list(tokens(snapshot_of(after)))
    assert first[0].tokens is second[0].tokens
