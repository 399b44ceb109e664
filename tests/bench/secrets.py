"""Secrets that msgls finds, beside detect-secrets and the public rules of gitleaks.

Two questions, with figures: which made-up keys does one of them find that msgls misses, and
how often does each raise an alarm over text that holds no key? The keys are drawn from the
rules themselves (every pattern of both is a recipe for strings), so that no rule can be
forgotten; only what its own tool finds counts. Optional parts are kept short, as people write
them. The rules of gitleaks are applied by this program: patterns, keywords, entropy and
allowlists. Text without keys is Python's own library, its manual, the documentation here,
and hashes, base64 and ids that are drawn.

Run: ``make compare-secrets``. The rules of gitleaks are fetched, or read from the file that
``GITLEAKS`` names.
"""

from __future__ import annotations

import base64
import hashlib
import importlib
import json
import os
import pydoc_data.topics
import random
import re
import string
import sys
import tempfile
import textwrap
import tomllib
import uuid
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from math import log2
from pathlib import Path
from typing import Any, NamedTuple, Protocol
from urllib.request import urlopen

from msgls.text.secrets import find_secrets

RULES = "https://raw.githubusercontent.com/gitleaks/gitleaks/master/config/gitleaks.toml"
ROOT = Path(__file__).parents[2]
SEED = int(os.environ.get("MSGLS_BENCH_SEED", "20250530"))
SAMPLES = 6
TRIES = 60
MEGABYTE = 1_000_000
# So much of a secret may be left over: a prefix, the host of an address, the padding.
MOST_LEFT = 12


class Tool(Protocol):
    """Whatever looks for secrets."""

    def alarms(self, path: Path) -> int:
        """In how many lines of a file it finds one."""


class Sample(NamedTuple):
    """A made-up key in its line, and which rule it was drawn from."""

    rule: str
    line: str
    secret: str


# -- strings that a pattern matches -----------------------------------------------------------


_VISIBLE = string.ascii_letters + string.digits + string.punctuation + " "
_CLASSES = {
    "CATEGORY_DIGIT": string.digits,
    "CATEGORY_WORD": string.ascii_letters + string.digits + "_",
    "CATEGORY_SPACE": " ",
    "CATEGORY_NOT_SPACE": string.ascii_letters + string.digits,
    "CATEGORY_NOT_WORD": " ",
    "CATEGORY_NOT_DIGIT": string.ascii_letters,
}


class Recipe:
    """Draws strings that a pattern matches."""

    def __init__(self, pattern: str) -> None:
        self._tree: Any = importlib.import_module("re._parser").parse(pattern)

    def draw(self, source: random.Random) -> str:
        self._source = source
        self._groups: dict[int, str] = {}
        return self._all(self._tree)

    def _all(self, tree: Iterable[Any]) -> str:
        return "".join([self._one(str(kind), value) for kind, value in tree])

    def _one(self, kind: str, value: Any) -> str:
        if kind == "LITERAL":
            return chr(value)
        if kind in ("NOT_LITERAL", "ANY"):
            return self._source.choice(string.ascii_letters + string.digits)
        if kind == "IN":
            return self._source.choice(_members(value))
        if kind == "BRANCH":
            return self._all(self._source.choice(value[1]))
        if kind == "SUBPATTERN":
            drawn = self._all(value[3])
            self._groups[value[0]] = drawn
            return drawn
        if kind == "GROUPREF":
            return self._groups.get(value, "")
        if kind in ("MAX_REPEAT", "MIN_REPEAT"):
            least, most, tree = value
            # What may be left out is, mostly; what may go on without end does not for long.
            more = self._source.choice((0, 0, 1)) if least == 0 else self._source.randint(0, 8)
            count = min(int(most), least + more)
            return "".join([self._all(tree) for _ in range(count)])
        # Places that a pattern looks at without taking anything.
        return ""


def _members(items: Iterable[tuple[Any, Any]]) -> str:
    found: set[str] = set()
    is_negated = False
    for kind, value in items:
        if str(kind) == "NEGATE":
            is_negated = True
        elif str(kind) == "LITERAL":
            found.add(chr(value))
        elif str(kind) == "RANGE":
            found.update(map(chr, range(value[0], min(value[1], 126) + 1)))
        else:
            found.update(_CLASSES[str(value)])
    if is_negated:
        letters = set(string.ascii_letters + string.digits) - found
        found = letters or set(_VISIBLE) - found
    shown = sorted(found.intersection(_VISIBLE))
    return "".join(shown or found)


