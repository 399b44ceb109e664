"""Message files: ids, sections, agents, runs, code, and what the rules say and mend."""

import json
import random
import re
from collections.abc import Callable

import pytest

from msgls.text.spans import Edit, Span
from tests.clauses.support import Editor, dumped
from tests.cli.support import Run, Runner
from tests.conversation.corpus import PIXEL

BOT = "---\nagents:\n  bot: {}\n---\n\n"


def cell(head: str, cell_id: str, definition: str, text: str) -> str:
    return f"# {head} [^{cell_id}]\n\n[^{cell_id}]: {definition}\n\n{text}\n\n"


ASK = cell("%%", "q", "[markdown]", "What now?")
ANSWER = cell("%%%", "1", "[bot]", "I look.")
CALL = cell("%%%", "1.ab", '[tool] name="ls"', "<ls><path>.</path></ls>")
CODE = cell("%%", "c1", "[code]", "```python\nprint(1)\n```")


def all_problems(msgls: Runner, name: str = "a.msg.md") -> Run:
    return msgls("check", "--min-severity", "hint", "--output-format", "concise", name)


def found(msgls: Runner, text: str, name: str = "a.msg.md") -> list[str]:
    """The codes of all problems of a text, hints too."""
    msgls.write(name, text)
    return re.findall(r"\[([A-Z]+\d+)\]", all_problems(msgls, name).out)


# -- ids of results and runs --------------------------------------------------------------------

DONE = 'status="success" duration=0.5s'
IDS = {
    "1.ab.n": BOT + ASK + ANSWER + CALL + cell("%%%", "1.ab.n", f"[tool] {DONE}", "ok"),
    "c1.0": CODE + cell("%%%", "c1.0", f"[python] {DONE}", "stdout> 1"),
    "c1.x": CODE + cell("%%%", "c1.x", f"[python] {DONE}", "stdout> 1"),
}


@pytest.mark.parametrize("wrong", IDS)
def test_a_malformed_number_is_found_on_open_and_after_a_key(
    msgls: Runner, editor: Editor, wrong: str
) -> None:
    text = IDS[wrong]
    assert found(msgls, text) == ["MSG111"]
    uri = editor.show("a.msg.md", text)
    opened = editor.problems(uri)
    assert [one["code"] for one in opened] == ["MSG111"]
    editor.type(uri, f"[^{wrong}]: [", f"[^{wrong}]: [ ")
    editor.type(uri, f"[^{wrong}]: [ ", f"[^{wrong}]: [")
    assert [one["code"] for one in editor.problems(uri)] == ["MSG111"]


SEGMENTS = ("1", "c1", "ab", "n", "0", "01", "2", "", "x y", "functions.get_weather:0", "值")
TYPES = ("tool", "python", "bot", "markdown")


@pytest.mark.parametrize("kind", TYPES)
def test_opening_and_editing_agree_on_any_ids(editor: Editor, kind: str) -> None:
    """Ids of header and definition together, and one of them alone."""
    pick = random.Random(kind)
    parents = BOT + ASK + ANSWER + CALL + CODE

    def some_id() -> str:
        if pick.random() < 0.3:
            return pick.choice([*IDS])
        return ".".join(pick.choices(SEGMENTS, k=pick.choice([1, 2, 3, 3, 4])))

    def said(uri: str) -> list[tuple[object, ...]]:
        found = [(one["code"], str(one["range"]), one["message"]) for one in editor.problems(uri)]
        return sorted(found)

    for number in range(60):
        before, after = some_id(), some_id()
        other = after if pick.random() < 0.7 else some_id()
        source = "{parents}# %%% [^{head}]\n\n[^{foot}]: [{kind}] {done}\n\nok\n"
        old = source.format(parents=parents, head=before, foot=before, kind=kind, done=DONE)
        new = source.format(parents=parents, head=after, foot=other, kind=kind, done=DONE)
        edited = editor.show(f"edited{number}.msg.md", old)
        editor.problems(edited)
        at = old.rindex("# %%%")
        editor.change(Edit(Span(at, len(old)), new[at:]), uri=edited)
        # And a key in the definition, which is taken back.
        at = new.rindex(f": [{kind}]") + len(": [")
        editor.change(Edit(Span(at, at), " "), uri=edited)
        editor.problems(edited)
        editor.change(Edit(Span(at, at + 1), ""), uri=edited)
        assert editor.texts[edited] == new
        assert said(edited) == said(editor.show(f"opened{number}.msg.md", new))


