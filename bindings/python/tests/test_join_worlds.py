"""`Join` and `Worlds` against brute force."""

import broadphase
import numpy as np
import pytest
from reference import in_order, overlaps, random_boxes, self_pairs


@pytest.mark.parametrize("sizes", [(300, 200), (1, 500), (0, 3), (0, 0)])
def test_join_equals_brute_force_and_is_reused(sizes):
    join = broadphase.Join(threads=2)
    for frame in range(3):
        a, b = (random_boxes(n, seed=frame + n) for n in sizes)
        expected = np.argwhere(overlaps(a, b))
        for pairs in [join.pairs(a, b), broadphase.join(a.astype(np.float64), np.asfortranarray(b))]:
            assert pairs.dtype == np.uint32 and pairs.shape == (len(pairs), 2)
            np.testing.assert_array_equal(in_order(pairs), expected)


def test_bad_set_of_a_join_is_named():
    with pytest.raises(ValueError, match="b: object 2: a coordinate of its box is NaN"):
        broadphase.join(random_boxes(2), np.full((3, 6), [[0]] * 2 + [[np.nan]]))


def split(pairs, starts):
    return [in_order(pairs[start:end]).tolist() for start, end in zip(starts, starts[1:])]


@pytest.mark.parametrize("threads", [None, 1, 3])
def test_every_world_equals_brute_force(threads):
    counts = np.random.default_rng(8).integers(0, 60, 200)
    starts, boxes = np.append(0, np.cumsum(counts)), random_boxes(counts.sum(), seed=9, side=0.6)
    shared = random_boxes(3, seed=10)
    search = broadphase.Worlds(threads=threads)
    pairs, ends = search.pairs(boxes, starts, shared=shared)
    assert pairs.dtype == np.uint32 and ends.dtype == np.int64 and len(ends) == 201 and ends[-1] == len(pairs)
    own = [boxes[start:end] for start, end in zip(starts, starts[1:])]
    expected = [self_pairs(np.vstack([shared, world])) for world in own]
    # Two shared shapes are no pair.
    assert split(pairs, ends) == [world[world[:, 1] >= 3].tolist() for world in expected]
    again = search.pairs(boxes, starts.tolist())
    assert split(*again) == [self_pairs(world).tolist() for world in own] == split(*broadphase.worlds(boxes, starts))


def test_excluded_pairs_and_layers_apply_to_every_world():
    boxes, starts = np.zeros((6, 6), np.float32), [0, 3, 6]
    first, second = np.array([[0, 1]]), np.array([[0, 2], [1, 2]], np.uint8)
    assert split(*broadphase.worlds(boxes, starts, excluded=first)) == [[[0, 2], [1, 2]]] * 2
    by_kind = broadphase.worlds(boxes, starts, excluded=[first, second], kinds=[1, 0])
    assert split(*by_kind) == [[[0, 1]], [[0, 2], [1, 2]]]
    layers = [[0, 1, 1]] * 2 + [[0, 1, 0]] * 4
    assert split(*broadphase.worlds(boxes, starts, layers=layers))[0] == [[0, 2], [1, 2]]


def test_no_worlds_have_no_pairs():
    pairs, starts = broadphase.worlds(np.zeros((0, 6), np.float32), [0])
    assert pairs.shape == (0, 2) and starts.tolist() == [0]


@pytest.mark.parametrize(
    "options, error, text",
    [
        ({"starts": [1, 4]}, ValueError, "starts: expected 0"),
        ({"starts": [0, 3]}, ValueError, "starts: .* expected 4, the number of boxes"),
        ({"starts": [0, 3, 2, 4]}, ValueError, "starts: world 1 ends before it begins"),
        ({"starts": [0, -1, 4]}, ValueError, r"starts\[1\]: expected numbers from 0 to 4294967295, found -1$"),
        ({"starts": np.array([0, 2**64 - 1], np.uint64)}, ValueError, r"starts\[1\]: .*, found 18446744073709551615$"),
        ({"starts": [0, 2.5, 4]}, TypeError, "starts: expected integers, found float64$"),
        ({"starts": []}, ValueError, "starts: expected 0 first, then the end of each world"),
        ({"starts": [0, "4"]}, TypeError, "starts: expected integers, found <U"),
        ({"starts": [0, 2**64]}, TypeError, "starts: expected integers, found object$"),
        ({"starts": [[0, 4]]}, ValueError, r"starts: expected shape \(n,\) of integers, found \(1, 2\)$"),
        ({"shared": np.zeros((1, 5))}, ValueError, r"shared: expected shape \(n, 6\)"),
        ({"shared": np.full((1, 6), np.nan)}, ValueError, "shared: object 0: a coordinate"),
        ({"excluded": np.array([[1, 0]])}, ValueError, "^excluded pair 0 of kind 0; expected ascending pairs a < b < 4$"),
        ({"excluded": np.array([0, 1])}, ValueError, r"excluded: expected shape \(n, 2\) of integers, found \(2,\)$"),
        ({"excluded": [[0, 1]]}, ValueError, r"excluded\[0\]: expected shape \(n, 2\) of integers, found \(2,\)$"),
        ({"excluded": 3}, TypeError, "excluded: expected an array or a list of arrays, found int"),
        ({"kinds": [0, 1], "excluded": [np.zeros((0, 2), int)]}, ValueError, "^2 kinds; expected 1, one for each world"),
        ({"kinds": [1]}, ValueError, "^world 0 has kind 1; expected less than 0, the lists of excluded pairs$"),
        ({"layers": [[0, 1, 0]] * 3 + [[0, 1, -2]]}, ValueError, r"layers\[3\]: expected numbers from 0 .*, found -2$"),
        ({"layers": np.zeros((4, 3))}, TypeError, "layers: expected integers, found float64$"),
        ({"layers": [[0, 1, 0], [0, 1]]}, ValueError, "layers: expected shape .* of integers, .* found no array: .* inhomogeneous shape"),
        ({"layers": [[0, 1, 0]]}, ValueError, r"layers: expected shape \(4, 3\) of integers, group, mask and static of each box, found \(1, 3\)$"),
        ({"layers": [[32, 1, 0]] * 4}, ValueError, "layers: expected a group from 0 to 31, a mask, .* found 32, 1, 0 in row 0$"),
    ],
)
def test_contradicting_worlds_are_refused(options, error, text):
    arguments = {"boxes": np.zeros((4, 6), np.float32), "starts": [0, 4], **options}
    with pytest.raises(error, match=text):
        broadphase.worlds(**arguments)
