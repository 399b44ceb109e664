"""Completion: what is offered where, and what the text is afterwards."""

import re

import pytest

from msgls.document.snapshot import Surroundings
from msgls.features.completion import Completions, Item, complete, documentation
from msgls.features.markup import plain
from msgls.features.snippets import plain as plain_snippet
from msgls.formats.base import CellRole
from msgls.formats.msgmd import MSGMD
from msgls.formats.msgmd.attributes import attributes_on
from msgls.rules.registry import BY_CODE
from tests.features.msgmd.sample import CONVERSATION, opened
from tests.notation import table, unmark
from tests.snapshots import snapshot_of

NOW = "2025-05-30T09:30:00+08:00"
HEAD = "---\ndefault_agent: two\nagents:\n  one: {}\n  two: {}\n---\n"
ASK = "# %% T[^m1]\n\n[^m1]: [markdown]\n\n"
ANSWER = "# %%% A[^a1]\n\n[^a1]: [gpt]\n\n"
CALL = '# %%% C[^a1.9f3d]\n\n[^a1.9f3d]: [tool] name="look"\n\n<look/>\n\n'
RESULT = '# %%% R[^a1.9f3d.1]\n\n[^a1.9f3d.1]: [tool] status="success"\n\nfine\n\n'
CODE = "# %% C[^c1]\n\n[^c1]: [code]\n\n```julia\n1\n```\n\n"
NONCE = re.compile(r"\b[0-9a-f]{8}\b")


def offered(source: str, path: str = "chat.msg.md") -> Completions:
    marked = unmark(source)
    return complete(
        snapshot_of(opened(marked.text, path), Surroundings(other_agents=frozenset(("folks",)))),
        marked.cursor,
    )


def labels(source: str, path: str = "chat.msg.md") -> list[str]:
    return [NONCE.sub("NONCE", item.label) for item in offered(source, path).items]


def item_of(source: str, label: str) -> Item:
    (found,) = [item for item in offered(source).items if item.label == label]
    return found


def typed(source: str, label: str) -> str:
    """The text after that item is taken, without snippets."""
    return opened(unmark(source).text).apply([item_of(source, label).edit]).text


