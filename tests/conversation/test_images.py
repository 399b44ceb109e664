"""Images and files keep their kind through every pair of formats that has one."""

import json
from typing import Any

import pytest

from msgls.conversation.sources import read
from msgls.conversation.targets import ENDINGS, SAYS_VISIBILITY, write
from msgls.formats.images import image_at, image_line, is_image_address
from tests.conversation.corpus import PIXEL, dumped, message, part

READABLE = ("msgmd", "stf", "stf-semicolon", "messages", "openai", "anthropic")
IMAGES = {
    "its bytes": f"data:image/png;base64,{PIXEL}",
    "a path": "pictures/a chart.png",
    "an address": "https://example.org/a.jpg?width=3#top",
    "an address that says no type": "https://example.org/picture",
}


def images_in(text: str, target: str) -> list[Any]:
    kind = {"stf-semicolon": "stf"}.get(target, target)
    messages = read(f"talk{ENDINGS[target]}", text, kind)[0].conversation.messages
    parts = [p for one in messages for p in one.to_wire()["parts"]]
    inner = [p["payload"]["content"] for p in parts if p["kind"] == "tool_result"]
    parts += [p for content in inner if isinstance(content, list) for p in content]
    return [p for p in parts if p["kind"] == "image"]


@pytest.mark.parametrize("address", IMAGES.values(), ids=IMAGES)
@pytest.mark.parametrize("second", READABLE)
@pytest.mark.parametrize("first", READABLE)
def test_an_image_is_an_image_after_one_and_two_conversions(
    first: str, second: str, address: str
) -> None:
    image = image_at(address)
    wires = [message("user", part("text", text="See:"), image, part("text", text="Nice?"))]
    once = write(read("talk.messages.json", dumped(wires))[0], first)
    assert images_in(once.text, first) == [image]
    assert not [loss.what for loss in once.losses if "image" in loss.what]
    kind = {"stf-semicolon": "stf"}.get(first, first)
    twice = write(read(f"talk{ENDINGS[first]}", once.text, kind)[0], second)
    assert images_in(twice.text, second) == [image]


@pytest.mark.parametrize("target", ["msgmd", "stf", "messages", "anthropic"])
def test_an_image_that_a_tool_gives_is_one(target: str) -> None:
    image = image_at(IMAGES["its bytes"])
    call = part("tool_call", toolCallId="c", toolName="draw", arguments={})
    content = [part("text", text="Here:"), image]
    for is_error in (False, True):
        done = part("tool_result", toolCallId="c", isError=is_error, content=content)
        wires = [message("assistant", call), message("tool", done)]
        written = write(read("talk.messages.json", dumped(wires))[0], target)
        assert images_in(written.text, target) == [image]


def test_an_embedded_image_is_an_image_in_a_request_and_a_file_is_not() -> None:
    text = "@user\nSee:\n@embed\nchart.png\n@embed\ndata.csv\n"
    incoming = read("talk.stf", text)[0]
    content = json.loads(write(incoming, "openai").text)["messages"][0]["content"]
    assert content[1] == {"type": "image_url", "image_url": {"url": "chart.png"}}
    content = json.loads(write(incoming, "anthropic").text)["messages"][0]["content"]
    assert content[1]["source"] == {"type": "url", "url": "chart.png"}
    assert "[data.csv](data.csv)" in str(content)


MESSAGE_FILE = """\
# %% [^q]

[^q]: [markdown]

Before
![a chart](chart.png)

```md
![quoted](quoted.png)
```

In a line: ![inline](inline.png)

# %%% [^a]

[^a]: [bot]

![drawn](drawn.png)
"""


def test_only_an_image_alone_on_a_line_of_the_users_is_one() -> None:
    found = read("talk.msg.md", MESSAGE_FILE)[0].conversation.messages
    kinds = [[p.kind for p in one.parts] for one in found]
    # The contract of messages gives assistants no images: theirs stays Markdown.
    assert kinds == [["text", "image", "text"], ["text"]]
    assert found[0].to_wire()["parts"][1]["payload"]["alt"] == "a chart"
    assert found[0].to_wire()["parts"][0]["payload"]["text"] == "Before"


def test_what_an_image_shows_is_kept_or_named() -> None:
    incoming = read("talk.msg.md", MESSAGE_FILE)[0]
    assert "![a chart](chart.png)" in write(incoming, "markdown").text
    for target in ("openai", "anthropic", "stf"):
        written = write(incoming, target)
        assert "chart.png" in written.text
        assert "a chart" not in written.text
        assert any("alternative texts of images" in loss.what for loss in written.losses)


@pytest.mark.parametrize("attributes", ["history=summary", "history=summary summary=Short"])
@pytest.mark.parametrize("target", list(ENDINGS))
def test_a_summary_shows_no_image_of_what_it_stands_for(target: str, attributes: str) -> None:
    text = f"# %% [^q]\n\n[^q]: [markdown] {attributes}\n\nFirst\n\n![secret](secret.png)\n"
    incoming = read("talk.msg.md", text)[0]
    if target in SAYS_VISIBILITY:
        written = write(incoming, target)
        incoming = read(f"talk{ENDINGS[target]}", written.text, target)[0]
        target = "openai"
    assert "secret" not in write(incoming, target).text


@pytest.mark.parametrize(
    ("address", "is_image"),
    [
        ("a.PNG", True),
        ("https://example.org/a.webp?x=.txt", True),
        ("data:image/gif;base64,AAAA", True),
        ("data:text/plain;base64,AAAA", False),
        ("notes.txt", False),
        ("png", False),
    ],
)
def test_what_an_address_says(address: str, is_image: bool) -> None:
    assert is_image_address(address) is is_image


def test_an_address_with_blanks_stands_in_angle_brackets() -> None:
    assert image_line(image_at("a b.png")["payload"]) == "![](<a b.png>)"
