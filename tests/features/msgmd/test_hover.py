"""Hover: the range that is spoken of, and what is said."""

from msgls.document.snapshot import Surroundings
from msgls.features.hover import hover
from msgls.features.markup import markdown
from tests.features.msgmd.sample import CONVERSATION, opened
from tests.notation import mark, table, unmark
from tests.snapshots import snapshot_of

ANSWER = "# %%% A[^a1]\n\n[^a1]: [gpt]\n\n"
CALL = '# %%% C[^a1.9f3d]\n\n[^a1.9f3d]: [tool] name="look"\n\n<look/>\n\n'
RESULT = '# %%% R[^a1.9f3d.1]\n\n[^a1.9f3d.1]: [tool] status="success"\n\nfine\n\n'


def said(source: str, others: tuple[str, ...] = ()) -> tuple[str, str]:
    """The text with the hover's range marked, and the hover as Markdown."""
    marked = unmark(source)
    found = hover(snapshot_of(opened(marked.text), Surroundings(frozenset(others))), marked.cursor)
    assert found is not None, "nothing is said"
    return mark(marked.text, [("", found.span)]), markdown(found.parts)


RANGES = {
    "marker": ("«# ¦%%» Title[^m]\n\n[^m]: [markdown]\n", "**Message** `m` “Title”"),
    "title": ("# %% «Ti¦tle»[^m]\n\n[^m]: [markdown]\n", "**Message** `m` “Title”"),
    "id in the header": ("# %% Title[^«¦m»]\n\n[^m]: [markdown]\n", "**Message** `m` “Title”"),
    "after the bracket": ("# %% T[^«m»]¦\n\n[^m]: [markdown]\n", "**Message** `m` “T”"),
    "id in the definition": ("# %% T[^m]\n\n[^«m¦»]: [raw]\n\nhi\n", "```markdown\nhi\n```"),
    "reference": ("# %% T[^m]\n\n[^m]: [raw]\n\nhi [^«m¦»]\n", "**Message** `m` “T”"),
    "footnote": ("# %% T[^m]\n\n[^m]: [raw]\n\n[^«¦n»]\n\n[^n]: note\n", "```\nnote\n```"),
    "parent in a child": (ANSWER + CALL.replace("[^a1.", "[^«¦a1».", 1), "**Answer** `a1`"),
    "nonce": (ANSWER + CALL.replace("[^a1.9f3d]", "[^a1.«9f¦3d»]", 1), "**Nonce** `9f3d`"),
    "nonce of a result": (
        ANSWER + CALL + RESULT.replace("9f3d.1", "«9¦f3d».1", 1),
        "“C” of `look`",
    ),
    "number of a result": (
        ANSWER + CALL + RESULT.replace("9f3d.1", "9f3d.«¦1»", 1),
        "Belongs to tool call `a1.9f3d` “C”",
    ),
    "type": ("# %% T[^m]\n\n[^m]: [«co¦de»]\n", "code to run".capitalize()),
    "key": ("# %% T[^m]\n\n[^m]: [raw] «his¦tory»=none\n", "Values: `include`"),
    "value": ("# %% T[^m]\n\n[^m]: [raw] history=«¦none»\n", "Default: `include`"),
    "value in quotes": ('# %% T[^m]\n\n[^m]: [raw] role="«us¦er»"\n', "Values: `user`, `system`"),
    "rule": (
        "# %% T[^m]\n\n[^m]: [raw]\n\n<!-- msgls: ignore MSG101, «MSG¦302» -->\n",
        "**MSG302: nonce-mismatch** · error",
    ),
    "rule by its name": (
        "# %% T[^m]\n\n[^m]: [raw]\n\n<!-- msgls: ignore «nonce-¦mismatch» -->\n",
        "**MSG302: nonce-mismatch** · error",
    ),
    "no rule": (
        "# %% T[^m]\n\n[^m]: [raw]\n\n<!-- msgls: ignore «MSG9¦999» -->\n",
        "There is no rule `MSG9999`: this has no effect.",
    ),
    "half a header": ("# %%% T[^«a1¦»]\n", "It has no definition yet."),
    "half a definition": ("# %%% A[^a1]\n\n[^a1]: [«g¦pt»\n", "It is not registered"),
    "away from home": ("# %% T[^m]\n\nhi\n\n# %% U[^n]\n\n[^«¦m»]: [raw]\n", "“T”"),
}


@table("source, part", RANGES)
def test_what_is_spoken_of(source: str, part: str) -> None:
    expected = source.replace("¦", "")
    found, text = said(source.replace("«", "").replace("»", ""))
    assert found == expected
    assert part in text


NOTHING = {
    "content": "# %% T[^m]\n\n[^m]: [raw]\n\nwo¦rds\n",
    "a marker in a fence": "# %% T[^m]\n\n[^m]: [raw]\n\n```\n# ¦%% x[^y]\n```\n",
    "an unknown key": "# %% T[^m]\n\n[^m]: [raw] mi¦ne=1\n",
    "a comment that silences": "# %% T[^m]\n\n[^m]: [raw]\n\n<!-- msgls: ig¦nore MSG101 -->\n",
    "a reference to nothing": "# %% T[^m]\n\n[^m]: [raw]\n\n[^no¦pe]\n",
    "the end of a file": "# %% T[^m]\n\n[^m]: [raw]\n\n¦",
    "an empty file": "¦",
}


