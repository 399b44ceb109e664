"""How far the estimate of tokens is off, on this repository's own texts.

Needs ``pip install msgls[tokens]`` and the table of ``o200k_base`` where tiktoken keeps it;
nothing is fetched. Run: this file.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Iterator
from pathlib import Path

from msgls.host import tokenizer
from msgls.text.tokens import ESTIMATE

ROOT = Path(__file__).resolve().parent.parent.parent
PIECE = 1_500
SOURCES = {
    "English and Markdown": ("README.md", "CONTRIBUTING.md", "docs/*.md", "server/ARCHITECTURE.md"),
    "Chinese": ("README.zh-CN.md",),
    "Python": ("server/msgls/formats/**/*.py",),
    "JSON": ("client-vscode/package.json", "syntaxes/*.json"),
}


def pieces(kind: str) -> Iterator[str]:
    """Texts of one kind, cut into pieces as long as a cell."""
    for pattern in SOURCES[kind]:
        for path in sorted(ROOT.glob(pattern)):
            text = path.read_text("utf-8")
            for start in range(0, len(text) - PIECE // 2, PIECE):
                yield text[start : start + PIECE]


def main() -> int:
    """Print the mean deviation and its direction, by kind of text."""
    counter = tokenizer.token_counter(tokenizer.ENCODINGS[0])
    if not counter.is_exact:
        print("there is no tokenizer with its table here: nothing is measured")
        return 0
    for kind in SOURCES:
        texts = list(pieces(kind))
        exact = [counter.count(text) for text in texts]
        about = [ESTIMATE.count(text) for text in texts]
        off = [a / e - 1 for a, e in zip(about, exact, strict=True)]
        mean = statistics.mean(map(abs, off))
        whole = sum(about) / sum(exact) - 1
        print(f"{kind:<22}{len(texts):>5} pieces   mean {mean:6.1%}   in sum {whole:+6.1%}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
