"""Every way by which hidden text could leave a file.

What goes to a model or to other people (requests, exports, pages, what the model sees) holds
nothing that is hidden. Formats that can mark a message as hidden (message files, messages JSON,
forks and merges) keep the text with its mark. What a person's own editor or terminal shows of
their own file (outline, hover, symbols, differences) may name it: it stays where it is.
"""

import json
import re
from pathlib import Path

import pytest

from msgls.conversation.targets import ENDINGS, NOTEBOOK, REQUESTS, SAYS_VISIBILITY
from msgls.lsp.addresses import view_address
from tests.cli.support import Runner
from tests.lsp.client import URI, Client

HIDDEN = (
    *("before-reset", "excluded-cell", "virtual-cell", "boot-text", "summed-up", "call-secret"),
    *("excluded-answer", "its-call", "its-result"),
)
TEXT = """\
---
agents:
  bot:
    models: [m]
    system_prompt: seen-prompt
---

# %% [^m0]

[^m0]: [markdown]

before-reset

# %%% [^m1]

[^m1]: [bot] boot=1 virtual=1 reset=1

boot-text

# %% [^m2]

[^m2]: [markdown] history=exclude

excluded-cell

# %%% [^m3]

[^m3]: [bot] virtual=1

virtual-cell

# %%% [^m3.n1]

[^m3.n1]: [tool] name="f" history=exclude

<f><q>call-secret</q></f>

# %%% [^m7]

[^m7]: [bot] history=exclude

excluded-answer

# %%% [^m7.n2]

[^m7.n2]: [tool] name="f"

<f><q>its-call</q></f>

# %%% [^m7.n2.1]

[^m7.n2.1]: [tool] status=success history=include

its-result

# %% [^m4]

[^m4]: [markdown] history=summary summary="seen-summary"

summed-up

# %%% [^m5]

[^m5]: [bot] time="2026-01-01T00:00:00Z"

seen-answer

# %% [^m6]

[^m6]: [markdown]

seen-question
"""
OPEN_TARGETS = [target for target in ENDINGS if target not in SAYS_VISIBILITY]
DOORS = [
    *[("convert", "--to", target, "a.msg.md") for target in OPEN_TARGETS if "chatb" not in target],
    *[("view", "a.msg.md", "--to", kind) for kind in ("text", "messages", *REQUESTS)],
    ("ask", "a.msg.md", "--dry-run"),
]


DEFINITION = re.compile(r"^\[\^[\w.]+\]: .*\n", re.MULTILINE)
TYPED = re.compile(r"^\[(\^[\w.]+)\]: \[(\w+)\](.*)$", re.MULTILINE)
SHAPES = {
    "as people write": TEXT,
    "with other line ends": TEXT.replace("\n", "\r\n"),
    "with all definitions at the end": DEFINITION.sub("", TEXT) + "".join(DEFINITION.findall(TEXT)),
    "with marks that are nearly right": TEXT.replace("=exclude", "=Exclude")
    .replace("virtual=1", "virtual=True")
    .replace("reset=1", "reset='yes'"),
    "with suppression comments": TEXT.replace(
        "\n\nexcluded-cell", "\n\n<!-- msgls: ignore MSG605 -->\nexcluded-cell"
    ),
    "with definitions that a formatter escaped": TYPED.sub(r"\\[\1\\]: \\[\2\\]\3", TEXT),
    "with definitions at the end that a formatter escaped": TYPED.sub(
        r"\\[\1\\]: \\[\2\\]\3", DEFINITION.sub("", TEXT) + "".join(DEFINITION.findall(TEXT))
    ),
    "with definitions at the end that cannot be read": TYPED.sub(
        r"[\1]: [\2\3", DEFINITION.sub("", TEXT) + "".join(DEFINITION.findall(TEXT))
    ),
    "with definitions at the end whose type is followed by a comma": TYPED.sub(
        r"[\1]: [\2],\3", DEFINITION.sub("", TEXT) + "".join(DEFINITION.findall(TEXT))
    ),
    "with definitions that have no colon": TYPED.sub(r"[\1] [\2]\3", TEXT),
    "with definitions that have a full-width colon": TYPED.sub("[\\1]\uff1a[\\2]\\3", TEXT),
    "with definitions at home that have another id": TYPED.sub(r"[\1x]: [\2]\3", TEXT),
    "with attributes as JSON has them": TEXT.replace("history=exclude", '"history": "exclude"')
    .replace("virtual=1", '"virtual": 1')
    .replace("reset=1", '"reset": 1'),
    "with commas between attributes": TYPED.sub(r"[\1]: [\2] x=1,\3", TEXT).replace(", ", ","),
    "with definitions that cannot be read": TYPED.sub(r"[\1]: [\2\3", TEXT),
    "without words in a summary": TEXT.replace(
        'history=summary summary="seen-summary"\n', "history=summary\n\nseen-summary\n"
    ),
}


