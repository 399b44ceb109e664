"""The names of the commands, by themselves: the server tells them before it loads anything."""

from __future__ import annotations

COMMAND_IDS = (
    "msgls.cell.insertMessage",
    "msgls.cell.insertOutput",
    "msgls.cell.insertToolCall",
    "msgls.cell.insertToolResult",
    "msgls.cell.insertExecution",
    "msgls.cell.split",
    "msgls.cell.mergeNext",
    "msgls.cell.moveUp",
    "msgls.cell.moveDown",
    "msgls.cell.duplicate",
    "msgls.cell.delete",
    "msgls.cell.changeType",
    "msgls.cell.renumber",
    "msgls.cell.goToNext",
    "msgls.cell.goToPrevious",
    "msgls.cell.goToParent",
    "msgls.cell.goToChild",
    "msgls.history.exclude",
    "msgls.history.include",
    "msgls.history.summarize",
    "msgls.agent.setDefault",
    "msgls.agent.list",
)
