"""Providers: which program answers for whom, and running it.

Owns the one file that may name a program, ``providers.toml`` in the user's own configuration
folder, and the process of a provider. No message file, no frontmatter, no setting of a
workspace or an editor and no ``agents.json`` has a say in what is run, with which arguments,
environment or folder: they can only name an agent and a model, which are looked up here.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path
from typing import IO, Any, NamedTuple

from msgls.conversation.assembler import TERMINAL_KINDS, is_delta
from msgls.formats.strictjson import strict_loads
from msgls.host.files import FileProblem, read_text
from msgls.text.phrases import Phrase, PhrasedError, about, as_phrase, joined

Wire = dict[str, Any]

CONFIG_FILE = "providers.toml"
BUILT_IN = ("replay", "openai", "llm")
"""Those that come with msgls: modules of ``msgls.providers``."""
# Needs no configuration, because it opens no connection and no file.
_ALWAYS = {"replay": "replay"}

_KEYS = frozenset({"providers", "models", "prices"})
_PROVIDER_KEYS = frozenset({"command", "env"})
_LONGEST_LINE = 1 << 20
_MOST_ANSWER = 1 << 24
_MOST_WAITING = 4_096
_MOST_STDERR = 2_000
_PATIENCE_SECONDS = 2.0


class ProviderProblem(PhrasedError):
    """Why nobody can be asked, in words."""


class Provider(NamedTuple):
    """A program that answers."""

    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str] = {}
    """What is added to the environment."""


class Price(NamedTuple):
    """What a million tokens cost, in whatever currency the user thinks in."""

    input: float
    output: float


class Providers:
    """What the user has configured."""

    def __init__(
        self,
        named: Mapping[str, Provider],
        patterns: Mapping[str, str],
        prices: Mapping[str, Price],
        path: Path,
    ) -> None:
        self._named = {name: _built_in(name) for name in BUILT_IN} | dict(named)
        self._patterns = {**patterns, **{k: v for k, v in _ALWAYS.items() if k not in patterns}}
        self._prices = prices
        self.path = path

    @property
    def names(self) -> Sequence[str]:
        """What the providers are called."""
        return list(self._named)

    def named(self, name: str) -> Provider:
        """The provider of that name. Raises ``ProviderProblem`` where there is none."""
        if name not in self._named:
            names = joined(self._named)
            raise ProviderProblem(
                "there is no provider `{name}`; there are: {names}", name=name, names=names
            )
        return self._named[name]

    def serving(self, agent: str, model: str | None) -> Provider:
        """The provider for an agent or its model: the first pattern that either name fits."""
        for pattern, name in self._patterns.items():
            if any(fnmatchcase(asked, pattern) for asked in (agent, model) if asked):
                return self.named(name)
        who = Phrase("`{agent}`", agent=agent)
        if model is not None:
            who = Phrase("`{agent}` (model `{model}`)", agent=agent, model=model)
        raise ProviderProblem(
            "no provider is configured for {who}: say which one in {file}",
            who=who,
            file=str(self.path),
        )

    def price(self, model: str) -> Price | None:
        """What a model costs, if the user says so."""
        fitting = [price for name, price in self._prices.items() if fnmatchcase(model, name)]
        return fitting[0] if fitting else None


def _built_in(name: str) -> Provider:
    # -P: a module of the folder that we happen to run in must not be taken for one of ours.
    return Provider(name, (sys.executable, "-P", "-m", f"msgls.providers.{name}"))


# -- configuration --------------------------------------------------------------------------


def config_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """The user's own folder for msgls; never one that a project can choose."""
    if sys.platform == "win32":
        base = environment.get("APPDATA")
        return (Path(base) if base else Path.home() / "AppData" / "Roaming") / "msgls"
    base = environment.get("XDG_CONFIG_HOME", "")
    # The specification of XDG wants a relative path to be ignored.
    return (Path(base) if base and Path(base).is_absolute() else Path.home() / ".config") / "msgls"


