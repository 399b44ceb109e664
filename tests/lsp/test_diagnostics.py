"""Diagnostics: complete and current after every edit, pushed or pulled, never both."""

import json
import random
from typing import Any

import pytest

from msgls.document.snapshot import Settings
from msgls.lsp.publisher import Board
from msgls.lsp.session import Session
from msgls.rules.base import Problem
from msgls.text.lines import PIECE_LIMIT
from msgls.text.work import done
from tests.document.tracked import limits

URI = "file:///project/chat.msg.md"

BROKEN = """\
---
agents:
  claude: {models: [large]}
---

# %% Question 😀[^q1]

Text.

# %%% Answer[^a1]

[^a1]: [claude]

## %%% Call[^a1.9f3d]

[^a1.9f3d]: [tool] name="x"

<x/>

## %%% Result[^a1.9f3c.1]

[^a1.9f3c.1]: [tool] status="success" history=exlude

#%% Near miss
"""

FRAGMENTS = (
    "x", "\n", "# %% New[^n1]\n\n", "[^n1]: [markdown]\n\n", "```\n", "😀", "\r\n", "[^a1",
    "<!-- msgls: ignore MSG302 -->\n", "# %%% B[^a1]\n", "---\n", "history=exclude",
)  # fmt: skip


class Sent:
    """What a session sent."""

    def __init__(self, pushes: bool = True) -> None:
        self.notifications: list[tuple[str, dict[str, Any]]] = []
        self.session = Session(self._take)
        self.session.pushes = pushes

    def _take(self, method: str, params: bytes) -> None:
        self.notifications.append((method, json.loads(params)))

    def settle(self) -> None:
        """Publish all that is due."""
        while self.session.publish_some():
            pass

    def items(self) -> list[dict[str, Any]]:
        """The diagnostics of the last publish."""
        found: list[dict[str, Any]] = self.notifications[-1][1]["diagnostics"]
        return found


def fresh(text: str) -> list[dict[str, Any]]:
    """The diagnostics of a text that was never edited."""
    sent = Sent()
    done(sent.session.open(URI, "msgmd", 1, text))
    sent.settle()
    return sent.items()


def insert(offset: int, text: str, document: Any) -> list[dict[str, Any]]:
    """A content change on the wire."""
    line, character = document.position_of(offset, "utf-16")
    place = {"line": line, "character": character}
    return [{"range": {"start": place, "end": place}, "text": text}]


@pytest.mark.parametrize("piece", [PIECE_LIMIT, 64], ids=["usual pieces", "small pieces"])
def test_what_is_published_is_what_a_fresh_document_has_after_every_edit(piece: int) -> None:
    chance = random.Random(5)
    for _ in range(12):
        sent = Sent()
        with limits(piece=piece, crumb=16):
            done(sent.session.open(URI, "msgmd", 1, BROKEN))
            sent.settle()
        for version in range(2, 14):
            document = sent.session.get(URI).document
            offset = chance.randrange(len(document.text) + 1)
            change = insert(offset, chance.choice(FRAGMENTS), document)
            with limits(piece=piece, crumb=16):
                sent.session.change(URI, version, change)
                sent.settle()
            method, params = sent.notifications[-1]
            assert method == "textDocument/publishDiagnostics"
            assert params["version"] == version
            text = sent.session.get(URI).document.text
            assert params["diagnostics"] == fresh(text), text


def test_one_publish_for_a_version_that_is_not_overtaken() -> None:
    sent = Sent()
    done(sent.session.open(URI, "msgmd", 1, BROKEN))
    for version in (2, 3, 4):
        sent.session.change(URI, version, [{"text": BROKEN + "x" * version}])
    sent.settle()
    assert [params["version"] for _, params in sent.notifications] == [4]


def test_a_diagnostic_says_what_where_why_and_more() -> None:
    (mismatch,) = [item for item in fresh(BROKEN) if item["code"] == "MSG302"]
    assert mismatch["range"] == {
        "start": {"line": 19, "character": 15},
        "end": {"line": 19, "character": 24},
    }
    assert mismatch["severity"] == 1
    assert mismatch["source"] == "msgls"
    assert mismatch["codeDescription"]["href"].endswith("MSG302.md")
    (related,) = mismatch["relatedInformation"]
    assert related["location"]["range"]["start"] == {"line": 13, "character": 13}


