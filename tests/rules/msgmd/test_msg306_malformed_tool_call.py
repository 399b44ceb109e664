"""MSG306: a tool call that is no XML."""

import pytest

from tests.rules.support import expect, expect_follows, expect_nothing

CODE = "MSG306"
NO_XML = "a tool call must be one fenced block and nothing else, or bare XML"
LEAD = "the XML of this tool call is not well-formed: "


def call(body: str) -> str:
    return f'# %%% C[^a1.9f3d]\n\n[^a1.9f3d]: [tool] name="x"\n\n{body}\n'


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (call("<x>\n  «<y»>\n"), LEAD + "<y> is never closed"),
        (call("<x>«</y>»"), LEAD + "found </y> where </x> is expected"),
        (call("«S»ome words"), LEAD + "a tag is expected here"),
        (call("<x>a «<» b</x>"), LEAD + "write < as &lt;"),
        (call("<x>«&nbsp;»</x>"), LEAD + "XML has no `&nbsp;`: write the character itself"),
        (
            call('«<!DOCTYPE» x [<!ENTITY e "f">]><x>&e;</x>'),
            LEAD + "a document type or an entity declaration is not allowed",
        ),
        # In a fence, with what is CRLF and beyond ASCII before it.
        (call("```xml\n\n<x>\n  «<y»>\n```"), LEAD + "<y> is never closed"),
        (
            call("<x>🙂 文\n  <y>字</y> «<z»>").replace("\n", "\r\n").replace("C[", "🙂["),
            LEAD + "<z> is never closed",
        ),
        # After a line that is escaped, and one that defines another cell.
        (
            call("<x>\n\\# %% no cell\n<y>«</z>»</y></x>"),
            LEAD + "found </z> where </y> is expected",
        ),
        (
            "# %%% A[^a1]\n\n" + call("<x>\n[^a1]: [gpt]\n«</y>»"),
            LEAD + "found </y> where </x> is expected",
        ),
        # Nothing at all, and a definition elsewhere.
        (
            "# %%% C[^«a.n»]\n\n[^a.n]: [tool] name=x\n",
            "tool call `a.n` is empty: its XML is missing",
        ),
        ("# %%% C[^«a.n»]\n\n[^a.n]: [tool]", "tool call `a.n` is empty: its XML is missing"),
        (
            "# %%% C[^a.n]\n\n<x>«</y>»\n\n# %% Q[^q]\n\n[^q]: [raw]\n\n[^a.n]: [tool]\n",
            LEAD + "found </y> where </x> is expected",
        ),
        # Two fences, or words beside one: then the fence is no XML.
        (call("«W»ords\n\n```xml\n<x/>\n```"), NO_XML),
        (call("«`»``xml\n<x/>\n```\n\n```xml\n<y/>\n```"), NO_XML),
        (call("```xml\n«W»ords\n```"), LEAD + "a tag is expected here"),
    ],
)
def test_what_is_not_xml_is_found(source: str, text: str) -> None:
    expect(CODE, source, text)


@pytest.mark.parametrize(
    "source",
    [
        call("<x/>"),
        call('<?xml version="1.0"?>\n<!-- note -->\n<x a="1">\n  <y>&lt;&#128578;</y>\n</x>'),
        call("```xml\n<x>\n</x>\n```"),
        call("~~~~\n\n<x/>\n\n~~~~"),
        call("<x><![CDATA[\n```\na < b\n```\n]]></x>"),
        call("<x/>").replace("\n", "\r\n"),
        call("<x>\n\\# %% no cell\n</x>"),
        "# %%% A[^a1]\n\n" + call("<x>\n[^a1]: [gpt]\n</x>"),
        "# %%% C[^a.n]\n\n<x/>\n\n# %% Q[^q]\n\n[^q]: [raw]\n\n[^a.n]: [tool]\n",
        # Other rules' business: an open fence, an id that is not a call's.
        call("```xml\n<x"),
        "# %%% C[^a1]\n\n[^a1]: [tool]\n\nwords\n",
        # No call.
        "# %%% R[^a1.9f3d.1]\n\n[^a1.9f3d.1]: [tool]\n\nwords < more\n",
        "# %%% A[^a1]\n\n[^a1]: [gpt]\n\n<x>\n",
        "```\n" + call("<x>") + "```\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


def test_it_follows_a_definition_that_stops_to_count() -> None:
    source = "# %%% A[^a1]\n\nText\n\n" + call("<x>\n[^a1]: [gpt] a='<'\n</x>")
    counts = expect_follows(
        CODE,
        source,
        ("[^a1]\n", "[^b1]\n"),
        ("[^b1]\n", "[^a1]\n"),
        ("\nText", "\n[^a1]: [gpt]\n\nText"),
    )
    assert counts == [0, 1, 0, 1]


def test_many_definitions_in_one_call_are_read_in_linear_time() -> None:
    answers = "".join(f"# %%% A[^a{n}]\n\nText\n\n" for n in range(3_000))
    definitions = "".join(f"[^a{n}]: [gpt]\n" for n in range(3_000))
    expect_nothing(CODE, answers + call("<x/>\n\n" + definitions))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("rm", "<«ls»><path>.</path></ls>"),
        ("rm", '<invoke name="«ls»"><parameter name="path">.</parameter></invoke>'),
        ("rm", '<tool_call>{"name": "«ls»", "arguments": {}}</tool_call>'),
        ("rm", '```xml\n<«ls» path="."/>\n```'),
    ],
)
def test_another_tool_than_the_definition_names(name: str, content: str) -> None:
    head = f'# %%% T[^a1.9f]\n\n[^a1.9f]: [tool] name="{name}"\n\n'
    text = f"the XML calls `ls`, but the definition names the tool `{name}`, which is used"
    expect(CODE, head + content + "\n", text)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("ls", "<ls><path>.</path></ls>"),
        ("ls", '<invoke name="ls"><parameter name="path">.</parameter></invoke>'),
        # Words for any call.
        ("ls", "<tool><path>.</path></tool>"),
        ("ls", '<arguments path="."/>'),
        # No element can be called so.
        ("functions.get_weather:0", "<get_weather/>"),
        ("1st", "<first/>"),
        # Nobody names the tool: MSG207.
        ("", "<ls/>"),
    ],
)
def test_the_same_tool(name: str, content: str) -> None:
    head = f'# %%% T[^a1.9f]\n\n[^a1.9f]: [tool] name="{name}"\n\n'
    expect_nothing(CODE, head + content + "\n")
