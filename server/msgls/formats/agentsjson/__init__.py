"""``agents.json``: the agents of a host, and the messages that they begin with."""

from collections.abc import Sequence

from msgls.formats.base import Piece
from msgls.formats.plain import WholeFile
from msgls.syntax.cells import Cell
from msgls.text.patterns import lazy_pattern

_FILE = "agents.json"
_KEY = '"agents"'
_TOKEN = lazy_pattern(r'"(?:[^"\\\r\n]|\\.)*"?|[{}\[\]:]')


class AgentsFile(WholeFile):
    """A file of that name with a list of agents at its top; other tools use the name too."""

    name = "agentsjson"
    language_id = "json"
    endings = (_FILE,)
    registers_agents = True
    is_json = True

    def detect(self, path: str, head: str) -> bool:
        """By its name, and by the key ``agents`` of the outermost object, which holds a list."""
        if path.replace("\\", "/").rpartition("/")[2].lower() != _FILE:
            return False
        return _KEY in head and _has_agents(head)

    def parse(self, parts: Sequence[tuple[Piece, str]]) -> Cell:
        """The whole file is one cell, which is read on demand."""
        # Imported late: it brings JSON along, and hardly any file is of this format.
        from msgls.formats.agentsjson.cells import AgentsCell

        return AgentsCell(tuple([piece.text for piece, _ in parts]))


def _has_agents(head: str) -> bool:
    """Whether a list follows the key right below the top. The text may be broken, or go on."""
    depth = 0
    before: tuple[str, str] = ("", "")
    for match in _TOKEN.finditer(head):
        token = match.group()
        if token == "[" and depth == 1 and before == (_KEY, ":"):
            return True
        if token in ("{", "["):
            if not depth and token == "[":
                return False
            depth += 1
        elif token in ("}", "]"):
            depth -= 1
        before = before[1], token
    return False


AGENTS = AgentsFile()