# -- the section in a plain .md -----------------------------------------------------------------

SECTION = "---\nmessage_section: Talk\nagents: {bot: {}}\n---\n\n# Notes\n\n## Talk\n\n"


def test_a_heading_in_the_last_answer_cuts_nothing_off(msgls: Runner) -> None:
    answer = "Two steps.\n\n# Step 1\n\nRead.\n\n# Step 2\n\nWrite."
    msgls.write("a.md", SECTION + ASK + cell("%%%", "a", "[bot]", answer))
    assert "Write." in msgls("view", "a.md").out


@pytest.mark.parametrize("heading", ["# Sum", "## Sum", "Sum\n===", "Sum\n---", "# Talk"])
@pytest.mark.parametrize("what", ["message", "answer", "result"])
def test_nothing_in_a_cell_of_a_section_is_ever_cut_off(
    msgls: Runner, what: str, heading: str
) -> None:
    said = f"First.\n\n{heading}\n\nLast."
    cells = {
        "message": cell("%%", "q", "[markdown]", said),
        "answer": ASK + cell("%%%", "a", "[bot]", said),
        "result": ASK + ANSWER + CALL + cell("%%%", "1.ab.1", "[tool] status=success", said),
    }
    for more in ("", cell("%%", "z", "[markdown]", "Thanks.")):
        msgls.write("a.md", SECTION + cells[what] + more)
        for arguments in (("view", "a.md"), ("convert", "--to", "stf", "a.md")):
            shown = msgls(*arguments).out
            assert "Last." in shown
            assert ("Thanks." in shown) is bool(more)


def test_a_chat_in_a_section_goes_on_after_answers_with_headings(msgls: Runner) -> None:
    msgls.write("notes.md", "---\nmessage_section: Talk\nagents: {gpt: {}}\n---\n\n## Talk\n")
    answer = "Two steps.\n\n## Step 1\n\nRead.\n\n## Step 2\n\nWrite."
    assert msgls("chat", "notes.md", "--message", "How?", "--force").code == 0
    assert msgls("chat", "notes.md", "--message", answer, "--as", "gpt", "--force").code == 0
    assert msgls("chat", "notes.md", "--message", "Thanks", "--force").code == 0
    assert msgls("check").code == 0
    seen = msgls("view", "notes.md")
    assert seen.code == 0
    assert answer in seen.out
    assert "Thanks" in seen.out


def test_a_section_without_a_name_is_the_discussion(msgls: Runner) -> None:
    msgls.write("a.md", "---\nmessage_section:\n---\n\n# Notes\n\n# Discussion\n\n" + ASK)
    assert msgls("check", "a.md").out == "No problems found.\n"
    assert "What now?" in msgls("view", "a.md").out


# -- temporary agents ---------------------------------------------------------------------------

TEMPORARY = ASK + (
    "# %% Critic[^t]\n\n"
    '[^t]: [markdown] definition="agent" name="critic"\n\n---\nmodels: [gpt-z]\n---\n\n'
)


def test_the_definition_of_a_temporary_agent_is_not_sent(msgls: Runner) -> None:
    msgls.write("a.msg.md", TEMPORARY + cell("%%%", "a", "[critic]", "Fine."))
    for command in (("view", "a.msg.md"), ("convert", "--to", "openai", "a.msg.md")):
        shown = msgls(*command).out
        assert "Fine." in shown
        assert "models:" not in shown


def test_the_definition_of_a_temporary_agent_is_a_card_on_a_page(msgls: Runner) -> None:
    msgls.write("a.msg.md", TEMPORARY + cell("%%%", "a", "[critic]", "Fine."))
    msgls("render", "a.msg.md", "-o", "a.html")
    page = msgls.read("a.html")
    assert "critic" in page
    assert "gpt-z" in page
    assert not re.search(r"<h\d[^>]*>models:", page)


def test_the_name_of_a_temporary_agent_is_its_model(msgls: Runner) -> None:
    defined = cell("%%", "t", '[markdown] definition="agent" name="gpt-z"', "")
    msgls.write("a.msg.md", "---\ndefault_agent: gpt-z\n---\n\n" + defined + ASK)
    assert msgls("convert", "--to", "openai", "a.msg.md").json["model"] == "gpt-z"
    assert msgls("view", "--to", "openai", "a.msg.md").json["model"] == "gpt-z"


