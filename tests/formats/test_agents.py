"""What an agent's attributes may be, and what is said of those that may not."""

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.formats.agents import (
    AGENT_ATTRIBUTES,
    AgentSettings,
    InvalidSetting,
    expected_value,
    read_agent_settings,
)


def test_the_attributes_are_those_of_the_format() -> None:
    assert AGENT_ATTRIBUTES == (
        "models",
        "context_window",
        "max_output_tokens",
        "reasoning",
        "use_temperature",
        "temperature",
        "system_prompt",
    )


def test_every_attribute_says_what_it_expects() -> None:
    assert all(expected_value(key) for key in AGENT_ATTRIBUTES)
    assert expected_value("temprature") == ""


def test_nothing_said_is_valid() -> None:
    settings, invalid = read_agent_settings({})
    assert invalid == ()
    assert settings.models == ()
    assert settings.use_temperature is True
    assert settings.temperature is None


@pytest.mark.parametrize(
    ("key", "value", "read"),
    [
        ("models", ["a"], ("a",)),
        ("models", ["a", "b"], ("a", "b")),
        ("context_window", 1, 1),
        ("context_window", 10**12, 10**12),
        ("max_output_tokens", 4096, 4096),
        ("reasoning", True, True),
        ("reasoning", False, False),
        ("use_temperature", False, False),
        ("temperature", 0, 0.0),
        ("temperature", 2, 2.0),
        ("temperature", 0.7, 0.7),
        ("system_prompt", "", ""),
        ("system_prompt", "Du bist 😀", "Du bist 😀"),
    ],
)
def test_valid_values(key: str, value: object, read: object) -> None:
    settings, invalid = read_agent_settings({key: value})
    assert invalid == ()
    assert getattr(settings, key) == read


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("models", "a"),
        ("models", []),
        ("models", {"a": 1}),
        ("models", None),
        ("models", 3),
        ("context_window", 0),
        ("context_window", -1),
        ("context_window", True),
        ("context_window", 1.0),
        ("context_window", "128000"),
        ("context_window", "128k"),
        ("context_window", None),
        ("max_output_tokens", 0),
        ("max_output_tokens", False),
        ("reasoning", 1),
        ("reasoning", "true"),
        ("reasoning", None),
        ("use_temperature", 0),
        ("use_temperature", None),
        ("temperature", -0.1),
        ("temperature", 2.1),
        ("temperature", 3),
        ("temperature", True),
        ("temperature", "0.7"),
        ("temperature", float("nan")),
        ("temperature", float("inf")),
        ("temperature", None),
        ("system_prompt", 5),
        ("system_prompt", ["a"]),
        ("system_prompt", "half a pair: \ud83d"),
        ("system_prompt", b"bytes"),
        ("system_prompt", datetime.date(2025, 1, 1)),
        ("system_prompt", None),
    ],
)
def test_invalid_values_are_named_and_left_out(key: str, value: object) -> None:
    settings, invalid = read_agent_settings({key: value})
    assert invalid == (InvalidSetting((key,), expected_value(key)),)
    assert settings == AgentSettings()


def test_each_wrong_model_has_its_own_place() -> None:
    settings, invalid = read_agent_settings({"models": ["a", 4.1, "b", True], "temperature": 1})
    assert invalid == (InvalidSetting(("models", 1), "text"), InvalidSetting(("models", 3), "text"))
    assert [setting.key for setting in invalid] == ["models", "models"]
    assert settings.models == ()
    assert settings.temperature == 1.0


def test_unknown_attributes_are_passed_over() -> None:
    settings, invalid = read_agent_settings({"temprature": "hot", "model_config": 1})
    assert (settings, invalid) == (AgentSettings(), ())


def test_settings_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        AgentSettings().temperature = 1.0  # type: ignore[misc]


_ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from([*AGENT_ATTRIBUTES, "other"]), _ANYTHING))
def test_reading_never_raises_and_keeps_what_is_valid(values: dict[str, object]) -> None:
    settings, invalid = read_agent_settings(values)
    wrong = {setting.key for setting in invalid}
    right, none = read_agent_settings({k: v for k, v in values.items() if k not in wrong})
    assert none == ()
    assert right == settings
