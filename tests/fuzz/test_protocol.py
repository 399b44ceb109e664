"""The server on any messages and any bytes: each request gets one answer, and it lives on."""

from functools import cache
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from msgls.lsp.server import TABLE
from tests.fuzz.oracles import framing_is_sound
from tests.lsp.client import BARE, URI, VSCODE, Client, Refused
from tests.lsp.wire import framed, request

METHODS = sorted(row.method for row in TABLE)
_NOTIFIED = ("did", "$/", "initialized", "exit")
TEXT = "---\nagents: {Al: {models: [m]}}\n---\n# %% Hi[^q]\n\n[^q]: [markdown]\n\nText [^q]\n"

_leaves = st.none() | st.booleans() | st.integers(-2, 9) | st.text(max_size=5) | st.just(URI)
_keys = st.sampled_from(
    [
        *("textDocument", "uri", "position", "line", "character", "range", "start", "end"),
        *("diagnostics", "newName", "options", "query", "item", "data", "command", "arguments"),
        *("contentChanges", "text", "version", "files", "changes", "items", "context"),
    ]
)
_values = st.recursive(
    _leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_keys, inner, max_size=4),
    max_leaves=10,
)
_places = st.fixed_dictionaries({"line": st.integers(-1, 9), "character": st.integers(-1, 40)})
_sensible = st.fixed_dictionaries(
    {"textDocument": st.just({"uri": URI, "version": 2})},
    optional={
        "position": _places,
        "range": st.fixed_dictionaries({"start": _places, "end": _places}),
        "context": st.just({"diagnostics": [], "includeDeclaration": True}),
        "newName": st.text(max_size=5),
        "options": st.just({"tabSize": 4, "insertSpaces": True}),
        "positions": st.lists(_places, max_size=2),
        "contentChanges": st.lists(
            st.fixed_dictionaries(
                {"text": st.text(max_size=5)},
                optional={"range": st.fixed_dictionaries({"start": _places, "end": _places})},
            ),
            max_size=3,
        ),
        "ch": st.sampled_from(["\n", "]", ""]),
        "text": st.none() | st.text(max_size=20),
        "previousResultId": st.text(max_size=2),
        "previousResultIds": st.just([]),
        "query": st.text(max_size=3),
    },
)


@cache
def _client(number: int) -> Client:
    return Client((BARE, VSCODE)[number])


def _refusal(client: Client, method: str, params: Any) -> int | None:
    """The code of an error, if one is answered; a mistake of ours would be -32603."""
    try:
        client.request(method, params)
    except Refused as refusal:
        return refusal.code
    return None


@given(number=st.integers(0, 1), method=st.sampled_from(METHODS), params=_sensible | _values)
def test_any_params_are_answered_once_and_the_next_request_too(
    number: int, method: str, params: Any
) -> None:
    client = _client(number)
    client.open(TEXT)
    if any(part in method for part in _NOTIFIED):
        client.notify(method, params)
    else:
        assert _refusal(client, method, params) in (None, -32600, -32602, -32801, -32803)
    assert not client.answered()
    client.open(TEXT)
    assert client.request("textDocument/documentSymbol", {"textDocument": {"uri": URI}})


_messages = st.lists(
    st.builds(request, st.integers(0, 9), st.text(max_size=8), _values), min_size=1, max_size=4
)


@given(_messages, st.data())
def test_damage_to_a_stream_is_over_with_the_next_message(
    messages: list[Any], data: st.DataObject
) -> None:
    stream = bytearray(b"".join(map(framed, messages)))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(stream)))
        until = min(at + data.draw(st.integers(0, 4)), len(stream))
        stream[at:until] = data.draw(st.binary(max_size=4))
    framing_is_sound(bytes(stream), data.draw(st.integers(1, 64)))
