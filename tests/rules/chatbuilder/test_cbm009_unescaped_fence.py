r"""CBM009: a backslash stands before backticks that start a line."""

import pytest

from msgls.conversation.readers import read_document
from msgls.document.document import Document
from tests.rules.chatbuilder.support import PATH, WHOLE
from tests.rules.support import expect, expect_fix, expect_follows, expect_nothing, fixes

CODE = "CBM009"
HEAD = "; role: user\n\n\n"
MESSAGE = "this fence is not escaped: add a backslash before the backticks"


@pytest.mark.parametrize(
    "body",
    [
        "«```»py\nx\n«```»\n",
        "Hello\n«````»\nx\n«````»\n",
        "«```»inline``` and on\n",
        "# A\n\n«```»\n# no\n«```»\n\n## B\n\\```\nx\n«```»\n",
        "~~~\n«```»\n~~~\n",
        "a\r«```»\rb\r\n«```»",
    ],
)
def test_found(body: str) -> None:
    expect(CODE, HEAD + body, *[MESSAGE] * body.count("«"), path=PATH)


@pytest.mark.parametrize(
    "body",
    [
        "\\```py\nx\n\\```\n",
        "``two``\n",
        "  ```\nx\n  ```\n",
        "- ```\n  x\n  ```\n",
        "say ``` there\n",
        "\\\\```\n",
        "~~~\nx\n~~~\n",
        "a\u2028```\u0085```\f```\n",
    ],
)
def test_nothing_is_found(body: str) -> None:
    expect_nothing(CODE, HEAD + body, path=PATH)


def test_a_header_has_no_fences() -> None:
    expect_nothing(CODE, WHOLE, path=PATH)
    expect_nothing(CODE, "; ```\n; role: user\n\n\nHello\n", path=PATH)


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_all_are_escaped_at_once_and_the_message_stays(newline: str) -> None:
    before = (HEAD + "```py\nx\n```\n# A\n\\```\ny\n````\n").replace("\n", newline)
    after = (HEAD + "\\```py\nx\n\\```\n# A\n\\```\ny\n\\````\n").replace("\n", newline)
    name = "Escape every fence of the message"
    expect_fix(CODE, before, after, safe=True, name=name, path=PATH)
    documents = [Document.open(PATH, text) for text in (before, after)]
    one, other = [read_document(document).messages for document in documents]
    assert one == other


def test_each_fence_has_a_fix_of_its_own() -> None:
    source = HEAD + "```py\nx\n```\n"
    expect_fix(CODE, source, HEAD + "\\```py\nx\n```\n", safe=True, path=PATH)
    # The edits of all fences at each of them would be the square of a message.
    one = [("Escape this fence", True, HEAD + "```py\nx\n\\```\n")]
    assert fixes(CODE, source, 1, PATH) == one


def test_it_follows_edits() -> None:
    counts = expect_follows(
        CODE,
        HEAD + "Hello\n# A\n```\n# x\n```\n",
        ("Hello", "```"),
        ("\n\n\n```", "\n```"),
        ("; role", "```\n; role"),
        ("# A\n```", "# A\n\\```"),
        ("# x\n```", "# x\n"),
        path=PATH,
    )
    # A fence before the header leaves no header: all is the message.
    assert counts == [2, 3, 3, 4, 3, 2]
