"""The page: what it shows, and what it never lets through."""

import base64
import json
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.conversation.messages import ToolCall
from msgls.conversation.writers.page.calls import arguments as shown_arguments
from msgls.conversation.writers.page.calls import summary_of
from msgls.conversation.writers.page.differences import Edit, difference
from msgls.conversation.writers.page.elements import (
    Safe,
    code_block,
    element,
    escaped,
    image,
    image_at,
    is_linkable,
    joined,
    link,
)
from msgls.conversation.writers.page.page import page, page_title
from msgls.conversation.writers.page.prose import prose
from msgls.conversation.writers.page.style import COLOURS
from msgls.document.document import Document
from msgls.text.translation import say

PIXEL = base64.b64encode(
    bytes.fromhex(
        "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c4944415408d7"
        "63f8cfc000000301010018dd8db00000000049454e44ae426082"
    )
).decode()

# Every element and attribute that a page may have, whatever the transcript says.
_TAGS = """
html head meta title style body header h1 h2 h3 h4 h5 h6 p nav ol ul li a span bdi main section
article div time details summary pre code img em strong s blockquote hr br table thead tbody tr
th td ins del"""
_ATTRIBUTES = """
lang charset http-equiv content name class id href rel dir tabindex role aria-label
aria-labelledby datetime src alt loading start"""
TAGS, ATTRIBUTES = frozenset(_TAGS.split()), frozenset(_ATTRIBUTES.split())


