"""Brute force by the definition, and random boxes."""

import numpy as np


def random_boxes(n, seed=0, side=1.0, size=0.2, dtype=np.float32):
    """`n` boxes in a cube, an eighth of them on whole multiples of `size`, so that some touch."""
    random = np.random.default_rng(seed)
    low = random.uniform(0, side, (n, 3))
    on_grid = random.random(n) < 1 / 8
    low[on_grid] = np.round(low[on_grid] / size) * size
    high = low + np.where(on_grid[:, None], size, random.uniform(0, size, (n, 3)))
    return np.hstack([low, high]).astype(dtype)


def overlaps(a, b):
    """Whether box i of `a` and box j of `b` share a point: bool of shape (len(a), len(b))."""
    full = (a[:, :3] <= a[:, 3:]).all(1)[:, None] & (b[:, :3] <= b[:, 3:]).all(1)[None]
    apart = (a[:, None, :3] > b[None, :, 3:]) | (b[None, :, :3] > a[:, None, 3:])
    return full & ~apart.any(2)


def self_pairs(boxes):
    """The pairs in ascending order."""
    return np.argwhere(np.triu(overlaps(boxes, boxes), 1)).astype(np.uint32)


def in_order(pairs):
    """The rows in ascending order."""
    return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