CODES = [code for code, rule in BY_CODE.items() if rule.is_for(MSGMD)]
MESSAGE_KEYS = [spec.key for spec in attributes_on(CellRole.MESSAGE)]
OFFERED = {
    # Markers.
    "the start of a line": (ASK + "¦", ["message cell", "answer cell"]),
    "a hash": (ASK + "#¦", ["message cell", "answer cell"]),
    "an output marker": (ASK + "# %%%¦", ["answer cell"]),
    "calls and results, where they can be": (
        HEAD + ASK + ANSWER + CALL + "# %%%¦",
        ["answer cell", "tool result cell", "tool call cell"],
    ),
    # New ids.
    "an id for a message": (ASK + "# %% U[^¦\n", ["m2"]),
    "an id in another manner": (ASK.replace("m1", "q-07") + "# %% U[^¦]\n", ["q-8"]),
    "the first id": ("# %% U[^¦]\n", ["m1"]),
    "the id of the definition below": ("# %% U[^¦]\n\n[^here]: [raw]\n", ["here", "m1"]),
    "an id for an output": (
        ASK + ANSWER + CALL + RESULT + "# %%% U[^¦]\n",
        ["a2", "a1.9f3d.2", "a1.NONCE"],
    ),
    "an id for a run": (CODE + "# %%% U[^¦]\n", ["a1", "c1.1"]),
    "an id below what is typed": (ASK + ANSWER + "# %%% U[^a1.¦]\n", ["a1.NONCE"]),
    "a result below what is typed": (ANSWER + CALL + "# %%% U[^a1.9f3d.¦]\n", ["a1.9f3d.1"]),
    "a run below what is typed": (CODE + "# %%% U[^c1.¦]\n", ["c1.1"]),
    # Ids that exist.
    "a reference": (ASK + ANSWER + "see [^¦\n", ["a1", "m1"]),
    "a reference in a hurry": (ASK + ANSWER + "see [^m¦ and on\n", ["m1"]),
    "a footnote": (ASK + "see [^¦] \n\n[^note]: words\n", ["note", "m1"]),
    "a definition": ("# %% U[^m7]\n\n[^¦\n", ["m7"]),
    # Types.
    "types of a message": ("# %% U[^m]\n\n[^m]: [¦]\n", ["markdown", "code", "raw"]),
    "types, without a bracket": ("# %% U[^m]\n\n[^m]: ¦\n", ["markdown", "code", "raw"]),
    "agents, the default one first": (HEAD + "# %%% U[^a]\n\n[^a]: [¦\n", ["two", "one", "folks"]),
    "a temporary agent": (
        '# %% T[^t]\n\n[^t]: [raw] definition=agent name="me"\n\n# %%% U[^a]\n\n[^a]: [¦]\n',
        ["me", "folks"],
    ),
    "the type of a call": (ANSWER + "# %%% C[^a1.b]\n\n[^a1.b]: [¦]\n", ["tool"]),
    "the type of a result": ("# %%% C[^a1.b.1]\n\n[^a1.b.1]: [¦]\n", ["tool"]),
    "the language of a run": (CODE + "# %%% R[^c1.1]\n\n[^c1.1]: [¦]\n", ["julia", "tool"]),
    # Attributes.
    "keys of a message": ("# %% U[^m]\n\n[^m]: [raw] ¦\n", MESSAGE_KEYS),
    "keys that are there are not offered": (
        "# %% U[^m]\n\n[^m]: [raw] history=none role=user ¦\n",
        [key for key in MESSAGE_KEYS if key not in ("history", "role")],
    ),
    "what is required comes first": (
        CODE + "# %%% R[^c1.1]\n\n[^c1.1]: [python] ¦\n",
        ["status", "history"],
    ),
    "what an agent requires": (
        "# %% U[^m]\n\n[^m]: [raw] definition=agent ¦\n",
        ["name", "history"],
    ),
    "keys after what cannot be read": (
        "# %% U[^m]\n\n[^m]: [raw] what [role=user] his¦\n",
        ["history", "summary"],
    ),
    "values": ("# %% U[^m]\n\n[^m]: [raw] role=¦\n", ["user", "system"]),
    "values in quotes": ('# %% U[^m]\n\n[^m]: [raw] role="¦"\n', ["user", "system"]),
    "values before more": ("# %% U[^m]\n\n[^m]: [raw] role=¦ history=none\n", ["user", "system"]),
    "a time": ("# %%% U[^a]\n\n[^a]: [gpt] time=¦\n", [NOW]),
    "a tool": (ANSWER + CALL + '# %%% D[^a1.b]\n\n[^a1.b]: [tool] name="¦"\n', ["look"]),
    "a MIME type": (CODE + "# %%% R[^c1.1]\n\n[^c1.1]: [julia] mime_type=¦\n", ["text/plain"]),
    # Languages.
    "a fence": ("# %% U[^m]\n\n[^m]: [code]\n\n```¦\n", ["python", "bash"]),
    "a fence that is typed": ("# %% U[^m]\n\n```ju¦\n", ["julia", "juttle"]),
    # YAML.
    "keys of the frontmatter": ("---\n¦\n---\n", ["agents", "default_agent"]),
    "keys that are not there yet": (HEAD.replace("agents:", "¦\nagents:"), []),
    "an unclosed frontmatter": ("---\ndef¦\n", ["agents", "default_agent"]),
    "the default agent": (
        HEAD.replace("default_agent: two", "default_agent: ¦"),
        ["one", "two", "folks"],
    ),
    "attributes of an agent": (
        "---\nagents:\n  one:\n    models: [x]\n    ¦\n---\n",
        ["context_window", "max_output_tokens", "reasoning"],
    ),
    "attributes of an agent in a list": (
        "---\nagents:\n  - name: one\n    mod¦\n---\n",
        ["models", "context_window"],
    ),
    "the name of an agent in a list": ("---\nagents:\n- ¦\n---\n", ["name", "models"]),
    "a switch": ("---\nagents:\n  one:\n    reasoning: ¦\n---\n", ["true", "false"]),
    "a temporary agent's attributes": (
        "# %% T[^t]\n\n[^t]: [raw] definition=agent name=x\n\n---\n¦\n---\n",
        ["models", "context_window"],
    ),
    # Rules.
    "a rule": (ASK + "<!-- msgls: ignore ¦ -->\n", CODES),
    "a second rule": (ASK + "<!-- msgls: ignore MSG101, MS¦\n", CODES),
}


