"""``msgls/page``: what a preview shows, in pieces and as a whole."""

from typing import Any

from msgls.conversation.writers.page.page import page
from msgls.text.spans import Edit, Span
from tests.features.msgmd.sample import CONVERSATION
from tests.lsp.client import URI, VSCODE, Client


def shown(client: Client, **more: Any) -> dict[str, Any]:
    answer: dict[str, Any] = client.request("msgls/page", {"uri": URI, **more})
    return answer


def test_every_message_comes_with_its_line() -> None:
    client = Client()
    client.open(CONVERSATION)
    found = shown(client)
    lines = CONVERSATION.split("\n")
    articles = [lines[article["line"]] for article in found["articles"][1:]]
    assert articles[0] == "# %% Question 🦊[^m1]"
    assert articles == sorted(articles, key=lines.index)
    assert "not sent to the model" in found["articles"][1]["html"]
    assert found["header"].startswith("<header>")
    assert found["contents"].startswith("<nav")


def test_typing_changes_one_message_and_moves_the_lines_of_the_others() -> None:
    client = Client()
    client.open(CONVERSATION)
    before = shown(client)["articles"]
    at = CONVERSATION.index("I will look.")
    client.change(Edit(Span(at, at), "Well.\n\n"))
    after = shown(client)["articles"]
    changed = [i for i, pair in enumerate(zip(before, after, strict=True)) if _differ(*pair)]
    assert len(changed) == 1
    assert after[-1]["line"] == before[-1]["line"] + 2


def _differ(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return bool(one["html"] != other["html"])


def test_as_a_whole_it_is_what_the_command_line_writes() -> None:
    client = Client()
    client.open(CONVERSATION)
    document = client.server.session.get(URI).document
    assert shown(client, whole=True)["html"] == page("chat", [document])


def test_its_own_words_are_in_the_language_of_the_editor() -> None:
    client = Client(VSCODE, locale="zh-cn")
    client.open(CONVERSATION)
    found = shown(client)
    assert "目录" in found["contents"]
    assert "不发送给模型：" in found["articles"][1]["html"]
    assert 'lang="zh-Hans"' in shown(client, whole=True)["html"]


def test_nothing_of_a_transcript_comes_to_life() -> None:
    client = Client()
    client.open('# %% <img src=x onerror="a()">[^1]\n\n[^1]: [markdown]\n\n<script>a()</script>\n')
    html = "".join(article["html"] for article in shown(client)["articles"])
    assert "<script" not in html
    assert "<img" not in html
