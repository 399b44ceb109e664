"""The library: checks and converts texts, depends on nothing but its arguments, can be pickled."""

import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import msgls
from msgls import api
from msgls.cli.checking import Report, Task
from tests.formats.msgjson.made_up import done, dump, error, start, text

CALL = """\
# %% Ask[^q1]

[^q1]: [markdown]

Look, please.

# %%% Answer[^a1]

[^a1]: [oracle]

## %%% Call[^a1.0c0ffee0]

[^a1.0c0ffee0]: [tool] name="look"

<look/>

## %%% Result[^a1.0c0ffee1.1]

[^a1.0c0ffee1.1]: [tool] status="success"
"""
OLD = {"per-file-ignores": {"/old/*": ["MSG2"]}}


def codes(found: list[msgls.Finding]) -> list[str]:
    return [finding.code for finding in found]


# -- checking ---------------------------------------------------------------------------------


def test_problems_have_places_and_ways_out() -> None:
    (unregistered, mismatch) = msgls.check_text(CALL, path="notes/talk.msg.md")
    assert unregistered.code == "MSG202"
    assert mismatch[:3] == ("notes/talk.msg.md", "MSG302", "nonce-mismatch")
    assert mismatch.severity is msgls.Severity.ERROR
    assert (mismatch.start, mismatch.end) == ((17, 16), (17, 29))
    assert mismatch.line.startswith("## %%% Result")
    assert mismatch.fix is not None
    assert not mismatch.fix.safe


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ({}, ["MSG202", "MSG302"]),
        ({"settings": {"ignore": ["MSG302"]}}, ["MSG202"]),
        ({"settings": {"lint": {"select": ["MSG3"]}}}, ["MSG302"]),
        ({"settings": {"per-file-ignores": {"text.*": ["MSG2"]}}}, ["MSG302"]),
        ({"settings": OLD, "path": "new/a.msg.md"}, ["MSG202", "MSG302"]),
        ({"settings": OLD, "path": "old/a.msg.md"}, ["MSG302"]),
        ({"min_severity": "error"}, ["MSG302"]),
        ({"agents": ["oracle"]}, ["MSG302"]),
        ({"path": "talk.md"}, []),
        ({"path": "talk.py"}, []),
    ],
)
def test_what_is_found_follows_from_the_arguments(
    options: dict[str, Any], found: list[str]
) -> None:
    assert codes(msgls.check_text(CALL, **options)) == found


def test_a_settings_mistake_names_the_key() -> None:
    with pytest.raises(msgls.SettingsError, match=r"settings: ignore: there is no rule `MSG999`"):
        msgls.check_text("", settings={"ignore": ["MSG999"]})


def test_an_unknown_severity_is_refused() -> None:
    with pytest.raises(ValueError, match="'fatal' is not one of error, warning, info, hint"):
        msgls.check_text("", min_severity="fatal")


@pytest.mark.parametrize("text", ["", "\x00", "# %%", "\ufeff# %% [^", "```\n# %%", "---\n: :\n"])
def test_no_text_raises(text: str) -> None:
    for path in ("a.msg.md", "a.stf", "1.md", "agents.json", "a.deltas.jsonl", ""):
        msgls.check_text(text, path=path, min_severity="hint")


def test_the_working_directory_has_no_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Below `trees/` a numbered file is no ChatBuilder message: but only if the path says so.
    broken = "; role: nobody\n\n\nHello.\n"
    expected = codes(msgls.check_text(broken, path="messages/x/1.md"))
    assert "CBM002" in expected
    folder = tmp_path / "trees" / "messages"
    folder.mkdir(parents=True)
    (folder / "msgls.toml").write_text('ignore = ["ALL"]\n', "utf-8")
    monkeypatch.chdir(folder)
    assert codes(msgls.check_text(broken, path="messages/x/1.md")) == expected


def test_a_rule_that_fails_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    report = Report("/text.msg.md", failures=("MSG101 (boom)",))
    monkeypatch.setattr(api, "check_task", lambda task, text: report)
    with pytest.warns(RuntimeWarning, match=r"text\.msg\.md: a rule failed: MSG101 \(boom\)"):
        assert msgls.check_text("") == []


def test_tokens_are_counted_alike_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def note(task: Task, text: str) -> Report:
        asked.append(task.settings.tokens)
        return Report(task.path)

    monkeypatch.setattr(api, "check_task", note)
    msgls.check_text("")
    msgls.check_text("", settings={"ignore": ["MSG105"]})
    msgls.check_text("", settings={"tokens": "o200k_base"})
    assert asked == ["estimate", "estimate", "o200k_base"]


def test_the_language_is_a_setting_and_not_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    (english,) = msgls.check_text("# %% A[^a]\n\nHi.\n")
    (chinese,) = msgls.check_text("# %% A[^a]\n\nHi.\n", settings={"locale": "zh"})
    assert english.message.isascii()
    assert not chinese.message.isascii()


