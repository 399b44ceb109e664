"""``msgls view``: text, requests, the table, and what goes wrong."""

import pytest

from msgls.host import opening
from msgls.text.tokens import TokenCounter
from tests.cli.support import GOOD, Runner
from tests.conversation.corpus import CORPUS, MESSAGE_FILE, STF_AT


def test_text(msgls: Runner) -> None:
    msgls.write("a.msg.md", MESSAGE_FILE)
    run = msgls("view", "a.msg.md")
    assert (run.code, run.err) == (0, "")
    assert run.out.startswith(
        "## system · prompt of writer\n\nBe brief.\n\n## system · s1\n\nAnswer in English.\n"
    )
    assert "## user · y1 · summary\n\nIn short.\n" in run.out
    assert "Never mind" not in run.out
    assert "Welcome" not in run.out
    assert "(image/png, about 1 kB)" in run.out


def test_what_a_tokenizer_has_counted_is_not_an_estimate(
    msgls: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    msgls.write("a.msg.md", "# %% [^a]\n\nOne two three\n")
    assert "an estimate" in msgls("view", "--explain", "a.msg.md").out
    counter = TokenCounter(lambda text: len(text.split()))
    monkeypatch.setattr(opening, "_token_counter", lambda wanted: counter)
    out = msgls("view", "--explain", "a.msg.md").out
    assert "3 tokens in all" in out
    assert "an estimate" not in out


def test_headings_fit_and_are_coloured(msgls: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    msgls.write("a.msg.md", f"# %% [^{'x' * 100}]\n\n## user\n")
    lines = msgls("view", "a.msg.md").out.splitlines()
    assert len(lines[0]) == 80
    monkeypatch.setenv("FORCE_COLOR", "1")
    lines = msgls("view", "a.msg.md").out.splitlines()
    assert lines[0].startswith("\x1b[")
    assert lines[-1] == "## user"


def test_a_transcript_plays_no_tricks(msgls: Runner) -> None:
    msgls.write("a.msg.md", "# %% [^a]\n\n\x1b[2Jgone\u202e\n")
    out = msgls("view", "a.msg.md").out
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert "␛[2Jgone" in out


def test_messages_have_their_lines(msgls: Runner) -> None:
    msgls.write("a.msg.md", MESSAGE_FILE)
    found = msgls("view", "a.msg.md", "--to", "messages").json
    lines = MESSAGE_FILE.split("\n")
    for message in found[1:]:
        first, last = message["meta"]["sourceLines"]
        assert lines[first - 1].startswith("#")
        assert first < last
    assert found[0]["parts"][0]["payload"]["text"] == "Be brief."
    assert not any("file" in message["meta"] for message in found)


@pytest.mark.parametrize("service", ["openai", "anthropic"])
def test_requests(msgls: Runner, service: str) -> None:
    msgls.write("a.msg.md", MESSAGE_FILE)
    run = msgls("view", "a.msg.md", "--to", service)
    assert run.code == 0
    assert run.json["model"] == "model-one"
    assert "Never mind" not in run.out
    assert "this format cannot hold `id`" not in run.err
    system = run.json["messages"][0]["content"] if service == "openai" else run.json["system"]
    assert "Be brief." in str(system)


def test_explain(msgls: Runner) -> None:
    msgls.write("a.msg.md", MESSAGE_FILE)
    run = msgls("view", "a.msg.md", "--explain")
    rows = {line.split()[1]: line for line in run.out.splitlines() if line}
    assert rows["x1"].endswith("no: history=exclude")
    assert rows["y1"].endswith("yes: replaced by its `summary`")
    assert rows["b1"].endswith("no: it is virtual")
    assert rows["a1.0a1b2c3d.1"].split()[0] == str(
        MESSAGE_FILE.split("[^a1.0a1b2c3d.1]")[0].count("\n") + 1
    )
    assert "writer has room for 7,000" in run.out
    assert all(len(line) <= 80 for line in run.out.splitlines())


def test_explain_what_is_too_much(msgls: Runner) -> None:
    head = "---\nagents: {one: {context_window: 3}}\n---\n\n"
    msgls.write("a.msg.md", head + GOOD + "More and more and more.\n")
    assert "one has room for only 3" in msgls("view", "a.msg.md", "--explain").out


def test_other_formats(msgls: Runner) -> None:
    msgls.write("a.stf", STF_AT)
    run = msgls("view", "a.stf")
    assert run.out.startswith("## system\n\nBe brief.\n")
    assert "(calls search)" in run.out


def test_nothing_to_see(msgls: Runner) -> None:
    msgls.write("a.msg.md", "")
    run = msgls("view", "a.msg.md")
    assert (run.code, run.out) == (0, "")
    assert run.err == "msgls: the model sees nothing of this file; --explain says why\n"


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["none.msg.md"], "none.msg.md: no such file or directory"),
        (["a.msg.md", "--agent", "writr"], "no agent `writr` (did you mean `writer`?)"),
        (["a.msg.md", "--agent", "zz"], "no agent `zz` (there are: writer, model-one)"),
        (["b.msg.md", "--agent", "zz"], "no agent `zz` (it names no agent at all)"),
        (["a.stf", "--agent", "zz"], "files of this format have no agents"),
        (["a.msg.md", "--explain", "--to", "text"], "--explain cannot be used with"),
    ],
)
def test_what_goes_wrong_is_said(msgls: Runner, arguments: list[str], why: str) -> None:
    msgls.write("a.msg.md", MESSAGE_FILE)
    msgls.write("b.msg.md", GOOD)
    msgls.write("a.stf", STF_AT)
    run = msgls("view", *arguments)
    assert (run.code, run.out) == (2, "")
    assert why in run.err


def test_a_model_can_be_asked_for(msgls: Runner) -> None:
    msgls.write("a.msg.md", MESSAGE_FILE)
    assert msgls("view", "a.msg.md", "--agent", "model-one").out.startswith("## system · prompt")


FOREIGN = ("openai", "chat completion", "response", "anthropic", "anthropic response", "notebook")


@pytest.mark.parametrize("name", FOREIGN)
def test_what_others_wrote(msgls: Runner, name: str) -> None:
    file, text = CORPUS[name]
    msgls.write(file, text)
    for target in ("openai", "anthropic"):
        seen = msgls("view", file, "--to", target)
        assert seen.code == 0
        assert seen.out == msgls("convert", file, "--to", target).out
    assert msgls("view", file).out.startswith("## ")
    assert msgls("view", file, "--to", "messages").json


def test_what_others_wrote_in_a_table(msgls: Runner) -> None:
    file, text = CORPUS["chat completion"]
    msgls.write(file, text)
    lines = msgls("view", file, "--explain").out.splitlines()
    assert lines[1].endswith("yes")
    assert lines[2].endswith("no: history=exclude")
    assert "Another choice" not in msgls("view", file).out
    msgls.write("a.json", "{}")
    assert "a.json: this is not a message file" in msgls("view", "a.json").err
