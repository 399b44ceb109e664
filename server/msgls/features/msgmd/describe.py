"""What can be said of a cell, an agent, an attribute or a type of a message file, in words.

Owns those texts, for hovers and for the documentation of completions alike. Everything
quoted from the file goes through ``markup``, which keeps it from coming to life.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from msgls.document.document import Document
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
from msgls.formats.base import Placed
from msgls.formats.msgmd.attributes import CELLS, MESSAGES, OUTPUTS, AttributeSpec, ValueKind
from msgls.formats.msgmd.frontmatter import parse_agent_block
from msgls.formats.msgmd.history import Sight, last_reset, plain_content, seen_text, sight_of
from msgls.formats.msgmd.meaning import (
    MESSAGE_TYPES,
    TOOL,
    CellRole,
    Meaning,
    frontmatter_of,
    is_language,
    meaning_of,
)
from msgls.formats.msgmd.section import section_order
from msgls.model.tokens import estimate_tokens

MOST_CHILDREN = 5
MOST_PREVIEW_LINES = 8
MOST_PREVIEW_CHARACTERS = 600
_MOST_PROMPT_CHARACTERS = 300

ROLE_NAMES = {
    CellRole.PREAMBLE: "Preamble",
    CellRole.MESSAGE: "Message",
    CellRole.CODE: "Code cell",
    CellRole.ANSWER: "Answer",
    CellRole.CALL: "Tool call",
    CellRole.RESULT: "Tool result",
    CellRole.RUN: "Execution output",
}

_SIGHTS = {
    Sight.SEEN: "The model sees this cell.",
    Sight.SUMMARY: "The model sees only a summary of this cell.",
    Sight.EXCLUDED: "The model does not see this cell, because of ",
    Sight.VIRTUAL: "The model does not see this cell: it is virtual, for people only.",
    Sight.BEFORE_RESET: "The model does not see this cell: a later cell resets the context.",
    Sight.OUTSIDE: "The model does not see this cell: it stands before the recorded section.",
}

_VALUE_KINDS = {
    ValueKind.TEXT: "any text",
    ValueKind.TIME: "a time",
    ValueKind.DURATION: "a duration",
    ValueKind.MIME_TYPE: "a MIME type",
    ValueKind.PATH: "a path relative to this file",
}

_TYPES = {
    "markdown": "a message in Markdown",
    "code": "code to run: the first fenced block is the code, the rest is reasoning",
    "raw": "a message that is taken as it stands",
    TOOL: "a tool call `id.nonce`, or a result `id.nonce.n` of one",
}

_FRONTMATTER_KEYS = {
    "agents": "The agents that may answer in this file, by name.",
    "default_agent": "The agent that answers unless another one is named; else the first one is.",
    "message_section": "The heading below which this file records a conversation; "
    "true stands for “Discussion”.",
}
FRONTMATTER_KEYS = tuple(_FRONTMATTER_KEYS)

_NONCE = (
    "The nonce ties results to their call: every result of this call has it too. "
    "It is random, so that no model can make up a result for a call that it never made."
)


# ---------------------------------------------------------------------------
# Cells


def cell_parts(document: Document, placed: Placed, others: Collection[str]) -> Iterator[Part]:
    """What a cell is, what it hangs together with, and what the model gets of it."""
    meaning = meaning_of(document, placed, others)
    yield paragraph(*_headline(meaning))
    yield from _links(document, meaning, others)
    yield from _sight(document, meaning)
    if meaning.definition is None and placed.cell.id:
        yield item("It has no definition yet.")


def preview_parts(document: Document, placed: Placed, others: Collection[str]) -> Iterator[Part]:
    """A cell in short, as seen from elsewhere."""
    meaning = meaning_of(document, placed, others)
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
    yield Strong(ROLE_NAMES[meaning.role])
    if meaning.cell.id:
        yield " "
        yield Code(meaning.cell.id)
    if meaning.cell.title:
        yield f" “{meaning.cell.title}”"
    name = meaning.value("name")
    if meaning.role is CellRole.ANSWER and meaning.type:
        yield " by "
        yield Code(meaning.type)
    elif meaning.role is CellRole.CALL and name:
        yield " of "
        yield Code(name)
    elif meaning.role is CellRole.RUN and meaning.type:
        yield f", {meaning.type}"
    elif meaning.role is CellRole.MESSAGE and meaning.value("definition") == "agent" and name:
        yield ", defines the agent "
        yield Code(name)
    for key in ("status", "duration", "time"):
        value = meaning.value(key)
        if value:
            yield f" · {value}"


def _links(document: Document, meaning: Meaning, others: Collection[str]) -> Iterator[Part]:
    parent_id = meaning.parent_id
    if parent_id is not None:
        found = document.entries("header", parent_id)
        if found:
            parent = meaning_of(document, document.cell(found[0].order), others)
            yield item("Belongs to ", *_named(parent))
        else:
            yield item("Belongs to ", Code(parent_id), ", which is not in this file")
    children = [] if not meaning.cell.id else document.entries("child", meaning.cell.id)
    if children:
        shown = [document.cell(entry.order) for entry in children[:MOST_CHILDREN]]
        names: list[Run] = [Code(placed.cell.id or "") for placed in shown]
        more = len(children) - len(shown)
        tail: list[Run] = [f" and {more} more"] if more else []
        what = _children_name(meaning.role, len(children))
        yield item(f"Has {len(children)} {what}: ", *joined(names), *tail)


def _named(meaning: Meaning) -> list[Run]:
    runs: list[Run] = [f"{ROLE_NAMES[meaning.role].lower()} ", Code(meaning.cell.id or "")]
    if meaning.cell.title:
        runs.append(f" “{meaning.cell.title}”")
    return runs


def _children_name(role: CellRole, count: int) -> str:
    names = {CellRole.ANSWER: "tool call", CellRole.CALL: "result", CellRole.CODE: "run"}
    name = names.get(role, "child" if count == 1 else "children")
    return name if count == 1 or name == "children" else name + "s"


def _sight(document: Document, meaning: Meaning) -> Iterator[Item]:
    sight = sight_of(meaning, last_reset(document), section_order(document))
    if sight not in _SIGHTS:
        return
    history = meaning.value("history")
    if sight is Sight.EXCLUDED and history is not None:
        yield item(_SIGHTS[sight], Code(f"history={history}"), ".")
    else:
        yield item(_SIGHTS[sight])
    seen = estimate_tokens(seen_text(meaning, sight))
    if sight is Sight.SEEN:
        yield item(f"About {_tokens(seen)}.")
    else:
        whole = estimate_tokens(plain_content(meaning))
        yield item(f"About {_tokens(whole)}, of which the model sees {seen}.")


def _tokens(count: int) -> str:
    return f"{count:,} token" + ("" if count == 1 else "s")


def nonce_parts(document: Document, call_id: str, others: Collection[str]) -> Iterator[Part]:
    """What a nonce is for, and which call it belongs to."""
    yield paragraph(Strong("Nonce"), " ", Code(call_id.rpartition(".")[2]))
    yield paragraph(_NONCE)
    headers = document.entries("header", call_id)
    if not headers:
        yield item("No call in this file has it.")
        return
    call = meaning_of(document, document.cell(headers[0].order), others)
    yield item(*_headline(call))
    count = len(document.entries("child", call_id))
    yield item(f"It has {count} {_children_name(CellRole.CALL, count)}.")


# ---------------------------------------------------------------------------
# Agents


def agent_parts(document: Document, name: str, others: Collection[str]) -> Iterator[Part]:
    """The card of an agent; nothing for a name that nobody registered."""
    frontmatter = frontmatter_of(document)
    registered = registrations(document, name)
    if not registered:
        owners = agents_with_model(document, name)
        if owners:
            yield paragraph(Strong("Model"), " ", Code(name))
            yield item("A model of ", *joined(map(Code, owners)))
        elif name in others:
            yield paragraph(Strong("Agent"), " ", Code(name))
            yield item("Registered in ", Code("agents.json"), ".")
        return
    is_default = frontmatter is not None and frontmatter.default_agent_name == name
    runs: list[Run] = [", the default one"] if is_default else []
    yield paragraph(Strong("Agent"), " ", Code(name), *runs)
    prompt = ""
    for entry, placed, _ in registered:
        if entry is not None:
            yield item("Registered in the frontmatter.")
            values = entry.values
        elif placed is not None:
            yield item("Defined by the cell ", Code(placed.cell.id or ""), ".")
            block = placed.cell.agent_block
            if block is None:
                continue
            values = parse_agent_block(block.of(placed.cell.text)).values
        else:
            continue
        yield from _setting_items(values.model_dump(exclude_defaults=True))
        prompt = values.system_prompt or prompt
    if prompt:
        yield Block(_shortened(prompt, _MOST_PROMPT_CHARACTERS), "markdown")


def _setting_items(settings: dict[str, object]) -> Iterator[Part]:
    for key, value in settings.items():
        if key == "models" and isinstance(value, tuple):
            yield item("models: ", *joined(Code(str(model)) for model in value))
        elif key != "system_prompt":
            said = str(value).lower() if isinstance(value, bool) else str(value)
            yield item(f"{key.replace('_', ' ')}: {said}")


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most].rstrip(" \t\r\n") + "…"


def frontmatter_key_parts(key: str) -> Iterator[Part]:
    """What a key of the frontmatter means; nothing for one that is somebody else's."""
    if key in _FRONTMATTER_KEYS:
        yield paragraph(Strong("Frontmatter"), " ", Code(key))
        yield paragraph(_FRONTMATTER_KEYS[key])


