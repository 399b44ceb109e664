"""MSG701: keys and tokens. Every secret is made up here, and put together at run time."""

import json

import pytest

import msgls
from msgls.rules.registry import RULES
from tests.measure import seconds
from tests.notation import each
from tests.rules.support import expect, expect_fix, expect_nothing, find, fixes, message

CODE = "MSG701"
CELL = "# %% Q[^q]\n\n[^q]: [markdown]\n\n"

# Random once, so that tests do not depend on luck; in two halves, so that no scanner of
# repositories takes a line of this file for a key.
LETTERS = "q7Rk2VbN9xTf4WmZc8Lp" + "3HsJ6dYg1AuEoB5iCvXnKw0tMzQhDr"
HEX = "9f3c81d07ab2e65490cd1f8e7b3a2460" + "d5c9e17f802b64a3fe9d0c58b713a62f"
CAPITALS = "Q7RK2VBN" + "9XTF4WMZ"

VENDORS = [
    ("OpenAI", "sk-", LETTERS[:48]),
    ("OpenAI", "sk-" + "proj-", LETTERS[:20] + "-" + LETTERS[20:45] + "_x9"),
    ("OpenAI", "sk-" + "svcacct-", LETTERS),
    ("Anthropic", "sk-" + "ant-api03-", LETTERS + "-" + LETTERS[::-1]),
    ("Anthropic", "sk-" + "ant-", LETTERS[:30]),
    ("OpenRouter", "sk-" + "or-v1-", HEX),
    ("GitHub", "ghp" + "_", LETTERS[:36]),
    ("GitHub", "gho" + "_", LETTERS[:36]),
    ("GitHub", "ghu" + "_", LETTERS[:36]),
    ("GitHub", "ghs" + "_", LETTERS[:36]),
    ("GitHub", "ghr" + "_", LETTERS[:36]),
    ("GitHub", "github" + "_pat_", LETTERS[:22] + "_" + LETTERS[:40] + LETTERS[10:29]),
    ("GitLab", "gl" + "pat-", LETTERS[:20]),
    ("AWS", "AK" + "IA", CAPITALS),
    ("AWS", "AS" + "IA", CAPITALS),
    ("Google", "AI" + "za", LETTERS[:35]),
    ("Slack", "xox" + "b-", "2847593016-3958201746-" + LETTERS[:24]),
    ("Stripe", "sk" + "_live_", LETTERS[:24]),
    ("Stripe", "rk" + "_live_", LETTERS[:24]),
    ("Hugging Face", "hf" + "_", LETTERS[:34]),
    ("Groq", "gsk" + "_", LETTERS),
    ("xAI", "xai" + "-", LETTERS + LETTERS[::-1]),
    ("Perplexity", "pplx" + "-", LETTERS[:48]),
    ("Replicate", "r8" + "_", LETTERS[:37]),
    ("npm", "npm" + "_", LETTERS[:36]),
    ("PyPI", "pypi" + "-", LETTERS + LETTERS[::-1]),
    ("SendGrid", "SG" + ".", LETTERS[:22] + "." + LETTERS[:43]),
    ("Twilio", "S" + "K", HEX[:32]),
    ("DigitalOcean", "dop" + "_v1_", HEX),
    ("Shopify", "shp" + "at_", HEX[:32]),
]


def private_key(kind: str = "RSA ", newline: str = "\n") -> str:
    lines = [LETTERS[:40] + "AAAA" + "+/" + HEX[:18], LETTERS[::-1] + HEX[:14], LETTERS[:20] + "=="]
    dashes = "-" * 5
    begin, end = (
        f"{dashes}BEGIN {kind}PRIVATE KEY{dashes}",
        f"{dashes}END {kind}PRIVATE KEY{dashes}",
    )
    return newline.join([begin, *lines, end])