@table("source", NOTHING)
def test_nothing_is_said(source: str) -> None:
    marked = unmark(source)
    assert hover(snapshot_of(opened(marked.text)), marked.cursor) is None


SEEN = {
    "seen": ("", "The model sees this cell.\n- About 2 tokens."),
    "excluded": (" history=none", "because of `history=none`.\n- About 2 tokens, of which the"),
    "summary": (' history=summary summary="abcdefghijkl"', "of which the model sees 3."),
    "virtual": (" virtual=1", "it is virtual, for people only."),
}


@table("attributes, part", SEEN)
def test_whether_the_model_sees_it(attributes: str, part: str) -> None:
    _, text = said(f"# %%%¦ T[^a]\n\n[^a]: [gpt]{attributes}\n\n12345678\n")
    assert part in text


def test_a_later_reset_hides_a_cell() -> None:
    reset = "# %%% R[^b]\n\n[^b]: [gpt] reset=1\n"
    _, text = said("# %%¦ T[^m]\n\n[^m]: [raw]\n\nhi\n\n" + reset)
    assert "a later cell resets the context" in text


@table("attributes", {"excluded": " history=none", "virtual": " virtual=1"})
def test_a_hidden_answer_hides_its_calls(attributes: str) -> None:
    answer = f"# %%% T[^a]\n\n[^a]: [gpt]{attributes}\n\nhi\n\n"
    _, text = said(answer + "# %%%¦ C[^a.n]\n\n[^a.n]: [tool] name=f\n\n<f/>..\n")
    assert "it belongs to a hidden cell.\n- About 2 tokens, of which the model sees 0." in text


def test_a_cell_names_its_family() -> None:
    more = "".join(f"# %%% C[^a1.{number}f]\n\n[^a1.{number}f]: [tool]\n\n" for number in range(6))
    _, text = said(ANSWER.replace("%%%", "%%%¦") + CALL + more)
    assert "Has 7 tool calls: `a1.9f3d`, `a1.0f`, `a1.1f`, `a1.2f`, `a1.3f` and 2 more" in text
    _, text = said(ANSWER + CALL.replace("%%%", "%%%¦") + RESULT)
    assert "Belongs to answer `a1` “A”" in text
    assert "Has 1 result: `a1.9f3d.1`" in text
    _, text = said(CALL.replace("%%%", "%%%¦"))
    assert "Belongs to `a1`, which is not in this file" in text


def test_an_attribute_that_means_nothing_here() -> None:
    _, text = said("# %% T[^m]\n\n[^m]: [raw] dur¦ation=1s\n")
    assert "It has no effect on this cell (message)." in text


CARDS = {
    "a type": ("[hel¦per] time", "**Agent** `helper`, the default one"),
    "the default": ("default_agent: hel¦per", "- models: `gpt-x`, `gpt y`\n- context window: 1000"),
    "in the frontmatter": ('"second¦ one":', "reasoning: true"),
    "a prompt": ("  hel¦per:", "```markdown\nBe kind\n```"),
    "a model": ("gpt-¦x, ", "A model of `helper`"),
    "a temporary agent": ("[cri¦tic]", "Defined by the cell `t1`.\n- models: `gpt-z`"),
    "its name": ('name="cri¦tic"', "**Agent** `critic`"),
    "an attribute": ("context_¦window:", "Value: a positive whole number"),
    "an attribute in a cell": ("mod¦els: [gpt-z]", "**Agent attribute** `models`"),
    "a key": ("default_¦agent:", "**Frontmatter** `default_agent`"),
}


@table("needle, part", CARDS)
def test_agents(needle: str, part: str) -> None:
    before = needle.replace("¦", "")
    assert CONVERSATION.count(before) == 1
    _, text = said(CONVERSATION.replace(before, needle))
    assert part in text


def test_an_agent_of_the_folder() -> None:
    _, text = said("# %%% A[^a]\n\n[^a]: [fol¦ks]\n", ("folks",))
    assert "Registered in `agents.json`." in text


HOSTILE = {
    "a link": "[x](command:evil) https://evil.example www.evil.example",
    "an image": "![x](https://evil.example/x.png)",
    "html": '<img src="https://evil.example/x.png"> &lt;b&gt;',
    "code": "`` ` ``` x",
    "emphasis": "**a** _b_ ~~c~~ | d",
    "mail": "me@evil.example",
}


@table("title", HOSTILE)
def test_what_stands_in_the_file_does_not_come_to_life(title: str) -> None:
    body = f"```\n{title}\n```\n`````\n"
    source = f"# %%¦ {title}[^m]\n\n[^m]: [raw]\n\n{body}"
    _, text = said(source)
    bare = text.replace("\\\\", "")
    for dangerous in ("](", "<img", "&lt;", "://", "www.", "**a", "_b", "~~", "@", "``", "!["):
        at = bare.find(dangerous)
        assert at < 0 or bare[at - 1] == "\\" or dangerous == "](", f"{dangerous!r} in {text!r}"
    assert "[x](" not in bare
    _, text = said(source.replace("¦", "").replace("[^m]:", "[^¦m]:"))
    fence = text.partition("\n\n")[2].partition("markdown")[0]
    assert set(fence) == {"`"}
    assert text.endswith("\n" + fence)
    assert fence not in text.partition("markdown\n")[2].removesuffix(fence)
