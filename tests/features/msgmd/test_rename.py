"""Rename: what is renamed, what comes along, and what is refused."""

import re

import pytest

from msgls.document.snapshot import Surroundings
from msgls.features.references import elsewhere
from msgls.features.rename import RenameRefused, prepare_rename, rename
from msgls.features.rename import renamed as renamed_here
from tests.features.msgmd.sample import PATH, opened
from tests.notation import table, unmark
from tests.snapshots import snapshot_of

FAMILY = (
    "# %%% A[^{a}]\n\n[^{a}]: [gpt]\n\nsee [^{a}] and `[^a]`\n\n"
    "# %%% C[^{a}.{n}]\n\n[^{a}.{n}]: [tool]\n\n"
    "# %%% R[^{a}.{n}.{i}]\n\n[^{a}.{n}.{i}]: [tool]\n\nsee [^{a}.{n}]\n\n"
    "```\n[^a.9f]: [tool]\n```\n"
)
CODE = "# %% C[^{c}]\n\n[^{c}]: [code]\n\n# %%% R[^{c}.{i}]\n\n[^{c}.{i}]: [python]\n"
CALLS = (
    "# %%% C[^a.1f]\n\n[^a.1f]: [tool] name={quoted}\n\n<look/>\n\n"
    "# %%% C[^a.2f]\n\n[^a.2f]: [tool] x=look name={bare}\n\n"
    '# %%% C[^a.3f]\n\n[^a.3f]: [tool] name="looked"\n'
)
AGENTS = (
    "---\ndefault_agent: {yaml} # the best\nagents:\n  {yaml}:\n    models: [gpt, gpt-x]\n---\n"
    "# %%% A[^a]\n\n[^a]: [{name}] time=x\n\ngpt [gpt]\n\n"
    "# %%% B[^b.1]\n\n[^b.1]: [{name}]\n"
)


def family(a: str = "a", n: str = "9f", i: str = "1") -> str:
    return FAMILY.replace("{a}", a).replace("{n}", n).replace("{i}", i)


def renamed(source: str, at: str, new: str) -> str:
    """``source`` with the name at the cursor in ``at`` renamed; ``at`` occurs once."""
    before = at.replace("¦", "")
    assert source.count(before) == 1, f"{before!r} must occur once"
    marked = unmark(source.replace(before, at))
    document = opened(marked.text)
    return document.apply(rename(snapshot_of(document), marked.cursor, new)).text


SEGMENTS = {
    "the root takes everything along": ("A[^a¦]", "b", family("b")),
    "the root, from a child": ("R[^a¦.9f.1]", "b", family("b")),
    "the root, from a definition": ("[^¦a]: [gpt]", "ä-1", family("ä-1")),
    "the root, from the prose": ("see [^a¦] and `", "b", family("b")),
    "the nonce takes its results along": ("C[^a.9¦f]", "beef", family(n="beef")),
    "the nonce, from a result": ("R[^a.9¦f.1]", "beef", family(n="beef")),
    "the number": ("R[^a.9f.1¦]", "2", family(i="2")),
    "a whole id, where the editor offers it": ("C[^a.9¦f]", "a.beef", family(n="beef")),
    "a whole id of another segment": ("C[^a.9¦f]", "b.9f", family("b")),
    "in brackets": ("A[^a¦]", "[^b]", family("b")),
    "to what it is": ("A[^a¦]", "a", family()),
}


@table("at, new, expected", SEGMENTS)
def test_a_segment_of_an_id(at: str, new: str, expected: str) -> None:
    assert renamed(family(), at, new) == expected


def test_a_run() -> None:
    code = CODE.replace("{c}", "c").replace("{i}", "1")
    assert renamed(code, "C[^c¦]", "d") == CODE.replace("{c}", "d").replace("{i}", "1")
    assert renamed(code, "R[^c.1¦]", "3") == CODE.replace("{c}", "c").replace("{i}", "3")


