"""What a cell is: its definition wherever that stands, its role, its agent."""

import re

import pytest

from msgls.document.document import Document
from msgls.formats.base import CellRole
from msgls.formats.msgmd.meaning import (
    definition_of,
    frontmatter_of,
    is_honoured,
    is_language,
    is_registered,
    meaning_of,
    message_ids,
    new_nonce,
    next_free_id,
    own_home,
)
from tests.formats.msgmd.reading import documents
from tests.measure import Work, assert_linear_calls
from tests.notation import mark, table, unmark

AGENTS = "---\nagents:\n  helper: {models: [model-1]}\n  python: {}\n---\n"
TEMPORARY = "# %% [^t]\n\n[^t]: [markdown] definition=agent name=temp\n\n"


def _cell(percents: str, cell_id: str, kind: str) -> str:
    return f"# {percents} [^{cell_id}]\n\n[^{cell_id}]: [{kind}]\n\n"


# -- 1.6: roles --------------------------------------------------------------------------

# A file whose last cell is meant, and what that cell is.
ROLES = {
    # Each row of the table
    "a message": (_cell("%%", "a", "markdown"), CellRole.MESSAGE),
    "a code cell": (_cell("%%", "a", "code"), CellRole.CODE),
    "a raw message": (_cell("%%", "a", "raw"), CellRole.MESSAGE),
    "a message without a definition": ("# %% [^a]\n\ntext\n", CellRole.MESSAGE),
    "a message without an id": ("# %%\n\ntext\n", CellRole.MESSAGE),
    "a tool call": (_cell("%%%", "a.n", "tool"), CellRole.CALL),
    "a tool result": (_cell("%%%", "a.n.1", "tool"), CellRole.RESULT),
    "a run of code": (_cell("%%%", "a.1", "python"), CellRole.RUN),
    "an answer": (AGENTS + _cell("%%%", "a", "helper"), CellRole.ANSWER),
    # The type decides, not the shape
    "a number for a nonce": (_cell("%%%", "a.1", "tool"), CellRole.CALL),
    "a nonce for a number": (_cell("%%%", "a.x9", "python"), CellRole.RUN),
    "a tool with one segment": (_cell("%%%", "a", "tool"), CellRole.CALL),
    "a tool with four segments": (_cell("%%%", "a.n.1.2", "tool"), CellRole.RESULT),
    "a tool without an id": ("# %%%\n\n[^]: [tool]\n", CellRole.ANSWER),
    "a message that calls itself a tool": (_cell("%%", "a.n", "tool"), CellRole.MESSAGE),
    "a message of an unknown type": (_cell("%%", "a", "python"), CellRole.MESSAGE),
    "a dotted message": (_cell("%%", "a.1", "code"), CellRole.CODE),
    "an output of a message's type": (_cell("%%%", "a", "code"), CellRole.ANSWER),
    # The order in which a type is resolved
    "tool comes before an agent of that name": (
        "---\nagents: {tool: {}}\n---\n" + _cell("%%%", "a.n", "tool"),
        CellRole.CALL,
    ),
    "an agent comes before a language": (AGENTS + _cell("%%%", "a.1", "python"), CellRole.ANSWER),
    "a temporary agent comes before a language": (
        TEMPORARY.replace("temp", "ruby") + _cell("%%%", "a.1", "ruby"),
        CellRole.ANSWER,
    ),
    "a model comes before a language": (
        "---\nagents: {a: {models: [ruby]}}\n---\n" + _cell("%%%", "a.1", "ruby"),
        CellRole.ANSWER,
    ),
    "a language with one segment is an agent": (_cell("%%%", "a", "ruby"), CellRole.ANSWER),
    "a language with three segments is an agent": (_cell("%%%", "a.1.2", "ruby"), CellRole.ANSWER),
    "an agent that nobody registered": (_cell("%%%", "a", "stranger"), CellRole.ANSWER),
    "two segments of an agent that nobody registered": (
        _cell("%%%", "a.1", "stranger"),
        CellRole.ANSWER,
    ),
    "an alias of a language": (_cell("%%%", "a.1", "py3"), CellRole.RUN),
    "a language that no list has, of a code cell": (
        _cell("%%", "c", "code") + _cell("%%%", "c.1", "mermaid"),
        CellRole.RUN,
    ),
    "a further output of a run": (
        _cell("%%", "c", "code") + _cell("%%%", "c.1.2", "node"),
        CellRole.RUN,
    ),
    "a language of a code cell that is defined elsewhere": (
        "[^c]: [code]\n\n# %% [^c]\n\n" + _cell("%%%", "c.1", "jq"),
        CellRole.RUN,
    ),
    "a name of no language, of a message": (
        _cell("%%", "c", "markdown") + _cell("%%%", "c.1", "mermaid"),
        CellRole.ANSWER,
    ),
    "an agent below a code cell": (
        AGENTS + _cell("%%", "c", "code") + _cell("%%%", "c.1", "helper"),
        CellRole.ANSWER,
    ),
    "four segments below a code cell": (
        _cell("%%", "c", "code") + _cell("%%%", "c.1.2.3", "python"),
        CellRole.ANSWER,
    ),
    "a language in capitals": (_cell("%%%", "a.1", "Python"), CellRole.RUN),
    "an output without a definition": ("# %%% [^a.1]\n\ntext\n", CellRole.ANSWER),
    "an output without an id": ("# %%%\n\ntext\n", CellRole.ANSWER),
    # The definition counts wherever it stands
    "a definition away from the cell": ("[^a.1]: [python]\n\n# %%% [^a.1]\n\ntext\n", CellRole.RUN),
    "the preamble": ("text\n", CellRole.PREAMBLE),
}


