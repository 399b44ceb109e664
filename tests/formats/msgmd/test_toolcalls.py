"""The XML of tool calls: what it says, where it is wrong, and the way back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.formats.msgmd.toolcalls import (
    MAX_DEPTH,
    ToolXml,
    parse_tool_xml,
    plain_root,
    render_tool_xml,
)
from msgls.text.spans import Span
from tests.measure import seconds

_LINEAR_SECONDS = 5.0
"""Far above what linear time takes here, far below what quadratic time would."""


# ---------------------------------------------------------------------------
# Reading


@pytest.mark.parametrize(
    ("xml", "root", "arguments"),
    [
        ("<run/>", "run", {}),
        ("<run></run>", "run", {}),
        ("<run>\n</run>", "run", {}),
        ("<run>ls -l</run>", "run", {"#text": "ls -l"}),
        ("<run> ls </run>", "run", {"#text": " ls "}),
        ("<run><path>a.txt</path></run>", "run", {"path": "a.txt"}),
        ("<run>\n  <path>a.txt</path>\n  <mode/>\n</run>\n", "run", {"path": "a.txt", "mode": ""}),
        ("<run><path> a\n b </path></run>", "run", {"path": " a\n b "}),
        ("<run><blank>  </blank></run>", "run", {"blank": "  "}),
        ("<run><n>1</n><n>2</n></run>", "run", {"n": ["1", "2"]}),
        ("<run><n>1</n><n>2</n><n x='3'/></run>", "run", {"n": ["1", "2", {"@x": "3"}]}),
        ("<run><o><p>1</p></o></run>", "run", {"o": {"p": "1"}}),
        ("<run><o k='v'>t</o></run>", "run", {"o": {"@k": "v", "#text": "t"}}),
        ("<run><o k='v'> </o></run>", "run", {"o": {"@k": "v"}}),
        ("<run><a>&lt;b&gt; &amp; &quot;&apos;</a></run>", "run", {"a": "<b> & \"'"}),
        ("<run><a><![CDATA[<b> & ]]&gt;]]></a></run>", "run", {"a": "<b> & ]]&gt;"}),
        ("<run><a>x\r\ny\rz</a></run>", "run", {"a": "x\ny\nz"}),
        ("<run><a>x&#13;y</a></run>", "run", {"a": "x\ry"}),
        ("<run><a>x\u2028y\x85z</a></run>", "run", {"a": "x\u2028y\x85z"}),
        ("<run>\u00a0</run>", "run", {"#text": "\u00a0"}),
        ("<werkzeug><größe>中文 😀</größe></werkzeug>", "werkzeug", {"größe": "中文 😀"}),
    ],
)
def test_arguments(xml: str, root: str, arguments: dict[str, object]) -> None:
    assert parse_tool_xml(xml) == ToolXml(root, arguments, exact=True)


@pytest.mark.parametrize(
    ("xml", "name", "arguments"),
    [
        # The shapes that models write; all of them say `{"path": "."}` to `ls`.
        ("<ls><path>.</path></ls>", "ls", {"path": "."}),
        ('<ls path="."/>', "ls", {"path": "."}),
        ('<invoke name="ls"><parameter name="path">.</parameter></invoke>', "ls", {"path": "."}),
        (
            (
                '<function_calls>\n<invoke name="ls">\n<parameter name="path">.</parameter>\n'
                "</invoke>\n</function_calls>"
            ),
            "ls",
            {"path": "."},
        ),
        ('<tool_call>{"name": "ls", "arguments": {"path": "."}}</tool_call>', "ls", {"path": "."}),
        ('<ls>{"path": "."}</ls>', "ls", {"path": "."}),
        # Attributes beside elements and text; one that an element has, too, stays apart.
        ('<w path="a"><mode>x</mode></w>', "w", {"path": "a", "mode": "x"}),
        ('<w path="a">text</w>', "w", {"path": "a", "#text": "text"}),
        ('<w path="a"><path>b</path></w>', "w", {"@path": "a", "path": "b"}),
        ("<ns:run xmlns:ns='u'><ns:a/></ns:run>", "ns:run", {"xmlns:ns": "u", "ns:a": ""}),
        ('<invoke name="now"/>', "now", {}),
        # Nearly so, and read as it stands.
        ('<invoke name="ls"><path>.</path></invoke>', None, {"name": "ls", "path": "."}),
        ('<tool_call>{"name": "ls"}</tool_call>', None, {"name": "ls"}),
        ("<tool><path>.</path></tool>", None, {"path": "."}),
    ],
)
def test_the_shapes_that_models_write(
    xml: str, name: str | None, arguments: dict[str, object]
) -> None:
    read = parse_tool_xml(xml)
    assert (read.name, read.arguments, read.problem) == (name, arguments, None)
    # What another writing says as well is written in that one, so that nothing is lost.
    again = render_tool_xml(read.root or "", arguments)
    assert again is None or parse_tool_xml(again).arguments == arguments


@pytest.mark.parametrize(
    ("xml", "arguments"),
    [
        ("<run><!-- why --><a>1</a></run>", {"a": "1"}),
        ("<!-- why --><run><a>1</a></run>", {"a": "1"}),
        ("<run><a>1</a></run><!-- why -->", {"a": "1"}),
        ("<run><?hint x?><a>1</a></run>", {"a": "1"}),
        ("<?xml version='1.0'?><run><a>1</a></run>", {"a": "1"}),
        ("<?xml version='1.0' encoding='latin-1'?><run><a>é</a></run>", {"a": "é"}),
        ("<run>do <a>1</a></run>", {"a": "1", "#text": "do"}),
        ("<run><a>1</a> done</run>", {"a": "1", "#text": "done"}),
        ("<run>\n  do\n  <a>1</a>\n  it\n</run>", {"a": "1", "#text": "do\n  \n  it"}),
        ("<run><o>x<p/></o></run>", {"o": {"p": "", "#text": "x"}}),
        ("<run><a>1</a><b>2</b><a>3</a></run>", {"a": ["1", "3"], "b": "2"}),
        ("\ufeff<run><a>1</a></run>", {"a": "1"}),
    ],
)
def test_what_a_dict_cannot_keep_is_not_exact(xml: str, arguments: dict[str, object]) -> None:
    assert parse_tool_xml(xml) == ToolXml("run", arguments, exact=False)


def test_children_keep_their_order() -> None:
    arguments = parse_tool_xml("<run z='1'><b/><a/><b/><c/></run>").arguments
    assert arguments is not None
    assert list(arguments) == ["z", "b", "a", "c"]


@pytest.mark.parametrize(
    ("xml", "root", "span", "message"),
    [
        ("", None, (0, 0), "it has no element"),
        (" \n", None, (0, 2), "it has no element"),
        ("hello", None, (0, 1), "a tag is expected here"),
        ("<run", None, (0, 1), "this is never closed"),
        ("<run>", "run", (0, 4), "<run> is never closed"),
        ("<run>\n<größe>😀</run>", "run", (14, 20), "found </run> where </größe> is expected"),
        ("😀", None, (0, 1), "this is not allowed here"),
        ("<größe>中<b></größe>", "größe", (11, 19), "found </größe> where </b> is expected"),
        ("<a><b>😀", "a", (3, 5), "<b> is never closed"),
        ("<a></b >", "a", (3, 8), "found </b> where </a> is expected"),
        ("<a>é😀&foo;</a>", "a", (5, 10), "XML has no `&foo;`: write the character itself"),
        ("<a>&nbsp;</a>", "a", (3, 9), "XML has no `&nbsp;`: write the character itself"),
        (
            "<a j='&lt;&#65;' k='😀&foo;'/>",
            None,
            (21, 26),
            "XML has no `&foo;`: write the character itself",
        ),
        ("<a>😀 & b</a>", "a", (5, 6), "write & as &amp;"),
        ("<a>1 < 2</a>", "a", (5, 6), "write < as &lt;"),
        ("<a k=1/>", None, (5, 6), "the value of an attribute needs quotes"),
        ("<a k='1' k='2'/>", None, (9, 10), "duplicate attribute"),
        ("<a/><b/>", "a", (4, 5), "only one element is allowed here"),
        ("<中/>é", "中", (4, 5), "only one element is allowed here"),
        ("<中/>😀", "中", (4, 5), "this is not allowed here"),
        ("<a><![CDATA[é", "a", (3, 12), "this `<![CDATA[` is never closed"),
        ("<a><!-- é", "a", (3, 4), "this is never closed"),
        ("<a>é\x00</a>", None, (4, 5), "the character U+0000 is not allowed in XML"),
        ("<a>😀\ud800</a>", None, (4, 5), "the character U+D800 is not allowed in XML"),
        ("<a>\ufffe</a>", None, (3, 4), "the character U+FFFE is not allowed in XML"),
        ("<a>&#0;</a>", "a", (3, 4), "there is no such character"),
    ],
)
def test_problems(xml: str, root: str | None, span: tuple[int, int], message: str) -> None:
    parsed = parse_tool_xml(xml)
    assert parsed.problem is not None
    assert (parsed.root, parsed.problem.span, parsed.problem.message) == (root, span, message)
    assert parsed.arguments is None
    assert not parsed.exact


@pytest.mark.parametrize(
    ("xml", "start"),
    [
        ("<!DOCTYPE a><a/>", 0),
        ("<!-- 😀 --> <!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>", 11),
        ('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', 0),
        ('<!DOCTYPE a [<!ENTITY % b SYSTEM "x"> %b;]><a/>', 0),
        (
            '<!DOCTYPE a [<!ENTITY l0 "x">'
            + "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 30))
            + "]><a>&l29;</a>",
            0,
        ),
    ],
)
def test_a_document_type_is_refused_before_anything_is_declared(xml: str, start: int) -> None:
    parsed = parse_tool_xml(xml)
    assert parsed.arguments is None
    assert parsed.problem is not None
    assert parsed.problem.span == Span(start, start + len("<!DOCTYPE"))
    assert parsed.problem.message == "a document type or an entity declaration is not allowed"


def _nested(depth: int) -> str:
    return "<a>" * depth + "</a>" * depth


def test_nesting_is_bounded() -> None:
    assert parse_tool_xml(_nested(MAX_DEPTH)).problem is None
    parsed = parse_tool_xml(_nested(MAX_DEPTH + 1))
    assert parsed.problem is not None
    assert parsed.problem.span == Span(3 * MAX_DEPTH, 3 * MAX_DEPTH + 1)
    assert parsed.problem.message == "elements nest deeper than 100 levels"


HOSTILE = pytest.mark.parametrize(
    "xml",
    [
        _nested(50_000),
        "<a>" * 50_000,
        "<a>" + "<b/>" * 50_000 + "</a>",
        "<a>" + "<b/><c/>" * 50_000 + "</a>",
        "<a>" + "&amp;" * 100_000 + "</a>",
        "<a>" + "é😀" * 100_000 + "&x;</a>",
        "<a " + "<" * 100_000,
        "<" * 100_000,
        "<!--" * 100_000,
    ],
)


@HOSTILE
def test_hostile_elements_are_read(xml: str) -> None:
    parse_tool_xml(xml)


@pytest.mark.fuzz
@HOSTILE
def test_time_is_linear(xml: str) -> None:
    assert seconds(lambda: parse_tool_xml(xml)) < _LINEAR_SECONDS


# ---------------------------------------------------------------------------
# Rendering


@pytest.mark.parametrize(
    ("arguments", "xml"),
    [
        ({}, "<run/>"),
        ({"#text": "ls"}, "<run>ls</run>"),
        # An attribute of the root is an argument like its elements, so these are not.
        ({"@shell": "bash"}, '<run>\n{\n  "@shell": "bash"\n}\n</run>'),
        ({"path": "a", "mode": ""}, "<run>\n  <path>a</path>\n  <mode/>\n</run>"),
        ({"b": "1", "a": "2"}, "<run>\n  <b>1</b>\n  <a>2</a>\n</run>"),
        ({"n": ["1", ""]}, "<run>\n  <n>1</n>\n  <n/>\n</run>"),
        (
            {"o": {"@k": "v", "p": {"q": "<&>\"'"}}},
            '<run>\n  <o k="v">\n    <p>\n      <q>&lt;&amp;&gt;"\'</q>\n    </p>\n  </o>\n</run>',
        ),
        ({"a": "x\n  y\n"}, "<run>\n  <a>x\n  y\n</a>\n</run>"),
        ({"a": " \n"}, "<run>\n  <a> \n</a>\n</run>"),
        ({"a": "x\r\ny"}, "<run>\n  <a>x&#13;\ny</a>\n</run>"),
        (
            {"o": {"@k": 'a"b\nc\td\re <'}},
            '<run>\n  <o k="a&quot;b&#10;c&#9;d&#13;e &lt;"/>\n</run>',
        ),
        ({"größe": "中文 😀\u2028"}, "<run>\n  <größe>中文 😀\u2028</größe>\n</run>"),
    ],
)
def test_rendering(arguments: dict[str, object], xml: str) -> None:
    assert render_tool_xml("run", arguments) == xml


@pytest.mark.parametrize(
    "arguments",
    [
        {"a": 1},
        {"a": 1.5},
        {"a": True},
        {"a": None},
        {"@a": 1},
        {"#text": None},
        {"#text": ""},
        {"#text": " \n"},
        {"a": {"#text": "x"}},
        {"a": {"@k": "v", "#text": " "}},
        {"a": {}},
        {"a": []},
        {"a": ["x"]},
        {"a": ["x", 1]},
        {"a": ["x", ["y", "z"]]},
        {"a": ["x", {}]},
        {"a": "x", "#text": "y"},
        {"": "x"},
        {"@": "x"},
        {"#other": "x"},
        {"1a": "x"},
        {"-a": "x"},
        {"a b": "x"},
        {"a/": "x"},
        {"a><b": "x"},
        {'a k="v"': "x"},
        {"!--": "x"},
        {"?pi": "x"},
        {"😀": "x"},
        {"@a b": "x"},
        {"a": "\x00"},
        {"a": "\x1b[0m"},
        {"a": "\ud800"},
        {"a": "\ufffe"},
        {"@a": "\x0c"},
    ],
)
def test_what_no_elements_say_is_json_in_the_root(arguments: dict[str, object]) -> None:
    xml = render_tool_xml("run", arguments)
    assert xml is not None
    assert xml.startswith("<run>\n{\n")
    parsed = parse_tool_xml(xml)
    assert (parsed.root, parsed.arguments, parsed.exact) == ("run", arguments, True)


@pytest.mark.parametrize("arguments", [{"a": b"x"}, {"a": ("x", "y")}, {"a": float("nan")}])
def test_what_is_not_json_is_not_rendered(arguments: dict[str, object]) -> None:
    assert render_tool_xml("run", arguments) is None


@pytest.mark.parametrize(
    ("xml", "arguments"),
    [
        ('<f>{"n": 2}</f>', {"n": 2}),
        ('<f>\n  {"a": "&lt;"}\n</f>', {"a": "<"}),
        ("<f>{}</f>", {}),
        # No object, no JSON, or something beside it: then it is a text.
        ("<f>[1]</f>", {"#text": "[1]"}),
        ('<f>{"n": 2} and</f>', {"#text": '{"n": 2} and'}),
        ('<f k="v">{"n": 2}</f>', {"k": "v", "#text": '{"n": 2}'}),
        ('<f><g>{"n": 2}</g></f>', {"g": '{"n": 2}'}),
        ('<f>{"n": NaN}</f>', {"#text": '{"n": NaN}'}),
    ],
)
def test_json_in_the_root_is_read(xml: str, arguments: dict[str, object]) -> None:
    assert parse_tool_xml(xml).arguments == arguments


@pytest.mark.parametrize("root", ["", "1", "a b", "😀", "a>", "@a", "a\n"])
def test_a_root_that_is_not_a_name_is_not_rendered(root: str) -> None:
    assert render_tool_xml(root, {}) is None


def test_a_key_that_is_not_text_is_not_rendered() -> None:
    arguments: dict[object, object] = {1: "x"}
    assert render_tool_xml("run", arguments) is None  # type: ignore[arg-type]


def test_too_deep_arguments_are_json_and_endless_ones_are_not_rendered() -> None:
    endless: dict[str, object] = {}
    endless["a"] = endless
    assert render_tool_xml("a", endless) is None
    deep: dict[str, object] = {"a": "x"}
    for _ in range(MAX_DEPTH - 2):
        deep = {"a": deep}
    assert "{" not in (render_tool_xml("a", deep) or "{")
    assert (render_tool_xml("a", {"a": deep}) or "").startswith("<a>\n{")


# ---------------------------------------------------------------------------
# Properties

_names = st.sampled_from(["a", "b", "path", "größe", "中", "x-y.z", "n:s", "_"])
_texts = st.text() | st.text(alphabet=" \t\r\n<>&'\"]x😀", max_size=8)


def _members(values: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    attributes = st.dictionaries(_names.map("@".__add__), _texts, max_size=3)
    children = st.dictionaries(_names, values | st.lists(values, max_size=3), max_size=3)
    text = st.dictionaries(st.just("#text"), _texts)
    return st.builds(lambda a, c, t: {**a, **c, **t}, attributes, children, text)


_values = st.recursive(_texts, _members, max_leaves=8)
_odd_values = st.recursive(
    st.text() | st.none() | st.integers() | st.booleans(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(_names, _members(_values))
def test_what_is_rendered_reads_as_the_same(root: str, arguments: dict[str, object]) -> None:
    xml = render_tool_xml(root, arguments)
    if xml is not None:
        assert parse_tool_xml(xml) == ToolXml(root, arguments, exact=True)


@given(st.text(), st.dictionaries(st.text(), _odd_values))
def test_rendering_never_raises(root: str, arguments: dict[str, object]) -> None:
    xml = render_tool_xml(root, arguments)
    if xml is not None:
        assert parse_tool_xml(xml) == ToolXml(root, arguments, exact=True)


_PIECES = [
    *("<a>", "</a>", "<b k='1'>", "</b>", "<c/>", "<a", ">", "<", "&", "&amp;", "&#13;", "&x;"),
    *("<!--", "-->", "<![CDATA[", "]]>", "<?p ?>", "<!DOCTYPE a>", "<?xml version='1.0'?>"),
    *(" ", "\n", "\r", "x", "é", "😀", "\u2028", "\x00", "\ud800", "\ufeff", "'", '"', "="),
]
_pieces = st.lists(st.sampled_from(_PIECES), max_size=20).map("".join)


@given(_pieces | st.text())
def test_reading_never_raises_and_problems_lie_in_the_text(xml: str) -> None:
    parsed = parse_tool_xml(xml)
    assert (parsed.problem is None) == (parsed.arguments is not None)
    if parsed.problem is not None:
        start, end = parsed.problem.span
        assert 0 <= start <= end <= len(xml)
        assert parsed.problem.message


@given(_pieces.map(lambda inner: f"<r>{inner}</r>"))
def test_what_is_exact_can_be_rendered(xml: str) -> None:
    parsed = parse_tool_xml(xml)
    if parsed.exact and parsed.root is not None and parsed.arguments is not None:
        rendered = render_tool_xml(parsed.root, parsed.arguments)
        assert rendered is not None
        assert parse_tool_xml(rendered) == parsed


@pytest.mark.parametrize(
    ("xml", "plain"),
    [
        ("<a></a>", True),
        ("<a>\n  <b>x 😀</b>\n  <c></c>\n</a>\n", True),
        ("<a><b>x</c></a>", False),
        ("<a><b>x &amp; y</b></a>", False),
        ("<a><b>]]></b></a>", False),
        ("<a><b>\x00</b></a>", False),
        ("<a><b/></a>", False),
        ("text <a></a>", False),
        ("<a></b>", False),
    ],
)
def test_what_is_plain_is_told_at_a_glance(xml: str, plain: bool) -> None:
    assert (plain_root(xml) is not None) is plain
    if plain:
        assert parse_tool_xml(xml).problem is None