def test_one_of_two_cells_with_one_id() -> None:
    first = "# %% T[^m]\n\n[^m]: [raw]\n\n"
    source = first + "# %% U[^m]\n\n[^m]: [code]\n\nsee [^m]\n"
    expected = first + "# %% U[^n]\n\n[^n]: [code]\n\nsee [^m]\n"
    assert renamed(source, "U[^m¦]", "n") == expected
    assert renamed(source, "[^¦m]: [code]", "n") == expected


def test_a_footnote() -> None:
    source = "# %% T[^m]\n\n[^m]: [raw]\n\nsee [^n].\n\n[^n]: words\n"
    assert renamed(source, "see [^n¦]", "note") == source.replace("[^n]", "[^note]")


def test_an_orphan() -> None:
    source = "# %%% C[^a.9f]\n\n[^a.9f]: [tool]\n"
    assert renamed(source, "C[^a¦.9f]", "b") == source.replace("a.9f", "b.9f")


AGENT_NAMES = {
    "plain": ("hal", "hal", "hal"),
    "what YAML must quote": ("a: b", '"a: b"', "a: b"),
    "what YAML would read as something else": ("yes", '"yes"', "yes"),
    "with a blank": ("hal 9000", "hal 9000", "hal 9000"),
}


@table("new, yaml, name", AGENT_NAMES)
@pytest.mark.parametrize("at", ["[^a]: [g¦pt]", "default_agent: gp¦t", "  gpt¦:"])
def test_an_agent(new: str, yaml: str, name: str, at: str) -> None:
    """A model of the same name keeps it: it is the provider's."""
    source = AGENTS.replace("{yaml}", "gpt").replace("{name}", "gpt")
    assert renamed(source, at, new) == AGENTS.replace("{yaml}", yaml).replace("{name}", name)


@pytest.mark.parametrize(
    ("written", "new", "expected"),
    [
        ('"me"', "you", '"you"'),
        ("me", "you", "you"),
        ("me", "you two", '"you two"'),
        ("'me'", "it's", "'it\\'s'"),
    ],
)
def test_a_temporary_agent(written: str, new: str, expected: str) -> None:
    text = "# %% T[^t]\n\n[^t]: [raw] definition=agent name={}\n\n# %%% A[^a]\n\n[^a]: [{}]\n"
    assert renamed(text.format(written, "me"), "[m¦e]", new) == text.format(expected, new)


def test_an_agent_that_nobody_registered() -> None:
    source = "# %%% A[^a]\n\n[^a]: [gpt]\n\n# %%% B[^b]\n\n[^b]: [gpt]\n"
    assert renamed(source, "[^a]: [gp¦t]", "hal") == source.replace("gpt", "hal")


def test_a_tool() -> None:
    source = CALLS.format(quoted='"look"', bare="look")
    assert renamed(source, 'name="lo¦ok"', "see it") == CALLS.format(
        quoted='"see it"', bare='"see it"'
    )
    # The root of the XML is the tool's name too, where it can be.
    expected = CALLS.format(quoted='"see"', bare="see").replace("<look/>", "<see/>")
    assert renamed(source, "name=loo¦k", "see") == expected


@pytest.mark.parametrize(
    ("xml", "expected"),
    [
        ("<look>\n  <look/>\n</look>", "<see>\n  <look/>\n</see>"),
        ("```xml\n<look a='1'></look >\n```", "```xml\n<see a='1'></see >\n```"),
        ("<lookup/>", "<lookup/>"),
        ("look", "look"),
        ("<look", "<look"),
    ],
)
def test_a_tool_in_the_root_of_its_call(xml: str, expected: str) -> None:
    source = f'# %%% C[^a.1f]\n\n[^a.1f]: [tool] name="look"\n\n{xml}\n'
    after = source.replace('"look"', '"see"').replace(xml, expected)
    assert renamed(source, 'name="lo¦ok"', "see") == after


