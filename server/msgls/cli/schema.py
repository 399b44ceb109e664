"""``msgls schema``: JSON Schemas, made from the same tables that read the files."""

from __future__ import annotations

import argparse
import json

from msgls.cli.exits import OK
from msgls.rules.settings import json_schema

_SCHEMAS = {"config": json_schema}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("what", choices=tuple(_SCHEMAS), help="config: msgls.toml")


def run(options: argparse.Namespace) -> int:
    """Print one schema."""
    print(json.dumps(_SCHEMAS[options.what](), indent=2))
    return OK
