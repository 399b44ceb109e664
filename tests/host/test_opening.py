"""Opening: which format the settings make of a text."""

from functools import partial

import pytest

from msgls.document.snapshot import Settings
from msgls.formats.msgmd import MSGMD, SECTIONED_MSGMD
from msgls.formats.msgmd.section import section_name
from msgls.formats.plain import PLAIN
from msgls.host.opening import followed
from msgls.host.opening import open_document as open_with_agents
from msgls.text.spans import Edit, Span

open_document = partial(open_with_agents, agents=frozenset())
ACTIVE = "---\nmessage_section: true\n---\n"
TALK = Settings(section="Talk")


def test_the_section_that_true_stands_for() -> None:
    assert section_name(open_document("a.md", ACTIVE, Settings())) == "Discussion"
    assert section_name(open_document("a.md", ACTIVE, TALK)) == "Talk"
    assert section_name(open_document("a.md", ACTIVE.replace("true", "X"), TALK)) == "X"


@pytest.mark.parametrize("settings", [Settings(), TALK])
def test_other_files_are_not_concerned(settings: Settings) -> None:
    assert open_document("a.msg.md", ACTIVE, settings).format is MSGMD
    assert open_document("a.md", "Notes", settings).format is PLAIN
    assert open_document("a.md", "Notes", settings, MSGMD).format is MSGMD


def test_a_document_stays_itself_unless_it_would_be_opened_otherwise() -> None:
    for settings in (Settings(), TALK):
        for name, text in (("a.md", ACTIVE), ("a.md", "Notes"), ("a.msg.md", ACTIVE)):
            document = open_document(name, text, settings)
            assert followed(document, settings) is document
    document = open_document("a.md", ACTIVE, Settings(), version=3)
    assert document.format is SECTIONED_MSGMD
    other = followed(document, TALK)
    assert (section_name(other), other.text, other.version) == ("Talk", ACTIVE, 3)
    # The settings chose its format: it does not follow its start by itself.
    at = ACTIVE.index("true")
    edited = other.apply([Edit(Span(at, at + 4), "false")])
    assert followed(edited, TALK).format is PLAIN
