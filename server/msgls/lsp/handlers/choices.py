"""``msgls/choices`` and ``msgls/newFile``: questions to the user, and the start of a new file.

``msgls/choices`` takes ``{command, argument}`` and returns the next question, or null if the
command can be run with that argument. The answer is the ``value`` of a choice; with ``isTyped``, it
is what the user types. ``msgls/newFile`` takes ``{folder?}`` and returns the start of a
conversation there.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features.choices import next_question
from msgls.features.command_table import INSERT_BOOT
from msgls.features.commands import Call, CellChange, RefusedError, run
from msgls.features.snippets import literal
from msgls.lsp.handlers.commands import call_of
from msgls.lsp.invalidation import path_of
from msgls.lsp.params import RequestError, invalid, name_in, uri_in
from msgls.lsp.session import Session
from msgls.text.phrases import Phrase

_NEW_FILE = "new.msg.md"


def choices(session: Session, params: Mapping[str, Any]) -> dict[str, Any] | None:
    """The next question."""
    command, argument = name_in(params, "command") or "", params.get("argument")
    if not isinstance(argument, Mapping):
        raise invalid(Phrase("a command takes one object as its argument"))
    opened = session.get(uri_in(argument))
    say = session.speaker(opened)
    try:
        question = next_question(command, call_of(session, opened, command, argument))
    except RefusedError as refusal:
        raise RequestError(say(refusal.phrase)) from refusal
    if question is None:
        return None
    return {
        "name": question.name,
        "title": say(question.title),
        "prompt": None if question.prompt is None else say(question.prompt),
        "isOptional": question.is_optional,
        "choices": [
            {
                "value": value,
                "label": say(label),
                "description": say(description),
                "detail": say(detail),
                "isTyped": is_typed,
            }
            for value, label, description, detail, is_typed in question.choices
        ],
    }


def new_file(session: Session, params: Mapping[str, Any]) -> dict[str, str]:
    """The language of a new file, and its text as a snippet."""
    folder = path_of(name_in(params, "folder") or "")
    place = None if folder is None else folder / _NEW_FILE
    document, beginning = Document.open(_NEW_FILE, ""), ""
    settings = session.configured.settings(place)
    if place is not None and settings.insert != "never":
        now = datetime.now().astimezone()
        snapshot = Snapshot(document, session.surroundings(str(place)), settings, now)
        try:
            change = run(INSERT_BOOT.id, Call(snapshot, 0, {}))
        except RefusedError:
            # No agent has a boot message here, so the user begins.
            change = CellChange(())
        beginning = document.apply(change.edits).text if change.edits else ""
    say = session.say_to_all
    title, message = literal(say(Phrase("title"))), literal(say(Phrase("your message")))
    cell = f"# %% ${{1:{title}}}[^m1]\n\n[^m1]: [markdown]\n\n${{0:{message}}}\n"
    start = literal(f"{beginning}\n") if beginning else ""
    return {"languageId": document.format.language_id, "snippet": start + cell}
