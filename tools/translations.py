"""Keeps the translations in step with the sources.

``python tools/translations.py`` adds new texts to each catalogue, without a translation, and
removes those that are gone. With ``--check`` it changes nothing, and fails if something is
missing, left over, or different in its arguments or its code.

Babel finds the templates of phrases in the sources. Texts of rules, their pages and the
descriptions of models and settings are not calls that it could find: they are read from the
objects themselves.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from string import Formatter
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
# Run as a script, only this folder would be looked into.
sys.path.insert(0, str(ROOT))

from msgls.features.msgjson.shapes import fields_of, meaning_of, models  # noqa: E402
from msgls.formats.agentsjson.boot import agents_json_schema  # noqa: E402
from msgls.formats.base import CellRole  # noqa: E402
from msgls.formats.msgjson.records import Shape  # noqa: E402
from msgls.rules.documentation import page_of  # noqa: E402
from msgls.rules.registry import RULES  # noqa: E402
from msgls.rules.settings import OPTIONS  # noqa: E402
from msgls.text.phrases import Phrase  # noqa: E402
from tools.compile_catalogue import LOCALES  # noqa: E402

CHINESE = ROOT / LOCALES / "zh_CN/LC_MESSAGES/msgls.po"

# What makes a phrase of its first argument.
KEYWORDS = dict.fromkeys(
    (
        *("Phrase", "PhrasedError", "CannotAppend", "FileProblem", "InvalidArgument"),
        *("RefusedError", "ProviderProblem", "RenameRefused", "RunnerProblem", "Unreadable"),
    )
)

# Messages of the system and of libraries that are passed on to users.
FOREIGN = (
    # errno
    *("no such file or directory", "permission denied", "operation not permitted"),
    *("is a directory", "not a directory", "directory not empty", "file exists"),
    *("file name too long", "read-only file system", "no space left on device"),
    *("disk quota exceeded", "too many levels of symbolic links", "too many open files"),
    *("input/output error", "invalid argument", "Permission denied"),
    *("No such file or directory", "Is a directory", "No space left on device"),
    *("Input/output error", "Address already in use", "Cannot assign requested address"),
    "Name or service not known",
    # tomllib
    *("Invalid statement", "Invalid value", "Invalid initial character for a key part"),
    *("Expected '=' after a key in a key/value pair", "Cannot overwrite a value"),
    *("Expected ']' at the end of a table declaration", "Unclosed array"),
    *("Expected ']]' at the end of an array declaration", "Unterminated string"),
    *("Expected newline or end of document after a statement", "Unclosed inline table"),
    *("Unescaped '\\' in a string", 'Expected "\'"'),
    # pydantic, and the validators of our models
    *("field required", "input should be an object", "input should be a list"),
    *("input should be a valid string", "input should be a valid integer"),
    *("input should be a valid number", "input should be a valid boolean"),
    *("input should be a valid list", "input should be a valid dictionary"),
    "input should be a list of message parts, an object or a string",
    *("input should be a number or an object", "extra inputs are not permitted"),
    "arguments may be missing only where rawArgsText is there",
    "an image needs data or url",
)


def sources() -> Iterator[str]:
    """Every English text that is translated; some of them more than once."""
    for _, _, text, _, _ in extract_from_dir(str(ROOT / "server/msgls"), keywords=KEYWORDS):
        yield text if isinstance(text, str) else text[0]
    for rule in RULES:
        yield from rule.texts.values()
        page = page_of(rule)
        for section in (page.summary, *page.sections.values()):
            yield from [part.msgid for part in _phrases_in(section)]
    for model in models().values():
        yield meaning_of(model)
        yield from [field.description for field in fields_of(model).values()]
    agents = agents_json_schema()
    yield from _descriptions(agents["$defs"])
    yield agents["properties"]["agents"]["description"]
    yield from [option.description for option in OPTIONS]
    yield from [role.value for role in CellRole]
    yield from [shape.value for shape in (Shape.MESSAGE, Shape.DELTA, Shape.ENTRY)]
    yield from FOREIGN


def _phrases_in(phrase: Phrase) -> Iterator[Phrase]:
    parts = [part for part in phrase.args.values() if isinstance(part, Phrase)]
    yield from parts if phrase.args else [phrase]


def _descriptions(definitions: Mapping[str, Any]) -> Iterator[str]:
    for definition in definitions.values():
        yield definition["description"]
        for member in definition["properties"].values():
            yield member.get("description", "")


def template() -> Catalog:
    """The texts as a catalogue without translations."""
    found = Catalog(domain="msgls", project="msgls")
    for text in sources():
        if text:
            found.add(text)
    return found


# -- checks -----------------------------------------------------------------------------------

_CODE = re.compile("`[^`]*`")
_MISSING = "no translation: "


def faults(catalogue: Catalog, expected: Catalog) -> Iterator[str]:
    """What is wrong with a catalogue."""
    for message in expected:
        if message.id and not (catalogue.get(message.id) or message).string:
            yield f"{_MISSING}{message.id}"
    for message in catalogue:
        if message.id and expected.get(message.id) is None:
            yield f"not in the sources any more: {message.id}"
        elif message.id and message.string:
            yield from _faults_of(message, catalogue)


def _faults_of(message: Message, catalogue: Catalog) -> Iterator[str]:
    english, translated = str(message.id), str(message.string)
    if message.fuzzy:
        yield f"fuzzy: {english}"
    if _arguments(english) != _arguments(translated):
        yield f"other arguments: {english}"
    if sorted(set(_CODE.findall(english))) != sorted(set(_CODE.findall(translated))):
        yield f"other code: {english}"
    yield from [f"{error}: {english}" for error in message.check(catalogue)]


def _arguments(text: str) -> list[tuple[str, str]]:
    """The arguments of a template, with their formats."""
    try:
        pieces = list(Formatter().parse(text))
    except ValueError:
        return []
    return sorted([(name, spec or "") for _, name, spec, _ in pieces if name is not None])


def earlier(catalogue: Catalog, expected: Catalog) -> dict[str, str]:
    """For each new text that resembles one that is gone, the translation of that one."""
    gone = {
        str(message.id): str(message.string)
        for message in catalogue
        if message.id and message.string and expected.get(message.id) is None
    }
    new = [str(message.id) for message in expected if catalogue.get(message.id) is None]
    nearest = {text: get_close_matches(text, gone, n=1) for text in new}
    return {text: gone[near[0]] for text, near in nearest.items() if near}


# -- files ------------------------------------------------------------------------------------


HEADER = r"""msgid ""
msgstr ""
"Language: {locale}\n"
"MIME-Version: 1.0\n"
"Content-Type: text/plain; charset=utf-8\n"
"Content-Transfer-Encoding: 8bit\n"
"Plural-Forms: nplurals=1; plural=0;\n"