@pytest.mark.parametrize(("owner", "prefix", "body"), VENDORS)
def test_a_vendors_key_is_found_and_redacted(owner: str, prefix: str, body: str) -> None:
    secret = prefix + body
    text = (
        f"this looks like a key of {owner}, starting with `{prefix}`, {len(secret)} characters: "
        "revoke it, and remove it"
    )
    expect(CODE, f'{CELL}export KEY="«{secret}»"\n', text)
    expect_fix(
        CODE,
        f"{CELL}key={secret}, as you see\n",
        f"{CELL}key={prefix}{'*' * len(body)}, as you see\n",
        safe=False,
        name="Replace it with asterisks",
    )


TOKEN = LETTERS[:40]
KEY = "ghp" + "_" + LETTERS[:36]


@pytest.mark.parametrize(
    "marked",
    [
        f"{CELL}curl -H 'Authorization: Bearer «{TOKEN}»'\n",
        f'{CELL}{{"Authorization": "bearer «eyJ{LETTERS[:20]}.eyJ{LETTERS}.{HEX}»"}}\n',
        # The same thing once, as what is known of it.
        f"{CELL}Authorization: Bearer «{KEY}»\n",
        # Wherever it stands.
        f"{CELL}```sh\necho «{KEY}»\n```\n",
        f"# %% Q «{KEY}»[^q]\n",
        f'# %% Q[^q]\n\n[^q]: [markdown] token="«{KEY}»"\n',
        f"---\ntoken: «{KEY}»\n---\n" + CELL,
        f"Preamble 🙂猫 «{KEY}»\r\n\r\n" + CELL.replace("\n", "\r\n"),
        f"{CELL}«{KEY}» and «{KEY}»",
        # Half-written: the cell ends with it.
        f"{CELL}«{KEY}»",
    ],
)
def test_where_it_is_found(marked: str) -> None:
    expect(CODE, marked)


