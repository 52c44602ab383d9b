"""Traces (`.bpt`): the boxes of all objects, frame by frame. Files may be larger than memory."""

import contextlib
import math
import operator
import os
import struct
from collections.abc import Iterable, Iterator
from typing import SupportsIndex, Union, overload

import numpy
from numpy.typing import NDArray

from ._broadphase import check_boxes, round_outwards

_Path = Union[str, os.PathLike]
_Frame = NDArray[numpy.float32]
_MAGIC = b"BPTRACE1"
_HEADER = struct.Struct("<8sIIfI")


class Trace:
    """The frames of a trace. `trace[i]` reads frame `i`: float32 of shape (objects, 6). A slice is a list of frames.
    It has a length and can be iterated over.

    Attributes: `path`; `objects`, boxes in each frame; `dt`, seconds from frame to frame.
    """

    def __init__(self, path: _Path):
        """Opens a trace. Raises OSError, or ValueError if its header or its length is wrong."""
        self.path = os.fspath(path)
        with open(path, "rb") as file:
            start, length = file.read(_HEADER.size), os.fstat(file.fileno()).st_size
        self._expect(start.startswith(_MAGIC), f"byte 0: expected the magic {_MAGIC!r}, found {start[:8]!r}")
        whole = len(start) == _HEADER.size
        self._expect(whole, f"byte {len(start)}: expected a header of 24 bytes, found the end of the file")
        _, self.objects, self._frames, self.dt, flags = _HEADER.unpack(start)
        self._expect(self.objects > 0, "byte 8: expected at least one object, found 0")
        self._expect(self._frames > 0, "byte 12: expected at least one frame, found 0")
        is_time = 0 < self.dt < math.inf
        self._expect(is_time, f"byte 16: expected a finite time step greater than 0, found {self.dt}")
        self._expect(flags == 0, f"byte 20: expected flags of 0, found {flags}")
        expected = _HEADER.size + self._frames * self.objects * 24
        boxes = f"{self._frames} frames of {self.objects} boxes"
        self._expect(length == expected, f"expected {expected} bytes for {boxes}, found {length}")

    def _expect(self, holds: bool, text: str):
        if not holds:
            raise ValueError(f"{self.path}: {text}")

    def __len__(self) -> int:
        return self._frames

    def __iter__(self) -> Iterator[_Frame]:
        return map(self.__getitem__, range(self._frames))

    def __contains__(self, boxes: object) -> bool:
        return any(numpy.array_equal(frame, boxes) for frame in self)

    @overload
    def __getitem__(self, frame: SupportsIndex) -> _Frame: ...
    @overload
    def __getitem__(self, frame: slice) -> list[_Frame]: ...
    def __getitem__(self, frame):
        """Reads a frame, or the frames of a slice. Raises ValueError, with the frame and the object, if a box is bad."""
        if isinstance(frame, slice):
            return [self[at] for at in range(self._frames)[frame]]
        frame = operator.index(frame)
        if not -self._frames <= frame < self._frames:
            raise IndexError(f"{self.path}: frame {frame}: there are {self._frames} frames")
        # Read, not mapped: of a file that has become shorter, a mapped frame would kill the process.
        size = self.objects * 24
        with open(self.path, "rb") as file:
            file.seek(_HEADER.size + frame % self._frames * size)
            read = file.read(size)
        self._expect(len(read) == size, f"frame {frame % self._frames}: expected {size} bytes, found {len(read)}")
        boxes = numpy.frombuffer(read, "<f4").reshape(self.objects, 6).astype(numpy.float32)
        try:
            check_boxes(boxes)
        except ValueError as error:
            raise ValueError(f"{self.path}: frame {frame % self._frames}: {error}") from None
        return boxes


def read_trace(path: _Path) -> Trace:
    """Opens a trace. Raises OSError, or ValueError if it is no whole trace."""
    return Trace(path)


def write_trace(path: _Path, frames: Iterable[NDArray[numpy.floating]], dt: float = 1 / 60) -> int:
    """Writes frames, each float32 or float64 of shape (objects, 6), `dt` seconds apart. Returns their number.

    Frames may come from a generator. The file appears whole, or not at all: it is written under another name in its
    folder, and then replaces a file of its name. Raises OSError, TypeError or ValueError.
    """
    # As the file will have it.
    dt = float(numpy.float32(dt))
    if not 0 < dt < math.inf:
        raise ValueError(f"dt: expected finite seconds greater than 0, found {dt}")
    temporary = f"{os.fspath(path)}.{os.getpid()}.part"
    try:
        with open(temporary, "wb") as file:
            objects, count = _write_frames(file, frames)
            file.seek(0)
            file.write(_HEADER.pack(_MAGIC, objects, count, dt, 0))
        os.replace(temporary, path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
    return count


def _write_frames(file, frames) -> tuple[int, int]:
    file.write(bytes(_HEADER.size))
    objects = count = 0
    for count, boxes in enumerate(frames, 1):
        try:
            boxes = round_outwards(boxes)
        except (TypeError, ValueError) as error:
            raise type(error)(f"frame {count - 1}: {error}") from None
        if count > 1 and len(boxes) != objects:
            raise ValueError(f"frame {count - 1}: expected {objects} boxes, as before, found {len(boxes)}")
        objects = len(boxes)
        file.write(boxes.astype("<f4", copy=False).tobytes())
    if objects == 0:
        raise ValueError(f"expected at least one frame of at least one object, found {count} frames")
    return objects, count