@table("source, expected", OFFERED)
def test_is_offered(source: str, expected: list[str]) -> None:
    assert labels(source)[: len(expected)] == expected
    if not expected:
        assert labels(source) == []


EXACTLY = ("values", "values in quotes", "a time", "a tool", "the type of a result", "a switch")


@pytest.mark.parametrize("name", EXACTLY)
def test_nothing_else_is_offered(name: str) -> None:
    source, expected = OFFERED[name]
    assert labels(source) == expected


NOTHING = {
    "prose": ASK + "some wor¦ds\n",
    "the start of a line of prose": ASK + "so¦me\n",
    "a title": "# %% Tit¦le[^m]\n",
    "before a title": "# %% ¦Title[^m]\n",
    "after an id": "# %% T[^m] ¦\n",
    "a fence": ASK + "```\n# %%¦\n```\n",
    "a fence that nothing closes": ASK + "```\n[^¦",
    "a closing fence": ASK + "```\nx\n```¦\n",
    "code": ASK + "see `[^¦`\n",
    "an escaped bracket": ASK + "see \\[^¦\n",
    "right after a type": "# %% T[^m]\n\n[^m]: [raw]¦\n",
    "right after a value": '# %% T[^m]\n\n[^m]: [raw] role="user"¦\n',
    "inside of a text": '# %% T[^m]\n\n[^m]: [raw] summary="some wor¦ds"\n',
    "a value of an unknown key": "# %% T[^m]\n\n[^m]: [raw] mine=¦\n",
    "the words of a footnote": ASK + "[^n]: wor¦ds\n",
    "the closing line of a frontmatter": "---\na: 1\n--¦-\n",
    "a heading": ASK + "## Pl¦an\n",
    "a key of somebody else's mapping": "---\nother:\n  ¦\n---\n",
    "the name of an agent": "---\nagents:\n  ¦\n---\n",
}


@table("source", NOTHING)
def test_nothing_is_offered(source: str) -> None:
    assert labels(source) == []


