"""Every rule of the message file, in the order of their codes."""

from __future__ import annotations

from msgls.rules.base import rules_in
from msgls.rules.msgmd.msg001_invalid_frontmatter import InvalidFrontmatter
from msgls.rules.msgmd.msg002_duplicate_frontmatter_key import DuplicateFrontmatterKey
from msgls.rules.msgmd.msg010_invalid_agent import InvalidAgent
from msgls.rules.msgmd.msg011_unknown_agent_attribute import UnknownAgentAttribute
from msgls.rules.msgmd.msg012_unknown_default_agent import UnknownDefaultAgent
from msgls.rules.msgmd.msg013_temporary_agent_system_prompt import TemporaryAgentSystemPrompt
from msgls.rules.msgmd.msg014_duplicate_agent import DuplicateAgent
from msgls.rules.msgmd.msg101_header_without_definition import HeaderWithoutDefinition
from msgls.rules.msgmd.msg102_definition_without_header import DefinitionWithoutHeader
from msgls.rules.msgmd.msg103_duplicate_id import DuplicateId
from msgls.rules.msgmd.msg104_definition_away_from_cell import DefinitionAwayFromCell
from msgls.rules.msgmd.msg105_undefined_footnote import UndefinedFootnote
from msgls.rules.msgmd.msg106_malformed_header import MalformedHeader
from msgls.rules.msgmd.msg107_cell_without_id import CellWithoutId
from msgls.rules.msgmd.msg108_malformed_definition import MalformedDefinition
from msgls.rules.msgmd.msg109_formatter_damage import FormatterDamage
from msgls.rules.msgmd.msg110_unclosed_fence import UnclosedFence
from msgls.rules.msgmd.msg111_malformed_id import MalformedId
from msgls.rules.msgmd.msg112_merge_conflict import MergeConflict
from msgls.rules.msgmd.msg201_unknown_message_type import UnknownMessageType
from msgls.rules.msgmd.msg202_unregistered_agent import UnregisteredAgent
from msgls.rules.msgmd.msg203_invalid_history import InvalidHistory
from msgls.rules.msgmd.msg204_invalid_attribute_value import InvalidAttributeValue
from msgls.rules.msgmd.msg205_malformed_attribute import MalformedAttribute
from msgls.rules.msgmd.msg206_misspelt_attribute import MisspeltAttribute
from msgls.rules.msgmd.msg207_missing_attribute import MissingAttribute
from msgls.rules.msgmd.msg208_time_goes_back import TimeGoesBack
from msgls.rules.msgmd.msg301_orphan_tool_call import OrphanToolCall
from msgls.rules.msgmd.msg302_nonce_mismatch import NonceMismatch
from msgls.rules.msgmd.msg303_reused_nonce import ReusedNonce
from msgls.rules.msgmd.msg304_result_number import ResultNumber
from msgls.rules.msgmd.msg305_out_of_order import OutOfOrder
from msgls.rules.msgmd.msg306_malformed_tool_call import MalformedToolCall
from msgls.rules.msgmd.msg307_unanswered_tool_call import UnansweredToolCall
from msgls.rules.msgmd.msg401_code_cell_without_code import CodeCellWithoutCode
from msgls.rules.msgmd.msg402_extra_code_block import ExtraCodeBlock
from msgls.rules.msgmd.msg403_code_without_language import CodeWithoutLanguage
from msgls.rules.msgmd.msg404_orphan_execution_output import OrphanExecutionOutput
from msgls.rules.msgmd.msg405_unmarked_output_line import UnmarkedOutputLine
from msgls.rules.msgmd.msg406_invalid_base64 import InvalidBase64
from msgls.rules.msgmd.msg407_execution_count import ExecutionCount
from msgls.rules.msgmd.msg501_missing_section import MissingSection
from msgls.rules.msgmd.msg502_misplaced_section import MisplacedSection
from msgls.rules.msgmd.msg503_cell_outside_section import CellOutsideSection
from msgls.rules.msgmd.msg504_duplicate_section import DuplicateSection
from msgls.rules.msgmd.msg601_context_overflow import ContextOverflow
from msgls.rules.msgmd.msg602_empty_summary import EmptySummary
from msgls.rules.msgmd.msg603_hidden_from_model import HiddenFromModel
from msgls.rules.msgmd.msg604_empty_message import EmptyMessage
from msgls.rules.msgmd.msg605_broken_link import BrokenLink
from msgls.rules.msgmd.msg701_secret import Secret

RULES = rules_in(vars())