def read_providers(folder: Path | None = None) -> Providers:
    """What the user configured. Raises ``ProviderProblem`` where that cannot be understood."""
    path = (config_folder() if folder is None else folder) / CONFIG_FILE
    if not path.exists():
        return Providers({}, {}, {}, path)
    import tomllib

    try:
        values = tomllib.loads(read_text(path))
        unknown = sorted(values.keys() - _KEYS)
        if unknown:
            raise ProviderProblem("there is no setting `{name}`", name=unknown[0])
        folder = path.parent
        named = {name: _provider(name, said, folder) for name, said in _table(values, "providers")}
        models = {key: _text(said, f"models.{key}") for key, said in _table(values, "models")}
        prices = {key: _price(said, f"prices.{key}") for key, said in _table(values, "prices")}
        return Providers(named, models, prices, path)
    except tomllib.TOMLDecodeError as error:
        what = Phrase("it is not valid TOML: {reason}", reason=str(error))
        raise ProviderProblem(about(path, what)) from None
    except (FileProblem, ProviderProblem) as problem:
        raise ProviderProblem(about(path, problem.phrase)) from None


def _table(values: Mapping[str, Any], key: str) -> list[tuple[str, Any]]:
    table = values.get(key, {})
    if not isinstance(table, dict):
        raise ProviderProblem("`{key}` must be a table", key=key)
    return list(table.items())


def _text(value: object, key: str) -> str:
    if not isinstance(value, str) or not value:
        raise ProviderProblem("`{key}` must be a text", key=key)
    return value


def _provider(name: str, said: object, folder: Path) -> Provider:
    key = f"providers.{name}"
    if not isinstance(said, dict) or said.keys() - _PROVIDER_KEYS:
        raise ProviderProblem("`{key}` must be a table with `command` and `env`", key=key)
    command, added = said.get("command"), said.get("env", {})
    if command is None and name in BUILT_IN:
        command = _built_in(name).command
    if not isinstance(command, list | tuple) or not command:
        raise ProviderProblem("`{key}.command` must be a list of texts", key=key)
    texts = [_text(word, f"{key}.command") for word in command]
    if texts[0] in BUILT_IN:
        texts[:1] = _built_in(texts[0]).command
    elif os.sep in texts[0] or "/" in texts[0]:
        texts[0] = str(folder / Path(texts[0]).expanduser())
    if not isinstance(added, dict):
        raise ProviderProblem("`{key}` must be a table", key=f"{key}.env")
    return Provider(name, tuple(texts), {k: _text(v, f"{key}.env.{k}") for k, v in added.items()})


def _price(said: object, key: str) -> Price:
    numbers = said if isinstance(said, list) else []
    if len(numbers) != 2 or not all(type(n) in (int, float) and n >= 0 for n in numbers):
        raise ProviderProblem("`{key}` must be two numbers: [input, output]", key=key)
    return Price(*map(float, numbers))


# -- running --------------------------------------------------------------------------------


def start(provider: Provider) -> subprocess.Popen[bytes]:
    """The process of a provider, with pipes. Raises ``ProviderProblem``."""
    try:
        return subprocess.Popen(
            provider.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **provider.environment},
            # Not where the document is: programs look for files and modules where they run.
            cwd=Path.home(),
            # Ctrl+C in a terminal is for us: we decide how the provider ends.
            start_new_session=True,
        )
    except OSError as error:
        raise ProviderProblem(
            "the provider `{name}` cannot be started: {reason}",
            name=provider.name,
            reason=as_phrase((error.strerror or str(error)).lower()),
        ) from None


class Ended(NamedTuple):
    """A provider has ended. What it said with its last delta counts before all else."""

    fault: Phrase | None
    """What is wrong with how it ended; nothing where all is well."""


