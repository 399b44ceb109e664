"""Made-up keys of every vendor that scanners know, and texts that only look like keys.

Nothing here was ever a key: each is put together at run time, from a template and letters
that are drawn by its own name.
"""

import base64
import hashlib
import random
import re
import string
import uuid

import pytest

from msgls.text.secrets import find_secrets
from tests.notation import each

ALPHABETS = {
    "w": string.ascii_letters + string.digits,
    "l": string.ascii_lowercase + string.digits,
    "u": string.ascii_uppercase + string.digits,
    "a": string.ascii_letters,
    "s": string.ascii_lowercase,
    "h": "0123456789abcdef",
    "d": string.digits,
    "b": string.ascii_letters + string.digits + "+/",
    "v": string.ascii_letters + string.digits + "_-",
    "t": "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
}
_PLACE = re.compile(r"\{(\w)(\d+)\}")


def made_up(template: str) -> str:
    """A key after a template: ``{w36}`` is 36 letters and digits."""
    drawn = random.Random(template)

    def fill(match: re.Match[str]) -> str:
        letters = ALPHABETS[match.group(1)]
        return "".join(drawn.choice(letters) for _ in range(int(match.group(2))))

    return _PLACE.sub(fill, template)


KEYS = (
    "sk-ant-api03-{v93}AA", "sk-ant-admin01-{v93}AA", "sk-{w20}T3BlbkFJ{w20}",
    "sk-proj-{v74}T3BlbkFJ{v74}", "sk-svcacct-{v58}T3BlbkFJ{v58}", "sk-or-v1-{h64}",
    "sk_live_{w24}", "sk_test_{w32}", "rk_prod_{w24}", "whsec_{w32}", "ghp_{w36}", "gho_{w36}",
    "ghu_{w36}", "ghs_{w36}", "ghr_{w36}", "github_pat_{w22}_{w59}", "glpat-{v20}", "gldt-{v20}",
    "glft-{v20}", "glrt-{v20}", "gloas-{v64}", "glimt-{v25}", "glagent-{v50}", "glptt-{h40}",
    "glsoat-{v20}", "glffct-{v20}", "glcbt-{w3}_{v20}", "GR1348941{v20}", "glpat-{v30}.01{l7}",
    "_gitlab_session={l32}", "AKIA{t16}", "ASIA{t16}", "ABIA{t16}", "ACCA{t16}", "ABSK{b120}",
    "AIza{v35}", "GOCSPX-{v28}", "ya29.{v60}", "xoxb-{d12}-{d12}-{w24}",
    "xoxp-{d12}-{d12}-{d12}-{h32}", "xoxe.xoxp-1-{u163}", "xapp-1-{u11}-{d13}-{h64}", "xoxr-{w24}",
    "https://hooks.slack.com/services/T{u10}/B{u10}/{w24}", "hf_{a34}", "api_org_{a34}",
    "xai-{w80}", "gsk_{w52}", "pplx-{w48}", "r8_{w37}", "npm_{w36}",
    "//registry.example.org/:_authToken={h8}-{h4}-{h4}-{h4}-{h12}", "pypi-AgEIcHlwaS5vcmc{v80}",
    "SG.{v22}.{v43}", "SK{h32}", "AC{h32}", "dop_v1_{h64}", "doo_v1_{h64}", "dor_v1_{h64}",
    "shpat_{h32}", "shpca_{h32}", "shppa_{h32}", "shpss_{h32}", "A3-{u6}-{u11}-{u5}-{u5}-{u5}",
    "ops_eyJ{b260}", "p8e-{l32}", "AGE-SECRET-KEY-1{u58}", "pat{w14}.{h64}", "LTAI{w20}",
    "AKCp{w69}", "cmVmd{w59}", "4b1d{w38}", "CLOJARS_{l60}", "v1.0-{h24}-{h146}", "dapi{h32}",
    "dp.pt.{w43}", "duffel_test_{v43}", "dt0c01.{u24}.{u64}", "EZAK{w54}", "EZTK{w54}",
    "EAAM{w110}", "EAAA{v40}", "FLWSECK_TEST-{h32}-X", "fo1_{v43}", "fm2_{b120}", "fio-u-{v64}",
    "eyJrIjoi{w90}", "glc_{b60}", "glsa_{w32}_{h8}", "pat.{v22}.{w24}.{w20}",
    "{w14}.atlasv1.{v64}", "HRKU-AA{v58}", "ico-{w32}", "s-s4t2ud-{h64}", "lin_api_{w40}",
    "{w6}_{w29}_mmk", "ntn_{d11}{w35}", "API-{u26}", "sha256~{v43}", "pscale_tkn_{v43}",
    "pscale_pw_{v43}", "PMAK-{h24}-{h34}", "pnu_{w36}", "pul-{h40}", "rdme_{l70}",
    "rubygems_{h48}", "tk-us-{v48}", "xkeysib-{h64}-{w16}", "sntryu_{h64}", "sm_pat_{w16}",
    "shippo_live_{h40}", "sgp_{h40}", "sq0atp-{v22}", "sq0csp-{v43}", "hvs.{v95}", "hvb.{v150}",
    "s.{w24}", "AccountKey={b86}==", "eyJ{w30}.eyJ{w60}.{v43}", "{w3}8Q~{w33}", "{d9}:AA{v33}",
    "{h32}-us12", "M{w23}.{v6}.{v27}", "{d15}|{v27}", "Authorization: Bearer {w40}",
    "postgres://shop:{w12}-{d2}!@db.internal/shop", "ATATT3{v186}",
    "authress_{l12}.{l5}.acc_{l20}.{l60}", "t1.{w20}.{v86}", "AQVN{v36}",
    "AAAAAAAAAAAAAAAAAAAAAA{w90}", "Authorization: Basic {b40}==", "xoxr-{w10}", "rk_test_{w10}",
)  # fmt: skip
ASSIGNED = (
    'api_key = "{w32}"', "API_KEY={w40}", "aws_secret_access_key = {b40}",
    '"clientSecret": "{w36}"', "DATADOG_API_KEY: {h40}", "token: '{w24}'",
    'password = "{w6}-X7{w6}!"', "secret_key => \"{h64}\"", "COHERE_API_KEY={w40}",
    "okta_token: 00{v40}", "heroku_api_key={h8}-{h4}-{h4}-{h4}-{h12}", "auth_token = '{h32}'",
    "X-Api-Key: {w32}", "ALGOLIA_API_KEY=\"{l32}\"", "twitter_access_token: {w45}",
    "adafruit => '{l32}'", "netlify: {l40}", "heroku = {h8}-{h4}-{h4}-{h4}-{h12}", "linkedin={l14}",
    "sentry || \"{h64}\"", "sonar.login={l40}", "mailgun: key-{h32}", "twitch>{l30}",
    "curl -u sam:{w12}", "curl --header 'X-Auth-Token: {w24}", "creds: '{w12}7x9'",
    "launchdarkly ?= {l40}", '<add key="Password" value="{w8}7xQ"', "dbkey = '{w20}'",
    "['iam_password'] => \"{v44}7a\"", "cloudant-token:='{s24}'", "aws_key \"{b40}\"",
    "asana = {d16}", "sumo_id: su{a12}",
    "kind: Secret\ndata:\n  key: {b24}", "kind: 'Secret', data: {{ 'a': '{b24}'", "token \"{w18}\"",
)  # fmt: skip