def private_keys() -> Iterator[tuple[str, str]]:
    """Private keys with their lines: all of it, and what is secret of it."""
    source, line = random.Random(SEED), Recipe("[A-Za-z0-9+/]{64}")
    dashes = "-" * 5
    for kind in ("", "RSA ", "DSA ", "EC ", "OPENSSH ", "ENCRYPTED ", "PGP "):
        body = "\n".join([line.draw(source) for _ in range(8)])
        name = f"{kind}PRIVATE KEY" + " BLOCK" * (kind == "PGP ")
        yield f"{dashes}BEGIN {name}{dashes}\n{body}\n{dashes}END {name}{dashes}\n", body
        yield f"{dashes}BEGIN {name}{dashes}\n{body}\n", body
    yield f"PuTTY-User-Key-File-2: ssh-rsa\nPrivate-Lines: 8\n{body}\nPrivate-MAC: 0\n", body


# -- gitleaks ---------------------------------------------------------------------------------


def python_pattern(pattern: str) -> str:
    """A pattern of Go as one of Python: flags in the middle hold to the end of their group."""
    pattern = pattern.replace("[[:alnum:]]", "[A-Za-z0-9]").replace(r"\z", r"\Z")
    made: list[str] = []
    opened = [0]
    at, in_class = 0, False
    while at < len(pattern):
        flags = None if in_class else re.compile(r"\(\?(i)\)").match(pattern, at)
        character = pattern[at]
        if flags is not None:
            made.append("(?i:")
            opened[-1] += 1
            at = flags.end()
            continue
        if character == "\\":
            made.append(pattern[at : at + 2])
            at += 2
            continue
        if in_class:
            in_class = character != "]"
        elif character == "[":
            in_class = True
        elif character == "(":
            opened.append(0)
        elif character == ")":
            made.append(")" * opened.pop())
        made.append(character)
        at += 1
    return "".join([*made, ")" * opened.pop()])


def bits(text: str) -> float:
    """Shannon's entropy of the characters, in bits each."""
    counts = Counter(text).values()
    return -sum(n / len(text) * log2(n / len(text)) for n in counts) if text else 0.0


class Allowed:
    """What is not a secret after all."""

    def __init__(self, lists: Iterable[Mapping[str, Any]]) -> None:
        self._lists = [
            (
                one.get("regexTarget", "secret"),
                [re.compile(python_pattern(pattern)) for pattern in one.get("regexes", ())],
                [word.lower() for word in one.get("stopwords", ())],
            )
            for one in lists
        ]

    def has(self, secret: str, match: str, line: str) -> bool:
        for target, patterns, words in self._lists:
            text = {"match": match, "line": line}.get(target, secret)
            if any(pattern.search(text) for pattern in patterns):
                return True
            if any(word in secret.lower() for word in words):
                return True
        return False


class Rule:
    """A rule of gitleaks."""

    def __init__(self, rule: Mapping[str, Any]) -> None:
        self.id = str(rule["id"])
        self.pattern = re.compile(python_pattern(rule["regex"]))
        self._keywords = [str(word).lower() for word in rule.get("keywords", ())]
        self._entropy = float(rule.get("entropy", 0))
        self._group = int(rule.get("secretGroup", 0))
        self._allowed = Allowed(rule.get("allowlists", ()))

    def find(self, line: str, everywhere: Allowed) -> Iterator[str]:
        """The secrets of a line."""
        lower = line.lower()
        if self._keywords and not any(word in lower for word in self._keywords):
            return
        for match in self.pattern.finditer(line):
            groups = [group for group in match.groups() if group]
            secret = match.group(self._group) if self._group else (groups or [match.group()])[0]
            if bits(secret) <= self._entropy and self._entropy:
                continue
            if any(one.has(secret, match.group(), line) for one in (everywhere, self._allowed)):
                continue
            yield secret


class Gitleaks:
    """The public rules of gitleaks."""

    def __init__(self, text: str) -> None:
        config = tomllib.loads(text)
        self.rules = [Rule(rule) for rule in config["rules"] if "regex" in rule]
        self.everywhere = Allowed([config.get("allowlist", {}), *config.get("allowlists", ())])

    def alarms(self, path: Path) -> int:
        lines = path.read_text("utf-8", "replace").splitlines()
        return sum(
            any(True for rule in self.rules for _ in rule.find(line, self.everywhere))
            for line in lines
        )

    def samples(self) -> Iterator[Sample]:
        for rule in self.rules:
            if rule.id == "private-key":
                # A private key is known by its lines, and the pattern does not tell them.
                for key in private_keys():
                    yield Sample(f"gitleaks {rule.id}", *key)
                continue
            recipe = Recipe(rule.pattern.pattern)

            def found(line: str, rule: Rule = rule) -> Iterator[str]:
                return rule.find(line, self.everywhere)

            for line, secret in drawn(f"gitleaks {rule.id}", recipe, found):
                yield Sample(f"gitleaks {rule.id}", line, secret)


