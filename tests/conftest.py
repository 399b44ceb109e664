"""Settings that every test shares: the profiles of the property tests, and the language.

``HYPOTHESIS_PROFILE`` picks a profile by name. A test that sets ``max_examples``
itself is not reached by the profiles, so let the profile say how many.
"""

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "default",
    # A shared machine is slow at times, and that is no bug.
    deadline=None,
    # A CI run that fails must fail again when it is repeated.
    derandomize=os.environ.get("CI") == "true",
    # Enough for every day; `make fuzz` tries many times as many.
    max_examples=60,
)
settings.register_profile(
    "fuzz",
    deadline=None,
    derandomize=False,
    max_examples=int(os.environ.get("FUZZ_EXAMPLES") or 1_000),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "quick",
    # For what runs the same tests many times over, or with a watcher at every line.
    deadline=None,
    derandomize=True,
    max_examples=15,
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or "default")

# Whoever works in another language has the same tests: only the encoding is kept.
if "LC_ALL" in os.environ:
    os.environ["LANG"] = os.environ.pop("LC_ALL")
os.environ["LC_MESSAGES"] = "C"
