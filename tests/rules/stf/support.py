"""The helpers of rule tests, for Simple Text Format files."""

from functools import partial

from tests.rules import support

PATH = "chat.stf"

expect = partial(support.expect, path=PATH)
expect_nothing = partial(support.expect_nothing, path=PATH)
expect_fix = partial(support.expect_fix, path=PATH)
expect_follows = partial(support.expect_follows, path=PATH)
fixes = partial(support.fixes, path=PATH)
