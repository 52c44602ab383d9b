"""Errors say what was expected, and leave the instance usable."""

import ctypes
import platform
import re
import sys
import threading

import broadphase
import numpy as np
import pytest

BOXES = np.zeros((2, 6), np.float32)


def replaced(index, value):
    boxes = BOXES.copy()
    boxes[index] = value
    return boxes


BAD_BOXES = {
    "list": (BOXES.tolist(), TypeError, r"expected a numpy array of float32 or float64 of shape \(n, 6\), .* found list: use numpy.asarray"),
    "none": (None, TypeError, "found NoneType"),
    "integers": (BOXES.astype(np.int64), TypeError, r"float32 or float64 .*, found int64: use numpy.asarray\(boxes, numpy.float64\)$"),
    "half": (BOXES.astype(np.float16), TypeError, "found float16"),
    "objects": (BOXES.astype(object), TypeError, "found object"),
    "text": (np.full((2, 6), "1"), TypeError, "found <U1"),
    "foreign": (BOXES.astype(BOXES.dtype.newbyteorder()), TypeError, "float32 or float64 .*, found [<>]f4"),
    "flat": (BOXES.ravel(), ValueError, r"expected shape \(n, 6\), min x, y, z, max x, y, z, .* found \(12,\)$"),
    "corners": (BOXES.reshape(-1, 2, 3), ValueError, r"found \(2, 2, 3\)"),
    "columns": (BOXES[:, :4], ValueError, r"found \(2, 4\)"),
    "huge": (np.broadcast_to(BOXES[0], (2**32, 6)), ValueError, r"at most 4294967295 rows, found \(4294967296, 6\)$"),
    "nan": (replaced((1, 2), np.nan), ValueError, "boxes: object 1: a coordinate of its box is NaN"),
    "nan64": (replaced((1, 2), np.nan).astype(np.float64), ValueError, "object 1: a coordinate of its box is NaN"),
    "infinite": (replaced((0, 3), np.inf), ValueError, "object 0: .* a side of it is infinite"),
    "infinite64": (replaced((0, 3), np.inf).astype(np.float64), ValueError, "object 0: .* a side of it is infinite"),
}


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_masked_arrays_are_refused_wherever_they_are_given(dtype):
    boxes = np.ma.masked_invalid(replaced((1, 2), np.nan).astype(dtype))
    numbers, plain = np.ma.masked_equal([0, 2], 2), BOXES.astype(dtype)
    tree, worlds = broadphase.QueryTree(plain), broadphase.worlds
    calls = {
        "boxes": lambda: broadphase.BroadPhase().pairs(boxes),
        "a": lambda: broadphase.join(boxes, plain),
        "points": lambda: tree.nearest(boxes[:, :3]),
        "planes": lambda: tree.frustums_touching(boxes[:, None, :4]),
        "layer": lambda: tree.boxes_touching(plain, layer=np.ma.zeros(3, int)),
        "starts": lambda: worlds(plain, numbers),
        "layers": lambda: worlds(plain, [0, 2], layers=np.ma.zeros((2, 3), int)),
        "excluded": lambda: worlds(plain, [0, 2], excluded=np.ma.zeros((1, 2), int)),
        r"excluded\[1\]": lambda: worlds(plain, [0, 2], excluded=[np.array([[0, 1]]), np.ma.zeros((1, 2), int)]),
    }
    for name, call in calls.items():
        with pytest.raises(TypeError, match=f"^{name}: expected an array without a mask, found MaskedArray: use"):
            call()
    assert broadphase.BroadPhase().pairs(boxes.filled(0)).tolist() == [[0, 1]]


@pytest.mark.parametrize("case", BAD_BOXES)
def test_bad_boxes_are_refused_with_what_was_expected(case):
    boxes, error, text = BAD_BOXES[case]
    search = broadphase.BroadPhase()
    for call in [search.pairs, broadphase.check_boxes, broadphase.round_outwards]:
        with pytest.raises(error, match=text):
            call(boxes)
    assert search.pairs(BOXES).tolist() == [[0, 1]]


@pytest.mark.parametrize(
    "arguments, error, text",
    [
        (["sweep-gird"], ValueError, "no algorithm `sweep-gird`: did you mean sweep-grid"),
        (["?"], ValueError, r"no algorithm `\?`: broadphase.algorithms\(\) lists them"),
        (["bvh-linear+object"], ValueError, r"^bvh-linear\+object was removed: use bvh-linear$"),
        ([3], TypeError, "'int' object is not an instance of 'str'"),
        (["bsp", ("depth", 17)], ValueError, "^depth: expected a whole number from 0 to 12, found 17$"),
        (["bsp", ("depth", 1.5)], ValueError, "^depth: expected a whole number from 0 to 12, found 1.5$"),
        (["grid-uniform", ("cell_side", -1)], ValueError, "^cell_side: expected a number from 0.5 to 32, found -1$"),
        (["grid-uniform", ("cell_side", "2")], TypeError, "^cell_side: expected a number from 0.5 to 32, found str$"),
        (["grid-uniform", ("cell_side", float("nan"))], ValueError, "^cell_side: expected .*, found nan$"),
        (["grid-uniform", ("cell", 2)], ValueError, "no parameter `cell`: it has cell_side, objects_per_cell$"),
        (["auto", ("cell_side", 3)], ValueError, "auto has no parameter `cell_side`: it has none$"),
        *[
            (["auto", ("threads", count)], error, f"threads: expected None or a whole number from 1 to 1024, found {found}$")
            for count, error, found in [
                (0, ValueError, "0"),
                (-1, ValueError, "-1"),
                (5000, ValueError, "5000"),
                (2**70, ValueError, str(2**70)),
                ("2", TypeError, "str"),
                (2.0, TypeError, "float"),
            ]
        ],
    ],
)
def test_wrong_settings_are_refused_with_what_exists(arguments, error, text):
    id, *settings = arguments
    with pytest.raises(error, match=text):
        broadphase.BroadPhase(id, **dict(settings))


def test_copy_that_does_not_fit_into_memory_is_a_memory_error():
    # More than the address space of a process, in a layout that has to be copied.
    boxes = np.broadcast_to(BOXES[0], (2**32 - 1, 6))
    resource = pytest.importorskip("resource")
    limits = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (64 << 30, limits[1]))
    try:
        with pytest.raises(MemoryError):
            broadphase.BroadPhase().pairs(boxes)
    finally:
        resource.setrlimit(resource.RLIMIT_AS, limits)


@pytest.mark.skipif(
    (sys.platform, platform.machine()) != ("linux", "x86_64"), reason="the environment's layout is that of x86-64 Linux"
)
@pytest.mark.parametrize("mode", [1 << 15, 1 << 6, 1 << 13, 2 << 13, 3 << 13])
def test_thread_with_another_arithmetic_is_refused(mode):
    libm = ctypes.CDLL("libm.so.6")
    refusals = []

    def search():
        environment = (ctypes.c_uint32 * 8)()
        libm.fegetenv(environment)
        # The register MXCSR.
        environment[7] |= mode
        libm.fesetenv(environment)
        try:
            broadphase.BroadPhase().pairs(BOXES)
        except RuntimeError as error:
            refusals.append(str(error))

    thread = threading.Thread(target=search)
    thread.start()
    thread.join()
    assert len(refusals) == 1 and re.search("rounds denormal numbers to zero, or not to nearest", refusals[0])