def drawn(name: str, recipe: Recipe, find: Any) -> list[tuple[str, str]]:
    """Lines that a tool finds something in."""
    source = random.Random(f"{SEED} {name}")
    tries = (recipe.draw(source).replace("\n", " ").replace("\r", " ") for _ in range(TRIES))
    lines = ((line, next(iter(find(line)), "")) for line in tries)
    return list(islice([(line, secret) for line, secret in lines if secret], SAMPLES))


# -- detect-secrets ---------------------------------------------------------------------------


class DetectSecrets:
    """detect-secrets, as it is configured without being told anything."""

    # Whoever has such a string has not been told what it is: any hash is one, too.
    GUESSES = frozenset(
        {"Base64 High Entropy String", "Hex High Entropy String", "Public IP (ipv4)"}
    )

    def __init__(self) -> None:
        self._scan = importlib.import_module("detect_secrets.core.scan")
        self._settings = importlib.import_module("detect_secrets.settings")
        util = importlib.import_module("detect_secrets.core.plugins.util")
        self._plugins = dict(util.get_mapping_from_secret_type_to_class())

    def _found(self, path: Path) -> list[Any]:
        with self._settings.default_settings():
            return list(self._scan.scan_file(str(path)))

    def alarms(self, path: Path) -> int:
        return len({one.line_number for one in self._found(path)})

    def samples(self) -> Iterator[Sample]:
        drawn: list[tuple[str, str]] = []
        for name, plugin in self._plugins.items():
            if name in self.GUESSES or name == "Private Key":
                continue
            source = random.Random(f"{SEED} {name}")
            if name == "Secret Keyword":
                drawn += [(name, line) for line in self._assigned(source)]
                continue
            for pattern in plugin.denylist:
                recipe = Recipe(pattern.pattern)
                lines = [recipe.draw(source).replace("\n", " ") for _ in range(SAMPLES)]
                drawn += [(name, line) for line in lines]
        for key in private_keys():
            yield Sample("detect-secrets Private Key", *key)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "drawn.txt")
            path.write_text("".join([f"{line}\n" for _, line in drawn]), "utf-8")
            found = {(one.line_number, one.type): one.secret_value for one in self._found(path)}
        for number, (name, line) in enumerate(drawn, 1):
            secret = found.get((number, name))
            if secret:
                yield Sample(f"detect-secrets {name}", line, secret)

    def _assigned(self, source: random.Random) -> Iterator[str]:
        """A password or a key in every form that a value can be assigned in."""
        keyword = importlib.import_module("detect_secrets.plugins.keyword")
        forms = ('{} = "{}"', "{}: '{}'", "{}={}", '"{}": "{}"', '{} := "{}"', '{} => "{}"')
        for name in keyword.DENYLIST:
            word = Recipe(name).draw(source)
            for form in forms:
                length = source.choice((12, 20, 32, 40))
                letters = string.ascii_letters + string.digits
                value = "".join([source.choice(letters) for _ in range(length)])
                yield form.format(word, value)


# -- msgls ------------------------------------------------------------------------------------


class Msgls:
    def alarms(self, path: Path) -> int:
        lines = path.read_text("utf-8", "replace").splitlines()
        return sum(bool(find_secrets(line)) for line in lines)

    def misses(self, sample: Sample) -> bool:
        """Whether something random of a secret is left."""
        line = sample.line
        hidden = list(line)
        for secret in find_secrets(line):
            hidden[secret.span.start : secret.span.end] = " " * (
                secret.span.end - secret.span.start
            )
        at = line.find(sample.secret)
        left = "".join(hidden[at : at + len(sample.secret)]) if at >= 0 else "".join(hidden)
        longest = max([len(run) for run in re.findall(r"[A-Za-z0-9_-]+", left)], default=0)
        return longest > MOST_LEFT or left == sample.secret


# -- texts without keys -----------------------------------------------------------------------


def library() -> Iterator[str]:
    """Code: Python's own library."""
    size = 0
    for path in sorted(Path(os.__file__).parent.glob("*.py")):
        text = path.read_text("utf-8", "replace")
        size += len(text)
        yield text
        if size > MEGABYTE:
            return


def prose() -> Iterator[str]:
    """Python's manual, and the documentation of this project."""
    yield from islice(pydoc_data.topics.topics.values(), 40)
    for path in sorted((ROOT / "docs").rglob("*.md")):
        yield path.read_text("utf-8")


