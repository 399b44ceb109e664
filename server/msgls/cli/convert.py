"""``msgls convert``: a conversation from one format to another.

Owns the way from file names to conversations, and from those to files. Losses go to standard error,
each with its place in the source.
"""

import argparse
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from msgls.cli import redacting
from msgls.cli.exits import FOUND, OK, UsageProblem, note, problems_of, tell
from msgls.cli.opening import opened
from msgls.cli.streams import STDIN, add_output, add_stdin_filename, read_in, write_out
from msgls.conversation.conversation import Loss
from msgls.conversation.output_files import with_output_files
from msgls.conversation.requests import NO_MODEL, has_no_model
from msgls.conversation.sources import KINDS, OUR_KINDS, FileLine, Incoming, read, read_folder
from msgls.conversation.targets import ENDINGS, NOTEBOOK, REQUESTS, SHARED, Output, write
from msgls.document.document import Document
from msgls.formats.base import Format
from msgls.formats.registry import number_of
from msgls.host.discovery import Discovery
from msgls.host.files import file_problems, find_files, format_of, read_text
from msgls.host.folders import put_text, write_folder
from msgls.host.runners import read_output
from msgls.text.phrases import Phrase, about, as_phrase, joined

_CHATBUILDER = "chatbuilder"
_SOURCE_ENDINGS = (*ENDINGS.values(), ".messages.jsonl", ".deltas.jsonl", ".session.jsonl")
_NOT_IN_NAMES = re.compile(r"[^\w.-]+")
_LONGEST_NAME = 60
_MOST_NAMED = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add = parser.add_argument
    add("inputs", nargs="+", metavar="IN", help=Phrase("files and folders; - is standard input"))
    add_stdin_filename(parser)
    add(
        "--from",
        dest="kind",
        choices=KINDS,
        metavar="FORMAT",
        help=Phrase(
            "the format of the input, if its name and content do not show it: {formats}",
            formats=joined(KINDS),
        ),
    )
    add(
        "--to",
        dest="target",
        required=True,
        choices=tuple(ENDINGS),
        metavar="FORMAT",
        help=Phrase("the output format: {formats}", formats=joined(ENDINGS)),
    )
    output = Phrase("the output file, or a folder for several files; default: standard output")
    add_output(parser, output)
    add("--model", metavar="NAME", help=Phrase("the model that a request names"))
    everything = Phrase(
        "also write what the model does not see, even if the target cannot mark it as hidden"
    )
    add("--all", dest="everything", action="store_true", help=everything)
    redacting.add_arguments(parser)
    add("--force", action="store_true", help=Phrase("overwrite existing files"))
    strict = Phrase("if something would be lost, write nothing and exit with 1")
    add("--strict", action="store_true", help=strict)


class _Conversion(NamedTuple):
    incoming: Incoming
    written: Output


def run(options: argparse.Namespace) -> int:
    """Convert everything that is named."""
    if STDIN in options.inputs and len(options.inputs) > 1:
        raise UsageProblem(Phrase("standard input (-) cannot be mixed with other inputs"))
    if options.stdin_filename is not None and STDIN not in options.inputs:
        raise UsageProblem(Phrase("--stdin-filename can only be used with standard input (-)"))
    if options.everything and options.target in REQUESTS:
        what = Phrase(
            "a request contains only what the model sees: --all cannot be used with {targets}",
            targets=joined(REQUESTS),
        )
        raise UsageProblem(what)
    hiding = redacting.Redacting(options, is_shared=options.target in SHARED)
    incoming = list(_Reading(options, hiding).incoming())
    if not incoming:
        raise UsageProblem(Phrase("no conversation was found"))
    conversions = [_Conversion(one, _written(one, options)) for one in incoming]
    # Before losses are reported: they do not matter if nothing can be written.
    plan = _plan(conversions, options)
    is_lossy = _report_losses(conversions)
    hiding.tell()
    if is_lossy and options.strict:
        note(Phrase("nothing is written: something would be lost (--strict)"))
        return FOUND
    _write_output(plan, options)
    return OK