def _last_meaning(document: Document) -> CellRole:
    *_, last = document.cells()
    return meaning_of(document, last).role


@table("row", ROLES)
def test_roles(row: tuple[str, CellRole]) -> None:
    for document in documents(row[0]):
        assert _last_meaning(document) is row[1]


def test_agents_that_are_registered_elsewhere() -> None:
    (document, _) = documents(_cell("%%%", "a.1", "python"))
    assert isinstance(document, Document)
    assert _last_meaning(document.with_agents(frozenset({"python"}))) is CellRole.ANSWER
    assert _last_meaning(document.with_agents(frozenset({"ruby"}))) is CellRole.RUN


def test_what_a_meaning_says() -> None:
    text = "# %%% x [^a.n.2]\n\n[^a.n.2]: [tool] status=success\n"
    document = Document.open("a.msg.md", text)
    (placed,) = document.cells()
    meaning = meaning_of(document, placed)
    assert meaning.cell is placed.cell
    assert meaning.type == "tool"
    assert meaning.value("status") == "success"
    assert meaning.value("duration") is None
    assert meaning.holder == placed


def test_a_meaning_without_a_definition() -> None:
    document = Document.open("a.msg.md", "# %% x [^a]\n")
    (placed,) = document.cells()
    meaning = meaning_of(document, placed)
    assert meaning.definition is None
    assert meaning.holder is None
    assert meaning.type is None
    assert meaning.value("history") is None
    assert meaning.parent_id is None


PARENTS = {
    "a call": (_cell("%%%", "a.n", "tool"), "a"),
    "a result": (_cell("%%%", "a.n.1", "tool"), "a.n"),
    "a run": (_cell("%%%", "a.1", "python"), "a"),
    "a call without a parent": (_cell("%%%", "a", "tool"), None),
    "an answer": (_cell("%%%", "a.1", "stranger"), None),
    "a message": (_cell("%%", "a.1", "code"), None),
}


@table("row", PARENTS)
def test_parents(row: tuple[str, str | None]) -> None:
    document = Document.open("a.msg.md", row[0])
    (placed,) = document.cells()
    assert meaning_of(document, placed).parent_id == row[1]


# -- 1.4: whose definition it is -----------------------------------------------------------