# ---------------------------------------------------------------------------
# Definitions


def attribute_parts(spec: AttributeSpec, role: CellRole | None = None) -> Iterator[Part]:
    """What an attribute means and may be, and whether it means anything on that cell."""
    yield paragraph(Strong("Attribute"), " ", Code(spec.key))
    description = spec.description
    yield Written(description[0].upper() + description[1:] + ".")
    if spec.values:
        values = [*spec.values, *spec.read_as]
        yield item("Values: ", *joined(map(Code, values)))
    else:
        yield item(f"Value: {_VALUE_KINDS.get(spec.kind, 'any text')}")
    if spec.default is not None:
        yield item("Default: ", Code(spec.default))
    yield item(f"On: {_roles(spec)}")
    if role is not None and role is not CellRole.PREAMBLE and role not in spec.roles:
        yield paragraph(f"On this cell ({ROLE_NAMES[role].lower()}) it means nothing.")


def _roles(spec: AttributeSpec) -> str:
    for roles, name in ((CELLS, "every cell"), (MESSAGES, "messages"), (OUTPUTS, "outputs")):
        if spec.roles == roles:
            return name
    names = [ROLE_NAMES[role].lower() for role in CellRole if role in spec.roles]
    required = [role for role in CellRole if role in spec.required_on]
    needed = ", ".join(ROLE_NAMES[role].lower() for role in required)
    return ", ".join(names) + (f" (required on: {needed})" if needed else "")


def type_parts(document: Document, name: str, others: Collection[str]) -> Iterator[Part]:
    """What a type says of its cell."""
    if name in _TYPES:
        yield paragraph(Strong("Type"), " ", Code(name))
        yield Written(_TYPES[name][0].upper() + _TYPES[name][1:] + ".")
        return
    found = list(agent_parts(document, name, others))
    if found:
        yield from found
    elif is_language(name):
        yield paragraph(Strong("Type"), " ", Code(name))
        yield paragraph("The output of running a code cell in this language.")
    elif name not in MESSAGE_TYPES:
        yield paragraph(Strong("Agent"), " ", Code(name))
        yield item("Nobody registered it in this file.")
