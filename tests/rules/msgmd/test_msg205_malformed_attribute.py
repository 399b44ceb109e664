"""MSG205: text on a definition line that is not an attribute."""

import re

import pytest

from msgls.document.document import Document
from tests.notation import each
from tests.rules.support import expect, expect_fix, expect_follows, expect_nothing, find, fixes

CODE = "MSG205"


def answer(rest: str) -> str:
    return f"# %%% A[^a1]\n\n[^a1]: [gpt] {rest}\n"


@pytest.mark.parametrize(
    ("rest", "texts"),
    [
        ('summary=«"one two»', ["the value of `summary` has no closing quote"]),
        ("a« = »1", ["`a` has spaces around `=`: write `a=…`"]),
        ("a« =»1", ["`a` has spaces around `=`: write `a=…`"]),
        ("«[reasoning=1]»", ["`[reasoning=1]` must not be in brackets: only the type is"]),
        ("a=1 b=2 «a»=3", ["duplicate attribute `a`: the last one is used"]),
        ("«status=» duration=2s", ["`status` has no value"]),
        ("a=1 «status=»", ["`status` has no value"]),
        ('a="1"«b»=2', ["a space is missing before this attribute"]),
        ("«reasoning»", ["`reasoning` is not an attribute: write `key=value`"]),
        # Words are one mistake together, and so is what a stray quote leaves behind.
        ("a=1 «some more text» b=2", ["`some more text` is not an attribute: write `key=value`"]),
        ('name="x status="«success"»', ['`success"` is not an attribute: write `key=value`']),
        (
            "a« = »1 «[b=2]»",
            [
                "`a` has spaces around `=`: write `a=…`",
                "`[b=2]` must not be in brackets: only the type is",
            ],
        ),
    ],
)
def test_each_fault_is_found(rest: str, texts: list[str]) -> None:
    expect(CODE, answer(rest), *texts)


@pytest.mark.parametrize(
    "source",
    [
        "# %%% 答 🙂[^答]\r\n\r\n[^答]: [gpt] summary='🙂 文' «x» a=1\r\n",
        "# %%% A[^a]\n\nText\n\n# %% Q[^q]\n\n[^q]: [raw]\n\n[^a]: [gpt] «x»\n",
        "# %% Q[^q]\n\n[^q]: [markdown] «x»",
    ],
)
def test_wherever_the_definition_stands(source: str) -> None:
    expect(CODE, source)


