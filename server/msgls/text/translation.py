"""Translation: which language to use, and phrases in that language.

A catalogue is keyed by the English template of a ``Phrase``. English needs none. Chinese is
``locale/zh_CN/LC_MESSAGES/msgls.po``, which the build compiles, and is loaded when it is first
needed. The language is an argument of every call: one process may serve several clients.
"""

import os
import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache

from msgls.text.phrases import Phrase

AUTO, ENGLISH, CHINESE = "auto", "en", "zh"
LANGUAGES = (ENGLISH, CHINESE)
_LOCALE = "zh_CN"

# As in CLDR, readers of traditional Chinese do not get simplified Chinese.
_TRADITIONAL = frozenset({"hant", "tw", "hk", "mo"})
# What ``joined`` makes: arguments only, with the same separator between them.
_LIST = re.compile(r"\{_\d+\}(?P<separator>, | or )\{_\d+\}(?:(?P=separator)\{_\d+\})*")
_SEPARATORS = {", ": "\u3001", " or ": "\u6216"}


# Every problem that is shown asks for it.
@lru_cache(maxsize=64)
def language_of(setting: str, tag: str | None) -> str:
    """The language of the setting ``locale``; for ``auto``, that of a locale tag.

    A tag comes from an editor (``zh-cn``) or from the environment (``zh_CN.UTF-8``).
    """
    if setting != AUTO:
        return setting if setting in LANGUAGES else ENGLISH
    # An encoding or a variant after the tag does not matter.
    first, *subtags = re.split("[-_]", re.split("[.@]", tag or "")[0].strip().lower())
    if first == CHINESE and ("hans" in subtags or _TRADITIONAL.isdisjoint(subtags)):
        return CHINESE
    return ENGLISH


def say(phrase: str, language: str) -> str:
    """A phrase in ``language``. Plain text, and phrases without a translation, stay as they are."""
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
    """The template of a phrase in ``language``, or in English if it has no translation."""
    if language != CHINESE or not phrase:
        return phrase.template
    template = _chinese()(phrase.msgid)
    if template == phrase.msgid:
        template = phrase.template
    is_list = _LIST.fullmatch(template)
    if is_list is None:
        return template
    return template.replace(is_list["separator"], _SEPARATORS[is_list["separator"]])


@cache
def _chinese() -> Callable[[str], str]:
    """The lookup in the Chinese catalogue; it returns what it does not find."""
    import gettext
    from pathlib import Path

    folder = Path(__file__).parent.parent / "locale"
    return gettext.translation("msgls", folder, [_LOCALE], fallback=True).gettext


# -- The language that the environment of a process asks for, as it calls it.

# The first of these that says something decides, as everywhere on POSIX.
_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")


def environment_tag(environment: Mapping[str, str] = os.environ) -> str:
    """The tag of the locale for messages, such as ``zh_CN.UTF-8``; empty where none is set."""
    return next((environment[name] for name in _VARIABLES if environment.get(name)), "")