@pytest.fixture
def msgls(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Runner:
    runner = Runner(tmp_path, capsys, monkeypatch)
    runner.write("a.msg.md", TEXT)
    return runner


def leaks(text: str) -> list[str]:
    return [word for word in HIDDEN if word in text]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("door", DOORS, ids=" ".join)
def test_nothing_hidden_leaves_by_the_command_line(
    msgls: Runner, door: tuple[str, ...], shape: str
) -> None:
    msgls.write("a.msg.md", SHAPES[shape])
    found = msgls(*door)
    assert leaks(found.out + found.err) == []
    assert "seen-question" in found.out
    assert "seen-answer" in found.out
    assert "seen-summary" in found.out


def test_nothing_hidden_is_in_a_page_or_a_folder_of_files(msgls: Runner) -> None:
    msgls("render", "a.msg.md", "-o", "page.html")
    page = (msgls.folder / "page.html").read_text()
    assert "seen-answer" in page
    assert leaks(page) == []
    msgls("convert", "--to", "chatbuilder", "a.msg.md", "-o", "files")
    files = [path.read_text() for path in sorted((msgls.folder / "files").rglob("*.md"))]
    assert "seen-answer" in "".join(files)
    assert leaks("".join(files)) == []


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("target", [*SAYS_VISIBILITY, NOTEBOOK])
def test_where_it_is_marked_as_hidden_it_stays_hidden(
    msgls: Runner, target: str, shape: str
) -> None:
    msgls.write("a.msg.md", SHAPES[shape])
    before = msgls("view", "a.msg.md", "--to", "openai").json["messages"]
    msgls("convert", "--to", target, "a.msg.md", "-o", f"b{ENDINGS[target]}")
    assert msgls("view", f"b{ENDINGS[target]}", "--to", "openai").json["messages"] == before


def test_forks_and_merges_keep_the_marks(msgls: Runner) -> None:
    before = msgls("view", "a.msg.md").out
    msgls("fork", "a.msg.md", "m6", "-o", "fork.msg.md")
    assert msgls("view", "fork.msg.md").out == before
    msgls.write("ours.msg.md", TEXT.replace("seen-answer", "seen-answer, ours"))
    msgls.write("theirs.msg.md", TEXT.replace("seen-question", "seen-question, theirs"))
    assert msgls("merge", "a.msg.md", "ours.msg.md", "theirs.msg.md").code == 0
    merged = msgls("view", "ours.msg.md").out
    assert leaks(merged) == []
    assert "seen-question, theirs" in merged


@pytest.mark.parametrize("target", [one for one in OPEN_TARGETS if one != "chatbuilder"])
def test_nothing_hidden_leaves_by_a_conversion_in_the_editor(target: str) -> None:
    client = Client()
    client.open(TEXT)
    arguments = [{"uri": URI, "target": target, "asText": True}]
    command = {"command": "msgls.convert.to", "arguments": arguments}
    shown = json.dumps(client.request("workspace/executeCommand", command))
    assert "seen-answer" in shown
    assert leaks(shown) == []


def test_nothing_hidden_is_in_the_page_that_the_editor_exports() -> None:
    client = Client()
    client.open(TEXT)
    page = json.dumps(client.request("msgls/page", {"uri": URI, "whole": True}))
    assert "seen-answer" in page
    assert leaks(page) == []


def test_nothing_hidden_is_in_what_the_editor_says_the_model_sees() -> None:
    client = Client()
    client.open(TEXT)
    address = {"uri": view_address(URI, "ModelView", None)}
    shown = client.request("workspace/textDocumentContent", address)["text"]
    assert "seen-answer" in shown
    assert leaks(shown) == []


def test_what_shows_people_their_own_file_shows_hidden_cells(msgls: Runner) -> None:
    """As `docs/model-view.md` says: it stays where it is."""
    client = Client()
    client.open(TEXT)
    assert leaks(json.dumps(client.request("msgls/page", {"uri": URI}))) == [*HIDDEN]
    assert "excluded-cell" in msgls("outline", "a.msg.md").out
    msgls.write("b.msg.md", TEXT.replace("excluded-cell", "another"))
    assert "excluded-cell" in msgls("diff", "a.msg.md", "b.msg.md").out
    assert leaks(msgls("view", "a.msg.md", "--explain").out) == []


STAMP = "2026-01-01T00:00:00Z"
MARKS = ({"history": "exclude"}, {"history": 0.0}, {"isVirtual": True})


def entry(kind: str, payload: object, **more: object) -> str:
    head = {"id": "e", "type": kind, "timestamp": STAMP, "runId": "r"}
    return json.dumps({**head, "payload": payload, **more}) + "\n"


def said(text: str) -> dict[str, object]:
    part = {"kind": "text", "payload": {"text": text}}
    return {"runId": "r", "role": "user", "parts": [part], "timestamp": STAMP}


def stream(text: str) -> list[dict[str, object]]:
    steps = (
        ("start", {"modelId": "m", "requestId": "q"}),
        ("text", {"textDelta": text}),
        ("done", {"finishReason": "stop"}),
    )
    return [
        {"runId": "s", "seq": seq, "kind": kind, "payload": payload, "timestamp": STAMP}
        for seq, (kind, payload) in enumerate(steps)
    ]


@pytest.mark.parametrize("marks", MARKS, ids=str)
@pytest.mark.parametrize("command", ["assemble", "convert"])
def test_an_entry_of_a_session_hides_what_it_holds(
    msgls: Runner, command: str, marks: dict[str, object]
) -> None:
    text = entry("message", said("excluded-cell"), meta=marks) + entry("message", said("seen"))
    text += entry("message_delta_batch", stream("excluded-answer"), meta=marks)
    msgls.write("a.session.jsonl", text)
    for target in (*REQUESTS, "stf", "markdown"):
        shown = msgls(command, "a.session.jsonl", "--to", target).out
        assert "seen" in shown
        assert leaks(shown) == []
    msgls.write("b.messages.jsonl", msgls("assemble", "a.session.jsonl").out)
    for name in ("a.session.jsonl", "b.messages.jsonl"):
        assert msgls("view", name).out == "## user\n\nseen\n"


def test_nothing_hidden_is_in_lenses_and_hints() -> None:
    client = Client()
    client.open(TEXT)
    whole = {
        "start": {"line": 0, "character": 0},
        "end": {"line": TEXT.count("\n"), "character": 0},
    }
    document = {"textDocument": {"uri": URI}}
    lenses = client.request("textDocument/codeLens", document)
    hints = client.request("textDocument/inlayHint", {**document, "range": whole})
    assert lenses
    assert leaks(json.dumps([lenses, hints])) == []