def _written(incoming: Incoming, options: argparse.Namespace) -> Output:
    if options.target == NOTEBOOK and incoming.document is not None:
        path = Path(incoming.file).absolute()
        whole = with_output_files(incoming.conversation, partial(read_output, path))
        incoming = incoming._replace(conversation=whole)
    written = write(incoming, options.target, options.model, options.everything)
    if options.target in REQUESTS and has_no_model(written.text):
        what = Phrase(
            "no model is named: `{model}` is used; choose one with --model", model=NO_MODEL
        )
        note(about(incoming.file, what))
    return written


def _report_losses(conversions: Iterable[_Conversion]) -> bool:
    found = False
    for incoming, written in conversions:
        placed = [(incoming.place_of(loss), loss) for loss in written.losses]
        for place, loss in sorted(placed, key=_in_order):
            found = True
            where = place.file if place.line is None else f"{place.file}:{place.line + 1}"
            what = Phrase("lost: {what}", what=as_phrase(loss.what))
            if place.line is None and loss.message_index is not None:
                number = str(loss.message_index + 1)
                what = Phrase("message {number}: {lost}", number=number, lost=what)
            tell(about(where, what))
    return found


def _in_order(placed: tuple[FileLine, Loss]) -> tuple[str, int]:
    place, _ = placed
    return place.file, -1 if place.line is None else place.line


# -- reading --------------------------------------------------------------------------------


class _Reading:
    """Reads the inputs."""

    def __init__(self, options: argparse.Namespace, hiding: redacting.Redacting) -> None:
        self.options = options
        self.hiding = hiding
        self.discovery = Discovery(note)

    def incoming(self) -> Iterator[Incoming]:
        if self.options.inputs == [STDIN]:
            yield from self._standard_input()
            return
        problems: list[str] = []
        folders: dict[Path, list[Path]] = {}
        order: list[Path] = []
        for path in find_files(self.options.inputs, problems.append):
            place = path.parent if self._is_one_of_many(path) else path
            if place not in folders:
                order.append(place)
            folders.setdefault(place, []).append(path)
        if problems:
            raise UsageProblem(*problems)
        for place in order:
            files = folders[place]
            if place != files[0] and len(files) > 1:
                yield self._folder(place, files)
            elif self._is_wanted(files[0]):
                yield from self._file(files[0])

    def _format_of(self, path: Path) -> Format | None:
        kind = self.options.kind
        return format_of(path) if kind is None else OUR_KINDS.get(kind)

    def _is_one_of_many(self, path: Path) -> bool:
        """Whether a file is one of the messages of a folder."""
        format = self._format_of(path)
        return format is not None and format.number(path.name) is not None

    def _is_wanted(self, path: Path) -> bool:
        """Whether a file is converted: if it was named itself, or if its format is known."""
        return str(path) in map(str, map(Path, self.options.inputs)) or format_of(path) is not None

    def _standard_input(self) -> list[Incoming]:
        name = self.options.stdin_filename or "<stdin>"
        path = "" if name == "<stdin>" else str(Path(name).absolute())
        return self._read(name, self.hiding.text(name, read_in(name)), path)

    def _file(self, path: Path) -> list[Incoming]:
        return self._read(str(path), self._text_of(path), str(path.absolute()))

    def _read(self, file: str, text: str, path: str) -> list[Incoming]:
        with problems_of(file):
            return read(file, text, self.options.kind, self._open, path)

    def _folder(self, folder: Path, files: Sequence[Path]) -> Incoming:
        format = self._format_of(files[0])
        documents = [
            (str(path), self._open(str(path.absolute()), self._text_of(path), format))
            for path in files
        ]
        return read_folder(str(folder), documents)

    def _text_of(self, path: Path) -> str:
        with problems_of(path):
            return self.hiding.text(str(path), read_text(path))

    def _open(self, path: str, text: str, format: Format | None) -> Document:
        return opened(self.discovery, Path(path), text, format).document


