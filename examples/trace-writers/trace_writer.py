"""Writes the boxes of moving objects as a trace that `harness` reads. Standard library only.

    python3 trace_writer.py falling.bpt

TraceWriter is all that another engine needs; the rest is an example of its use.
"""

import math
import struct
import sys

ABSENT = (math.inf, math.inf, math.inf, -math.inf, -math.inf, -math.inf)
"""The box of an object that is absent in a frame. Its index is not reused."""


class TraceWriter:
    """A trace of `objects` boxes a frame, `dt` seconds from frame to frame.

    with TraceWriter("out.bpt", objects=2, dt=1 / 60) as trace:
        trace.write_frame([(min_x, min_y, min_z, max_x, max_y, max_z), ABSENT])
    """

    def __init__(self, path, objects, dt):
        self.objects, self.dt, self.frames = objects, dt, 0
        self.file = open(path, "wb")
        self._write_header()

    def write_frame(self, boxes):
        """Appends a frame: a box for each object, index = object."""
        boxes = list(boxes)
        if len(boxes) != self.objects:
            raise ValueError(f"expected {self.objects} boxes, found {len(boxes)}")
        for box in boxes:
            # `<`: little-endian, no padding.
            self.file.write(struct.pack("<6f", *box))
        self.frames += 1

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # The number of frames is known now.
        self.file.seek(0)
        self._write_header()
        self.file.close()

    def _write_header(self):
        header = struct.pack("<8sIIfI", b"BPTRACE1", self.objects, self.frames, self.dt, 0)
        self.file.write(header)


def main():
    """Three unit boxes: one rests, one falls onto it, one is present for a while."""
    dt = 1 / 60
    with TraceWriter(sys.argv[1], objects=3, dt=dt) as trace:
        for frame in range(60):
            bottom = max(1.0, 3.0 - 4.9 * (frame * dt) ** 2)
            resting = (0, 0, 0, 1, 1, 1)
            falling = (0.5, 0, bottom, 1.5, 1, bottom + 1)
            passing = (0.9, 0, 0, 1.9, 1, 1) if 20 <= frame < 40 else ABSENT
            trace.write_frame([resting, falling, passing])


if __name__ == "__main__":
    main()
