"""Descriptions of the cells, agents, attributes and types of a message file.

Owns these texts, for hovers and for the documentation of completions. Everything quoted from the
file goes through ``markup``, which escapes it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from msgls.conversation.cell_visibility import horizon_of, plain_content, seen_text, sight_of
from msgls.conversation.visibility import Sight
from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features.counting import counted, plural
from msgls.features.markup import (
    Block,
    Code,
    Item,
    Part,
    Run,
    Strong,
    Written,
    item,
    joined,
    paragraph,
)
from msgls.features.msgmd.naming import agents_with_model, registrations
from msgls.formats.agents import AgentSettings
from msgls.formats.base import CellRole, Meaning, Placed
from msgls.formats.msgmd.agents import block_settings
from msgls.formats.msgmd.attributes import CELLS, MESSAGES, OUTPUTS, AttributeSpec, ValueKind
from msgls.formats.msgmd.meaning import MESSAGE_TYPES, TOOL, frontmatter_of, is_language, meaning_of
from msgls.syntax.ids import CellId
from msgls.text.lines import shorten
from msgls.text.phrases import Phrase
from msgls.text.phrases import joined as phrases_joined

MOST_CHILDREN = 5
MOST_PREVIEW_LINES = 8
MOST_PREVIEW_CHARACTERS = 600
_MOST_PROMPT_CHARACTERS = 300

_ROLE_NAMES = {
    CellRole.PREAMBLE: Phrase("Preamble"),
    CellRole.MESSAGE: Phrase("Message"),
    CellRole.CODE: Phrase("Code cell"),
    CellRole.ANSWER: Phrase("Answer"),
    CellRole.CALL: Phrase("Tool call"),
    CellRole.RESULT: Phrase("Tool result"),
    CellRole.RUN: Phrase("Execution output"),
}
# The same, within a sentence.
_ROLE_WORDS = {
    CellRole.PREAMBLE: Phrase("preamble"),
    CellRole.MESSAGE: Phrase("message"),
    CellRole.CODE: Phrase("code cell"),
    CellRole.ANSWER: Phrase("answer"),
    CellRole.CALL: Phrase("tool call"),
    CellRole.RESULT: Phrase("tool result"),
    CellRole.RUN: Phrase("execution output"),
}

_SIGHTS = {
    Sight.SEEN: Phrase("The model sees this cell."),
    Sight.SUMMARY: Phrase("The model sees only a summary of this cell."),
    Sight.VIRTUAL: Phrase("The model does not see this cell: it is virtual, for people only."),
    Sight.BEFORE_RESET: Phrase(
        "The model does not see this cell: a later cell resets the context."
    ),
    Sight.OUTSIDE: Phrase("The model does not see this cell: it is outside the recorded section."),
    Sight.OWNER_HIDDEN: Phrase("The model does not see this cell: it belongs to a hidden cell."),
}

_VALUE_KINDS = {
    ValueKind.TEXT: Phrase("any text"),
    ValueKind.TIME: Phrase("a time"),
    ValueKind.DURATION: Phrase("a duration"),
    ValueKind.MIME_TYPE: Phrase("a MIME type"),
    ValueKind.PATH: Phrase("a path relative to this file"),
}

_TYPES = {
    "markdown": Phrase("A message in Markdown."),
    "code": Phrase("Code to run: the first fenced block is the code, the rest is reasoning."),
    "raw": Phrase("A message that is sent verbatim."),
    TOOL: Phrase("A tool call `id.nonce`, or a result `id.nonce.n` of one."),
}

_FRONTMATTER_KEYS = {
    "agents": Phrase("The agents that may answer in this file, by name."),
    "default_agent": Phrase(
        "The agent that answers unless another one is named; else the first one is."
    ),
    "message_section": Phrase(
        "The heading below which this file records a conversation; true stands for “Discussion”."
    ),
}
FRONTMATTER_KEYS = tuple(_FRONTMATTER_KEYS)

_SETTINGS = {
    "models": Phrase("models"),
    "context_window": Phrase("context window"),
    "max_output_tokens": Phrase("max output tokens"),
    "reasoning": Phrase("reasoning"),
    "use_temperature": Phrase("use temperature"),
    "temperature": Phrase("temperature"),
}

_NONCE = Phrase(
    "The nonce ties results to their call: every result of this call has it too. "
    "It is random, so that no model can make up a result for a call that it never made."
)


# ---------------------------------------------------------------------------
# Cells


def cell_parts(snapshot: Snapshot, placed: Placed) -> Iterator[Part]:
    """What a cell is, which cells it belongs to, and how much of it the model sees."""
    document = snapshot.document
    meaning = snapshot.meaning(placed)
    yield paragraph(*_headline(meaning))
    yield from _links(document, meaning)
    yield from _sight(snapshot, meaning)
    if meaning.definition is None and placed.cell.id:
        yield item(Phrase("It has no definition yet."))


def preview_parts(document: Document, placed: Placed) -> Iterator[Part]:
    """A short description of a cell, with the start of its content."""
    meaning = meaning_of(document, placed)
    yield paragraph(*_headline(meaning))
    text = preview(meaning)
    if text:
        yield Block(text, "markdown")


def preview(meaning: Meaning) -> str:
    """The first lines of a cell's content."""
    content = plain_content(meaning)
    text = content[:MOST_PREVIEW_CHARACTERS].replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")[:MOST_PREVIEW_LINES]
    short = "\n".join(lines).rstrip(" \t\n")
    return short + ("\n…" if len(short) < len(content.replace("\r\n", "\n")) and short else "")


