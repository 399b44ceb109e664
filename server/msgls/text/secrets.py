"""Keys and tokens in a text: found by their prefix, their length and how random they look.

Owns the list of prefixes and of shapes, the names that secrets are assigned to, the test
for randomness and the redacting. Knows no
format. Every search starts from a literal that clean text hardly ever holds, and
goes forward only: the time is linear in the text, whatever is in it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from math import log2
from typing import Literal, NamedTuple

from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Span

Kind = Literal["vendor", "private", "bearer", "assigned", "address"]


class Secret(NamedTuple):
    """One secret."""

    kind: Kind
    owner: str
    """The vendor of the key, or the name that the value is assigned to."""
    prefix: str
    """The part of it that may be shown."""
    span: Span


class _Vendor(NamedTuple):
    """The prefix of a vendor's keys, and their pattern."""

    literal: str
    owner: str
    pattern: re.Pattern[str]
    """Matched at the literal: group 1 is the prefix, the last one the random part."""


def _vendor(literal: str, owner: str, body: str, prefix: str = "") -> _Vendor:
    pattern = rf"({prefix or re.escape(literal)})({body})(?![A-Za-z0-9])"
    return _Vendor(literal, owner, lazy_pattern(pattern))


_WORD = "[A-Za-z0-9]"
_DASHED = "[A-Za-z0-9_-]"
# Keys grow over time: a length is the least that was ever given out, and open above unless
# the vendor's keys are all of one length.
_VENDORS = (
    _vendor("sk-ant-", "Anthropic", rf"{_DASHED}{{20,}}", r"sk-ant-(?:[a-z]+[0-9]{2}-)?"),
    _vendor("sk-proj-", "OpenAI", rf"{_DASHED}{{20,}}"),
    _vendor("sk-svcacct-", "OpenAI", rf"{_DASHED}{{20,}}"),
    _vendor("sk-admin-", "OpenAI", rf"{_DASHED}{{20,}}"),
    _vendor("sk-or-v1-", "OpenRouter", rf"{_WORD}{{32,}}"),
    _vendor("sk-", "OpenAI", rf"{_WORD}{{20,}}"),
    _vendor("sk_", "Stripe", rf"{_WORD}{{10,}}", r"sk_(?:live|test|prod)_"),
    _vendor("rk_", "Stripe", rf"{_WORD}{{10,}}", r"rk_(?:live|test|prod)_"),
    _vendor("whsec_", "Stripe", rf"{_WORD}{{32,}}"),
    *[_vendor(f"gh{kind}_", "GitHub", r"[A-Za-z0-9_]{30,}") for kind in "pousr"],
    _vendor("github_pat_", "GitHub", r"[A-Za-z0-9_]{22,}"),
    _vendor(
        "gl",
        "GitLab",
        r"[A-Za-z0-9_.-]{20,}",
        r"gl(?:pat|dt|ft|rt|oas|imt|agent|ptt|soat|ffct|cbt)-",
    ),
    _vendor("GR1348941", "GitLab", rf"{_DASHED}{{20,}}"),
    _vendor("_gitlab_session=", "GitLab", r"[0-9a-z]{32}"),
    *[_vendor(kind, "AWS", r"[A-Z0-9]{16}") for kind in ("AKIA", "ASIA", "ABIA", "ACCA")],
    _vendor("A3T", "AWS", r"[A-Z0-9]{17}"),
    _vendor("ABSK", "AWS", r"[A-Za-z0-9+/]{100,}"),
    _vendor("bedrock-api-key-", "AWS", r"[A-Za-z0-9+/]{24,}"),
    _vendor("AIza", "Google", rf"{_DASHED}{{35}}"),
    _vendor("GOCSPX-", "Google", rf"{_DASHED}{{24,}}"),
    _vendor("ya29.", "Google", rf"{_DASHED}{{30,}}"),
    _vendor("xox", "Slack", r"[A-Za-z0-9-]{8,}", r"xox(?:[abeoprs]|e\.xox[bp])-"),
    _vendor("hf_", "Hugging Face", rf"{_WORD}{{30,}}"),
    _vendor("api_org_", "Hugging Face", rf"{_WORD}{{30,}}"),
    _vendor("xai-", "xAI", rf"{_WORD}{{40,}}"),
    _vendor("gsk_", "Groq", rf"{_WORD}{{40,}}"),
    _vendor("pplx-", "Perplexity", rf"{_WORD}{{40,}}"),
    _vendor("r8_", "Replicate", rf"{_WORD}{{37}}"),
    _vendor("npm_", "npm", rf"{_WORD}{{36,}}"),
    _vendor("pypi-", "PyPI", rf"{_DASHED}{{50,}}"),
    _vendor("SG.", "SendGrid", rf"{_DASHED}{{16,}}\.{_DASHED}{{16,}}|[A-Za-z0-9_=.-]{{66}}"),
    _vendor("SK", "Twilio", r"[0-9a-z]{32}|[0-9a-fA-F]{32}"),
    _vendor("AC", "Twilio", r"[0-9a-z]{32}"),
    *[_vendor(f"do{kind}_v1_", "DigitalOcean", r"[0-9a-f]{64}") for kind in "por"],
    *[_vendor(f"shp{kind}_", "Shopify", r"[0-9a-fA-F]{32}") for kind in ("at", "ca", "pa", "ss")],
    _vendor("A3-", "1Password", r"[A-Z0-9]{6}-[A-Z0-9-]{11,12}(?:-[A-Z0-9]{5}){3}"),
    _vendor("ops_eyJ", "1Password", r"[A-Za-z0-9+/]{100,}"),
    _vendor("p8e-", "Adobe", rf"{_WORD}{{32}}"),
    _vendor("AGE-SECRET-KEY-1", "age", r"[A-Z0-9]{58}"),
    _vendor("LTAI", "Alibaba", rf"{_WORD}{{20}}"),
    _vendor("AKC", "Artifactory", rf"{_WORD}{{10,}}"),
    _vendor("AP", "Artifactory", rf"{_WORD}{{8,}}(?=[\s\"']|$)", r"AP[0-9A-F]"),
    _vendor("cmVmd", "Artifactory", rf"{_WORD}{{59}}"),
    _vendor("4b1d", "ClickHouse", rf"{_WORD}{{38}}"),
    _vendor("CLOJARS_", "Clojars", rf"{_WORD}{{60}}"),
    _vendor("v1.0-", "Cloudflare", r"[a-f0-9]{24}-[a-f0-9]{146}"),
    _vendor("dapi", "Databricks", r"[a-f0-9]{32}(?:-\d)?"),
    _vendor("dp.", "Doppler", rf"{_WORD}{{40,}}", r"dp\.(?:pt|st|ct|sa|scim|audit)\."),
    _vendor("duffel_", "Duffel", r"[A-Za-z0-9_=-]{43}", r"duffel_(?:test|live)_"),
    _vendor("dt0c01.", "Dynatrace", rf"{_WORD}{{24}}\.{_WORD}{{64}}"),
    _vendor("EZ", "EasyPost", rf"{_WORD}{{54}}", r"EZ[AT]K"),
    _vendor("EAA", "Facebook or Square", rf"{_DASHED}{{22,}}", r"EAA[ACM]"),
    _vendor("FLW", "Flutterwave", r"[A-Ha-h0-9]{12,32}(?:-X)?", r"FLW(?:SECK|PUBK)_TEST-"),
    _vendor("fo1_", "Fly.io", rf"{_DASHED}{{43}}"),
    _vendor("fm", "Fly.io", r"[A-Za-z0-9+/]{100,}", r"fm(?:1[ar]|2)_"),
    _vendor("fio-u-", "Frame.io", r"[A-Za-z0-9_=-]{64}"),
    _vendor("eyJrIjoi", "Grafana", rf"{_WORD}{{70,}}"),
    _vendor("glc_", "Grafana", r"[A-Za-z0-9+/]{32,}"),
    _vendor("glsa_", "Grafana", rf"{_WORD}{{32}}_[A-Fa-f0-9]{{8}}"),
    _vendor("HRKU-AA", "Heroku", rf"{_DASHED}{{58}}"),
    _vendor("ico-", "Infracost", rf"{_WORD}{{32}}"),
    _vendor("s-s4t2", "42", r"[a-f0-9]{64}", r"s-s4t2(?:ud|af)-"),
    _vendor("lin_api_", "Linear", rf"{_WORD}{{40}}"),
    _vendor("ntn_", "Notion", rf"{_WORD}{{40,}}"),
    _vendor("API-", "Octopus Deploy", r"[A-Z0-9]{26}"),
    _vendor("sha256~", "OpenShift", rf"{_DASHED}{{43}}"),
    _vendor("pscale_", "PlanetScale", r"[A-Za-z0-9_=.-]{32,}", r"pscale_(?:tkn|oauth|pw)_"),
    _vendor("PMAK-", "Postman", r"[A-Fa-f0-9]{24}-[A-Fa-f0-9]{34}"),
    _vendor("pnu_", "Prefect", rf"{_WORD}{{36}}"),
    _vendor("pul-", "Pulumi", r"[a-f0-9]{40}"),
    _vendor("rdme_", "ReadMe", r"[a-z0-9]{70}"),
    _vendor("rubygems_", "RubyGems", r"[a-f0-9]{48}"),
    _vendor("tk-us-", "Scalingo", rf"{_DASHED}{{48}}"),
    _vendor("xkeysib-", "Brevo", rf"[a-f0-9]{{64}}-{_WORD}{{16}}"),
    _vendor("sntrys_", "Sentry", r"[A-Za-z0-9+/=_]{60,}"),
    _vendor("sntryu_", "Sentry", r"[a-f0-9]{64}"),
    _vendor("sm_", "SettleMint", rf"{_WORD}{{16}}", r"sm_[aps]at_"),
    _vendor("shippo_", "Shippo", r"[A-Fa-f0-9]{40}", r"shippo_(?:live|test)_"),
    _vendor("sgp_", "Sourcegraph", r"[A-Fa-f0-9]{40}", r"sgp_(?:(?:[A-Fa-f0-9]{16}|local)_)?"),
    _vendor("sq0atp-", "Square", rf"{_DASHED}{{22,}}"),
    _vendor("sq0csp-", "Square", r"[A-Za-z0-9_\\-]{43}"),
    _vendor("hv", "Vault", rf"{_DASHED}{{90,}}", r"hv[bs]\."),
    _vendor("ATATT3", "Atlassian", r"[A-Za-z0-9_=-]{100,}"),
    *[
        _vendor(
            f"{kind}_",
            "Authress",
            r"[a-z0-9]{5,30}\.[a-z0-9]{4,6}\.acc[_-][a-z0-9-]{10,32}\.[a-z0-9+/_=-]{30,120}",
        )
        for kind in ("sc", "ext", "scauth", "authress")
    ],
    _vendor("t1.", "Yandex", r"[A-Za-z0-9_-]+={0,2}\.[A-Za-z0-9_-]{86}={0,2}"),
    _vendor("AQVN", "Yandex", rf"{_DASHED}{{35,38}}"),
    _vendor("A" * 22, "Twitter", r"[A-Za-z0-9%]{80,100}"),
    _vendor("AccountKey=", "Azure", r"[A-Za-z0-9+/=]{86,88}"),
    _vendor("pat", "Airtable", rf"{_WORD}{{14}}\.[a-f0-9]{{64}}"),
    _vendor("pat.", "Harness", rf"{_DASHED}{{22}}\.{_WORD}{{24}}\.{_WORD}{{20}}"),
    _vendor("sat.", "Harness", rf"{_DASHED}{{22}}\.{_WORD}{{24}}\.{_WORD}{{20}}"),
)


