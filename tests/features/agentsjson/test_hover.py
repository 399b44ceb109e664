"""Hover in ``agents.json``: keys by the models, agents, tasks."""

import pytest

from msgls.features.agentsjson.shapes import key_parts, shape_at
from msgls.features.hover import hover
from msgls.features.markup import markdown
from msgls.formats.agentsjson.boot import agents_json_schema
from msgls.formats.jsontree import Path
from tests.features.agentsjson.support import HOST, MINIFIED, at
from tests.notation import table
from tests.snapshots import snapshot_of

KEYS = {
    "the list": ('«"ag¦ents"»', "Every agent of the host.\n\n- Value: list of objects\n- Required"),
    "a required text": (
        '{\n      «¦"name"»: "guide"',
        "**Key** `name`\n\nWhat the agent is called",
    ),
    "an optional object": ('«"bootMes¦sage"»', "begins with.\n\n- Value: object"),
    "a switch": ('«"isHtml¦"»', "by default it is not.\n\n- Value: `true` or `false`"),
    "code in words": ('«"isVi¦rtual"»', "never sent to the model. Must be `true`."),
    "a task's type": ('"name": "Plan", «"ty¦pe"»', "- Value: `action` or `message`"),
    "anything": ('«"operat¦ions"»', "The buttons and menus of the agent.\n\n- Value: anything"),
    "the value of a key": ('"isHtml": «fal¦se»', "**Key** `isHtml`"),
    "a text": ('"message": «"Two da¦ys, on foot"»', "What is shown when the task runs."),
}


@table("source, said", KEYS)
def test_keys(source: str, said: str) -> None:
    document, marked = at(source)
    found = hover(snapshot_of(document), marked.cursor)
    assert found is not None
    assert found.span == marked.span()
    assert said in markdown(found.parts)


def test_an_agent() -> None:
    document, marked = at('"name": "«gui¦de»"')
    found = hover(snapshot_of(document), marked.cursor)
    assert found is not None
    assert found.span == marked.span()
    assert markdown(found.parts) == (
        "**Agent** `guide`\n\n- Program: `./agents/guide.js`\n\nBoot message:\n\n"
        "```\nWhere would you like to *go*? 🦊\nSay it.\n```\n\n"
        "Available tasks:\n\n- Plan a weekend\n- Plan"
    )
    document, marked = at('"name": "trans¦lator"')
    found = hover(snapshot_of(document), marked.cursor)
    assert found is not None
    assert markdown(found.parts).endswith("- Program: `/opt/translator.js`\n- No boot message")


def test_tasks() -> None:
    document, marked = at('"name": «"Pla¦n"», "type"')
    found = hover(snapshot_of(document), marked.cursor)
    assert found is not None
    assert found.span == marked.span()
    assert markdown(found.parts) == (
        "**Task** `Plan`\n\n- Shown as: Plan a weekend\n- Type: action\n"
        "- Message: Two days, on foot"
    )
    document, marked = at('"name": "Show¦Map"')
    found = hover(snapshot_of(document), marked.cursor)
    assert found is not None
    assert "- Runs by itself" in markdown(found.parts)


@pytest.mark.parametrize(
    ("cursor", "text"),
    [
        ('"init¦Task"', HOST),
        ('"initTask": ¦1', HOST),
        ('"task": { "name": "ResetC¦ontext" }', HOST),
        ('{¦\n  "agents"', HOST),
        ('":"b/c.js","meta¦', '{"agents":[{"name":"a","path":"b/c.js","meta'),
    ],
)
def test_nothing_is_said_of_what_the_models_do_not_know(cursor: str, text: str) -> None:
    document, marked = at(cursor, text)
    assert hover(snapshot_of(document), marked.cursor) is None


def test_a_long_greeting_is_cut() -> None:
    document, marked = at('"name":"a¦","path"', MINIFIED.replace('"Hi"', f'"{"x" * 5_000}"'))
    found = hover(snapshot_of(document), marked.cursor)
    assert found is not None
    assert 1_000 < len(markdown(found.parts)) < 1_300


def test_every_key_of_the_models_is_explained() -> None:
    seen = set()
    todo: list[Path] = [()]
    while todo:
        path = todo.pop()
        shape = shape_at(path)
        assert shape is not None
        for key, found in shape.keys.items():
            seen.add((shape.schema["title"], key))
            assert len(list(key_parts((*path, key)))) >= 2
            todo.append((*path, key, 0) if found.kind == "array" else (*path, key))
    schema = agents_json_schema()
    models = {schema["title"]: schema, **schema["$defs"]}
    assert seen == {(title, key) for title, model in models.items() for key in model["properties"]}