"""


def read(path: Path) -> Catalog:
    """A catalogue."""
    with path.open("rb") as file:
        return read_po(file, abort_invalid=True)


def written(catalogue: Catalog) -> bytes:
    """A catalogue as it stands in its file.

    Sorted, without dates and places: two branches that add texts rarely conflict.
    """
    file = io.BytesIO()
    file.write(HEADER.format(locale=catalogue.locale_identifier).encode())
    write_po(
        file,
        catalogue,
        width=100,
        omit_header=True,
        no_location=True,
        sort_output=True,
        ignore_obsolete=True,
    )
    return file.getvalue()


def main() -> int:
    """Update the catalogues, or with ``--check`` only say what is wrong with them."""
    expected = template()
    is_check = "--check" in sys.argv[1:]
    found = 0
    for path in sorted((ROOT / LOCALES).rglob("*.po")):
        catalogue = read(path)
        before = earlier(catalogue, expected)
        if not is_check:
            catalogue.update(expected, no_fuzzy_matching=True)
            path.write_bytes(written(catalogue))
        for fault in faults(catalogue, expected):
            found += 1
            print(f"{path.relative_to(ROOT)}: {fault}")
            text = fault.removeprefix(_MISSING)
            if text in before:
                print(f"    before it was changed: {before[text]}")
    if found and is_check:
        print("`make translations` adds new texts, and removes those that are gone")
    elif found:
        print("Fill in each empty `msgstr`, mend what else is named, and run this again.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
