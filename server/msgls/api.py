"""msgls as a library: check and convert texts, without files, settings around them, or state.

Owns what programs may rely on. The functions here depend on their arguments alone: nothing is
read, written or remembered, the working directory has no say, and what goes in and comes out can
be pickled, so that any pool of workers can run it. The models and the assembler are those of
``conversation/``. The names are also those of the package: ``msgls.check_text``. They follow the
version: what is documented here stays within a major one.

Decides nothing by itself; the checking is the command line's, and so is the converting.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from msgls.cli.checking import Elsewhere, Finding, Place, Remedy, Replacement, Task
from msgls.cli.checking import check_text as check_task
from msgls.document.snapshot import Settings, Surroundings
from msgls.host.opening import open_document
from msgls.rules.base import Severity
from msgls.rules.settings import SettingsError, did_you_mean, read_source, settings_of

if TYPE_CHECKING:
    # This loads pydantic, which a check does not need.
    from msgls.conversation.assembler import Assembled, Assembler, Failure
    from msgls.conversation.messages import Message, MessageDelta, delta_from_wire
    from msgls.conversation.sources import Incoming
    from msgls.document.document import Document
    from msgls.formats.base import Format

__all__ = [
    "Assembled",
    "Assembler",
    "ConversionError",
    "Converted",
    "Elsewhere",
    "Failure",
    "Finding",
    "Lost",
    "Message",
    "MessageDelta",
    "Place",
    "Remedy",
    "Replacement",
    "SettingsError",
    "Severity",
    "check_text",
    "convert_all",
    "convert_text",
    "delta_from_wire",
]

_MODELS = {
    "Assembled": "assembler",
    "Assembler": "assembler",
    "Failure": "assembler",
    "Message": "messages",
    "MessageDelta": "messages",
    "delta_from_wire": "messages",
}
"""Names of the library that are loaded on demand, by module of ``conversation``."""

DEFAULT_PATH = "text.msg.md"
"""The name of a text without one: that of a message file."""

_SEVERITIES = {severity.label: severity for severity in Severity}


class ConversionError(ValueError):
    """A text that cannot be read as a conversation, or cannot be written as asked."""


class Lost(NamedTuple):
    """Something that a conversion could not carry over."""

    what: str
    line: int | None
    """The line of the source, from 1; ``None`` where no single line is to blame."""


class Converted(NamedTuple):
    """A conversation in another format."""

    text: str
    lost: tuple[Lost, ...]
    files: Mapping[str, str] | None = None
    """Texts by file name, where the target is a folder; ``text`` is then that of the first."""
    title: str = ""
    """What an export calls the conversation."""


def __getattr__(name: str) -> Any:
    if name not in _MODELS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"msgls.conversation.{_MODELS[name]}"), name)
    return value


def check_text(
    text: str,
    *,
    path: str = DEFAULT_PATH,
    settings: Mapping[str, Any] | None = None,
    min_severity: str = "warning",
    agents: Collection[str] = (),
) -> list[Finding]:
    """The problems of a text, in order.

    Args:
        text: The whole text of a file.
        path: What the file is called. Nothing is opened: the name and the first lines show the
            format. A text that is not a message file by both of them has no problems.
        settings: What ``msgls.toml`` would say, as plain values: ``{"ignore": ["MSG105"]}``.
        min_severity: ``error``, ``warning``, ``info`` or ``hint``: less is not reported.
        agents: Names of agents that are registered elsewhere, as ``agents.json`` does.

    Raises:
        SettingsError: ``settings`` say something that cannot be.
        ValueError: ``min_severity`` is not a severity.

    A rule that fails is a bug in msgls: it is reported as a ``RuntimeWarning``, and the others go
    on. Parsing never fails.
    """
    if min_severity not in _SEVERITIES:
        raise ValueError(f"min_severity: {min_severity!r} is not one of {', '.join(_SEVERITIES)}")
    task = Task(
        _rooted(path),
        _settings(settings),
        Surroundings(other_agents=frozenset(agents)),
        _SEVERITIES[min_severity],
    )
    report = check_task(task, text)
    for failure in report.failures:
        warnings.warn(f"{path}: a rule failed: {failure}", RuntimeWarning, stacklevel=2)
    return [finding._replace(path=path) for finding in report.findings]


def convert_text(
    text: str,
    *,
    path: str = DEFAULT_PATH,
    to: str,
    source: str | None = None,
    settings: Mapping[str, Any] | None = None,
    agents: Iterable[str] = (),
) -> Converted:
    """A conversation in another format, with everything that was lost.

    Args:
        text: The whole text of a file.
        path: What the file is called; its name and its content show what it is.
        to: What to write: one of the targets of ``msgls convert --to``.
        source: What the text is, where that does not show: one of ``msgls convert --from``.
        settings: What ``msgls.toml`` would say, as plain values.
        agents: Names of agents that are registered elsewhere, as ``agents.json`` does.

    Raises:
        ConversionError: The text is not a conversation or holds several (``convert_all`` takes
            those), or there is no such target.
        SettingsError: ``settings`` say something that cannot be.
    """
    every = convert_all(text, path=path, to=to, source=source, settings=settings, agents=agents)
    found = list(every)
    if len(found) != 1:
        raise ConversionError(f"{path}: it holds {len(found)} conversations: use convert_all")
    return found[0]


def convert_all(
    text: str,
    *,
    path: str = DEFAULT_PATH,
    to: str,
    source: str | None = None,
    settings: Mapping[str, Any] | None = None,
    agents: Iterable[str] = (),
) -> Iterator[Converted]:
    """Every conversation of a text, as ``convert_text`` has one: exports hold many."""
    from msgls.conversation import sources, targets

    _check_name("to", to, targets.ENDINGS)
    if source is not None:
        _check_name("source", source, sources.KINDS)
    wanted, around = _settings(settings), frozenset(agents)

    def opener(name: str, text: str, format: Format | None) -> Document:
        return open_document(name, text, wanted, format, agents=around)

    try:
        incoming = sources.read(_rooted(path), text, source, opener)
    except sources.Unreadable as error:
        raise ConversionError(f"{path}: {error}") from None
    return (_converted(one, to) for one in incoming)


def _converted(incoming: Incoming, to: str) -> Converted:
    from msgls.conversation.targets import write

    written = write(incoming, to)
    places = [(str(loss.what), incoming.place_of(loss).line) for loss in written.losses]
    lost = tuple(Lost(what, None if line is None else line + 1) for what, line in places)
    return Converted(written.text, lost, written.files, incoming.title)


def _check_name(parameter: str, name: str, known: Collection[str]) -> None:
    if name not in known:
        guess = did_you_mean(name, known, f"there are: {', '.join(known)}")
        raise ConversionError(f"{parameter}: there is no `{name}`{guess}")


def _settings(values: Mapping[str, Any] | None) -> Settings:
    said = read_source(values or {}, "settings")
    if said.problems:
        raise SettingsError(said.problems)
    # Which tables of tokens a machine has must not decide what is found there.
    return settings_of({"tokens": "estimate", **said.values})


def _rooted(path: str) -> str:
    """The path below the root, so that the working directory does not decide the format."""
    return "/" + path.replace("\\", "/").lstrip("/")