def test_adding_agents(msgls: Runner) -> None:
    msgls.write("a.msg.md", ASK)
    run = msgls("agents", "a.msg.md", "add", "guide", "--model", "o3")
    assert (run.code, run.out) == (0, "a.msg.md:3: added the agent `guide`.\n")
    run = msgls("agents", "a.msg.md", "add", "critic", "--temporary")
    assert run.code == 0
    assert 'definition="agent" name="critic"' in msgls.read("a.msg.md")
    assert msgls("check", "a.msg.md").code == 0
    listed = msgls("agents", "a.msg.md").out
    assert "guide" in listed
    assert "critic" in listed


def test_an_editor_adds_agents_by_a_command(editor: Editor) -> None:
    uri = editor.show("a.msg.md", ASK)
    there = editor.do(uri, "msgls.agent.add", "What now?", name="critic", temporary=True)
    assert '[markdown] definition="agent" name="critic"' in there
    above = editor.do(uri, "msgls.agent.add", "What now?", name="critic")
    assert above == f"---\nagents:\n  critic: {{}}\n---\n\n{ASK}"


def test_an_editor_offers_to_record_an_unknown_agent_in_a_cell(editor: Editor) -> None:
    uri = editor.show("a.msg.md", ASK + cell("%%%", "a", "[critic]", "Fine."))
    fixed = editor.fixes(uri, "MSG202")
    assert any(text.startswith("---\n") for text in fixed)
    assert any('definition="agent" name="critic"' in text for text in fixed)


# -- run numbers --------------------------------------------------------------------------------

COUNTS = (
    CODE
    + cell("%%%", "c1.3", "[python] status=success", "stdout> 1")
    + cell("%%%", "c1.3.2", "[python] status=success mime_type=text/html", "<b>1</b>")
    + cell("%%%", "c1.7", "[python] status=success", "stdout> 1")
)


def test_the_counts_of_a_kernel_draw_no_warning_and_no_fix_changes_them(
    msgls: Runner, editor: Editor
) -> None:
    assert found(msgls, COUNTS) == []
    msgls("check", "--fix", "--unsafe-fixes", "--min-severity", "hint", "a.msg.md")
    assert msgls.read("a.msg.md") == COUNTS
    uri = editor.show("a.msg.md", COUNTS)
    place = editor.range(Span(0, len(COUNTS)), uri)
    assert editor.actions(uri, place, "quickfix") == []


def test_a_notebook_keeps_its_execution_counts(msgls: Runner) -> None:
    stream = {"output_type": "stream", "name": "stdout", "text": "hi\n"}
    html = {"text/html": "<b>4</b>", "text/plain": "4"}
    shown = {"output_type": "display_data", "metadata": {}, "data": {"image/png": PIXEL}}
    returned = {"output_type": "execute_result", "execution_count": 7, "metadata": {}, "data": html}
    sums = {
        "cell_type": "code",
        "id": "sum",
        "metadata": {},
        "execution_count": 7,
        "source": "2+2",
        "outputs": [stream, returned, shown],
    }
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [sums]}
    msgls.write("a.ipynb", dumped(notebook))
    text = msgls("convert", "--to", "msgmd", "a.ipynb").out
    ids = re.findall(r"^\[\^(\S+)\]: \[python\]", text, re.MULTILINE)
    assert ids[0] == "sum.7"
    assert {cell_id.rsplit(".", 1)[0] for cell_id in ids[1:]} == {"sum.7"}
    assert found(msgls, text) == []


# -- suppression comments -----------------------------------------------------------------------

PRAGMA = "<!-- msgls: ignore MSG605 -->"


def test_a_suppression_comment_is_not_sent(msgls: Runner) -> None:
    msgls.write("a.msg.md", cell("%%", "m", "[markdown]", f"{PRAGMA}\n\nWhat now?"))
    for command in (("view", "a.msg.md"), ("convert", "--to", "openai", "a.msg.md")):
        shown = msgls(*command).out
        assert "What now?" in shown
        assert "msgls: ignore" not in shown


