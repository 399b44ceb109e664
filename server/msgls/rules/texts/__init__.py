"""The catalogue: every text that a person reads, in every language there is.

What a rule says is found by rule and key. What features say is a ``Phrase``, found by its
English template; of a rule's page, by the rule and the heading. Texts hold ``{name}`` where
an argument goes; back-quotes around it mark what is quoted from the file. A language other
than English is loaded when somebody asks for it. Which one is spoken is an argument of every
call, and nowhere kept: several clients may be served in one process.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from msgls.rules.texts.en import TEXTS as _ENGLISH_TEXTS
from msgls.text.phrases import Phrase

AUTO, ENGLISH, CHINESE = "auto", "en", "zh"
LANGUAGES = (ENGLISH, CHINESE)

# Readers of traditional Chinese are not taken for readers of simplified: neither does CLDR.
_TRADITIONAL = frozenset({"hant", "tw", "hk", "mo"})
# What ``joined`` makes: nothing but arguments, and the same between each two.
_LIST = re.compile(r"\{_\d+\}(?P<between>, | or )\{_\d+\}(?:(?P=between)\{_\d+\})*")
_BETWEEN = {", ": "\u3001", " or ": "\u6216"}


def language_of(setting: str, tag: str | None) -> str:
    """The language that a setting asks for; for ``auto`` the one that a locale's tag says.

    A tag is what an editor says (``zh-cn``) or an environment (``zh_CN.UTF-8``).
    """
    if setting != AUTO:
        return setting if setting in LANGUAGES else ENGLISH
    # An encoding or a variant behind the tag says nothing of the language.
    first, *subtags = re.split("[-_]", re.split("[.@]", tag or "")[0].strip().lower())
    if first == CHINESE and ("hans" in subtags or _TRADITIONAL.isdisjoint(subtags)):
        return CHINESE
    return ENGLISH


def text(code: str, key: str, args: Mapping[str, str], language: str = ENGLISH) -> str:
    """The text ``key`` of rule ``code`` in ``language``, with its arguments put in."""
    if language != CHINESE:
        return _ENGLISH_TEXTS[code][key].format_map(args)
    template = _chinese_texts().get(code, {}).get(key) or _ENGLISH_TEXTS[code][key]
    return template.format_map({name: say(value, language) for name, value in args.items()})


def say(phrase: str, language: str) -> str:
    """A phrase in ``language``; what is no phrase, or has no twin there, as it is."""
    if language != CHINESE or not isinstance(phrase, Phrase):
        return str(phrase)
    template = template_in(phrase, language)
    if not phrase.args:
        return template
    args = {
        name: say(value, language) if isinstance(value, str) else value
        for name, value in phrase.args.items()
    }
    return template.format_map(args)


def template_in(phrase: Phrase, language: str) -> str:
    """What a phrase is made of in ``language``; its own English where there is nothing else."""
    template = phrase.template if phrase.args else str(phrase)
    if language != CHINESE:
        return template
    template = _chinese_phrases().get(phrase.template, template)
    listed = _LIST.fullmatch(template)
    if listed is None:
        return template
    return template.replace(listed["between"], _BETWEEN[listed["between"]])


@cache
def _chinese_texts() -> Mapping[str, Mapping[str, str]]:
    from msgls.rules.texts.zh import TEXTS

    return TEXTS


@cache
def _chinese_phrases() -> Mapping[str, str]:
    from msgls.rules.texts.zh_pages import PHRASES as PAGES
    from msgls.rules.texts.zh_phrases import PHRASES
    from msgls.rules.texts.zh_rules import FIXES

    return {**PHRASES, **PAGES, **FIXES}
