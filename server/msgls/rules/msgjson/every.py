"""Every rule of messages and deltas as JSON, in the order of their codes."""

from msgls.rules.base import rules_in
from msgls.rules.msgjson.dlt001_invalid_json import InvalidJson
from msgls.rules.msgjson.dlt002_invalid_shape import InvalidShape
from msgls.rules.msgjson.dlt003_stream_start import StreamStart
from msgls.rules.msgjson.dlt004_stream_end import StreamEnd
from msgls.rules.msgjson.dlt005_seq_not_increasing import SeqNotIncreasing
from msgls.rules.msgjson.dlt006_tool_call_unpaired import ToolCallUnpaired
from msgls.rules.msgjson.dlt007_tool_arguments_unparsable import ToolArgumentsUnparsable
from msgls.rules.msgjson.dlt008_duplicate_tool_call_id import DuplicateToolCallId
from msgls.rules.msgjson.dlt009_tool_result_without_call import ToolResultWithoutCall
from msgls.rules.msgjson.dlt010_second_terminal_result import SecondTerminalResult
from msgls.rules.msgjson.dlt011_part_not_allowed_for_role import PartNotAllowedForRole
from msgls.rules.msgjson.dlt012_timestamp_not_iso import TimestampNotIso
from msgls.rules.msgjson.dlt013_tool_result_not_stored import ToolResultNotStored
from msgls.rules.msgjson.dlt014_unanswered_tool_call import UnansweredToolCall

RULES = rules_in(vars(), "msgjson")