class Found(HTMLParser):
    """The elements of a page, and every way out of it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.problems: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()
        self.problems += [f"unclosed {tag}" for tag in self.open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in TAGS:
            self.problems.append(f"<{tag}>")
        if tag not in ("meta", "img", "br", "hr"):
            self.open.append(tag)
        for name, value in attrs:
            if name not in ATTRIBUTES:
                self.problems.append(f"<{tag} {name}>")
            if name == "href" and not re.match(r"#|https?://|mailto:", value or ""):
                self.problems.append(f"{name}={value}")
            if name == "src" and not re.match(
                r"data:image/(png|jpeg|gif|webp);base64,", value or ""
            ):
                self.problems.append(f"{name}={value}")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("br", "hr"):
            return
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"</{tag}>")


def made(text: str, name: str = "talk.msg.md", everything: bool = True) -> str:
    return page("talk", [Document.open(name, text)], everything=everything)


def message(text: str, attributes: str = "", id: str = "m1") -> str:
    return f"# %% Title[^{id}]\n\n[^{id}]: [markdown]{attributes}\n\n{text}\n"


def content(text: str) -> str:
    return prose(text, {}, str)


# -- text never becomes HTML ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("a<b>&\"'", "a&lt;b&gt;&amp;&quot;&#39;"),
        ("\0\x08\x1b\x7f", "\ufffd" * 4),
        ("a\tb\nc\r", "a\tb\nc\r"),
        ("\ud800x", "\ufffdx"),
    ],
)
def test_text_is_escaped(text: str, html: str) -> None:
    assert escaped(text) == html
    assert element("p", text, id=text) == f'<p id="{html}">{html}</p>'
    assert joined([text, Safe("<br>")]) == html + "<br>"


def test_html_has_no_place_in_an_attribute() -> None:
    assert element("p", title=Safe('"><script>')) == '<p title="&quot;&gt;&lt;script&gt;"></p>'


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        " javascript:alert(1)",
        "java\nscript:alert(1)",
        "vbscript:x",
        "data:text/html,<script>alert(1)</script>",
        "data:text/html;base64,PHNjcmlwdD4=",
        "file:///etc/passwd",
        "//example.com/x",
        "/x",
        "x.md",
        "https://a b",
        "https:\\\\example.com",
        "",
    ],
)
def test_a_page_leads_only_to_the_web(address: str) -> None:
    assert not is_linkable(address)
    assert "<a" not in link(address, "label")
    assert "<img" not in image_at(address, "alt", str)


def test_links_say_nothing_about_where_they_were_found() -> None:
    assert link("https://example.com/?a=1&b", "x") == (
        '<a href="https://example.com/?a=1&amp;b" rel="noopener noreferrer">x</a>'
    )
    assert content("[x](<mailto:a@example.com>)") == (
        '<p><a href="mailto:a@example.com" rel="noopener noreferrer">x</a></p>\n'
    )


@pytest.mark.parametrize(
    ("source", "start"),
    [
        (image("image/png", PIXEL, "a", str), '<img src="data:image/png;base64,iVBOR'),
        (image("IMAGE/PNG; x", f"{PIXEL[:9]}\n{PIXEL[9:]}", "a", str), '<img src="data:image/png;'),
        (
            image_at(f"data:image/png;base64,{PIXEL}", "a", str),
            '<img src="data:image/png;base64,iVBOR',
        ),
        (
            image("image/svg+xml", PIXEL, "a", str),
            '<span class="inert">[a: images of type image/svg',
        ),
        (image("text/html", PIXEL, "", str), '<span class="inert">['),
        (
            image("image/png", 'x" onerror="alert(1)', "a", str),
            '<span class="inert">[a: its data is no',
        ),
        (image_at("https://example.com/a.png", "a", str), '<a href="https://example.com/a.png"'),
        (image_at("data:image/svg+xml;base64,AAAA", "a", str), '<span class="inert">['),
    ],
)
def test_only_bytes_of_plain_images_are_shown(source: str, start: str) -> None:
    assert source.startswith(start)


# -- Markdown ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("<b>x</b>", "<p>&lt;b&gt;x&lt;/b&gt;</p>\n"),
        ("<div onclick=x>\n\n</div>", "<p>&lt;div onclick=x&gt;</p>\n<p>&lt;/div&gt;</p>\n"),
        ("# One\n\n## Two", "<h3>One</h3><h4>Two</h4>"),
        ("###### Six", "<h6>Six</h6>"),
        ("https://example.com", "<p>https://example.com</p>\n"),
        ("[x](javascript:a)", '<p><span class="inert">x (<code>javascript:a</code>)</span></p>\n'),
        ("a\nb", "<p>a\nb</p>\n"),
        ("~~a~~", "<p><s>a</s></p>\n"),
        ("[^nobody]", "<p>[^nobody]</p>\n"),
    ],
)
def test_markdown_is_shown_and_html_is_not(text: str, html: str) -> None:
    assert content(text) == html


@pytest.mark.parametrize(
    "text",
    [
        "> " * 10 + "word",
        "> " * 39 + "word",
        "> " * 200 + "word",
        "".join([" " * 2 * level + "- x\n" for level in range(100)]) + " " * 200 + "- word",
        "[" * 50_000 + "word",
        "a\n\n" + "*a_ " * 20_000 + "word",
        "x " * 500_001 + "word",
    ],
    ids=["shallow", "limit", "quotes", "lists", "brackets", "emphasis", "long"],
)
def test_nothing_is_left_out_however_deep_or_long(text: str) -> None:
    assert "word" in content(text)


def test_a_footnote_leads_to_its_cell() -> None:
    assert prose("see [^m1]", {"m1": "cell-m1"}, str) == '<p>see <a href="#cell-m1">[m1]</a></p>\n'
    assert prose("`[^m1]`", {"m1": "cell-m1"}, str) == "<p><code>[^m1]</code></p>\n"


@pytest.mark.parametrize(
    "formula",
    [
        r"$A = 3.20 \times 0.62 = 1.984\,m^2$",
        r"$x_i * y_i * z$",
        "$$\na_1 &= b \\\\\nc &= *d*\n$$",
        r"\(a_1 * b_1 * c\)",
        "\\[\na \\\\\nb\n\\]",
        r"\[ x \, y \]",
    ],
)
def test_a_formula_stands_as_it_is(formula: str) -> None:
    assert (
        content(f"so {formula}, *and*")
        == f"<p>so <code>{escaped(formula)}</code>, <em>and</em></p>\n"
    )


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("$5 and *$10*", "$5 and <em>$10</em>"),
        ("$5/$10 *a*", "$5/$10 <em>a</em>"),
        ("$HOME and $PATH *a*", "$HOME and $PATH <em>a</em>"),
        (r"\$a *b*\$", "$a <em>b</em>$"),
        (r"$a\$ *b*", "$a$ <em>b</em>"),
        (r"\[a\] \[*b*\]", "[a] [<em>b</em>]"),
        (r"\(*a*", "(<em>a</em>"),
        (r"\\(*a*\\)", r"\(<em>a</em>\)"),
        ("$$*a*", "$$<em>a</em>"),
        ("`$a` *b* $", "<code>$a</code> <em>b</em> $"),
        ("\\(" + "x" * 2_000 + "\\)", "(" + "x" * 2_000 + ")"),
    ],
)
def test_what_is_no_formula_is_markdown(text: str, html: str) -> None:
    assert content(text) == f"<p>{html}</p>\n"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_a_page_says_of_an_image_is_in_its_language(language: str) -> None:
    images = "![x](a.png) ![](b.png) ![](data:image/svg+xml;base64,eA==)"
    told = prose(images, {}, lambda phrase: say(phrase, language))
    words = {
        "en": ("Image: x", "Image (", "Image of type image/svg+xml: images of type"),
        "zh": ("图像：x", "图像 (", "image/svg+xml 类型的图像：不显示"),
    }
    assert [word for word in words[language] if word not in told] == []


def test_line_ends_of_who_typed_them_stay() -> None:
    assert prose("a\nb", {}, str, breaks=True) == "<p>a<br>\nb</p>\n"


def test_code_is_coloured_where_its_language_is_known() -> None:
    assert '<span class="k">def</span>' in code_block("def f(): pass", "python")
    assert '<span class="k">def</span>' in content("```python title=x\ndef f(): pass\n```")
    for language in ("", "nothing-we-know", "<script>"):
        assert "<span" not in code_block("def f(): pass", language)
    # A lexer may take forever on a line like this.
    assert "<span" not in code_block("(" * 5_000, "python")


@pytest.mark.parametrize("language", ["python", "html", "json", "diff", "javascript", "css"])
def test_code_in_colours_is_the_same_code(language: str) -> None:
    code = "\n\n  <a href='x'>&amp;</a>\t{\"a\": [1]} /* c */ # d\r\n\n"
    shown = re.sub(r"<[^>]*>", "", code_block(code, language))
    unescaped = shown.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"')
    unescaped = unescaped.replace("&#39;", "'").replace("&amp;", "&")
    assert unescaped == code.replace("\r\n", "\n")


# -- the page ---------------------------------------------------------------------------------


def test_nothing_is_loaded_and_nothing_runs() -> None:
    text = made(message("Hello"))
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert policy is not None
    assert policy.group(1).startswith("default-src &#39;none&#39;; style-src &#39;sha256-")
    assert "unsafe" not in policy.group(1)
    assert "<script" not in text
    assert "url(" not in text


@pytest.mark.parametrize(
    ("attributes", "mark"),
    [
        (" history=0", "not sent to the model: history=0"),
        (" history=summary", "for the model, replaced by its summary"),
        (" virtual=1", "not sent to the model: it is virtual"),
        ("", None),
    ],
)
def test_what_the_model_does_not_see_is_marked(attributes: str, mark: str | None) -> None:
    text = made(message("Hello", attributes))
    assert ('class="user unseen"' in text) == (mark is not None)
    if mark is not None:
        assert f'<span class="mark">{mark}</span>' in text


def test_before_a_reset_nothing_is_seen() -> None:
    reset = "# %%% [^r]\n\n[^r]: [bot] boot=1 virtual=1 reset=1\n\nHi.\n"
    text = made(message("Old") + reset + message("New", id="m2"))
    assert text.count("it is before the last reset") == 1
    assert text.count('class="user unseen"') == 1


def test_an_excluded_call_is_marked_and_its_answer_is_not() -> None:
    calls = "".join(
        f'# %%% [^a1.{nonce}]\n\n[^a1.{nonce}]: [tool] name="t{nonce}"{rest}\n\n<t/>\n\n'
        for nonce, rest in (("n1", ""), ("n2", " history=0"))
    )
    text = made("# %%% [^a1]\n\n[^a1]: [bot]\n\nHi.\n\n" + calls)
    assert text.count('class="assistant unseen"') == 1
    assert text.index(">tn1<") < text.index('class="assistant unseen"') < text.index(">tn2<")


def test_what_the_model_does_not_see_is_on_the_page_only_if_asked_for() -> None:
    text = (
        message("Old", id="m1")
        + "# %%% [^r]\n\n[^r]: [bot] reset=1 boot=1 virtual=1\n\nAfresh\n\n"
        + message("Secret", " history=exclude", id="m2")
        + message("Long story", ' history=summary summary="Short"', id="m3")
        + message("Plain", id="m4")
    )
    shown = made(text, everything=False)
    assert "Plain" in shown
    assert "Short" in shown
    assert not any(word in shown for word in ("Old", "Afresh", "Secret", "Long story"))
    assert all(word in made(text) for word in ("Old", "Afresh", "Secret", "Long story"))


def test_the_definition_of_an_agent_is_a_card() -> None:
    text = '# %% [^d]\n\n[^d]: [markdown] definition="agent" name="tmp"\n\n---\nmodels: [x]\n---\n'
    shown = made(text, everything=False)
    assert "Agent tmp" in shown
    assert "an agent of this conversation; not sent to the model" in shown
    assert "<h4>" not in shown


def call(name: str, arguments: dict[str, object], result: str = "", attributes: str = "") -> str:
    """An answer with a call, and its result."""
    xml = f"<{name}>{escaped(json.dumps(arguments))}</{name}>"
    text = (
        "# %%% [^a1]\n\n[^a1]: [bot]\n\nHi.\n\n"
        f'## %%% [^a1.n]\n\n[^a1.n]: [tool] name="{name}"{attributes}\n\n{xml}\n\n'
    )
    return text + (f"## %%% [^a1.n.1]\n\n[^a1.n.1]: [tool] {result}\n" if result else "")


def test_a_call_is_folded_with_its_result_in_one_line() -> None:
    text = made(call("look", {"at": "x y"}, 'status="failure" duration="2s"\n\nNo.'))
    assert (
        '<summary><code>look</code> <bdi class="gist" lang="">x y</bdi>'
        '<span class="failed"> failed</span> · 2s</summary>'
    ) in text
    assert text.count("<article") == text.count("<details") == 1
    assert text.index("<details") < text.index("No.") < text.index("</details>")
    assert "<details open" not in text


def test_a_result_that_is_seen_in_another_way_than_its_call_stands_alone() -> None:
    text = made(call("look", {}, 'status="success" history=none\n\nHidden.'))
    assert "<summary>Result of <code>look</code></summary>" in text
    assert text.index('class="tool unseen"') < text.index("Hidden.")


@pytest.mark.parametrize(
    ("arguments", "summary"),
    [
        ({"description": "Run the tests", "command": "pytest -q"}, "pytest -q"),
        ({"command": ["bash", "-lc", "git status"]}, "git status"),
        ({"command": ["ls", "-l"]}, "ls -l"),
        ({"path": "/srv", "pattern": "def total"}, "def total"),
        ({"limit": 3, "file_path": "/srv/cart.py"}, "/srv/cart.py"),
        ({"prompt": "Look\n\nat  it.", "description": "Look"}, "Look"),
        ({"input": "*** Begin Patch\n*** Update File: a.py\n*** Add File: b.py\n"}, "a.py, b.py"),
        ({"unheard": "of"}, "of"),
        ({"number": 3}, ""),
        ({"command": "x" * 300}, "x" * 99 + "…"),
    ],
)
def test_one_line_says_what_a_call_is_about(arguments: dict[str, object], summary: str) -> None:
    given = ToolCall(tool_call_id="c", tool_name="t", arguments=arguments)
    assert summary_of(given) == summary


EDIT = (
    '<pre class="diff" tabindex="0" role="group" aria-label="Changes: cart.py"> def total():\n'
    "<del>-    return max(items)\n</del><ins>+    return sum(items)</ins></pre>"
)


@pytest.mark.parametrize(
    "arguments",
    [
        {"file_path": "cart.py", "old_string": "OLD", "new_string": "NEW"},
        {"filePath": "cart.py", "oldString": "OLD", "newString": "NEW"},
        {"path": "cart.py", "command": "str_replace", "old_str": "OLD", "new_str": "NEW"},
        {"file_path": "cart.py", "edits": [{"old_string": "OLD", "new_string": "NEW"}]},
    ],
)
def test_edits_are_shown_as_differences(arguments: dict[str, object]) -> None:
    written = json.dumps(arguments)
    written = written.replace("OLD", "def total():\\n    return max(items)")
    written = written.replace("NEW", "def total():\\n    return sum(items)")
    shown = arguments_shown(json.loads(written))
    assert EDIT in shown
    assert "old" not in shown.replace("fold", "")


def arguments_shown(arguments: dict[str, object]) -> str:
    return shown_arguments(ToolCall(tool_call_id="c", tool_name="t", arguments=arguments))


def test_patches_and_written_files_are_shown_as_such() -> None:
    patch = "*** Begin Patch\n*** Update File: a.py\n@@\n-old\n+new\n*** End Patch"
    assert "<del>-old\n</del><ins>+new\n</ins>" in arguments_shown({"input": patch})
    written = arguments_shown({"file_path": "a.py", "content": "def f(): pass\n"})
    assert '<span class="k">def</span>' in written


def test_edits_in_an_answer_are_differences() -> None:
    block = "<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n"
    assert "<del>-old\n</del><ins>+new</ins>" in content(f"```python\n{block}{block}```")
    # Nothing else may stand in such a block: it would be lost.
    for other in (f"{block}more\n", block[:-18], block.replace("=======\n", "")):
        assert "<ins>" not in content(f"```python\n{other}```")


def test_long_stretches_that_did_not_change_are_left_out_of_a_difference() -> None:
    lines = [f"line {number}" for number in range(20)]
    text = difference(Edit("", "\n".join(lines), "\n".join([*lines[:10], "new", *lines[11:]])))
    shown = re.sub(r"<[^>]*>", "", text).split("\n")
    assert shown == [
        "…", " line 7", " line 8", " line 9", "-line 10", "+new", " line 11", " line 12",
        " line 13", "…",
    ]  # fmt: skip


@given(*[st.lists(st.sampled_from("abc"), max_size=9)] * 2)
def test_a_difference_has_both_texts(before: list[str], after: list[str]) -> None:
    text = difference(Edit("", "\n".join(before), "\n".join(after)))
    lines = re.sub(r"<[^>]*>", "", text).split("\n")
    if "…" not in lines:
        assert [line[1:] for line in lines if not line.startswith("+")] == (before or [""])
        assert [line[1:] for line in lines if not line.startswith("-")] == (after or [""])


def test_sub_agents_are_folded_where_they_were_started() -> None:
    inner = "".join(
        f"### %%% {title}[^s{number}]\n\n[^s{number}]: [Scout] history=none\n\nStep {number}.\n\n"
        for number, title in enumerate(("Look around", "", ""))
    )
    text = made(call("Task", {"prompt": "x"}) + inner + "# %%% [^a2]\n\n[^a2]: [bot]\n\nDone.\n")
    fold = text.index(
        '<details class="agents"><summary>Agent Scout <bdi class="title" lang="">Look'
    )
    assert text.index(">Task<") < fold < text.index("Step 0.") < text.index("Step 2.")
    assert text.index("Step 2.") < text.index('id="cell-a2"')
    assert 'href="#cell-s0"' not in text.partition("</nav>")[0]


def test_a_long_transcript_lists_what_people_said() -> None:
    answers = "".join(
        f"# %% [^q{number}]\n\n[^q{number}]: [markdown]\n\nQ\n\n"
        f"# %%% [^b{number}]\n\n[^b{number}]: [bot]\n\nA\n\n"
        for number in range(201)
    )
    contents = made(answers).partition("</nav>")[0]
    assert contents.count('href="#cell-q') == 201
    assert 'href="#cell-b' not in contents
    assert 'href="#cell-b' in made(answers[: len(answers) // 2]).partition("</nav>")[0]


def test_outputs_are_shown_by_stream_and_images_as_images() -> None:
    code = "# %% [^c]\n\n[^c]: [code]\n\n```py\nx\n```\n\n"
    out = '# %%% [^c.1]\n\n[^c.1]: [python] status="success"\n\nstdout> one\nstderr> <two>\n\n'
    png = f'# %%% [^c.2]\n\n[^c.2]: [python] status="success" mime_type="image/png"\n\n{PIXEL}\n'
    text = made(code + out + png)
    assert 'aria-label="Standard output">one</pre>' in text
    assert 'aria-label="Standard error">&lt;two&gt;</pre>' in text
    assert f'<img src="data:image/png;base64,{PIXEL}" alt="Image, Output 2 of c"' in text


def test_a_comment_for_msgls_is_not_on_the_page() -> None:
    text = made("<!-- msgls: ignore MSG105 -->\n\nBefore all.\n\n" + message("Hello"))
    assert "ignore" not in text
    assert "Before all." in text


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ('---\ntitle: "The cart"\n---\n', "The cart"),
        ("---\ntitle: [1]\n---\n", "talk"),
        ("---\ntitle: [\n---\n", "talk"),
        ("", "talk"),
    ],
)
def test_a_page_is_called_as_the_conversation_is(text: str, title: str) -> None:
    assert page_title("talk.msg.md", [Document.open("talk.msg.md", text + message("x"))]) == title


def test_a_page_without_messages_says_so() -> None:
    assert "There are no messages." in made("")


def test_the_same_id_twice_gives_two_places() -> None:
    text = made(message("One") + message("Two"))
    assert 'id="cell-m1"' in text
    assert 'id="message-2"' in text


HOSTILE = (
    "<script>x</script>",
    '"><img src=x onerror=alert(1)>',
    "</title></style></pre></code><svg onload=alert(1)>",
    "[a](javascript:alert(1)) ![b](javascript:c) <javascript:alert(1)>",
    '[x](https://example.com/"onmouseover="alert(1)) [y](https://e.com "t\\" onclick=x")',
    "```<script>\n</code></pre><script>\n```",
    "|<b>|\n|:-:|\n|`</td>`|",
    "<!-- --><![CDATA[x]]><?php ?>&lt;&#60;script&#62;",
    "1. a\n7. b\n\n> c\n\n***\n",
    "\ue000\ufffe\0\u202e",
)


@given(st.lists(st.sampled_from(HOSTILE) | st.text(max_size=12), max_size=4), st.data())
def test_whatever_is_said_the_page_has_only_its_own_elements(
    texts: list[str], data: st.DataObject
) -> None:
    between = data.draw(st.sampled_from(["", " ", "\n", "\n\n"]))
    text = between.join(texts)
    line = re.sub(r"[\r\n]", " ", text)
    for source, name in (
        (f"# %% {line}[^m1]\n\n[^m1]: [markdown]\n\n{text}\n", "a.msg.md"),
        (f'{text}\n\n# %%% [^a.b]\n\n[^a.b]: [tool] name="{line}"\n\n{text}\n', "a.msg.md"),
        (f"# %% [^c]\n\n[^c]: [raw]\n\n{text}\n", "a.msg.md"),
        (f"@user\n{text}\n@ai\n{text}\n@tool call_id=x\n{text}\n", "a.stf"),
    ):
        assert Found(made(source, name)).problems == []


# -- colours ----------------------------------------------------------------------------------

BACKGROUNDS = ("page", "raised")


def luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("name", [name for name in COLOURS if name not in (*BACKGROUNDS, "line")])
def test_every_text_can_be_read(name: str, scheme: int) -> None:
    for background in BACKGROUNDS:
        pair = sorted(luminance(COLOURS[which][scheme]) for which in (name, background))
        assert (pair[1] + 0.05) / (pair[0] + 0.05) >= 4.5