# The definition that counts for the cell called `a` is marked.
DEFINITIONS = {
    "at home": "# %% [^a]\n\n«[^a]: [code]»\n",
    "further down in the cell": "# %% [^a]\n\ntext\n\n«[^a]: [code]»\n",
    "at the end of the file": "# %% [^a]\n\n# %% [^b]\n\n«[^a]: [code]»\n[^b]: [code]\n",
    "in the preamble": "«[^a]: [code]»\n\n# %% [^a]\n",
    "home comes first": "[^a]: [raw]\n\n# %% [^a]\n\n«[^a]: [code]»\n",
    "else the first": "# %% [^a]\n\ntext\n\n«[^a]: [code]»\n[^a]: [raw]\n",
    "a typed one beside a footnote": "# %% [^a]\n\n[^a]: text\n\n«[^a]: [code]»\n",
    "after another one at home": "# %% [^a]\n\n[^b]: [code]\n«[^a]: [code]»\n",
    "with faults": "# %% [^a]\n\n«[^a]: [code] ...»\n",
    "none": "# %% [^a]\n\ntext\n",
    "a footnote": "# %% [^a]\n\n[^a]: text\n",
    "a link": "# %% [^a]\n\n[^a]: [Title](https://example.org)\n",
    "unclosed": "# %% [^a]\n\n[^a]: [code\n",
    "damaged": "# %% [^a]\n\n\\[^a\\]: [code]\n",
    "escaped": "# %% [^a]\n\n\\[^a]: [code]\n",
    "in a fence": "# %% [^a]\n\n```\n[^a]: [code]\n```\n",
    "of another id": "# %% [^a]\n\n[^A]: [code]\n[^a.1]: [code]\n",
}


@table("source", DEFINITIONS)
def test_the_definition_that_counts(source: str) -> None:
    text = unmark(source).text
    for document in documents(text):
        (cell,) = (placed for placed in document.cells() if placed.cell.id == "a")
        found = definition_of(document, cell)
        spans = [] if found is None else [found[0].span.shift(found[1].start_offset)]
        assert mark(text, [("", span) for span in spans]) == source
        home = own_home(cell.cell)
        if home is not None:
            assert spans == [home.span.shift(cell.start_offset)]
        for placed in document.cells():
            for definition in placed.cell.definitions:
                if definition.id.text == "a":
                    counts = definition.span.shift(placed.start_offset) in spans
                    assert is_honoured(document, placed, definition) == counts


def test_a_cell_without_an_id_has_no_definition() -> None:
    document = Document.open("a.msg.md", "# %%\n\n[^a]: [code]\n")
    (placed,) = document.cells()
    assert definition_of(document, placed) is None
    assert own_home(placed.cell) is None
    assert not is_honoured(document, placed, placed.cell.definitions[0])


# -- 1.8: agents -------------------------------------------------------------------------

# A file, the names that it registers, and names that it does not.
REGISTERED: dict[str, tuple[str, list[str], list[str]]] = {
    "a mapping": (AGENTS, ["helper", "python"], ["Helper", "other"]),
    "a list": ("---\nagents:\n- name: helper\n---\n", ["helper"], ["name"]),
    "models": (AGENTS, ["model-1"], ["model-2"]),
    "an unclosed frontmatter": (AGENTS.removesuffix("---\n") + "\n# %%\n", ["helper"], []),
    "no frontmatter": ("# %%\n", [], ["helper"]),
    "agents further down": ("# %%\n" + AGENTS, [], ["helper"]),
    "a temporary agent": (TEMPORARY, ["temp"], ["agent", "t"]),
    "a temporary agent's models": (TEMPORARY + "---\nmodels: [m]\n---\n", ["temp", "m"], ["n"]),
    "a temporary agent, its definition away": (
        "# %% [^t]\n\ntext\n\n# %% [^b]\n\n[^t]: [raw] definition=agent name=temp\n",
        ["temp"],
        [],
    ),
    "only a message cell defines an agent": (TEMPORARY.replace("%%", "%%%"), [], ["temp"]),
    "a definition that is not a cell's": (TEMPORARY.replace("%% [^t]", "%% [^u]"), [], ["temp"]),
    "another definition": (TEMPORARY.replace("=agent", "=agents"), [], ["temp"]),
    "a name alone": (TEMPORARY.replace("definition=agent", ""), [], ["temp"]),
    "in a fence": ("# %% [^t]\n\n```\n" + TEMPORARY + "```\n", [], ["temp"]),
    "who merely answers": (_cell("%%%", "a", "helper"), [], ["helper"]),
}


