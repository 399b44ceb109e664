"""Transcripts on this machine: finding, reading and importing them.

Owns the usual locations, reading of files that are still being written, the files of
sub-agents, and the message file that a session is imported into. Files that a transcript names
are only looked up in the folders of its program.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path
from typing import IO, NamedTuple

from msgls.conversation.parts import dict_of, json_value, text_of
from msgls.conversation.readers import aider, sessions
from msgls.conversation.readers.transcripts import AgentFile, Draft, Records, Transcript, records_of
from msgls.conversation.writers.transcript import CellFile, CellWriter, head_of, updated
from msgls.host import opencodedb
from msgls.host.files import (
    FileProblem,
    Stamp,
    check_regular,
    digest_of,
    file_problems,
    read_text,
    stamp_of,
    write_pieces,
)
from msgls.text.phrases import Phrase, about

_SIMPLE = re.compile(r"[A-Za-z0-9_-]{1,100}")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_HEAD = 2_000_000
_BLOCK = 1 << 20
_AIDER = ".aider.chat.history.md"

Progress = Callable[[int], None]
"""Called with the number of bytes that were read."""
Stamps = dict[Path, Stamp | None]
"""The states of files when they were read."""


class Found(NamedTuple):
    """A transcript in one of the usual locations."""

    kind: str
    path: Path
    changed: float
    """Its modification time, in seconds since 1970."""
    session: str = ""
    """The start of the session's id, to choose one of several sessions."""
    end: int | None = None
    """How many bytes are read; ``None`` for all."""


class Session(NamedTuple):
    """One session of a transcript, ready to be read."""

    id: str
    reader: Transcript
    drafts: Iterator[Draft]
    files: AgentFolder


# -- finding --------------------------------------------------------------------------------


def find_transcripts(
    environment: dict[str, str], folder: Path, complain: Callable[[Path, OSError], None]
) -> list[Found]:
    """The transcripts in the usual locations, newest first."""
    home = Path(environment.get("HOME") or environment.get("USERPROFILE") or Path.home())
    claude = Path(environment.get("CLAUDE_CONFIG_DIR") or home / ".claude") / "projects"
    codex = Path(environment.get("CODEX_HOME") or home / ".codex")
    data = Path(environment.get("XDG_DATA_HOME") or home / ".local" / "share")
    found: list[Found] = []

    def look(kind: str, root: Path, is_one: Callable[[Path], bool]) -> None:
        for path in _files_below(root, complain):
            if is_one(path):
                with suppress(OSError, FileProblem):
                    check_regular(path)
                    found.append(Found(kind, path, path.stat().st_mtime))

    look(sessions.CLAUDE_CODE, claude, _is_claude_session)
    for place in (codex / "sessions", codex / "archived_sessions"):
        look(sessions.CODEX, place, lambda path: path.name.startswith("rollout-"))
    look(sessions.GEMINI_CLI, home / ".gemini" / "tmp", _is_gemini_chat)
    look(sessions.OPENCODE, data / "opencode" / "storage" / "session", _is_json)
    for database in sorted((data / "opencode").glob("opencode*.db")):
        for session, changed in opencodedb.listed(database):
            found.append(Found(sessions.OPENCODE, database, changed, session))
    for place in (folder, *folder.parents):
        history = place / _AIDER
        with suppress(OSError):
            found.append(Found(sessions.AIDER, history, history.stat().st_mtime))
    return sorted(found, key=lambda one: (-one.changed, str(one.path)))


def _is_claude_session(path: Path) -> bool:
    is_agent = path.name.startswith("agent-") or path.parent.name == "subagents"
    return path.suffix == ".jsonl" and not is_agent


def _is_gemini_chat(path: Path) -> bool:
    is_chat = path.parent.name == "chats" and path.name.startswith("session-")
    return is_chat and path.suffix in (".json", ".jsonl")


def _is_json(path: Path) -> bool:
    return path.suffix == ".json"


def _files_below(root: Path, complain: Callable[[Path, OSError], None]) -> Iterator[Path]:
    """The files below a folder, without following links; none if the folder does not exist."""

    def failed(error: OSError) -> None:
        if not isinstance(error, FileNotFoundError):
            complain(Path(error.filename or root), error)

    for folder, folders, files in os.walk(root, onerror=failed):
        folders.sort()
        for name in sorted(files):
            yield Path(folder, name)