def hashes(source: random.Random) -> Iterator[str]:
    """What tools print and lock files hold."""
    for number in range(300):
        data = source.randbytes(32)
        sha1, sha256 = hashlib.sha1(data).hexdigest(), hashlib.sha256(data).hexdigest()
        sha512 = base64.b64encode(hashlib.sha512(data).digest()).decode()
        yield f"commit {sha1}"
        yield f"{sha256}  file-{number}.tar.gz"
        yield f'      "integrity": "sha512-{sha512}",'
        yield f'checksum = "{sha256}"'
        yield f"{{ url = 'https://files.example.org/{number}.whl', hash = 'sha256:{sha256}' }}"
        yield f'"etag": "{hashlib.md5(data).hexdigest()}", "id": "{uuid.UUID(bytes=data[:16])}"'
        yield f"FROM registry.example.org/python@sha256:{sha256}"
        yield f"git checkout {sha1[:7]} && git show {sha1}"


def encoded(source: random.Random) -> Iterator[str]:
    """Images, certificates and other data in base64."""
    for number in range(60):
        data = base64.b64encode(source.randbytes(900)).decode()
        yield f'<img src="data:image/png;base64,{data}">'
        yield from textwrap.wrap(data, 76)
        yield f'{{"data": "{data[:200]}", "mime": "image/webp"}}'
        yield f'"mappings": "{data[: 40 + number]}"'
        yield f"const font = '{data[:400]}';"


def ids(source: random.Random) -> Iterator[str]:
    """What transcripts of agents are full of."""
    letters = string.ascii_letters + string.digits
    for _ in range(300):
        word = "".join([source.choice(letters) for _ in range(24)])
        number = source.getrandbits(128)
        yield json.dumps({"type": "tool_use", "id": f"toolu_01{word[:22]}", "name": "Bash"})
        yield json.dumps({"tool_call_id": f"call_{word}", "role": "tool", "content": "ok"})
        yield json.dumps({"uuid": str(uuid.UUID(int=number)), "requestId": f"req_011{word[:21]}"})
        yield f'[^{number:032x}]: [claude] time="2026-02-03T10:00:19.000Z" model=claude-opus-4-5'
        yield json.dumps({"total_tokens": source.randrange(10**6), "next_page_token": word})


def harmless() -> Iterator[tuple[str, str]]:
    source = random.Random(SEED)
    yield "code", "\n".join(library())
    yield "prose", "\n".join(prose())
    yield "hashes", "\n".join(hashes(source))
    yield "base64", "\n".join(encoded(source))
    yield "ids", "\n".join(ids(source))


# -- the comparison ---------------------------------------------------------------------------


def rules_of_gitleaks() -> str:
    path = os.environ.get("GITLEAKS")
    if path:
        return Path(path).read_text("utf-8")
    with urlopen(RULES, timeout=60) as answer:  # an address of our own
        return str(answer.read().decode("utf-8"))


def main() -> int:
    """Print what is missed and how many false alarms there are; 1 where a peer is better."""
    gitleaks, detect_secrets, msgls = Gitleaks(rules_of_gitleaks()), DetectSecrets(), Msgls()
    is_good = True
    for peer in (gitleaks, detect_secrets):
        samples = list(peer.samples())
        missed = [sample for sample in samples if msgls.misses(sample)]
        rules, missed_rules = ({one.rule for one in some} for some in (samples, missed))
        name = type(peer).__name__
        print(f"{name}: {len(samples)} keys of {len(rules)} rules, all found by its own rule;")
        print(f"  msgls misses {len(missed)}, of {len(missed_rules)} rules")
        for sample in missed if "-v" in sys.argv else ():
            print(f"    {sample.rule}: {sample.line!r}")
        is_good = is_good and not missed
    print("\nLines with a false alarm:")
    tools: dict[str, Tool] = {
        "msgls": msgls,
        "gitleaks": gitleaks,
        "detect-secrets": detect_secrets,
    }
    print(f"{'':8} {'lines':>8} " + " ".join([f"{name:>15}" for name in tools]))
    with tempfile.TemporaryDirectory() as folder:
        for name, text in harmless():
            path = Path(folder, f"{name}.txt")
            path.write_text(text, "utf-8")
            counts = [tool.alarms(path) for tool in tools.values()]
            numbers = " ".join([f"{count:15}" for count in counts])
            print(f"{name:8} {text.count(chr(10)):8} {numbers}")
            is_good = is_good and counts[0] <= min(counts[1:])
    print("msgls misses nothing and alarms least" if is_good else "a peer is BETTER somewhere")
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
