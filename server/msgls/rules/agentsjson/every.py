"""Every rule of `agents.json`, in the order of their codes."""

from msgls.rules.agentsjson.boot001_invalid_json import InvalidJson
from msgls.rules.agentsjson.boot002_invalid_shape import InvalidShape
from msgls.rules.agentsjson.boot003_boot_message_not_virtual import BootMessageNotVirtual
from msgls.rules.agentsjson.boot004_legacy_text_key import LegacyTextKey
from msgls.rules.agentsjson.boot005_task_without_task import TaskWithoutTask
from msgls.rules.agentsjson.boot006_reset_skips_boot import ResetSkipsBoot
from msgls.rules.agentsjson.boot007_duplicate_agent_name import DuplicateAgentName
from msgls.rules.agentsjson.boot008_duplicate_task_name import DuplicateTaskName
from msgls.rules.base import rules_in

RULES = rules_in(vars(), "agentsjson")
