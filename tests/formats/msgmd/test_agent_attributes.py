"""An attribute for an agent of the frontmatter: where it goes, and when nothing is written."""

import pytest

from msgls.document.document import Document
from msgls.formats.msgmd.frontmatter import parse_frontmatter
from msgls.formats.msgmd.yamledits import add_agent_attribute, yaml_scalar
from msgls.text.spans import apply_edits

CELL = "# %% [^a]\n"


def added(head: str, value: str = "Be brief.") -> str | None:
    """The frontmatter with the attribute, or nothing."""
    document = Document.open("a.msg.md", head + CELL)
    edits = add_agent_attribute(document, "Al", "system_prompt", value)
    return None if edits is None else apply_edits(document.text, edits).removesuffix(CELL)


@pytest.mark.parametrize(
    ("head", "after"),
    [
        ("", "---\nagents:\n  Al:\n    system_prompt: Be brief.\n---\n\n"),
        ("---\nagents:\n---\n", "---\nagents:\n  Al:\n    system_prompt: Be brief.\n---\n"),
        ("---\nagents: ~\n---\n", "---\nagents:\n  Al:\n    system_prompt: Be brief.\n---\n"),
        (
            "---\nagents:\n  Bo: {} # who\n---\n",
            "---\nagents:\n  Bo: {} # who\n  Al:\n    system_prompt: Be brief.\n---\n",
        ),
        ("---\nagents: {}\n---\n", "---\nagents: {Al: {system_prompt: Be brief.}}\n---\n"),
        ("---\nagents: []\n---\n", "---\nagents: [{name: Al, system_prompt: Be brief.}]\n---\n"),
        (
            "---\nagents:\n- name: Bo\n---\n",
            "---\nagents:\n- name: Bo\n- name: Al\n  system_prompt: Be brief.\n---\n",
        ),
        (
            "---\nagents:\n  Al:\n    models: [m]\n---\n",
            "---\nagents:\n  Al:\n    models: [m]\n    system_prompt: Be brief.\n---\n",
        ),
        ("---\nagents:\n  Al:\n---\n", "---\nagents:\n  Al:\n    system_prompt: Be brief.\n---\n"),
        (
            "---\nagents: {Al: {models: [m],}}\n---\n",
            "---\nagents: {Al: {models: [m], system_prompt: Be brief.}}\n---\n",
        ),
        (
            "---\nagents:\n- name: Al\n---\n",
            "---\nagents:\n- name: Al\n  system_prompt: Be brief.\n---\n",
        ),
        (
            "---\nagents: [{name: Al}]\n---\n",
            "---\nagents: [{name: Al, system_prompt: Be brief.}]\n---\n",
        ),
    ],
)
def test_it_goes_where_the_agent_is(head: str, after: str) -> None:
    assert added(head) == after
    told = [
        attribute.value.text
        for agent in parse_frontmatter(after.rstrip("\n")).agents
        for attribute in agent.attributes
        if (agent.name, attribute.key) == ("Al", "system_prompt")
    ]
    assert told == ["Be brief."]


@pytest.mark.parametrize(
    "head",
    [
        pytest.param("---\ntitle: x\n", id="not closed"),
        pytest.param("---\nagents: [a\n---\n", id="broken YAML"),
        pytest.param("---\n{a: 1}\n---\n", id="all of it in braces"),
        pytest.param("---\na: &x {Bo: {}}\nagents: *x\n---\n", id="agents from an alias"),
        pytest.param(
            "---\nd: &d\n  Bo: {}\nagents:\n  <<: *d\n---\n", id="agents that are merged in"
        ),
        pytest.param("---\n<<: {agents: {Bo: {}}}\n---\n", id="the key itself is merged in"),
        pytest.param("---\nagents: {Al: }\n---\n", id="an empty value in braces"),
        pytest.param("---\nagents:\n  Al: text\n---\n", id="the agent is a text"),
        pytest.param("---\nagents: text\n---\n", id="agents is a text"),
        pytest.param(
            "---\nd: &d {models: [m]}\nagents:\n  Al: *d\n---\n", id="the agent is an alias"
        ),
        pytest.param("---\nagents:\n  -\n    name: Bo\n---\n", id="a dash on a line of its own"),
        pytest.param("---\nagents:\n  ? Bo\n  : {}\n---\n", id="a key with a question mark"),
        pytest.param("---\nagents: !!map {Bo: {}}\n---\n", id="a tag before the braces"),
        pytest.param("---\nagents:\n  Al: {}\n  Al: {}\n---\n", id="the agent twice"),
    ],
)
def test_nothing_is_written_where_it_is_not_sure(head: str) -> None:
    assert added(head) is None


def test_an_empty_document_has_no_place_for_it() -> None:
    assert add_agent_attribute(Document.open("a.msg.md", ""), "Al", "a", "b") is None


@pytest.mark.parametrize(
    "value",
    [
        "one\ntwo\n",
        "one\n\ntwo",
        "yes",
        "a: b",
        "- x",
        "# x",
        "\u2028",
        "é\u0085",
        '"',
        "\\",
        " x ",
    ],
)
def test_any_text_is_read_back(value: str) -> None:
    after = added("---\nagents:\n  Bo: {}\n---\n", value)
    assert after is not None
    (told,) = [
        attribute.value.text
        for agent in parse_frontmatter(after.rstrip("\n")).agents
        for attribute in agent.attributes
    ]
    assert told == value


@pytest.mark.parametrize(
    ("text", "written"),
    [("Al", "Al"), ("no", '"no"'), ("a: b", '"a: b"'), ("\x7f", '"\\u007f"'), ("1", '"1"')],
)
def test_what_can_be_misread_is_quoted(text: str, written: str) -> None:
    assert yaml_scalar(text) == written