def test_a_suppression_comment_damages_no_image(msgls: Runner) -> None:
    run = cell("%%%", "c1.1", "[python] status=success mime_type=image/png", f"{PRAGMA}\n{PIXEL}")
    assert found(msgls, CODE + run) == []
    wires = msgls("convert", "--to", "messages", "a.msg.md").json
    assert wires[1]["parts"][0]["payload"]["data"] == PIXEL


# -- commands -----------------------------------------------------------------------------------


def test_results_of_parallel_calls_are_inserted_where_they_belong(editor: Editor) -> None:
    calls = CALL + CALL.replace("1.ab", "1.cd")
    done = cell("%%%", "1.ab.1", "[tool] status=success", "ok")
    uri = editor.show("a.msg.md", BOT + ASK + ANSWER + calls + done)
    text = editor.do(uri, "msgls.cell.insertToolResult", "# %%% [^1.ab]")
    ids = re.findall(r"^# %%% \[\^(\S+)\]", text, re.MULTILINE)
    assert ids == ["1", "1.ab", "1.cd", "1.ab.1", "1.ab.2"]


# -- code cells ---------------------------------------------------------------------------------

WORDS = "word " * 400
REASONED = cell("%%", "c1", "[code]", f"{WORDS}\n\n```python\nprint(1)\n```")


def counted_by_hover(editor: Editor, msgls: Runner) -> str:
    return editor.hover(editor.show("a.msg.md", REASONED), "[^c1")


def counted_by_a_lens(editor: Editor, msgls: Runner) -> str:
    uri = editor.show("a.msg.md", REASONED)
    found = editor.request("textDocument/codeLens", {"textDocument": {"uri": uri}})
    resolved = [
        one if "command" in one else editor.request("codeLens/resolve", one) for one in found
    ]
    return " ".join(one["command"]["title"] for one in resolved)


def counted_by_a_view(editor: Editor, msgls: Runner) -> str:
    msgls.write("a.msg.md", REASONED)
    return msgls("view", "--explain", "a.msg.md").out


@pytest.mark.parametrize("counted", [counted_by_hover, counted_by_a_lens, counted_by_a_view])
def test_prose_beside_code_is_not_counted(
    msgls: Runner, editor: Editor, counted: Callable[[Editor, Runner], str]
) -> None:
    numbers = [int(one) for one in re.findall(r"\b\d+\b(?= tokens?)", counted(editor, msgls))]
    assert numbers
    assert max(numbers) < 100


def test_prose_beside_code_fills_no_context(msgls: Runner) -> None:
    bot = "---\nagents:\n  bot: {models: [m], context_window: 100, max_output_tokens: 10}\n---\n\n"
    assert found(msgls, bot + REASONED) == []
    assert "word" not in msgls("convert", "--to", "openai", "a.msg.md").out


# -- what is read -------------------------------------------------------------------------------


def test_an_attribute_may_have_a_name_in_any_script(msgls: Runner) -> None:
    assert found(msgls, cell("%%", "m", '[markdown] 来源="网页" größe=3', "Hi")) == []
    wires = msgls("convert", "--to", "messages", "a.msg.md").json
    assert "网页" in json.dumps(wires, ensure_ascii=False)


@pytest.mark.parametrize("language", ["mermaid", "jq", "node", "my-lang"])
def test_a_run_below_a_code_cell_is_of_any_language(msgls: Runner, language: str) -> None:
    code = cell("%%", "c1", "[code]", f"```{language}\nx\n```")
    run = cell("%%%", "c1.1", f"[{language}] status=success", "stdout> 1")
    assert found(msgls, code + run) == []


@pytest.mark.parametrize(
    ("mime_type", "output"),
    [
        ("text/html", "<b>1</b>"),
        ("text/markdown", "*one*"),
        ("text/latex", "$x$"),
        ("text/csv", "a,b"),
    ],
)
def test_rich_outputs_need_no_prefix(msgls: Runner, mime_type: str, output: str) -> None:
    run = cell("%%%", "c1.1", f"[python] status=success mime_type={mime_type}", output)
    assert found(msgls, CODE + run) == []


SHAPES = {
    "attributes": '<ls path="."/>',
    "invoke": '<invoke name="ls"><parameter name="path">.</parameter></invoke>',
    "function_calls": (
        '<function_calls>\n<invoke name="ls">\n<parameter name="path">.</parameter>\n'
        "</invoke>\n</function_calls>"
    ),
    "tool_call": '<tool_call>{"name": "ls", "arguments": {"path": "."}}</tool_call>',
}


