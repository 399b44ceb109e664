"""``--redact`` and ``--no-redact``: what is hidden in output that may be shared.

Owns the options, and the list of what was hidden, which goes to standard error.
"""

import argparse

from msgls.cli.exits import UsageProblem, tell
from msgls.text.phrases import Phrase, about, joined
from msgls.text.redaction import KINDS, SECRETS, Hidden, Redactor


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The two options."""
    kinds = Phrase(
        "also hide these: {kinds}", kinds=joined([kind for kind in KINDS if kind != SECRETS])
    )
    parser.add_argument("--redact", metavar="KINDS", default="", help=kinds)
    never = Phrase("hide nothing, not even secrets")
    parser.add_argument("--no-redact", action="store_true", help=never)


class Redacting:
    """Hides secrets, and what the user has asked for, in the texts of files."""

    def __init__(self, options: argparse.Namespace, is_shared: bool = True) -> None:
        wanted = [kind for kind in str(options.redact).replace(" ", "").split(",") if kind]
        for kind in wanted:
            if kind not in KINDS:
                what = Phrase(
                    "there is no `{kind}`; there are: {kinds}", kind=kind, kinds=joined(KINDS)
                )
                raise UsageProblem(Phrase("--redact: {what}", what=what))
        if wanted and options.no_redact:
            raise UsageProblem(Phrase("--redact and --no-redact contradict each other"))
        # A user who hides anything is about to share it.
        kinds = {*wanted, *([SECRETS] if is_shared or wanted else [])}
        self._redactor = Redactor(kinds) if kinds and not options.no_redact else None
        self._hidden: list[tuple[str, Hidden]] = []

    def text(self, file: str, text: str) -> str:
        """The text of a file as it may be shared."""
        if self._redactor is None:
            return text
        text, hidden = self._redactor.redact(text)
        self._hidden += [(file, one) for one in hidden]
        return text

    def tell(self) -> None:
        """Print what was hidden, and where."""
        for file, (placeholder, line) in self._hidden:
            tell(about(f"{file}:{line + 1}", Phrase("hidden: {what}", what=placeholder)))
