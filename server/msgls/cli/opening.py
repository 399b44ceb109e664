"""Opening files, for commands that read documents."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from msgls.cli.exits import UsageProblem, note, problems_of
from msgls.cli.speaking import choose
from msgls.document.document import Document
from msgls.document.snapshot import Settings, Snapshot
from msgls.features.forking import cell_with_id, ids_of
from msgls.formats.base import Format, Placed
from msgls.formats.plain import PLAIN
from msgls.formats.registry import number_of
from msgls.host.discovery import Discovery
from msgls.host.files import FileProblem, find_files, format_of, read_text
from msgls.host.opening import open_snapshot
from msgls.rules.settings import SettingsError, did_you_mean
from msgls.text.phrases import Phrase, about


def settings_for(discovery: Discovery, path: Path) -> Settings:
    """The settings for a file; its ``locale`` becomes the language of the command line."""
    found = discovery.configuration(path)
    choose("auto" if found is None else found.source.values.get("locale", "auto"))
    try:
        return discovery.settings(path)
    except SettingsError as error:
        raise UsageProblem(*error.problems) from None


def opened(discovery: Discovery, path: Path, text: str, format: Format | None = None) -> Snapshot:
    """A text as the content of a file, with its settings and surroundings."""
    settings, surroundings = settings_for(discovery, path), discovery.surroundings(path)
    return open_snapshot(str(path.absolute()), text, settings, surroundings, format)


Change = Callable[[str, str], str]
"""From a file name and a text to the text that is opened, for example without secrets."""


def as_it_is(file: str, text: str) -> str:
    """The text of a file, unchanged."""
    return text


class Opened:
    """The message files at paths; a file that cannot be read is reported, and sets ``failed``."""

    def __init__(self, paths: Sequence[str], change: Change = as_it_is) -> None:
        self._paths = paths
        self._change = change
        self._discovery = Discovery(note)
        self.failed = False

    def _complain(self, message: str) -> None:
        self.failed = True
        note(message)

    def __iter__(self) -> Iterator[tuple[Path, Snapshot]]:
        for path in find_files(self._paths, self._complain):
            if format_of(path) is None:
                continue
            try:
                text = read_text(path)
            except FileProblem as problem:
                self._complain(about(path, problem.phrase))
                continue
            yield path, opened(self._discovery, path, self._change(str(path), text))


class Part(NamedTuple):
    """A file of a conversation."""

    file: str
    snapshot: Snapshot

    @property
    def document(self) -> Document:
        """The text of the file."""
        return self.snapshot.document


Opener = Callable[[str, Change], Snapshot]


def open_conversation(
    name: str, change: Change = as_it_is, opener: Opener | None = None
) -> list[Part]:
    """The one file that a command is about, or the ChatBuilder messages of a folder in order."""
    if not Path(name).is_dir():
        return [Part(name, (opener or open_one)(name, change))]
    numbered = [
        (number, path)
        for path in Path(name).iterdir()
        if (number := number_of(path.name)) is not None
        and (format := format_of(path)) is not None
        and format.number(path.name) is not None
    ]
    if not numbered:
        what = Phrase("this folder has no conversation: it contains no `1.md` with a header")
        raise UsageProblem(about(name, what))
    files = [str(path) for _, path in sorted(numbered)]
    return [Part(file, open_one(file, change)) for file in files]


def open_one(name: str, change: Change = as_it_is) -> Snapshot:
    """The one file that a command is about, in one of our formats."""
    snapshot = open_any(name, change)
    if snapshot.document.format is PLAIN:
        raise not_ours(name)
    return snapshot


def cell_named(name: str, document: Document, cell_id: str) -> Placed:
    """The cell with that id in a file."""
    found = cell_with_id(document, cell_id)
    if found is None:
        guess = did_you_mean(cell_id, ids_of(document), Phrase("`msgls outline` lists them"))
        what = Phrase("there is no cell `{id}`{guess}", id=cell_id, guess=guess)
        raise UsageProblem(about(name, what))
    return found


def not_ours(name: str) -> UsageProblem:
    """The error for a file that is not a message file."""
    what = Phrase(
        "this is not a message file: its name must end in .msg.md, or its "
        "frontmatter must have `message_section`"
    )
    return UsageProblem(about(name, what))


def open_any(name: str, change: Change = as_it_is) -> Snapshot:
    """The one file that a command is about, in any format."""
    path = Path(name)
    with problems_of(name):
        text = read_text(path)
    return opened(Discovery(note), path, change(name, text))
