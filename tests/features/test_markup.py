"""Text with a little form: what phrases say in it, and what a file cannot make of it."""

from msgls.features.markup import (
    Code,
    Link,
    Run,
    Strong,
    Written,
    item,
    joined,
    markdown,
    paragraph,
    plain,
)
from msgls.text.phrases import Phrase
from msgls.text.phrases import joined as phrases_joined
from msgls.text.translation import CHINESE, ENGLISH
from tests.notation import table

RUNS: dict[str, tuple[Run, str, str, str]] = {
    "half a character": ("id \ud83d", "id \ufffd", "id \ufffd", "id \ufffd"),
    "a phrase": (Phrase("Who speaks."), "Who speaks.", "说话者。", "Who speaks."),
    "its own code": (
        Phrase("`1`: what the model sees starts after this cell."),
        "`1`: what the model sees starts after this cell.",
        "`1`：模型看到的内容从此单元之后开始。",
        "1: what the model sees starts after this cell.",
    ),
    "code that is put in": (
        Phrase("Defined by the cell `{id}`.", id="a1"),
        "Defined by the cell `a1`.",
        "由单元 `a1` 定义。",
        "Defined by the cell a1.",
    ),
    "code with back-quotes": (
        Phrase("Defined by the cell `{id}`.", id="`a` ``b``"),
        "Defined by the cell ``` `a` ``b`` ```.",
        "由单元 ``` `a` ``b`` ``` 定义。",
        "Defined by the cell `a` ``b``.",
    ),
    "text with back-quotes": (
        Phrase("failed, {words}", words="`a` *b* <c>"),
        r"failed, \`a\` \*b\* \<c\>",
        r"失败，\`a\` \*b\* \<c\>",
        "failed, `a` *b* <c>",
    ),
    "an address is not a link": (
        Phrase("failed, {words}", words="https://a.example www.b.example"),
        r"failed, https\://a.example www\.b.example",
        r"失败，https\://a.example www\.b.example",
        "failed, https://a.example www.b.example",
    ),
    "a phrase in a phrase": (
        Phrase("Calls {call}: {state}", call=Phrase("`{tool}` as `{id}`", tool="[x]", id="`"),
               state=Phrase("not answered")),
        "Calls `[x]` as `` ` ``: not answered",
        "调用 `[x]`（`` ` ``）：尚无结果",
        "Calls [x] as `: not answered",
    ),
    "a list": (
        phrases_joined([Phrase("answer"), Phrase("tool call")]),
        "answer, tool call",
        "回答、工具调用",
        "answer, tool call",
    ),
    "a number": (
        Phrase("{count:,} other messages have it:", count=1200),
        "1,200 other messages have it:",
        "另有 1,200 条消息使用它：",
        "1,200 other messages have it:",
    ),
    "brackets without arguments": (
        Phrase("expected '{'"), "expected '{'", "expected '{'", "expected '{'"
    ),
    "what stands in a file": ("Who speaks.", "Who speaks.", "Who speaks.", "Who speaks."),
    "strong": (Strong(Phrase("Role")), "**Role**", "**角色**", "Role"),
    "a link": (
        Link(Phrase("All about this rule"), "https://a.example"),
        "[All about this rule](https://a.example)",
        "[关于此规则的全部说明（英文）](https://a.example)",
        "All about this rule: https://a.example",
    ),
}  # fmt: skip


@table("run, english, chinese, without_form", RUNS)
def test_runs(run: Run, english: str, chinese: str, without_form: str) -> None:
    parts = [paragraph("→ ", run)]
    assert markdown(parts) == markdown(parts, ENGLISH) == f"→ {english}"
    assert markdown(parts, CHINESE) == f"→ {chinese}"
    assert plain(parts) == f"→ {without_form}"


def test_lists_of_runs() -> None:
    parts = [item(Phrase("Values: "), *joined([Code("a"), Code("b")]))]
    assert markdown(parts) == "- Values: `a`, `b`"
    assert markdown(parts, CHINESE) == "- 可用的值：`a`、`b`"
    assert plain(parts, CHINESE) == "• 可用的值：a、b"


def test_what_is_written_is_markdown_in_every_language() -> None:
    parts = [Written(Phrase("A tool call `id.nonce`, or a result `id.nonce.n` of one."))]
    assert markdown(parts) == plain(parts) == parts[0].markdown
    assert markdown(parts, CHINESE) == "工具调用 `id.nonce`，或它的结果 `id.nonce.n`。"
