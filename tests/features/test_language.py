"""The language of a format: empty answers where it has none, and loaded when it is asked."""

import ast
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import msgls.features
from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features import (
    actions,
    agents,
    appending,
    commands,
    completion,
    definition,
    folding,
    hierarchy,
    highlight,
    hints,
    hover,
    lenses,
    linked,
    links,
    outline,
    references,
    rename,
    selection,
    symbols,
    tokens,
)
from msgls.features.command_table import BY_ID
from msgls.features.language import Language, language_of
from msgls.formats.plain import PLAIN
from msgls.formats.registry import FORMATS
from msgls.text.phrases import Phrase
from msgls.text.spans import Span
from msgls.text.work import done
from tests.snapshots import snapshot_of

FEATURES = Path(msgls.features.__file__).parent
TEXT = "---\nagents: {hal: {}}\n---\n\n# %% A[^a]\n\n[^a]: [markdown]\n\n[b](c.md) [^a]\n"
PLAIN_DOCUMENT = Document.open("notes.txt", TEXT, PLAIN)
LANGUAGE = language_of(PLAIN_DOCUMENT)
PLACED = PLAIN_DOCUMENT.cell_number(0)
AT = TEXT.index("^a]") + 1
ITEM = hierarchy.HierarchyItem(
    PLACED, outline.Symbol("a", "", outline.SymbolKind.ANSWER, Span(0, 1), 1, 1)
)


def answered(found: Any) -> Any:
    """An answer that can be compared: an iterator as a list."""
    return list(found) if isinstance(found, Iterator) else found


EMPTY: dict[str, tuple[Callable[[Snapshot], Any], Any]] = {
    "actions.cell_actions": (lambda d: actions.cell_actions(d, AT), []),
    "actions.range_actions": (lambda d: actions.range_actions(d, Span(0, 9)), []),
    "actions.ignoring": (lambda d: actions.ignoring(d, PLACED, "MSG101"), None),
    "agents.involved_agents": (lambda d: agents.involved_agents(d), []),
    "agents.set_default": (lambda d: agents.set_default(d, "hal"), None),
    "language.as_content": (lambda d: LANGUAGE.as_content(d, AT, "# %% B"), "# %% B"),
    "language.commands": (lambda d: LANGUAGE.commands(), {}),
    "language.format_document": (lambda d: done(LANGUAGE.format_document(d)), []),
    "language.format_range": (lambda d: LANGUAGE.format_range(d, Span(0, AT)), []),
    "language.missing_definition": (lambda d: LANGUAGE.missing_definition(d, AT), None),
    "completion.complete": (lambda d: completion.complete(d, AT), completion.Completions()),
    "completion.documentation": (lambda d: completion.documentation(d, ("type", "raw")), ()),
    "completion.opens": (lambda d: completion.opens(d, AT, "^"), False),
    "definition.definition": (lambda d: definition.definition(d, AT), None),
    "definition.introduced": (lambda d: definition.introduced(d, "a"), []),
    "folding.folding": (folding.folding, []),
    "hierarchy.incoming": (lambda d: hierarchy.incoming(d, ITEM), []),
    "hierarchy.item_at": (lambda d: hierarchy.item_at(d, AT), None),
    "hierarchy.outgoing": (lambda d: hierarchy.outgoing(d, ITEM), []),
    "highlight.highlights": (lambda d: highlight.highlights(d, AT), []),
    "hints.hints": (lambda d: hints.hints(d, Span(0, len(TEXT))), []),
    "hover.hover": (lambda d: hover.hover(d, AT), None),
    "lenses.lenses": (lenses.lenses, []),
    "lenses.lens_text": (
        lambda d: lenses.lens_text(d, PLACED, "history"),
        lenses.LensText(Phrase("")),
    ),
    "linked.linked": (lambda d: linked.linked(d, AT), None),
    "links.links": (links.links, []),
    "outline.outline": (outline.outline, []),
    "references.elsewhere": (lambda d: list(references.elsewhere(d, AT)), []),
    "references.mentions": (lambda d: references.mentions(d, "a"), []),
    "references.references": (lambda d: references.references(d, AT), []),
    "rename.renamed": (lambda d: rename.renamed(d, "a", "b"), []),
    "selection.selection_spans": (
        lambda d: selection.selection_spans(d, AT)[-1],
        Span(0, len(TEXT)),
    ),
    "symbols.conversation": (symbols.conversation, None),
    "tokens.tokens": (tokens.tokens, []),
}
REFUSED: dict[str, tuple[Callable[[Snapshot], Any], type[Exception]]] = {
    "agents.add_agent": (lambda d: agents.add_agent(d, "hal", (), False), commands.RefusedError),
    "appending.append_cell": (lambda d: appending.append_cell(d, "Hi"), appending.CannotAppend),
    "appending.check_agent": (lambda d: appending.check_agent(d, "hal"), appending.CannotAppend),
    "rename.prepare_rename": (lambda d: rename.prepare_rename(d, AT), rename.RenameRefused),
    "rename.rename": (lambda d: rename.rename(d, AT, "b"), rename.RenameRefused),
}


