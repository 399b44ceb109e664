"""All rules of the format together: following a document, fixing one, ordinary text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule

from msgls.document.document import Document
from msgls.document.snapshot import Surroundings
from msgls.rules.checker import Checker
from msgls.rules.fixing import fix_all
from msgls.rules.registry import BY_CODE, RULES
from tests.document.tracked import SIMPLE_TEXT_FILES, limits
from tests.formats.stf.reading import said
from tests.rules.stf.support import PATH
from tests.rules.support import absolute, message
from tests.rules.test_checker import Following, fail
from tests.snapshots import snapshot_of

_fragments = st.sampled_from(SIMPLE_TEXT_FILES.fragments)
_texts = st.sampled_from(SIMPLE_TEXT_FILES.starts) | st.lists(_fragments, max_size=15).map("".join)
_places = st.integers(0, 1_000)


class SimpleTextFollowing(Following):
    """The same machine on other documents."""

    @initialize(text=_texts, small=st.booleans())
    def open(self, text: str, small: bool) -> None:
        if small:
            self.stack.enter_context(limits(piece=64, crumb=16, gap=1 << 8, recent=3))
        self.surroundings = Surroundings(exists=lambda path: False)
        self.document = Document.open(PATH, text)
        self.checker = Checker(snapshot_of(self.document, self.surroundings), RULES, fail)

    @rule(place=_places, text=_fragments)
    def insert_line(self, place: int, text: str) -> None:
        super().insert_line(place, text)

    @rule(place=_places, text=st.sampled_from(tuple("x@;#/*={}' \n\ré")))
    def type_character(self, place: int, text: str) -> None:
        super().type_character(place, text)

    @rule(text=_texts)
    def put(self, text: str) -> None:
        super().put(text)


TestSimpleTextFollowing = SimpleTextFollowing.TestCase
TestSimpleTextFollowing.settings = settings(stateful_step_count=12)


def fixed(text: str, *codes: str, unsafe: bool = False) -> str:
    document = Document.open(PATH, text)
    rules = [rule for rule in RULES if not codes or rule.code in codes]
    return fix_all(snapshot_of(document), rules, lambda _: True, unsafe).document.text


@given(_texts)
def test_fixing_twice_changes_nothing_more(text: str) -> None:
    once = fixed(text)
    assert fixed(once) == once


@given(_texts)
def test_safe_fixes_leave_what_is_said(text: str) -> None:
    assert said(fixed(text)) == said(text)


@given(_texts)
def test_every_fix_that_is_announced_is_made(text: str) -> None:
    document = Document.open(PATH, fixed(text))
    left = Checker(snapshot_of(document), RULES, fail).problems()
    ways = [fix for p in left for fix in BY_CODE[p.code].fixes(snapshot_of(document), p)]
    assert not [fix for fix in ways if fix.safe]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "@user\nHi! Who are you?\n@ai\nHello, I'm an AI, based on a large language model.\n",
        "@user\nmail me@example.org; or call\n; a comment in assembly\n;; and in Lisp\n",
        ";user\n@media print {}\n@property\ndef f(self): ...\n@dataclass\n",
        "@system\nBe brief.\n@user name='Ann Lee' id=u1\n\n# Title\n\n@@mention\n",
        "@ai\n@call id=c1\nsearch {query: 'x'}\n@tool call_id=c1\nfound\n@msg role=user\nYes.\n",
        ";meta\n{title: 'A talk'}\n;end\n;user\nx\n;extra\n{mood: 1}\n;end\n;flush\n\n;ai\ny\n",
        "@raw\n{role: 'user', content: 'x'}\n@end\n\n@// a note\n@/*\n@user\n@*/\n@ai\nx\n",
    ],
)
def test_what_is_right_draws_nothing(text: str) -> None:
    document = Document.open(PATH, text)
    problems = Checker(snapshot_of(document), RULES, fail).problems()
    assert [(absolute(document, p).of(text), message(p)) for p in problems] == []


def test_comments_silence_rules() -> None:
    noisy = "@user\n@foo\n@ai\n@foo\n"
    here = noisy.replace("@foo", "@# msgls: ignore STF001\n@foo", 1)
    for text, count in ((noisy, 2), (here, 1), ("@// msgls: ignore unknown-command\n" + noisy, 0)):
        assert len(Checker(snapshot_of(Document.open(PATH, text)), RULES, fail).problems()) == count