@table("row", REGISTERED)
def test_registered_agents(row: tuple[str, list[str], list[str]]) -> None:
    text, registered, others = row
    for document in documents(text):
        assert [name for name in registered + others if is_registered(document, name)] == registered


def test_the_frontmatter() -> None:
    for document in documents(AGENTS + "# %%\n"):
        frontmatter = frontmatter_of(document)
        assert frontmatter is not None
        assert frontmatter.closed
        assert [agent.name for agent in frontmatter.agents] == ["helper", "python"]
        assert frontmatter.default_agent_name == "helper"


def test_the_frontmatter_after_a_byte_order_mark() -> None:
    for document in documents("\ufeff" + AGENTS):
        frontmatter = frontmatter_of(document)
        assert frontmatter is not None
        assert frontmatter.closed
        assert frontmatter.problems == ()
        assert is_registered(document, "helper")


def test_an_unclosed_frontmatter() -> None:
    for document in documents("---\ndefault_agent: x\n\n# %%\n"):
        frontmatter = frontmatter_of(document)
        assert frontmatter is not None
        assert not frontmatter.closed
        assert frontmatter.default_agent_name == "x"


@pytest.mark.parametrize("text", ["", "text\n", "# %%\n---\na: 1\n---\n", "\n---\na: 1\n---\n"])
def test_no_frontmatter(text: str) -> None:
    for document in documents(text):
        assert frontmatter_of(document) is None


@pytest.mark.parametrize("name", ["python", "Python", "py", "bash", "c++", "C++", "javascript"])
def test_languages(name: str) -> None:
    assert is_language(name)


@pytest.mark.parametrize("name", ["custom-agent", "gpt-4o", "", "lang", "helper", "tool"])
def test_what_is_not_a_language(name: str) -> None:
    assert not is_language(name)


# -- New ids and nonces ---------------------------------------------------------------------


def test_the_ids_of_all_headers() -> None:
    text = "[^z]: [code]\n# %% [^a]\n# %%\n# %%% [^a.1]\n# %% [^]\n# %% [^a]\n"
    assert list(message_ids(Document.open("a.msg.md", text))) == ["a", "a.1", "a"]


NEXT_IDS = {
    "an empty file": ("", "m1"),
    "others": ("# %% [^a]\n", "m1"),
    "taken": ("# %% [^m1]\n# %%% [^m2]\n", "m3"),
    "a gap": ("# %% [^m2]\n", "m1"),
    "taken by a definition": ("# %% [^a]\n\n[^m1]: [code]\n", "m2"),
    "taken by a footnote": ("# %% [^a]\n\n[^m1]: text\n", "m2"),
}


@table("row", NEXT_IDS)
def test_the_next_free_id(row: tuple[str, str]) -> None:
    assert next_free_id(Document.open("a.msg.md", row[0])) == row[1]


def test_the_next_free_id_of_another_kind() -> None:
    document = Document.open("a.msg.md", "# %% [^q3]\n")
    assert next_free_id(document, "q", 3) == "q4"


def test_a_new_nonce(monkeypatch: pytest.MonkeyPatch) -> None:
    document = Document.open("a.msg.md", _cell("%%%", "a.0a0b0c0d", "tool"))
    assert re.fullmatch("[0-9a-f]{8}", new_nonce(document))
    drawn = iter(["0a0b0c0d", "00000001"])
    monkeypatch.setattr("secrets.token_hex", lambda count: next(drawn) if count == 4 else "")
    assert new_nonce(document) == "00000001"


def test_whether_a_definition_counts_costs_no_look_at_every_cell_of_its_id() -> None:
    def prepare(cells: int) -> Work:
        document = Document.open("a.msg.md", _cell("%%", "a", "markdown") * cells)

        def ask() -> None:
            for placed in document.cells():
                for definition in placed.cell.definitions:
                    assert is_honoured(document, placed, definition)

        return ask

    assert_linear_calls(prepare, 400)
