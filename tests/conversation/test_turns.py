"""Turns: what the arrangement that all services share costs where there are very many of them."""

from collections.abc import Callable

from msgls.conversation.conversation import EPOCH
from msgls.conversation.messages import Message
from msgls.conversation.writers.turns import Losses, Names, arranged
from tests.conversation.corpus import part
from tests.measure import assert_linear_calls


def message(role: str, kind: str, call_id: str) -> Message:
    rest: dict[str, object] = {"isError": False, "content": "ok"}
    if kind == "tool_call":
        rest = {"toolName": "f", "arguments": {}}
    told = part(kind, toolCallId=call_id, **rest)
    return Message.from_wire({"runId": "r", "timestamp": EPOCH, "role": role, "parts": [told]})


def test_results_that_all_come_in_the_end() -> None:
    def prepared(count: int) -> Callable[[], object]:
        ids = [f"c{number}" for number in range(count)]
        messages = [message("assistant", "tool_call", call_id) for call_id in ids]
        messages += [message("tool", "tool_result", call_id) for call_id in ids]
        return lambda: arranged(messages, Losses())

    assert_linear_calls(prepared, 6_000)


def test_calls_of_one_id() -> None:
    def prepared(count: int) -> Callable[[], object]:
        names = Names("[^a-z0-9_]", 40, "call")
        return lambda: [names.fresh("c") for _ in range(count)]

    assert_linear_calls(prepared, 4_000)


def test_names_that_are_wanted_again_are_numbered_and_never_the_same() -> None:
    names = Names("[^a-z0-9_]", 5, "call")
    wanted = ["c", "c", "c_2", "c", "c_3", "c_2", "", "", "longer", "longest", "longe", "c"]
    assert [names.fresh(name) for name in wanted] == [
        *("c", "c_2", "c_2_2", "c_3", "c_3_2", "c_2_3", "call", "cal_2"),
        *("longe", "lon_2", "lon_3", "c_4"),
    ]
