"""Inputs to measure the growth of everything with: pieces of every format's syntax, at random.

A text is drawn in one of two ways. Either head, unit and tail are put together of pieces: what
fuzzers know of a format, the examples of its rules' pages, lines of transcripts and of whole
conversations. Or some list inside JSON gets one of its elements many times over.
"""

import json
import random
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from tests.conversation.corpus import CORPUS
from tests.fuzz.vocabularies import ALL, examples
from tests.growth.growth import Input

_TRANSCRIPTS = Path(__file__).parents[1] / "data/transcripts"
# A number that is a name or a part of one, such as those of ids.
_NUMBER = re.compile(r"(?<=[a-z_-])\d+\b")
_HERE = "HERE"


KINDS = tuple(ALL)
"""The formats, each of which is drawn with every action."""


def drawn(draw: random.Random, kind: str = "") -> Input:
    """One of very many inputs: of one format, or of any kind of file."""
    return _pieced(draw, kind) if kind or draw.random() < 0.7 else _grown(draw)


def _pieced(draw: random.Random, kind: str) -> Input:
    """A head, a unit and a tail of what files of some kind are made of."""
    kinds = _pieces()
    paths, pieces = kinds[kind or draw.choice(sorted(kinds))]

    def some(most: int) -> str:
        return "".join(draw.choices(pieces, k=draw.randint(0, most)))

    unit = some(3) or "\n"
    if draw.random() < 0.4:
        at = draw.randint(0, len(unit))
        unit = unit[:at] + "{i}" + unit[at:]
    return Input(draw.choice(paths), some(1), _counted(draw, unit), some(1))


def _counted(draw: random.Random, unit: str) -> str:
    """The unit as it is, or with the same new number in each of its ids."""
    return _NUMBER.sub("{i}", unit) if draw.random() < 0.5 else unit


@cache
def _pieces() -> dict[str, tuple[Sequence[str], Sequence[str]]]:
    """Paths and pieces, by kind of file."""
    found: dict[str, tuple[Sequence[str], Sequence[str]]] = {}
    for kind, vocabulary in ALL.items():
        pieces = (*vocabulary.fragments, *vocabulary.starts, *examples(kind))
        # A file cannot hold half a character.
        found[kind] = vocabulary.paths, [p for p in pieces if p.isascii() or _is_text(p)]
    for path, text in _whole_texts():
        lines = text.splitlines(keepends=True)
        found[path] = [path], [text, *lines, *(f"{line}{line}" for line in lines)]
    return found


def _is_text(piece: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in piece)


@cache
def _whole_texts() -> list[tuple[str, str]]:
    files = sorted(path for path in _TRANSCRIPTS.rglob("*") if path.is_file())
    return [
        *CORPUS.values(),
        *((str(path.relative_to(_TRANSCRIPTS)), path.read_text("utf-8")) for path in files),
    ]


def _grown(draw: random.Random) -> Input:
    """A conversation in JSON, some list or object of which has very many elements."""
    path, text = draw.choice([pair for pair in _whole_texts() if pair[1][0] in "[{"])
    before = after = ""
    if path.endswith(".jsonl"):
        lines = text.splitlines(keepends=True)
        chosen = draw.randrange(len(lines))
        before, text, after = "".join(lines[:chosen]), lines[chosen], "".join(lines[chosen + 1 :])
    value = json.loads(text)
    containers = [value for value in _inside(value) if value]
    if not containers:
        return Input(path, before, text, after)
    container = draw.choice(containers)
    if isinstance(container, list):
        unit = json.dumps(draw.choice(container)) + ","
        container.insert(0, _HERE)
        whole = json.dumps(value).replace(f'"{_HERE}", ', _HERE, 1)
    else:
        key = draw.choice(sorted(container))
        unit = f'"{key}{{i}}": {json.dumps(container[key])},'
        # The first key is where the others are put.
        first = next(iter(container))
        renamed = {(_HERE + k if k == first else k): v for k, v in container.items()}
        container.clear()
        container.update(renamed)
        whole = json.dumps(value).replace(f'"{_HERE}', f'{_HERE}"', 1)
    head, _, tail = whole.partition(_HERE)
    return Input(path, before + head, _counted(draw, unit), tail + "\n" + after)


def _inside(value: Any) -> Iterator[Any]:
    """Every list and object in a value."""
    if isinstance(value, dict | list):
        yield value
        for item in value.values() if isinstance(value, dict) else value:
            yield from _inside(item)
