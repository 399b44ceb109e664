"""Semantic tokens of a message."""

from msgls.features.legend import MODIFIERS, TYPES
from msgls.features.tokens import tokens
from msgls.text.spans import Span
from tests.features.chatbuilder.support import UUID, opened
from tests.notation import mark, table, unmark
from tests.snapshots import snapshot_of


def named(kind: int, modifiers: int) -> str:
    names = [name for number, name in enumerate(MODIFIERS) if modifiers >> number & 1]
    return "-".join([TYPES[kind].lower(), *names])


@table(
    "source",
    {
        "fields": (
            f"; «property|Block-UUID»: «enummember|{UUID}»\n"
            "; «property|Version»: «number|1.0.0»\n"
            "; «property|Created-at»: «number|2025-04-21»\n"
            "; «property|Authors»: «string|Visitor (v1.0.0)»\n"
            ";\n; «keyword-declaration|role»: «keyword|user»\n\n\nVersion: 1.0.0\n"
        ),
        "who answers": "; «keyword-declaration|role»: «keyword-modification|assistant»\n",
        "a role that is none": "; «keyword-declaration|role»: me\n",
        "no version": "; «property|Version»: «string|one»\n",
        "no value": "; «property|Version»:\n",
        "a comment": "«comment|; some words»\n; «keyword-declaration|role»: «keyword|system»\n",
        "our own field": "«comment|; msgls: ignore CBM005»\n",
        "a line without its mark": "; «property|a»: «string|b»\nrole: user\n\n\nHi\n",
    },
)
def test_tokens_of_the_header(source: str) -> None:
    marked = unmark(source)
    (cell,) = tokens(snapshot_of(opened(marked.text)))
    found = [
        (named(token.type, token.modifiers), Span(token.start, token.end)) for token in cell.tokens
    ]
    assert mark(marked.text, found) == source


def test_sections_have_none() -> None:
    document = opened("; role: user\n\n\n# A\n\n# B\n")
    assert document.cell_count == 3
    assert list(tokens(snapshot_of(document), 1, 3)) == []
    assert len(list(tokens(snapshot_of(document), 0, 2))) == 1
