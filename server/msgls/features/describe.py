"""Descriptions of rules and of an agent's attributes, for files of every format."""

from __future__ import annotations

from collections.abc import Iterator

from msgls.features.markup import Code, Link, Part, Strong, Written, item, paragraph
from msgls.formats.agents import expected_value
from msgls.rules.base import Rule
from msgls.rules.documentation import page_of
from msgls.rules.registry import BY_CODE
from msgls.text.phrases import Phrase, as_phrase

_AGENT_ATTRIBUTES = {
    "models": Phrase("The models that the agent may use, the preferred one first."),
    "context_window": Phrase(
        "The number of tokens that the model can process, including its answer."
    ),
    "max_output_tokens": Phrase("The maximum number of tokens in an answer."),
    "reasoning": Phrase("Whether the model reasons before it answers."),
    "use_temperature": Phrase("Whether a temperature is sent at all."),
    "temperature": Phrase("How freely the model chooses its words."),
    "system_prompt": Phrase("The instructions that the model gets before everything else."),
}


def agent_attribute_parts(key: str) -> Iterator[Part]:
    """The description of an attribute of an agent; empty if it is unknown."""
    if key in _AGENT_ATTRIBUTES:
        yield paragraph(Strong(Phrase("Agent attribute")), " ", Code(key))
        yield paragraph(_AGENT_ATTRIBUTES[key])
        yield item(Phrase("Value: "), as_phrase(expected_value(key)))


def rule_parts(named: str) -> Iterator[Part]:
    """The description of a rule, by its code or name; or a note that the rule is unknown."""
    rule = BY_CODE.get(named.upper()) or _rule_called(named.lower())
    if rule is None:
        silent = Phrase(": this has no effect.")
        yield paragraph(Phrase("There is no rule "), Code(named), silent)
        return
    page = page_of(rule)
    severity = as_phrase(rule.severity.label)
    yield paragraph(Strong(f"{rule.code}: {rule.name}"), " · ", severity)
    yield Written(page.summary)
    for heading in ("What it does", "Why it matters"):
        if heading in page.sections:
            yield Written(page.sections[heading])
    yield paragraph(Link(Phrase("All about this rule"), page.url))


def _rule_called(name: str) -> Rule | None:
    return next((rule for rule in BY_CODE.values() if rule.name == name), None)
