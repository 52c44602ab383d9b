"""Where the system refuses threads, searches use the calling one. A number of threads that was asked for is refused."""

import os
import subprocess
import sys

import pytest

LIMITED = """
import os, resource, sys
import broadphase, numpy as np, numpy.ma
from reference import random_boxes

boxes, threads = random_boxes(4000, size=0.1), int(sys.argv[1])
expected = None if threads else broadphase.BroadPhase(threads=2).pairs(boxes, sorted=True)
# As one who may not exceed the limit: it binds neither root nor threads that run already.
resource.setrlimit(resource.RLIMIT_NPROC, (threads or 1,) * 2)
if os.getuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
for _ in range(2):
    # In turn the global pool, a batch of queries, and pools of their own.
    found = broadphase.BroadPhase().pairs(boxes, sorted=True)
    touched, _ = broadphase.QueryTree(boxes).boxes_touching(boxes)
    assert len(touched) == len(boxes) + 2 * len(found) > 12000
    assert expected is None or np.array_equal(found, expected)
    refused = 0
    for count in [1, 3, 1000]:
        try:
            own = broadphase.BroadPhase(threads=count).pairs(boxes, sorted=True)
            assert np.array_equal(own, found)
        except RuntimeError as error:
            assert str(error).startswith(f"threads: cannot start a pool of {count}: "), error
            refused += 1
    assert refused >= (3 if threads == 1 else 1), refused
print("same pairs")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the threads of a user")
@pytest.mark.parametrize("limit", [0, 1, 2, 3, 5, 8, 13, 21, 40])
def test_refused_threads_leave_the_calling_one(limit):
    """The limits; 0 for 1 once the pool runs."""
    command = [sys.executable, "-c", LIMITED, str(limit)]
    # numpy's own library takes no threads.
    environment = dict(os.environ, PYTHONPATH=os.path.dirname(__file__), RAYON_NUM_THREADS="64", OPENBLAS_NUM_THREADS="1")
    child = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert (child.stdout, child.returncode) == ("same pairs\n", 0), child.stderr
