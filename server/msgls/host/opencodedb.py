"""Reads sessions of opencode from its database, which newer versions use.

Owns the queries. The database is opened read-only; sessions have the form in which
``opencode export`` writes them.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from msgls.conversation.parts import Wire, dict_of, json_value
from msgls.host.files import FileProblem
from msgls.text.phrases import Phrase

_MAGIC = b"SQLite format 3\0"
_PATIENCE_SECONDS = 5.0


def is_database(path: Path) -> bool:
    """Whether a file is an SQLite database."""
    try:
        with path.open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


def listed(path: Path) -> list[tuple[str, float]]:
    """The ids of sessions started by a person, with the time of the last change in seconds.

    Empty if the database cannot be read.
    """
    query = 'SELECT "id", "time_updated" FROM "session" WHERE "parent_id" IS NULL'
    try:
        return [(str(row[0]), float(row[1] or 0) / 1000) for row in _rows(path, query)]
    except (FileProblem, TypeError, ValueError):
        return []


def sessions_of(path: Path, begins: str = "", is_child: bool = False) -> Iterator[tuple[str, Wire]]:
    """The sessions whose id begins with ``begins``, each as it would be exported."""
    query = (
        'SELECT * FROM "session" WHERE SUBSTR("id", 1, ?) = ? AND ("parent_id" IS NOT NULL) = ? '
        'ORDER BY "time_created", "id"'
    )
    for row in _rows(path, query, len(begins), begins, is_child):
        info = dict(row)
        info["time"] = {"created": info.get("time_created"), "updated": info.get("time_updated")}
        info["revert"] = _value(info.get("revert"))
        yield str(info["id"]), {"info": info, "messages": _messages(path, str(info["id"]))}


def _messages(path: Path, session: str) -> list[Wire]:
    parts: dict[str, list[Wire]] = {}
    query = 'SELECT * FROM "part" WHERE "session_id" = ? ORDER BY "id"'
    for row in _rows(path, query, session):
        own = {**dict_of(_value(row["data"])), "id": row["id"]}
        parts.setdefault(str(row["message_id"]), []).append(own)
    query = 'SELECT * FROM "message" WHERE "session_id" = ? ORDER BY "time_created", "id"'
    return [
        {
            "info": {**dict_of(_value(row["data"])), "id": row["id"]},
            "parts": parts.get(str(row["id"]), []),
        }
        for row in _rows(path, query, session)
    ]


def _value(text: object) -> object:
    return json_value(text) if isinstance(text, str) else None


def _rows(path: Path, query: str, *values: Any) -> list[sqlite3.Row]:
    try:
        address = f"{path.absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, timeout=_PATIENCE_SECONDS, uri=True)) as database:
            database.row_factory = sqlite3.Row
            return database.execute(query, values).fetchall()
    except sqlite3.Error as error:
        what = Phrase("the database cannot be read: {error}", error=str(error))
        raise FileProblem(what) from None