class Running:
    """A provider at work: takes the request, and hands the deltas over as they come.

    Threads read and write its pipes, so that whoever asks waits only if it wants to. What they
    read ahead is bounded, and so is what a provider can make us keep.
    """

    def __init__(
        self, provider: Provider, request: Wire, wake: Callable[[], None] = lambda: None
    ) -> None:
        self._provider = provider
        self._wake = wake
        self._arrived: queue.Queue[Wire | Ended] = queue.Queue(_MOST_WAITING)
        self._stderr: deque[bytes] = deque(maxlen=64)
        self._stopped = self._killed = False
        self._process = start(provider)
        data = json.dumps(request).encode() + b"\n"
        threading.Thread(target=self._feed, args=(data,), daemon=True).start()
        self._complaints = threading.Thread(target=self._read_stderr, daemon=True)
        self._complaints.start()
        threading.Thread(target=self._read_stdout, daemon=True).start()

    def take(self, seconds: float | None = 0.0) -> Wire | Ended | None:
        """The next delta, or how it ended; nothing if nothing comes in so many seconds."""
        try:
            return self._arrived.get(seconds is None or seconds > 0, seconds or None)
        except queue.Empty:
            return None

    def stop(self) -> None:
        """Let it end: politely, and if that does not help, at once."""
        if self._stopped:
            return
        self._stopped = True
        with suppress(OSError):
            self._process.terminate()
        threading.Thread(target=self._kill, daemon=True).start()

    def wait(self) -> bool:
        """Wait for its end, not for long; whether it ended by itself or at our request."""
        try:
            self._process.wait(2 * _PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            return False
        return not self._killed

    def _kill(self) -> None:
        try:
            self._process.wait(_PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            self._killed = True
            with suppress(OSError):
                self._process.kill()

    def _feed(self, data: bytes) -> None:
        assert self._process.stdin is not None
        # A provider may end before it has read all of it.
        with suppress(OSError, ValueError), self._process.stdin as pipe:
            pipe.write(data)

    def _read_stderr(self) -> None:
        assert self._process.stderr is not None
        pipe = self._process.stderr
        with suppress(OSError, ValueError), pipe:
            while line := pipe.readline(_MOST_STDERR):
                self._stderr.append(line)

    def _read_stdout(self) -> None:
        assert self._process.stdout is not None
        fault = None
        try:
            with self._process.stdout as pipe:
                fault = self._read_deltas(pipe)
        except (OSError, ValueError) as error:
            fault = Phrase("the provider failed: {said}", said=type(error).__name__)
        if fault is None:
            # It may have closed its output, and go on for ever.
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_PATIENCE_SECONDS)
                self._complaints.join(_PATIENCE_SECONDS)
            fault = self._exit_fault()
        self.stop()
        self._put(Ended(fault))

    def _read_deltas(self, pipe: IO[bytes]) -> Phrase | None:
        """Hand deltas over until the last one; what is wrong with what came, if something is."""
        size = 0
        while line := pipe.readline(_LONGEST_LINE):
            size += len(line)
            if size > _MOST_ANSWER:
                return Phrase("the provider wrote more than {count:,} bytes", count=_MOST_ANSWER)
            if not line.strip():
                continue
            try:
                value = strict_loads(line.decode("utf-8"))
            except (ValueError, RecursionError):
                return Phrase("the provider wrote a line that is not JSON")
            if not is_delta(value):
                return Phrase("the provider wrote a line that is not a delta")
            self._put(value)
            if value["kind"] in TERMINAL_KINDS:
                return None
        return None

    def _put(self, item: Wire | Ended) -> None:
        while True:
            try:
                self._arrived.put(item, timeout=_PATIENCE_SECONDS)
            except queue.Full:
                # Once it is stopped, nobody may be left to take what waits.
                if self._stopped:
                    return
            else:
                self._wake()
                return

    def _exit_fault(self) -> Phrase | None:
        code = self._process.poll()
        if code == 0 or self._stopped:
            return None
        said = self.complaint
        if said:
            return Phrase("the provider failed: {said}", said=said)
        if code is None:
            return Phrase("the provider did not end")
        return Phrase("the provider failed with exit code {code}", code=str(code))

    @property
    def complaint(self) -> str:
        """The last line that it wrote to standard error."""
        lines = b"".join(self._stderr).decode("utf-8", "replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "")[:_MOST_STDERR]