OTHER = "# %%% B[^b]\n\n[^b]: [gpt]\n\n# %%% C[^b.beef]\n\n[^b.beef]: [tool]\n\n[^n]: words\n"

REFUSALS = {
    "a taken id": ("A[^a¦]", "b", "`b` is taken: a cell already has that id"),
    "a footnote's id": ("A[^a¦]", "n", "`n` is taken: a footnote already has that id"),
    "a taken nonce": ("C[^a.9¦f]", "beef", "another call has the nonce `beef` already"),
    "nothing": ("A[^a¦]", "  ", "an id cannot be empty"),
    "blanks": (
        "A[^a¦]",
        "b c",
        ("`b c` is not a valid id: spaces, dots, brackets and carets are not allowed"),
    ),
    "brackets": (
        "A[^a¦]",
        "b[c",
        ("`b[c` is not a valid id: spaces, dots, brackets and carets are not allowed"),
    ),
    "a dot": ("A[^a¦]", "b.c", "`b.c` contains a dot: an id is renamed one segment at a time"),
    "several segments": ("C[^a.9¦f]", "b.c", "`b.c` differs in several segments"),
    "no nonce": (
        "C[^a.9¦f]",
        "ä",
        ("`ä` is not a valid nonce: use only letters, digits, `_` and `-`"),
    ),
    "no number": ("R[^a.9f.1¦]", "x", "`x` is not a valid number"),
    "zero": ("R[^a.9f.1¦]", "0", "`0` is not a valid number"),
    "an agent's bracket": ("[^a]: [gp¦t]", "x]", "`x]` is not a valid agent name"),
    "an agent called tool": ("[^a]: [gp¦t]", "tool", "`tool` is the type of tool calls"),
}


@table("at, new, reason", REFUSALS)
def test_is_refused_with_a_reason(at: str, new: str, reason: str) -> None:
    with pytest.raises(RenameRefused, match=re.escape(reason)):
        renamed(family() + OTHER, at, new)


def test_children_of_nobody_are_not_adopted() -> None:
    source = "# %% T[^m]\n\n[^m]: [code]\n\n# %%% R[^c.1]\n\n[^c.1]: [python]\n"
    with pytest.raises(RenameRefused, match="there are already cells below that id"):
        renamed(source, "T[^m¦]", "c")


def test_what_would_not_be_read_as_an_id() -> None:
    with pytest.raises(RenameRefused, match="is not a valid id"):
        renamed("# %% `T[^m]\n\n[^m]: [raw]\n", "T[^m¦]", "`")


def test_an_ambiguous_reference() -> None:
    source = "# %% T[^m]\n\n# %% U[^m]\n\nsee [^m]\n"
    with pytest.raises(RenameRefused, match="2 cells have the id `m`"):
        renamed(source, "see [^m¦]", "n")


def test_taken_names_of_agents_and_tools() -> None:
    head = "---\nagents:\n  gpt: {models: [x-1]}\n  hal: {}\n---\n"
    answer = "# %%% A[^a]\n\n[^a]: [gpt]\n\n# %%% B[^b]\n\n[^b]: [x-1]\n"
    for new in ("hal", "x-1"):
        with pytest.raises(RenameRefused, match=f"`{new}` is taken: an agent or a model"):
            renamed(head + answer, "[gp¦t]", new)
    with pytest.raises(RenameRefused, match="`x-1` is a model of `gpt`"):
        renamed(head + answer, "[^b]: [x-¦1]", "y")
    with pytest.raises(RenameRefused, match="`looked` is taken"):
        renamed(CALLS.format(quoted='"look"', bare="look"), 'name="lo¦ok"', "looked")


