"""Providers: which program answers for an agent or model, and running it.

Owns ``providers.toml`` in the user's own configuration folder, the only file that can name a
program, and running it. No message file, frontmatter, setting of a workspace or an editor, or
``agents.json`` can choose what is run, nor its arguments, environment or folder: they can only
name an agent and a model, which are looked up here.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

from msgls.conversation.assembler import TERMINAL_KINDS, is_delta
from msgls.host import processes
from msgls.host.files import FileProblem, read_text
from msgls.host.processes import Ended as Ended
from msgls.host.processes import Wire
from msgls.text.phrases import Phrase, PhrasedError, about, as_phrase, joined

CONFIG_FILE = "providers.toml"
BUILT_IN = ("replay", "openai", "llm")
"""The providers that are part of msgls: modules of ``msgls.providers``."""
# `replay` needs no configuration, because it opens no connection and no file.
_ALWAYS = {"replay": "replay"}

_KEYS = frozenset({"providers", "models", "prices"})
_PROVIDER_KEYS = frozenset({"command", "env"})
# The longest answers of models have some hundred thousand tokens, each in a line.
_MOST_ANSWER = 1 << 26


class ProviderProblem(PhrasedError):
    """Raised if no model can be asked, with the reason for users."""


class Provider(NamedTuple):
    """A program that answers."""

    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str] = {}
    """Additional environment variables."""


class Price(NamedTuple):
    """The price of a million tokens, in the user's currency."""

    input: float
    output: float


class Providers:
    """The providers that the user has configured."""

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
        """The names of the providers."""
        return list(self._named)

    def named(self, name: str) -> Provider:
        """The provider of that name. Raises ``ProviderProblem`` if there is none."""
        if name not in self._named:
            names = joined(self._named)
            raise ProviderProblem(
                "there is no provider `{name}`; there are: {names}", name=name, names=names
            )
        return self._named[name]

    def serving(self, agent: str, model: str | None) -> Provider:
        """The provider for an agent or its model: that of the first pattern matching either."""
        for pattern, name in self._patterns.items():
            if any(fnmatchcase(asked, pattern) for asked in (agent, model) if asked):
                return self.named(name)
        who = Phrase("`{agent}`", agent=agent)
        if model is not None:
            who = Phrase("`{agent}` (model `{model}`)", agent=agent, model=model)
        # Quoted, because in TOML a bare key cannot be any name.
        line = f'{json.dumps(model or agent, ensure_ascii=False)} = "llm"'
        raise ProviderProblem(
            "no provider is configured for {who}: name one below [models] in {file}, such as "
            "{line}; there are: {names}",
            who=who,
            file=str(self.path),
            line=line,
            names=joined(self._named),
        )

    def price(self, model: str) -> Price | None:
        """The price of a model, if configured."""
        fitting = [price for name, price in self._prices.items() if fnmatchcase(model, name)]
        return fitting[0] if fitting else None


def _built_in(name: str) -> Provider:
    # -P: modules in the current folder must not be imported instead of ours.
    return Provider(name, (sys.executable, "-P", "-m", f"msgls.providers.{name}"))


# -- configuration --------------------------------------------------------------------------


def config_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """The user's own configuration folder for msgls; a project cannot choose it."""
    if sys.platform == "win32":
        base = environment.get("APPDATA")
        return (Path(base) if base else Path.home() / "AppData" / "Roaming") / "msgls"
    base = environment.get("XDG_CONFIG_HOME", "")
    # The XDG specification requires that relative paths are ignored.
    return (Path(base) if base and Path(base).is_absolute() else Path.home() / ".config") / "msgls"


