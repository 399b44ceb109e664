"""The rules that look at files of every format, in the order of their codes."""

from msgls.rules.base import rules_in
from msgls.rules.everywhere.msg701_secret import Secret
from msgls.rules.everywhere.msg702_hidden_character import HiddenCharacter

RULES = rules_in(vars())
