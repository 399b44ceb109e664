"""Sessions of coding agents: detecting and reading the transcripts of known programs.

Owns the list of readers. A transcript is recognised by its content, whatever its name.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from msgls.conversation.conversation import Conversation
from msgls.conversation.parts import json_value
from msgls.conversation.readers import aider, claude_code, codex, gemini_cli, opencode
from msgls.conversation.readers.drafts import Places
from msgls.conversation.readers.transcripts import (
    AgentFiles,
    LinePlaces,
    Records,
    Transcript,
    conversation_of,
    no_files,
    records_of,
)
from msgls.text.phrases import Phrase

CLAUDE_CODE = "claude-code"
CODEX = "codex"
GEMINI_CLI = "gemini-cli"
OPENCODE = "opencode"
AIDER = "aider"


class Program(NamedTuple):
    """A program that writes transcripts."""

    name: str
    writes: Phrase
    """What it writes, for error messages."""
    reader: type[Transcript]


PROGRAMS: Mapping[str, Program] = {
    CLAUDE_CODE: Program("Claude Code", Phrase("a session of Claude Code"), claude_code.ClaudeCode),
    CODEX: Program("Codex", Phrase("a rollout of Codex"), codex.Codex),
    GEMINI_CLI: Program("Gemini CLI", Phrase("a chat of Gemini CLI"), gemini_cli.GeminiCli),
    OPENCODE: Program("opencode", Phrase("an export of opencode"), opencode.OpenCode),
    AIDER: Program("aider", Phrase("a history of aider"), aider.Aider),
}
KINDS = tuple(PROGRAMS)
NAMES = {kind: program.name for kind, program in PROGRAMS.items()}
# As much is read to recognise a transcript.
_MOST_LINES = 20
_LONGEST_LINE = 4_000_000


def kind_of(text: str) -> str | None:
    """The program that wrote a transcript; ``None`` if the text is not one."""
    if aider.is_history(text):
        return AIDER
    start = text.removeprefix("\ufeff").lstrip(" \t\r\n")
    if start[:1] not in ("{", "["):
        return None
    for record in _first_records(start):
        kind = kind_of_record(record)
        if kind is not None:
            return kind
    return None


def _first_records(text: str) -> Iterator[object]:
    """The records of the first lines, or the value if the whole text is one."""
    at = 0
    for _ in range(_MOST_LINES):
        end = text.find("\n", at, at + _LONGEST_LINE)
        line = text[at : end if end >= 0 else at + _LONGEST_LINE]
        value = json_value(line)
        if isinstance(value, dict | list):
            yield value
        elif at == 0:
            # The first line of a value that extends over several lines.
            yield json_value(text)
            return
        if end < 0:
            return
        at = end + 1


def kind_of_record(record: object) -> str | None:
    """The program that writes records, or values, of this shape."""
    if opencode.is_export(record):
        return OPENCODE
    if gemini_cli.is_record(record) or gemini_cli.is_saved(record):
        return GEMINI_CLI
    if codex.is_record(record):
        return CODEX
    return CLAUDE_CODE if claude_code.is_record(record) else None


def reader_of(
    kind: str, records: Records | None = None, agent_files: AgentFiles = no_files
) -> Transcript:
    """A reader of records. If it is given all of them, it knows the abandoned branches."""
    reader = PROGRAMS[kind].reader
    return reader(agent_files) if records is None else reader.planned(records, agent_files)


def read(text: str, kind: str) -> Iterator[tuple[Transcript, Conversation]]:
    """The sessions in a text with their conversations: one, except in aider's history."""
    if kind == AIDER:
        for session in aider.sessions_of(text):
            history = aider.Aider()
            drafts = history.read(session)
            if drafts:
                yield history, conversation_of(history, drafts, LinePlaces(text))
        return
    records = records_of(text)
    reader = reader_of(kind, records)
    drafts = [draft for line, record in records for draft in reader.feed(record, line)]
    if not drafts:
        return
    if kind == OPENCODE:
        yield reader, conversation_of(reader, drafts, Places(text), ("messages",))
    else:
        yield reader, conversation_of(reader, drafts, LinePlaces(text))