@pytest.mark.parametrize("template", KEYS)
@each("around", ["{}", "export KEY={}\n", '{{"x": "{}"}}', "the key `{}`, which"])
def test_every_key_is_found(template: str, around: str) -> None:
    key = made_up(template)
    text = around.format(key)
    found = "".join([secret.span.of(text) for secret in find_secrets(text)])
    # All that is random of it: what may be left over is a prefix, or the padding.
    left = text.replace(found, "") if found else text
    longest = max((len(run) for run in re.findall(r"[A-Za-z0-9_-]+", left)), default=0)
    assert found
    assert longest <= 20 or "registry" in left, left


@pytest.mark.parametrize("template", ASSIGNED)
def test_values_of_secret_names_are_found(template: str) -> None:
    text = made_up(template)
    (found,) = find_secrets(text)
    assert len(found.span.of(text)) >= 8
    assert found.span.end >= len(text) - 1


HARMLESS = {
    "prose": "The token count of the next page is in the header; passwords change.",
    "hash": f"sha256:{hashlib.sha256(b'x').hexdigest()} {hashlib.sha1(b'x').hexdigest()}",
    "lock": f'"integrity": "sha512-{base64.b64encode(hashlib.sha512(b"x").digest()).decode()}"',
    "uuid": f"session {uuid.UUID(int=7**45)} and commit {hashlib.sha1(b'y').hexdigest()}",
    "image": "data:image/png;base64," + base64.b64encode(random.Random(1).randbytes(3000)).decode(),
    "code": "def tokenize(text): token = lexer.next_token(); key = max(cache, key=cache.get)",
    "env": "API_KEY=${API_KEY} TOKEN=$TOKEN password=os.environ['PASSWORD'] secret=<your-secret>",
    "names": "api_key=settings.openai_api_key, auth_token=request.headers.get('x')",
    "placeholder": 'api_key = "YOUR_API_KEY_GOES_HERE_1234" token: "xxxxxxxxxxxxxxxxxxxx"',
    "example": "sk-ant-api03-... ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx AKIAIOSFODNN7EXAMPLE",
    "url": "https://example.org/a/very/long/path/that-goes-on/index.html?next_page_token=Zm9v",
    "database": "postgres://postgres:postgres@localhost:5432/db redis://user:password@cache",
    "usage": '"total_tokens": 5200, "tokens": {"input": 500}, "page_token": "CAUQAA9fX2Zvbw1234"',
    "css": ".btn-primary-token-color { --key: #ff00aa; } /* secret sauce */",
    "ids": "toolu_01A09q90qw90lq917835lq9 call_abcdEFGH1234ijklMNOP msg_01XFDUDYJgAACzvnptvVoYEL",
    "java": "SecretKeySpec key = new SecretKeySpec(bytes, algorithm); token=Base64.getEncoder()",
    "services": "sentry: enabled; linear: ease-in-out-cubic-bezier-001; discord: see #general-2026",
    "versions": "netlify: 17.2.1-beta.3, travis: true, plaid@12.0.1 https://sentry.io/organizations",
    "curl": "curl -u user:$PASSWORD -H 'Authorization: Bearer $TOKEN' -H 'Accept: text/html'",
    "weak": "https://user:user@example.org https://sam:password@example.org redis://:$PASS@cache",
    "documentation": "new URL('https://abc:xyz9@api.example.com/') https://a:b@測試?abc git://me:k3y@h",
    "scope": "min_access = 3; accessKeyFormat='short-names-only' apiVersion: apps/v1beta1-preview",
    "plain": "kind: ConfigMap\ndata:\n  key: aGVsbG8gd29ybGQgZXhhbXBsZQ==",
    "path": "secret: /var/run/secrets/kubernetes.io/serviceaccount/token",
}


@pytest.mark.parametrize("name", HARMLESS)
def test_nothing_else_is(name: str) -> None:
    text = HARMLESS[name]
    assert [secret.span.of(text) for secret in find_secrets(text)] == []