# -- reading --------------------------------------------------------------------------------


def kind_of_file(path: Path) -> str | None:
    """The program that wrote a transcript, by its content."""
    with file_problems():
        check_regular(path)
        with path.open("rb") as file:
            head = file.read(_HEAD)
    if opencodedb.is_database(path):
        return sessions.OPENCODE
    text = head.decode("utf-8", "replace")
    kind = sessions.kind_of(text)
    if kind is None and len(head) == _HEAD:
        # It may be a single value that is longer than the head.
        kind = sessions.kind_of(read_text(path))
    if kind is None and _stored_session(path) is not None:
        kind = sessions.OPENCODE
    return kind


def read_sessions(
    one: Found, progress: Progress = lambda count: None, is_planned: bool = True
) -> list[Session]:
    """The chosen sessions of a file: one, except for aider's history.

    Unless ``is_planned``, abandoned branches are not detected, and the file is read only once.
    """
    path, kind = one.path, one.kind
    if kind == sessions.AIDER:
        text = read_text(path)
        progress(2 * len(text.encode()))
        found = []
        for session in aider.sessions_of(text):
            history = aider.Aider()
            drafts = history.read(session)
            if drafts and history.about.session.startswith(one.session):
                history.about.project = str(path.absolute().parent)
                files = AgentFolder(path, kind)
                found.append(Session(history.about.session, history, iter(drafts), files))
        return found
    records: Records = Lines(path, progress, one.end)
    if opencodedb.is_database(path):
        stored = opencodedb.sessions_of(path, one.session)
        return [
            _session(one, [(0, export)], is_planned=False, session_id=session_id)
            for session_id, export in stored
        ]
    return [_session(one, records, is_planned, _session_id(path, kind))]


def _session(one: Found, records: Records, is_planned: bool, session_id: str) -> Session:
    files = AgentFolder(one.path, one.kind)
    reader = sessions.reader_of(one.kind, records if is_planned else None, files)
    if one.kind == sessions.CLAUDE_CODE:
        reader.about.session = session_id
    _read_project(reader, one.path, one.kind)
    return Session(session_id, reader, _fed(reader, records), files)


def grows_by_line(one: Found) -> bool:
    """Whether a transcript is appended to, line by line, instead of being rewritten."""
    try:
        with one.path.open("rb") as file:
            first = json_value(file.readline().decode("utf-8", "replace"))
    except OSError:
        return False
    return isinstance(first, dict) and not isinstance(first.get("messages"), list)


def end_of_lines(path: Path) -> int:
    """The offset of the end of the last complete line of a file."""
    with suppress(OSError), path.open("rb") as file:
        end = file.seek(0, os.SEEK_END)
        while end:
            start = max(0, end - _BLOCK)
            file.seek(start)
            found = file.read(end - start).rfind(b"\n")
            if found >= 0:
                return start + found + 1
            end = start
    return 0


def stamps_of(one: Found) -> Stamps:
    """The stamps of a transcript's files, which change when it is written."""
    paths = (one.path, one.path.with_name(one.path.name + "-wal"))
    return {path: stamp_of(path) for path in paths}


def _fed(reader: Transcript, records: Records) -> Iterator[Draft]:
    """The drafts of records."""
    for line, record in records:
        yield from reader.feed(record, line)


def _session_id(path: Path, kind: str) -> str:
    """The id of a session: from the name of its file, or from one of its first records."""
    if kind == sessions.CLAUDE_CODE and _UUID.fullmatch(path.stem):
        # The records are not reliable: a continued session begins with those of the earlier one.
        return path.stem
    reader = sessions.reader_of(kind)
    for line, record in Lines(path):
        reader.feed(record, line)
        if reader.about.session:
            break
    return reader.about.session


