# The documentation is that of the compiled module: `help(broadphase.BroadPhase)`.
from collections.abc import Sequence
from typing import Optional, Union, final

from numpy import float32, float64, int64, uint32
from numpy.typing import ArrayLike, NDArray

_Floats = Union[NDArray[float32], NDArray[float64]]

@final
class Algorithm:
    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def summary(self) -> str: ...

@final
class BroadPhase:
    def __new__(cls, algorithm: str = "auto", *, threads: Optional[int] = None, **parameters: float) -> BroadPhase: ...
    @property
    def algorithm(self) -> str: ...
    def pairs(
        self, boxes: _Floats, *, layers: Optional[ArrayLike] = None, sorted: bool = False
    ) -> NDArray[uint32]: ...

@final
class Join:
    def __new__(cls, *, threads: Optional[int] = None) -> Join: ...
    def pairs(self, a: _Floats, b: _Floats) -> NDArray[uint32]: ...

@final
class Worlds:
    def __new__(cls, *, threads: Optional[int] = None) -> Worlds: ...
    def pairs(
        self,
        boxes: _Floats,
        starts: ArrayLike,
        *,
        shared: Optional[_Floats] = None,
        layers: Optional[ArrayLike] = None,
        excluded: Union[ArrayLike, Sequence[ArrayLike], None] = None,
        kinds: Optional[ArrayLike] = None,
    ) -> tuple[NDArray[uint32], NDArray[int64]]: ...

def algorithms() -> list[Algorithm]: ...
def check_boxes(boxes: _Floats) -> None: ...
def round_outwards(boxes: _Floats) -> NDArray[float32]: ...