def test_what_the_model_does_not_see_is_faded() -> None:
    text = "# %% Q[^q]\n\n[^q]: [markdown] history=exclude\n\nText.\n"
    (hidden,) = [item for item in fresh(text) if item["code"] == "MSG603"]
    assert hidden["tags"] == [1]


def test_the_worst_thousand_are_sent_with_one_that_says_so() -> None:
    hints = "".join(f"# %% No id {n}\n\nText.\n\n" for n in range(Settings().limit))
    errors = "".join(f"# %% Q[^e{n}]\n\nText.\n\n" for n in range(30))
    items = fresh(hints + errors)
    assert len(items) == Settings().limit + 1
    assert sum(item.get("code") == "MSG101" for item in items) == 30
    assert "30 more problems" in items[-1]["message"]


def test_closing_takes_them_away() -> None:
    sent = Sent()
    done(sent.session.open(URI, "msgmd", 1, BROKEN))
    sent.settle()
    done(sent.session.close(URI))
    assert sent.items() == []


def test_a_client_that_pulls_is_not_pushed_to_and_hears_when_nothing_changed() -> None:
    sent = Sent(pushes=False)
    done(sent.session.open(URI, "msgmd", 1, BROKEN))
    sent.settle()
    opened = sent.session.get(URI)
    first = json.loads(done(sent.session.publisher.report(opened, None)))
    assert first["kind"] == "full"
    assert first["items"] == fresh(BROKEN)
    again = json.loads(done(sent.session.publisher.report(opened, first["resultId"])))
    assert again == {"kind": "unchanged", "resultId": first["resultId"]}
    sent.session.change(URI, 2, insert(BROKEN.index("Text."), "x", opened.document))
    typed = json.loads(done(sent.session.publisher.report(opened, first["resultId"])))
    assert typed["kind"] == "unchanged"
    sent.session.change(URI, 3, insert(0, "\n", opened.document))
    moved = json.loads(done(sent.session.publisher.report(opened, first["resultId"])))
    assert moved["kind"] == "full"
    done(sent.session.close(URI))
    assert sent.notifications == []


def test_a_wider_character_moves_what_follows_it_though_no_offset_changes() -> None:
    text = "# %% aQ[^q1]\n\nText.\n"
    sent = Sent()
    done(sent.session.open(URI, "msgmd", 1, text))
    sent.settle()
    change = {
        "range": {"start": {"line": 0, "character": 5}, "end": {"line": 0, "character": 6}},
        "text": "😀",
    }
    sent.session.change(URI, 2, [change])
    sent.settle()
    assert sent.items() == fresh("# %% 😀Q[^q1]\n\nText.\n")


def test_a_line_that_moves_within_a_cell_moves_what_stands_there() -> None:
    text = "# %% Q[^q1]\n\n[^q1]: [markdown]\n\nab\nsee[^nowhere]\n"
    sent = Sent()
    done(sent.session.open(URI, "msgmd", 1, text))
    sent.settle()
    start, end = {"line": 4, "character": 0}, {"line": 5, "character": 0}
    sent.session.change(URI, 2, [{"range": {"start": start, "end": end}, "text": "a\nb"}])
    sent.settle()
    after = sent.session.get(URI).document.text
    assert sent.items() == fresh(after)


def test_a_key_encodes_only_the_problems_of_its_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    # Every problem stands in the last cell, and each points at another one.
    cells = "".join(f"# %% Q[^q{n}]\n\nText {n}.\n\n" for n in range(40))
    text = cells + "".join(f"[^q{n}]: [markdown]\n" for n in range(40))
    sent = Sent()
    done(sent.session.open(URI, "msgmd", 1, text))
    sent.settle()
    encoded: list[int] = []
    encode = Board._diagnostic

    def counted(board: Board, problem: Problem, *arguments: Any) -> bytes:
        encoded.append(problem.label)
        return encode(board, problem, *arguments)

    monkeypatch.setattr(Board, "_diagnostic", counted)
    change = insert(text.index("Text 7."), "x", sent.session.get(URI).document)
    sent.session.change(URI, 2, change)
    sent.settle()
    assert len(encoded) == 1
    monkeypatch.undo()
    assert sent.items() == fresh(sent.session.get(URI).document.text)
