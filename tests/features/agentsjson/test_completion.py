"""Completion in ``agents.json``: missing keys and values, with exact edits in whatever is there."""

import json

import pytest

from msgls.features.completion import Item, complete, documentation
from msgls.features.markup import plain
from tests.features.agentsjson.support import opened
from tests.notation import table, unmark
from tests.snapshots import snapshot_of


def items(source: str) -> tuple[dict[str, Item], str]:
    """What is offered at the cursor, by label, and the text."""
    marked = unmark(source)
    document = opened(marked.text)
    found = complete(snapshot_of(document), marked.cursor).items
    assert len({item.label for item in found}) == len(found)
    for item in found:
        assert item.edit.span.contains(marked.cursor)
        assert "\n" not in item.edit.span.of(marked.text)
    return {item.label: item for item in found}, marked.text


BOOT = '{"agents": [{"name": "a", "path": "b", "metadata": {"bootMessage": {%s}}}]}'

OFFERED = {
    "of an agent": ('{"agents": [{¦}]}', "name path metadata settings operations"),
    "the missing ones": ('{"agents": [{"path": "x", ¦}]}', "name metadata settings operations"),
    "also after": ('{"agents": [{¦"path": "x"}]}', "name metadata settings operations"),
    "of a boot message": (BOOT % "¦", "message isHtml meta availableTasks nextTasks"),
    "of its meta": (BOOT % '"meta": {"¦"}', "isBootMessage isVirtual"),
    "of an available task": (BOOT % '"availableTasks": [{"x": 1, "¦"}]', "task name"),
    "of a task": (
        BOOT % '"availableTasks": [{"task": {"name": "t", ¦',
        "type message meta host_utils skipUserMessage skipBotMessage",
    ),
    "of a next task": (
        BOOT % '"nextTasks": [{"type": "action"}, {"type": "action", "m¦"}]',
        "name message meta host_utils skipUserMessage skipBotMessage",
    ),
    "where a comma is missing": (
        '{"agents": [{"name": "a"\n"¦"}]}',
        "path metadata settings operations",
    ),
    "not closed": (
        '{"agents": [{"name": "a",\n\t"p¦\n\t"metadata": {}\n',
        "path settings operations",
    ),
    "after what is broken": ('{"agents": [{"name": "a, "path": 7,\n"metadata": {"¦', "bootMessage"),
    "of the one that it is": (
        '{"agents": [{"na¦me": "x"}]}',
        "name path metadata settings operations",
    ),
    "switches": (BOOT % '"isHtml": ¦', "true false"),
    "types": (BOOT % '"nextTasks": [{"type": ¦}]', '"action" "message"'),
    "types in quotes": (BOOT % '"nextTasks": [{"type": "m¦"}]', '"action" "message"'),
    "a new object": (BOOT % '"meta": ¦', "new meta"),
    "a new list": (BOOT % '"availableTasks": ¦', "new availableTasks"),
    "a new agent": ('{"agents": [¦]}', "new agent"),
    "a new task": (BOOT % '"availableTasks": [{}, ¦]', "new available task"),
    "nothing for a name": ('{"agents": [{"name": ¦}]}', ""),
    "nothing in a text": ('{"agents": [{"name": "a¦"}]}', ""),
    "nothing after a value": ('{"agents": [{"name": "a" ¦}]}', ""),
    "nothing where the models look no further": ('{"agents": [{"settings": {¦}}]}', ""),
    "nothing at the top": ('{"agents": [], ¦}', ""),
    "nothing before all": ('¦{"agents": []}', ""),
    "nothing after all": ('{"agents": []}¦', ""),
}


@table("source, labels", OFFERED)
def test_what_is_offered(source: str, labels: str) -> None:
    assert " ".join(items(source)[0]) == labels


