"""Phrases: English texts that remember what they were made of."""

import pytest

from msgls.text.phrases import Phrase, PhrasedError, about, as_phrase, joined, paragraph_phrase


def test_a_phrase_is_its_english_text() -> None:
    phrase = Phrase("{count} of {all}", count=1, all="two")
    assert phrase == "1 of two"
    assert (phrase.template, phrase.args) == ("{count} of {all}", {"count": 1, "all": "two"})


def test_without_arguments_braces_are_text() -> None:
    phrase = Phrase("a {b} c")
    assert (str(phrase), phrase.template, phrase.args) == ("a {b} c", "a {b} c", {})


@pytest.mark.parametrize(
    ("parts", "between", "said"),
    [
        ([], ", ", ""),
        (["a"], ", ", "a"),
        (["a", "b"], ", ", "a, b"),
        (["{x}", "b"], "; ", "{x}; b"),
    ],
)
def test_texts_in_a_row(parts: list[str], between: str, said: str) -> None:
    phrase = joined(parts, between)
    assert phrase == said
    assert list(phrase.args.values()) == parts


def test_a_phrase_stays_the_phrase_that_it_is() -> None:
    phrase = Phrase("{a}", a="b")
    assert as_phrase(phrase) is phrase
    assert as_phrase("{a}").template == "{a}"


def test_what_is_said_of_a_file() -> None:
    phrase = about(7, Phrase("gone"))
    assert phrase == "7: gone"
    assert isinstance(phrase.args["said"], Phrase)


def test_a_paragraph_has_one_line_in_catalogues() -> None:
    phrase = paragraph_phrase("One\ntwo {x}")
    assert (str(phrase), phrase.template, phrase.msgid) == (
        "One\ntwo {x}",
        "One\ntwo {x}",
        "One two {x}",
    )
    assert paragraph_phrase("| a |\n|---|").msgid == "| a |\n|---|"


def test_an_error_says_a_phrase() -> None:
    error = PhrasedError("{name} is gone", name="a")
    assert str(error) == "a is gone"
    assert error.phrase.template == "{name} is gone"
    phrase = Phrase("{a}", a="b")
    assert PhrasedError(phrase).phrase is phrase