class _Shape(NamedTuple):
    """The shape of a secret without a known prefix."""

    literal: str
    """Stands in every one."""
    owner: str
    before: tuple[int, ...]
    """How many characters of it may be before the literal."""
    pattern: re.Pattern[str]
    """Matched where it starts. Group 1 is the secret, or all of it is."""


def _shape(literal: str, owner: str, pattern: str, *before: int) -> _Shape:
    return _Shape(literal, owner, before or (0,), lazy_pattern(f"{pattern}{_NO_WORD_BEHIND}"))


_NO_WORD_BEHIND = r"(?![A-Za-z0-9_-])"
_SHAPES = (
    _shape(
        "ey",
        "JSON Web Token",
        rf"ey(?:J{_DASHED}{{10,}}|{_WORD}{{17,}})\.ey[A-Za-z0-9_/\\-]{{11,}}"
        r"\.(?:[A-Za-z0-9_/\\-]{10,}={0,2})?",
    ),
    _shape("ZXlK", "JSON Web Token", r"ZXlK[A-Za-z0-9+/_\\-]{40,}={0,2}"),
    _shape("xapp-", "Slack", rf"xapp-(\d-{_WORD}+-\d+-[a-z0-9]+|[A-Za-z0-9-]{{20,}})"),
    _shape(":_authToken=", "npm", rf":_authToken=[ \t]*({_DASHED}{{6,}})"),
    _shape("Q~", "Azure", r"[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34}", 4),
    _shape(":", "Telegram", rf"\d{{8,10}}:{_DASHED}{{35}}", 8, 9, 10),
    _shape("-us", "Mailchimp", r"[0-9a-z]{32}-us\d{1,2}", 32),
    _shape(".atlasv1.", "Terraform", rf"{_WORD}{{14}}\.atlasv1\.[A-Za-z0-9_=-]{{60,70}}", 14),
    _shape("_mmk", "MaxMind", rf"{_WORD}{{6}}_{_WORD}{{29}}_mmk", 36),
    _shape(
        "webhook.office.com/webhookb2/",
        "Microsoft Teams",
        r"webhook\.office\.com/webhookb2/([A-Za-z0-9@/-]{60,250})",
    ),
    _shape("api.softlayer", "SoftLayer", rf"api\.softlayer\.com/soap/v3(?:\.\d)?/({_WORD}{{64}})"),
    _shape(
        "hooks.slack.com/",
        "Slack",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9+/_]{40,}|T\w+/B\w+/\w+)",
    ),
    _shape("|", "Facebook", rf"\d{{15,16}}\|{_DASHED}{{27,40}}", 15, 16),
    _shape("s.", "Vault", rf"s\.{_WORD}{{24}}"),
    *[
        _shape(".", "Discord", rf"[MNO]{_DASHED}{{{n - 1}}}\.{_DASHED}{{6}}\.{_DASHED}{{27,38}}", n)
        for n in (24, 25, 26)
    ],
)