def _headline(meaning: Meaning) -> Iterator[Run]:
    yield Strong(_ROLE_NAMES[meaning.role])
    if meaning.cell.id:
        yield " "
        yield Code(meaning.cell.id)
    if meaning.cell.title:
        yield f" “{meaning.cell.title}”"
    name = meaning.value("name")
    if meaning.role is CellRole.ANSWER and meaning.type:
        yield Phrase(" by `{agent}`", agent=meaning.type)
    elif meaning.role is CellRole.CALL and name:
        yield Phrase(" of `{tool}`", tool=name)
    elif meaning.role is CellRole.RUN and meaning.type:
        yield Phrase(", {language}", language=meaning.type)
    elif meaning.role is CellRole.MESSAGE and meaning.value("definition") == "agent" and name:
        yield Phrase(", defines the agent `{name}`", name=name)
    for key in ("status", "duration", "time"):
        value = meaning.value(key)
        if value:
            yield f" · {value}"


def _links(document: Document, meaning: Meaning) -> Iterator[Part]:
    parent_id = meaning.parent_id
    if parent_id is not None:
        found = document.entries("header", parent_id)
        if found:
            parent = meaning_of(document, document.cell(found[0].label))
            yield item(*_belongs_to(parent))
        else:
            yield item(Phrase("Belongs to `{id}`, which is not in this file", id=parent_id))
    children = [] if not meaning.cell.id else document.entries("child", meaning.cell.id)
    if children:
        shown = [document.cell(entry.label) for entry in children[:MOST_CHILDREN]]
        names: list[Run] = [Code(placed.cell.id or "") for placed in shown]
        more = len(children) - len(shown)
        tail: list[Run] = [Phrase(" and {count} more", count=more)] if more else []
        what = _children(meaning.role, len(children))
        yield item(Phrase("Has {children}: ", children=what), *joined(names), *tail)


def _belongs_to(parent: Meaning) -> Iterator[Run]:
    role = _ROLE_WORDS[parent.role]
    yield Phrase("Belongs to {role} `{id}`", role=role, id=parent.cell.id or "")
    if parent.cell.title:
        yield f" “{parent.cell.title}”"


def _children(role: CellRole, count: int) -> Phrase:
    """A number of child cells, named after the role of their parent."""
    if role is CellRole.ANSWER:
        return counted(count, "tool call")
    if role is CellRole.CALL:
        return counted(count, "result")
    if role is CellRole.CODE:
        return counted(count, "run")
    return plural(count, Phrase("1 child"), Phrase("{count:,} children"))


def _sight(snapshot: Snapshot, meaning: Meaning) -> Iterator[Item]:
    document, counter = snapshot.document, snapshot.tokens
    sight = sight_of(document, meaning, horizon_of(document))
    if sight is Sight.EXCLUDED:
        value = meaning.mark("history") or ""
        yield item(
            Phrase("The model does not see this cell, because of `history={value}`.", value=value)
        )
    elif sight in _SIGHTS:
        yield item(_SIGHTS[sight])
    else:
        return
    seen = counter.count(seen_text(meaning, sight))
    if sight is Sight.SEEN:
        yield item(Phrase("About {tokens}.", tokens=counted(seen, "token")))
    else:
        whole = counted(counter.count(plain_content(meaning)), "token")
        yield item(
            Phrase("About {tokens}, of which the model sees {seen}.", tokens=whole, seen=seen)
        )


def nonce_parts(document: Document, call_id: str) -> Iterator[Part]:
    """What a nonce is for, and which call it belongs to."""
    yield paragraph(Strong(Phrase("Nonce")), " ", Code(CellId(call_id).last))
    yield paragraph(_NONCE)
    headers = document.entries("header", call_id)
    if not headers:
        yield item(Phrase("No call in this file has it."))
        return
    call = meaning_of(document, document.cell(headers[0].label))
    yield item(*_headline(call))
    count = len(document.entries("child", call_id))
    yield item(Phrase("It has {results}.", results=counted(count, "result")))


