"""``msgls serve`` with handlers and a rule that misbehave, for ``test_hostile``."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any

from msgls.lsp import server, transport
from msgls.lsp.protocol import Route


def printing(session: Any, params: Any) -> str:
    """Write to standard output in every way there is."""
    print("printed by a handler")  # noqa: T201
    sys.stdout.write("written by a handler\n")
    sys.stdout.flush()
    os.write(1, b"written past Python\n")
    os.system("echo written by a child")
    return "done"


def raising(session: Any, params: Any) -> None:
    raise ZeroDivisionError("on purpose")


def raising_later(session: Any, params: Any) -> Iterator[None]:
    yield
    raise ZeroDivisionError("on purpose")


def unserialisable(session: Any, params: Any) -> Any:
    return {"object": [object(), b"bytes", float("nan")][params["which"]]}


def large(session: Any, params: Any) -> str:
    return "x" * int(params["size"])


def text(session: Any, params: Any) -> str:
    """The server's text of a document."""
    content: str = session.get(params["uri"]).document.text
    return content


def break_rule(session: Any, params: Any) -> None:
    """Let the rule of that code raise from now on."""
    from msgls.rules.registry import BY_CODE

    def check(*args: Any) -> Any:
        raise ZeroDivisionError("a rule, on purpose")

    object.__setattr__(BY_CODE[params["code"]], "check", check)


HANDLERS = (printing, raising, raising_later, unserialisable, large, text, break_rule)


def _loading(handler: Callable[[Any, Any], Any]) -> Callable[[], Callable[[Any, Any], Any]]:
    return lambda: handler


def main() -> int:
    """Serve with the handlers above, and with what ``PROBE_LIMITS`` says of the transport."""
    rows = [Route(f"probe/{handler.__name__}", "", _loading(handler)) for handler in HANDLERS]
    setattr(server, "TABLE", (*server.TABLE, *rows))  # noqa: B010
    for name, value in json.loads(os.environ.get("PROBE_LIMITS", "{}")).items():
        setattr(transport, name, value)
    from msgls.cli.main import main as command_line

    return command_line(["serve", *sys.argv[1:]])


if __name__ == "__main__":
    raise SystemExit(main())
