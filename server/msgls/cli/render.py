"""``msgls render``: a conversation as one page of HTML, for reading and sharing."""

import argparse
import os
from pathlib import Path

from msgls.cli import redacting
from msgls.cli.exits import FAILED, OK, UsageProblem, note
from msgls.cli.opening import Opened, open_one
from msgls.cli.streams import add_output, write_out
from msgls.document.document import Document
from msgls.host.folders import put_text
from msgls.text.phrases import Phrase, about


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add = parser.add_argument
    file = Phrase("a message file, or a folder of ChatBuilder messages")
    add("file", metavar="FILE", help=file)
    add_output(parser, Phrase("the output file; default: standard output"), "PATH")
    everything = Phrase("also show what the model does not see, each marked as hidden")
    add("--all", dest="everything", action="store_true", help=everything)
    redacting.add_arguments(parser)
    add("--force", action="store_true", help=Phrase("replace the page if it already exists"))


def run(options: argparse.Namespace) -> int:
    """Write the page."""
    source = Path(options.file)
    target = None if options.output is None else Path(options.output)
    if target is not None:
        _check(source, target, options.force)
    hiding = redacting.Redacting(options)
    documents, failed = _documents(source, hiding)
    # Imported late: it loads Markdown and the models of messages.
    from msgls.conversation.writers.page.entries import entries_of, seen
    from msgls.conversation.writers.page.page import page_of, page_title

    name = source.resolve().name
    title = name if source.is_dir() else page_title(name, documents)
    entries = entries_of(documents)
    shown = entries if options.everything else seen(entries)
    text = page_of(title, shown)
    count = len(entries) - len(shown)
    if count:
        what = Phrase("{count} messages that the model does not see are left out", count=count)
        if count == 1:
            what = Phrase("1 message that the model does not see is left out")
        note(about(options.file, Phrase("{what}; --all shows them", what=what)))
    hiding.tell()
    if target is None:
        write_out(text)
    else:
        put_text(target, text)
    return FAILED if failed else OK


def _documents(source: Path, hiding: redacting.Redacting) -> tuple[list[Document], bool]:
    """The document, or those of a folder in the order of their numbers."""
    if not source.is_dir():
        return [open_one(str(source), hiding.text).document], False
    files = Opened([str(source)], hiding.text)
    found = [
        (number, snapshot.document)
        for path, snapshot in files
        if path.parent == source
        and (number := snapshot.document.format.number(str(path))) is not None
    ]
    if not found:
        raise UsageProblem(about(source, Phrase("there is no ChatBuilder message in the folder")))
    return [document for _, document in sorted(found, key=lambda pair: pair[0])], files.failed


def _check(source: Path, target: Path, force: bool) -> None:
    if not os.path.lexists(target):
        return
    if target.exists() and source.exists() and target.samefile(source):
        raise UsageProblem(about(target, Phrase("this is the input file")))
    if not force:
        raise UsageProblem(about(target, Phrase("it already exists; --force replaces it")))
