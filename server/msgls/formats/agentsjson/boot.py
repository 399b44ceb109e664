"""Agents and their boot messages: the shape of ``agents.json``, and the one source of it.

Owns the models that validation, the JSON Schema, hovers and completions are made of. A
field's description is what a person is told about it. Types are strict; keys that the
models do not know are kept and never judged, because real files hold many.

Importing this module imports pydantic: what reads text imports it late.
"""

from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

from pydantic import AfterValidator, Field, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from msgls.formats.wiremodel import JsonObject, WireModel

TASK_TYPES = ("action", "message")


def _task_type(value: str) -> str:
    if value.lower() not in TASK_TYPES:
        raise PydanticCustomError("task_type", "Input should be `action` or `message`")
    return value


TaskType: TypeAlias = Annotated[str, AfterValidator(_task_type)]


class Task(WireModel):
    """Something that the host can do."""

    name: str = Field(description="What the agent knows the task by.")
    type: TaskType | None = Field(
        default=None,
        description="`action` or `message`, in any case.",
        examples=list(TASK_TYPES),
    )
    message: str | None = Field(default=None, description="What is shown when the task runs.")
    meta: JsonObject | None = Field(default=None, description="Other data that the task needs.")
    host_utils: Any = Field(
        default=None, alias="host_utils", description="Utilities of the host that the task may use."
    )
    skip_user_message: bool | None = Field(
        default=None, description="Whether no message of the user is shown for the task."
    )
    skip_bot_message: bool | None = Field(
        default=None, description="Whether the answer to the task is not shown."
    )


class AvailableTask(WireModel):
    """A task that the user is offered."""

    name: str | None = Field(default=None, description="What the user sees of the task.")
    task: Task = Field(description="What is done when the user chooses it.")


class BootMeta(WireModel):
    """What a boot message is."""

    is_boot_message: bool | None = Field(
        default=None, description="Marks the message as a boot message."
    )
    is_virtual: bool | None = Field(
        default=None,
        description="Shown to the user, and never sent to the model. Must be `true`.",
    )


class BootMessage(WireModel):
    """The message that a new conversation begins with."""

    message: str = Field(description="The text that welcomes the user.")
    is_html: bool | None = Field(
        default=None, description="Whether the text is HTML; by default it is not."
    )
    meta: BootMeta | None = Field(
        default=None, description="Must mark the message as virtual, or the model sees it."
    )
    # A list of JSON is not a tuple; only the container is lax, what is in it stays strict.
    available_tasks: Annotated[tuple[AvailableTask, ...], Field(strict=False)] | None = Field(
        default=None, description="The tasks that the user may begin with."
    )
    next_tasks: Annotated[tuple[Task, ...], Field(strict=False)] | None = Field(
        default=None, description="The tasks that run by themselves, one after the other."
    )


class Metadata(WireModel):
    """What is known about an agent."""

    boot_message: BootMessage | None = Field(
        default=None, description="The message that a new conversation begins with."
    )


class Agent(WireModel):
    """An agent of the host."""

    name: str = Field(description="What the agent is called, here and in message files.")
    path: str = Field(description="The program of the agent, relative to this file.")
    metadata: Metadata | None = Field(default=None, description="What is known about the agent.")
    settings: Any = Field(default=None, description="The settings of the agent; not checked.")
    operations: Any = Field(default=None, description="The buttons and menus of the agent.")


class Agents(WireModel):
    """The file ``agents.json``."""

    agents: Annotated[tuple[Agent, ...], Field(strict=False)] = Field(
        description="Every agent of the host."
    )


def agents_json_schema() -> dict[str, Any]:
    """The JSON Schema of ``agents.json``."""
    return Agents.model_json_schema(by_alias=True)


Expected = Literal["key", "text", "switch", "list", "object", "task type", "value"]


class ShapeProblem(NamedTuple):
    """What is wrong at which place of the data."""

    path: tuple[str | int, ...]
    """Where a key is missing, that key is the last step."""
    expected: Expected


_EXPECTED: dict[str, Expected] = {
    "missing": "key",
    "string_type": "text",
    "bool_type": "switch",
    "tuple_type": "list",
    "list_type": "list",
    "model_type": "object",
    "model_attributes_type": "object",
    "dict_type": "object",
    "task_type": "task type",
}


def shape_problems(wire: object) -> list[ShapeProblem]:
    """What of parsed data does not fit the models."""
    return _problems(Agents, wire)


def agent_problems(wire: object) -> list[ShapeProblem]:
    """What of the parsed data of one agent does not fit."""
    return _problems(Agent, wire)


def _problems(model: type[WireModel], wire: object) -> list[ShapeProblem]:
    try:
        model.from_wire(wire)
    except ValidationError as error:
        details = error.errors(include_url=False, include_context=False, include_input=False)
        return [_shape_problem(detail) for detail in details]
    return []


def _shape_problem(detail: ErrorDetails) -> ShapeProblem:
    return ShapeProblem(tuple(detail["loc"]), _EXPECTED.get(detail["type"], "value"))
