"""What an agent's definition may say: the one list of attributes, their types and ranges.

Owns ``AgentSettings`` and the reading of plain values into it. It knows neither
YAML nor places in a text: a caller that has those maps a ``InvalidSetting.path`` back to
them. Seven attributes and what holds for each are read by hand: every opening of a
file that registers agents goes through here, and loading a library for models of data
takes longer than reading and checking all the rest of such a file.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from msgls.text.phrases import Phrase


class AgentSettings(NamedTuple):
    """The attributes of one agent. ``None`` and the empty tuple mean: not said."""

    models: tuple[str, ...] = ()
    context_window: int | None = None
    max_output_tokens: int | None = None
    reasoning: bool | None = None
    use_temperature: bool = True
    temperature: float | None = None
    system_prompt: str | None = None


class Agent(NamedTuple):
    """An agent that takes part in a conversation."""

    name: str
    settings: AgentSettings = AgentSettings()
    is_temporary: bool = False
    """Whether a message defines it, and not the file as a whole."""


class Greeting(NamedTuple):
    """A boot message."""

    agent: str
    text: str
    tasks: tuple[str, ...] = ()
    """What the user is offered, as the user sees it."""


AGENT_ATTRIBUTES: tuple[str, ...] = AgentSettings._fields


class InvalidSetting(NamedTuple):
    """A value that no agent may have: where it is, and what is expected there."""

    path: tuple[str | int, ...]
    """The attribute's name, then the indices down to the offending value."""
    expected: str

    @property
    def key(self) -> str:
        """The attribute's name."""
        return str(self.path[0])


# Nothing is converted but a list and a whole temperature: "1", 1 and true are different
# things in YAML, and a configuration that is silently converted hides the mistake in it.


def _is_text(value: object) -> bool:
    if not isinstance(value, str):
        return False
    # Half of a surrogate pair is not a text that a model could be sent. A prompt may be long, and
    # is read at each key in the frontmatter: no loop over its characters.
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_list(value: object) -> bool:
    return isinstance(value, list | tuple) and bool(value)


def _is_positive(value: object) -> bool:
    return type(value) is int and value > 0


def _is_switch(value: object) -> bool:
    return isinstance(value, bool)


def _is_temperature(value: object) -> bool:
    # NaN fails both comparisons.
    return type(value) in (int, float) and 0 <= value <= 2  # type: ignore[operator]


class _Attribute(NamedTuple):
    is_valid: Callable[[object], bool]
    expected: str
    """What the user is told to write there instead."""
    read: Callable[[Any], object] = lambda value: value


_ATTRIBUTES: Mapping[str, _Attribute] = {
    "models": _Attribute(_is_list, Phrase("a list of model names, at least one"), tuple),
    "context_window": _Attribute(_is_positive, Phrase("a positive whole number")),
    "max_output_tokens": _Attribute(_is_positive, Phrase("a positive whole number")),
    "reasoning": _Attribute(_is_switch, Phrase("true or false")),
    "use_temperature": _Attribute(_is_switch, Phrase("true or false")),
    "temperature": _Attribute(_is_temperature, Phrase("a number from 0 to 2"), float),
    "system_prompt": _Attribute(_is_text, Phrase("text")),
}


def expected_value(key: str) -> str:
    """What attribute ``key`` must be, in words; empty for an unknown attribute."""
    attribute = _ATTRIBUTES.get(key)
    return attribute.expected if attribute else ""


def read_agent_settings(
    values: Mapping[str, object],
) -> tuple[AgentSettings, tuple[InvalidSetting, ...]]:
    """The settings that ``values`` say, without the invalid ones, and those that are invalid.

    Unknown attributes are passed over. A null is invalid: an attribute that is not
    meant to be set is left out.
    """
    said: dict[str, Any] = {}
    invalid: list[InvalidSetting] = []
    for key, attribute in _ATTRIBUTES.items():
        if key not in values:
            continue
        faults = _faults(key, attribute, values[key])
        invalid += faults
        if not faults:
            said[key] = attribute.read(values[key])
    return AgentSettings(**said), tuple(invalid)


def _faults(key: str, attribute: _Attribute, value: object) -> list[InvalidSetting]:
    if not attribute.is_valid(value):
        return [InvalidSetting((key,), attribute.expected)]
    if not isinstance(value, list | tuple):
        return []
    # Of a list of texts, each wrong one is named in its place.
    wrong = [number for number, one in enumerate(value) if not _is_text(one)]
    return [InvalidSetting((key, number), "text") for number in wrong]
