"""Code lenses: where they stand, what they say, and what the cell of the cursor has besides."""

from hypothesis import given

from msgls.document.document import Document
from msgls.features.actions import cell_actions
from msgls.features.command_table import BY_ID
from msgls.features.lenses import current_lenses, lens_text, lenses
from tests.features.msgmd.sample import CONVERSATION
from tests.formats.msgmd.made_up import message_files
from tests.notation import table, unmark
from tests.snapshots import snapshot_of


def said(document: Document) -> list[tuple[int, str]]:
    return [
        (lens.line, lens_text(snapshot_of(document), document.cell(lens.label), lens.what).title)
        for lens in lenses(snapshot_of(document))
    ]


def test_every_cell_has_one_quiet_lens_and_code_can_be_run() -> None:
    document = Document.open("chat.msg.md", CONVERSATION)
    lines = CONVERSATION.split("\n")
    assert [(lines[line], title) for line, title in said(document)] == [
        ("# %% Question 🦊[^m1]", "≈ 19 tokens · excluded"),
        ("# %%% Answer[^a1]", "≈ 3 tokens"),
        ("# %%% Look[^a1.9f3d]", "≈ 9 tokens"),
        ("# %%% Looked[^a1.9f3d.1]", "≈ 1 token"),
        ("# %% Code[^c1]", "≈ 11 tokens"),
        ("# %% Code[^c1]", "Run"),
        ("# %%% Run[^c1.1]", "≈ 2 tokens"),
        ("# %% Critic[^t1]", "≈ 10 tokens · for people only"),
        ("# %%% Verdict[^a2]", "≈ 1 token"),
    ]


@table(
    "attributes, title",
    {
        "seen": ("", "≈ 4 tokens"),
        "excluded": (" history=0", "≈ 4 tokens · excluded"),
        "summary": (" history=summary", "2 of ≈ 4 tokens · summary"),
        "virtual": (" virtual=1", "≈ 4 tokens · for people only"),
        "reset": (" reset=1", "≈ 4 tokens · before a reset"),
    },
)
def test_what_a_cell_costs(attributes: str, title: str) -> None:
    text = f"# %%% [^1]\n\n[^1]: [bot]{attributes}\n\nwords,\n\nwords..\n"
    assert said(Document.open("chat.msg.md", text)) == [(0, title)]


def test_a_call_of_a_hidden_answer() -> None:
    answer = "# %%% [^a]\n\n[^a]: [bot] history=0\n\nwords\n\n"
    call = "## %%% [^a.y]\n\n[^a.y]: [tool] name=ls\n\n<ls/>\n\n"
    result = "## %%% [^a.y.1]\n\n[^a.y.1]: [tool] status=success\n\nit\n"
    document = Document.open("chat.msg.md", answer + call + result)
    assert [title.partition(" · ")[2] for _, title in said(document)] == [
        "excluded",
        "belongs to a hidden cell",
        "belongs to a hidden cell",
    ]


def test_a_call_that_waits_is_told_of_above_it_and_above_its_answer() -> None:
    answer = "# %%% [^a]\n\n[^a]: [bot]\n\nwords\n\n"
    calls = "".join(
        f"## %%% [^a.{nonce}]\n\n[^a.{nonce}]: [tool] name=ls\n\n<ls/>\n\n" for nonce in ("y", "z")
    )
    result = "## %%% [^a.y.1]\n\n[^a.y.1]: [tool] status=success\n\nit\n"
    document = Document.open("chat.msg.md", answer + calls + result)
    assert [title.partition(" · ")[2] for _, title in said(document)] == [
        "2 calls, 1 unanswered",
        "",
        "unanswered",
        "",
    ]


def test_outside_of_the_section() -> None:
    text = "---\nmessage_section: Talk\n---\n\n# %% A\n\nHi\n\n# Talk\n\n# %% B\n\nHo\n"
    titles = [title for _, title in said(Document.open("notes.md", text))]
    assert titles == ["≈ 2 tokens · outside of the section", "≈ 1 token", "Ask assistant"]


