"""The garbage collector of a program that uses msgls as a library is left as it is."""

import subprocess
import sys

import pytest

# Runs in a process of its own: that of the tests has frozen what it loaded.
PROGRAM = """
import gc, weakref
import msgls
from msgls.text.garbage import collect_rarely, without_collection

class Node: pass

def make():
    node = Node()
    node.self = node
    return weakref.ref(node)

{before}
lost = make()
with without_collection():
    many = [[] for _ in range(100_000)]
gc.collect()
print(lost() is None, gc.get_freeze_count() > 0)
"""


SERVER = """
import gc, weakref
from msgls.text.garbage import collect_young

class Node: pass

def make():
    node = Node()
    node.self = node
    return weakref.ref(node)

gc.disable()
lost, before = make(), gc.get_freeze_count()
collect_young()
print(lost() is None, gc.get_freeze_count() > before, end=" ")
many = [[] for _ in range(100_000)]
collect_young()
print(lost() is None, gc.get_freeze_count() > before + len(many), gc.get_count()[0] < 1_000)
"""


def test_the_server_looks_once_at_what_is_new() -> None:
    program = [sys.executable, "-c", SERVER]
    found = subprocess.run(program, capture_output=True, text=True).stdout.strip()
    assert found == "False False True True True"


@pytest.mark.parametrize(
    ("before", "printed"), [("", "True False"), ("collect_rarely()", "False True")]
)
def test_what_is_garbage_goes_unless_the_process_is_ours(before: str, printed: str) -> None:
    program = [sys.executable, "-c", PROGRAM.format(before=before)]
    assert subprocess.run(program, capture_output=True, text=True).stdout.strip() == printed
