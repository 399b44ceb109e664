"""What can be said of a rule or of an agent's attribute, in words, in files of every format."""

from __future__ import annotations

from collections.abc import Iterator

from msgls.features.markup import Code, Link, Part, Strong, Written, item, paragraph
from msgls.rules.documentation import page_of
from msgls.rules.registry import BY_CODE

_AGENT_ATTRIBUTES = {
    "models": "The models that the agent may use, the preferred one first.",
    "context_window": "How many tokens the model takes in, its answer included.",
    "max_output_tokens": "How many tokens an answer has at most.",
    "reasoning": "Whether the model reasons before it answers.",
    "use_temperature": "Whether a temperature is sent at all.",
    "temperature": "How freely the model chooses its words.",
    "system_prompt": "What the model is told before everything else.",
}


def agent_attribute_parts(key: str) -> Iterator[Part]:
    """What an attribute of an agent means; nothing for an unknown one."""
    from msgls.model.agents import expected_value

    if key in _AGENT_ATTRIBUTES:
        yield paragraph(Strong("Agent attribute"), " ", Code(key))
        yield paragraph(_AGENT_ATTRIBUTES[key])
        yield item(f"Value: {expected_value(key)}")


def rule_parts(code: str) -> Iterator[Part]:
    """What a rule looks for; nothing for a code that no rule has."""
    rule = BY_CODE.get(code)
    if rule is None:
        return
    page = page_of(rule)
    yield paragraph(Strong(f"{rule.code}: {rule.name}"), f" · {rule.severity.label}")
    yield Written(page.summary)
    for heading in ("What it does", "Why it matters"):
        if heading in page.sections:
            yield Written(page.sections[heading])
    yield paragraph(Link("All about this rule", page.url))
