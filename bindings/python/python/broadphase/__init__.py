"""Exact broad-phase collision detection: all pairs of overlapping axis-aligned boxes.

Boxes are arrays of shape (n, 6): min x, y, z, max x, y, z, in any unit. The index of a box is the id of its object.
Boxes are closed: boxes that only touch overlap. An object whose min exceeds its max on some axis is absent.
"""

from ._broadphase import Algorithm, BroadPhase, Join, QueryTree, Worlds, algorithms, check_boxes, round_outwards
from .trace import Trace, read_trace, write_trace

__all__ = [
    *("Algorithm", "BroadPhase", "Join", "QueryTree", "Trace", "Worlds", "algorithms", "check_boxes", "join"),
    *("read_trace", "round_outwards", "worlds", "write_trace"),
]


def join(a, b):
    """All pairs of a box of `a` and a box of `b` that overlap, once: see `Join.pairs`."""
    return Join().pairs(a, b)


def worlds(boxes, starts, **options):
    """All pairs in each of many worlds, once: see `Worlds.pairs`, which has the same arguments."""
    return Worlds().pairs(boxes, starts, **options)
