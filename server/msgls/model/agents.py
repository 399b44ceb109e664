"""What an agent's definition may say: the one list of attributes, their types and ranges.

Owns ``AgentSettings`` and the reading of plain values into it. It knows neither
YAML nor places in a text: whoever has those maps a ``InvalidSetting.path`` back to
them. Importing this module imports pydantic, so parsers import it only when there
is an agent to read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError


class AgentSettings(BaseModel):
    """The attributes of one agent. ``None`` and the empty tuple mean: not said.

    A field's description is what the user is told to write there instead.
    """

    # Strict, since "1", 1 and true are different things in YAML, and a
    # configuration that is silently converted hides the mistake in it.
    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")

    # YAML gives a list; lax applies to the container only, its texts stay strict.
    models: Annotated[tuple[str, ...], Field(min_length=1, strict=False)] = Field(
        default=(), description="a list of model names, at least one"
    )
    context_window: Annotated[int, Field(gt=0)] | None = Field(
        default=None, description="a positive whole number"
    )
    max_output_tokens: Annotated[int, Field(gt=0)] | None = Field(
        default=None, description="a positive whole number"
    )
    reasoning: bool | None = Field(default=None, description="true or false")
    use_temperature: bool = Field(default=True, description="true or false")
    temperature: Annotated[float, Field(ge=0, le=2, allow_inf_nan=False)] | None = Field(
        default=None, description="a number from 0 to 2"
    )
    system_prompt: str | None = Field(default=None, description="text")


AGENT_ATTRIBUTES: tuple[str, ...] = tuple(AgentSettings.model_fields)


class InvalidSetting(NamedTuple):
    """A value that no agent may have: where it is, and what is expected there."""

    path: tuple[str | int, ...]
    """The attribute's name, then the indices down to the offending value."""
    expected: str

    @property
    def key(self) -> str:
        """The attribute's name."""
        return str(self.path[0])


def expected_value(key: str) -> str:
    """What attribute ``key`` must be, in words; empty for an unknown attribute."""
    field = AgentSettings.model_fields.get(key)
    return (field.description or "") if field else ""


def read_agent_settings(
    values: Mapping[str, object],
) -> tuple[AgentSettings, tuple[InvalidSetting, ...]]:
    """The settings that ``values`` say, less the invalid ones, and those that are invalid.

    Unknown attributes are passed over. A null is invalid: an attribute that is not
    meant to be set is left out.
    """
    known = {key: value for key, value in values.items() if key in AgentSettings.model_fields}
    invalid = [InvalidSetting((key,), expected_value(key)) for key in known if known[key] is None]
    try:
        settings = AgentSettings.model_validate(_without(known, invalid))
    except ValidationError as error:
        invalid += map(_invalid_setting, error.errors(include_url=False, include_context=False))
        settings = AgentSettings.model_validate(_without(known, invalid))
    return settings, tuple(invalid)


def _invalid_setting(error: Mapping[str, object]) -> InvalidSetting:
    path = error["loc"]
    assert isinstance(path, tuple)
    key = str(path[0])
    # Inside a list of texts the expectation is about the one text.
    return InvalidSetting(path, "text" if len(path) > 1 else expected_value(key))


def _without(values: Mapping[str, object], invalid: list[InvalidSetting]) -> dict[str, object]:
    left_out = {setting.key for setting in invalid}
    return {key: value for key, value in values.items() if key not in left_out}
