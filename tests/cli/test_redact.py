"""What leaves this machine has no secrets in it, unless somebody says so."""

import json

import pytest

from msgls.document.document import Document
from msgls.features.commands import Call, ShownText, run
from tests.cli.support import Runner
from tests.snapshots import snapshot_of
from tests.text.test_secret_corpus import made_up

KEY, OTHER = made_up("sk-ant-api03-{v93}AA"), made_up("ghp_{w36}")
HOME = "/".join(["", "home", "sam"])
TALK = (
    "# %% [^q]\n\n[^q]: [markdown]\n\n"
    f"My key is {KEY}, not {OTHER}.\n\n"
    f"It is in {HOME}/shop/.env, ask sam@shop.example.\n\n"
    f"# %% [^r]\n\n[^r]: [markdown]\n\nAgain:\n\n```python\nkey = '{KEY}'\n```\n"
)
MESSAGES = json.dumps([
    {"runId": "r", "role": "user", "timestamp": "2026-01-01T00:00:00Z", "parts": [
        {"kind": "text", "payload": {"text": f"My key:\n{KEY}\nAPI_TOKEN=\"{OTHER}\""}}
    ]}
])  # fmt: skip
FIRST, SECOND = "[secret 1: Anthropic key]", "[secret 2: GitHub key]"
TOLD = (
    f"talk.msg.md:5: hidden: {FIRST}\n"
    f"talk.msg.md:5: hidden: {SECOND}\n"
    f"talk.msg.md:16: hidden: {FIRST}\n"
)

SHARING = (
    ("render", "talk.msg.md"),
    ("convert", "--to", "openai", "--model", "m", "talk.msg.md"),
    ("convert", "--to", "anthropic", "--model", "m", "talk.msg.md"),
    ("convert", "--to", "markdown", "talk.msg.md"),
    ("view", "--to", "openai", "talk.msg.md"),
)


@pytest.mark.parametrize("command", SHARING, ids=" ".join)
def test_secrets_are_hidden_and_told(msgls: Runner, command: tuple[str, ...]) -> None:
    msgls.write("talk.msg.md", TALK)
    run = msgls(*command)
    assert run.code == 0
    assert KEY not in run.out
    assert OTHER not in run.out
    # The same secret is the same placeholder.
    assert run.out.count("secret 1: Anthropic key") >= 2
    assert SECOND in run.out
    assert TOLD in run.err
    assert HOME in run.out


@pytest.mark.parametrize("command", SHARING, ids=" ".join)
def test_unless_somebody_says_so(msgls: Runner, command: tuple[str, ...]) -> None:
    msgls.write("talk.msg.md", TALK)
    run = msgls(*command, "--no-redact")
    assert KEY in run.out
    assert "hidden" not in run.err


@pytest.mark.parametrize("command", SHARING, ids=" ".join)
def test_paths_and_addresses_are_hidden_on_request(msgls: Runner, command: tuple[str, ...]) -> None:
    msgls.write("talk.msg.md", TALK)
    run = msgls(*command, "--redact", "paths,emails")
    assert "sam" not in run.out.replace("sample", "").replace("same", "")
    assert "~/shop/.env" in run.out
    assert "[email 1]" in run.out
    assert "talk.msg.md:7: hidden: [email 1]\n" in run.err


def test_every_format_is_looked_at(msgls: Runner) -> None:
    msgls.write("a.messages.json", MESSAGES)
    msgls.write("a.stf", f"@user\nMy key: {KEY}\n")
    msgls.write("folder/1.md", f"; role: user\n\n\nMy key: {KEY}\n")
    msgls.write("folder/2.md", f"; role: assistant\n\n\nIt is {KEY}.\n")
    for name in ("a.messages.json", "a.stf", "folder"):
        run = msgls("render", name)
        assert run.code == 0
        assert KEY not in run.out
        assert OTHER not in run.out
        assert "[secret 1: Anthropic key]" in run.out


def test_what_stays_here_is_left_as_it_is(msgls: Runner) -> None:
    msgls.write("talk.msg.md", TALK)
    for command in (("view", "talk.msg.md"), ("convert", "--to", "messages", "talk.msg.md")):
        run = msgls(*command)
        assert KEY in run.out
        assert "hidden" not in run.err


def test_whoever_hides_paths_hides_secrets_too(msgls: Runner) -> None:
    msgls.write("talk.msg.md", TALK)
    run = msgls("convert", "--to", "stf", "talk.msg.md", "--redact", "paths")
    assert "~/shop/.env" in run.out
    assert KEY not in run.out
    assert FIRST in run.out


@pytest.mark.parametrize("target", ["openai", "anthropic", "markdown"])
def test_what_an_editor_copies_has_no_secrets(target: str) -> None:
    document = Document.open("talk.msg.md", TALK)
    call = Call(snapshot_of(document), 0, {"target": target})
    shown = run("msgls.convert.to", call)
    assert isinstance(shown, ShownText)
    assert KEY not in shown.text
    assert shown.text.count(FIRST) == 2
    told = [(str(loss.what), loss.line) for loss in shown.losses]
    assert [one for one in told if one[0].startswith("hidden")] == [
        (f"hidden: {FIRST}", 4), (f"hidden: {SECOND}", 4), (f"hidden: {FIRST}", 15)
    ]  # fmt: skip


def test_an_image_is_not_a_secret(msgls: Runner) -> None:
    data = made_up("{b1200}") + "/AKIA" + made_up("{t16}") + "/" + made_up("{b1200}")
    msgls.write(
        "talk.msg.md", f"# %% [^q]\n\n[^q]: [markdown]\n\n![i](data:image/png;base64,{data})\n"
    )
    run = msgls("convert", "--to", "markdown", "talk.msg.md")
    assert data in run.out


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (("--redact", "names"), "--redact: there is no `names`; there are: secrets, paths, emails"),
        (("--redact", "paths", "--no-redact"), "--redact and --no-redact contradict each other"),
    ],
)
def test_what_cannot_be_asked_for(msgls: Runner, options: tuple[str, ...], error: str) -> None:
    msgls.write("talk.msg.md", TALK)
    assert msgls("render", "talk.msg.md", *options) == (2, "", f"msgls: {error}\n")


def test_a_report_shows_no_secret(msgls: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports are kept in the logs of CI."""
    monkeypatch.setenv("COLUMNS", "400")
    value = made_up("{w40}")
    kubernetes = f"apiVersion: v1\nkind: Secret\ndata:\n  password: {value}\n"
    text = f"See [it](gone.md), the key is {KEY} 天, or {OTHER}.\n\n```yaml\n{kubernetes}```\n"
    msgls.write("a.msg.md", "# %% [^q]\n\n[^q]: [markdown]\n\n" + text)
    run = msgls("check")
    first, second = ("sk-ant-api03-" + "*" * (len(KEY) - 13)), "ghp_" + "*" * 36
    # A missing file and two keys are reported on the line, and each shows all of it.
    assert run.out.count(f"5 | See [it](gone.md), the key is {first} 天, or {second}.\n") == 3
    assert f"11 |   password: {'*' * 40}\n" in run.out
    assert not any(secret[-12:] in run.out for secret in (KEY, OTHER, value))