@pytest.mark.parametrize(
    "source",
    [
        answer(""),
        answer("a=1 b='2 = 3' c=\"[d=4]\" e=x=y"),
        answer(r'a="\"b\" \\"'),
        # Not the definition that counts for a cell.
        "[^a1]: [gpt] some text\n",
        "# %%% A[^a1]\n\n[^a1]: some = text\n",
        "# %%% A[^a1]\n\n[^a1]: [gpt]\n\n[^a1]: [gpt] some text\n",
        "# %%% A[^a1]\n\n[^a1]: [gpt]\n\n[^b]: [Note] some text\n",
        "# %%% A[^a1]\n\n```\n[^a1]: [gpt] x\n```\n",
        # Its head is half-written: that is MSG108's.
        "# %%% A[^a1]\n\n[^a1]: [gpt a = 1\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


def test_the_earlier_key_is_related() -> None:
    source = answer("a=1 a=2")
    document, (problem,) = find(CODE, source)
    (related,) = problem.related
    span = related.span.shift(document.cell(related.label).start_offset)
    assert span.of(source) == "a"
    assert span.start == source.index("a=1")


@pytest.mark.parametrize(
    ("rest", "fixed"),
    [
        ("a = 1 b=2", "a=1 b=2"),
        ('a\t=  "x y"', 'a="x y"'),
        ("[reasoning=1] b=2", "reasoning=1 b=2"),
        ('[ a = "x y" ]', 'a="x y"'),
        ("[a=1][b=2]", "a=1 [b=2]"),
        ('a="1"b=2', 'a="1" b=2'),
        ('a="1"[b=2]', 'a="1" [b=2]'),
        ("a=1 b=2 a=3", "b=2 a=3"),
        ('a="1", b=2', 'a="1" b=2'),
        ('a="1";b=2', 'a="1" b=2'),
        ('a="x y', 'a="x y"'),
        ("a='x y  ", "a='x y'  "),
        ('a="C:\\dir\\', 'a="C:\\dir\\\\"'),
    ],
)
@each("newline", ["\n", "\r\n"])
def test_what_is_certain_is_safe(rest: str, fixed: str, newline: str) -> None:
    source, after = [answer(text).replace("\n", newline) for text in (rest, fixed)]
    expect_fix(CODE, source, after, safe=True)


@pytest.mark.parametrize("rest", ["[a=1] a=3", "a='1'a=3", "[ a = 1 ]   a=3"])
def test_the_earlier_one_goes_with_all_that_is_wrong_with_it(rest: str) -> None:
    expect_fix(CODE, answer(rest), answer("a=3"), safe=True, number=1)


@pytest.mark.parametrize(
    "rest",
    [
        "a = 1 [b=2] c='3'd=4 [reasoning = 1]",
        "a=1 a=2 [a=3] b=4",
        'a="1", b=2 ; c=3',
        "history = none [history=1]",
    ],
)
def test_a_safe_fix_changes_nothing_that_is_read(rest: str) -> None:
    source = answer(rest)
    before = Document.open("a.msg.md", source)
    for number in range(len(find(CODE, source)[1])):
        for _, safe, after in fixes(CODE, source, number):
            assert safe
            document = Document.open("a.msg.md", after)
            assert _values(document) == _values(before)


def _values(document: Document) -> dict[str, str]:
    (placed,) = document.cells()
    (definition,) = placed.cell.definitions
    return {attribute.key: attribute.value for attribute in definition.attributes}


@pytest.mark.parametrize(
    ("rest", "fixed"),
    [
        ("a=1 some text b=2", "a=1 b=2"),
        ("reasoning", ""),
        ("status= duration=2s", " duration=2s"),
        ('name="x status=success', 'name="x" status=success'),
        ('name="x status=success', 'name="x status=success"'),
        ('a="x b=1', 'a="x b=1"'),
        ('a="', 'a=""'),
    ],
)
def test_what_is_not_certain_is_not_safe(rest: str, fixed: str) -> None:
    after = answer(fixed) if fixed else "# %%% A[^a1]\n\n[^a1]: [gpt]\n"
    expect_fix(CODE, answer(rest), after.replace("]  ", "] "), safe=False)


def test_the_quote_is_best_closed_before_an_attribute() -> None:
    titles = [name for name, _, _ in fixes(CODE, answer('name="x status=success'))]
    assert titles == [
        "Close the quote before the next attribute",
        "Close the quote at the end of the line",
    ]


def test_a_pair_without_a_value_in_brackets_has_no_fix() -> None:
    assert fixes(CODE, answer("[a=]")) == []


def test_it_follows_a_definition_that_stands_elsewhere() -> None:
    source = "# %%% A[^a]\n\nText\n\n# %% Q[^q]\n\n[^q]: [raw]\n\n[^a]: [gpt]\n"
    counts = expect_follows(
        CODE,
        source,
        ("[^a]: [gpt]", "[^a]: [gpt] x"),
        ("\n\nText", "\n\n[^a]: [gpt]\n\nText"),
        ("[^a]: [gpt]\n\nText", "Text"),
        ("# %% Q", "Words\n\n# %% Q"),
    )
    assert counts == [0, 1, 0, 1, 1]


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("title=x«,history»=exclude", "title"),
        ("title=x«;virtual»=1", "title"),
        ("role=user«,summary»=short", "role"),
        ("title=x«，history»=none", "title"),
        ("title=x«、reset»=1", "title"),
        ("history=include«,role»=user", "history"),
    ],
)
def test_an_attribute_in_the_value_of_another_one(written: str, name: str) -> None:
    source = f"# %% [^m]\n\n[^m]: [markdown] {written}\n\nHi\n"
    joined = written.partition("«")[2].partition("»")[0]
    what = f"`{joined}` is part of the value of `{name}`: separate attributes by a space"
    expect(CODE, source, what)
    plain = source.replace("«", "").replace("»", "")
    expect_fix(CODE, plain, plain.replace(joined, f" {joined[1:]}"), safe=False)
    # One mistake is one problem.
    for other in ("MSG203", "MSG204"):
        expect_nothing(other, plain)


@pytest.mark.parametrize(
    "written",
    [
        'title="x,history=exclude"',
        "title='x;virtual=1' a=1",
        "title=x,colour=red",
        "title=a,b url=http://x/?q=1&name=2",
        "history=exclude title=x,y",
        "title=x,histories=1",
    ],
)
def test_other_commas_are_part_of_a_value(written: str) -> None:
    expect_nothing(CODE, f"# %% [^m]\n\n[^m]: [markdown] {written}\n\nHi\n")


@pytest.mark.parametrize(
    "written", ["title=,history=none", "title=x,history＝none", "t=x;virtual:1"]
)
def test_a_joined_attribute_that_needs_a_second_fix(written: str) -> None:
    source = f"# %% [^m]\n\n[^m]: [markdown] {written}\n\nHi\n"
    (after,) = [text for _, _, text in fixes(CODE, source)]
    assert after == re.sub("[,;]", " ", source)
    assert find(CODE, after)[1]


def test_a_line_of_no_cell_is_reported_though_a_comma_joins_its_attributes() -> None:
    expect("MSG102", "# %% A\n\nHi\n\n«[^m]: [markdown] title=x,history=exclude»\n")


@pytest.mark.parametrize(
    "written", ["history:none", "history: none", "history＝none", "x history: none"]
)
def test_what_hides_the_cell_is_mended_and_not_removed(written: str) -> None:
    source = f"# %% [^m]\n\n[^m]: [markdown] {written}\n\nHi\n"
    (after,) = [text for _, _, text in fixes(CODE, source)]
    assert after == source.replace(written, 'history="none"')
