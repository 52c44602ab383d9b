"""More pairs than memory, and signals during a call: an exception, after which the instance is exact."""

import os
import subprocess
import sys

import broadphase
import pytest

IDS = [algorithm.id for algorithm in broadphase.algorithms()]

COMMON = """
import signal, sys, threading
import numpy as np, broadphase
from reference import in_order, random_boxes, self_pairs

def heap(n):
    return np.repeat(np.array([[0, 0, 0, 1, 1, 1]], np.float32), n, 0)

def assert_exact(search):
    boxes = random_boxes(200)
    np.testing.assert_array_equal(in_order(search.pairs(boxes)), self_pairs(boxes))
"""


def run(program, *arguments):
    """Runs a program in a process of its own, which ends if the test fails. Gives its output."""
    environment = dict(os.environ, PYTHONPATH=os.path.dirname(__file__), RAYON_NUM_THREADS="2", OPENBLAS_NUM_THREADS="1")
    command = [sys.executable, "-c", COMMON + program, *map(str, arguments)]
    child = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600)
    assert child.returncode == 0, child.stdout + child.stderr
    return child.stdout.split()


MEMORY = """
import resource

megabytes = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))

def raises(call):
    try:
        return call().shape[0] < 0
    except MemoryError:
        return True
"""

linux = pytest.mark.skipif(sys.platform != "linux", reason="this system does not limit the address space")


@linux
def test_more_pairs_than_memory_raise_with_every_algorithm():
    program = """
for id in sys.argv[2:]:
    search = broadphase.BroadPhase(id)
    assert raises(lambda: search.pairs(heap(18_000))), id
    assert raises(lambda: search.pairs(heap(15_000), sorted=True)), id
    assert_exact(search)
    print(id)
"""
    assert run(MEMORY + program, 800, *IDS) == IDS


@linux
def test_more_results_than_memory_raise_in_every_search():
    program = """
tree, own = broadphase.QueryTree(heap(30_000)), broadphase.Join()
zeros, ones = np.zeros((20_000, 3), np.float32), np.ones((20_000, 3), np.float32)
calls = {
    "join": lambda: own.pairs(heap(30_000), heap(30_000)),
    "worlds": lambda: broadphase.worlds(heap(60_000), [0, 60_000])[0],
    "small": lambda: broadphase.worlds(heap(200_000), range(0, 200_001, 2000))[0],
    "boxes": lambda: tree.boxes_touching(heap(30_000))[0],
    "rays": lambda: tree.rays_all(zeros, ones)[0],
    "sweeps": lambda: tree.sweeps_all(heap(20_000), ones)[0],
    "nearest": lambda: tree.nearest(zeros, k=20_000)[0],
}
for name, call in calls.items():
    assert raises(call), name
    print(name)
assert own.pairs(heap(1), heap(3)).shape == (3, 2)
assert tree.boxes_touching(heap(1))[0].shape == (30_000,)
"""
    names = ["join", "worlds", "small", "boxes", "rays", "sweeps", "nearest"]
    assert run(MEMORY + program, 1000) == names


SIGNALS = """
inside = handled = False

def handler(*_):
    global handled
    if inside:
        handled = True
        action()

signal.signal(signal.SIGALRM, handler)

def each_moment():
    # Again and again: the first may come before the call.
    signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)

class Ended(Exception):
    pass

def action():
    global inside
    inside = False
    raise Ended

# Hours of tests, which find no pair.
apart = np.arange(3_000_000, dtype=np.float32)[:, None] * np.array([1, 0, 0, 1, 0, 0], np.float32) * 2
static = np.array([[0, 0xFFFFFFFF, 1]])
"""

alarms = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no timer that signals")


@alarms
def test_exception_of_a_signal_ends_every_search():
    program = """
tree, join, worlds = broadphase.QueryTree(heap(100_000)), broadphase.Join(), broadphase.Worlds()
hidden = heap(400_000)
origins = np.zeros((100_000, 3), np.float32)
one, search = broadphase.BroadPhase("brute-force", threads=1), broadphase.BroadPhase()
calls = {
    "one": lambda: one.pairs(apart),
    "auto": lambda: search.pairs(hidden, layers=np.repeat(static, len(hidden), 0)),
    "join": lambda: join.pairs(hidden, hidden),
    "worlds": lambda: worlds.pairs(hidden, [0, len(hidden)], layers=np.repeat(static, len(hidden), 0)),
    "boxes": lambda: tree.boxes_touching(hidden),
    "rays": lambda: tree.rays(origins, origins + 1, layer=[1, 0, 1]),
    "nearest": lambda: tree.nearest(origins, k=50),
}
each_moment()
for name, call in calls.items():
    try:
        inside = True
        call()
        raise SystemExit(f"{name} was not ended")
    except Ended:
        print(name)
signal.setitimer(signal.ITIMER_REAL, 0)
assert_exact(one)
assert_exact(search)
assert join.pairs(heap(2), heap(3)).shape == (6, 2)
assert worlds.pairs(heap(3), [0, 3])[0].shape == (3, 2)
assert tree.boxes_touching(heap(1))[0].shape == (100_000,)
"""
    assert run(SIGNALS + program) == ["one", "auto", "join", "worlds", "boxes", "rays", "nearest"]


@alarms
def test_search_goes_on_after_a_handler_that_raises_nothing():
    program = """
def action():
    pass

boxes = random_boxes(9000, size=0.01)
expected, search = broadphase.BroadPhase().pairs(boxes, sorted=True), broadphase.BroadPhase("brute-force+scalar")
each_moment()
while not handled:
    inside = True
    found = search.pairs(boxes, sorted=True)
    inside = False
    np.testing.assert_array_equal(found, expected)
signal.setitimer(signal.ITIMER_REAL, 0)
print(len(found))
"""
    assert int(run(SIGNALS + program)[0]) > 0


@alarms
def test_signals_of_other_threads_are_handled_on_the_main_one():
    program = """
boxes, found = random_boxes(6000, size=0.01), []
search = broadphase.BroadPhase("brute-force")
thread = threading.Thread(target=lambda: found.append(search.pairs(boxes, sorted=True)))
thread.start()
each_moment()
try:
    inside = True
    while True:
        pass
except Ended:
    signal.setitimer(signal.ITIMER_REAL, 0)
thread.join()
np.testing.assert_array_equal(found[0], broadphase.BroadPhase().pairs(boxes, sorted=True))
assert_exact(search)
"""
    assert run(SIGNALS + program) == []
