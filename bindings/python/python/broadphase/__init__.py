"""Exact broad-phase collision detection: all pairs of overlapping axis-aligned boxes.

Boxes are arrays of shape (n, 6): min x, y, z, max x, y, z, in any unit. The index of a box is the id of its object.
Boxes are closed: boxes that only touch overlap. An object whose min exceeds its max on some axis is absent.
"""

from typing import Any, Union

from numpy import float32, float64, int64, uint32
from numpy.typing import ArrayLike, NDArray

from ._broadphase import Algorithm, BroadPhase, Join, QueryTree, Worlds, algorithms, check_boxes, round_outwards
from .trace import Trace, read_trace, write_trace

# A plain list: type checkers follow no unpacking.
__all__ = [
    "Algorithm",
    "BroadPhase",
    "Join",
    "QueryTree",
    "Trace",
    "Worlds",
    "algorithms",
    "check_boxes",
    "join",
    "read_trace",
    "round_outwards",
    "worlds",
    "write_trace",
]

_Floats = Union[NDArray[float32], NDArray[float64]]


def join(a: _Floats, b: _Floats) -> NDArray[uint32]:
    """All pairs of a box of `a` and a box of `b` that overlap, once: see `Join.pairs`."""
    return Join().pairs(a, b)


def worlds(boxes: _Floats, starts: ArrayLike, **options: Any) -> tuple[NDArray[uint32], NDArray[int64]]:
    """All pairs in each of many worlds, once: see `Worlds.pairs`, which has the same arguments."""
    return Worlds().pairs(boxes, starts, **options)