def known_formats(source: str, formats: list[str]) -> list[str]:
    """The texts of a module that name one of the formats."""
    texts = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant))
    return [str(node.value) for node in texts if node.value in formats]


@pytest.mark.parametrize("entry", EMPTY)
def test_a_format_without_a_feature_gives_the_empty_answer(entry: str) -> None:
    ask, empty = EMPTY[entry]
    assert answered(ask(snapshot_of(PLAIN_DOCUMENT))) == empty


@pytest.mark.parametrize("entry", REFUSED)
def test_a_format_without_a_feature_refuses_with_a_reason(entry: str) -> None:
    ask, refusal = REFUSED[entry]
    with pytest.raises(refusal, match=r"a file of this format$"):
        ask(snapshot_of(PLAIN_DOCUMENT))


@pytest.mark.parametrize("name", BY_ID)
def test_a_command_that_a_format_does_not_know_is_refused(name: str) -> None:
    with pytest.raises(commands.RefusedError) as refusal:
        commands.run(
            name, commands.Call(snapshot_of(PLAIN_DOCUMENT), AT, {"name": "hal", "type": "raw"})
        )
    title = BY_ID[name].title
    assert str(refusal.value) == f"`{title}` is not available in a file of this format"


LANGUAGES = {language_of(Document.open("a", "", format)) for format in FORMATS}


@pytest.mark.parametrize(
    "language",
    sorted(LANGUAGES, key=lambda language: type(language).__name__),
    ids=lambda language: type(language).__name__,
)
def test_a_language_answers_only_what_is_asked(language: Language) -> None:
    """A method that is misspelt would be a feature that is silently missing."""
    assert type(language) is not Language
    assert {name for name in vars(type(language)) if name[0] != "_"} <= {*vars(Language)}


# Of those, one chooses by format, and one says in whose files an editor offers a command.
_CHOOSING = ("language", "command_table")
NEUTRAL = [path for path in sorted(FEATURES.glob("*.py")) if path.stem not in _CHOOSING]


@pytest.mark.parametrize("path", NEUTRAL, ids=lambda path: path.stem)
def test_a_neutral_module_names_no_format(path: Path) -> None:
    """What it imports, a contract of import-linter holds."""
    formats = [folder.name for folder in FEATURES.iterdir() if (folder / "__init__.py").is_file()]
    assert "msgmd" in formats
    assert known_formats(path.read_text("utf-8"), formats) == []


def test_a_format_that_is_known_is_found() -> None:
    assert known_formats("if document.format.name != 'msgmd': ...", ["msgmd"]) == ["msgmd"]
    assert known_formats("from msgls.formats.base import Placed  # msgmd", ["msgmd"]) == []


@pytest.mark.parametrize("module", ["msgls.lsp.server", "msgls.features.hover", "msgls.cli.check"])
def test_a_format_is_not_loaded_before_it_is_asked(module: str) -> None:
    code = f"import sys, {module}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert module in loaded
    assert [name for name in loaded if name.startswith("msgls.features.msgmd")] == []
