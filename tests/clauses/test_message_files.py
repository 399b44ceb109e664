"""Message files: ids, sections, agents, runs, code, and what the rules say and mend."""

import json
import re
from collections.abc import Callable

import pytest

from msgls.text.spans import Span
from tests.clauses.support import Editor
from tests.cli.support import Run, Runner

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


# -- the section in a plain .md -----------------------------------------------------------------

SECTION = "---\nmessage_section: Talk\nagents: {bot: {}}\n---\n\n# Notes\n\n## Talk\n\n"


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


# -- temporary agents ---------------------------------------------------------------------------


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


# -- what is read -------------------------------------------------------------------------------


def test_an_attribute_may_have_a_name_in_any_script(msgls: Runner) -> None:
    assert found(msgls, cell("%%", "m", '[markdown] 来源="网页" größe=3', "Hi")) == []
    wires = msgls("convert", "--to", "messages", "a.msg.md").json
    assert "网页" in json.dumps(wires, ensure_ascii=False)


# -- what the rules say and mend ----------------------------------------------------------------


def test_a_misspelt_attribute_of_an_agent_is_mended_with_a_list(editor: Editor) -> None:
    text = "---\nagents:\n  bot:\n    model: o3\n---\n\n" + ASK
    uri = editor.show("a.msg.md", text)
    assert text.replace("model: o3", "models: [o3]") in editor.fixes(uri, "MSG011")


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
