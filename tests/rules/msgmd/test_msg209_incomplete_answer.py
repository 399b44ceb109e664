"""MSG209: an answer that was stopped, failed or cut off."""

import pytest

from tests.rules.support import expect, expect_fix, expect_nothing

CODE = "MSG209"
BODY = "\n\nThe three\n"


@pytest.mark.parametrize(
    "marked",
    [
        '# %%% [^a1]\n\n[^a1]: [gpt] «incomplete=1» reason="stopped"' + BODY,
        '# %%% [^a1]\n\n[^a1]: [gpt] time="x" «incomplete="true"»' + BODY,
        '# %%% [^a1.9f]\n\n[^a1.9f]: [tool] name="x" «incomplete=1»' + BODY,
    ],
)
def test_found(marked: str) -> None:
    expect(CODE, marked)


@pytest.mark.parametrize(
    "text",
    [
        "# %%% [^a1]\n\n[^a1]: [gpt]" + BODY,
        "# %%% [^a1]\n\n[^a1]: [gpt] incomplete=0" + BODY,
        "# %%% [^a1]\n\n[^a1]: [gpt] reason=none" + BODY,
        # A message of a user is as long as it is.
        "# %% [^a1]\n\n[^a1]: [markdown] incomplete=1" + BODY,
    ],
)
def test_nothing(text: str) -> None:
    expect_nothing(CODE, text)


def test_take_it_for_complete() -> None:
    before = '# %%% [^a1]\n\n[^a1]: [gpt] incomplete=1 model="m" reason="stopped"' + BODY
    after = '# %%% [^a1]\n\n[^a1]: [gpt] model="m"' + BODY
    expect_fix(CODE, before, after, safe=False, name="Mark it as complete")


def test_remove_it() -> None:
    message = "# %% [^q]\n\n[^q]: [markdown]\n\nHi.\n\n"
    before = message + "# %%% [^a1]\n\n[^a1]: [gpt] incomplete=1" + BODY
    expect_fix(CODE, before, message, safe=False, name="Remove the incomplete cell")
