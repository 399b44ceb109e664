"""What a cell is comes out the same everywhere, whatever is registered around the file."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from msgls.cli.opening import open_one
from msgls.conversation.cell_visibility import cell_sights
from msgls.conversation.readers import read_document
from msgls.document.document import Document
from msgls.features.actions import cell_actions
from msgls.features.hierarchy import incoming, item_at
from msgls.features.hints import hints
from msgls.features.hover import hover
from msgls.features.markup import plain
from msgls.features.outline import SymbolKind, outline
from msgls.features.tokens import tokens
from msgls.rules.checker import Checker
from msgls.rules.registry import rules_of
from msgls.text.spans import Edit, Span
from msgls.text.tokens import ESTIMATE
from tests.snapshots import snapshot_of

CODE = "# %% [^c1]\n\n[^c1]: [code]\n\n```ada\nnull;\n```\n\n"
OUTPUT = '# %%% [^c1.1]\n\n[^c1.1]: [Ada] status="success"\n\nstdout> 1\n'


def _outline(document: Document) -> bool:
    nodes = outline(snapshot_of(document))
    kinds = {node.kind for top in nodes for node in (top, *top.children)}
    return SymbolKind.RUN in kinds


def _hover(document: Document) -> bool:
    found = hover(snapshot_of(document), document.text.index("1.1") + 2)
    assert found is not None
    return "Execution output" in plain(found.parts)


def _tokens(document: Document) -> bool:
    return len(list(tokens(snapshot_of(document)))[1].tokens) == 9


def _hierarchy(document: Document) -> bool:
    item = item_at(snapshot_of(document), document.text.index("%%%"))
    return item is not None and any(incoming(snapshot_of(document), item))


def _view(document: Document) -> bool:
    return cell_sights(document, ESTIMATE)[1].role == "execution output"


def _conversion(document: Document) -> bool:
    return read_document(document).messages[1].role == "user"


def _diagnostics(document: Document) -> bool:
    return "MSG111" not in {
        p.code for p in Checker(snapshot_of(document), list(rules_of("msgmd"))).problems()
    }


SAYS_RUN: Mapping[str, Callable[[Document], bool]] = {
    "outline": _outline,
    "hover": _hover,
    "tokens": _tokens,
    "hierarchy": _hierarchy,
    "view": _view,
    "conversion": _conversion,
    "diagnostics": _diagnostics,
}


@pytest.mark.parametrize("where", SAYS_RUN)
def test_an_agent_that_is_also_a_language(where: str, tmp_path: Path) -> None:
    """Registered in agents.json, `Ada` answers; else it is the language of the run."""
    file = tmp_path / "chat.msg.md"
    file.write_text(CODE + OUTPUT)
    assert SAYS_RUN[where](open_one(str(file)).document)
    (tmp_path / "agents.json").write_text(json.dumps({"agents": [{"name": "Ada", "path": "a"}]}))
    assert not SAYS_RUN[where](open_one(str(file)).document)


def test_the_agents_around_stay_with_a_document() -> None:
    agents = frozenset({"Ada"})
    document = Document.open("chat.msg.md", CODE, agents_around=agents)
    assert document.with_agents(agents) is document
    later = [
        document.edit(Span(0, 0), "x\n"),
        document.apply([Edit(Span(0, 0), "x\n"), Edit(Span(2, 2), " ")]),
        document.with_text("new"),
    ]
    assert {each.agents_around for each in later} == {agents}
    assert document.with_agents(frozenset()).agents_around == frozenset()


SECTION = "---\nmessage_section: Talk\n---\n\n# %% [^m0]\n\n[^m0]: [markdown]\n\nBefore.\n\n"
TALK = (
    "# Talk\n\n## %% [^m1]\n\n[^m1]: [markdown] history=none\n\nHidden.\n\n## %% [^m2]\n\nSeen.\n"
)


@pytest.mark.parametrize("record", [TALK, "", TALK.replace("# Talk", "# Else", 1)])
def test_what_the_model_sees_of_a_cell_in_a_section_and_where_there_is_none(record: str) -> None:
    document = Document.open("notes.md", SECTION + record)
    snapshot = snapshot_of(document)
    cells = cell_sights(document, ESTIMATE)
    assert len(cells) == SECTION.count("%%") + record.count("%%")
    for cell in cells:
        placed = document.cell(cell.label)
        header = Span(placed.start_offset, placed.start_offset + placed.cell.text.index("]"))
        found = hover(snapshot, header.end)
        assert found is not None
        assert ("The model sees this cell." in plain(found.parts)) is cell.sight.is_sent
        (hint,) = hints(snapshot, Span(header.start, header.end + 2))
        assert ("~0 of " in hint.label) is not cell.sight.is_sent
        offered = {action.command for action in cell_actions(snapshot, header.start)}
        assert ("msgls.history.exclude" in offered) is cell.sight.is_sent
