"""Which role a message likely has, where its header does not say one.

Owns that guess: by a slip or another tool's word for a role, by the component's name,
by the number of the file. It is a guess, and its callers say so.
"""

from msgls.formats.chatbuilder import message_number
from msgls.formats.chatbuilder.fields import ROLES
from msgls.formats.chatbuilder.header import MessageHeader
from msgls.text.similar import closest

USER, ASSISTANT, SYSTEM = ROLES

# Their names in other tools.
_OTHER_WORDS = {
    "human": USER,
    "me": USER,
    "ai": ASSISTANT,
    "bot": ASSISTANT,
    "gpt": ASSISTANT,
    "llm": ASSISTANT,
    "model": ASSISTANT,
    "developer": SYSTEM,
    "dev": SYSTEM,
    "sys": SYSTEM,
    "instructions": SYSTEM,
}


def meant_roles(word: str) -> list[str]:
    """The roles that a word may stand for; empty where it resembles none."""
    other = _OTHER_WORDS.get(word.casefold())
    return [other] if other is not None else closest(word, ROLES)


def likely_roles(header: MessageHeader, path: str) -> tuple[str, ...]:
    """Every role, the likeliest one first."""
    said = header.role
    guesses = [] if said is None else meant_roles(said.value)
    component = header.get("Component")
    if component is not None:
        name = component.value.casefold()
        guesses += [role for role in ROLES if role in name]
    number = message_number(path)
    if number is not None:
        # Most conversations begin with a question, and turns alternate.
        guesses.append(USER if number % 2 else ASSISTANT)
    return tuple(dict.fromkeys([*guesses, *ROLES]))
