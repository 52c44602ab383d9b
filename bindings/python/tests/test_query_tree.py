"""`QueryTree` against brute force."""

import broadphase
import numpy as np
import pytest
from reference import overlaps, random_boxes


def distances(points, boxes):
    outside = np.maximum(boxes[None, :, :3] - points[:, None], points[:, None] - boxes[None, :, 3:])
    return np.linalg.norm(np.maximum(outside, 0), axis=2)


def entries(origins, directions, boxes):
    """The t at which ray i enters box j; infinite if it misses it. No direction is parallel to a face."""
    low, high = ((boxes[None, :, at] - origins[:, None]) / directions[:, None] for at in (slice(3), slice(3, 6)))
    first, last = np.minimum(low, high).max(2).clip(0), np.maximum(low, high).min(2)
    return np.where(first <= last, first, np.inf)


@pytest.mark.parametrize("threads", [None, 3])
def test_queries_equal_brute_force_after_every_update(threads):
    random = np.random.default_rng(11)
    tree = broadphase.QueryTree(random_boxes(1), threads=threads)
    for n in [200, 300, 50]:
        boxes = random_boxes(n, seed=n)
        tree.update(boxes)
        exact, probes = boxes.astype(np.float64), random_boxes(40, seed=n + 1)
        points, directions = random.normal(0.5, 1, (2, 600, 3))
        points, directions = points.astype(np.float32), directions.astype(np.float32)

        objects, starts = tree.boxes_touching(probes)
        found = [sorted(objects[start:end]) for start, end in zip(starts, starts[1:])]
        assert found == [np.flatnonzero(row).tolist() for row in overlaps(probes, boxes)]

        at = entries(points.astype(np.float64), directions.astype(np.float64), exact)
        objects, t = tree.rays(points, directions)
        np.testing.assert_array_equal(objects, np.where(np.isinf(at.min(1)), -1, at.argmin(1)))
        np.testing.assert_allclose(t, at.min(1), rtol=1e-12)
        np.testing.assert_array_equal(tree.rays(points, directions, reach=0.5)[0] >= 0, at.min(1) <= 0.5)

        distance = distances(points.astype(np.float64), exact)
        order = np.argsort(distance, axis=1, kind="stable")
        for k in [1, 4]:
            objects, nearest = tree.nearest(points, k=k)
            assert objects.shape == nearest.shape == (600, k) and objects.dtype == np.int64
            np.testing.assert_array_equal(objects, order[:, :k])
            np.testing.assert_allclose(nearest, np.sort(distance)[:, :k], rtol=1e-12)
        np.testing.assert_array_equal(tree.nearest(points, within=0.3)[0][:, 0] >= 0, distance.min(1) <= 0.3)


def test_missing_hits_are_minus_one_and_infinite():
    tree = broadphase.QueryTree(np.array([[0, 0, 0, 1, 1, 1], [4, 0, 0, 5, 1, 1.0]]))
    points = np.array([[2, 0.5, 0.5], [np.nan, 0, 0]])
    assert tree.nearest(points, k=3)[0].tolist() == [[0, 1, -1], [-1, -1, -1]]
    assert tree.nearest(points, k=3)[1].tolist() == [[1, 2, np.inf], [np.inf] * 3]
    objects, t = tree.rays(points, np.array([[1.0, 0, 0]] * 2))
    assert objects.tolist() == [1, -1] and t.tolist() == [2, np.inf]
    tree.update(np.zeros((0, 6), np.float32))
    assert tree.boxes_touching(np.ones((1, 6)))[1].tolist() == [0, 0]


def test_bad_queries_are_refused_and_the_boxes_stay():
    boxes = np.zeros((1, 6), np.float32)
    tree = broadphase.QueryTree(boxes)
    for call, text in [
        (lambda: tree.update(boxes * np.nan), "boxes: object 0: a coordinate of its box is NaN"),
        (lambda: tree.boxes_touching(boxes[:, :4]), r"boxes: expected shape \(n, 6\)"),
        (lambda: tree.boxes_touching(boxes * np.nan), "object 0"),
        (lambda: tree.rays(boxes[:, :3], np.zeros((2, 3))), "directions: expected 1 rows, as of origins, found 2"),
        (lambda: tree.nearest(boxes), r"points: expected shape \(n, 3\), x, y, z, found \(1, 6\)"),
        (lambda: tree.nearest(boxes[:, :3], k=0), "k: expected at least 1"),
        (lambda: tree.nearest(boxes[:, :3], k=2**62), "k: .* does not fit into memory"),
    ]:
        with pytest.raises(ValueError, match=text):
            call()
    assert tree.nearest(np.ones((1, 3)))[0].tolist() == [[0]]


def test_reach_is_rounded_up_and_refused_if_negative_or_nan():
    tree = broadphase.QueryTree(np.array([[7, -1, -1, 9, 1, 1]], np.float32))
    origins, directions = np.zeros((1, 3), np.float32), np.array([[10, 0, 0]], np.float32)
    assert tree.rays(origins, directions, reach=0.7)[0].tolist() == [0]
    for bad in (-1.0, float("nan")):
        with pytest.raises(ValueError, match="reach: expected 0 or more"):
            tree.rays(origins, directions, reach=bad)
        with pytest.raises(ValueError, match="within: expected 0 or more"):
            tree.nearest(origins, within=bad)
