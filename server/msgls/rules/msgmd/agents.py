"""What rules on the settings of agents share: where these are, and what is read there."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, ClassVar

from msgls.formats.base import CellRole
from msgls.formats.msgmd.meaning import frontmatter_of
from msgls.rules.base import CellRule, Subject
from msgls.rules.topics import Topic
from msgls.syntax.cells import Cell

if TYPE_CHECKING:
    from msgls.formats.msgmd.frontmatter import AgentBlock, Frontmatter


class AgentRule(CellRule):
    """Looks at the frontmatter, and at the cells that define temporary agents."""

    roles: ClassVar[Collection[CellRole]] = (
        CellRole.PREAMBLE,
        CellRole.MESSAGE,
        CellRole.CODE,
    )
    wants = Topic.PREAMBLE | Topic.AGENT

    def frontmatter(self, subject: Subject) -> Frontmatter | None:
        """The frontmatter, where the cell has it and it is closed."""
        if subject.role is not CellRole.PREAMBLE or subject.cell.frontmatter is None:
            return None
        found = frontmatter_of(subject.document)
        return found if found is not None and found.closed else None

    def block(self, subject: Subject) -> tuple[AgentBlock, int] | None:
        """The block that a temporary agent begins with, and where it starts."""
        return read_block(subject.cell) if subject.value("definition") == "agent" else None

    def readings(self, subject: Subject) -> Iterator[tuple[Frontmatter | AgentBlock, int]]:
        """What is read of the frontmatter or of the block, and where that starts."""
        frontmatter, block = self.frontmatter(subject), self.block(subject)
        if frontmatter is not None:
            yield frontmatter, 0
        elif block is not None:
            yield block


def read_block(cell: Cell) -> tuple[AgentBlock, int] | None:
    """The block of settings that a cell's content begins with, and where it starts."""
    if cell.agent_block is None:
        return None
    # Imported late: it brings YAML along, and most files have no agent.
    from msgls.formats.msgmd.frontmatter import parse_agent_block

    return parse_agent_block(cell.agent_block.of(cell.text)), cell.agent_block.start
