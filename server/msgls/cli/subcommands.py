"""The modules of the subcommands; each is imported on first use."""

# ruff: noqa: I001 - one statement, one line for each module

from __future__ import annotations

import argparse
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from msgls.cli import (
        agents as agents,
        ask as ask,
        assemble as assemble,
        chat as chat,
        check as check,
        completions as completions,
        convert as convert,
        diff as diff,
        fork as fork,
        format as format,
        importing as importing,
        init as init,
        merge as merge,
        outline as outline,
        provider as provider,
        render as render,
        rule as rule,
        run as run,
        schema as schema,
        serve as serve,
        set_default as set_default,
        version as version,
        view as view,
    )


class Subcommand(Protocol):
    """The interface of a subcommand's module."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add its own arguments to its parser."""

    def run(self, options: argparse.Namespace) -> int:
        """Run the command, and return the exit code."""


def __getattr__(name: str) -> Any:
    """Import the module of a subcommand: starting fast is a feature."""
    return import_module(f"msgls.cli.{name}")