def test_findings_survive_pickling() -> None:
    found = msgls.check_text(CALL, min_severity="hint")
    assert found
    assert pickle.loads(pickle.dumps(found)) == found
    assert pickle.loads(pickle.dumps(msgls.check_text)) is api.check_text


# -- converting -------------------------------------------------------------------------------


def test_a_conversation_is_written_otherwise() -> None:
    text = "@system\nBe brief.\n@user\nHello\n@assistant\nHi!\n"
    converted = msgls.convert_text(text, path="talk.stf", to="openai")
    messages = json.loads(converted.text)["messages"]
    assert [(m["role"], m["content"]) for m in messages] == [
        ("system", "Be brief."),
        ("user", "Hello"),
        ("assistant", "Hi!"),
    ]
    assert pickle.loads(pickle.dumps(converted)) == converted


def test_what_comes_back_is_what_went_out() -> None:
    text = "@user\nHello\n@assistant\nHi!\n"
    there = msgls.convert_text(text, path="talk.stf", to="messages")
    back = msgls.convert_text(there.text, path="talk.messages.json", to="stf")
    assert msgls.convert_text(back.text, path="talk.stf", to="messages").text == there.text


def test_what_is_lost_is_told_with_its_line() -> None:
    text = "@user\nHello\n@assistant\nHi!\n@call id=c1\nlook {at: 1}\n"
    lost = msgls.convert_text(text, path="talk.stf", to="chatbuilder").lost
    assert lost
    assert all(isinstance(loss, msgls.Lost) and loss.what for loss in lost)
    assert {loss.line for loss in lost} & {1, 3}


def test_a_folder_is_files() -> None:
    converted = msgls.convert_text("@user\nA\n@ai\nB\n", path="t.stf", to="chatbuilder")
    assert converted.files is not None
    assert list(converted.files) == ["1.md", "2.md"]
    assert converted.text == converted.files["1.md"]


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("@user\n", {"path": "t.stf", "to": "opnai"}, r"to: there is no `opnai` \(did you mean"),
        ("@user\n", {"to": "stf", "source": "word"}, "source: there is no `word`"),
        ("Nothing.\n", {"path": "t.txt", "to": "stf"}, r"t\.txt: "),
        ("{", {"path": "t.json", "to": "stf"}, r"t\.json: it is not valid JSON"),
    ],
)
def test_what_cannot_be_converted_says_why(
    text: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(msgls.ConversionError, match=message):
        msgls.convert_text(text, **options)


def test_an_export_holds_many() -> None:
    one = {"title": "A", "chat_messages": [{"sender": "human", "text": "Hello"}]}
    export = json.dumps([{**one, "name": "A"}, {**one, "name": "B"}])
    found = list(msgls.convert_all(export, path="export.json", to="stf", source="claude"))
    assert len(found) == 2
    with pytest.raises(msgls.ConversionError, match="2 conversations: use convert_all"):
        msgls.convert_text(export, path="export.json", to="stf", source="claude")


# -- the package ------------------------------------------------------------------------------


def test_the_names_of_the_package_are_those_of_the_library() -> None:
    names = [name for name in msgls.__all__ if name != "__version__"]
    assert set(names) <= set(api.__all__)
    assert [name for name in names if getattr(msgls, name) is not getattr(api, name)] == []
    assert set(msgls.__all__) <= set(dir(msgls))
    with pytest.raises(AttributeError, match="no attribute 'chek_text'"):
        msgls.chek_text  # noqa: B018  # asking is the point


def loaded(code: str) -> set[str]:
    run = [sys.executable, "-c", f"{code}\nimport sys\nprint(*sys.modules)"]
    return set(subprocess.run(run, capture_output=True, text=True, check=True).stdout.split())


def test_importing_the_package_loads_nothing_of_it() -> None:
    assert {name for name in loaded("import msgls") if name.startswith("msgls")} == {"msgls"}


def test_who_only_checks_loads_no_models_and_no_protocol() -> None:
    modules = loaded("import msgls; msgls.check_text('# %% A[^a]\\n')")
    assert "msgls.api" in modules
    assert modules & {"pydantic", "pygls", "lsprotocol", "msgls.conversation.targets"} == set()


# -- models -----------------------------------------------------------------------------------


def test_the_example_of_the_page_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (Path(__file__).parents[1] / "docs" / "library.md").read_text("utf-8")
    example = page.split("```python\n")[2].split("```")[0]
    lines = dump(start(), text(1, "Hello"), done(2), start(3), text(4, "Hal"), error(5))
    (tmp_path / "talk.deltas.jsonl").write_text(lines, "utf-8")
    monkeypatch.chdir(tmp_path)
    exec(compile(example, "library.md", "exec"), {})
    assert capsys.readouterr().out == (
        "assistant 1 parts, from line 1\n"
        "the stream of run `r` ends in an error and yields no message: overloaded "
        "[{'kind': 'text', 'payload': {'text': 'Hal'}}]\n"
    )


def test_names_are_loaded_when_they_are_asked_for() -> None:
    for name in msgls.__all__:
        assert getattr(msgls, name) is not None
    code = "import sys, msgls; msgls.check_text; sys.exit('pydantic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
