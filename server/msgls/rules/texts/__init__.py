"""The catalogue: every text that a person reads of a rule, by rule and key.

A language is a module with one dictionary. Texts hold ``{name}`` where an
argument goes; back-quotes around it mark what is quoted from the file.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgls.rules.texts.en import TEXTS as ENGLISH

_LANGUAGES: Mapping[str, Mapping[str, Mapping[str, str]]] = {"en": ENGLISH}


def text(code: str, key: str, args: Mapping[str, str], language: str = "en") -> str:
    """The text ``key`` of rule ``code`` in ``language``, with its arguments put in."""
    texts = _LANGUAGES.get(language, ENGLISH).get(code) or ENGLISH[code]
    return (texts.get(key) or ENGLISH[code][key]).format_map(args)