TYPED = {
    "a marker": (ASK + "¦", "# %%%", ASK + "# %%% "),
    "a marker over what is there": (ASK + "#%¦", "# %%", ASK + "# %% "),
    "a marker of the same depth": ("### %% T\n\n¦\n", "### %%", "### %% T\n\n### %% \n"),
    "an id closes its bracket": (ASK + "# %% U[^¦\n", "m2", ASK + "# %% U[^m2]\n"),
    "an id keeps the bracket": (ASK + "# %% U[^x¦y]\n", "m2", ASK + "# %% U[^m2]\n"),
    "a reference": (ASK + "see [^¦ and on\n", "m1", ASK + "see [^m1] and on\n"),
    "a reference in brackets": (ASK + "see [^m¦] and on\n", "m1", ASK + "see [^m1] and on\n"),
    "a definition": ("# %% U[^m]\n\n[^¦\n\nhi\n", "m", "# %% U[^m]\n\n[^m]: [markdown]\n\nhi\n"),
    "a definition in brackets": ("# %% U[^m]\n\n[^¦]\n", "m", "# %% U[^m]\n\n[^m]: [markdown]\n"),
    "a definition that goes on": (
        "# %% U[^m]\n\n[^¦]: [raw]\n",
        "m",
        "# %% U[^m]\n\n[^m]: [raw]\n",
    ),
    "a type": ("# %% U[^m]\n\n[^m]: [¦\n", "raw", "# %% U[^m]\n\n[^m]: [raw]\n"),
    "a type in brackets": (
        "# %% U[^m]\n\n[^m]: [co¦x] a=1\n",
        "raw",
        "# %% U[^m]\n\n[^m]: [raw] a=1\n",
    ),
    "a type with its brackets": ("# %% U[^m]\n\n[^m]:¦\n", "raw", "# %% U[^m]\n\n[^m]: [raw]\n"),
    "a key": ("# %% U[^m]\n\n[^m]: [raw] hi¦\n", "history", "# %% U[^m]\n\n[^m]: [raw] history=\n"),
    "a key that has a value": (
        "# %% U[^m]\n\n[^m]: [raw] hi¦st=none\n",
        "history",
        "# %% U[^m]\n\n[^m]: [raw] history=none\n",
    ),
    "a bare value": (
        "# %% U[^m]\n\n[^m]: [raw] history=ex¦\n",
        "exclude",
        "# %% U[^m]\n\n[^m]: [raw] history=exclude\n",
    ),
    "a value that needs quotes": (
        "# %% U[^m]\n\n[^m]: [raw] role=¦ history=none\n",
        "system",
        '# %% U[^m]\n\n[^m]: [raw] role="system" history=none\n',
    ),
    "a value closes its quote": (
        '# %% U[^m]\n\n[^m]: [raw] role="s¦\n',
        "system",
        '# %% U[^m]\n\n[^m]: [raw] role="system"\n',
    ),
    "a value keeps its quote": (
        '# %% U[^m]\n\n[^m]: [raw] role="u¦ser" history=none\n',
        "system",
        '# %% U[^m]\n\n[^m]: [raw] role="system" history=none\n',
    ),
    "a language": (ASK + "```py¦thon\n```\n", "pytb", ASK + "```pytb\n```\n"),
    "a key of the frontmatter": ("---\nde¦\n---\n", "default_agent", "---\ndefault_agent: \n---\n"),
    "a key over another": ("---\nde¦x: a\n---\n", "default_agent", "---\ndefault_agent: a\n---\n"),
    "the agents": ("---\n¦\n---\n", "agents", "---\nagents:\n  name:\n    models: [model]\n---\n"),
    "a name that YAML must quote": (
        '---\nagents: {"a: b": {}}\ndefault_agent: ¦\n---\n',
        '"a: b"',
        '---\nagents: {"a: b": {}}\ndefault_agent: "a: b"\n---\n',
    ),
    "a rule": (
        ASK + "<!-- msgls: ignore MSG¦1 -->\n",
        "MSG302",
        ASK + "<!-- msgls: ignore MSG302 -->\n",
    ),
    "a whole cell": (
        ASK + "# %%¦\n",
        "message cell",
        ASK + "# %% [^m2]\n\n[^m2]: [markdown]\n\n\n",
    ),
    "a whole answer": (
        HEAD + ASK + "¦",
        "answer cell",
        HEAD + ASK + f'# %%% [^a1]\n\n[^a1]: [two] time="{NOW}"\n\n',
    ),
    "a whole result": (
        ANSWER + CALL + RESULT + "¦",
        "tool result cell",
        ANSWER + CALL + RESULT + '# %%% [^a1.9f3d.2]\n\n[^a1.9f3d.2]: [tool] status="success"\n\n',
    ),
    "a whole run": (
        CODE + "¦",
        "execution output cell",
        CODE + '# %%% [^c1.1]\n\n[^c1.1]: [julia] status="success"\n\nstdout> ',
    ),
    "the frontmatter": ("¦", "---", "---\nagents:\n  name:\n    models: [model]\n---\n"),
    "with the line breaks of the file": (
        ASK.replace("\n", "\r\n") + "¦",
        "message cell",
        (ASK + "# %% [^m2]\n\n[^m2]: [markdown]\n\n").replace("\n", "\r\n"),
    ),
}


@table("source, label, expected", TYPED)
def test_what_is_typed(source: str, label: str, expected: str) -> None:
    assert typed(source, label) == expected


def test_every_whole_cell_is_one_cell_without_problems() -> None:
    from msgls.rules.checker import Checker
    from msgls.rules.registry import RULES

    source = CONVERSATION + "\n¦"
    for item in offered(source).items:
        if not item.label.endswith(("cell", "agent")):
            continue
        before = opened(unmark(source).text)
        after = before.apply([item.edit])
        assert after.cell_count == before.cell_count + 1
        new = after.cell_number(after.cell_count - 1)
        problems = Checker(snapshot_of(after), RULES).problems()
        # What is there to be filled in may be missing, but no id and no definition is wrong.
        wrong = {p.code for p in problems if p.label == new.label and p.code < "MSG306"}
        assert not wrong, f"{item.label}: {wrong}"