class Lines:
    """The records of a file; each iteration reads it again, line by line."""

    def __init__(
        self, path: Path, progress: Progress = lambda count: None, end: int | None = None
    ) -> None:
        self.path = path
        self._progress = progress
        self._end = end

    def __iter__(self) -> Iterator[tuple[int, object]]:
        stored = _stored_session(self.path)
        if stored is not None:
            yield 0, stored
            return
        with file_problems():
            check_regular(self.path)
            with self.path.open("rb") as file:
                yield from self._records(file)

    def _records(self, file: IO[bytes]) -> Iterator[tuple[int, object]]:
        first = file.readline()
        file.seek(0)
        if not _is_whole(first):
            yield from records_of(file.read().decode("utf-8", "replace"))
            return
        done = 0
        for number, line in enumerate(file):
            done += len(line)
            if self._end is not None and done > self._end:
                return
            self._progress(len(line))
            text = line.decode("utf-8", "replace")
            if text.strip() and text.endswith("\n"):
                yield number, json_value(text)
            elif text.strip():
                # The last line has no line break: it is used if it is complete.
                yield from [(number, value) for _, value in records_of(text)]


def _is_whole(line: bytes) -> bool:
    """Whether a line is a record, and not the first line of a longer value."""
    return isinstance(json_value(line.decode("utf-8", "replace")), dict | list)


def _read_project(reader: Transcript, path: Path, kind: str) -> None:
    if kind == sessions.GEMINI_CLI:
        with suppress(FileProblem):
            reader.about.project = read_text(path.parent.parent / ".project_root").strip()


# -- writing --------------------------------------------------------------------------------


def write_import(target: Path, kind: str, session: Session, merge: bool) -> int:
    """Write a session into ``target``; returns the number of its drafts.

    An existing file is replaced, or updated if ``merge``. If the session only continues the file,
    it is appended to, so that an editor that has the file open sees it grow.
    """
    if not target.parent.is_dir():
        raise FileProblem(about(target.parent, Phrase("there is no such folder")))
    with cells_of(session, target.parent) as (body, count):
        about_session = session.reader.about
        with file_problems(target):
            head = head_of(kind, about_session)
            _put(target, head, body, about_session.models, merge)
    return count


@contextmanager
def cells_of(session: Session, folder: Path | None = None) -> Iterator[tuple[IO[bytes], int]]:
    """The cells of a session in a temporary file, and the number of drafts."""
    cells = CellWriter(session.reader.ids)
    count = 0
    with tempfile.TemporaryFile(dir=folder) as body:
        for draft in session.drafts:
            body.write(cells.cells(draft).encode("utf-8"))
            count += 1
        body.seek(0)
        yield body, count


def _put(target: Path, head: str, body: IO[bytes], agents: Iterable[str], merge: bool) -> None:
    data = head.encode("utf-8")
    if not os.path.lexists(target):
        with target.open("xb") as file:
            file.write(data)
            shutil.copyfileobj(body, file)
    elif not merge:
        write_pieces(target, chain([data], _blocks(body)), instead_of=None)
    elif _continues(target, data, body):
        append(target, body)
    else:
        _update(target, head, body, agents)


def _continues(target: Path, head: bytes, body: IO[bytes]) -> bool:
    """Whether a text begins with a file's content; ``body`` is then positioned after it."""
    with target.open("rb") as file:
        if file.read(len(head)) != head:
            return False
        return all(body.read(len(block)) == block for block in _blocks(file))


def _update(target: Path, head: str, body: IO[bytes], agents: Iterable[str]) -> None:
    with target.open("rb") as old, tempfile.TemporaryFile(dir=target.parent) as made:
        before = digest_of(target)
        try:
            for piece in updated(CellFile(old), head, CellFile(body), agents):
                made.write(piece.encode("utf-8"))
        except UnicodeDecodeError:
            read_text(target)  # Raises an error that names the invalid byte.
            raise
        made.seek(0)
        if _continues(target, b"", made):
            # A program that has the file open sees it grow.
            append(target, made)
        else:
            made.seek(0)
            write_pieces(target, _blocks(made), instead_of=before)


def _blocks(file: IO[bytes]) -> Iterator[bytes]:
    return iter(lambda: file.read(_BLOCK), b"")


def append(target: Path, rest: IO[bytes]) -> None:
    """Append the rest of a file to another."""
    with target.open("ab") as file:
        shutil.copyfileobj(rest, file, _BLOCK)


# -- sub-agents -----------------------------------------------------------------------------


