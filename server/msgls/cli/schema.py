"""``msgls schema``: JSON Schemas, made from the same models and tables that read the files."""

import argparse
import json
from typing import Any

from msgls.cli.exits import OK
from msgls.rules.settings import json_schema
from msgls.text.phrases import Phrase

_CHOICES = ("config", "agents", "message", "delta")
_MEANINGS = Phrase(
    "config: msgls.toml; agents: agents.json with boot messages; "
    "message: a message; delta: a message delta"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("what", choices=_CHOICES, help=_MEANINGS)


def run(options: argparse.Namespace) -> int:
    """Print one schema."""
    print(json.dumps(_schema(options.what), indent=2))
    return OK


def _schema(what: str) -> dict[str, Any]:
    # Imported late: the models load pydantic, which the configuration does not need.
    if what == "agents":
        from msgls.formats.agentsjson.boot import agents_json_schema

        return agents_json_schema()
    if what in ("message", "delta"):
        from msgls.conversation import messages

        return messages.message_json_schema() if what == "message" else messages.delta_json_schema()
    return json_schema()
