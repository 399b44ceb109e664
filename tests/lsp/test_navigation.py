"""Definition, references, highlights and linked editing over the wire."""

import pytest

from tests.lsp.client import BARE, PROFILES, URI, Client
from tests.notation import unmark

SOURCE = "# %% 🦊🦊[^«m¦»]\n\n[^«m»]: [raw]\n\n🦊 see [^«m»]\n"


@pytest.mark.parametrize("profile", PROFILES)
def test_the_ranges_are_exact_in_every_encoding(profile: str) -> None:
    marked = unmark(SOURCE)
    header, definition, _ = marked.spans()
    client = Client(PROFILES[profile])
    client.open(marked.text)
    everywhere = {"includeDeclaration": True}
    found = client.at("textDocument/references", marked.cursor, context=everywhere)
    assert [client.span(location["range"]) for location in found] == marked.spans()
    found = client.at("textDocument/documentHighlight", marked.cursor)
    assert [client.span(highlight["range"]) for highlight in found] == marked.spans()
    assert [highlight["kind"] for highlight in found] == [3, 3, 2]
    found = client.at("textDocument/linkedEditingRange", marked.cursor)
    assert [client.span(place) for place in found["ranges"]] == [header, definition]
    (target,) = client.at("textDocument/definition", marked.cursor)
    place = target["targetSelectionRange"] if "targetUri" in target else target["range"]
    assert client.span(place) == definition


def test_without_the_declaration() -> None:
    marked = unmark(SOURCE)
    client = Client()
    client.open(marked.text)
    uses = {"includeDeclaration": False}
    found = client.at("textDocument/references", marked.cursor, context=uses)
    assert [client.span(location["range"]) for location in found] == marked.spans()[1:]


def test_a_link_says_what_it_comes_from() -> None:
    marked = unmark(SOURCE)
    client = Client()
    client.open(marked.text)
    (link,) = client.at("textDocument/definition", marked.cursor)
    assert link["targetUri"] == URI
    assert client.span(link["originSelectionRange"]) == marked.spans()[0]
    assert client.span(link["targetRange"]).of(marked.text) == "[^m]: [raw]"


def test_a_plain_location_where_links_are_unknown() -> None:
    marked = unmark(SOURCE)
    client = Client(BARE)
    client.open(marked.text)
    (location,) = client.at("textDocument/definition", marked.cursor)
    assert set(location) == {"uri", "range"}


def test_nothing_is_found_in_content() -> None:
    client = Client()
    client.open("words\n")
    assert client.at("textDocument/definition", 2) is None
    assert client.at("textDocument/linkedEditingRange", 2) is None
    assert client.at("textDocument/documentHighlight", 2) == []
    assert client.at("textDocument/references", 2, context={"includeDeclaration": True}) == []