@pytest.mark.parametrize("shape", SHAPES)
def test_arguments_are_read_from_the_shapes_that_models_write(msgls: Runner, shape: str) -> None:
    call = cell("%%%", "1.ab", '[tool] name="ls"', SHAPES[shape])
    msgls.write("a.msg.md", BOT + ASK + ANSWER + call)
    parts = msgls("convert", "--to", "messages", "a.msg.md").json[1]["parts"]
    assert parts[-1]["payload"]["arguments"] == {"path": "."}
    assert all_problems(msgls).out == "No problems found.\n"


def test_a_message_that_is_only_a_title_is_found(msgls: Runner, editor: Editor) -> None:
    text = "# %% What now?[^m]\n\n[^m]: [markdown]\n"
    assert "MSG604" in found(msgls, text)
    uri = editor.show("a.msg.md", text)
    assert "# %% [^m]\n\n[^m]: [markdown]\n\nWhat now?\n" in editor.fixes(uri, "MSG604")


@pytest.mark.parametrize(
    "header", ["＃ %% Hi[^m]", "# ％％ Hi[^m]", "#\u00a0%% Hi[^m]", "#\u3000%% Hi[^m]"]
)
def test_full_width_characters_and_odd_blanks_are_near_misses(
    msgls: Runner, editor: Editor, header: str
) -> None:
    text = f"{ASK}{header}\n\n[^m]: [markdown]\n\nHi\n"
    assert "MSG106" in found(msgls, text)
    uri = editor.show("a.msg.md", text)
    assert f"{ASK}# %% Hi[^m]\n\n[^m]: [markdown]\n\nHi\n" in editor.fixes(uri, "MSG106")


def test_cells_that_a_fence_swallows_are_found(msgls: Runner) -> None:
    opened = cell("%%", "m", "[markdown]", "See:\n\n```js\nlet x")
    msgls.write("a.msg.md", opened + ASK + CODE + cell("%%", "z", "[markdown]", "End."))
    assert "a.msg.md:7:1: error[MSG110]" in all_problems(msgls).out


# -- what the rules say and mend ----------------------------------------------------------------

HIDDEN = cell("%%", "m", "[markdown] history=exclude", "secret") + ASK


def test_no_fix_shows_what_is_excluded(msgls: Runner, editor: Editor) -> None:
    assert found(msgls, HIDDEN) == ["MSG603"]
    msgls("check", "--fix", "--unsafe-fixes", "--min-severity", "hint", "a.msg.md")
    assert msgls.read("a.msg.md") == HIDDEN
    uri = editor.show("a.msg.md", HIDDEN)
    for text in editor.fixes(uri, "MSG603"):
        assert "history=exclude" in text


def test_an_unknown_agent_is_reported_once(msgls: Runner) -> None:
    answers = "".join(cell("%%%", f"a{n}", "[critic]", "Yes.") for n in range(4))
    assert found(msgls, ASK + answers).count("MSG202") == 1


def test_a_misspelt_attribute_of_an_agent_is_mended_with_a_list(editor: Editor) -> None:
    text = "---\nagents:\n  bot:\n    model: o3\n---\n\n" + ASK
    uri = editor.show("a.msg.md", text)
    assert text.replace("model: o3", "models: [o3]") in editor.fixes(uri, "MSG011")


@pytest.mark.parametrize("line", ["stdout > 1", "STDOUT> 1", "stdout: 1"])
def test_the_prefix_of_a_line_is_not_doubled(editor: Editor, line: str) -> None:
    run = cell("%%%", "c1.1", "[python] status=success", f"{line}\nstdout> 2")
    uri = editor.show("a.msg.md", CODE + run)
    for text in editor.fixes(uri, "MSG405"):
        assert len(re.findall("std(?:out|err)", text, re.IGNORECASE)) == 2


def test_an_id_that_is_not_last_on_its_line_gets_a_fix(editor: Editor) -> None:
    text = "# %% Hi [^m] there\n\n[^m]: [markdown]\n\nHi\n"
    uri = editor.show("a.msg.md", text)
    mended = "# %% Hi there[^m]\n\n[^m]: [markdown]\n\nHi\n"
    assert mended in editor.fixes(uri, "MSG102")