@pytest.mark.parametrize("kind", ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "])
@each("newline", ["\n", "\r\n", "\\n"])
def test_a_private_key_is_found(kind: str, newline: str) -> None:
    key = private_key(kind, newline)
    text = f"this looks like a private key, {len(key)} characters: replace it, and remove it"
    expect(CODE, f"{CELL}«{key}»\n", text)
    ((_, safe, fixed),) = fixes(CODE, f"{CELL}{key}\n")
    assert not safe
    assert len(fixed) == len(CELL) + len(key) + 1
    first, *lines, last = fixed[len(CELL) : -1].split(newline)
    assert (first, last) == (key.split(newline)[0], key.split(newline)[-1])
    assert {character for line in lines for character in line} == {"*"}
    expect_nothing(CODE, fixed)


def test_a_private_key_without_its_end() -> None:
    key = private_key().rpartition("\n")[0]
    expect(CODE, f"{CELL}«{key}»\n\nWords.\n")
    expect(CODE, f"{CELL}«{key}»\n" + private_key().partition("\n")[0] + "\nMIIE...\n")


def test_nothing_of_the_secret_is_shown() -> None:
    for _, prefix, body in VENDORS:
        _, (problem,) = find(CODE, CELL + prefix + body)
        shown = message(problem) + repr(problem.args) + repr(problem.data)
        assert body[:6] not in shown.replace(prefix, "")
    _, (problem,) = find(CODE, f"{CELL}Bearer {TOKEN}\n")
    assert TOKEN[:6] not in message(problem) + repr(problem)


@pytest.mark.parametrize(
    "words",
    [
        "sk-...",
        "sk-" + "x" * 48,
        "sk-" + "proj-" + "X" * 40,
        "sk-" + "1234567890abcdef" * 3,
        "sk-" + "abcdefghijklmnopqrstuvwxyz0123456789",
        "sk-" + "your-api-key-goes-here-2024-please",
        "sk-" + "ant-colony-optimisation-algorithms-2",
        "sk-" + "learn-contrib-lightning-style-extension",
        "a risk-free, task-based, desk-bound, ask-me-anything approach",
        "sk-" + "proj-<token>",
        "OPENAI_API_KEY=YOUR_KEY",
        "ghp" + "_" + "x" * 36,
        "ghp" + "_" + "a1b2c3",
        "github" + "_pat_example",
        "AK" + "IAIOSFODNN7EXAMPLE",
        "AK" + "IA" + "1" * 16,
        "BAK" + "IA" + CAPITALS,
        "AK" + "IA" + CAPITALS + "XY",
        "S" + "K" + "0" * 32,
        "SKETCHES SG. and SG.1 of hf_hub_download, npm_config_registry, npm_package_name",
        "hf_" + "transformers_pipeline_configuration_x",
        "pypi-" + "publish-to-the-test-index-with-a-trusted-publisher-of-github",
        "xoxo, xox" + "b-your-token",
        "Authorization: Bearer <token>",
        "Authorization: Bearer $TOKEN",
        "Authorization: Bearer YOUR_ACCESS_TOKEN_GOES_HERE_1",
        "Authorization: Bearer ********************************",
        "Bearer AuthenticationProviderConfiguration",
        "Bearer OAuth2AuthenticationProvider",
        "the bearer of-good-news-from-far-far-away",
        "-----BEGIN PUBLIC KEY-----\n" + LETTERS * 3 + "\n-----END PUBLIC KEY-----",
        "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
        "-----BEGIN RSA PRIVATE KEY-----\n<your key>\n-----END RSA PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----",
        "[^1]: [Keys](https://example.org/keys?page=sk-list&sort=ghp_)",
    ],
)
def test_examples_and_words_are_fine(words: str) -> None:
    expect_nothing(CODE, f"{CELL}{words}\n")


LONG = pytest.mark.parametrize(
    "text",
    [
        "-----BEGIN PRIVATE KEY-----\n" * 20_000,
        "-----BEGIN PRIVATE KEY-----" * 20_000 + "-----END PRIVATE KEY-----",
        "SG." + "a" * 500_000,
        "SG." * 150_000,
        "sk-" * 150_000,
        "Bearer " * 70_000,
        "Bearer" + " " * 500_000,
        "-----BEGIN PRIVATE KEY-----\n" + "A" * 500_000,
        "-----BEGIN " * 50_000,
        "\\n" * 200_000 + "-----BEGIN PRIVATE KEY-----" + "\\n" * 200_000,
    ],
)


@LONG
def test_nothing_is_found_in_long_texts(text: str) -> None:
    expect_nothing(CODE, text)


@pytest.mark.fuzz
@LONG
def test_no_text_takes_long(text: str) -> None:
    assert seconds(lambda: expect_nothing(CODE, text)) < 2


# -- every format -----------------------------------------------------------------------------

KEY = "sk-" + "ant-api03-" + LETTERS
MESSAGE = {
    "runId": "r",
    "role": "user",
    "parts": [{"kind": "text", "payload": {"text": f"My key is {KEY}."}}],
    "timestamp": "2026-01-02T03:04:05Z",
}
FILES = {
    "a.stf": f"@user\nMy key is {KEY}.\n",
    "messages/notes/1.md": f"; role: user\n\n\nMy key is {KEY}.\n",
    "a.messages.json": json.dumps([MESSAGE], indent=2),
    "a.messages.jsonl": json.dumps(MESSAGE) + "\n",
    "a.session.jsonl": json.dumps({"id": "e", "type": "message", "payload": MESSAGE}) + "\n",
    "agents.json": json.dumps({"agents": [{"name": "A", "path": "a", "settings": {"key": KEY}}]}),
}


@pytest.mark.parametrize("path", FILES)
def test_it_is_found_in_every_format(path: str) -> None:
    text = FILES[path]
    expect(CODE, text.replace(KEY, f"«{KEY}»"), path=path)
    assert [finding.code for finding in msgls.check_text(text, path=path)].count(CODE) == 1
    [(_, safe, fixed)] = fixes(CODE, text, path=path)
    assert not safe
    assert KEY not in fixed


def test_it_is_listed_once() -> None:
    assert [rule.code for rule in RULES].count(CODE) == 1