def test_an_agent_of_the_folder_takes_the_other_files_along() -> None:
    marked = unmark("# %%% A[^a]\n\n[^a]: [fo¦lks]\n")
    document = opened(marked.text)
    around = Surroundings(
        other_agents=frozenset({"folks"}),
        agents_file="agents.json",
        registered_by=lambda file: [PATH, f"{file}/other.md"],
    )
    assert (
        prepare_rename(
            snapshot_of(document, Surroundings(other_agents=frozenset({"folks"}))), marked.cursor
        ).text
        == "folks"
    )
    assert list(elsewhere(snapshot_of(document, around), marked.cursor)) == [
        ("agents.json", "folks"),
        ("agents.json/other.md", "folks"),
    ]
    others = Surroundings(other_agents=frozenset({"bob"}), agents_file="agents.json")
    assert list(elsewhere(snapshot_of(document, others), marked.cursor)) == []


def test_an_agent_gets_the_name_that_it_has_in_another_file() -> None:
    text = "---\ndefault_agent: folks\n---\n\n# %%% A[^a]\n\n[^a]: [folks] boot=1\n"
    document = opened(text)
    after = document.apply(renamed_here(snapshot_of(document), "folks", "my folks"))
    assert after.text == text.replace("folks", "my folks")
    assert renamed_here(snapshot_of(document), "nobody", "x") == []
    taken = opened(text.replace("---\n\n", "agents: {x: {models: [y]}}\n---\n\n"))
    for new in ("x", "y"):
        with pytest.raises(RenameRefused, match="is taken"):
            renamed_here(snapshot_of(taken), "folks", new)
    with pytest.raises(RenameRefused, match="models cannot be renamed"):
        renamed_here(snapshot_of(taken), "y", "z")


NOTHING_HERE = {
    "content": "# %% T[^m]\n\n[^m]: [raw]\n\nwo¦rds\n",
    "a title": "# %% T¦[^m]\n\n[^m]: [raw]\n",
    "a type": "# %% T[^m]\n\n[^m]: [ra¦w]\n",
    "a language": "# %% C[^c]\n\n[^c]: [code]\n\n# %%% R[^c.1]\n\n[^c.1]: [pyt¦hon]\n",
    "the status of a result": '# %%% R[^a.b.1]\n\n[^a.b.1]: [tool] status="succ¦ess"\n',
    "an empty id": "# %% T[^¦]\n",
    "an empty segment": "# %%% T[^a.¦]\n",
    "an empty file": "¦",
}


@table("source", NOTHING_HERE)
def test_there_is_nothing_to_rename(source: str) -> None:
    marked = unmark(source)
    with pytest.raises(RenameRefused, match="nothing to rename here"):
        prepare_rename(snapshot_of(opened(marked.text)), marked.cursor)


PREPARED = {
    "an id": "# %% T[^«m¦»]\n\n[^m]: [raw]\n",
    "a root": "# %%% T[^«¦a».9f.1]\n",
    "a nonce": "# %%% T[^a.«9¦f».1]\n",
    "a number": "# %%% T[^a.9f.«1¦»]\n",
    "an agent": "# %%% T[^a]\n\n[^a]: [«gp¦t»]\n",
    "a tool": '# %%% T[^a.b]\n\n[^a.b]: [tool] name="«lo¦ok»"\n',
}


@table("source", PREPARED)
def test_what_would_be_renamed(source: str) -> None:
    marked = unmark(source)
    found = prepare_rename(snapshot_of(opened(marked.text)), marked.cursor)
    assert found.span == marked.span()
    assert found.text == found.span.of(marked.text)


def test_a_result_without_its_call_is_of_the_family() -> None:
    family = "# %%% A[^{0}¦]\n\n[^{0}]: [gpt]\n\n# %%% R[^{0}.0c.1]\n\n[^{0}.0c.1]: [tool]\n"
    marked = unmark(family.format("reply"))
    document = opened(marked.text)
    renamed = document.apply(rename(snapshot_of(document), marked.cursor, "answer")).text
    assert renamed == unmark(family.format("answer")).text
