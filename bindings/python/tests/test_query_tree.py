"""`QueryTree` against brute force."""

import broadphase
import numpy as np
import pytest
from reference import overlaps, random_boxes


def distances(points, boxes):
    outside = np.maximum(boxes[None, :, :3] - points[:, None], points[:, None] - boxes[None, :, 3:])
    return np.linalg.norm(np.maximum(outside, 0), axis=2)


def entries(starts, ways, boxes):
    """The t from 0 at which box i touches box j on its way; infinite if it does not. No way is parallel to a face."""
    ways = ways[:, None]
    sides = (boxes[None, :, :3] - starts[:, None, 3:]) / ways, (boxes[None, :, 3:] - starts[:, None, :3]) / ways
    first, last = np.minimum(*sides).max(2).clip(0), np.maximum(*sides).min(2)
    return np.where(first <= last, first, np.inf)


def in_front(planes, boxes):
    """Whether each plane of frustum i has a corner of box j in front of it."""
    corners = boxes[:, [[x, y, z] for x in (0, 3) for y in (1, 4) for z in (2, 5)]]
    heights = np.einsum("qpa,nca->qpnc", planes[:, :, :3], corners) + planes[:, :, None, None, 3]
    return (heights >= 0).any(3).all(1)


def meets(layers, layer):
    """Whether each mask contains the other's group, and not both are static."""
    group, mask, static = layers.T
    return (mask >> layer[0] & 1 == 1) & (layer[1] >> group & 1 == 1) & ~((static == 1) & (layer[2] == 1))


def assert_lists(found, expected, t=None):
    """Lists of the objects that `expected` marks, in any order, with the `t` of each."""
    objects, *measures, starts = found
    assert objects.dtype == np.uint32 and starts.dtype == np.int64 and starts[0] == 0 and starts[-1] == len(objects)
    rows = np.repeat(np.arange(len(expected)), np.diff(starts))
    order = np.lexsort((objects, rows))
    np.testing.assert_array_equal(np.column_stack([rows, objects])[order], np.argwhere(expected))
    for measure in measures:
        np.testing.assert_allclose(measure[order], t[expected], rtol=1e-12)


def assert_first(found, t):
    objects, first = found
    np.testing.assert_array_equal(objects, np.where(np.isinf(t.min(1)), -1, t.argmin(1)))
    np.testing.assert_allclose(first, t.min(1), rtol=1e-12)


@pytest.mark.parametrize("threads", [None, 3])
@pytest.mark.parametrize("layer", [None, (1, 0b101, 0), (0, 0b111, 1)])
def test_queries_equal_brute_force_after_every_update(threads, layer):
    random = np.random.default_rng(11)
    tree = broadphase.QueryTree(random_boxes(1), threads=threads)
    for n in [200, 300, 50]:
        boxes = random_boxes(n, seed=n)
        layers = np.column_stack([random.integers(0, 3, n), random.integers(0, 8, n), random.integers(0, 2, n)])
        tree.update(boxes, layers=layers)
        admitted = np.ones(n, bool) if layer is None else meets(layers, layer)
        assert layer is None or 0 < admitted.sum() < n
        exact, probes = boxes.astype(np.float64), random_boxes(600, seed=n + 1)
        # Numbers of float32, in each of the types.
        points, ways = random.normal(0.5, 1, (2, 600, 3)).astype(np.float32)
        points64, ways64 = points.astype(np.float64), ways.astype(np.float64)

        assert_lists(tree.boxes_touching(probes, layer=layer), overlaps(probes, boxes) & admitted)

        distance = np.where(admitted, distances(points64, exact), np.inf)
        spheres = np.column_stack([points, random.uniform(0, 1, 600)]).astype(np.float32)
        assert_lists(tree.spheres_touching(spheres, layer=layer), distance <= spheres[:, 3:].astype(np.float64))

        normals = random.normal(0, 1, (600, 3, 3))
        offsets = random.uniform(-1, 1, (600, 3, 1))
        planes = np.concatenate([normals, offsets], 2).astype(np.float32).astype(np.float64)
        assert_lists(tree.frustums_touching(planes, layer=layer), in_front(planes, exact) & admitted)

        t = np.where(admitted, entries(np.hstack([points64, points64]), ways64, exact), np.inf)
        assert_first(tree.rays(points, ways, layer=layer), t)
        for reach in [np.inf, 0.5]:
            hits = t <= min(reach, np.finfo(np.float64).max)
            assert_lists(tree.rays_all(points64, ways64, reach=reach, layer=layer), hits, t)
            np.testing.assert_array_equal(tree.rays_any(points, ways, reach=reach, layer=layer), hits.any(1))
            np.testing.assert_array_equal(tree.rays(points, ways, reach=reach, layer=layer)[0] >= 0, hits.any(1))

        t = np.where(admitted, entries(probes.astype(np.float64), ways64, exact), np.inf)
        t[t > 1] = np.inf
        assert 0 < (t == 0).sum() < np.isfinite(t).sum()
        assert_first(tree.sweeps(probes, ways64, layer=layer), t)
        assert_lists(tree.sweeps_all(probes, ways, layer=layer), np.isfinite(t), t)

        order = np.argsort(distance, axis=1, kind="stable")
        for k in [1, 4]:
            objects, nearest = tree.nearest(points, k=k, layer=layer)
            assert objects.shape == nearest.shape == (600, k) and objects.dtype == np.int64
            np.testing.assert_array_equal(objects, order[:, :k])
            np.testing.assert_allclose(nearest, np.sort(distance)[:, :k], rtol=1e-12)
        within = tree.nearest(points, within=0.3, layer=layer)[0][:, 0]
        np.testing.assert_array_equal(within >= 0, distance.min(1) <= 0.3)


