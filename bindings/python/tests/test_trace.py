"""Traces read and written."""

import os
import runpy
import struct
import sys
from pathlib import Path

import broadphase
import numpy as np
import pytest
from reference import random_boxes


def test_frames_are_read_as_they_were_written(tmp_path):
    path = tmp_path / "moving.bpt"
    frames = [random_boxes(50, seed) for seed in range(3)]
    frames[2] = frames[2].astype(np.float64) / 3
    frames[1][7] = [1, 0, 0, -1, 5, 5]
    assert broadphase.write_trace(path, (frame for frame in frames), dt=0.25) == 3
    trace = broadphase.read_trace(path)
    assert (len(trace), trace.objects, trace.dt) == (3, 50, 0.25)
    assert path.stat().st_size == 24 + 3 * 50 * 24
    # Absent objects have one form.
    frames[1][7] = [np.inf] * 3 + [-np.inf] * 3
    for read, written in zip(trace, frames):
        assert read.dtype == np.float32
        np.testing.assert_array_equal(read, broadphase.round_outwards(written))
    np.testing.assert_array_equal(trace[-1], trace[2])
    with pytest.raises(IndexError, match="frame 3: there are 3 frames"):
        trace[3]
    with pytest.raises(TypeError):
        trace["0"]


def test_trace_has_slices_and_is_searched_for_frames(tmp_path):
    path = tmp_path / "five.bpt"
    frames = [random_boxes(4, seed) for seed in range(5)]
    broadphase.write_trace(path, frames)
    trace = broadphase.read_trace(path)
    for part in [slice(1, 3), slice(-2, None), slice(None, None, -2), slice(3, 99), slice(4, 2)]:
        np.testing.assert_array_equal(trace[part], frames[part])
    assert len(trace[-2:]) == 2 and trace[4:2] == []
    np.testing.assert_array_equal(list(reversed(trace)), frames[::-1])
    assert frames[4] in trace and frames[4].tolist() in trace
    assert random_boxes(4, 9) not in trace and random_boxes(3) not in trace and None not in trace


def test_trace_of_the_example_writer_is_read(tmp_path, monkeypatch):
    writer = Path(__file__).parents[3] / "examples/trace-writers/trace_writer.py"
    path = tmp_path / "falling.bpt"
    monkeypatch.setattr(sys, "argv", ["trace_writer.py", str(path)])
    runpy.run_path(str(writer), run_name="__main__")
    trace = broadphase.read_trace(path)
    assert (len(trace), trace.objects, trace.dt) == (60, 3, np.float32(1 / 60))
    search = broadphase.BroadPhase()
    pairs = [search.pairs(boxes, sorted=True).tolist() for boxes in trace]
    assert pairs[0] == [] and pairs[20] == [[0, 2]] and pairs[59] == [[0, 1]]


def whole(magic=b"BPTRACE1", objects=1, frames=1, dt=0.1, flags=0, boxes=bytes(24)):
    return struct.pack("<8sIIfI", magic, objects, frames, dt, flags) + boxes


@pytest.mark.parametrize(
    "content, text",
    [
        (b"", "byte 0: expected the magic b'BPTRACE1', found b''"),
        (whole(magic=b"BPTRACE2"), "found b'BPTRACE2'"),
        (whole()[:20], "byte 20: expected a header of 24 bytes"),
        (whole(objects=0, boxes=b""), "byte 8: expected at least one object, found 0"),
        (whole(frames=0, boxes=b""), "byte 12: expected at least one frame, found 0"),
        (whole(dt=float("nan")), "byte 16: expected a finite time step greater than 0, found nan"),
        (whole(dt=0), "byte 16: .* found 0.0"),
        (whole(flags=1), "byte 20: expected flags of 0, found 1"),
        (whole()[:-1], "expected 48 bytes for 1 frames of 1 boxes, found 47"),
        (whole() + b"x", "found 49"),
        (whole(objects=2**32 - 1, frames=2**32 - 1), "expected 442721857562870808624 bytes"),
    ],
)
def test_damaged_traces_are_refused_with_the_byte(tmp_path, content, text):
    path = tmp_path / "damaged.bpt"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=text) as error:
        broadphase.read_trace(path)
    assert str(path) in str(error.value)


def test_bad_box_is_refused_with_frame_and_object(tmp_path):
    boxes = np.zeros((2, 3, 6), "<f4")
    boxes[1, 2, 4] = np.nan
    (tmp_path / "nan.bpt").write_bytes(whole(objects=3, frames=2, boxes=boxes.tobytes()))
    trace = broadphase.read_trace(tmp_path / "nan.bpt")
    assert not trace[0].any()
    with pytest.raises(ValueError, match="frame 1: boxes: object 2: a coordinate of its box is NaN"):
        trace[1]


ONE, TWO = np.zeros((1, 6)), np.zeros((2, 6))


@pytest.mark.parametrize(
    "frames, dt, text",
    [
        ([], 1, "at least one frame of at least one object, found 0 frames"),
        ([ONE[:0]], 1, "at least one object"),
        ([ONE, TWO], 1, "frame 1: expected 1 boxes, as before, found 2"),
        ([ONE, ONE * np.nan], 1, "frame 1: boxes: object 0"),
        ([ONE[:, :5]], 1, r"frame 0: boxes: expected shape \(n, 6\)"),
        ([ONE], 0, "dt: expected finite seconds greater than 0, found 0"),
        ([ONE], 1e-60, "dt: expected finite seconds greater than 0, found 0"),
    ],
)
def test_refused_traces_leave_what_was_there(tmp_path, frames, dt, text):
    path = tmp_path / "kept.bpt"
    path.write_text("kept")
    with pytest.raises(ValueError, match=text):
        broadphase.write_trace(path, frames, dt)
    assert os.listdir(tmp_path) == ["kept.bpt"] and path.read_text() == "kept"


def test_missing_files_and_folders_are_system_errors(tmp_path):
    with pytest.raises(FileNotFoundError):
        broadphase.read_trace(tmp_path / "none.bpt")
    with pytest.raises(FileNotFoundError):
        broadphase.write_trace(tmp_path / "none/none.bpt", [ONE])


def test_frame_of_a_file_that_became_shorter_is_refused(tmp_path):
    path = tmp_path / "short.bpt"
    boxes = np.array([[0, 0, 0, 1, 1, 1]], np.float32)
    broadphase.write_trace(path, [boxes, boxes])
    trace = broadphase.read_trace(path)
    path.write_bytes(path.read_bytes()[:-24])
    assert trace[0].tolist() == boxes.tolist()
    with pytest.raises(ValueError, match="frame 1: expected 24 bytes, found 0"):
        trace[1]