def test_a_misspelt_heading_of_the_section_is_found(editor: Editor) -> None:
    text = "---\nmessage_section: Discussion\n---\n\n# Notes\n\n# Discusion\n\n" + ASK
    uri = editor.show("a.md", text)
    assert text.replace("# Discusion", "# Discussion") in editor.fixes(uri, "MSG501")


# -- messages of parsers ------------------------------------------------------------------------

BROKEN: dict[str, tuple[str, str, int]] = {
    "tab in YAML": ("a.msg.md", "---\nagents:\n  bot:\n\tmodels: [m]\n---\n\n" + ASK, 4),
    "quote in YAML": ("a.msg.md", "---\nagents:\n  bot: @x\n---\n\n" + ASK, 3),
    "entity in XML": ("a.msg.md", BOT + ASK + ANSWER + CALL.replace(">.<", ">&a;<"), 22),
    "quote in XML": ("a.msg.md", BOT + ASK + ANSWER + CALL.replace("<path", "<path a=1"), 22),
    "comma in JSON": ("a.messages.json", '[\n{"runId": "r",\n "role": "user",}\n]\n', 3),
    "value in JSON": ("a.messages.json", '[\n{"runId": "r",\n "role": }\n]\n', 3),
}
THEIRS = re.compile(
    "invalid token|undefined entity|cannot start any token|[Ee]xpecting"
    "|未定义的实体|无效的记号|应为双引号"
)
NAMED = {"tab in YAML": "tab|制表符", "quote in YAML": "`@`", "entity in XML": "`&a;`"}
NAMED |= {"quote in XML": "quotes|引号", "comma in JSON": "comma|逗号", "value in JSON": "value|值"}


@pytest.mark.parametrize(
    ("what", "locale"), [(what, locale) for what in BROKEN for locale in ("en", "zh-cn")]
)
def test_what_a_parser_refuses_is_said_in_our_words_with_its_line(
    editor_in: Callable[[str], Editor], what: str, locale: str
) -> None:
    name, text, line = BROKEN[what]
    editor = editor_in(locale)
    uri = editor.show(name, text)
    problem = next(one for one in editor.problems(uri) if one["severity"] == 1)
    assert problem["range"]["start"]["line"] + 1 == line
    assert not THEIRS.search(problem["message"])
    assert re.search(NAMED[what], problem["message"])
    if locale == "zh-cn":
        words = re.findall("[a-zA-Z]{2,}", re.sub("`[^`]*`", "", problem["message"]))
        assert set(words) <= {"YAML", "XML", "JSON", "frontmatter"}


# -- one thing everywhere -----------------------------------------------------------------------

ADA = cell("%%", "c1", "[code]", "```ada\nnull;\n```")
ADA += cell("%%%", "c1.1", "[Ada]", "It prints:\n\nstdout> so.")


@pytest.fixture
def ada(msgls: Runner, editor: Editor) -> str:
    """A file with an answer of somebody who is registered, and there is a language of her name."""
    msgls.write("agents.json", dumped({"agents": [{"name": "Ada", "path": "./ada.js"}]}))
    msgls.write("a.msg.md", ADA)
    return editor.show("a.msg.md", ADA)


def test_a_cell_is_one_thing_in_outline_hover_and_messages(
    msgls: Runner, editor: Editor, ada: str
) -> None:
    answer = editor.outline(editor.show("b.msg.md", BOT + cell("%%%", "c", "[bot]", "So.")))[-1]
    assert [one["kind"] for one in editor.outline(ada)][-1] == answer["kind"]
    assert "**Answer**" in editor.hover(ada, "[^c1.1")
    wires = msgls("convert", "--to", "messages", "a.msg.md").json
    assert wires[-1]["role"] == "assistant"


def test_enter_in_an_answer_is_no_line_of_output(editor: Editor, ada: str) -> None:
    """Nor is it after one that the answer quotes."""
    editor.type(ada, "so.", "so.\n")
    if "documentOnTypeFormattingProvider" in editor.capabilities:
        at = editor.texts[ada].index("so.\n") + len("so.\n")
        options = {"tabSize": 4, "insertSpaces": True}
        assert not editor.at("textDocument/onTypeFormatting", at, ada, ch="\n", options=options)
