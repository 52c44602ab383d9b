"""`BroadPhase` against brute force."""

import contextlib
import threading
import time

import broadphase
import numpy as np
import pytest
from reference import in_order, random_boxes, self_pairs


@pytest.mark.parametrize("id", [algorithm.id for algorithm in broadphase.algorithms()])
def test_every_algorithm_equals_brute_force_in_motion(id):
    search = broadphase.BroadPhase(id)
    boxes = random_boxes(300, seed=1)
    for _ in range(4):
        pairs = search.pairs(boxes)
        assert pairs.dtype == np.uint32 and pairs.shape == (len(pairs), 2) and pairs.flags.c_contiguous
        np.testing.assert_array_equal(in_order(pairs), self_pairs(boxes))
        boxes += np.float32(0.03) * np.sin(np.arange(300, dtype=np.float32))[:, None]


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_few_boxes_have_a_result_of_two_columns(n):
    pairs = broadphase.BroadPhase().pairs(np.zeros((n, 6), np.float32))
    assert pairs.shape == (n * (n - 1) // 2, 2)


@pytest.mark.parametrize("threads", [None, 1, 2, 5])
def test_sorted_pairs_are_the_same_on_any_number_of_threads(threads):
    boxes = random_boxes(4000, seed=2, size=0.1)
    expected = in_order(broadphase.BroadPhase("box-pruning", threads=1).pairs(boxes))
    pairs = broadphase.BroadPhase(threads=threads).pairs(boxes, sorted=True)
    assert len(pairs) > 4000
    np.testing.assert_array_equal(pairs, expected)


def test_boxes_of_any_memory_layout_have_the_same_pairs():
    boxes = random_boxes(200, seed=3)
    expected = self_pairs(boxes)
    spread = np.zeros((400, 12), np.float32)
    spread[::2, ::2] = boxes
    misaligned = np.frombuffer(b"x" + boxes.tobytes(), np.uint8)[1:].view(np.float32)
    read_only = boxes.copy()
    read_only.flags.writeable = False
    for layout in [
        np.asfortranarray(boxes),
        spread[::2, ::2],
        boxes[::-1].copy()[::-1],
        misaligned.reshape(-1, 6),
        read_only,
        boxes.astype(np.float64),
    ]:
        np.testing.assert_array_equal(broadphase.BroadPhase().pairs(layout, sorted=True), expected)


def test_result_outlives_search_and_next_frame():
    search = broadphase.BroadPhase()
    boxes = random_boxes(100, seed=4)
    pairs = search.pairs(boxes, sorted=True)
    search.pairs(random_boxes(500, seed=5))
    del search
    np.testing.assert_array_equal(pairs, self_pairs(boxes))
    pairs[:] = 0


def test_absent_objects_are_in_no_pair():
    boxes = np.zeros((4, 6), np.float32)
    boxes[1] = [np.inf] * 3 + [-np.inf] * 3
    boxes[2, 0] = 1
    for dtype in [np.float32, np.float64]:
        assert broadphase.BroadPhase().pairs(boxes.astype(dtype)).tolist() == [[0, 3]]


def test_float64_is_rounded_outwards():
    random = np.random.default_rng(6)
    boxes = np.sort(random.normal(size=(1000, 2, 3)) * 10.0 ** random.integers(-37, 37, (1000, 1, 1)), 1)
    boxes = boxes.reshape(-1, 6)
    rounded = broadphase.round_outwards(boxes)
    assert rounded.dtype == np.float32
    low, high = rounded[:, :3], rounded[:, 3:]
    assert (low <= boxes[:, :3]).all() and (high >= boxes[:, 3:]).all()
    # No smaller box contains it.
    assert (np.nextafter(low, np.float32(np.inf)) > boxes[:, :3]).all()
    assert (np.nextafter(high, np.float32(-np.inf)) < boxes[:, 3:]).all()


def test_float64_boxes_that_touch_or_are_empty_by_less_than_an_ulp():
    third = 1 / 3
    boxes = np.array([[0, 0, 0, third, 1, 1], [third, 0, 0, 1, 1, 1], [np.nextafter(third, 1), 0, 0, third, 1, 1]])
    assert broadphase.BroadPhase().pairs(boxes).tolist() == [[0, 1]]
    assert broadphase.round_outwards(boxes)[2].tolist() == [np.inf] * 3 + [-np.inf] * 3


@pytest.mark.parametrize(
    "low, high",
    [(np.inf, 1e39), (1e39, -1e39), (1e300, 1e299), (1e39, 1e38), (np.inf, -np.inf), (0, -np.inf), (0, -1e-60), (5e-324, 0)],
)
def test_row_that_is_absent_in_float64_is_absent_however_it_rounds(low, high):
    boxes = np.zeros((3, 6))
    boxes[1, [2, 5]] = low, high
    boxes[1, 4] = 1e39
    broadphase.check_boxes(boxes)
    assert broadphase.round_outwards(boxes)[1].tolist() == [np.inf] * 3 + [-np.inf] * 3
    assert broadphase.BroadPhase().pairs(boxes).tolist() == [[0, 2]]
    assert len(broadphase.join(boxes, boxes)) == 4 and len(broadphase.worlds(boxes, [0, 3], shared=boxes[:2])[0]) == 3
    tree = broadphase.QueryTree(boxes)
    assert tree.boxes_touching(boxes)[1].tolist() == [0, 2, 2, 4]
    assert tree.sweeps(boxes, np.ones((3, 3)))[0].tolist() == [0, -1, 0]
    boxes[1, 0] = -np.inf
    broadphase.check_boxes(boxes)
    for wrong, text in [([np.nan, *boxes[1, 1:]], "NaN"), ([-np.inf, 0, 0, 1e39, 1, 1], "a side of it is infinite")]:
        boxes[1] = wrong
        with pytest.raises(ValueError, match=f"object 1: .*{text}"):
            broadphase.check_boxes(boxes)


def test_layers_filter_pairs_by_groups_masks_and_static_objects():
    random = np.random.default_rng(12)
    boxes, group, is_static = random_boxes(300, seed=13), random.integers(0, 32, 300), random.random(300) < 0.3
    mask = random.integers(0, 2**32, 300)
    pairs = broadphase.BroadPhase().pairs(boxes, layers=np.stack([group, mask, is_static], 1), sorted=True)
    a, b = self_pairs(boxes).T
    meets = (mask[a] >> group[b]) & (mask[b] >> group[a]) & 1 & ~(is_static[a] & is_static[b])
    np.testing.assert_array_equal(pairs, self_pairs(boxes)[meets == 1])
    # The documented rows with a mask of all groups.
    rows = np.array([[0, 0xFFFFFFFF, 0], [0, 0xFFFFFFFF, 1]])[is_static.astype(int)]
    pairs = broadphase.BroadPhase().pairs(boxes, layers=rows, sorted=True)
    np.testing.assert_array_equal(pairs, self_pairs(boxes)[~(is_static[a] & is_static[b])])


def test_parameters_change_the_algorithm_and_not_the_pairs():
    search = broadphase.BroadPhase("grid-uniform", cell_side=3, objects_per_cell=2)
    assert search.algorithm == "grid-uniform@cell-side=3@objects-per-cell=2"
    assert repr(search) == 'BroadPhase("grid-uniform", cell_side=3, objects_per_cell=2)'
    again = eval(repr(search), {"BroadPhase": broadphase.BroadPhase})
    assert again.algorithm == search.algorithm and repr(broadphase.BroadPhase("bsp", depth=0)) == 'BroadPhase("bsp")'
    boxes = random_boxes(300, seed=7)
    np.testing.assert_array_equal(search.pairs(boxes, sorted=True), self_pairs(boxes))


def test_other_threads_run_during_a_search_and_may_not_share_it():
    search = broadphase.BroadPhase("brute-force+scalar", threads=1)
    boxes = random_boxes(4000, size=0.001)
    found, refusals = [], 0

    def search_until_free():
        while not found:
            with contextlib.suppress(RuntimeError):
                found.append(search.pairs(boxes))

    thread = threading.Thread(target=search_until_free)
    thread.start()
    # With the interpreter held, the loop would run after the search only.
    while thread.is_alive():
        try:
            search.pairs(boxes[:1])
        except RuntimeError as error:
            assert "another thread is in a call on this instance" in str(error)
            refusals += 1
        time.sleep(1e-4)
    thread.join()
    assert refusals > 0 and len(found) == 1