# -- writing --------------------------------------------------------------------------------


class _Planned(NamedTuple):
    """A conversation, and the path to write it to; ``None`` is standard output."""

    path: Path | None
    written: Output
    stale: Sequence[str] = ()
    """Messages already in the folder that would become part of the new conversation."""


def _plan(conversions: Sequence[_Conversion], options: argparse.Namespace) -> list[_Planned]:
    """What to write to each file or folder. Raises if something is in the way."""
    if options.output is None:
        written = conversions[0].written
        if len(conversions) > 1:
            count = len(conversions)
            what = Phrase("{count} conversations need a folder: use -o", count=count)
            raise UsageProblem(what)
        if written.files is not None:
            count = len(written.files)
            raise UsageProblem(Phrase("{count} messages need a folder: use -o", count=count))
        return [_Planned(None, written)]
    named = _named(conversions, Path(options.output), options.target)
    for path, written in named:
        if written.files is not None and os.path.lexists(path) and not path.is_dir():
            what = Phrase("this is not a folder, and several messages need one")
            raise UsageProblem(about(path, what))
    plan = [_Planned(path, written, _stale(path, written)) for path, written in named]
    if not options.force:
        _refuse_existing(plan)
    return plan


def _write_output(plan: Sequence[_Planned], options: argparse.Namespace) -> None:
    if len(plan) > 1:
        with file_problems(options.output):
            Path(options.output).mkdir(parents=True, exist_ok=True)
    for path, written, stale in plan:
        if path is None:
            write_out(written.text)
        elif written.files is None:
            put_text(path, written.text)
        else:
            write_folder(path, written.files, stale)


def _named(
    conversions: Sequence[_Conversion], output: Path, target: str
) -> list[tuple[Path, Output]]:
    if len(conversions) == 1:
        incoming, written = conversions[0]
        if written.files is None and output.is_dir():
            name = "1" if target == _CHATBUILDER else _stem(incoming)
            output /= f"{name}{ENDINGS[target]}"
        return [(output, written)]
    taken: set[str] = set()
    named = []
    for incoming, written in conversions:
        stem = first = _stem(incoming)
        number = 2
        while stem.casefold() in taken:
            stem = f"{first}-{number}"
            number += 1
        taken.add(stem.casefold())
        ending = "" if written.files is not None else ENDINGS[target]
        named.append((output / f"{stem}{ending}", written))
    return named


def _stem(incoming: Incoming) -> str:
    """A file name without extension: from the title of a conversation, else from its file."""
    name = incoming.title
    if not name:
        name = Path(incoming.file).name.replace("<stdin>", "")
        ending = next((end for end in _SOURCE_ENDINGS if name.lower().endswith(end)), "")
        name = name[: -len(ending)] if ending else Path(name).stem
    return _NOT_IN_NAMES.sub("-", name)[:_LONGEST_NAME].strip("-.") or "conversation"


def _stale(path: Path, written: Output) -> list[str]:
    if written.files is None or not path.is_dir():
        return []
    names = sorted(entry.name for entry in path.iterdir())
    return [n for n in names if number_of(n) is not None and n not in written.files]


def _refuse_existing(plan: Sequence[_Planned]) -> None:
    found: list[Path] = []
    for path, written, stale in plan:
        if path is None:
            continue
        names = [path] if written.files is None else [path / name for name in written.files]
        found += [name for name in names if os.path.lexists(name)]
        found += [path / name for name in stale]
    if found:
        what = Phrase("it already exists; --force overwrites it")
        lines = [about(path, what) for path in found[:_MOST_NAMED]]
        more = len(found) - _MOST_NAMED
        if more > 0:
            lines.append(Phrase("and {count} more", count=more))
        raise UsageProblem(*lines)
