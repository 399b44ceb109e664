"""Every rule there is: those that the ``every.py`` of each format imports; no other one runs.

Rules come by format, and only those of formats that are looked at are loaded: a message
file does not pay for the rules of JSON. ``RULES``, ``BY_CODE`` and ``BY_NAME`` load all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from msgls.rules.base import Rule
from msgls.rules.scope import Scope
from msgls.text.phrases import Phrase
from msgls.text.translation import ENGLISH, say, template_in

if TYPE_CHECKING:
    RULES: Sequence[Rule]
    BY_CODE: Mapping[str, Rule]
    BY_NAME: Mapping[str, Sequence[Rule]]


class Ruleset(NamedTuple):
    """The rules of a format."""

    prefix: str
    """How their codes begin."""
    title: str
    """What its files are called, above the rules in their list."""
    load: Callable[[], Sequence[Rule]]
    scope: Callable[[], Scope] = Scope
    """What the format adds to the checker."""


def _msgmd() -> Sequence[Rule]:
    from msgls.rules.msgmd.every import RULES

    return RULES


def _message_file() -> Scope:
    from msgls.rules.msgmd.scope import MessageFileScope

    return MessageFileScope()


def _chatbuilder() -> Sequence[Rule]:
    from msgls.rules.chatbuilder.every import RULES

    return RULES


def _stf() -> Sequence[Rule]:
    from msgls.rules.stf.every import RULES

    return RULES


def _msgjson() -> Sequence[Rule]:
    from msgls.rules.msgjson.every import RULES

    return RULES


def _agentsjson() -> Sequence[Rule]:
    from msgls.rules.agentsjson.every import RULES

    return RULES


RULESETS: dict[str, Ruleset] = {
    "msgmd": Ruleset("MSG", "Message files", _msgmd, _message_file),
    "chatbuilder": Ruleset("CBM", "ChatBuilder messages", _chatbuilder),
    "stf": Ruleset("STF", "Simple Text Format", _stf),
    "msgjson": Ruleset("DLT", "Messages and deltas in JSON", _msgjson),
    "agentsjson": Ruleset("BOOT", "Boot messages", _agentsjson),
}
"""The rules of each format, by the format's name, in the order in which they are listed."""


@cache
def rules_of(format: str) -> Sequence[Rule]:
    """The rules of a format, by its name."""
    ruleset = RULESETS.get(format)
    if ruleset is None:
        return ()
    from msgls.rules.everywhere.every import RULES

    return (*ruleset.load(), *RULES)


@cache
def scope_of(format: str) -> Scope:
    """What a format adds to the checker, by its name."""
    ruleset = RULESETS.get(format)
    return Scope() if ruleset is None else ruleset.scope()


def rule(code: str) -> Rule:
    """The rule with that code. Raises ``KeyError``."""
    format = next((name for name, of in RULESETS.items() if code.startswith(of.prefix)), "")
    return _by_code(format)[code]


def rule_text(code: str, key: str, args: Mapping[str, str], language: str = ENGLISH) -> str:
    """A text of a rule in ``language``, with its arguments."""
    template = template_in(Phrase(rule(code).texts[key]), language)
    return template.format_map({name: say(value, language) for name, value in args.items()})


@cache
def _by_code(format: str) -> Mapping[str, Rule]:
    return {rule.code: rule for rule in rules_of(format)}


@cache
def _all(name: str) -> Any:
    found = [rule for format in RULESETS for rule in rules_of(format)]
    # One that looks at every format is listed once.
    rules = tuple(dict.fromkeys(found))
    if name == "RULES":
        return rules
    if name == "BY_CODE":
        return MappingProxyType({rule.code: rule for rule in rules})
    # The same thing may be wrong in several formats, and is called the same then.
    by_name: dict[str, list[Rule]] = {}
    for rule in rules:
        by_name.setdefault(rule.name, []).append(rule)
    return MappingProxyType(by_name)


def __getattr__(name: str) -> Any:
    if name in ("RULES", "BY_CODE", "BY_NAME"):
        return _all(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
