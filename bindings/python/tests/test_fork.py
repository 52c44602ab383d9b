"""Child processes of `fork` find the pairs of their parent, and answer queries."""

import os
import subprocess
import sys

import pytest

CHILDREN = """
import multiprocessing, sys
import broadphase, numpy as np
from reference import random_boxes

boxes = random_boxes(4000, size=0.1)
threads = [None, 2, 3]
searches = {count: broadphase.BroadPhase(threads=count) for count in threads}

def pairs(count):
    new = broadphase.BroadPhase(threads=count).pairs(boxes, sorted=True)
    kept = searches[count].pairs(boxes, sorted=True)
    assert np.array_equal(new, kept)
    # A batch of queries: each box touches itself, and those that it is in a pair with.
    touched, _ = broadphase.QueryTree(boxes, threads=count).boxes_touching(boxes)
    assert len(touched) == len(boxes) + 2 * len(new)
    return new

if __name__ == "__main__":
    parent_searches = sys.argv[1] == "after"
    expected = [pairs(count) for count in threads] if parent_searches else None
    with multiprocessing.get_context("fork").Pool(2) as pool:
        found = pool.map_async(pairs, threads * 2).get(60)
    expected = expected or [pairs(count) for count in threads]
    assert len(expected[0]) > 4000
    assert all(map(np.array_equal, found, expected * 2))
    print("same pairs")
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.parametrize("when", ["before", "after"])
def test_children_find_the_same_pairs_before_and_after_a_search_of_the_parent(when):
    # A process of its own: what its parent has used counts. Python 3.12 warns of any fork with threads.
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", CHILDREN, when]
    environment = dict(os.environ, PYTHONPATH=os.path.dirname(__file__), RAYON_NUM_THREADS="2")
    child = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert (child.stdout, child.returncode) == ("same pairs\n", 0), child.stderr