ADA = "---\nagents:\n  Ada: {models: [m]}\n---\n\n"
MESSAGE = "# %% [^1]\n\n[^1]: [markdown]\n\nHi\n\n"
ANSWER = "# %%% [^2]\n\n[^2]: [Ada]\n\nHo\n\n"
HIDDEN = "# %% [^3]\n\n[^3]: [markdown] history=none\n\nHm\n\n"
CALL = "# %%% [^2.y]\n\n[^2.y]: [tool] name=ls\n\n<ls/>\n\n"
RESULT = "# %%% [^2.y.1]\n\n[^2.y.1]: [tool] status=success\n\nit\n"


@table(
    "text, asked",
    {
        "a message": (MESSAGE, [("# %% [^1]", "Ask Ada")]),
        "a hidden one after it": (MESSAGE + HIDDEN, [("# %% [^1]", "Ask Ada")]),
        "an answer": (MESSAGE + ANSWER, []),
        "a hidden answer": (
            MESSAGE + ANSWER.replace("[Ada]", "[Ada] history=none"),
            [("# %% [^1]", "Ask Ada again")],
        ),
        "a call": (MESSAGE + ANSWER + CALL, []),
        "its result": (MESSAGE + ANSWER + CALL + RESULT, [("# %%% [^2.y.1]", "Ask Ada")]),
        "nothing said": (MESSAGE.replace("Hi", ""), []),
        "an open fence": (MESSAGE.replace("Hi", "```"), []),
        "nothing": ("", []),
    },
)
def test_the_last_message_can_be_asked_about(text: str, asked: list[tuple[str, str]]) -> None:
    lines = (ADA + text).split("\n")
    titles = [(lines[line], title) for line, title in said(Document.open("c.msg.md", ADA + text))]
    assert [(line, title) for line, title in titles if title.startswith("Ask")] == asked


def current(source: str, path: str = "chat.msg.md") -> list[str]:
    marked = unmark(source)
    document = Document.open(path, marked.text)
    return [lens.title for lens in current_lenses(snapshot_of(document), marked.cursor)]


@table(
    "source, titles",
    {
        "message": ("# %% [^1]\n\nH¦i\n", ["Insert below", "Exclude"]),
        "excluded": ("# %% [^1]\n\n[^1]: [raw] history=none\n\nH¦i\n", ["Insert below", "Include"]),
        "answer": ("# %%% [^a]\n\n[^a]: [bot]\n\nH¦i\n", ["Add call", "Insert below", "Exclude"]),
        "code": (
            "# %% [^c]\n\n[^c]: [code]\n\n```sh\nl¦s\n```\n",
            ["Add run", "Insert below", "Exclude"],
        ),
        "virtual": ("# %%% [^a]\n\n[^a]: [bot] virtual=1\n\nH¦i\n", ["Add call", "Insert below"]),
    },
)
def test_what_the_cell_of_the_cursor_offers(source: str, titles: list[str]) -> None:
    assert current(source) == titles


def test_what_a_message_of_simple_text_offers() -> None:
    assert current("@user\nH¦i\n", "chat.stf") == ["Insert below"]


def test_other_files_have_none() -> None:
    assert not list(lenses(snapshot_of(Document.open("notes.md", "# %% A\n"))))


@given(message_files())
def test_every_lens_that_does_something_has_a_twin(text: str) -> None:
    document = Document.open("chat.msg.md", text)
    for lens in lenses(snapshot_of(document)):
        placed = document.cell(lens.label)
        assert placed.start_line == lens.line
        at = placed.start_offset + 1
        twins = {action.command for action in cell_actions(snapshot_of(document), at)}
        command = lens_text(snapshot_of(document), placed, lens.what).command
        assert not command or command in twins
        assert {
            lens.command for lens in current_lenses(snapshot_of(document), at)
        } <= twins & BY_ID.keys()