def read_providers(folder: Path | None = None) -> Providers:
    """Read the user's configuration. Raises ``ProviderProblem`` if it is invalid."""
    path = (config_folder() if folder is None else folder) / CONFIG_FILE
    try:
        values = read_config(path, _KEYS)
        folder = path.parent
        named = {
            name: _provider(name, entry, folder) for name, entry in _table(values, "providers")
        }
        models = {key: _text(entry, f"models.{key}") for key, entry in _table(values, "models")}
        prices = {key: _price(entry, f"prices.{key}") for key, entry in _table(values, "prices")}
        return Providers(named, models, prices, path)
    except (FileProblem, ProviderProblem) as problem:
        raise ProviderProblem(about(path, problem.phrase)) from None


def read_config(path: Path, keys: Collection[str]) -> Mapping[str, Any]:
    """The content of a configuration file; empty if there is none. Raises ``FileProblem``."""
    if not path.exists():
        return {}
    import tomllib

    try:
        values = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise FileProblem("it is not valid TOML: {reason}", reason=str(error)) from None
    unknown = sorted(values.keys() - set(keys))
    if unknown:
        raise FileProblem("there is no setting `{name}`", name=unknown[0])
    return values


def _table(values: Mapping[str, Any], key: str) -> list[tuple[str, Any]]:
    table = values.get(key, {})
    if not isinstance(table, dict):
        raise ProviderProblem("`{key}` must be a table", key=key)
    return list(table.items())


def _text(value: object, key: str) -> str:
    if not isinstance(value, str) or not value:
        raise ProviderProblem("`{key}` must be a string", key=key)
    return value


def _provider(name: str, entry: object, folder: Path) -> Provider:
    key = f"providers.{name}"
    if not isinstance(entry, dict) or entry.keys() - _PROVIDER_KEYS:
        raise ProviderProblem("`{key}` must be a table with `command` and `env`", key=key)
    command, added = entry.get("command"), entry.get("env", {})
    if command is None and name in BUILT_IN:
        command = _built_in(name).command
    if not isinstance(command, list | tuple) or not command:
        raise ProviderProblem("`{key}.command` must be a list of strings", key=key)
    texts = [_text(word, f"{key}.command") for word in command]
    if texts[0] in BUILT_IN:
        texts[:1] = _built_in(texts[0]).command
    elif os.sep in texts[0] or "/" in texts[0]:
        texts[0] = str(folder / Path(texts[0]).expanduser())
    if not isinstance(added, dict):
        raise ProviderProblem("`{key}` must be a table", key=f"{key}.env")
    return Provider(name, tuple(texts), {k: _text(v, f"{key}.env.{k}") for k, v in added.items()})


def _price(entry: object, key: str) -> Price:
    numbers = entry if isinstance(entry, list) else []
    if len(numbers) != 2 or not all(type(n) in (int, float) and n >= 0 for n in numbers):
        raise ProviderProblem("`{key}` must be two numbers: [input, output]", key=key)
    return Price(*map(float, numbers))


# -- running --------------------------------------------------------------------------------


def start(provider: Provider) -> subprocess.Popen[bytes]:
    """The process of a provider, with pipes. Raises ``ProviderProblem``."""
    try:
        return processes.start(provider.command, provider.environment)
    except OSError as error:
        raise ProviderProblem(
            "the provider `{name}` cannot be started: {program}: {reason}",
            name=provider.name,
            program=provider.command[0],
            reason=as_phrase((error.strerror or str(error)).lower()),
        ) from None


class Running(processes.Program):
    """A running provider: receives the request, and sends deltas as they come."""

    def __init__(
        self, provider: Provider, request: Wire, wake: Callable[[], None] = lambda: None
    ) -> None:
        super().__init__(Phrase("the provider"), start(provider), wake)
        self.send(request)
        self.finish_input()

    def _fault_of(self, value: Any, size: int) -> Phrase | None:
        if size > _MOST_ANSWER:
            return Phrase("the provider wrote more than {count:,} bytes", count=_MOST_ANSWER)
        if not is_delta(value):
            return Phrase("the provider wrote a line that is not a delta")
        return None

    def _is_last(self, value: Any) -> bool:
        return value["kind"] in TERMINAL_KINDS
