"""Formatting over the wire: the whole document, a range, and while typing."""

from typing import Any

import pytest

from msgls.text.spans import Span
from tests.lsp.client import PROFILES, URI, Client

OPTIONS = {"textDocument": {"uri": URI}, "options": {"tabSize": 4, "insertSpaces": True}}


@pytest.mark.parametrize("profile", PROFILES)
def test_a_document_and_a_range(profile: str) -> None:
    client = Client(PROFILES[profile])
    client.open("# %%  🦊[^1]\n[^1]: [raw]  a='🦊'\n🦊\n# %%   B\n")
    edits: Any = client.request("textDocument/formatting", OPTIONS)
    tidy = '# %% 🦊[^1]\n\n[^1]: [raw] a="🦊"\n\n🦊\n\n# %% B\n'
    assert client.edited(edits) == tidy
    params = {**OPTIONS, "range": client.range(Span(0, 3))}
    edits = client.request("textDocument/rangeFormatting", params)
    assert client.edited(edits) == tidy.replace("%% B", "%%   B")


@pytest.mark.parametrize("profile", PROFILES)
def test_several_ranges_at_once(profile: str) -> None:
    client = Client(PROFILES[profile])
    assert client.capabilities["documentRangeFormattingProvider"] == {"rangesSupport": True}
    source = "# %%   🦊A\n\n# %%   B\n\n# %%   C\n"
    client.open(source)
    places = [source.index(word) for word in ("🦊", "A", "C")]
    ranges = [client.range(Span(place, place)) for place in places]
    edits: Any = client.request("textDocument/rangesFormatting", {**OPTIONS, "ranges": ranges})
    assert client.edited(edits) == "# %% 🦊A\n\n# %%   B\n\n# %% C\n"


def test_a_tidy_document_needs_nothing() -> None:
    client = Client()
    client.open("# %% A\n")
    assert client.request("textDocument/formatting", OPTIONS) == []


def test_nothing_is_formatted_while_somebody_types() -> None:
    assert "documentOnTypeFormattingProvider" not in Client().capabilities
