"""Every rule of the Simple Text Format, in the order of their codes."""

from msgls.rules.base import rules_in
from msgls.rules.stf.stf001_unknown_command import UnknownCommand
from msgls.rules.stf.stf002_malformed_arguments import MalformedArguments
from msgls.rules.stf.stf003_duplicate_argument import DuplicateArgument
from msgls.rules.stf.stf004_data_before_message import DataBeforeMessage
from msgls.rules.stf.stf005_unmatched_comment_end import UnmatchedCommentEnd
from msgls.rules.stf.stf006_unclosed_comment import UnclosedComment
from msgls.rules.stf.stf007_missing_data_line import MissingDataLine
from msgls.rules.stf.stf008_unclosed_block import UnclosedBlock
from msgls.rules.stf.stf009_stray_end import StrayEnd
from msgls.rules.stf.stf010_command_in_block import CommandInBlock
from msgls.rules.stf.stf011_no_role import NoRole
from msgls.rules.stf.stf012_invalid_json5 import InvalidJson5
from msgls.rules.stf.stf013_unknown_argument import UnknownArgument
from msgls.rules.stf.stf014_conflicting_role import ConflictingRole
from msgls.rules.stf.stf015_mixed_prefix import MixedPrefix
from msgls.rules.stf.stf016_missing_embed import MissingEmbed
from msgls.rules.stf.stf017_carriage_return import CarriageReturn
from msgls.rules.stf.stf018_one_letter_key import OneLetterKey
from msgls.rules.stf.stf019_unknown_call import UnknownCall
from msgls.rules.stf.stf020_duplicate_call_id import DuplicateCallId

RULES = rules_in(vars(), "stf")