TAKEN = {
    "a key brings its value": ('{"agents": [{¦}]}', "name", '{"agents": [{"name": ""}]}'),
    "in quotes": ('{"agents": [{"na¦"}]}', "name", '{"agents": [{"name": ""}]}'),
    "after one quote": ('{"agents": [{"na¦', "name", '{"agents": [{"name": ""'),
    "without quotes": ('{"agents": [{na¦}]}', "name", '{"agents": [{"name": ""}]}'),
    "over what is there": ('{"agents": [{"na¦me": 1}]}', "path", '{"agents": [{"path": 1}]}'),
    "before another": (
        '{"agents": [{\n\t¦\n\t"path": ""}]}',
        "name",
        '{"agents": [{\n\t"name": "",\n\t"path": ""}]}',
    ),
    "between two quotes before another": (
        '{"agents": [{"¦"\n"path": ""}]}',
        "name",
        '{"agents": [{"name": "",\n"path": ""}]}',
    ),
    "a quote before a string is not closed by it": (
        '{"agents": [{"¦"path": ""}]}',
        "name",
        '{"agents": [{"name": "","path": ""}]}',
    ),
    "with its comma": (
        '{"agents": [{"na¦", "path": ""}]}',
        "name",
        '{"agents": [{"name": "", "path": ""}]}',
    ),
    "a boot message that does not leak": (
        '{"agents": [{"metadata": {¦}}]}',
        "bootMessage",
        (
            '{"agents": [{"metadata": {"bootMessage": {"message": "", "meta": '
            '{"isBootMessage": true, "isVirtual": true}}}}]}'
        ),
    ),
    "tasks": (
        BOOT % "¦",
        "availableTasks",
        BOOT % '"availableTasks": [{"name": "", "task": {"name": ""}}]',
    ),
    "what may be anything": ('{"agents": [{¦}]}', "settings", '{"agents": [{"settings": null}]}'),
    "a switch": (BOOT % '"isHtml": ¦', "false", BOOT % '"isHtml": false'),
    "a switch over another": (BOOT % '"isHtml": ¦true', "false", BOOT % '"isHtml": false'),
    "a text over another": (
        BOOT % '"nextTasks": [{"type": ¦"action"}]',
        '"message"',
        BOOT % '"nextTasks": [{"type": "message"}]',
    ),
    "a switch before a key": (
        BOOT % '"isHtml": ¦\n"message": ""',
        "true",
        BOOT % '"isHtml": true,\n"message": ""',
    ),
    "a type": (
        BOOT % '"nextTasks": [{"type": "a¦"}]',
        '"message"',
        BOOT % '"nextTasks": [{"type": "message"}]',
    ),
    "an agent before another": (
        '{"agents": [¦{"name": "a"}]}',
        "new agent",
        '{"agents": [{"name": "", "path": ""},{"name": "a"}]}',
    ),
}


@table("source, label, after", TAKEN)
def test_what_becomes_of_it(source: str, label: str, after: str) -> None:
    found, text = items(source)
    assert opened(text).apply([found[label].edit]).text == after
    if after.endswith("]}"):
        json.loads(after)


def test_what_is_typed_is_compared_with_its_quote() -> None:
    assert items('{"agents": [{"n¦"}]}')[0]["name"].filter_text == '"name'
    assert items('{"agents": [{n¦}]}')[0]["name"].filter_text is None
    assert items(BOOT % '"nextTasks": [{"type": "¦"}]')[0]['"action"'].filter_text == '"action'


def test_places_to_fill_in() -> None:
    found = items(BOOT % "¦")[0]
    assert found["message"].snippet == '"message": "$1"'
    assert found["isHtml"].snippet == '"isHtml": ${1|true,false|}'
    assert found["nextTasks"].snippet == '"nextTasks": [{"name": "$1"\\}]'


@pytest.mark.parametrize(
    ("source", "plain_ones"),
    [
        ('{"agents": [{"name": 1, "x": 2}, {¦}]}', {"name"}),
        ('{"agents": [{¦}]}', set()),
        ('{"agents": [{"metadata": {"bootMessage": 1}}, {"metadata": {¦}}]}', {"bootMessage"}),
        (BOOT % '"meta": {"isVirtual": true}, "nextTasks": [{"meta": {}}, {¦}]', {"meta"}),
        (
            BOOT % '"nextTasks": [{"skipBotMessage": true}, {"skipBotMessage": ¦}]',
            {"true", "false"},
        ),
        (BOOT % '"nextTasks": [{"type": "action"}, {"type": ¦}]', {'"action"'}),
        (BOOT % '"nextTasks": [{"type": ¦}]', set()),
    ],
)
def test_what_a_service_for_plain_json_offers_is_said(source: str, plain_ones: set[str]) -> None:
    found = items(source)[0]
    assert {label for label, item in found.items() if item.is_plain} == plain_ones


def test_every_key_has_a_documentation() -> None:
    document = opened()
    for item in items(BOOT % "¦")[0].values():
        assert item.topic is not None
        assert item.label in plain(documentation(snapshot_of(document), item.topic))
    assert documentation(snapshot_of(document), ("key", "no/such/9/key")) == ()
    assert documentation(snapshot_of(document), ("rule", "BOOT001")) == ()