# What secrets are called where something is assigned to them, and what only sounds like it.
_NAMES = (
    b"key", b"secret", b"token", b"pass", b"pwd", b"credential", b"creds", b"auth", b"access",
    b"api", b"contras",
)  # fmt: skip
_KEY_OF = lazy_pattern(
    r"(?:api|secret|private|access|auth|client|encryption|signing|master|service|account"
    r"|license|webhook|storage|subscription|shared|deploy|application|app|admin|db|database|priv|cl)"
    r"[_. -]?$"
)
# As code, settings and markup assign: `key = "…"`, `'key': …`, `"key" value="…"`, `key "…"`.
_BETWEEN = (
    r"\\{0,3}[\"'`\] \t]{0,4}(?:value[ \t]{0,2})?"
    r"(?:=>|:{1,3}=?|\|\||\?=|={1,2}|,|>|[ \t]{0,5}(?=[\"'`])|(?<=[\"'\]])[ \t]{1,8})"
    r"[ \t]{0,3}\\{0,3}[\"'`= \t]{0,5}"
)
_ENDS_OF_BETWEEN = frozenset("=:>|,\\\"'` \t")
_VALUE = lazy_pattern(
    rf"(?P<rest>[\w.-]{{0,20}}){_BETWEEN}(?P<value>[A-Za-z0-9_.~+/=@!$%^&*-]{{8,300}})"
)
# The keys of these services are known by the name before them, and by their lengths.
_LENGTHS: Mapping[str, Sequence[int]] = {
    "adafruit": (32,), "adobe": (32,), "airtable": (17,), "algolia": (32,), "alibaba": (30,),
    "artifactory": (64, 73), "asana": (16, 32), "atlassian": (24,), "aws": (40,),
    "beamer": (46,),
    "bintray": (64, 73), "bitbucket": (32, 64), "bittrex": (32,), "cloudflare": (37, 40),
    "clou": (24, 64), "codecov": (32,), "cohere": (40,), "coinbase": (64,), "confluence": (24,),
    "confluent": (16, 64), "contentful": (43,), "contribsys": (17,), "datadog": (32, 40),
    "discord": (18, 32, 64), "dnkey": (85,), "droneci": (32,), "dropbox": (15, 64, 138),
    "etsy": (24,), "facebook": (32,), "fastly": (32,), "finicity": (20, 32), "finnhub": (20,),
    "flickr": (32,), "freshbooks": (64,), "gitter": (40,), "gocardless": (45,), "heroku": (36,),
    "hubspot": (36,), "intercom": (60,), "jfrog": (64, 73), "jira": (24,),
    "kraken": range(80, 91), "kucoin": (24, 36), "launchdarkly": (40,), "linear": (32,),
    "linked_in": (14, 16), "linked-in": (14, 16), "linkedin": (14, 16), "lob": (40,),
    "looker": (20, 24), "mailgun": (36, 39, 50), "mapbox": (86,), "mattermost": (26,),
    "meraki": (40,), "message_bird": (25, 36), "message-bird": (25, 36), "messagebird": (25, 36),
    "netlify": range(40, 47), "new_relic": (24, 32, 37, 64), "new-relic": (24, 32, 37, 64),
    "newrelic": (24, 32, 37, 64), "new-york-times": (32,), "newyorktimes": (32,),
    "nytimes": (32,), "okta": (42,), "plaid": (24, 30, 51, 54, 55), "private_ai": (32,),
    "private-ai": (32,), "privateai": (32,), "rapidapi": (50,), "sendbird": (36, 40),
    "sentry": (64,), "snyk": (36,), "sonar": (40, 44), "squarespace": (36,), "sumo": (14, 64),
    "telegr": range(41, 53), "travis": (22,), "twitch": (30,),
    "twitter": (25, *range(36, 67)), "typeform": (63,), "xray": (64, 73), "yandex": (40,),
    "zendesk": (40,),
}  # fmt: skip
_BY_LENGTH: dict[int, list[str]] = {}
for _name, _lengths in _LENGTHS.items():
    for _length in _lengths:
        _BY_LENGTH.setdefault(_length, []).append(_name)