# ---------------------------------------------------------------------------
# Agents


def agent_parts(document: Document, name: str) -> Iterator[Part]:
    """The description of an agent; empty if it is not registered."""
    frontmatter = frontmatter_of(document)
    registered = registrations(document, name)
    if not registered:
        owners = agents_with_model(document, name)
        if owners:
            yield paragraph(Strong(Phrase("Model")), " ", Code(name))
            yield item(Phrase("A model of "), *joined(map(Code, owners)))
        elif name in document.agents_around:
            yield paragraph(Strong(Phrase("Agent")), " ", Code(name))
            yield item(Phrase("Registered in `agents.json`."))
        return
    is_default = frontmatter is not None and frontmatter.default_agent_name == name
    runs: list[Run] = [Phrase(", the default one")] if is_default else []
    yield paragraph(Strong(Phrase("Agent")), " ", Code(name), *runs)
    prompt = ""
    for entry, placed, _ in registered:
        if entry is not None:
            yield item(Phrase("Registered in the frontmatter."))
            values = entry.values
        elif placed is not None:
            yield item(Phrase("Defined by the cell `{id}`.", id=placed.cell.id or ""))
            values = block_settings(placed)
        else:
            continue
        yield from _setting_items(values)
        prompt = values.system_prompt or prompt
    if prompt:
        yield Block(shorten(prompt, _MOST_PROMPT_CHARACTERS), "markdown")


def _setting_items(settings: AgentSettings) -> Iterator[Part]:
    """The settings of an agent that differ from the defaults."""
    for key, value in settings._asdict().items():
        if value == AgentSettings._field_defaults[key]:
            continue
        if key == "models":
            yield item(_SETTINGS[key], Phrase(": "), *joined(Code(str(model)) for model in value))
        elif key != "system_prompt":
            said = str(value).lower() if isinstance(value, bool) else str(value)
            yield item(_SETTINGS[key], Phrase(": {words}", words=said))


def frontmatter_key_parts(key: str) -> Iterator[Part]:
    """The description of a key of the frontmatter; empty if it is unknown."""
    if key in _FRONTMATTER_KEYS:
        yield paragraph(Strong(Phrase("Frontmatter")), " ", Code(key))
        yield paragraph(_FRONTMATTER_KEYS[key])


# ---------------------------------------------------------------------------
# Definitions


def attribute_parts(spec: AttributeSpec, role: CellRole | None = None) -> Iterator[Part]:
    """The meaning and the values of an attribute, and whether it has an effect on that cell."""
    yield paragraph(Strong(Phrase("Attribute")), " ", Code(spec.key))
    yield Written(spec.description)
    if spec.values:
        values = [*spec.values, *spec.read_as]
        yield item(Phrase("Values: "), *joined(map(Code, values)))
    else:
        yield item(Phrase("Value: "), _VALUE_KINDS.get(spec.kind, _VALUE_KINDS[ValueKind.TEXT]))
    if spec.default is not None:
        yield item(Phrase("Default: "), Code(spec.default))
    yield item(Phrase("On: "), _roles(spec))
    if role is not None and role is not CellRole.PREAMBLE and role not in spec.roles:
        yield paragraph(Phrase("It has no effect on this cell ({role}).", role=_ROLE_WORDS[role]))


def _roles(spec: AttributeSpec) -> Phrase:
    if spec.roles == CELLS:
        return Phrase("every cell")
    if spec.roles == MESSAGES:
        return Phrase("messages")
    if spec.roles == OUTPUTS:
        return Phrase("outputs")
    roles = _listed(spec.roles)
    if not spec.required_on:
        return roles
    needed = _listed(spec.required_on)
    return Phrase("{roles} (required on: {needed})", roles=roles, needed=needed)


def _listed(roles: Collection[CellRole]) -> Phrase:
    return phrases_joined([_ROLE_WORDS[role] for role in CellRole if role in roles])


def type_parts(document: Document, name: str) -> Iterator[Part]:
    """The description of a cell type."""
    if name in _TYPES:
        yield paragraph(Strong(Phrase("Type")), " ", Code(name))
        yield Written(_TYPES[name])
        return
    found = list(agent_parts(document, name))
    if found:
        yield from found
    elif is_language(name):
        yield paragraph(Strong(Phrase("Type")), " ", Code(name))
        yield paragraph(Phrase("The output of running a code cell in this language."))
    elif name not in MESSAGE_TYPES:
        yield paragraph(Strong(Phrase("Agent")), " ", Code(name))
        yield item(Phrase("It is not registered in this file."))
