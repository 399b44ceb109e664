"""Which program answers for whom: the user's own file decides, and nothing else."""

import sys
from pathlib import Path
from typing import Any

import pytest

from msgls.host.providers import (
    Ended,
    Provider,
    ProviderProblem,
    Running,
    config_folder,
    read_providers,
)


def configured(folder: Path, text: str) -> Path:
    (folder / "providers.toml").write_text(text, "utf-8")
    return folder


def test_the_first_pattern_that_fits_decides(tmp_path: Path) -> None:
    text = """
    [models]
    "gpt-*" = "openai"
    "Ada" = "own"
    "*" = "llm"
    [providers.own]
    command = ["./own", "--fast"]
    env = { KEY = "k" }
    [prices]
    "gpt-*" = [1, 2.5]
    """
    providers = read_providers(configured(tmp_path, text))
    assert providers.serving("Bob", "gpt-5").name == "openai"
    own = providers.serving("Ada", "claude")
    assert own.command == (str(tmp_path / "own"), "--fast")
    assert own.environment == {"KEY": "k"}
    assert providers.serving("Bob", None).name == "llm"
    assert providers.serving("Bob", "replay").name == "llm"
    assert providers.price("gpt-5") == (1.0, 2.5)
    assert providers.price("other") is None


def test_without_configuration_only_replay_answers(tmp_path: Path) -> None:
    providers = read_providers(tmp_path)
    assert providers.serving("Ada", "replay").name == "replay"
    for agent, model in [("Ada", "gpt-5"), ("openai", None), ("x", "/bin/sh"), ("llm", "llm")]:
        with pytest.raises(ProviderProblem, match="no provider is configured"):
            providers.serving(agent, model)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[models", "not valid TOML"),
        ("x = 1", "there is no setting `x`"),
        ("models = 1", "`models` must be a table"),
        ('[models]\n"*" = 1', "must be a string"),
        ("[providers.a]\ncommand = 'sh -c x'", "must be a list of strings"),
        ("[providers.a]\ncommand = []", "must be a list of strings"),
        ("[providers.a]\nshell = 'x'", "must be a table with"),
        ("[prices]\na = [1]", "must be two numbers"),
        ('[models]\n"*" = "nobody"', "there is no provider `nobody`"),
    ],
)
def test_what_cannot_be_understood(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ProviderProblem, match=said):
        read_providers(configured(tmp_path, text)).serving("a", "b")


def test_what_is_missing_can_be_pasted(tmp_path: Path) -> None:
    model = 'a "new" modèl'
    with pytest.raises(ProviderProblem) as refused:
        read_providers(tmp_path).serving("Ada", model)
    line = str(refused.value).partition("such as ")[2].partition("; there are")[0]
    text = f"[models]\n{line.replace('llm', 'replay')}\n"
    assert read_providers(configured(tmp_path, text)).serving("Ada", model).name == "replay"


def test_the_folder_is_the_users_own(tmp_path: Path) -> None:
    home = Path.home() / ".config" / "msgls"
    assert config_folder({}) == home
    # A relative path would be one of the project that somebody works in.
    assert config_folder({"XDG_CONFIG_HOME": "config"}) == home
    assert config_folder({"XDG_CONFIG_HOME": str(tmp_path)}) == tmp_path / "msgls"


def program(source: str) -> Provider:
    return Provider("test", (sys.executable, "-c", "import sys, json, time, os\n" + source))


def everything(provider: Provider) -> tuple[list[Any], Ended]:
    running = Running(provider, {"messages": []})
    deltas: list[Any] = []
    while True:
        item = running.take(60)
        assert item is not None
        if isinstance(item, Ended):
            return deltas, item
        deltas.append(item)


TEXT = (
    'print(json.dumps({"runId": "r", "seq": 1, "kind": "text", "payload": {"textDelta": "x"}, '
    '"timestamp": "t"}), flush=True)\n'
)


@pytest.mark.parametrize(
    ("source", "count", "fault"),
    [
        (TEXT, 1, None),
        (TEXT + "print('oops', flush=True); time.sleep(60)", 1, "a line that is not JSON"),
        (TEXT + "print('{}', flush=True)", 1, "a line that is not a delta"),
        (TEXT + "sys.stdout.buffer.write(b'\\xff\\n')", 1, "a line that is not JSON"),
        (TEXT + "sys.exit('no key')", 1, "the provider failed: no key"),
        (TEXT + "os._exit(3)", 1, "the provider failed with exit code 3"),
        (TEXT + "os.kill(os.getpid(), 9)", 1, "the provider failed with exit code -9"),
        ("print('[' * 1000000)", 0, "a line that is not JSON"),
        ("print('[' * 2000000)", 0, "a line of more than 1,048,576 bytes"),
        ("while True: " + TEXT.replace('"x"', '"x" * 100_000'), None, "more than 67,108,864 bytes"),
    ],
)
def test_what_a_program_may_do(source: str, count: int | None, fault: str | None) -> None:
    deltas, ended = everything(program(source))
    assert count is None or len(deltas) == count
    assert ended.fault is None if fault is None else fault in str(ended.fault)


def test_it_runs_in_the_home_of_the_user_and_gets_one_request() -> None:
    say = (
        "request = json.load(sys.stdin)\n"
        'say = lambda text: print(json.dumps({"runId": "r", "seq": 1, "kind": "text", "payload":'
        ' {"textDelta": text}, "timestamp": "t"}))\n'
        "say(os.getcwd()); say(json.dumps(request))"
    )
    deltas, _ = everything(program(say))
    said = [delta["payload"]["textDelta"] for delta in deltas]
    assert said == [str(Path.home().resolve()), '{"messages": []}']


def test_a_home_that_is_not_there_is_not_in_the_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "nowhere"))
    deltas, ended = everything(program(TEXT))
    assert (len(deltas), ended.fault) == (1, None)


def test_one_that_does_not_want_to_stop_is_stopped() -> None:
    stubborn = "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + TEXT
    running = Running(program(stubborn + "time.sleep(600)"), {})
    assert running.take(60) is not None
    running.stop()
    assert not running.wait()


def test_one_that_is_not_there() -> None:
    with pytest.raises(ProviderProblem, match="cannot be started: /nowhere/at/all: no such"):
        Running(Provider("x", ("/nowhere/at/all",)), {})