_LEAST_OF_SERVICE = min(_BY_LENGTH)
_NAMED = lazy_pattern(rf"(?P<name>[\w. \t,-]{{1,40}})(?:{_BETWEEN})$")
_BEFORE = 60
_OPERATOR = re.compile(r"[=:>|,]")
_PADDING = "A" * 10
_CURL = lazy_pattern(
    r"(?:-u|--user)[ \t=]{0,5}[\"']?(?:[^\s:\"'$]{0,100}[\"']?:[\"']?"
    r"(?P<password>[^\s:\"'${}<>]{3,200})"
    r"|(?P<user>[A-Za-z0-9_-]{3,}):)(?=[\"'\s]|$)"
    r"|(?:-H|--header)[ \t=]{0,5}[\"']{0,2}(?:Authorization:[ \t]{0,5}(?:Basic|Bearer|Token|ApiKey"
    r"|Api-Token)|[A-Za-z-]{0,30}(?:token|key)[ \t]{0,3}:)"
    r"[ \t]{0,5}(?P<header>[A-Za-z0-9_.~+/=@-]{8,300})",
    re.IGNORECASE,
)
_LONGEST_CURL = 2_000
_HARMLESS_NAME = lazy_pattern(
    r"(?<![A-Za-z])(?:count|page|next|limit|max|min|usage|type|name|path|file|hash|public|csrf"
    r"|length|size|tokens|url|uri|endpoint|header|field|prefix|regex|pattern)",
    re.IGNORECASE,
)
_REFERENCE = lazy_pattern(r"[$%{<(]|(?:[A-Za-z_]\w{0,30}\.)+[A-Za-z_]\w{0,30}$|.*\.\.\.")
_GIBBERISH = lazy_pattern(r"(?=[a-z]{20})[a-z]*?[b-df-hj-np-tv-z]{4}[a-z]*")
_LETTERS = lazy_pattern(r"[A-Za-z_./-]+$")
_WEAK = frozenset({
    "admin", "changeme", "guest", "pass", "passwd", "password", "postgres", "pw", "root",
    "secret", "test", "token", "user",
})  # fmt: skip
_BREAKS = ("\\n", "\\r", "\\t")
_WORDS = ("w", "W")
_LEAST_ASSIGNED = 16
_LEAST_SHORT, _LEAST_SHORT_BITS = 10, 3.0
_SHOWN = 3
_LEAST_URL_PASSWORD = 4
# Host names that are reserved for documentation (RFC 2606).
_EXAMPLE_HOST = lazy_pattern(
    r"(?:[a-z0-9-]{1,63}\.){0,5}(?:example(?:\.(?:com|net|org))?|test|invalid)(?![a-z0-9.-])",
    re.IGNORECASE,
)
_URL_PASSWORD = lazy_pattern(r"://([^\s:/?#@\"'`<>]{0,100}):([^\s:/?#@\"'`<>${}%*]{1,200})@")

