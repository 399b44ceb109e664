"""``msgls version``."""

import argparse

from msgls import __version__
from msgls.cli.exits import OK


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command has no arguments."""


def run(options: argparse.Namespace) -> int:
    """Print the version."""
    print(f"msgls {__version__}")
    return OK
