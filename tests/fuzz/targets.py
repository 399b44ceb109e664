"""What is fuzzed under the lead of coverage: from bytes to an oracle.

An input is a text that people can read and write, so that what is found can be kept
beside its reason. Any bytes are an input: what means nothing is text.

The first line of a target on files names the file, and ``small`` after the name makes
pieces small, as only large documents have them. Edits follow the text, each before what
it types: ``⟦12+5⟧new`` puts ``new`` in place of the five characters from offset 12 on,
and ``⟦utf-16 3:0 4:2⟧new`` does so between two positions.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import NamedTuple

from msgls.document.document import Document
from msgls.formats.msgjson.shapes import is_delta
from msgls.formats.strictjson import strict_loads
from tests.document.tracked import Tracked, limits
from tests.fuzz import oracles
from tests.fuzz.test_parsers import PARSERS
from tests.fuzz.vocabularies import ALL, examples
from tests.text.naive import ENCODINGS

Target = Callable[[bytes], None]

SEEDS = Path(__file__).parents[1] / "data" / "fuzz"
_REASON = b"why: "
# What takes longer finds no more: the shapes that matter are small.
MOST_BYTES = 1_024
_MOST_EDITS = 8
_MOST_DELTAS = 40
_MOST_FIXED = 6

_EDIT = re.compile(
    r"⟦(?:(?P<start>\d{1,4})\+(?P<length>\d{1,4})"
    r"|(?P<encoding>utf-(?:8|16|32)) (?P<line>\d{1,2}):(?P<units>\d{1,2})"
    r" (?P<last_line>\d{1,2}):(?P<last_units>\d{1,2}))⟧"
)


def text_of(data: bytes) -> str:
    """The text of any bytes; what is no UTF-8 becomes a lone surrogate, as some clients send."""
    return data.decode("utf-8", "surrogateescape")


def file_of(format: str, data: bytes) -> tuple[str, bool, str]:
    """The path, whether pieces are to be small, and what follows the first line."""
    head, _, rest = text_of(data).partition("\n")
    path, _, size = head.partition(" ")
    paths = ALL[format].paths
    return path if path in paths else paths[0], size == "small", rest


# -- targets --------------------------------------------------------------------------------------


def edits(format: str, data: bytes) -> None:
    """A document and its problems after each edit are those of a fresh parse."""
    path, small, rest = file_of(format, data)
    found = list(_EDIT.finditer(rest))[:_MOST_EDITS]
    ends = [match.start() for match in found[1:]] + [len(rest)] * bool(found)
    with limits(piece=64, crumb=16, gap=1 << 8, recent=3) if small else nullcontext():
        tracked = Tracked(path, rest[: found[0].start()] if found else rest)
        watched = oracles.Watched(tracked.document)
        for match, end in zip(found, ends, strict=True):
            _edit(tracked, match, rest[match.end() : end])
            tracked.check()
            watched.check(tracked.document)


def _edit(tracked: Tracked, match: re.Match[str], typed: str) -> None:
    if match["start"] is not None:
        start = int(match["start"]) % (len(tracked.text) + 1)
        tracked.edit(start, start + int(match["length"]), typed)
        return
    encoding = next(known for known in ENCODINGS if known == match["encoding"])
    first = int(match["line"]), int(match["units"])
    last = int(match["last_line"]), int(match["last_units"])
    tracked.edit_at(first, last, typed, encoding)


def whole(format: str, data: bytes) -> None:
    """A file is opened, read, written and formatted."""
    path, _, text = file_of(format, data)
    oracles.conversion_is_sound(path, text)
    oracles.formatting_is_sound(path, text)


def fixes(format: str, data: bytes) -> None:
    """Some fixes by themselves, and all together: the safe ones, or every second time any."""
    path, _, text = file_of(format, data)
    oracles.each_fix_is_sound(path, text, _MOST_FIXED)
    oracles.fixing_is_sound(path, text, unsafe=bool(len(data) % 2))


def parsers(data: bytes) -> None:
    """No parser of a part raises."""
    text = text_of(data)
    for parse in PARSERS.values():
        parse(text)


def frames(data: bytes) -> None:
    """The protocol's reader on raw bytes, in chunks of a size that the first byte says."""
    if data:
        oracles.framing_is_sound(data[1:], 1 + data[0] % 64)
        oracles.messages_arrive(data[1:].split(b"\n"), 1 + data[0] % 64)


def assembler(data: bytes) -> None:
    """Streams of deltas, one in a line; a file of the same lines is read, too."""
    stream, lines = [], []
    for line in re.split("\r\n|\r|\n", text_of(data))[:_MOST_DELTAS]:
        try:
            wire = strict_loads(line)
        except (ValueError, RecursionError):
            continue
        # In a file, what has a role or parts is meant to be a message.
        if is_delta(wire) and not {"role", "parts"} & wire.keys():
            stream.append(wire)
            lines.append(line)
    oracles.assembly_is_sound(stream)
    document = Document.open("a.deltas.jsonl", "\n".join(lines))
    assert oracles.messages_of(document) == oracles.assembled(stream)


TARGETS: dict[str, Target] = {
    **{
        f"{target.__name__}-{format}": partial(target, format)
        for target in (edits, whole, fixes)
        for format in ALL
    },
    "parsers": parsers,
    "frames": frames,
    "assembler": assembler,
}


def words_of(target: str) -> list[bytes]:
    """What the inputs of a target are made of, for mutations that mean something."""
    kind, _, format = target.partition("-")
    known = [ALL[format]] if format else list(ALL.values())
    if kind == "frames":
        return [b"Content-Length: ", b"\r\n\r\n", b"\n\n", b'{"jsonrpc":"2.0","id":1}\n', b"-1"]
    words = {word for vocabulary in known for word in (*vocabulary.fragments, *vocabulary.paths)}
    if kind == "edits":
        words |= {"⟦0+0⟧", "⟦9+1⟧", "⟦99+20⟧", "⟦utf-16 1:2 3:4⟧", "⟦utf-8 0:0 9:9⟧", " small\n"}
    return sorted(word.encode("utf-8", "surrogatepass") for word in words)


# -- inputs that are kept -------------------------------------------------------------------------


class Seed(NamedTuple):
    """An input that is kept, and why."""

    target: str
    name: str
    reason: str
    data: bytes


def read_seed(path: Path) -> Seed:
    """A file in the folder of its target: its first line says why, all else is the input."""
    first, _, data = path.read_bytes().partition(b"\n")
    if not first.startswith(_REASON):
        raise ValueError(f"{path}: the first line is not `why: …`")
    return Seed(path.parent.name, path.stem, first[len(_REASON) :].decode(), data)


def seeds(target: str | None = None) -> Iterator[Seed]:
    """The inputs that are kept, of a target or of all."""
    for path in sorted(SEEDS.glob(f"{target or '*'}/*.txt")):
        yield read_seed(path)


def first_inputs(target: str) -> Iterator[bytes]:
    """What fuzzing starts from: what is kept, whole files, and what pages of rules show."""
    yield from (seed.data for seed in seeds(target))
    kind, _, format = target.partition("-")
    for vocabulary in [ALL[format]] if format else ALL.values():
        for path in dict.fromkeys(vocabulary.paths):
            for text in vocabulary.starts:
                head = f"{path}\n" if format else ""
                yield (head + text).encode("utf-8", "surrogatepass")
                if kind == "edits":
                    yield f"{path} small\n{text}⟦9+2⟧x⟦20+0⟧\n".encode("utf-8", "surrogatepass")
        if kind == "fixes":
            yield from (f"{vocabulary.paths[0]}\n{shown}".encode() for shown in examples(format))