class AgentFolder:
    """Finds the transcripts of a session's sub-agents.

    It records which files were read, with their stamps.
    """

    def __init__(self, path: Path, kind: str) -> None:
        self._path = path
        self._kind = kind
        self.stamps: Stamps = {}

    def __call__(self, agent_id: str) -> AgentFile | None:
        """The transcript of a sub-agent."""
        found = self._look(agent_id)
        if found is not None and isinstance(found.records, Lines):
            path = found.records.path
            self.stamps[path] = stamp_of(path)
        return found

    def _look(self, agent_id: str) -> AgentFile | None:
        path, kind = self._path, self._kind
        if kind == sessions.CODEX and agent_id.startswith("/"):
            return _codex_task(path, agent_id)
        if not _SIMPLE.fullmatch(agent_id):
            return None
        if kind == sessions.CLAUDE_CODE:
            return _claude_agent(path, agent_id)
        if kind == sessions.CODEX:
            return _codex_agent(path, agent_id)
        if kind == sessions.GEMINI_CLI:
            return _gemini_agent(path, agent_id)
        return _opencode_agent(path, agent_id) if kind == sessions.OPENCODE else None


def _claude_agent(path: Path, agent_id: str) -> AgentFile | None:
    name = f"agent-{agent_id}.jsonl"
    # The files of nested sub-agents are in the same folder.
    for folder in (path.with_suffix("") / "subagents", path.parent):
        file = folder / name
        if file != path and file.is_file():
            about = folder / f"agent-{agent_id}.meta.json"
            meta: object = None
            with suppress(FileProblem):
                meta = json_value(read_text(about))
            return AgentFile(text_of(dict_of(meta).get("agentType")), Lines(file))
    return None


def _codex_agent(path: Path, agent_id: str) -> AgentFile | None:
    for file in _codex_root(path).rglob(f"rollout-*{agent_id}.jsonl"):
        if file != path:
            return AgentFile("", Lines(file))
    return None


def _codex_task(path: Path, task: str) -> AgentFile | None:
    """The rollout of a sub-agent by the path of its task, which is in its first line."""
    session = path.stem[-36:]
    for file in sorted(_codex_root(path).rglob("rollout-*.jsonl")):
        if file.name <= path.name:
            continue
        _, first = next(iter(Lines(file)), (0, None))
        meta = dict_of(dict_of(first).get("payload"))
        owners = (meta.get("session_id"), meta.get("parent_thread_id"))
        if meta.get("agent_path") == task and session in owners:
            role = text_of(meta.get("agent_role")) or text_of(meta.get("agent_nickname"))
            return AgentFile(role, Lines(file))
    return None


def _codex_root(path: Path) -> Path:
    return next((above for above in path.parents if above.name == "sessions"), path.parent)


def _gemini_agent(path: Path, agent_id: str) -> AgentFile | None:
    """A sub-agent's chat, in a folder named after the session."""
    for file in sorted(path.parent.glob(f"*/{agent_id}.jsonl")):
        return AgentFile("", Lines(file))
    return None


# -- opencode stores each message and each part in a file of its own -------------------------


def _stored_session(path: Path) -> object:
    """A session from the folders of opencode, in the form of an export."""
    storage = path.parent.parent.parent
    if (
        path.suffix != ".json"
        or path.parent.parent.name != "session"
        or not (storage / "message").is_dir()
    ):
        return None
    info = _json(path)
    session_id = text_of(dict_of(info).get("id"))
    if not _SIMPLE.fullmatch(session_id):
        return None
    messages = []
    for file in _listing(storage / "message" / session_id):
        message = _json(file)
        parts = [_json(part) for part in _listing(storage / "part" / file.stem)]
        messages.append({"info": message, "parts": parts})
    return {"info": info, "messages": messages}


def _opencode_agent(path: Path, session_id: str) -> AgentFile | None:
    if opencodedb.is_database(path):
        exports = opencodedb.sessions_of(path, session_id, is_child=True)
        return next((AgentFile("", [(0, export)]) for _, export in exports), None)
    file = path.parent / f"{session_id}.json"
    stored = _stored_session(file) if file != path and file.is_file() else None
    return None if stored is None else AgentFile("", [(0, stored)])


def _listing(folder: Path) -> Iterable[Path]:
    with suppress(OSError):
        return sorted(file for file in folder.iterdir() if file.suffix == ".json")
    return ()


def _json(path: Path) -> object:
    try:
        return json_value(read_text(path))
    except FileProblem:
        return None
