"""Hover: the range that is spoken of, and what is said."""

from msgls.features.hover import hover
from msgls.features.markup import markdown
from tests.features.stf.sample import opened
from tests.notation import mark, table, unmark
from tests.snapshots import snapshot_of


def said(source: str) -> tuple[str, str]:
    """The text with the hover's range marked, and the hover as Markdown."""
    marked = unmark(source)
    found = hover(snapshot_of(opened(marked.text)), marked.cursor)
    assert found is not None, "nothing is said"
    return mark(marked.text, [("", found.span)]), markdown(found.parts)


CALL = "@ai\n@call id=c\nlook {path: 'x'}\n"
RANGES = {
    "a command": ("«@us¦er» id=m\nHi\n", "**Message** of `user`, id `m`"),
    "what it does": ("«@ ¦sys»\n", "Starts a message. The instructions"),
    "its short form": ("«@¦assistant»\n", "`@assistant`, for short `@ai`"),
    "its long form": ("«@ai¦»\n", "`@ai`, short for `@assistant`"),
    "its length": ("«¦@user»\nHello there\n", "Length: about 3 tokens"),
    "a role that is taken over": ("@ai\n«@ms¦g»\n", "Its role is that of the message before it."),
    "no role": ("«@m¦sg»\n", "**Message** without a role"),
    "the calls of a message": (
        CALL.replace("@ai", "«@¦ai»") + "@tool call_id=c\n",
        "Calls `look` as `c`: answered on line 4",
    ),
    "a call that nobody answers": (CALL.replace("@ai", "«@¦ai»"), "as `c`: not answered"),
    "the call that is answered": (CALL + "«@¦tool»\nok\n", "Answers the call of `look` as `c` on"),
    "a call": (CALL.replace("@call", "«@c¦all»"), "```json5\n{path: 'x'}\n```"),
    "a tool": (CALL.replace("look", "«loo¦k»"), "**Call** of `look` as `c`"),
    "an argument": ("@user «na¦me»=x\n", "The name of the speaker"),
    "the values of an argument": ("@msg «role¦»=user\n", "Values: `user`, `assistant`, `system`"),
    "an argument in an object": ("@msg {«ro¦le»: 'user'}\n", "**Argument** `role`"),
    "a role": ("@msg role=«us¦er»\n", "**Role** `user`"),
    "an unusual role": ("@msg role=«bo¦ss»\n", "Not one of the usual roles"),
    "a name": ("@user name=«¦x»\n", "**Argument** `name`"),
    "the id of a message": ("@user id=«¦m»\n", "**Message** of `user`, id `m`"),
    "the id of a call": (
        CALL.replace("id=c", "id=«c¦»") + "@tool call_id=c\nfine\n",
        "Answered on line 4\n\n```\nfine\n```",
    ),
    "the id of a result": (CALL + "@tool call_id='«¦c»'\n", "**Call** of `look` as `c`"),
    "the id of no call": ("@tool call_id=«¦c»\n", "No call in this file has it."),
    "an id in a raw message": (
        CALL + "@raw\n{role: 'tool', tool_call_id: '«¦c»'}\n@end\n",
        "**Call** of `look` as `c`",
    ),
    "a file": ("@user\n@embed\n «a/b¦ c.txt» \n", "Relative to the folder of this file."),
    "an address": ("@user\n@embed\n«https://x¦.org»\n", "it is not checked"),
    "the end of a block": ("@raw\n{}\n«@e¦nd»\n", "Of the block that `@raw` opens on line 1"),
    "a command of one dialect": ("«;fl¦ush»\n", "Only available in the dialect `;`"),
    "a doubled prefix": ("@user\n«@¦@»x\n", "A data line that starts with one `@`"),
    "no rule": ("@# msgls: ignore «STF¦0130»\n", "There is no rule `STF0130`"),
    "a rule by its name": (
        "@# msgls: ignore «unknown-¦argument»\n",
        "**STF013: unknown-argument**",
    ),
    "a rule": ("@# msgls: ignore STF001, «STF¦013»\n", "**STF013: unknown-argument** · warning"),
}


@table("source, part", RANGES)
def test_what_is_spoken_of(source: str, part: str) -> None:
    found, text = said(source.replace("«", "").replace("»", ""))
    assert found == source.replace("¦", "")
    assert part in text


@table(
    "source",
    {
        "content": "@user\nwo¦rds\n",
        "an unknown command": "@us¦r\n",
        "an unknown argument": "@user mo¦od=x\n",
        "a comment": "@# wo¦rds\n",
        "a command in a comment": "@/*\n@us¦er\n@*/\n",
        "a command in a block": "@raw\n@ca¦ll\n@end\n",
        "the other prefix": "@ai\n;us¦er\n",
        "the end of a file": "@user\n¦",
        "an empty file": "¦",
    },
)
def test_nothing_is_said(source: str) -> None:
    marked = unmark(source)
    assert hover(snapshot_of(opened(marked.text)), marked.cursor) is None


def test_what_a_file_says_is_not_markdown() -> None:
    _, text = said("@ai\n@call id=c\nlook {x: '```'}\n@tool call_id=¦c name=*x*\n<b>![x](y)\n")
    assert "````" in text
    assert "**Call** of `look` as `c`" in text
