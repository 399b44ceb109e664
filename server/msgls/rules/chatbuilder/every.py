"""Every rule of ChatBuilder messages, in the order of their codes."""

from msgls.rules.base import rules_in
from msgls.rules.chatbuilder.cbm001_missing_role import MissingRole
from msgls.rules.chatbuilder.cbm002_unknown_role import UnknownRole
from msgls.rules.chatbuilder.cbm003_bare_header_line import BareHeaderLine
from msgls.rules.chatbuilder.cbm004_missing_separator import MissingSeparator
from msgls.rules.chatbuilder.cbm005_missing_fields import MissingFields
from msgls.rules.chatbuilder.cbm006_invalid_field import InvalidField
from msgls.rules.chatbuilder.cbm007_duplicate_field import DuplicateField
from msgls.rules.chatbuilder.cbm008_unknown_field import UnknownField
from msgls.rules.chatbuilder.cbm009_unescaped_fence import UnescapedFence
from msgls.rules.chatbuilder.cbm010_role_not_set_apart import RoleNotSetApart
from msgls.rules.chatbuilder.cbm011_numbering_gap import NumberingGap
from msgls.rules.chatbuilder.cbm012_duplicate_uuid import DuplicateUuid

RULES = rules_in(vars(), "chatbuilder")