_BEGIN = "-----BEGIN"
_END = "-----END "
_BEGIN_LINE = lazy_pattern(r"-----BEGIN[ A-Z0-9_-]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_END_LINE = lazy_pattern(r"-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_KEY_LINES = lazy_pattern(r"(?:[A-Za-z0-9+/=]{16,}|[ \t\r\n>|]+|\\[nr])+")
_BASE64 = lazy_pattern(r"[A-Za-z0-9+/=]{8,}")
_LEAST_KEY = 64
_PUTTY = lazy_pattern(r"Private-Lines: \d{1,4}((?:\s{1,4}[A-Za-z0-9+/=]{4,64}){2,})")
_KUBERNETES = lazy_pattern(r"kind:[ \t]{0,5}[\"']?secret\b", re.IGNORECASE)
_KUBERNETES_DATA = lazy_pattern(
    r"[\w.-]{1,100}[\"']?:[ \t]{0,5}(?:\|\s{0,40})?[\"']?([A-Za-z0-9+/]{10,}={0,3})"
)
_AROUND_KIND = 2_000
_LONGEST_KEY = 20_000
_BEARER = ("earer", "EARER")
_BEARER_SIGNS = (b"earer", b"EARER", b"uthorization")
# What may belong to something far after it.
_FAR_SIGNS = (*_BEARER_SIGNS, b"curl", b"-----BEGIN", b"Private-Lines:")

_TOKEN = lazy_pattern(r"[ \t]+([A-Za-z0-9_.~+/-]{20,}=*)")
_BASIC = lazy_pattern(
    r"uthorization[\\\"']{0,4}[ \t]{0,3}[:=,][ \t]{0,3}[\\\"']{0,4}Basic[ \t]{1,3}"
    r"([A-Za-z0-9+/]{12,}={0,2})",
    re.IGNORECASE,
)

_EXAMPLE = lazy_pattern(
    r"(?i:example|your|redacted|placeholder|dummy|sample|changeme|insert)|(.)\1{4}"
)
_SEPARATORS = lazy_pattern(r"[-_.~+/=]+")
_LEAST_BITS = 2.7
_LEAST_NAMED_BITS = 2.0
_LEAST_KEY_BITS = 4.5
# Of random neighbours about half are of another kind (capital, letter, digit); in words and
# names few are. Of random neighbours hardly any follow each other in the alphabet.
_LEAST_CHANGES = 0.25
_LEAST_RUN = 30
_DIGITS_AMONG = 8
_MOST_STEPS = 0.5


# Every key of a vendor has so many characters of one in a row, and hardly any prose has.
_RUN_CHARACTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.~+/=:|@"
_TOKENS = bytes(ord("x") if byte in _RUN_CHARACTERS else 0 for byte in range(256))
# Spelled out: a literal is searched for in linear time, a repeated class is not.
_RUNS = lazy_pattern(b"x" * 11 + b"x*")
_NOT_SMALL = lazy_pattern(r"[A-Z0-9]|(?:hf|api_org)_[a-z]{30}|[a-z]{24}")


def _by_start() -> dict[str, list[_Vendor | _Shape]]:
    """What a secret may be that begins with certain two characters."""
    kinds: dict[str, list[_Vendor | _Shape]] = {}
    at_start: list[_Vendor | _Shape] = [*_VENDORS]
    at_start += [shape for shape in _SHAPES if shape.before == (0,)]
    for kind in at_start:
        kinds.setdefault(kind.literal[:2], []).append(kind)
    return kinds


_BY_START = _by_start()
# Where a word starts inside a run, as far as a secret may begin there.
_FIRST = sorted({start[0] for start in _BY_START})
_SECOND = {a: "".join(sorted({s[1] for s in _BY_START if s[0] == a})) for a in _FIRST}
_WORDS_INSIDE = lazy_pattern(
    r"[_.~+/=:|@-](?="
    + "|".join([f"{re.escape(first)}[{re.escape(second)}]" for first, second in _SECOND.items()])
    + ")"
)
_INNER_SHAPES = [shape for shape in _SHAPES if shape.before != (0,)]
# Each of them has one of these marks, which a line of base64 has not; and one of these signs,
# which hardly anything else has.
_INNER_MARK = lazy_pattern(r"[~:._|-]")
_INNER_SIGN = lazy_pattern(r"\dQ~|\d{8}:|-us\d|\.atlasv1\.|_mmk|\d{15}\||\.[A-Za-z0-9_-]{6}\.")
# The shortest of them is a key of Mailchimp.
_LEAST_SHAPE = 36
# Programs wrap base64 after 60 characters (`uuencode -m`), 64 (PEM) or 76 (MIME).
_LEAST_WRAPPED = 60
_NOT_BASE64 = lazy_pattern(r"[^A-Za-z0-9+/]")
# As long as the keys of some services, and in nearly every line of a log.
_TIMESTAMP = lazy_pattern(r"\d{4}-\d\d-\d\dT\d\d:\d\d[\d:.]{0,16}(?:Z|[+-]\d\d:?\d\d)?")


def find_secrets(text: str) -> list[Secret]:
    """The secrets of a text, in order, none inside another."""
    # A byte for each character, so that places are the same: bytes are searched fastest.
    plain = text.encode("ascii", "replace")
    found = _in_runs(text, plain)
    if any(sign in plain for sign in _BEARER_SIGNS):
        found += _bearer_tokens(text)
    found += _assigned(text, plain.lower())
    if b"curl" in plain:
        found += _curl_secrets(text)
    if b"://" in plain:
        found += _url_passwords(text)
    if b"-----BEGIN" in plain:
        found += _private_keys(text)
    if b"Private-Lines:" in plain:
        found += [
            Secret("private", "", "", Span(*match.span(1))) for match in _PUTTY.finditer(text)
        ]
    if b"data:" in plain:
        found += _kubernetes_secrets(text)
    return found if len(found) < 2 else _apart(found)


# Stands between texts that are searched together: none of what is looked for goes over it.
_APART = "\n\0\n"


def may_hold_secrets(texts: Sequence[str]) -> set[int]:
    """The numbers of those texts that may hold a secret: too many are allowed, too few are not.

    Very many texts are searched together, which takes a fraction of what each by itself does.
    """
    text = _APART.join(texts)
    plain = text.encode("ascii", "replace")
    places = [secret.span.start for secret in _in_runs(text, plain)]
    places += [secret.span.start for secret in _assigned(text, plain.lower())]
    if b"://" in plain:
        places += [match.start() for match in _URL_PASSWORD.finditer(text)]
    if b"data:" in plain:
        places += [match.start() for match in _KUBERNETES.finditer(text)]
    for sign in _FAR_SIGNS:
        at = plain.find(sign)
        while at >= 0:
            places.append(at)
            at = plain.find(sign, at + len(sign))
    if not places:
        return set()
    ends = list(accumulate([len(one) + len(_APART) for one in texts]))
    return {bisect_right(ends, place) for place in places}


def _in_runs(text: str, plain: bytes) -> list[Secret]:
    """The keys that show by themselves what they are, or by the name of a service before them."""
    found: list[Secret] = []
    length = before = 0
    for run in _RUNS.finditer(plain.translate(_TOKENS)):
        start, end = run.span()
        goes_on = end - start == length >= _LEAST_WRAPPED and _goes_on(text, before, start, end)
        length, before = end - start, end
        # In a line of wrapped base64, only what begins with the line may be a key.
        if goes_on:
            if text[start : start + 2] in _BY_START:
                found += _at_starts(text, [start])
        # Paths and names of nothing but small letters are what most texts have, and times.
        elif _NOT_SMALL.search(text, start, end) and not _TIMESTAMP.fullmatch(text, start, end):
            found += _in_run(text, start, end)
            # Most runs have another length, or nothing before them that assigns them to a name.
            starts = [start] if length in _BY_LENGTH else []
            last = min(end - _LEAST_OF_SERVICE, start + _BEFORE)
            starts += [match.end() for match in _OPERATOR.finditer(text, start, last)]
            if starts:
                found += _of_service(text, starts, end)
    return found


def _apart(found: list[Secret]) -> list[Secret]:
    """The same in order, those that overlap made one."""
    found.sort(key=lambda secret: (secret.span.start, -secret.span.end))
    apart: list[Secret] = []
    for secret in found:
        last = apart[-1] if apart else None
        if last is None or last.span.end <= secret.span.start:
            apart.append(secret)
        elif last.span.end < secret.span.end:
            # Two that overlap are hidden as one.
            whole = Span(last.span.start, secret.span.end)
            apart[-1] = secret._replace(prefix="", span=whole)
    return apart


def _goes_on(text: str, before: int, start: int, end: int) -> bool:
    """Whether base64 that fills the line up to ``before`` continues in one of that length."""
    is_next_line = text[before:start].strip(" \t") in ("\n", "\r\n")
    return is_next_line and not (end - start) % 4 and not _NOT_BASE64.search(text, start, end)


def _in_run(text: str, start: int, end: int) -> list[Secret]:
    """The keys in characters of keys that follow each other."""
    starts = [match.end() for match in _WORDS_INSIDE.finditer(text, start, end)]
    if text[start : start + 2] in _BY_START:
        starts.insert(0, start)
    if text[start - 1 : start + 1] in _BREAKS:
        # In JSON, a line break is written with a letter.
        starts.append(start + 1)
    found = _at_starts(text, starts) if starts else []
    is_long = end - start >= _LEAST_SHAPE and _INNER_MARK.search(text, start, end)
    if is_long and _INNER_SIGN.search(text, start, end):
        for shape in _INNER_SHAPES:
            at = text.find(shape.literal, start, end)
            while at >= 0:
                found += _of_shape(text, shape, at)
                at = text.find(shape.literal, at + len(shape.literal), end)
    return found


def _at_starts(text: str, starts: list[int]) -> list[Secret]:
    """The keys that begin at one of these places."""
    found: list[Secret] = []
    after: dict[str, int] = {}
    for at in starts:
        for kind in _BY_START.get(text[at : at + 2], ()):
            if not text.startswith(kind.literal, at):
                continue
            if isinstance(kind, _Shape):
                found += _of_shape(text, kind, at)
            elif at >= after.get(kind.literal, 0):
                match = kind.pattern.match(text, at)
                if match is not None:
                    after[kind.literal] = match.end()
                    if _looks_random(match.group(kind.pattern.groups), is_prefixed=True):
                        found.append(Secret("vendor", kind.owner, match[1], Span(*match.span())))
    return found


def redacted(text: str, secret: Secret) -> str:
    """The secret with all but its prefix replaced, as long as it was."""
    whole = secret.span.of(text)
    if secret.kind != "private":
        return secret.prefix + "*" * (len(whole) - len(secret.prefix))
    begin, end = _BEGIN_LINE.match(whole), whole.find(_END)
    start = 0 if begin is None else begin.end()
    stop = len(whole) if end < 0 else end
    body = re.sub(r"\\[nr]|[^\s\\]", _starred, whole[start:stop])
    return whole[:start] + body + whole[stop:]


@lru_cache(maxsize=1)
def starred(text: str) -> str:
    """A text as long as before in which asterisks hide what is secret.

    Remembered: very many problems may be on one line.
    """
    pieces, done = [], 0
    for secret in find_secrets(text):
        pieces += [text[done : secret.span.start], redacted(text, secret)]
        done = secret.span.end
    return "".join([*pieces, text[done:]])


def _starred(match: re.Match[str]) -> str:
    return match.group() if match.group().startswith("\\") else "*"


def _starts_word(text: str, at: int) -> bool:
    """Whether no word continues there. In JSON, a line break is written with a letter."""
    before = text[at - 1 : at]
    return not (before.isalnum() and before.isascii()) or text[max(0, at - 2) : at] in _BREAKS


def _of_shape(text: str, shape: _Shape, at: int) -> Iterator[Secret]:
    """The secret of that shape whose literal is at ``at``."""
    for before in shape.before:
        start = at - before
        if start < 0 or text[start - 1 : start] in ("_", "-") or not _starts_word(text, start):
            continue
        match = shape.pattern.match(text, start)
        if match is not None and not _EXAMPLE.search(match.group()):
            group = 1 if shape.pattern.groups else 0
            prefix = match.group(group)[:_SHOWN]
            yield Secret("vendor", shape.owner, prefix, Span(*match.span(group)))
            return


def _assigned(text: str, lower: bytes) -> list[Secret]:
    """Values that look random, where a name says that they are secret."""
    found: list[Secret] = []
    for name in _NAMES:
        at = lower.find(name)
        while at >= 0:
            after = at + len(name)
            match = _VALUE.match(text, after)
            if match is not None:
                found += _as_secret(text, name.decode(), at, match)
            at = lower.find(name, after)
    return found


def _as_secret(text: str, name: str, at: int, match: re.Match[str]) -> Iterator[Secret]:
    before = _last_word(text[max(0, at - 24) : at].lower())
    if name == "key" and not _KEY_OF.search(before):
        return
    value, rest = match["value"].rstrip(".,;"), match["rest"]
    if _HARMLESS_NAME.search(rest) or _HARMLESS_NAME.search(before):
        return
    is_gibberish = _is_gibberish(value)
    is_word = bool(_LETTERS.match(value)) and not _is_mixed(value) and not is_gibberish
    if _REFERENCE.match(value) or is_word:
        return
    is_random = _looks_random(value) or is_gibberish
    is_long = is_random and (len(value) >= _LEAST_ASSIGNED or _is_dense(value))
    is_password = (name == "pwd" or rest.startswith(_WORDS)) and _is_strong(value)
    if is_long or is_password:
        start = match.start("value")
        called = text[at - len(before) : match.end("rest")]
        yield Secret("assigned", called, "", Span(start, start + len(value)))


def _is_dense(value: str) -> bool:
    """Whether a short value is random enough: digits among letters, and hardly any twice."""
    digits = sum(character.isdigit() for character in value)
    is_random = digits > 1 or _is_mixed(value)
    return len(value) >= _LEAST_SHORT and is_random and _bits(value) >= _LEAST_SHORT_BITS


def _is_mixed(value: str) -> bool:
    """Whether capitals stand among small letters as they do in no name."""
    capitals = sum(map(str.isupper, value))
    changes = sum(_kind(first) != _kind(second) for first, second in pairwise(value))
    return 4 * capitals >= len(value) and 3 * changes >= len(value)


def _is_gibberish(value: str) -> bool:
    """Whether it is many lower-case letters that cannot be pronounced."""
    is_word = _GIBBERISH.fullmatch(value) is None or _EXAMPLE.search(value) is not None
    return not is_word and _bits(value) >= _LEAST_BITS


def _of_service(text: str, starts: list[int], end: int) -> list[Secret]:
    """A key that only the name of its service and its length show."""
    for at in starts:
        if end - at not in _BY_LENGTH or text[at - 1 : at] not in _ENDS_OF_BETWEEN:
            continue
        before = text[max(0, at - _BEFORE) : at]
        named = _NAMED.search(before) if _owners(before.lower(), end - at) else None
        owners = _owners(named["name"].lower(), end - at) if named else []
        if owners and _is_key(text[at:end].replace(_PADDING, "")):
            return [Secret("assigned", owners[0], "", Span(at, end))]
    return []


def _is_key(body: str) -> bool:
    """Whether a value is a key, if the name of a service precedes it."""
    has_digit = any(map(str.isdigit, body))
    has_humps = body[:1].islower() and sum(map(str.isupper, body)) > 1
    is_key = has_digit or has_humps or _is_mixed(body) or _is_gibberish(body)
    return is_key and _bits(body) >= _LEAST_NAMED_BITS and not _EXAMPLE.search(body)


def _owners(words: str, length: int) -> list[str]:
    return [name for name in _BY_LENGTH.get(length, ()) if name in words]


def _curl_secrets(text: str) -> Iterator[Secret]:
    """Credentials in a curl command."""
    at = text.find("curl")
    while at >= 0:
        for match in _CURL.finditer(text, at, at + _LONGEST_CURL):
            group = match.lastgroup or "header"
            if not _EXAMPLE.search(match[group]) and match[group].lower() not in _WEAK:
                yield Secret("assigned", "curl", "", Span(*match.span(group)))
        at = text.find("curl", at + _LONGEST_CURL)


def _last_word(text: str) -> str:
    """The word that ends with a text: ``next_page_`` of what comes before ``token``."""
    at = len(text)
    while at and (text[at - 1].isalnum() or text[at - 1] in "_-."):
        at -= 1
    return text[at:]


def _url_passwords(text: str) -> Iterator[Secret]:
    for match in _URL_PASSWORD.finditer(text):
        user, password = match.groups()
        if len(password) < _LEAST_URL_PASSWORD or _EXAMPLE_HOST.match(text, match.end()):
            continue
        if password.lower() not in (user.lower(), *_WEAK) and not _EXAMPLE.search(password):
            yield Secret("address", "", "", Span(*match.span(2)))


def _kubernetes_secrets(text: str) -> Iterator[Secret]:
    """The values of a Secret of Kubernetes, which are only encoded."""
    done = 0
    for kind in _KUBERNETES.finditer(text):
        start = max(done, kind.start() - _AROUND_KIND)
        at = text.find("data:", start, kind.end() + _AROUND_KIND)
        if at >= 0:
            end = kind.start() if at < kind.start() else kind.end() + _AROUND_KIND
            for match in _KUBERNETES_DATA.finditer(text, at + 5, end):
                yield Secret("assigned", "Secret", "", Span(*match.span(1)))
            done = kind.end()


def _is_strong(password: str) -> bool:
    """Whether a short password looks like a real one, and not like an example."""
    kinds = {_kind(character) if character.isalnum() else 3 for character in password}
    return len(kinds) > 2 and not _EXAMPLE.search(password)


def _private_keys(text: str) -> Iterator[Secret]:
    at, end = text.find(_BEGIN), 0
    while at >= 0:
        begin = _BEGIN_LINE.match(text, at)
        after = at + len(_BEGIN)
        if begin is not None:
            # Found once and kept while it lies ahead: without any, every key would look again.
            if 0 <= end < begin.end():
                end = text.find(_END, begin.end())
            body_end, whole_end = _ends_of_key(text, begin.end(), end)
            body = "".join(_BASE64.findall(text, begin.end(), body_end))
            if len(body) >= _LEAST_KEY and _bits(body) >= _LEAST_KEY_BITS:
                yield Secret("private", "", begin.group(), Span(at, whole_end))
            after = max(begin.end(), body_end)
        at = text.find(_BEGIN, after)


def _ends_of_key(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the key's own lines end, and where all of it ends, its last line included."""
    if 0 <= end - start <= _LONGEST_KEY and text.find(_BEGIN, start, end) < 0:
        closing = _END_LINE.match(text, end)
        if closing is not None:
            return end, closing.end()
    lines = _KEY_LINES.match(text, start)
    body_end = start if lines is None else start + len(lines.group().rstrip())
    return body_end, body_end


def _bearer_tokens(text: str) -> Iterator[Secret]:
    for literal in _BEARER:
        at = text.find(literal)
        while at >= 0:
            after = at + len(literal)
            match = _TOKEN.match(text, after) if text[at - 1 : at] in ("B", "b") else None
            if match is not None:
                after = match.end()
                if _looks_random(match.group(1)):
                    yield Secret("bearer", "", "", Span(*match.span(1)))
            at = text.find(literal, after)
    if "uthorization" in text:
        for match in _BASIC.finditer(text):
            if not _EXAMPLE.search(match.group(1)):
                yield Secret("bearer", "", "", Span(*match.span(1)))


def _looks_random(body: str, is_prefixed: bool = False) -> bool:
    """Whether a text looks random: no word, no pattern, many different characters.

    After a prefix that only keys have, digits or a long run without a separator are enough.
    """
    if _EXAMPLE.search(body):
        return False
    bare = _SEPARATORS.sub("", body)
    pairs = list(pairwise(bare))
    steps = sum(ord(second) - ord(first) in (0, 1) for first, second in pairs)
    if not pairs or steps > _MOST_STEPS * len(pairs):
        return False
    changes = sum(_kind(first) != _kind(second) for first, second in pairs)
    is_one = len(bare) == len(body) >= _LEAST_RUN
    has_digits = _DIGITS_AMONG * sum(map(str.isdigit, bare)) >= len(bare)
    is_certain = is_prefixed and (is_one or has_digits)
    # Keys of capitals and few digits are random in another way.
    if changes < _LEAST_CHANGES * len(pairs) and not bare.isupper() and not is_certain:
        return False
    return _bits(bare) >= _LEAST_BITS


def _kind(character: str) -> int:
    return 0 if character.isdigit() else 1 if character.isupper() else 2


def _bits(body: str) -> float:
    """Shannon's entropy of the characters, in bits each."""
    total = len(body)
    return -sum(n / total * log2(n / total) for n in Counter(body).values())