def test_a_nonce_is_fresh_each_time() -> None:
    source = ANSWER + "# %%% U[^a1.¦]\n"
    (first,), (second,) = (
        [i.label for i in offered(source).items if NONCE.search(i.label)] for _ in range(2)
    )
    assert first != second


def test_snippets_have_stops_and_no_others_are_made() -> None:
    item = item_of("---\nagents: {'a$b}': {}, 'c,d': {}}\n---\n¦", "answer cell")
    assert item.snippet is not None
    assert "[${2|a$b},c\\,d,folks|}]" in item.snippet
    assert "[a$b}]" in item.edit.text
    assert "[^a\\$1]" in str(item_of("# %%% x[^a$0]\n\n¦", "answer cell").snippet)
    assert plain_snippet(item.snippet) == item.edit.text


def test_a_choice_is_offered_for_a_key() -> None:
    item = item_of("# %% U[^m]\n\n[^m]: [raw] ¦\n", "role")
    assert item.snippet == 'role=${1|"user","system"|}$0'


def test_what_was_typed_is_in_the_filter() -> None:
    """Editors compare what stands in the edited range with it."""
    for source in (ASK + "¦", ASK + "#¦", ASK + "# %¦", ASK + "# %%¦"):
        marked = unmark(source)
        for item in offered(source).items:
            before = marked.text[item.edit.span.start : marked.cursor]
            assert (item.filter_text or item.label).startswith(before)


def test_a_plain_file_can_name_its_section() -> None:
    source = "---\nmessage_section: Log\n¦\n---\n\n# Log\n"
    assert labels(source, "notes.md") == ["agents", "default_agent"]
    source = "---\nmessage_section: D¦\n---\n"
    assert labels(source, "notes.md") == ["true", "Discussion"]


def test_the_nearest_id_comes_first_and_there_are_not_too_many() -> None:
    cells = [f"# %% T[^m{number}]\n\n[^m{number}]: [raw]\n\n" for number in range(1000)]
    cells.insert(500, "# %% Here[^here]\n\nsee [^¦\n\n")
    found = offered("".join(cells))
    assert found.incomplete
    assert found.items[0].label == "here"
    assert {item.label for item in found.items[1:3]} == {"m499", "m500"}
    assert len(found.items) == 150
    cells[500] = "# %% Here[^here]\n\nsee [^m990¦\n\n"
    assert labels("".join(cells)) == ["m990"]


TOPICS = {
    "an attribute": ("# %% U[^m]\n\n[^m]: [raw] ¦\n", "history", "whether the model sees"),
    "a type": ("# %% U[^m]\n\n[^m]: [¦]\n", "code", "code to run"),
    "an agent": (HEAD + "# %%% U[^a]\n\n[^a]: [¦]\n", "two", "the default one"),
    "a cell": (ASK + "hello [^¦\n", "m1", "hello"),
    "a rule": (ASK + "<!-- msgls: ignore ¦\n", "MSG302", "nonce-mismatch"),
    "a key": ("---\n¦\n---\n", "agents", "may answer"),
    "an agent's attribute": ("---\nagents:\n  a:\n    ¦\n---\n", "models", "preferred one first"),
}


@table("source, label, part", TOPICS)
def test_documentation(source: str, label: str, part: str) -> None:
    topic = item_of(source, label).topic
    assert topic is not None
    text = plain(
        documentation(
            snapshot_of(
                opened(unmark(source).text), Surroundings(other_agents=frozenset(("folks",)))
            ),
            topic,
        )
    )
    assert part.lower() in text.lower()


def test_a_topic_of_nobodys_has_no_documentation() -> None:
    for topic in (("cell", "gone"), ("attribute", "x"), ("odd", "x")):
        assert documentation(snapshot_of(opened()), topic) == ()


def test_the_rules_of_other_formats_are_not_offered() -> None:
    offered = labels(ASK + "<!-- msgls: ignore ¦ -->\n")
    assert "MSG101" in offered
    assert set(offered) == set(CODES)


def test_a_number_that_is_too_long_to_count_on_is_passed_over() -> None:
    long = "9" * 5_000
    run = "# %%% [^c1.{0}]\n\n[^c1.{0}]: [julia] status=success\n\n"
    assert "c1.3" in labels(CODE + run.format("2") + run.format(long) + "# %%% [^¦")