@pytest.mark.parametrize("distance", [0, 1e4, 6.4e6, 1e12, 1e20, 1e37])
def test_probes_of_float64_lose_no_hit_at_any_distance(distance):
    random, n, q = np.random.default_rng(15), 300, 700
    unit = max(1, distance * 1e-11)
    place = lambda rows: distance * np.array([1, -0.7, 0.1]) + unit * random.uniform(-10, 10, (rows, 3))
    low = place(n)
    boxes = np.hstack([low, low + unit * random.uniform(0, 2, (n, 3))])
    rounding = np.linalg.norm(np.spacing(np.abs(boxes).max(0).astype(np.float32)).astype(np.float64)) * 2
    tree = broadphase.QueryTree(boxes)

    def assert_all_hit(found, expected, t=None):
        objects, *measures, starts = found
        rows = np.repeat(np.arange(len(expected)), np.diff(starts))
        hit = np.zeros(expected.shape, bool)
        hit[rows, objects] = True
        assert expected.any() and not (expected & ~hit).any(), (expected & ~hit).sum()
        for measure in measures:
            both = expected[rows, objects]
            assert (measure[both] <= t[rows, objects][both] * (1 + 1e-12)).all()

    points, ways = place(q), unit * random.normal(0, 4, (q, 3))
    away = distances(points, boxes)
    # Balls of some size, that touch an object, and of the least size.
    radii = np.concatenate([unit * random.uniform(0, 3, q - 300), away[range(q - 300, q), range(300)]])
    radii[:100] = 0
    points[:100] = boxes[:100, :3]
    away = distances(points, boxes)
    assert_all_hit(tree.spheres_touching(np.column_stack([points, radii])), away <= radii[:, None])

    objects, nearest = tree.nearest(points, k=3)
    expected = np.sort(away)[:, :3]
    assert (nearest <= expected * (1 + 1e-12)).all() and (nearest >= expected - rounding).all()
    assert (np.take_along_axis(away, objects, 1) <= expected + rounding).all()
    for point, limit in zip(points[100:150, None], away.min(1)[100:150]):
        assert tree.nearest(point, within=limit)[0] >= 0

    ways[::2] = boxes[random.integers(0, n, q // 2), 3:] - points[::2]
    t = entries(np.hstack([points, points]), ways, boxes)
    assert_all_hit(tree.rays_all(points, ways), np.isfinite(t), t)
    assert (tree.rays(points, ways)[1] <= t.min(1) * (1 + 1e-12)).all()
    for origin, way, reach in zip(points[::7, None], ways[::7, None], t.min(1)[::7]):
        assert np.isinf(reach) or tree.rays_any(origin, way, reach=reach)

    probes = np.hstack([points, points + unit * random.uniform(0, 1, (q, 3))])
    t = entries(probes, ways, boxes)
    assert_all_hit(tree.sweeps_all(probes, ways), t <= 1, t)
    assert (tree.sweeps(probes, ways)[1] <= np.where(t <= 1, t, np.inf).min(1) * (1 + 1e-12)).all()
    assert_all_hit(tree.boxes_touching(probes), overlaps(probes, boxes))

    normals = random.normal(0, 1, (q, 2, 3))
    planes = np.concatenate([normals, -np.einsum("qpa,qa->qp", normals, points)[:, :, None]], 2)
    assert_all_hit(tree.frustums_touching(planes), in_front(planes, boxes))


def test_probes_beyond_float32_meet_what_they_reach():
    tree = broadphase.QueryTree(np.array([[0, 0, 0, 1, 1, 1], [4, 0, 0, 5, 1, 1.0]]))
    far = np.array([[1e39, 0.5, 0.5], [-1e300, 0.5, 0.5]])
    back = far * [-1, 0, 0]
    assert tree.rays(far, back + [0, 9, 0])[0].tolist() == [-1, -1], "they pass"
    assert tree.rays(far, back)[0].tolist() == [0, 0] and tree.rays(far, back * 1e-3)[1].tolist() == [1e3, 1e3]
    assert tree.rays(far, back, reach=0.99)[0].tolist() == [-1, -1]
    spheres = np.column_stack([far, [1e39, 1e299]])
    assert tree.spheres_touching(spheres[:1])[1].tolist() == [0, 2]
    assert tree.spheres_touching(np.array([[0, 0, 0, 1e300], [0, 0, 0, -1e-60]]))[1].tolist() == [0, 2, 2]
    assert tree.nearest(far[:1])[1].tolist() == [[1e39]] and (tree.nearest(far, k=2)[0] >= 0).all()
    starts = np.zeros((2, 6)) + [-2, 0, 0, -1, 1, 1]
    assert tree.sweeps(starts, np.array([[1e39, 0, 0], [1e300, 0, 0]]))[0].tolist() == [0, 0]
    planes = np.array([[[1e39, 0, 0, -2e39]], [[1e-60, 0, 0, -4.5e-60]]])
    assert tree.frustums_touching(planes)[0].tolist() == [1, 1]


def test_missing_hits_are_minus_one_and_infinite():
    tree = broadphase.QueryTree(np.array([[0, 0, 0, 1, 1, 1], [4, 0, 0, 5, 1, 1.0]]))
    points = np.array([[2, 0.5, 0.5], [np.nan, 0, 0]])
    assert tree.nearest(points, k=3)[0].tolist() == [[0, 1, -1], [-1, -1, -1]]
    assert tree.nearest(points, k=3)[1].tolist() == [[1, 2, np.inf], [np.inf] * 3]
    objects, t = tree.rays(points, np.array([[1.0, 0, 0]] * 2))
    assert objects.tolist() == [1, -1] and t.tolist() == [2, np.inf]
    tree.update(np.zeros((0, 6), np.float32))
    assert tree.boxes_touching(np.ones((1, 6)))[1].tolist() == [0, 0]


def test_probes_that_are_not_finite_meet_nothing():
    tree = broadphase.QueryTree(np.array([[0, 0, 0, 1, 1, 1], [4, 0, 0, 5, 1, 1.0]]))
    spheres = np.array([[0, 0, 0, np.nan], [np.inf, 0, 0, 1], [0, 0, 0, -1], [0, 0, 0, np.inf], [2, 1, 1, 1]])
    assert tree.spheres_touching(spheres)[1].tolist() == [0, 0, 0, 0, 2, 3]
    assert tree.nearest(np.array([[np.nan, 0, 0], [np.inf, 0, 0], [0, 0, 0]]))[0].tolist() == [[-1], [-1], [0]]
    starts, ways = np.zeros((3, 6)), np.array([[np.nan, 0, 0], [np.inf, 0, 0], [0, 0, 0]])
    assert tree.sweeps(starts, ways)[0].tolist() == [-1, -1, 0]
    starts[:, 0] = 1
    assert tree.sweeps_all(starts, np.zeros((3, 3)))[2].tolist() == [0, 0, 0, 0], "empty boxes"
    assert tree.rays_any(ways, ways).tolist() == [False, False, True]
    planes = np.array([[[-1, 0, 0, 2]], [[-1, 0, 0, np.inf]], [[np.nan, 0, 0, 9]]])
    assert tree.frustums_touching(planes)[1].tolist() == [0, 1, 1, 1]


def test_batches_without_probes_have_empty_results():
    tree, none = broadphase.QueryTree(random_boxes(9)), np.zeros((0, 3), np.float32)
    boxes = np.zeros((0, 6))
    for lists in [
        tree.boxes_touching(boxes),
        tree.spheres_touching(np.zeros((0, 4))),
        tree.frustums_touching(np.zeros((0, 6, 4))),
        tree.rays_all(none, none),
        tree.sweeps_all(boxes, none),
    ]:
        assert [len(part) for part in lists[:-1]] == [0] * (len(lists) - 1) and lists[-1].tolist() == [0]
    assert tree.rays_any(none, none).shape == tree.rays(none, none)[0].shape == (0,)
    assert tree.nearest(none, k=3)[1].shape == (0, 3)


def test_layers_are_those_of_the_last_update():
    boxes, layers = np.zeros((2, 6)), [[1, 1, 0], [0, 1, 0]]
    tree = broadphase.QueryTree(boxes, layers=layers)
    met = lambda: tree.boxes_touching(boxes[:1], layer=np.array([0, 1, 0]))[0].tolist()
    assert met() == [1]
    for wrong in [{"layers": layers[:1]}, {"layers": [[32, 1, 0]] * 2}]:
        with pytest.raises(ValueError):
            tree.update(boxes, **wrong)
    with pytest.raises(ValueError):
        tree.update(boxes * np.nan, layers=layers[::-1])
    assert met() == [1]
    tree.update(boxes, layers=layers[::-1])
    assert met() == [0]
    tree.update(boxes)
    assert sorted(met()) == [0, 1]


def test_bad_queries_are_refused_and_the_boxes_stay():
    boxes = np.zeros((1, 6), np.float32)
    tree = broadphase.QueryTree(boxes)
    touching = lambda layer: tree.boxes_touching(boxes, layer=layer)
    for call, text in [
        (lambda: tree.update(boxes * np.nan), "boxes: object 0: a coordinate of its box is NaN"),
        (lambda: tree.boxes_touching(boxes[:, :4]), r"boxes: expected shape \(n, 6\)"),
        (lambda: tree.boxes_touching(boxes * np.nan), "object 0"),
        (lambda: tree.rays(boxes[:, :3], np.zeros((2, 3))), r"directions: expected shape \(1, 3\), x, y, z for each of origins, found \(2, 3\)$"),
        (lambda: tree.rays_any(boxes[:, :3], np.zeros((0, 3))), r"directions: expected shape \(1, 3\), .* found \(0, 3\)$"),
        (lambda: tree.rays_all(boxes[:, :3], boxes[:, :3], reach=-1), "reach: expected None or a number of 0 or more, found -1"),
        (lambda: tree.sweeps(boxes, np.zeros((2, 3))), r"displacements: expected shape \(1, 3\), x, y, z for each of boxes, found \(2, 3\)$"),
        (lambda: tree.sweeps_all(boxes * np.nan, boxes[:, :3]), "boxes: object 0: a coordinate of its box is NaN"),
        (lambda: tree.spheres_touching(boxes[:, :3]), r"spheres: expected shape \(n, 4\), centre x, y, z, radius, found"),
        (lambda: tree.frustums_touching(boxes[:, :4]), r"planes: expected shape \(q, p, 4\), .* found \(1, 4\)"),
        (lambda: tree.frustums_touching(np.zeros((2, 6, 3))), r"planes: .* found \(2, 6, 3\)"),
        (lambda: tree.frustums_touching(np.zeros((2, 0, 4))), r"planes: .* 1 or more planes .* found \(2, 0, 4\)"),
        (lambda: touching(3), r"layer: expected shape \(3,\) of integers, group, mask and static, found \(\)$"),
        (lambda: touching([[0, 1, 0]]), r"layer: .* found \(1, 3\)$"),
        (lambda: touching([32, 1, 0]), "layer: expected a group from 0 to 31, a mask, and 0 or 1 .* found 32, 1, 0"),
        (lambda: touching([0, -1, 0]), r"layer\[1\]: expected numbers from 0 to 4294967295, found -1$"),
        (lambda: touching([0, [1], 0]), r"layer: expected shape \(3,\) of integers, .* found no array: .* inhomogeneous shape"),
        (lambda: tree.update(boxes, layers=[[0, 1, 2]]), "layers: expected a group from 0 to 31, a mask, and 0 or 1 for static, found 0, 1, 2 in row 0$"),
        (lambda: tree.nearest(boxes), r"points: expected shape \(n, 3\), x, y, z, found \(1, 6\)"),
        (lambda: tree.nearest(boxes[:, :3], k=0), "k: expected a whole number of 1 or more, found 0"),
        (lambda: tree.nearest(boxes[:, :3], k=-1), "k: expected a whole number of 1 or more, found -1"),
        (lambda: tree.nearest(boxes[:, :3], within=10**400), "within: expected None or a number of 0 or more, found 10000"),
    ]:
        with pytest.raises(ValueError, match=text):
            call()
    with pytest.raises(MemoryError, match="does not fit into memory"):
        tree.nearest(boxes[:, :3], k=2**62)
    for call, text in [
        (lambda: tree.frustums_touching([[[0, 0, 0, 1]]]), r"planes: expected a numpy array of float32 or float64 of shape \(q, p, 4\), .* list"),
        (lambda: tree.frustums_touching(np.zeros((1, 6, 4), int)), "planes: .* float32 or float64 .*, found int64"),
        (lambda: tree.spheres_touching([[0, 0, 0, 1]]), r"spheres: expected a numpy array of float32 or float64 of shape \(n, 4\)"),
        (lambda: touching([0.5, 1, 0]), "layer: expected integers, found float64$"),
        (lambda: tree.nearest(boxes[:, :3], k=None), "k: expected a whole number of 1 or more, found NoneType"),
        (lambda: tree.nearest(boxes[:, :3], within="1"), "within: expected None or a number of 0 or more, found str"),
        (lambda: tree.rays_any(boxes[:, :3], boxes[:, :3], reach=[1]), "reach: expected None .*, found list"),
        (lambda: broadphase.QueryTree(boxes, threads="2"), "threads: expected None .*, found str"),
    ]:
        with pytest.raises(TypeError, match=text):
            call()
    assert tree.nearest(np.ones((1, 3)))[0].tolist() == [[0]]


def test_reach_ends_rays_and_is_refused_if_negative_or_nan():
    tree = broadphase.QueryTree(np.array([[7, -1, -1, 9, 1, 1]], np.float32))
    origins, directions = np.zeros((1, 3), np.float32), np.array([[10, 0, 0]], np.float32)
    assert tree.rays(origins, directions, reach=0.7)[0].tolist() == [0]
    assert tree.rays(origins, directions, reach=0.6)[0].tolist() == [-1]
    for unlimited in ({}, {"reach": None}, {"reach": np.inf}):
        assert tree.rays(origins, directions, **unlimited)[0].tolist() == [0]
    for within, found in [(7, 0), (6.9, -1), (None, 0), (np.inf, 0)]:
        assert tree.nearest(origins, within=within)[0].tolist() == [[found]]
    for bad in (-1.0, float("nan")):
        with pytest.raises(ValueError, match=f"reach: expected None or a number of 0 or more, found {bad}"):
            tree.rays(origins, directions, reach=bad)
        with pytest.raises(ValueError, match=f"within: expected None or a number of 0 or more, found {bad}"):
            tree.nearest(origins, within=bad)
